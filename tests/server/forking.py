"""`pitbook serve` as a process that starts in a moment: a fork of one that has imported everything. Passwords are
compared quickly in it, and its clock can be put forward: nobody waits where time is all that must pass."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from ctypes import c_double
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection, wait
from pathlib import Path
from pkgutil import iter_modules
from threading import Thread

from argon2 import Parameters
from argon2.low_level import Type

from pitbook.journal.clocks import Clock, steady_seconds
from pitbook.server import routes

FORKS = multiprocessing.get_context("forkserver")
IMPORTED_LATER = ("anyio._backends._asyncio", "cyclopts", "litestar._kwargs.kwargs_model", "litestar.plugins.pydantic")
"""What libraries import only when a server starts."""
FORKS.set_forkserver_preload(
    [
        *("pitbook.cli.serve", "pitbook.server.serve", "pitbook.auth.sqlite", "pitbook.journal.sqlite", "numpy.random"),
        *(module.name for module in iter_modules(routes.__path__, f"{routes.__name__}.")),
        *IMPORTED_LATER,
    ]
)
CHEAP = Parameters(Type.ID, 19, 16, 32, time_cost=1, memory_cost=64, parallelism=1)
DEAR = "TESTS_DEAR_PASSWORDS"
"""In its environment, passwords take as long as in a house of people's."""
FILES = "TESTS_OPEN_FILES"
"""In its environment, how many files it may open: a hard limit."""


def own_environment(folder: Path) -> dict[str, str]:
    """No setting of whoever runs the tests, and homes in a folder of one's own."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PITBOOK_")}
    return {**clean, "XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}


class Ahead:
    """How far the clock of a house is put forward, in all its processes, for as long as there are any.

    The clock itself runs with the machine's monotonic one: when the machine's own time is set, no house notices.
    """

    def __init__(self) -> None:
        self._seconds = FORKS.RawValue(c_double, 0.0)
        self._start = datetime.now(UTC) - timedelta(seconds=steady_seconds())

    def passes(self, seconds: float) -> None:
        self._seconds.value += seconds

    def holds(self) -> None:
        """From here on a process tells the time so; a journal's clock never goes back, so both its parts must."""
        from pitbook.journal.sqlite import SqliteStore

        start, ahead = self._start, self._seconds

        def steady() -> float:
            return steady_seconds() + ahead.value

        def now(self: SqliteStore) -> str:
            return (start + timedelta(seconds=steady())).isoformat(timespec="microseconds")

        SqliteStore.now = now  # type: ignore[method-assign]
        assert Clock.__init__.__kwdefaults__ is not None
        Clock.__init__.__kwdefaults__["steady"] = steady


class Forked:
    """What tests ask of a process, as `subprocess.Popen` has it."""

    def __init__(
        self, arguments: Sequence[str], environment: dict[str, str], log: Path, ahead: Ahead | None = None
    ) -> None:
        told, tells = FORKS.Pipe(duplex=False)
        self._process = FORKS.Process(target=_run, args=(tuple(arguments), environment, log, tells, ahead))
        self._process.start()
        tells.close()
        self.stdout = os.fdopen(os.dup(told.fileno()), "rb")  # open as long as the server may tell more
        told.close()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """The exit code, once there is one."""
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


def _run(
    arguments: tuple[str, ...], environment: dict[str, str], log: Path, tells: Connection, ahead: Ahead | None
) -> None:
    """`pitbook` with these arguments and no other environment; what it prints is told, what it logs is kept."""
    from pitbook.cli import main

    os.environ.clear()
    os.environ.update(environment)
    with log.open("ab") as file:
        os.dup2(file.fileno(), sys.stderr.fileno())
    os.dup2(tells.fileno(), sys.stdout.fileno())
    tells.close()
    if ahead is not None:
        ahead.holds()
    if FILES in environment:
        resource.setrlimit(resource.RLIMIT_NOFILE, (int(environment[FILES]),) * 2)
    if DEAR not in environment:
        from pitbook.auth.passwords import Passwords

        Passwords.__init__.__defaults__ = (CHEAP,)
    Thread(target=_stop_with_the_tests, daemon=True).start()
    main(list(arguments))


def _stop_with_the_tests() -> None:
    """A run that is killed stops nothing itself: its servers see that it is gone."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)
