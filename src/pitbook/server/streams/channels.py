"""One table's stream: batches to all watchers, and missed entries to those who join."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from pitbook.server.streams.projections import frame
from pitbook.server.streams.ring_buffer import RingBuffer, join_frames
from pitbook.server.streams.watchers import DROPPED, Watcher

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable
    from typing import Any

    from pitbook.journal.entries import Entry
    from pitbook.server.streams.backfill import Backfill
    from pitbook.server.streams.ring_buffer import Batch

RETRY = b"retry: 1500\n\n"
HEARTBEAT = b": \n\n"

YIELD_EVERY = 200
"""After so many watchers other tasks get their turn."""

log = logging.getLogger(__name__)


class UnknownTable(Exception):
    """An attempt to watch a table that does not exist."""


class Channel:
    """A table that is being watched."""

    def __init__(self, table: str, backfill: Backfill) -> None:
        self.table = table
        self.watchers = 0
        """All who watch, those too who still read what was before."""
        self.dropped = 0
        """How many were too slow."""
        self.ring = RingBuffer(backfill.limits.ring_max, backfill.limits.ring_bytes_max)
        self._backfill = backfill
        self._live: dict[Watcher, None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sending = False
        self._updating_view: asyncio.Task[None] | None = None
        self._view: tuple[bytes, bytes] | None = None
        self._view_head = -1
        self._view_wanted = False
        self._silent = True
        """Whether nothing was sent since the last beat."""
        self._filled = self._run(self._fill())

    @property
    def idle(self) -> bool:
        """Whether nobody uses the channel."""
        return not self.watchers and not self._tasks

    async def ready(self) -> None:
        """Wait until recent entries have been read; raise `UnknownTable` if there are none."""
        await asyncio.shield(self._filled)

    def add(self, entries: Iterable[Entry], head: int = 0) -> None:
        """Take in entries that were committed here, and the head as others announced it."""
        self.ring.add(entries)
        self.ring.target = max(self.ring.target, head)
        self._start_sending()

    async def follow(self, watcher: Watcher, after: int | None) -> None:
        """Greet a watcher, send what it has missed, and let it follow."""
        ring = self.ring
        if self._view_head < ring.head:
            await asyncio.wait((self._start_view_update(),))
        if after is not None and after > ring.head:  # seen in a process that was ahead, or invalid
            committed = await self._backfill.head(self.table)
            after = min(after, committed)
            self.add((), committed)
        watcher.cursor = ring.head if after is None else after
        head = frame("head", {"table": self.table, "head": ring.head, "after": watcher.cursor})
        watcher.push(RETRY + head + (self._view[watcher.viewer.staff] if self._view else b""))
        while not watcher.over:
            if not await watcher.wait_flushed(self._backfill.limits.stall_seconds):
                self.drop(watcher)
            elif ring.covers(watcher.cursor):  # no await from here on: no gap, no duplicate
                missed = ring.since(watcher.cursor, watcher.viewer)
                watcher.cursor = max(watcher.cursor, ring.head)
                self._live[watcher] = None
                if missed:
                    watcher.push(missed)
                return
            else:
                page = await self._backfill.page(self.table, watcher.cursor)
                watcher.push(join_frames(page, watcher.viewer))
                watcher.cursor = page[-1].sequence

    def leave(self, watcher: Watcher) -> None:
        """Remove a watcher that has gone."""
        self.watchers -= 1
        self._live.pop(watcher, None)

    def drop(self, watcher: Watcher) -> None:
        """Drop a watcher that is too slow."""
        watcher.end(DROPPED)
        self._live.pop(watcher, None)
        self.dropped += 1

    async def beat(self) -> None:
        """Send a heartbeat to all if nothing else was sent; drop watchers that have stalled for too long."""
        stall_limit = asyncio.get_running_loop().time() - self._backfill.limits.stall_seconds
        for watcher in [one for one in self._live if one.stalled_at is not None and one.stalled_at < stall_limit]:
            self.drop(watcher)
        if self._silent:
            await self._broadcast(HEARTBEAT, HEARTBEAT)
        self._silent = True

    async def close(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- entries

    async def _fill(self) -> None:
        """Read recent entries; the channel is registered by now, so commits meanwhile arrive as well."""
        self.ring.extend(await self._backfill.latest(self.table))
        if not self.ring.head:
            raise UnknownTable(self.table)
        self._start_sending(filled=True)

    def _start_sending(self, *, filled: bool = False) -> None:
        if not self._sending and (filled or self._filled.done()):
            self._sending = True
            self._run(self._send_all())

    async def _send_all(self) -> None:
        """Send batch after batch until none is left."""
        ring = self.ring
        try:
            while True:
                batch = ring.next_batch()
                if batch is None:
                    if ring.target <= ring.head:
                        return
                    page = await self._backfill.page(self.table, ring.head)
                    batch = ring.extend(page)
                    if not page:
                        ring.target = ring.head  # announced, but not there
                if batch is not None:
                    await self._send(batch)
        except Exception as error:
            log.warning("the stream of table %r is delayed and will retry: %s", self.table, error)
            asyncio.get_running_loop().call_later(self._backfill.limits.poll_seconds, self._start_sending)
        finally:
            self._sending = False

    async def _send(self, batch: Batch) -> None:
        self._silent = False
        for place, watcher in enumerate(list(self._live), 1):
            if watcher.cursor < batch.last:
                frames = batch.frames(watcher.viewer, watcher.cursor)
                watcher.cursor = batch.last
                if not watcher.push(frames):
                    self.drop(watcher)
            if not place % YIELD_EVERY:
                await asyncio.sleep(0)
        if batch.moves and self._backfill.shows:
            self._view_wanted = True
            self._start_view_update()

    async def _broadcast(self, public: bytes, staff: bytes) -> None:
        for place, watcher in enumerate(list(self._live), 1):
            if not watcher.push(staff if watcher.viewer.staff else public):
                self.drop(watcher)
            if not place % YIELD_EVERY:
                await asyncio.sleep(0)

    # -- views

    def _start_view_update(self) -> asyncio.Task[None]:
        if self._updating_view is None:
            self._updating_view = self._run(self._update_view())
        return self._updating_view

    async def _update_view(self) -> None:
        """Read the table's view, and send the newest to the watchers if the step has changed."""
        try:
            while True:
                wanted, self._view_wanted = self._view_wanted, False
                head = self.ring.head
                self._view = await self._backfill.view(self.table)
                self._view_head = head
                if wanted and self._view:
                    await self._broadcast(*self._view)
                if not self._view_wanted:
                    return
        except Exception:
            log.exception("the view of table %r", self.table)
        finally:
            self._updating_view = None

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
