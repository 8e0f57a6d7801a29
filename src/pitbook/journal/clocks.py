"""The database's time without asking for it each time: processes that share a journal agree on when betting closes."""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from threading import Lock, Thread
from typing import TYPE_CHECKING

from pitbook.journal.troubles import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.journal.port import Store

REFRESH_SECONDS = 10.0

log = logging.getLogger(__name__)


class Clock:
    """Called, it tells the time, never an earlier one than before.

    How far the database's clock is from this machine's steady counter is measured at the start, and again in passing
    every ten seconds, in a thread of its own: nobody who asks for the time waits for the database.
    """

    def __init__(self, store: Store, *, steady: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._steady = steady
        self._lock = Lock()
        self._measuring = Lock()
        self._due = 0.0
        self._told: datetime | None = None
        self.refresh()

    def __call__(self) -> datetime:
        steady = self._steady()
        if steady >= self._due and self._measuring.acquire(blocking=False):
            self._due = steady + REFRESH_SECONDS
            Thread(target=self._refresh_in_passing, name="journal-clock", daemon=True).start()
        with self._lock:
            now = self._zero + timedelta(seconds=steady)
            if self._told is None or now > self._told:
                self._told = now
            return self._told

    def refresh(self) -> None:
        """Measure anew. Raises `Unavailable` where the database cannot be asked; the clock then goes on as it did."""
        before = self._steady()
        now = datetime.fromisoformat(self._store.now())
        after = self._steady()
        with self._lock:
            self._zero = now - timedelta(seconds=(before + after) / 2)
            self._due = after + REFRESH_SECONDS

    def _refresh_in_passing(self) -> None:
        try:
            self.refresh()
        except Unavailable as trouble:
            log.warning("the database's time cannot be read, the clock goes on by itself: %s", trouble)
        finally:
            self._measuring.release()
