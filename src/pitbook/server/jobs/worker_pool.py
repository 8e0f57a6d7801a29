"""The worker pool: heavy work in separate processes, so that tables never wait for it.

A thread would share the interpreter with every table, and could not be stopped. A process can: work that takes too long
is ended with its process, and the next question gets a new one. A process that has had nothing to do for a while ends.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import subprocess
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from typing import TYPE_CHECKING, Any, TypeVar

from pitbook.errors import InputError
from pitbook.server.http.errors import Busy

if TYPE_CHECKING:
    from collections.abc import Callable

Found = TypeVar("Found")
WORKERS = 1
"""Processes at work at once, unless told otherwise; a small house has two cores for everything."""
MOST_WAITING = 24
IDLE = 300.0
"""Seconds after which a process without work ends."""
SECONDS = 20.0
"""The longest that one piece of work may take, unless told otherwise."""


class Worker:
    """One process, started when it is first needed, and again after it was lost."""

    def __init__(self) -> None:
        self._line: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._at_work = threading.Lock()
        self._closed = False

    def work(self, seconds: float, function: Callable[..., bytes], *arguments: Any) -> bytes:
        """What a function of ours gives, worked out over there."""
        with self._at_work:
            answer = self._answer(seconds, function, arguments)
        if isinstance(answer, BaseException):
            raise answer
        found: bytes = answer
        return found

    def _answer(self, seconds: float, function: Callable[..., bytes], arguments: tuple[Any, ...]) -> Any:
        for last in (False, True):
            if self._closed:
                raise Busy("the server is about to end; ask again in a moment")
            line = self._open()
            try:
                line.send((function, arguments))
                if line.poll(seconds):
                    return line.recv()
            except (EOFError, OSError):
                self._dismiss()  # it ended while it was idle, or was killed: once more with a new one
                if last:
                    raise Busy("the process that worked on this was lost; ask for less at once") from None
            else:
                self._dismiss()
                raise Busy(f"this took longer than {seconds:g} seconds and was ended; ask for less at once")
        raise AssertionError("unreachable")

    def _open(self) -> Connection:
        if self._line is None or self._process is None or self._process.poll() is not None:
            self._dismiss()
            here, there = Pipe()
            # The same places to import from as here, and not the folder it happens to be started in.
            start = "import sys; sys.path[:] = sys.argv[2:]; from pitbook.server.jobs.worker_pool import serve; serve()"
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", start, str(there.fileno()), *sys.path],
                pass_fds=[there.fileno()],
                stdin=subprocess.DEVNULL,
            )
            there.close()
            self._line = here
        return self._line

    def close(self) -> None:
        """Ends the process for good; who waits for its work is told."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()
        with self._at_work:
            self._dismiss()

    def _dismiss(self) -> None:
        if self._line is not None:
            self._line.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._line = self._process = None


class WorkerPool:
    """A few workers, and a line in front of them that is not endless."""

    def __init__(self, workers: int = WORKERS, waiting: int = MOST_WAITING) -> None:
        self.most = workers + waiting
        self._count = workers
        self._asked = 0
        self._threads: ThreadPoolExecutor | None = None
        self._workers: list[Worker] = []
        self._own = threading.local()
        self._guard = threading.Lock()

    async def work(self, function: Callable[..., bytes], *arguments: Any, seconds: float = SECONDS) -> bytes:
        """What a function of ours gives; the caller's event loop goes on meanwhile."""
        if self._asked >= self.most:
            raise Busy(f"{self._asked} questions wait already; ask again in a moment")
        self._asked += 1
        try:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="back office")
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._done, seconds, function, arguments)
        finally:
            self._asked -= 1

    def _done(self, seconds: float, function: Callable[..., bytes], arguments: tuple[Any, ...]) -> bytes:
        worker = getattr(self._own, "worker", None)
        if worker is None:
            worker = self._own.worker = Worker()
            with self._guard:
                self._workers.append(worker)
        found: bytes = worker.work(seconds, function, *arguments)
        return found

    def close(self) -> None:
        """Ends all processes; it opens again by itself when work is asked for."""
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown(wait=False, cancel_futures=True)
        with self._guard:
            workers, self._workers, self._own = self._workers, [], threading.local()
        for worker in workers:
            worker.close()


class Counter:
    """Quick work, one piece at a time, in one thread beside the event loop: more would only share its interpreter."""

    def __init__(self, waiting: int = 200) -> None:
        self.most = waiting
        self._asked = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="counter")

    async def work(self, function: Callable[..., Found], *arguments: Any) -> Found:
        """What a function gives."""
        if self._asked >= self.most:
            raise Busy(f"{self._asked} questions wait already; ask again in a moment")
        self._asked += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)
        finally:
            self._asked -= 1


def serve() -> None:
    """A worker's process: takes work until nobody is there to give it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server's own end closes the line
    with suppress(OSError):
        os.nice(5)  # tables come first
    line = Connection(int(sys.argv[1]))
    while line.poll(IDLE):
        try:
            function, arguments = line.recv()
        except EOFError:
            return
        try:
            line.send(function(*arguments))
        except InputError as mistake:
            line.send(mistake)
        except Exception as error:
            bug = RuntimeError(f"{type(error).__name__}: {error}")
            bug.add_note(traceback.format_exc())  # the log of the server is where people look
            line.send(bug)


COUNTER = Counter()
"""The counter of this process."""
WINDOW = Counter()
"""Where tables are looked at as they are now."""
SHELF = Counter(waiting=50)
"""Where past rounds and entries are read, which takes longer.

Both are for everybody, and so neither is where the server's own work is done: who keeps them busy holds up nobody who
signs in or deals, and no electronic tumbler.
"""
OFFICE = WorkerPool()
"""The back office of this process; it starts no other before it is needed."""
atexit.register(OFFICE.close)
