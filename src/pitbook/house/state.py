"""The state of the house's own stream: its people and its register of dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pitbook.dice_register.evolve import evolve as registered
from pitbook.dice_register.state import Register, SetRecord
from pitbook.house.dice import REGISTER_KINDS, read_register_event
from pitbook.house.people import evolve_people, load_people
from pitbook.people.state import People

if TYPE_CHECKING:
    from pitbook.journal.entries import Entry


class HouseState(msgspec.Struct, frozen=True):
    """State that belongs to the house and not to a table."""

    people: People = People()
    dice: Register = Register()


class _Dice(msgspec.Struct, frozen=True):
    """The part of a snapshot that is the register; older snapshots have none."""

    dice: dict[str, SetRecord] = {}


_DICE = msgspec.json.Decoder(_Dice)


def load_house(content: bytes | None) -> HouseState:
    """Return the state from a snapshot, or the initial state."""
    if content is None:
        return HouseState()
    return HouseState(load_people(content), Register(_DICE.decode(content).dice))


def dump_house(state: HouseState) -> bytes:
    """Return the state as a snapshot: the people's own fields, and the sets of dice beside them."""
    return msgspec.json.encode({**msgspec.to_builtins(state.people), "dice": state.dice.sets})


def evolve_house(state: HouseState, entry: Entry) -> HouseState:
    """Return the state after an entry."""
    if entry.kind in REGISTER_KINDS:
        return HouseState(state.people, registered(state.dice, read_register_event(entry.body)))
    return HouseState(evolve_people(state.people, entry), state.dice)
