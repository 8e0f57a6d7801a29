"""The live streams of a process: every watcher gets every entry of its table once and in order, from any sequence on.

Entries come from this process's journal threads (`committed`), from announcements of other processes
(`on_announcement`) and from polling the heads every second. Only the sequence matters: whatever is missing before it is
read from the journal.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, TypeAlias

from pitbook.server.streams.backfill import Backfill, Limits
from pitbook.server.streams.channels import Channel, UnknownTable
from pitbook.server.streams.commit_feed import CommitFeed
from pitbook.server.streams.notifications import HeadListener
from pitbook.server.streams.projections import PUBLIC, Viewer, frame
from pitbook.server.streams.watchers import Watcher

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Store
    from pitbook.server.streams.watchers import Send

__all__ = ["Hub", "Limits", "TooManyFromOneAddress", "TooManyStreams", "UnknownTable"]

BYE_FRAMES = tuple(b"retry: %d\n" % delay + frame("bye", {"retry": delay}) for delay in range(250, 2250, 250))
"""Last frames, with different delays, so that clients do not all reconnect at once."""


ViewerLookup: TypeAlias = Callable[[Any], Viewer | Awaitable[Viewer]]
"""Returns the viewer of a request's scope, whose `path_params` name the table; may raise a problem."""


STAFF_SHARE = 20
"""One in so many streams is reserved for staff."""


class TooManyStreams(Exception):
    """No more watchers are accepted."""


class TooManyFromOneAddress(Exception):
    """No more watchers are accepted from this address."""


class Hub:
    """The watched tables and their watchers."""

    def __init__(
        self,
        store: Store,
        views: Callable[[str], tuple[bytes, bytes]] | None = None,
        limits: Limits | None = None,
        *,
        find_viewer: ViewerLookup = lambda _: PUBLIC,
    ) -> None:
        self.limits = limits or Limits()
        self.watchers = 0
        self._find_viewer = find_viewer
        self._dropped = 0
        self._backfill = Backfill(store, views, self.limits)
        self._channels: dict[str, Channel] = {}
        self._all: dict[Watcher, str] = {}
        """Those who watch, with the address that each comes from."""
        self._places: Counter[str] = Counter()
        self._persons: defaultdict[str, set[Watcher]] = defaultdict(set)
        self._arrivals = CommitFeed(self._deliver)
        self._listening = HeadListener(self._backfill, self._channels, self.on_announcement)
        self.on_heard: list[Callable[[str], None]] = []
        """Called with the table whenever another process is heard, from any thread."""
        self._beating: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def dropped(self) -> int:
        """How many watchers were dropped as too slow since the start."""
        return self._dropped + sum(channel.dropped for channel in self._channels.values())

    # -- thread-safe

    def committed(self, entries: Mapping[str, tuple[Entry, ...]]) -> None:
        """Take in what this process has committed, by table."""
        for table, found in entries.items():
            if table in self._channels:
                self._arrivals.put(table, found)

    def on_announcement(self, table: str, sequence: int) -> None:
        """Take in a table's head, as another process announced it."""
        if table in self._channels:
            self._arrivals.put_head(table, sequence)
        for callback in self.on_heard:
            callback(table)

    def revalidate(self, person: str) -> None:
        """End a person's streams because their rights have changed; they reconnect with the new ones."""
        self._arrivals.call(self._end_person, person)

    # -- in the event loop

    def start(self) -> None:
        """Start heartbeats and, if several processes write, listening; call this in the event loop."""
        loop = asyncio.get_running_loop()
        self._arrivals.open(loop)
        self._beating = loop.create_task(self._beat())
        self._listening.start()

    async def close(self) -> None:
        """End every stream with a frame that says when to reconnect; call this before the server waits for them."""
        self._closed = True
        for watcher in list(self._all):
            watcher.end(random.choice(BYE_FRAMES))
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.wait((self._beating,))
        await self._listening.close()
        for channel in list(self._channels.values()):
            await channel.close()
        self._backfill.close()

    async def viewer(self, scope: Any) -> Viewer:
        """Return the viewer of a request."""
        found = self._find_viewer(scope)
        return await found if isawaitable(found) else found

    async def join(
        self, table: str, viewer: Viewer, send: Send, abort: Callable[[], None], address: str = ""
    ) -> Watcher:
        """Add a watcher, which may then `follow` its channel and must always `leave`.

        One address gets at most `per_address_max` streams, and half of all, so that it cannot keep everyone else out;
        the last ones are reserved for staff, who are not counted by address.
        """
        most = self.limits.watchers_max
        staff = viewer.staff or viewer.works
        if self._closed or self.watchers >= (most if staff else most - most // STAFF_SHARE):
            raise TooManyStreams
        if staff:
            address = ""
        elif address and self._places[address] >= min(self.limits.per_address_max, max(1, most // 2)):
            raise TooManyFromOneAddress
        channel = self._channels.get(table)
        if channel is None:
            channel = self._channels[table] = Channel(table, self._backfill)
        self.watchers += 1
        self._places[address] += 1
        channel.watchers += 1
        try:
            await channel.ready()
        except BaseException as error:
            self.watchers -= 1
            self._release_address(address)
            channel.watchers -= 1
            if isinstance(error, Exception) and self._channels.get(table) is channel:
                del self._channels[table]
            if self._closed:
                raise TooManyStreams from None
            raise
        watcher = Watcher(channel, viewer, send, abort, backlog_max=self.limits.backlog_max)
        self._all[watcher] = address
        if viewer.person is not None:
            self._persons[viewer.person].add(watcher)
        return watcher

    def leave(self, watcher: Watcher) -> None:
        """Remove a watcher that has gone."""
        watcher.disconnected()
        watcher.channel.leave(watcher)
        self.watchers -= 1
        self._release_address(self._all.pop(watcher, ""))
        person = watcher.viewer.person
        if person is not None:
            self._persons[person].discard(watcher)
            if not self._persons[person]:
                del self._persons[person]

    def _release_address(self, address: str) -> None:
        self._places[address] -= 1
        if not self._places[address]:
            del self._places[address]

    def _end_person(self, person: str) -> None:
        for watcher in list(self._persons.get(person, ())):
            watcher.end(BYE_FRAMES[0])

    def _deliver(self) -> None:
        """Pass what has arrived to the channels."""
        arrived = self._arrivals.take()
        if self._closed:
            return
        for table in {*arrived.entries, *arrived.heads}:
            channel = self._channels.get(table)
            if channel is not None:
                channel.add(arrived.entries.get(table, ()), arrived.heads.get(table, 0))

    async def _beat(self) -> None:
        """Send heartbeats with one timer for all channels."""
        while True:
            await asyncio.sleep(self.limits.heartbeat_seconds)
            for channel in list(self._channels.values()):
                if channel.idle:
                    self._dropped += channel.dropped
                    del self._channels[channel.table]
                else:
                    await channel.beat()
