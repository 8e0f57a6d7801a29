"""A background job: one long task in a separate process at low priority, with progress.

The back office answers questions in seconds; an audit may take an hour. It shares nothing with the tables but the disk,
and can be stopped at any moment, since it only reads.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from typing import Any

from pitbook.errors import InputError

Tell = Callable[[Any], None]
"""Called in the process with whatever is to be told on the way."""


class JobStopped(Exception):
    """The work was ended from outside."""


class BackgroundJob:
    """One piece of work. It is started when it is made."""

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        here, there = Pipe()
        start = "import sys; sys.path[:] = sys.argv[2:]; from pitbook.server.jobs.background import serve; serve()"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", start, str(there.fileno()), *sys.path],
            pass_fds=[there.fileno()],
            stdin=subprocess.DEVNULL,
        )
        there.close()
        self._line = here
        self._line.send((function, arguments))  # by the line and not as words of the command: others see those

    def result(self, tell: Tell) -> Any:
        """Waits for what the work comes to; `tell` hears what is told on the way. Blocks: in a thread."""
        try:
            while True:
                what, value = self._line.recv()
                if what == "done":
                    return value
                if what == "mistake":
                    raise InputError(value)
                if what == "failed":
                    raise RuntimeError(value)
                tell(value)
        except (EOFError, OSError):
            raise JobStopped from None
        finally:
            self.stop()
            self._process.wait()
            self._line.close()

    def stop(self) -> None:
        """Ends the process, whatever it does; who waits for the result is told."""
        self._process.kill()


def serve() -> None:
    """The process: does what it is given, and ends. Where nobody listens any more, it ends too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    with suppress(OSError):
        os.nice(15)
    line = Connection(int(sys.argv[1]))
    with suppress(EOFError, BrokenPipeError):
        function, arguments = line.recv()
        line.send(_outcome(function, arguments, lambda told: line.send(("told", told))))


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...], tell: Tell) -> tuple[str, Any]:
    try:
        return "done", function(tell, *arguments)
    except InputError as mistake:
        return "mistake", str(mistake)
    except BrokenPipeError:
        raise
    except Exception as error:
        return "failed", f"{type(error).__name__}: {error}"
