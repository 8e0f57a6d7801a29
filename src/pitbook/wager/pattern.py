"""Wagers decided by the next throw, such as those of Sic Bo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitbook.rulebooks.wagers import LOSE_ROW, Pattern
from pitbook.wager.games import End, State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.dice import Roll


@dataclass(frozen=True, slots=True)
class PatternGame:
    """A wager that ends in the first row whose condition the throw fulfils, or loses."""

    spec: Pattern

    @property
    def rows(self) -> tuple[str, ...]:
        return (*(row for row, _ in self.spec.rows), LOSE_ROW)

    @property
    def starts(self) -> tuple[State, ...]:
        return (None,)

    def sees(self, roll: Roll) -> Roll:
        return roll

    def step(self, _state: None, seen: Roll) -> End:
        return End(next((row for row, condition in self.spec.rows if condition.holds(seen)), LOSE_ROW))

    def lammers(self, _state: None) -> Mapping[str, Any]:
        return {}
