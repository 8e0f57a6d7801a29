"""Read a table's record: events and refusals, with the round of each."""

from __future__ import annotations

from itertools import chain as joined
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from pitbook.errors import InputError, quoted
from pitbook.house.books import HouseBooks
from pitbook.house.codec import evolve_entry, read_event
from pitbook.journal.chain import verify
from pitbook.journal.refusal_aggregation import REFUSALS, REFUSED, RefusalCount
from pitbook.journal.refusal_aggregation import Refusal as Recorded
from pitbook.messages import Message, Sentence, stored
from pitbook.messages.catalogue import entries
from pitbook.table import events as e
from pitbook.table.event_text import Scene, describe
from pitbook.table.people import Person
from pitbook.table.refusals import Refusal
from pitbook.table.transcript import Occurrence, refused, transcript

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Reader
    from pitbook.messages import Language
    from pitbook.table.state import Bet, Table

NO_EVENTS = (REFUSED, REFUSALS)
"""Entries that do not change a table."""


class RecordedEntry(NamedTuple):
    """An entry of a record, and the table before and after it."""

    entry: Entry
    before: Table
    after: Table
    occurrence: Occurrence

    @property
    def round(self) -> int:
        """The round that it belongs to; a corrected roll belongs to its own."""
        corrected = isinstance(self.occurrence.what, e.DiceCorrected)
        return (self.after if corrected else self.before).round.number

    def concerns(self, number: int) -> bool:
        """Return whether it happened in a round or, like a dispute or a resettlement, is about it."""
        return self.round == number or getattr(self.occurrence.what, "round", None) == number

    @property
    def bets(self) -> list[Bet]:
        """The bets that it refers to, as they were before."""
        what = self.occurrence.what
        named = (getattr(what, "bet", None), *getattr(what, "bets", ()), *getattr(what, "returned", ()))
        numbers = dict.fromkeys(getattr(one, "bet", one) for one in named)
        known = {**self.before.round.taken, **self.before.bets}
        lying = (known.get(number) for number in numbers if number is not None)
        return [bet for bet in lying if bet is not None]

    def sentences(self) -> list[Sentence]:
        """Return a sentence about what happened, and its details."""
        what, person = self.occurrence.what, self.occurrence.person
        if isinstance(what, Refusal):
            return [refused(person, what)]
        return describe(what, Scene(self.before, self.after, person, self.occurrence.transfers))


def read_entries(reader: Reader, table: str, books: HouseBooks | None = None) -> Iterator[RecordedEntry]:
    """Yield a table's whole record, verifying the chain."""
    books = books or HouseBooks()
    books.read_texts(reader)
    state, head = books.new_table(table), None
    for entry in reader.entries(table):
        head = verify((entry,), table, head)
        occurrence = Occurrence(entry.at, Person(entry.actor, entry.role), read_outcome(entry), entry.transfers)
        before = state
        if not isinstance(occurrence.what, Refusal):
            state = _evolved(state, entry, occurrence.what)
        yield RecordedEntry(entry, before, state, occurrence)


def read_outcome(entry: Entry) -> e.Event | Refusal:
    """Return what an entry records: an event, a refusal, or a number of refusals."""
    if entry.kind == REFUSED:
        name = msgspec.json.decode(entry.body, type=Recorded).refusal
        answer: Mapping[str, object] = msgspec.json.decode(entry.answer) if entry.answer else {}
        clauses = answer.get("clauses", ())
        message = stored(answer.get("message"), str(answer.get("says", name))) if answer else _kind(name)
        asked = stored_command(answer.get("asked"))
        return Refusal(name, message, tuple(clauses), asked, answer.get("reading"))  # type: ignore[arg-type]
    if entry.kind == REFUSALS:
        counted = msgspec.json.decode(entry.body, type=RefusalCount)
        return Refusal(counted.refusal, _repeated(counted))  # type: ignore[arg-type]
    try:
        return read_event(entry.body)
    except msgspec.DecodeError as error:
        raise InputError(
            "journal.newer-entry", table=quoted(entry.table), entry=entry.sequence, reason=error
        ) from error


def stored_command(data: object) -> Message | None:
    """Return a summary of a refused command; older records have an English phrase, which is left out."""
    return stored(data, "") if isinstance(data, dict) else None


def _kind(refusal: str) -> Message:
    known = f"problems.{refusal}"
    return Message(known if known in entries() else "problems.refused")


def _repeated(counted: RefusalCount) -> Message:
    params = {"count": counted.count, "refusal": _kind(counted.refusal)}
    if not counted.actor:
        return Message("refusals.recorded.repeated", params)
    return Message("refusals.recorded.repeated-of", {**params, "actor": counted.actor})


def _evolved(state: Table, entry: Entry, event: e.Event) -> Table:
    try:
        return evolve_entry(state, entry, event)
    except ValueError as error:  # the recorded book is missing
        raise InputError("common.text", text=error) from error


def lines(record: Iterable[RecordedEntry], number: int | None = None, language: Language = "en") -> Iterator[str]:
    """Yield the transcript of a record, or of everything about one round."""
    for wanted, run in groupby(record, key=lambda one: number is None or one.concerns(number)):
        if wanted:
            first = next(run)
            yield from transcript(first.before, (one.occurrence for one in joined([first], run)), language)
