"""Learn of entries that other processes commit: by NOTIFY, and by polling the heads."""

from __future__ import annotations

import asyncio
import logging
from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from pitbook.server.streams.backfill import Backfill

log = logging.getLogger(__name__)


class HeadListener:
    """Listener to NOTIFY and poller of heads, for a journal with several writing processes."""

    def __init__(
        self, backfill: Backfill, tables: Collection[str], on_announcement: Callable[[str, int], None]
    ) -> None:
        self._backfill = backfill
        self._tables = tables
        self._on_announcement = on_announcement
        self._watch = getattr(backfill.store, "watch", None)
        self._closing = Event()
        self._polling: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start listening if there can be other processes."""
        if self._watch is not None:
            self._polling = asyncio.get_running_loop().create_task(self._poll())
            Thread(target=self._listen, name="streams-listen", daemon=True).start()

    async def close(self) -> None:
        """Stop listening, without waiting for the thread."""
        self._closing.set()
        if self._polling is not None:
            self._polling.cancel()
            await asyncio.wait((self._polling,))

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(self._backfill.limits.poll_seconds)
            if not self._tables:
                continue
            try:
                heads = await self._backfill.in_thread(self._backfill.store.heads)
            except Exception as error:
                log.warning("the heads of the tables cannot be read: %s", error)
                continue
            for table, head in heads.items():
                self._on_announcement(table, head.sequence)

    def _listen(self) -> None:
        assert self._watch is not None
        while not self._closing.is_set():
            try:
                for table, sequence in self._watch(self._backfill.limits.listen_seconds):
                    self._on_announcement(table, sequence)
                    if self._closing.is_set():
                        return
            except Exception as error:
                if not self._closing.wait(self._backfill.limits.poll_seconds):
                    log.warning("notifications from other processes are lost; polling instead: %s", error)
