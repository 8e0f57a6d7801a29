"""A small connection pool for threads."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from pitbook.auth.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Closable(Protocol):
    def close(self) -> object:
        """Let go of it."""


C = TypeVar("C", bound=Closable)


class Pool(Generic[C]):
    """At most `most` connections; a thread that finds none free waits up to `wait_seconds` for one."""

    def __init__(self, name: str, make: Callable[[], C], *, most: int, wait_seconds: float = 5) -> None:
        self._name = name
        self._make = make
        self._places = BoundedSemaphore(most)
        self._wait_seconds = wait_seconds
        self._idle: list[C] = []
        self._lock = Lock()
        self._closed = False

    @contextmanager
    def one(self) -> Iterator[C]:
        """Lend a connection; close it if the caller raises."""
        if not self._places.acquire(timeout=self._wait_seconds):
            raise Unavailable(f"{self._name}: all connections are busy")
        try:
            connection = self._idle_one() or self._make()
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
            with self._lock:
                if not self._closed:
                    self._idle.append(connection)
                    return
            connection.close()
        finally:
            self._places.release()

    def _idle_one(self) -> C | None:
        with self._lock:
            if self._closed:
                raise Unavailable(f"{self._name} was closed")
            return self._idle.pop() if self._idle else None

    def clear(self) -> None:
        """Close the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            with suppress(Exception):  # a disk that fails may fail here, too
                connection.close()

    def close(self) -> None:
        """Close the idle connections now, and the others when they are given back."""
        with self._lock:
            self._closed = True
        self.clear()
