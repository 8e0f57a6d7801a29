"""Encode events of the dice register for the journal, decode them, and decide commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.dice_register import events as e
from pitbook.dice_register.decide import Context, Refusal, decide
from pitbook.house.encoding import accept, event_decoder, refuse

if TYPE_CHECKING:
    from collections.abc import Collection

    from pitbook.dice_register.commands import Command
    from pitbook.dice_register.state import Register
    from pitbook.journal.decisions import Decision
    from pitbook.table.people import Person

REGISTER_KINDS = frozenset(kind.__name__ for kind in e.EVENTS)
"""The entries of the house's own stream that belong to the register."""


read_register_event = event_decoder(e.EVENTS).decode
"""Returns an event from its bytes."""


def decide_register(
    register: Register, person: Person, command: Command, at: str, allowed: Collection[str]
) -> Decision:
    """Decide a command to the register for the journal."""
    outcome = decide(register, command, Context(person.name, person.role, at, allowed))
    if isinstance(outcome, Refusal):
        return refuse(outcome.why, outcome.message, (), outcome.asked)
    return accept(outcome)
