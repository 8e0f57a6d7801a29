"""A table's record as sentences: who did what and when, by which clause, and what was won and lost."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from pitbook.messages import Message, Sentence
from pitbook.table.event_text import Scene, continues, describe
from pitbook.table.evolve import evolve
from pitbook.table.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pitbook.ledger.transfers import Transfer
    from pitbook.messages import Language
    from pitbook.table.events import Event
    from pitbook.table.people import Person
    from pitbook.table.state import Table


class Occurrence(NamedTuple):
    """One entry of a table's record: an event with the money it moved, or a refusal."""

    at: str
    """ISO-8601, UTC."""
    person: Person
    what: Event | Refusal
    transfers: tuple[Transfer, ...] = ()


def transcript(table: Table, record: Iterable[Occurrence], language: Language = "en") -> Iterator[str]:
    """Yield the record's lines, starting from the table before it; each day and each round has a heading."""
    day, number = "", 0
    for entry in record:
        moment = datetime.fromisoformat(entry.at)
        today = f"{moment:%Y-%m-%d}"
        if today != day or table.round.number != number:
            if number:
                yield ""
            day, number = today, table.round.number
            yield heading(table.id, day, number).text(language)
        head = f"{moment:%H:%M:%S}  "
        if isinstance(entry.what, Refusal):
            yield head + refused(entry.person, entry.what).text(language)
            continue
        after = evolve(table, entry.what)
        lines = describe(entry.what, Scene(table, after, entry.person, entry.transfers))
        for place, line in enumerate(lines):
            own = place == 0 and not continues(entry.what)
            yield (head if own else " " * len(head)) + line.text(language)
        table = after


def heading(table: str, day: str, number: int) -> Message:
    """Return the heading of a round."""
    return Message("events.common.heading", {"table": table, "day": day, "round": number})


def refused(person: Person, refusal: Refusal) -> Sentence:
    """Return what someone asked for, and why it was refused.

    >>> from dataclasses import replace
    >>> from pitbook.messages import Message
    >>> from pitbook.table.people import Person
    >>> from pitbook.table.refusals import Reason, refuse
    >>> paused = refuse(Reason.SUSPENDED, "tables.automatic.paused", ("(2)",))
    >>> refused(Person("ann", "player"), replace(paused, asked=Message("commands.play.pass"))).text()
    'ann (player) was refused when trying to pass the dice: The table is paused. [(2)]'
    """
    params = {"who": person, "why": refusal.message}
    message = (
        Message("events.common.refused", params)
        if refusal.asked is None
        else Message("events.common.refused-command", {**params, "command": refusal.asked})
    )
    return Sentence(message, refusal.clauses, refusal.reading, refusal.house_rule)
