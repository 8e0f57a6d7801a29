"""The worker pool: heavy work in separate processes, so that tables never wait for it."""

from __future__ import annotations

import asyncio
import atexit
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from pitbook.child_processes import ChildProcess, ProcessEnded
from pitbook.server.http.errors import Busy

if TYPE_CHECKING:
    from collections.abc import Callable

Found = TypeVar("Found")
WORKERS = 1
"""Processes at work at once, unless told otherwise; a small house has two cores for everything."""
MOST_WAITING = 24
NICE = 5
"""Tables come first."""
IDLE = 300.0
"""Seconds after which a process without work ends."""
SECONDS = 20.0
"""The longest that one piece of work may take, unless told otherwise."""


class Worker:
    """A child process, started when it is first needed and again after it was lost."""

    def __init__(self) -> None:
        self._child: ChildProcess | None = None
        self._at_work = threading.Lock()
        self._closed = False

    def work(self, seconds: float, function: Callable[..., bytes], *arguments: Any) -> bytes:
        """Return what a function returns there. Its first argument is a dict that lasts as long as the process."""
        with self._at_work:
            try:
                return self._attempt(seconds, function, arguments)
            except ProcessEnded:  # it ended while it was idle, or was killed: try once more with a new one
                self._dismiss()
            try:
                return self._attempt(seconds, function, arguments)
            except ProcessEnded:
                self._dismiss()
                raise Busy("the process that worked on this was lost; ask for less at once") from None

    def _attempt(self, seconds: float, function: Callable[..., bytes], arguments: tuple[Any, ...]) -> bytes:
        if self._closed:
            raise Busy("the server is about to end; ask again in a moment")
        if self._child is None or not self._child.running:
            self._dismiss()
            self._child = ChildProcess("pitbook worker", nice=NICE, idle_seconds=IDLE)
        try:
            self._child.send(function, *arguments, memory=True)
            found: bytes = self._child.receive(seconds)
        except TimeoutError:
            self._dismiss()
            raise Busy(f"this took longer than {seconds:g} seconds and was ended; ask for less at once") from None
        return found

    def close(self) -> None:
        """End the process for good; whoever waits for its work gets an error."""
        self._closed = True
        child = self._child
        if child is not None:
            child.kill()
        with self._at_work:
            self._dismiss()

    def _dismiss(self) -> None:
        if self._child is not None:
            self._child.close()
        self._child = None


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
        """Return what a function returns in a worker, which hands it a dict that lasts as long as the process."""
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
