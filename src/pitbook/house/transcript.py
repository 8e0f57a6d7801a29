"""The house's own record as sentences: people, roles, sign-ins, and refusals outside any table."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from pitbook.dice_register.event_text import describe as describe_dice
from pitbook.errors import InputError
from pitbook.house.dice import REGISTER_KINDS, read_register_event
from pitbook.house.people import read_people_event
from pitbook.house.records import NO_EVENTS, read_outcome
from pitbook.journal.chain import verify
from pitbook.journal.entries import HOUSE
from pitbook.messages import Message, Sentence
from pitbook.people.event_text import describe
from pitbook.table.people import Person
from pitbook.table.refusals import Refusal
from pitbook.table.transcript import refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Reader
    from pitbook.messages import Language


class TranscriptLine(NamedTuple):
    """An entry of the house's record, and its sentences."""

    entry: Entry
    says: list[Sentence]


def read_transcript(reader: Reader) -> Iterator[TranscriptLine]:
    """Yield the house's whole record, verifying the chain."""
    head = None
    for entry in reader.entries(HOUSE):
        head = verify((entry,), HOUSE, head)
        yield TranscriptLine(entry, describe_entry(entry))


def describe_entry(entry: Entry) -> list[Sentence]:
    """Return a sentence about an entry of the house's record, and its details."""
    person = Person(entry.actor, entry.role)
    if entry.kind in NO_EVENTS:
        what = read_outcome(entry)
        assert isinstance(what, Refusal)
        found = refused(person, what)
        table = msgspec.json.decode(entry.body)["table"]
        if table == HOUSE:
            return [found]
        params = {"table": table, "what": found.message}
        return [msgspec.structs.replace(found, message=Message("events.common.at-table", params))]
    try:
        if entry.kind in REGISTER_KINDS:
            return [Sentence(describe_dice(read_register_event(entry.body), person))]
        event = read_people_event(entry.body)
    except msgspec.DecodeError as error:
        raise InputError("journal.newer-house-entry", entry=entry.sequence, reason=error) from error
    return [Sentence(message) for message in describe(event, person)]


def lines(record: Iterable[TranscriptLine], language: Language = "en") -> Iterator[str]:
    """Yield the record as a transcript, with a heading for each day."""
    day = ""
    for entry, says in record:
        moment = datetime.fromisoformat(entry.at)
        today = f"{moment:%Y-%m-%d}"
        if today != day:
            if day:
                yield ""
            day = today
            yield Message("events.common.house-heading", {"day": day}).text(language)
        first, *rest = says
        head = f"{moment:%H:%M:%S}  "
        yield head + first.text(language)
        yield from (" " * len(head) + line.text(language) for line in rest)
