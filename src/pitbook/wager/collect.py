"""Each of a set of totals before the losing seven: All Lows, All Highs, The Works; Dice-Ology's three."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitbook.rulebooks.wagers import LOSE_ROW, WIN_ROW, Collect
from pitbook.wager.games import End
from pitbook.wager.hand import lost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.dice import Total
    from pitbook.wager.hand import Call

Marked = frozenset[int]
"""The totals that have been rolled and marked with a lammer."""

WIN, LOSE = End(WIN_ROW), End(LOSE_ROW)


@dataclass(frozen=True, slots=True)
class CollectBet:
    """A repeated number has no effect; the last missing one wins."""

    spec: Collect
    rows: tuple[str, ...] = (WIN_ROW, LOSE_ROW)

    @property
    def start(self) -> Marked:
        return frozenset()

    @property
    def needs_hand(self) -> bool:
        return self.spec.loses_on == "seven-out"

    def step(self, state: Marked, total: Total, call: Call | None) -> Marked | End:
        if lost(total, call, self.spec.loses_on):
            return LOSE
        if total in state or total not in self.spec.numbers:
            return state
        marked = state | {total}
        return WIN if marked == self.spec.numbers else marked

    def lammers(self, state: Marked) -> Mapping[str, Any]:
        return {"marked": sorted(state), "missing": sorted(self.spec.numbers - state)}
