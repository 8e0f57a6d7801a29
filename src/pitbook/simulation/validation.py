"""Errors in a scenario, each with its place, kind and message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pitbook.errors import InputErrors
from pitbook.messages import Message, compose

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
    """Empty for the whole file."""
    kind: ScenarioErrorKind
    message: Message

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class InvalidScenario(InputErrors):
    """All errors of a scenario."""

    def __init__(self, name: str, flaws: Iterable[ScenarioError]) -> None:
        self.flaws = tuple({str(flaw): flaw for flaw in flaws}.values())
        super().__init__(
            compose("errors.simulation.flaw", name=name, place=flaw.place, reason=flaw.message)
            if flaw.place
            else compose("errors.simulation.toml-problem", name=name, reason=flaw.message)
            for flaw in self.flaws
        )
