"""Events about sets of dice, in the past tense."""

from __future__ import annotations

from typing import Literal

import msgspec

Fate = Literal["kept", "cancelled", "destroyed"]
"""The fate of dice that are taken out of a shaker."""


class Event(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """An event about a set."""

    set: str
    at: str
    by: str


class DiceReceived(Event, frozen=True):
    serials: tuple[str, ...] = ()


class DiceUsed(Event, frozen=True):
    """A set was put into a shaker."""

    table: str
    shaker: str
    first_used: str
    serials: tuple[str, ...] = ()


class DiceReturned(Event, frozen=True):
    """A set was taken out of its shaker."""

    table: str
    reason: str
    fate: Fate = "kept"


class DiceRetired(Event, frozen=True):
    """A set outside any shaker can never be used again."""

    fate: Literal["cancelled", "destroyed"]
    reason: str


EVENTS: tuple[type[Event], ...] = tuple(Event.__subclasses__())
"""All kinds of events."""
