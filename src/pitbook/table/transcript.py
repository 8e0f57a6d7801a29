"""A table's record as sentences: who did what when, by which clause, and what it came to in money."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from pitbook.table.event_text import Scene, cited, tell
from pitbook.table.evolve import evolve
from pitbook.table.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pitbook.ledger.transfers import Transfer
    from pitbook.table.events import Event
    from pitbook.table.people import Person
    from pitbook.table.state import Table


class Said(NamedTuple):
    """One entry of a table's record: an event with the money it moved, or a refusal."""

    at: str
    """ISO-8601, UTC."""
    person: Person
    what: Event | Refusal
    transfers: tuple[Transfer, ...] = ()


def transcript(table: Table, record: Iterable[Said]) -> Iterator[str]:
    """The record's lines, from how the table stood before it; a heading for each day and each round."""
    day, number = "", 0
    for entry in record:
        moment = datetime.fromisoformat(entry.at)
        today = f"{moment:%Y-%m-%d}"
        if today != day or table.round.number != number:
            if number:
                yield ""
            day, number = today, table.round.number
            yield f"{table.id}, {day}, round {number}"
        head = f"{moment:%H:%M:%S}  "
        if isinstance(entry.what, Refusal):
            yield head + refused(entry.person, entry.what)
            continue
        after = evolve(table, entry.what)
        first, *rest = tell(entry.what, Scene(table, after, named(entry.person), entry.person, entry.transfers)) or [""]
        if first:
            yield head + first
        yield from (" " * len(head) + line for line in rest)
        table = after


def refused(person: Person, refusal: Refusal) -> str:
    """What somebody asked for, and why it was refused.

    >>> from dataclasses import replace
    >>> from pitbook.table.people import Person
    >>> from pitbook.table.refusals import Why, refuse
    >>> paused = refuse(Why.SUSPENDED, "tables.automatic.paused", ("(2)",))
    >>> refused(Person("ann", "player"), replace(paused, asked="pass the dice"))
    'ann (player) asks to pass the dice, and is refused: The table is paused. [(2)]'
    """
    asked = f"asks to {refusal.asked}, and " if refusal.asked else ""
    reading = f" [reading {refusal.reading}]" if refusal.reading else ""
    grounds = cited(refusal.clauses) or reading or (" [house policy]" if refusal.house_rule else "")
    return f"{named(person)} {asked}is refused: {refusal.says}{grounds}"


def named(person: Person) -> str:
    """Somebody with their role.

    >>> from pitbook.table.people import Person
    >>> named(Person("dan", "dealer"))
    'dan (dealer)'
    """
    return f"{person.name} ({person.role})"
