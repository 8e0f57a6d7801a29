"""What is wrong with a scenario: where, of which kind, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pitbook.mistakes import Mistakes

if TYPE_CHECKING:
    from collections.abc import Iterable

FlawKind = Literal[
    "file", "missing", "unknown", "amount", "value", "book", "wager", "paytable", "named twice", "planned twice",
    "missing in plan", "not in plan", "stake", "house limits", "too many", "no rolls", "too much",
]  # fmt: skip
"""`too much`: more than may be run beside a server."""


class Flaw(NamedTuple):
    """One thing that is wrong, at a key like players[2].bets[1].stake."""

    place: str
    kind: FlawKind
    says: str

    def __str__(self) -> str:
        return f"{self.place}: {self.says}"


class Flawed(Mistakes):
    """Everything that is wrong with a scenario, at once."""

    def __init__(self, name: str, flaws: Iterable[Flaw]) -> None:
        self.flaws = tuple(dict.fromkeys(flaws))
        super().__init__(f"{name}: {flaw}" for flaw in self.flaws)
