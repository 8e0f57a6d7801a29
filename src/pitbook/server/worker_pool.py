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

Result = TypeVar("Result")
WORKERS = 1
"""Concurrent processes by default; a small house has two cores for everything."""
WAITING_MAX = 24
NICE = 5
"""Below the priority of tables."""
IDLE_SECONDS = 300.0
"""After so long without work a process ends."""
WORK_SECONDS = 20.0
"""The processor time that one call may use by default; on a busy machine it takes longer."""
SLOWDOWN_MAX = 15
"""A call that takes this many times its processor time is ended, too: it waits for something."""


class Worker:
    """A child process, started when it is first needed and again after it was lost."""

    def __init__(self) -> None:
        self._child: ChildProcess | None = None
        self._busy = threading.Lock()
        self._closed = False

    def work(self, seconds: float, function: Callable[..., bytes], *arguments: Any) -> bytes:
        """Return what a function returns there. Its first argument is a dict that lasts as long as the process."""
        with self._busy:
            try:
                return self._attempt(seconds, function, arguments)
            except ProcessEnded:  # it ended while idle, or was killed: try once more
                self._discard()
            try:
                return self._attempt(seconds, function, arguments)
            except ProcessEnded:
                self._discard()
                raise Busy("server.worker-lost") from None

    def _attempt(self, seconds: float, function: Callable[..., bytes], arguments: tuple[Any, ...]) -> bytes:
        if self._closed:
            raise Busy("server.stopping")
        if self._child is None or not self._child.running:
            self._discard()
            self._child = ChildProcess("pitbook worker", nice=NICE, idle_seconds=IDLE_SECONDS)
        try:
            self._child.send(function, *arguments, memory=True, cpu_seconds=seconds)
            found: bytes = self._child.receive(seconds * SLOWDOWN_MAX)
        except TimeoutError:
            self._discard()
            raise Busy("server.too-slow", seconds=f"{seconds:g}") from None
        return found

    def close(self) -> None:
        """Kill the process permanently; pending calls fail."""
        self._closed = True
        child = self._child
        if child is not None:
            child.kill()
        with self._busy:
            self._discard()

    def _discard(self) -> None:
        if self._child is not None:
            self._child.close()
        self._child = None


class WorkerPool:
    """A few workers with a bounded queue."""

    def __init__(self, workers: int = WORKERS, waiting: int = WAITING_MAX) -> None:
        self.calls_max = workers + waiting
        self._count = workers
        self._calls = 0
        self._threads: ThreadPoolExecutor | None = None
        self._workers: list[Worker] = []
        self._own = threading.local()
        self._guard = threading.Lock()

    async def work(self, function: Callable[..., bytes], *arguments: Any, seconds: float = WORK_SECONDS) -> bytes:
        """Return what a function returns in a worker, which hands it a dict that lasts as long as the process."""
        if self._calls >= self.calls_max:
            raise Busy("server.queue-full", count=self._calls)
        self._calls += 1
        try:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="back office")
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._call, seconds, function, arguments)
        finally:
            self._calls -= 1

    def _call(self, seconds: float, function: Callable[..., bytes], arguments: tuple[Any, ...]) -> bytes:
        worker = getattr(self._own, "worker", None)
        if worker is None:
            worker = self._own.worker = Worker()
            with self._guard:
                self._workers.append(worker)
        found: bytes = worker.work(seconds, function, *arguments)
        return found

    def close(self) -> None:
        """End all processes; the next call starts new ones."""
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown(wait=False, cancel_futures=True)
        with self._guard:
            workers, self._workers, self._own = self._workers, [], threading.local()
        for worker in workers:
            worker.close()


class ThreadQueue:
    """Quick work in one thread beside the event loop; more threads would only share its interpreter."""

    def __init__(self, waiting: int = 200) -> None:
        self.calls_max = waiting
        self._calls = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="counter")

    async def work(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Return the result of a function called in the thread."""
        if self._calls >= self.calls_max:
            raise Busy("server.queue-full", count=self._calls)
        self._calls += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)
        finally:
            self._calls -= 1


QUICK_QUERIES = ThreadQueue()
"""For questions about books."""
TABLE_QUERIES = ThreadQueue()
"""For the current state of tables."""
HISTORY_QUERIES = ThreadQueue(waiting=50)
"""For past rounds and entries, which takes longer.

These queues serve the public. The server's own work is never done here, so that a flood of queries delays nobody who
signs in or deals, and no electronic tumbler.
"""
WORKER_POOL = WorkerPool()
"""The worker processes of this process; none is started before it is needed."""
atexit.register(WORKER_POOL.close)
