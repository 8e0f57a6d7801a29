"""Encode events of the dice register for the journal, decode them, and decide commands."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import msgspec

from pitbook.dice_register import events as e
from pitbook.dice_register.decide import Context, Refusal, decide
from pitbook.journal.decisions import Accepted, Event, Refused

if TYPE_CHECKING:
    from collections.abc import Collection

    from pitbook.dice_register.commands import Command
    from pitbook.dice_register.state import Register
    from pitbook.journal.decisions import Decision
    from pitbook.table.people import Person

_EVENT = msgspec.json.Decoder(reduce(lambda a, b: a | b, e.EVENTS))  # type: ignore[arg-type, return-value]

REGISTER_KINDS = frozenset(kind.__name__ for kind in e.EVENTS)
"""The entries of the house's own stream that belong to the register."""


def register_bytes(event: e.Event) -> bytes:
    """Return an event as canonical JSON."""
    return msgspec.json.encode(event, order="deterministic")


def read_register_event(body: bytes) -> e.Event:
    """Return an event from its bytes."""
    event: e.Event = _EVENT.decode(body)
    return event


def decide_register(
    register: Register, person: Person, command: Command, at: str, allowed: Collection[str]
) -> Decision:
    """Decide a command to the register for the journal."""
    outcome = decide(register, command, Context(person.name, person.role, at, allowed))
    if isinstance(outcome, Refusal):
        answer = {"refused": str(outcome.why), "says": outcome.says, "clauses": (), "asked": outcome.asked}
        return Refused(str(outcome.why), msgspec.json.encode(answer))
    written = tuple(Event(type(event).__name__, register_bytes(event)) for event in outcome)
    return Accepted(written, msgspec.json.encode({"events": [event.kind for event in written]}))
