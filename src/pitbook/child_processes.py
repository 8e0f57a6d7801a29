"""Run functions in child processes: one protocol for book queries, audits and simulated nights.

A thread would share the interpreter with live tables and could not be stopped. A child process can be killed at any
time. It receives its work over a pipe instead of command-line arguments, which other users of the machine can list, and
exits when its parent is gone.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from typing import TYPE_CHECKING, Any

from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

START = "import sys; sys.path[:] = sys.argv[5:]; from pitbook.child_processes import serve; serve(*sys.argv[2:5])"
"""Imports from the same paths as the parent, not from the current folder."""


class ProcessEnded(Exception):
    """The child process ended before it replied."""


class ChildProcess:
    """A child process that runs functions one after another, at low priority."""

    def __init__(self, name: str, *, nice: int, idle_seconds: float = 60.0) -> None:
        """Start the process; its name appears in process listings."""
        self._connection, theirs = Pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", START, name, str(theirs.fileno()), str(nice), str(idle_seconds), *sys.path],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
        theirs.close()
        self.pid = self._process.pid

    def send(self, function: Callable[..., Any], *arguments: Any, memory: bool = False, cpu_seconds: float = 0) -> None:
        """Have the child call a function, which may call `report_progress`.

        With `memory`, the first argument is a dict that is shared by all calls. With `cpu_seconds`, the child ends when
        the function has used that much processor time.
        """
        try:
            self._connection.send((function, arguments, memory, cpu_seconds))
        except OSError:
            raise ProcessEnded from None

    def receive(self, seconds: float | None = None, on_progress: Callable[[Any], None] | None = None) -> Any:
        """Wait for the function's return value; raise its `InputError`, or `RuntimeError` for any other exception.

        Raise `TimeoutError` when the child is silent for `seconds` or has used up its processor time.
        """
        while True:
            try:
                if not self._connection.poll(seconds):
                    raise TimeoutError
                kind, value = self._connection.recv()
            except (EOFError, ConnectionError):
                if self._process.wait() == -signal.SIGPROF:
                    raise TimeoutError from None
                raise ProcessEnded from None
            if kind == "returned":
                return value
            if kind == "raised":
                raise value
            if on_progress is not None:
                on_progress(value)

    @property
    def running(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def terminate(self) -> None:
        """Send SIGTERM, for a function that handles it."""
        self._process.terminate()

    def kill(self) -> None:
        """Kill the process; `receive` then raises `ProcessEnded`."""
        self._process.kill()

    def close(self) -> int:
        """Kill the process and return its exit code."""
        self._process.kill()
        code = self._process.wait()
        self._connection.close()
        return code


class Job(ChildProcess):
    """A function that runs in its own child process."""

    def __init__(self, function: Callable[..., Any], *arguments: Any, nice: int = 15) -> None:
        super().__init__(f"pitbook {function.__name__}", nice=nice)
        self.send(function, *arguments)

    def result(self, on_progress: Callable[[Any], None] | None = None) -> Any:
        """Wait for the function's return value and end the process."""
        try:
            return self.receive(None, on_progress)
        finally:
            self.close()


_parent: Connection | None = None


def report_progress(value: Any) -> None:
    """Send a value from the child process to its parent before the function returns."""
    assert _parent is not None
    _parent.send(("progress", value))


def serve(descriptor: str, nice: str, idle_seconds: str) -> None:
    """Run functions in the child process until the parent is gone or idle for too long."""
    global _parent  # noqa: PLW0603 - one parent for each process
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the parent, which ends this process
    with suppress(OSError):
        os.nice(int(nice))
    _parent = Connection(int(descriptor))
    shared: dict[str, Any] = {}
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while _parent.poll(float(idle_seconds)):
            function, arguments, memory, cpu_seconds = _parent.recv()
            signal.setitimer(signal.ITIMER_PROF, cpu_seconds)  # SIGPROF ends the process; 0 sets no timer
            outcome = _outcome(function, (shared, *arguments) if memory else arguments)
            signal.setitimer(signal.ITIMER_PROF, 0)
            _parent.send(outcome)


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, Any]:
    try:
        return "returned", function(*arguments)
    except (BrokenPipeError, ConnectionResetError):
        raise
    except InputError as error:
        return "raised", error
    except Exception as error:
        bug = RuntimeError(f"{type(error).__name__}: {error}")
        bug.add_note(traceback.format_exc())  # for the parent's log
        return "raised", bug
