"""The register's events as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitbook.dice_register import events as e
from pitbook.messages import Message

if TYPE_CHECKING:
    from pitbook.messages.values import Actor

REASONS = {
    "replaced": "replaced",
    "the automated shaker is put away": "shaker-away",
    "another shaker is put into use": "other-shaker",
    "the table closes": "closing",
}
"""Reasons that tables themselves record for taking dice out; others are what someone said."""


def describe(event: e.Event, who: Actor) -> Message:
    """Return what happened to a set of dice."""
    params: dict[str, Any] = {"who": who, "set": event.set}
    match event:
        case e.DiceReceived(serials=serials):
            listed = (Message("events.table.dice.serials", {"serials": serials}),) if serials else ()
            return Message("events.house.dice.received", {**params, "serials": listed})
        case e.DiceUsed(table=table, shaker=""):
            return Message("events.house.dice.used", {**params, "table": table})
        case e.DiceUsed(table=table, shaker=shaker):
            return Message("events.house.dice.used-shaker", {**params, "table": table, "shaker": shaker})
        case e.DiceReturned(table=table, reason=reason, fate=fate):
            more = {"table": table, "reason": removal_reason(reason), "fate": describe_fate(fate)}
            return Message("events.house.dice.returned", {**params, **more})
        case e.DiceRetired(fate=fate, reason=reason):
            return Message(f"events.house.dice.{fate}", {**params, "reason": reason})
        case _:
            raise TypeError(f"the dice register has no event {type(event).__name__}")


def removal_reason(reason: str) -> Message:
    """Return why dice were taken out."""
    if reason in REASONS:
        return Message(f"events.table.dice.reason.{REASONS[reason]}")
    return Message("events.table.dice.reason.words", {"words": reason})


def describe_fate(fate: str) -> tuple[Message, ...]:
    """Return what became of dice, unless they are kept."""
    return () if fate == "kept" else (Message("events.table.dice.fate", {"fate": fate}),)
