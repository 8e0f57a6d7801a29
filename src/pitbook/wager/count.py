"""Wagers on the number of points, pass line wins or rolls before the ending seven: High Roller, Roll the Line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitbook.wager.games import End
from pitbook.wager.hand import Call, lost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.dice import Roll, Total
    from pitbook.rulebooks.wagers import Count, HandRule


@dataclass(frozen=True, slots=True)
class CountBet:
    """A bet whose state is the count, limited to the number of rows."""

    spec: Count

    @property
    def rows(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.spec.rows))

    @property
    def start(self) -> int:
        return 0

    @property
    def hand(self) -> HandRule | None:
        return self.spec.hand

    def sees(self, _roll: Roll) -> None:
        """Return nothing: only the total matters."""

    def step(self, state: int, _seen: None, total: Total, call: Call | None) -> int | End:
        if lost(total, call, self.spec.ends_on):
            return End(self.spec.rows[state])
        return min(state + self._counts(call), len(self.spec.rows) - 1)

    def _counts(self, call: Call | None) -> bool:
        if self.spec.counts == "rolls" or call is None:
            return self.spec.counts == "rolls"
        return call.pass_line_wins if self.spec.counts == "pass line wins" else call is Call.POINT_MADE

    def lammers(self, state: int) -> Mapping[str, Any]:
        top = len(self.spec.rows) - 1
        return {
            "count": state,
            "or_more": state == top,
            "row": self.spec.rows[state],
        }
