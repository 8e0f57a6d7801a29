"""The positions of a book, and who may act in place of another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitbook.audit.details import detail

if TYPE_CHECKING:
    from pitbook.audit.details import Detail


@dataclass(frozen=True, slots=True)
class Entitled:
    """The roles that a clause lets act, after the book's rule on ranks."""

    roles: frozenset[str]
    words: Detail
    """The positions as the clause names them: "floorperson or above"."""
    clauses: tuple[str, ...]


class Ranks:
    """The positions of a book, and its rule on who may act in place of another."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.ranks: dict[str, int] = {name: role["rank"] for name, role in data.get("role", {}).items()}
        self.staff = {name: rank for name, rank in self.ranks.items() if rank > 0}
        self.clauses: dict[str, Any] = {name: role["clause"] for name, role in data.get("role", {}).items()}
        self._acting = data.get("ranks", {}).get("acting", "the position named")

    def entitled(self, named: list[str], clause: str | list[str], *, or_above: bool = False) -> Entitled:
        """Return the named roles, and the higher ones if the book or this clause lets them act."""
        roles = set(named)
        higher = self._acting == "any higher position" or (self._acting == "or above where stated" and or_above)
        ranks = [self.staff[name] for name in named if name in self.staff]
        if higher and ranks:
            roles |= {name for name, rank in self.staff.items() if rank > min(ranks)}
        words = detail("entitled-or-above" if or_above else "entitled", roles=named)
        return Entitled(frozenset(roles), words, (clause,) if isinstance(clause, str) else tuple(clause))
