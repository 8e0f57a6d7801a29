"""Wagers on a number of repetitions of a total before the losing seven: Parlay Craps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitbook.rulebooks.wagers import LOSE_ROW, WIN_ROW, Repeat
from pitbook.wager.games import End
from pitbook.wager.hand import lost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.dice import Roll, Total
    from pitbook.rulebooks.wagers import HandRule
    from pitbook.wager.hand import Call

WIN, LOSE = End(WIN_ROW), End(LOSE_ROW)


@dataclass(frozen=True, slots=True)
class RepeatBet:
    """A bet whose state is how often the number has been rolled; other numbers do not matter."""

    spec: Repeat
    rows: tuple[str, ...] = (WIN_ROW, LOSE_ROW)

    @property
    def start(self) -> int:
        return 0

    @property
    def hand(self) -> HandRule | None:
        return self.spec.hand if self.spec.loses_on == "seven-out" else None

    def sees(self, _roll: Roll) -> None:
        """Return nothing: only the total matters."""

    def step(self, state: int, _seen: None, total: Total, call: Call | None) -> int | End:
        if lost(total, call, self.spec.loses_on):
            return LOSE
        if total not in self.spec.numbers:
            return state
        return WIN if state + 1 == self.spec.times else state + 1

    def lammers(self, state: int) -> Mapping[str, Any]:
        return {"numbers": sorted(self.spec.numbers), "count": state, "of": self.spec.times}
