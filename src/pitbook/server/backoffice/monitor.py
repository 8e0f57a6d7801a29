"""Follow every table's record to keep fairness, hold and alarms up to date.

What is known of a table is a fold over its entries. After a start the monitor reads whole records in a separate
thread, with pauses; then it follows the commits of this process (`committed`), and polls for those of others. A query
for a table reads up to its last entry.
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
from pitbook.house.records import read_outcome
from pitbook.journal.entries import GENESIS, HOUSE
from pitbook.journal.errors import Broken, Damaged
from pitbook.journal.port import Head
from pitbook.messages import compose
from pitbook.server.http.errors import Busy
from pitbook.table import events as e

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

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
"""How often the list of tables is read."""
LATE_MAX = 20_000
"""The most entries that are read while a caller waits."""
LOST_MAX = 200
WAITING_MAX = 5_000
"""The most entries of a table that wait to be applied; if there are more, they are read from the journal."""


WatchedPart = Literal["dice", "hold", "money", "tumbler"]
"""The parts of a record, followed independently."""


class LostSeed(NamedTuple):
    """A seed that was committed to and will never be revealed."""

    round: int
    at: str
    sequence: int
    words: str


class Record:
    """The monitor's state of one table, up to its head."""

    def __init__(self, table: str, books: HouseBooks) -> None:
        self.table = table
        self.head = Head(0, GENESIS)
        self.dice = DiceRecord(books)
        self.hold = HoldBook(table, books)
        self.cash = CashBook()
        self.failed: tuple[str, str] | None = None
        """The time and reason of the electronic tumbler's failure."""
        self.lost: list[LostSeed] = []
        self.troubles: dict[WatchedPart, str] = {}
        """The parts that could not be followed any further, with the reason."""
        self.guard = Lock()
        self._round = 0
        self._parts: tuple[tuple[WatchedPart, Callable[[Entry], None]], ...] = (
            ("dice", self.dice.apply),
            ("hold", self.hold.apply),
            ("money", self.cash.apply),
            ("tumbler", self._apply_tumbler),
        )

    def apply(self, entry: Entry) -> None:
        """Apply the next entry; a part that fails stays where it is and keeps the reason."""
        self.head = Head(entry.sequence, entry.hash)
        for name, follow in self._parts:
            if name in self.troubles:
                continue
            try:
                follow(entry)
            except Exception as error:
                why = f"entry {entry.sequence}: {' '.join(str(error).split()) or type(error).__name__}"
                self.troubles[name] = why
                expected = isinstance(error, InputError)  # a damaged record, which needs no traceback
                log.error("the %s of table %s cannot be followed: %s", name, self.table, why, exc_info=not expected)

    def _apply_tumbler(self, entry: Entry) -> None:
        if entry.kind not in ("SeedCommitted", "TumblerFailed", "TumblerRepaired"):
            return
        match read_outcome(entry):
            case e.SeedCommitted(round=number):
                self._round = number
            case e.TumblerFailed(words=words, lost=lost):
                self.failed = entry.at, words
                if lost:
                    self.lost = [*self.lost, LostSeed(self._round, entry.at, entry.sequence, words)][-LOST_MAX:]
            case _:
                self.failed = None


