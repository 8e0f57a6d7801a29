"""`pitbook serve` as a process that starts in a moment: a fork of one that has imported everything."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from threading import Thread

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["pitbook.cli", "pitbook.server.running"])


def own_environment(folder: Path) -> dict[str, str]:
    """No setting of whoever runs the tests, and homes in a folder of one's own."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PITBOOK_")}
    return {**clean, "XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}


class Forked:
    """What tests ask of a process, as `subprocess.Popen` has it."""

    def __init__(self, arguments: Sequence[str], environment: dict[str, str], log: Path) -> None:
        told, tells = FORKS.Pipe(duplex=False)
        self._process = FORKS.Process(target=_run, args=(tuple(arguments), environment, log, tells))
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


def _run(arguments: tuple[str, ...], environment: dict[str, str], log: Path, tells: Connection) -> None:
    """`pitbook` with these arguments and no other environment; what it prints is told, what it logs is kept."""
    from pitbook.cli import main

    os.environ.clear()
    os.environ.update(environment)
    with log.open("ab") as file:
        os.dup2(file.fileno(), sys.stderr.fileno())
    os.dup2(tells.fileno(), sys.stdout.fileno())
    tells.close()
    Thread(target=_stop_with_the_tests, daemon=True).start()
    main(list(arguments))


def _stop_with_the_tests() -> None:
    """A run that is killed stops nothing itself: its servers see that it is gone."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)
