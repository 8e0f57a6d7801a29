"""The register's state: where each set of dice is, since when it has been used, and what happened to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

Standing = Literal["out", "in use", "cancelled", "destroyed"]
What = Literal["received", "put in", "taken out", "cancelled", "destroyed"]

MOVES_MAX = 40
"""So many moves of a set are kept in the state; the record has them all."""


class Move(msgspec.Struct, frozen=True):
    """One thing that happened to a set."""

    what: What
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
    """When it was first put into a shaker for use; it never changes. Empty before that."""
    table: str = ""
    """The table where it is in use."""
    shaker: str = ""
    moves: tuple[Move, ...] = ()
    """The last ones, in order."""

    @property
    def retired(self) -> bool:
        """Whether it can never be used again."""
        return self.standing in ("cancelled", "destroyed")


class Register(msgspec.Struct, frozen=True):
    """Every set of dice that the house has received."""

    sets: dict[str, SetRecord] = {}
    """By name."""

    def other_with(self, serials: Iterable[str], name: str) -> tuple[str, str] | None:
        """Return the first serial number that belongs to another set, with that set's name; None if all are free."""
        wanted = set(serials)
        for other in self.sets.values():
            if other.set != name and (shared := wanted & set(other.serials)):
                return min(shared), other.set
        return None


EMPTY = Register()
