"""Read past entries for streams in separate threads, within limits."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pitbook.journal.entries import HOUSE
from pitbook.server.streams.projections import frame, project

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.journal.port import Store
    from pitbook.server.streams.projections import Projected

T = TypeVar("T")

READERS = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of streams."""

    watchers_max: int = 10_000
    per_address_max: int = 500
    """The most watchers from one address; staff are not counted."""
    backlog_max: int = 1 << 20
    """The bytes that may be queued for one watcher."""
    stall_seconds: float = 30
    """How long a watcher may read nothing."""
    heartbeat_seconds: float = 2
    poll_seconds: float = 1
    listen_seconds: float = 60
    ring_max: int = 2_000
    """The entries of a table that are kept for resuming watchers."""
    ring_bytes_max: int = 16 << 20
    ring_start: int = 500
    """How many of them are read for the first watcher."""
    page: int = 500
    """Entries that are read at once for watchers who resume from further back."""


class Backfill:
    """The journal, for watchers who resume from before the ring buffer."""

    def __init__(self, store: Store, views: Callable[[str], tuple[bytes, bytes]] | None, limits: Limits) -> None:
        self.store = store
        self.limits = limits
        self.shows = views is not None
        """Whether there is a view of the table to show."""
        self._views = views
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="streams")

    async def head(self, table: str) -> int:
        """Return the sequence of a table's last entry."""
        return await self.in_thread(lambda: self.store.head(table).sequence)

    async def latest(self, table: str) -> list[Projected]:
        """Return the last entries."""

        def read() -> list[Projected]:
            head = self.store.head(table).sequence
            return self._read(table, max(0, head - self.limits.ring_start), None)

        return await self.in_thread(read)

    async def page(self, table: str, after: int) -> list[Projected]:
        """Return a page of the entries that follow."""
        return await self.in_thread(lambda: self._read(table, after, self.limits.page))

    async def view(self, table: str) -> tuple[bytes, bytes] | None:
        """Return the table's view as frames for the public and the staff."""
        views = self._views
        if views is None or table == HOUSE:  # the house's own record has no view
            return None
        public, staff = await self.in_thread(lambda: views(table))
        return frame("view", public), frame("view", staff)

    async def in_thread(self, function: Callable[[], T]) -> T:
        """Call a function in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function)

    def close(self) -> None:
        """Stop the threads without waiting for readers."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _read(self, table: str, after: int, limit: int | None) -> list[Projected]:
        return [project(entry) for entry in self.store.entries(table, after, limit)]
