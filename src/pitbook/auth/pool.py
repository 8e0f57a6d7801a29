"""A small connection pool for threads."""

from __future__ import annotations

from contextlib import contextmanager
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
    """At most so many connections; who finds none free waits for one, but not for ever."""

    def __init__(
        self, name: str, make: Callable[[], C], alive: Callable[[C], bool], *, most: int, wait_seconds: float = 5
    ) -> None:
        self._name = name
        self._make = make
        self._alive = alive
        self._places = BoundedSemaphore(most)
        self._wait_seconds = wait_seconds
        self._idle: list[C] = []
        self._lock = Lock()
        self._closed = False

    @contextmanager
    def one(self) -> Iterator[C]:
        """A connection for a moment; it is given up where anything was raised."""
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
        while True:
            with self._lock:
                if self._closed:
                    raise Unavailable(f"{self._name} was closed")
                connection = self._idle.pop() if self._idle else None
            if connection is None or self._alive(connection):
                return connection
            connection.close()

    def clear(self) -> None:
        """Give up what is idle now."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def close(self) -> None:
        """Close what is idle now, and the others when they come back."""
        with self._lock:
            self._closed = True
        self.clear()
