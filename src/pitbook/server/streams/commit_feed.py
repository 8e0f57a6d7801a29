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
    """By table."""

    entries: dict[str, list[Entry]]
    heads: dict[str, int]


class CommitFeed:
    """A letter box that wakes its loop once for all that comes until it is emptied."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = Lock()
        self._arrived = Committed({}, {})
        self._told = False

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        """Says which loop is woken; before that nothing is taken."""
        self._loop = loop

    def put(self, table: str, entries: Iterable[Entry]) -> None:
        """Entries of a table. From any thread."""
        with self._lock:
            self._arrived.entries.setdefault(table, []).extend(entries)
            self._tell()

    def put_head(self, table: str, sequence: int) -> None:
        """How far a table has come. From any thread."""
        with self._lock:
            self._arrived.heads[table] = max(sequence, self._arrived.heads.get(table, 0))
            self._tell()

    def take(self) -> Committed:
        """All of it."""
        with self._lock:
            arrived, self._arrived, self._told = self._arrived, Committed({}, {}), False
        return arrived

    def call(self, function: Callable[..., None], *values: Any) -> bool:
        """Has the loop call a function; False where it does not run any more."""
        if self._loop is not None:
            with suppress(RuntimeError):  # it is closed
                self._loop.call_soon_threadsafe(function, *values)
                return True
        return False

    def _tell(self) -> None:
        if not self._told:
            self._told = self.call(self._wake)
