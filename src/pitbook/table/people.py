"""People who act, their roles, and whether the book lets a role act.

Roles are the book's own. Two belong to the house: the manager, who opens and sets up tables, and the auditor, who only
reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.rulebooks.model import Rulebook

PLAYER = "player"
MANAGER = "manager"
AUDITOR = "auditor"
TUMBLER = "tumbler"
"""The electronic tumbler, which runs an automatic table in the place of its dealers."""
HOUSE_ROLES = (MANAGER, AUDITOR)


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Someone, in the role in which they act."""

    name: str
    role: str


class Consent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it was agreed that staff move the chips of a player who has an account."""

    how: Literal["device", "pin", "second person"]
    """By the player, on their own device or with a PIN at the table; or a second person of the staff agreed."""
    by: Person
    approval: str = ""
    """The approval in which it was given; a PIN needs none."""


ELECTRONIC_TUMBLER = Person("electronic tumbler", TUMBLER)


def rank(book: Rulebook, role: str) -> int:
    """Return how senior a role is in this book; the house's own roles have no place in its ranks."""
    return book.roles[role].rank if role in book.roles else -1


def may_act(book: Rulebook, role: str, named: Sequence[str], *, or_above: bool = False) -> bool:
    """Return whether someone in a role may do what the book gives to the roles named.

    Singapore lets any higher position act, Maryland where it says "or above", the others the position named only.
    """
    if role in named:
        return True
    staff = [rank(book, other) for other in named if rank(book, other) > 0]
    if not staff or rank(book, role) <= 0:
        return False
    above = rank(book, role) > min(staff)
    match book.ranks.acting:
        case "any higher position":
            return above
        case "or above where stated":
            return above and or_above
        case _:
            return False


def is_staff(book: Rulebook, role: str) -> bool:
    """Return whether a role works at the table."""
    return rank(book, role) > 0


def is_supervisor(book: Rulebook, role: str) -> bool:
    """Return whether a role is senior to the dealers."""
    return rank(book, role) > min(rank(book, other) for other in book.roles if rank(book, other) > 0)
