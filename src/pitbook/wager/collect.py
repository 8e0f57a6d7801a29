"""Wagers on each of a set of numbers, or as many as possible, before the losing seven: All Lows, the Fire Bet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitbook.rulebooks.wagers import LOSE_ROW, WIN_ROW, Collect
from pitbook.wager.games import End
from pitbook.wager.hand import Call, lost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.dice import Roll, Total
    from pitbook.rulebooks.wagers import HandRule

Marked = frozenset[int]
"""The numbers that have been marked with a lammer."""

WIN, LOSE = End(WIN_ROW), End(LOSE_ROW)


@dataclass(frozen=True, slots=True)
class CollectBet:
    """A bet that the last missing number wins; with several rows, the count reached selects the row."""

    spec: Collect

    @property
    def rows(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.spec.rows)) if self.spec.rows else (WIN_ROW, LOSE_ROW)

    @property
    def start(self) -> Marked:
        return frozenset()

    @property
    def hand(self) -> HandRule | None:
        needed = self.spec.loses_on == "seven-out" or self.spec.collected == "points made"
        return self.spec.hand if needed else None

    def sees(self, roll: Roll) -> frozenset[int]:
        """Return the numbers that this roll could mark."""
        if self.spec.conditions:
            return frozenset(place for place, one in enumerate(self.spec.conditions, 1) if one.holds(roll))
        return self.spec.numbers & {roll.total}

    def step(self, state: Marked, seen: Marked, total: Total, call: Call | None) -> Marked | End:
        if lost(total, call, self.spec.loses_on):
            return End(self.spec.rows[len(state)]) if self.spec.rows else LOSE
        if self.spec.collected == "points made" and call is not Call.POINT_MADE:
            return state
        marked = state | seen
        if marked != self.spec.numbers:
            return marked
        return End(self.spec.rows[len(marked)]) if self.spec.rows else WIN

    def lammers(self, state: Marked) -> Mapping[str, Any]:
        return {"marked": sorted(state), "missing": sorted(self.spec.numbers - state)}
