"""The monitor follows every table's record to keep fairness, hold and alarms up to date.

What he knows of a table is a fold over its entries, kept by sequence. At the start he reads the whole record, in a
thread of his own and with pauses; from then on what this process commits (`committed`), and what others do by a
look at the heads. Who asks for a table gets it up to its last entry.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Literal, NamedTuple

from pitbook.errors import InputError
from pitbook.house.cash_book import CashBook
from pitbook.house.dice_record import DiceRecord
from pitbook.house.hold import HoldBook
from pitbook.house.records import what_of
from pitbook.journal.entries import GENESIS, HOUSE
from pitbook.journal.errors import Broken, Damaged
from pitbook.journal.port import Head
from pitbook.server.http.errors import Busy
from pitbook.table import events as e

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pitbook.house.books import HouseBooks
    from pitbook.house.dice_record import Alarm
    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Store
    from pitbook.server.http.metrics import Metrics

log = logging.getLogger(__name__)

CHUNK = 500
"""Entries between two pauses."""
POLL_SECONDS = 5.0
TABLES_SECONDS = 60.0
"""How often a look is taken at what tables there are."""
LATE_MAX = 20_000
"""So many entries are read for somebody who waits."""
LOST_MAX = 200


WatchedPart = Literal["dice", "hold", "money", "tumbler"]
"""What he follows of a table, each by itself."""


class LostSeed(NamedTuple):
    """A seed that was committed to, and will never be revealed."""

    round: int
    at: str
    sequence: int
    words: str


class Record:
    """What is known of one table, after the entry at its head."""

    def __init__(self, table: str, books: HouseBooks) -> None:
        self.table = table
        self.head = Head(0, GENESIS)
        self.dice = DiceRecord(books)
        self.hold = HoldBook(table, books)
        self.cash = CashBook()
        self.failed: tuple[str, str] | None = None
        """Since when, and why, the electronic tumbler has failed."""
        self.lost: list[LostSeed] = []
        self.troubles: dict[WatchedPart, str] = {}
        """What could not be followed any further, and why."""
        self.guard = Lock()
        self._round = 0
        self._parts: tuple[tuple[WatchedPart, Callable[[Entry], None]], ...] = (
            ("dice", self.dice.apply),
            ("hold", self.hold.apply),
            ("money", self.cash.apply),
            ("tumbler", self._tumbler),
        )

    def apply(self, entry: Entry) -> None:
        """The next entry. A part that cannot follow is left where it is, and says so."""
        self.head = Head(entry.sequence, entry.hash)
        for name, follow in self._parts:
            if name in self.troubles:
                continue
            try:
                follow(entry)
            except Exception as error:
                why = f"entry {entry.sequence}: {' '.join(str(error).split()) or type(error).__name__}"
                self.troubles[name] = why
                told = isinstance(error, InputError)  # a damaged record, which needs no traceback
                log.error("the %s of table %s cannot be followed: %s", name, self.table, why, exc_info=not told)

    def _tumbler(self, entry: Entry) -> None:
        if entry.kind not in ("SeedCommitted", "TumblerFailed", "TumblerRepaired"):
            return
        match what_of(entry):
            case e.SeedCommitted(round=number):
                self._round = number
            case e.TumblerFailed(words=words, lost=lost):
                self.failed = entry.at, words
                if lost:
                    self.lost = [*self.lost, LostSeed(self._round, entry.at, entry.sequence, words)][-LOST_MAX:]
            case _:
                self.failed = None


class Monitor:
    """The records of all tables, brought up to date in a thread of his own."""

    def __init__(self, store: Store, books: HouseBooks, metrics: Metrics | None = None) -> None:
        self._store = store
        self._books = books
        self._metrics = metrics
        self._records: dict[str, Record] = {}
        self._raised: dict[str, tuple[Alarm, ...]] = {}
        self._waiting: set[str] = set()
        self._guard = Lock()
        self._wake = Event()
        self._closed = False
        self._thread: Thread | None = None
        self.complete = False
        """Whether every table has been read to its end once."""

    # -- from any thread

    def committed(self, entries: Mapping[str, object]) -> None:
        """Tables that have new entries."""
        with self._guard:
            self._waiting.update(name for name in entries if name != HOUSE)
        self._wake.set()

    def record(self, table: str) -> Record | None:
        """A table's record up to its last entry; None where it has none. It reads, so not in the event loop.

        `Busy` where that would take too long: after a start, or at a table that was never asked for.
        """
        head = self._store.head(table)
        if table == HOUSE or not head.sequence:
            return None
        record = self._catch_up(table, pause=False, most=LATE_MAX)
        if record.head.sequence < head.sequence:
            read = f"{record.head.sequence:,} of {head.sequence:,} entries"
            raise Busy(f"the record of {table} is being read, {read} so far; ask again in a moment")
        return record

    def records(self) -> list[Record]:
        """All that are followed, as far as they have come; nothing is read."""
        with self._guard:
            return [self._records[name] for name in sorted(self._records)]

    @property
    def running(self) -> bool:
        """Whether he follows by himself."""
        return self._thread is not None

    def catch_up(self) -> None:
        """Read every known table to its end; where nobody follows, all that there are. Not in the event loop."""
        known = [record.table for record in self.records()] if self.running else self._store.names()
        for name in known:
            if name != HOUSE:
                with suppress(Broken, Damaged):  # the house has disabled such a table
                    self._catch_up(name, pause=False)
        self.complete = True

    def start(self) -> None:
        """Begin to follow."""
        if self._thread is None:
            self._thread = Thread(target=self._run, name="monitor", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Follow no more."""
        self._closed = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(5)

    # -- the thread

    def _run(self) -> None:
        looked = -TABLES_SECONDS
        others = hasattr(self._store, "watch")
        while not self._closed:
            try:
                if time.monotonic() - looked >= TABLES_SECONDS:
                    looked = time.monotonic()
                    self._all(self._store.names())
                    self.complete = True
                elif others:
                    self._all(name for name in list(self._records))
                self._all(self._taken())
            except Exception as error:
                if self._closed:
                    return
                log.warning("the tables' records cannot be read now: %s", error)
            self._wake.wait(POLL_SECONDS if others else TABLES_SECONDS)
            if not self._closed:
                time.sleep(0.05)  # what comes at once is read at once
            self._wake.clear()

    def _taken(self) -> set[str]:
        with self._guard:
            waiting, self._waiting = self._waiting, set()
        return waiting

    def _all(self, tables: Iterable[str]) -> None:
        for name in tables:
            if self._closed:
                return
            if name != HOUSE:
                try:
                    self._catch_up(name, pause=True)
                except (Broken, Damaged) as damage:  # that table alone; the others are followed
                    log.warning("the record of table %s cannot be followed: %s", name, damage)

    def _catch_up(self, table: str, *, pause: bool, most: int | None = None) -> Record:
        done = 0
        while True:
            with self._guard:
                record = self._records.setdefault(table, Record(table, self._books))
            with record.guard:
                begun = time.perf_counter()
                entries = list(self._store.entries(table, record.head.sequence, CHUNK))
                if not self._continues(record, entries):
                    with self._guard:  # the journal was restored from elsewhere
                        self._records[table] = Record(table, self._books)
                    continue
                for entry in entries:
                    record.apply(entry)
                if entries:
                    self._look(record)
            done += len(entries)
            if len(entries) < CHUNK or self._closed or (most is not None and done >= most):
                return record
            if pause:
                time.sleep(min(0.1, time.perf_counter() - begun))  # tables come first

    def _continues(self, record: Record, entries: list[Entry]) -> bool:
        if entries:
            return entries[0].before == record.head.hash
        return self._store.head(record.table) == record.head

    def _look(self, record: Record) -> None:
        """Tell of alarms that are new."""
        now = tuple(record.dice.alarms.values())
        before = self._raised.get(record.table, ())
        if now == before:
            return
        self._raised[record.table] = now
        if self._metrics is not None:
            self._metrics.alarms.labels(record.table).set(len(now))
        for alarm in now:
            if alarm not in before:
                log.warning(
                    "fairness alarm at table %s: dice set %s, throw %d, %s",
                    *(record.table, alarm.set, alarm.throw, alarm.at),
                )
