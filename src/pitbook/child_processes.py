"""Run our own functions in child processes: one protocol for short questions, audits and simulated nights.

A thread would share the interpreter with every live table and could not be stopped. A child process can be stopped at
any moment. It gets its work over a pipe, not as arguments of a command that other users of the machine can list, and it
ends when nobody listens any more.
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
"""Import from the same places as the parent, and not from the folder in which it happens to run."""


class ProcessEnded(Exception):
    """The child process ended before it replied."""


class ChildProcess:
    """A child process that runs one function after another, at low priority."""

    def __init__(self, name: str, *, nice: int, idle_seconds: float = 60.0) -> None:
        """Start the process; its name is for people who list processes."""
        self._connection, theirs = Pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", START, name, str(theirs.fileno()), str(nice), str(idle_seconds), *sys.path],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
        theirs.close()
        self.pid = self._process.pid

    def send(self, function: Callable[..., Any], *arguments: Any, memory: bool = False, cpu_seconds: float = 0) -> None:
        """Have the child call a function; it may call `report_progress` on the way.

        With `memory` its first argument is a dict in which it finds what earlier calls have put there. With
        `cpu_seconds` the child ends when the function has used that much processor time.
        """
        try:
            self._connection.send((function, arguments, memory, cpu_seconds))
        except OSError:
            raise ProcessEnded from None

    def receive(self, seconds: float | None = None, on_progress: Callable[[Any], None] | None = None) -> Any:
        """Wait for what the function returns. Raise its `InputError`, and `RuntimeError` for any other exception.

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
        """Whether the process lives."""
        return self._process.poll() is None

    def terminate(self) -> None:
        """Send SIGTERM, for a function that handles it."""
        self._process.terminate()

    def kill(self) -> None:
        """End the process at once; a caller of `receive` gets `ProcessEnded`."""
        self._process.kill()

    def close(self) -> int:
        """End the process and return its exit code."""
        self._process.kill()
        code = self._process.wait()
        self._connection.close()
        return code


class Job(ChildProcess):
    """One function in a child process of its own, started at once."""

    def __init__(self, function: Callable[..., Any], *arguments: Any, nice: int = 15) -> None:
        super().__init__(f"pitbook {function.__name__}", nice=nice)
        self.send(function, *arguments)

    def result(self, on_progress: Callable[[Any], None] | None = None) -> Any:
        """Wait for what the function returns, and end the process. Blocks."""
        try:
            return self.receive(None, on_progress)
        finally:
            self.close()


_parent: Connection | None = None


def report_progress(value: Any) -> None:
    """In a child process: send something to the parent before the function returns."""
    assert _parent is not None
    _parent.send(("progress", value))


def serve(descriptor: str, nice: str, idle_seconds: str) -> None:
    """In the child process: call functions until the parent is gone or has sent nothing for a while."""
    global _parent  # noqa: PLW0603 - one parent for each process
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the parent, which ends this process
    with suppress(OSError):
        os.nice(int(nice))
    _parent = Connection(int(descriptor))
    kept: dict[str, Any] = {}
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while _parent.poll(float(idle_seconds)):
            function, arguments, memory, cpu_seconds = _parent.recv()
            signal.setitimer(signal.ITIMER_PROF, cpu_seconds)  # SIGPROF ends the process; 0 sets no timer
            outcome = _outcome(function, (kept, *arguments) if memory else arguments)
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
