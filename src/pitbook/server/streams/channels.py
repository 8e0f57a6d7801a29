"""One table's live flow: batch after batch to all who watch, and what they have missed to those who come."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from pitbook.server.streams.projections import frame
from pitbook.server.streams.ring_buffer import RingBuffer, joined
from pitbook.server.streams.watchers import DROPPED, Watcher

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable
    from typing import Any

    from pitbook.journal.entries import Entry
    from pitbook.server.streams.backfill import Backfill
    from pitbook.server.streams.ring_buffer import Batch

RETRY = b"retry: 1500\n\n"
HEARTBEAT = b": \n\n"

STRIDE = 200
"""After so many watchers the others who wait for this process have their turn."""

log = logging.getLogger(__name__)


class UnknownTable(Exception):
    """There is no such table to watch."""


class Channel:
    """A table that somebody watches."""

    def __init__(self, table: str, past: Backfill) -> None:
        self.table = table
        self.watchers = 0
        """All who watch, those too who still read what was before."""
        self.dropped = 0
        """How many were too slow."""
        self.ring = RingBuffer(past.limits.ring_max, past.limits.ring_bytes_max)
        self._past = past
        self._live: dict[Watcher, None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._flowing = False
        self._looking: asyncio.Task[None] | None = None
        self._view: tuple[bytes, bytes] | None = None
        self._view_head = -1
        self._view_wanted = False
        self._filled = self._run(self._fill())

    @property
    def idle(self) -> bool:
        """Whether it is of no use at present."""
        return not self.watchers and not self._tasks

    async def ready(self) -> None:
        """Waits until the entries of late have been read. Raises `UnknownTable` where there are none."""
        await asyncio.shield(self._filled)

    def add(self, entries: Iterable[Entry], head: int = 0) -> None:
        """Entries that were committed here, and how far others have come."""
        self.ring.add(entries)
        self.ring.target = max(self.ring.target, head)
        self._flow()

    async def follow(self, watcher: Watcher, after: int | None) -> None:
        """Greets a watcher, sends what it has missed, and has it follow what comes."""
        ring = self.ring
        if self._view_head < ring.head:
            await asyncio.wait((self._look(),))
        if after is not None and after > ring.head:  # seen at a process that was ahead, or never
            committed = await self._past.head(self.table)
            after = min(after, committed)
            self.add((), committed)
        watcher.cursor = ring.head if after is None else after
        head = frame("head", {"table": self.table, "head": ring.head, "after": watcher.cursor})
        watcher.push(RETRY + head + (self._view[watcher.viewer.staff] if self._view else b""))
        while not watcher.over:
            if not await watcher.flushed(self._past.limits.stall_seconds):
                self.drop(watcher)
            elif ring.covers(watcher.cursor):  # from here to the end nobody else has a turn: no gap, nothing twice
                missed = ring.since(watcher.cursor, watcher.viewer)
                watcher.cursor = max(watcher.cursor, ring.head)
                self._live[watcher] = None
                if missed:
                    watcher.push(missed)
                return
            else:
                page = await self._past.page(self.table, watcher.cursor)
                watcher.push(joined(page, watcher.viewer))
                watcher.cursor = page[-1].sequence

    def leave(self, watcher: Watcher) -> None:
        """A watcher has gone."""
        self.watchers -= 1
        self._live.pop(watcher, None)

    def drop(self, watcher: Watcher) -> None:
        """A watcher is too slow."""
        watcher.end(DROPPED)
        self._live.pop(watcher, None)
        self.dropped += 1

    async def beat(self) -> None:
        """A sign of life to all; who has taken nothing for long is dropped."""
        long_ago = asyncio.get_running_loop().time() - self._past.limits.stall_seconds
        for watcher in [one for one in self._live if one.stalled_at is not None and one.stalled_at < long_ago]:
            self.drop(watcher)
        await self._spread(HEARTBEAT, HEARTBEAT)

    async def close(self) -> None:
        """Nothing more flows."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- entries

    async def _fill(self) -> None:
        """The entries of late. The channel is known by now: what is committed meanwhile arrives as well."""
        self.ring.extend(await self._past.latest(self.table))
        if not self.ring.head:
            raise UnknownTable(self.table)
        self._flow(filled=True)

    def _flow(self, *, filled: bool = False) -> None:
        if not self._flowing and (filled or self._filled.done()):
            self._flowing = True
            self._run(self._send_all())

    async def _send_all(self) -> None:
        """Sends batch after batch, until there is none."""
        ring = self.ring
        try:
            while True:
                batch = ring.next_batch()
                if batch is None:
                    if ring.target <= ring.head:
                        return
                    page = await self._past.page(self.table, ring.head)
                    batch = ring.extend(page)
                    if not page:
                        ring.target = ring.head  # told of what is not there
                if batch is not None:
                    await self._send(batch)
        except Exception as error:
            log.warning("the stream of table %r is held up, and tries again: %s", self.table, error)
            asyncio.get_running_loop().call_later(self._past.limits.poll_seconds, self._flow)
        finally:
            self._flowing = False

    async def _send(self, batch: Batch) -> None:
        for place, watcher in enumerate(list(self._live), 1):
            if watcher.cursor < batch.last:
                frames = batch.frames(watcher.viewer, watcher.cursor)
                watcher.cursor = batch.last
                if not watcher.push(frames):
                    self.drop(watcher)
            if not place % STRIDE:
                await asyncio.sleep(0)
        if batch.moves and self._past.shows:
            self._view_wanted = True
            self._look()

    async def _spread(self, public: bytes, staff: bytes) -> None:
        for place, watcher in enumerate(list(self._live), 1):
            if not watcher.push(staff if watcher.viewer.staff else public):
                self.drop(watcher)
            if not place % STRIDE:
                await asyncio.sleep(0)

    # -- what the table shows

    def _look(self) -> asyncio.Task[None]:
        if self._looking is None:
            self._looking = self._run(self._show())
        return self._looking

    async def _show(self) -> None:
        """Finds out what the table shows, and shows it to the watchers where its step moved; the newest only."""
        try:
            while True:
                wanted, self._view_wanted = self._view_wanted, False
                head = self.ring.head
                self._view = await self._past.view(self.table)
                self._view_head = head
                if wanted and self._view:
                    await self._spread(*self._view)
                if not self._view_wanted:
                    return
        except Exception:
            log.exception("the view of table %r", self.table)
        finally:
            self._looking = None

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
