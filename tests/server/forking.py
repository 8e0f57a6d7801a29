"""`pitbook serve` as a process that starts quickly: a fork of one that has imported and assembled everything.

It hashes passwords with fast settings, and tests can advance its clock instead of waiting.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import chdir
from ctypes import c_double
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection, wait
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from threading import Thread

from argon2 import Parameters
from argon2.low_level import Type

from pitbook.journal import fault_injection
from pitbook.journal.clocks import Clock, steady_seconds
from pitbook.server import app
from tests.server.asgi import shared_assembly
from tests.waiting import HANG

ROOT = Path(__file__).parents[2]
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.server.preload"])
FAST_HASHING = Parameters(Type.ID, 19, 16, 32, time_cost=1, memory_cost=64, parallelism=1)
REAL_HASHING = "TESTS_DEAR_PASSWORDS"
"""Environment variable: hash passwords with production settings."""
FILES = "TESTS_OPEN_FILES"
"""Environment variable: hard limit on open files."""


def own_environment(folder: Path) -> dict[str, str]:
    """Return an environment without the user's settings and with home folders of its own."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PITBOOK_")}
    return {**clean, "XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}


class ClockOffset:
    """How far the clock of a house is put forward, in all its processes, for as long as there are any.

    The clock itself runs with the machine's monotonic one: when the machine's own time is set, no house notices.
    """

    def __init__(self) -> None:
        self._seconds = FORKS.RawValue(c_double, 0.0)
        self._start = datetime.now(UTC) - timedelta(seconds=steady_seconds())

    def advance(self, seconds: float) -> None:
        self._seconds.value += seconds

    def install(self) -> None:
        """Install the offset in this process, in the wall clock and in the monotonic clock of the journal."""
        from pitbook.journal.sqlite import SqliteStore

        start, clock_offset = self._start, self._seconds

        def steady() -> float:
            return steady_seconds() + clock_offset.value

        def now(self: SqliteStore) -> str:
            return (start + timedelta(seconds=steady())).isoformat(timespec="microseconds")

        SqliteStore.now = now  # type: ignore[method-assign]
        assert Clock.__init__.__kwdefaults__ is not None
        Clock.__init__.__kwdefaults__["steady"] = steady


class ForkedProcess:
    """A forked `pitbook` with the interface of `subprocess.Popen`."""

    def __init__(
        self, arguments: Sequence[str], environment: dict[str, str], log: Path, clock_offset: ClockOffset | None = None
    ) -> None:
        with chdir(ROOT):  # where the fork server can import tests.server.preload
            ensure_running()
        receiving, sending = FORKS.Pipe(duplex=False)
        self._process = FORKS.Process(target=_run, args=(tuple(arguments), environment, log, sending, clock_offset))
        self._process.start()
        sending.close()
        self.stdout = os.fdopen(os.dup(receiving.fileno()), "rb")  # open as long as the server may print more
        receiving.close()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Return the exit code, or None while the process runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("pitbook", timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def run_command(
    *arguments: str, folder: Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a `pitbook` command that ends on its own, with its log in a folder; return its exit code and output."""
    log = folder / "command.log"
    log.unlink(missing_ok=True)
    process = ForkedProcess(arguments, {**own_environment(folder), **(environment or {})}, log)
    with process.stdout as output:
        displayed = output.read().decode()
    return subprocess.CompletedProcess(arguments, process.wait(HANG), displayed, log.read_text(encoding="utf-8"))


def _run(
    arguments: tuple[str, ...],
    environment: dict[str, str],
    log: Path,
    sending: Connection,
    clock_offset: ClockOffset | None,
) -> None:
    """Run `pitbook` with these arguments in this environment; send its output to the pipe and its log to the file."""
    from pitbook.cli import main

    os.environ.clear()
    os.environ.update(environment)
    with log.open("ab") as file:
        os.dup2(file.fileno(), sys.stderr.fileno())
    os.dup2(sending.fileno(), sys.stdout.fileno())
    sending.close()
    if clock_offset is not None:
        clock_offset.install()
    fault_injection.arm_from_environment()  # which was imported before the fork
    if FILES in environment:
        resource.setrlimit(resource.RLIMIT_NOFILE, (int(environment[FILES]),) * 2)
    if REAL_HASHING not in environment:
        from pitbook.auth.passwords import Passwords

        Passwords.__init__.__defaults__ = (FAST_HASHING,)
    app.assemble = shared_assembly
    Thread(target=_stop_with_the_tests, daemon=True).start()
    main(list(arguments))


def _stop_with_the_tests() -> None:
    """Stop the server when the test run is gone, even if that was killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)
