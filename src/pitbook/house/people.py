"""Between the people and the journal: their events as canonical bytes and back, and how a command is decided.

The people are a part of the state of the house's own sequence: see `own.py`.
"""

from __future__ import annotations

from functools import cache, reduce
from typing import TYPE_CHECKING

import msgspec

from pitbook.journal.decisions import Accepted, Event, Refused
from pitbook.people import commands as c
from pitbook.people import events as e
from pitbook.people.decide import Context, decide
from pitbook.people.evolve import evolve
from pitbook.people.names import SERVER, VISITOR
from pitbook.people.refusals import Refusal
from pitbook.people.state import People
from pitbook.people.values import PATRONS
from pitbook.rulebooks.catalogue import PACKAGED, load

if TYPE_CHECKING:
    from pitbook.journal.decisions import Decision
    from pitbook.journal.entries import Entry

_EVENT = msgspec.json.Decoder(reduce(lambda a, b: a | b, e.EVENTS))  # type: ignore[arg-type, return-value]
_PEOPLE = msgspec.json.Decoder(People)

GRANTING = (c.AddPerson, c.GiveRole)
"""Commands for which it matters what roles there are."""
NAMING = (c.AddPerson, c.Register)
"""Commands for which it matters which players the ledger has."""
CLAIMING = (c.RecordSignInFailure, c.RecordDenied)
"""Commands for which it matters beforehand who is known."""
WAITING = (*PATRONS, VISITOR, SERVER)
"""Roles that wait like bets do; all others are staff, and overtake them."""


def read_people_event(body: bytes) -> e.Event:
    """An event from its bytes."""
    event: e.Event = _EVENT.decode(body)
    return event


def load_people(content: bytes | None) -> People:
    """The people from a snapshot, or before the first entry."""
    return People() if content is None else _PEOPLE.decode(content)


def follow_people(people: People, entry: Entry) -> People:
    """The people after an entry."""
    return evolve(people, read_people_event(entry.body))


@cache
def packaged_roles() -> frozenset[str]:
    """The roles of all books that come with the software."""
    return frozenset(role for book in PACKAGED for role in load(book).roles)


def decide_people(people: People, command: c.Command, context: Context) -> Decision:
    """Decide a command about people, as the journal takes it."""
    return _journalled(decide(people, command, context))


def _journalled(outcome: tuple[e.Event, ...] | Refusal) -> Decision:
    if isinstance(outcome, Refusal):
        answer = {"refused": str(outcome.why), "says": outcome.says, "clauses": (), "asked": outcome.asked}
        return Refused(str(outcome.why), msgspec.json.encode({**answer, **_details(outcome)}))
    written = tuple(Event(type(event).__name__, msgspec.json.encode(event, order="deterministic")) for event in outcome)
    return Accepted(written, msgspec.json.encode({"events": [event.kind for event in written]}))


def _details(refusal: Refusal) -> dict[str, dict[str, str | None]]:
    return {"details": refusal.details} if refusal.details else {}