class Monitor:
    """The records of all tables, kept up to date by a thread."""

    def __init__(self, store: Store, books: HouseBooks, metrics: Metrics | None = None) -> None:
        self._store = store
        self._books = books
        self._metrics = metrics
        self._records: dict[str, Record] = {}
        self._raised: dict[str, tuple[Alarm, ...]] = {}
        self._waiting: dict[str, list[Entry]] = {}
        """Tables with new entries, and those entries; none if there were too many to keep."""
        self._guard = Lock()
        self._wake = Event()
        self._closed = False
        self._thread: Thread | None = None
        self.complete = False
        """Whether every table has been read to its end once."""

    # -- thread-safe

    def committed(self, entries: Mapping[str, Sequence[Entry]]) -> None:
        """Keep new entries until the thread applies them: it need not read them again."""
        with self._guard:
            for name, found in entries.items():
                if name != HOUSE:
                    waiting = self._waiting.setdefault(name, [])
                    waiting += found
                    if len(waiting) > WAITING_MAX:
                        waiting.clear()
        self._wake.set()

    def record(self, table: str) -> Record | None:
        """Return a table's record up to its last entry, or None; reads the journal, so not in the event loop.

        Raise `Busy` if that would take too long, as after a start.
        """
        head = self._store.head(table)
        if table == HOUSE or not head.sequence:
            return None
        record = self._catch_up(table, pause=False, limit=LATE_MAX)
        if record.head.sequence < head.sequence:
            read = compose("errors.server.entries-read", read=f"{record.head.sequence:,}", total=f"{head.sequence:,}")
            raise Busy("server.record-being-read", table=table, read=read)
        return record

    def records(self) -> list[Record]:
        """Return the records as far as they have been read."""
        with self._guard:
            return [self._records[name] for name in sorted(self._records)]

    @property
    def running(self) -> bool:
        """Whether the thread is running."""
        return self._thread is not None

    def catch_up(self) -> None:
        """Read every known table to its end; without the thread, all tables. Not in the event loop."""
        known = [record.table for record in self.records()] if self.running else self._store.names()
        for name in known:
            if name != HOUSE:
                with suppress(Broken, Damaged):  # the house has disabled such a table
                    self._catch_up(name, pause=False)
        self.complete = True

    def start(self) -> None:
        if self._thread is None:
            self._thread = Thread(target=self._run, name="monitor", daemon=True)
            self._thread.start()

    def close(self) -> None:
        self._closed = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(5)

    # -- the thread

    def _run(self) -> None:
        checked = -TABLES_SECONDS
        others = hasattr(self._store, "watch")
        while not self._closed:
            try:
                if time.monotonic() - checked >= TABLES_SECONDS:
                    checked = time.monotonic()
                    self._catch_up_all(self._store.names())
                    self.complete = True
                elif others:
                    self._catch_up_all(name for name in list(self._records))
                for name, entries in self._take_waiting().items():
                    self._apply(name, entries)
                    self._catch_up_all((name,))
            except Exception as error:
                if self._closed:
                    return
                log.warning("the tables' records cannot be read at the moment: %s", error)
            self._wake.wait(POLL_SECONDS if others else TABLES_SECONDS)
            if not self._closed:
                time.sleep(0.05)  # collect entries that arrive together
            self._wake.clear()

    def _take_waiting(self) -> dict[str, list[Entry]]:
        with self._guard:
            waiting, self._waiting = self._waiting, {}
        return waiting

    def _apply(self, table: str, entries: Sequence[Entry]) -> None:
        """Apply what this process has committed, if it continues a table's record."""
        with self._guard:
            record = self._records.get(table)
        if record is None:
            return
        with record.guard:
            for entry in entries:
                if entry.before == record.head.hash:
                    record.apply(entry)
            self._report_alarms(record)

    def _catch_up_all(self, tables: Iterable[str]) -> None:
        for name in tables:
            if self._closed:
                return
            if name != HOUSE:
                try:
                    self._catch_up(name, pause=True)
                except (Broken, Damaged) as damage:  # only this table; the others continue
                    log.warning("the record of table %s cannot be followed: %s", name, damage)

    def _catch_up(self, table: str, *, pause: bool, limit: int | None = None) -> Record:
        done = 0
        while True:
            with self._guard:
                record = self._records.setdefault(table, Record(table, self._books))
            with record.guard:
                started = time.perf_counter()
                entries = list(self._store.entries(table, record.head.sequence, CHUNK))
                if not self._continues(record, entries):
                    with self._guard:  # the journal was restored from a backup
                        self._records[table] = Record(table, self._books)
                    continue
                for entry in entries:
                    record.apply(entry)
                if entries:
                    self._report_alarms(record)
            done += len(entries)
            if len(entries) < CHUNK or self._closed or (limit is not None and done >= limit):
                return record
            if pause:
                time.sleep(min(0.1, time.perf_counter() - started))  # leave processor time to the tables

    def _continues(self, record: Record, entries: list[Entry]) -> bool:
        if entries:
            return entries[0].before == record.head.hash
        return self._store.head(record.table) == record.head

    def _report_alarms(self, record: Record) -> None:
        """Log and count new alarms."""
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
