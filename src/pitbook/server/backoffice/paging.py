"""Page through a table's journal without reading it from the beginning for every page.

Sentences need the table's state before an entry. States are therefore kept as bookmarks: at even distances, which
grow with the record, and at the ends of the pages that were read last. A page starts from the nearest one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from pitbook.house.codec import domain, evolve_entry
from pitbook.house.records import NO_EVENTS, RecordedEntry, read_outcome
from pitbook.house.transcript import describe_entry
from pitbook.journal import snapshots
from pitbook.journal.chain import verify
from pitbook.journal.entries import GENESIS, HOUSE
from pitbook.journal.port import Head
from pitbook.server.http.errors import Busy
from pitbook.table import events as e
from pitbook.table.people import Person
from pitbook.table.refusals import Refusal
from pitbook.table.state import Table
from pitbook.table.transcript import Occurrence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pitbook.house.books import HouseBooks
    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Reader
    from pitbook.messages import Sentence
    from pitbook.table.state import Bet

FOLD_MAX = 60_000
"""The most entries that are folded for one request; the next request continues from there."""
STRIDE = 1_000
EVENLY_MAX = 48
"""The most bookmarks at even distances for a table; then every second one is dropped."""
RECENT_MAX = 32
"""The most ends of pages, over all tables."""
TABLES_MAX = 64


class Bookmark(NamedTuple):
    """A table's state after an entry."""

    head: Head
    state: Table


class PagePosition(NamedTuple):
    """An entry, its round (none in the house's own record), and its sentences."""

    entry: Entry
    round: int | None
    says: list[Sentence]
    after: Table | None = None
    """The table after it; none in the house's own record."""
    bets: Sequence[Bet] = ()
    """The bets that it refers to, as they were before."""


class _EvenBookmarks:
    """One table's bookmarks at even distances."""

    def __init__(self, start: Table) -> None:
        self.stride = STRIDE
        self.marks: dict[int, Bookmark] = {0: Bookmark(Head(0, GENESIS), start)}

    def nearest(self, after: int) -> Bookmark:
        places = sorted(self.marks)
        return self.marks[places[bisect_right(places, after) - 1]]

    def put(self, mark: Bookmark) -> None:
        if mark.head.sequence % self.stride:
            return
        self.marks[mark.head.sequence] = mark
        if len(self.marks) > EVENLY_MAX:
            self.stride *= 2
            self.marks = {place: one for place, one in self.marks.items() if place % self.stride == 0}


class JournalPager:
    """Pages of all tables; reads the journal, so call it in a thread."""

    def __init__(self, reader: Reader, books: HouseBooks) -> None:
        self._reader = reader
        self._books = books
        self._load = domain(books).load
        self._evenly: OrderedDict[str, _EvenBookmarks] = OrderedDict()
        self._recent: OrderedDict[tuple[str, int], Bookmark] = OrderedDict()
        self._guard = Lock()
        self.folded = 0
        """Entries that were folded only to get to a page, since the start."""

    def read(self, table: str, after: int, until: int) -> Iterator[PagePosition]:
        """Yield entries in a range with their sentences; raise `Broken` where the chain is broken."""
        if table == HOUSE:
            before = self._hash_at(table, after)
            for entry in self._reader.entries(table, after, until - after):
                before = verify((entry,), table, before)
                yield PagePosition(entry, None, describe_entry(entry))
            return
        mark = self._state_after(table, after)
        try:
            for entry in self._reader.entries(table, after, until - after):
                recorded = _record_entry(mark, entry)
                mark = Bookmark(verify((entry,), table, mark.head), recorded.after)
                yield PagePosition(entry, recorded.round, recorded.sentences(), recorded.after, recorded.bets)
        finally:  # the caller may stop before the end
            self._store(table, mark)

    def _hash_at(self, table: str, sequence: int) -> Head:
        entry = next(self._reader.entries(table, sequence - 1, 1), None) if sequence else None
        return Head(sequence, entry.hash if entry else GENESIS)

    def _state_after(self, table: str, after: int) -> Bookmark:
        """Return the table after an entry, folded from the nearest bookmark or snapshot."""
        mark = self._nearest(table, after)
        for folded, entry in enumerate(self._reader.entries(table, mark.head.sequence, after - mark.head.sequence)):
            if folded == FOLD_MAX:
                self._store(table, mark)
                raise Busy("server.far-into-record", entry=mark.head.sequence)
            mark = Bookmark(verify((entry,), table, mark.head), _evolve(mark.state, entry))
            self.folded += 1
            if not entry.sequence % STRIDE:
                with self._guard:
                    self._marks(table).put(mark)
        return mark

    def _nearest(self, table: str, after: int) -> Bookmark:
        with self._guard:
            known = [self._marks(table).nearest(after)]
            known += [one for (name, place), one in self._recent.items() if name == table and place <= after]
        best = max(known, key=lambda one: one.head.sequence)
        if after - best.head.sequence > STRIDE:
            snapshot = next(
                (one for one in snapshots.valid_snapshots(table, self._reader) if one.sequence <= after), None
            )
            if snapshot is not None and snapshot.sequence > best.head.sequence:
                state = self._load(table, snapshot.content)
                assert isinstance(state, Table)
                best = Bookmark(Head(snapshot.sequence, snapshot.head), state)
        return best

    def _marks(self, table: str) -> _EvenBookmarks:
        marks = self._evenly.get(table)
        if marks is None:
            marks = self._evenly[table] = _EvenBookmarks(self._books.new_table(table))
            while len(self._evenly) > TABLES_MAX:
                self._evenly.popitem(last=False)
        self._evenly.move_to_end(table)
        return marks

    def _store(self, table: str, mark: Bookmark) -> None:
        with self._guard:
            self._marks(table).put(mark)
            self._recent[table, mark.head.sequence] = mark
            self._recent.move_to_end((table, mark.head.sequence))
            while len(self._recent) > RECENT_MAX:
                self._recent.popitem(last=False)


def _record_entry(mark: Bookmark, entry: Entry) -> RecordedEntry:
    occurrence = Occurrence(entry.at, Person(entry.actor, entry.role), read_outcome(entry), entry.transfers)
    if isinstance(occurrence.what, Refusal):
        return RecordedEntry(entry, mark.state, mark.state, occurrence)
    return RecordedEntry(entry, mark.state, evolve_entry(mark.state, entry, occurrence.what), occurrence)


def _evolve(state: Table, entry: Entry) -> Table:
    if entry.kind in NO_EVENTS:
        return state
    event = read_outcome(entry)
    assert isinstance(event, e.Event)
    return evolve_entry(state, entry, event)
