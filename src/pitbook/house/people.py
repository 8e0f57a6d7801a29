"""Encode events about people for the journal, decode them, and decide commands.

The people are part of the state of the house's own stream: see `state.py`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

from pitbook.house.encoding import accept, event_decoder, refuse
from pitbook.people import commands as c
from pitbook.people import events as e
from pitbook.people.decide import Context, decide
from pitbook.people.evolve import evolve
from pitbook.people.names import SERVER, VISITOR
from pitbook.people.refusals import Refusal
from pitbook.people.state import People
from pitbook.people.values import PATRONS
from pitbook.rulebooks.catalogue import SHIPPED, load

if TYPE_CHECKING:
    from pitbook.journal.decisions import Decision
    from pitbook.journal.entries import Entry

_PEOPLE = msgspec.json.Decoder(People)

GRANTING = (c.AddPerson, c.GiveRole, c.SetPolicy)
"""Commands that need the roles of all books."""
NAMING = (c.AddPerson, c.Register)
"""Commands that need the players in the ledger."""
CLAIMING = (c.RecordSignInFailure, c.RecordDenied)
"""Commands that need the known accounts beforehand."""
WAITING = (*PATRONS, VISITOR, SERVER)
"""Roles that queue like bets; all others are staff, and overtake them."""


read_people_event = event_decoder(e.EVENTS).decode
"""Returns an event from its bytes."""


def load_people(content: bytes | None) -> People:
    """Return the people from a snapshot, or the initial state."""
    return People() if content is None else _PEOPLE.decode(content)


def evolve_people(people: People, entry: Entry) -> People:
    """Return the people after an entry."""
    return evolve(people, read_people_event(entry.body))


@cache
def packaged_roles() -> frozenset[str]:
    """Return the roles of all packaged books."""
    return frozenset(role for book in SHIPPED for role in load(book).roles)


def decide_people(people: People, command: c.Command, context: Context) -> Decision:
    """Decide a command about people for the journal."""
    outcome = decide(people, command, context)
    if isinstance(outcome, Refusal):
        details = {"details": outcome.details} if outcome.details else {}
        return refuse(outcome.why, outcome.message, (), outcome.asked, details=details)
    return accept(outcome)
