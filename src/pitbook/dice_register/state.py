"""The register's state: the place, period of use and history of each set of dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

Standing = Literal["out", "in use", "cancelled", "destroyed"]
MoveKind = Literal["received", "put in", "taken out", "cancelled", "destroyed"]

MOVES_MAX = 40
"""How many moves of a set are kept; the record has them all."""


class Move(msgspec.Struct, frozen=True):
    """A move of a set."""

    what: MoveKind
    at: str
    by: str
    table: str = ""
    shaker: str = ""
    words: str = ""


class SetRecord(msgspec.Struct, frozen=True):
    """A set of dice in the house."""

    set: str
    serials: tuple[str, ...] = ()
    standing: Standing = "out"
    first_used: str = ""
    """When it was first put into a shaker for use, permanently; empty before that."""
    table: str = ""
    """The table where it is in use."""
    shaker: str = ""
    moves: tuple[Move, ...] = ()
    """The last moves, in order."""

    @property
    def is_retired(self) -> bool:
        """Whether it can never be used again."""
        return self.standing in ("cancelled", "destroyed")


class Register(msgspec.Struct, frozen=True):
    """Every set of dice that the house has received."""

    sets: dict[str, SetRecord] = {}
    """By name."""

    def find_serial_conflict(self, serials: Iterable[str], name: str) -> tuple[str, str] | None:
        """Return the first serial number that belongs to another set, with that set's name, or None."""
        wanted = set(serials)
        for other in self.sets.values():
            if other.set != name and (shared := wanted & set(other.serials)):
                return min(shared), other.set
        return None


EMPTY = Register()
