"""Points made, or pass line wins, until the ending seven, paid once by the count: High Roller, Roll the Line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitbook.wager.games import End
from pitbook.wager.hand import Call, lost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.dice import Total
    from pitbook.rulebooks.wagers import Count


@dataclass(frozen=True, slots=True)
class CountBet:
    """The state is the count, as far as the ladder of rows tells counts apart."""

    spec: Count

    @property
    def rows(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.spec.rows))

    @property
    def start(self) -> int:
        return 0

    @property
    def needs_hand(self) -> bool:
        return True

    def step(self, state: int, total: Total, call: Call | None) -> int | End:
        if lost(total, call, self.spec.ends_on):
            return End(self.spec.rows[state])
        return min(state + self._counts(call), len(self.spec.rows) - 1)

    def _counts(self, call: Call | None) -> bool:
        if call is None:
            return False
        return call.pass_line_wins if self.spec.counts == "pass line wins" else call is Call.POINT_MADE

    def lammers(self, state: int) -> Mapping[str, Any]:
        top = len(self.spec.rows) - 1
        return {
            "count": state,
            "or_more": state == top,
            "row": self.spec.rows[state],
        }
