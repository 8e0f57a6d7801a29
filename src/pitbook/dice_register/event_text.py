"""The register's events as sentences."""

from __future__ import annotations

from pitbook.dice_register import events as e


def tell(event: e.Event, who: str) -> str:
    """Say what happened to a set of dice."""
    match event:
        case e.DiceReceived():
            serials = f" ({', '.join(event.serials)})" if event.serials else ""
            return f"{who} receives the dice {event.set!r}{serials}"
        case e.DiceUsed():
            shaker = f"the {event.shaker} shaker of {event.table}" if event.shaker else f"use at {event.table}"
            return f"{who} puts the dice {event.set!r} into {shaker}"
        case e.DiceReturned():
            fate = "" if event.fate == "kept" else f"; the set is {event.fate}"
            return f"{who} takes the dice {event.set!r} out at {event.table}: {event.reason}{fate}"
        case e.DiceRetired():
            verb = "cancels" if event.fate == "cancelled" else "destroys"
            return f"{who} {verb} the dice {event.set!r}: {event.reason}"
        case _:
            raise TypeError(f"the dice register has no event {type(event).__name__}")
