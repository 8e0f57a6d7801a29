"""Apply events to the register, without any checks."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pitbook.dice_register import events as e
from pitbook.dice_register.state import MOVES_MAX, Move, Register, SetRecord


def evolve(register: Register, event: e.Event) -> Register:
    """Return the register after one event."""
    match event:
        case e.DiceReceived():
            move = Move("received", event.at, event.by)
            return _change_set(register, event.set, move, serials=event.serials)
        case e.DiceUsed():
            move = Move("put in", event.at, event.by, event.table, event.shaker)
            known = register.sets.get(event.set)
            serials = (known.serials if known else ()) or event.serials
            place = {"table": event.table, "shaker": event.shaker, "serials": serials}
            return _change_set(register, event.set, move, standing="in use", first_used=event.first_used, **place)
        case e.DiceReturned():
            move = Move("taken out", event.at, event.by, event.table, words=event.reason)
            after = _change_set(register, event.set, move, standing="out", table="", shaker="")
            return after if event.fate == "kept" else _retire(after, event, event.fate)
        case e.DiceRetired():
            return _retire(register, event, event.fate)
        case _:
            raise TypeError(f"the dice register has no event {type(event).__name__}")


def _retire(register: Register, event: e.DiceReturned | e.DiceRetired, fate: Any) -> Register:
    move = Move(fate, event.at, event.by, words=event.reason)
    return _change_set(register, event.set, move, standing=fate)


def _change_set(register: Register, name: str, move: Move, **changes: Any) -> Register:
    record = register.sets.get(name) or SetRecord(name)
    changed = replace(record, moves=(*record.moves, move)[-MOVES_MAX:], **changes)
    return replace(register, sets={**register.sets, name: changed})
