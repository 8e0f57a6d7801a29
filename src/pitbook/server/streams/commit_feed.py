"""Hand committed entries from the journal's threads to the event loop."""

from __future__ import annotations

from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterable

    from pitbook.journal.entries import Entry


class Committed(NamedTuple):
    """Entries and heads by table."""

    entries: dict[str, list[Entry]]
    heads: dict[str, int]


class CommitFeed:
    """A queue that wakes its event loop once for everything that arrives until it is emptied."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = Lock()
        self._arrived = Committed({}, {})
        self._woken = False

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        """Set the loop to wake; nothing is delivered before."""
        self._loop = loop

    def put(self, table: str, entries: Iterable[Entry]) -> None:
        """Add entries of a table. Thread-safe."""
        with self._lock:
            self._arrived.entries.setdefault(table, []).extend(entries)
            self._wake_once()

    def put_head(self, table: str, sequence: int) -> None:
        """Add the head of a table. Thread-safe."""
        with self._lock:
            self._arrived.heads[table] = max(sequence, self._arrived.heads.get(table, 0))
            self._wake_once()

    def take(self) -> Committed:
        """Return and remove everything."""
        with self._lock:
            arrived, self._arrived, self._woken = self._arrived, Committed({}, {}), False
        return arrived

    def call(self, function: Callable[..., None], *values: Any) -> bool:
        """Have the loop call a function; return False if it is no longer running."""
        if self._loop is not None:
            with suppress(RuntimeError):  # it is closed
                self._loop.call_soon_threadsafe(function, *values)
                return True
        return False

    def _wake_once(self) -> None:
        if not self._woken:
            self._woken = self.call(self._wake)
