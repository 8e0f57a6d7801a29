"""Errors in a scenario, each with its place, kind and message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pitbook.errors import InputErrors

if TYPE_CHECKING:
    from collections.abc import Iterable

ScenarioErrorKind = Literal[
    "file", "missing", "unknown", "amount", "value", "book", "wager", "paytable", "named twice", "planned twice",
    "missing in plan", "not in plan", "stake", "house limits", "too many", "no rolls", "too much",
]  # fmt: skip
"""`too much`: more than may be run beside a server."""


class ScenarioError(NamedTuple):
    """An error, at a key like players[2].bets[1].stake."""

    place: str
    kind: ScenarioErrorKind
    says: str

    def __str__(self) -> str:
        return f"{self.place}: {self.says}"


class InvalidScenario(InputErrors):
    """All errors of a scenario."""

    def __init__(self, name: str, flaws: Iterable[ScenarioError]) -> None:
        self.flaws = tuple(dict.fromkeys(flaws))
        super().__init__(f"{name}: {flaw}" for flaw in self.flaws)
