"""A small connection pool for threads."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Closable(Protocol):
    def close(self) -> object:
        """Close the connection."""


C = TypeVar("C", bound=Closable)


class Pool(Generic[C]):
    """At most `size` connections; a thread waits up to `wait_seconds` for a free one."""

    def __init__(
        self,
        name: str,
        connect: Callable[[], C],
        unavailable: type[Exception],
        *,
        size: int,
        wait_seconds: float = 5,
    ) -> None:
        self._name = name
        self._connect = connect
        self._unavailable = unavailable
        self._slots = BoundedSemaphore(size)
        self._wait_seconds = wait_seconds
        self._idle: list[C] = []
        self._lock = Lock()
        self._closed = False

    @contextmanager
    def connection(self) -> Iterator[C]:
        """Lend a connection; close it if the caller raises."""
        if not self._slots.acquire(timeout=self._wait_seconds):
            raise self._unavailable(f"{self._name}: all connections are busy")
        try:
            connection = self._pop_idle() or self._connect()
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
            self._slots.release()

    def _pop_idle(self) -> C | None:
        with self._lock:
            if self._closed:
                raise self._unavailable(f"{self._name} was closed")
            return self._idle.pop() if self._idle else None

    def clear(self) -> None:
        """Close the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            with suppress(Exception):  # a failing disk may fail here, too
                connection.close()

    def close(self) -> None:
        """Close the idle connections now, and the others when they are returned."""
        with self._lock:
            self._closed = True
        self.clear()
