"""Bets decided by phase of the hand: line bets, come bets, odds, place bets, hardways."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pitbook.dice import Total
from pitbook.rulebooks.wagers import RETURN_ROW, Phases
from pitbook.wager.games import End
from pitbook.wager.hand import COME_OUT, Hand, hands
from pitbook.wager.hand import step as hand_step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.dice import Roll


@dataclass(frozen=True, slots=True)
class PhasesGame:
    """A wager whose state is a hand: the shooter's, or its own if it has its own point."""

    spec: Phases

    @property
    def rows(self) -> tuple[str, ...]:
        return self.spec.rows

    @property
    def starts(self) -> tuple[Hand, ...]:
        return tuple(COME_OUT if self.spec.own_point else hand for hand in hands(self.spec.hand))

    def idle(self, state: Hand) -> bool:
        """Return whether the bet is off in this state."""
        return self.spec.rows_on(state.point) is None

    def sees(self, roll: Roll) -> Roll:
        return roll

    def step(self, state: Hand, seen: Roll) -> Hand | End:
        row = self._row(state, seen)
        if row is not None:
            return End(row)
        parent = self.spec.parent
        if parent is not None:
            behind = state if parent.point is None else Hand(Total(parent.point))
            # Odds on a line bet are in play only once there is a point.
            if not behind.come_out and PhasesGame(parent.spec)._row(behind, seen) is not None:
                return End(RETURN_ROW)
        return hand_step(state, seen.total, self.spec.hand)[0]

    def _row(self, state: Hand, seen: Roll) -> str | None:
        rows = self.spec.rows_on(state.point) or ()
        return next((row for row, condition in rows if condition.holds(seen)), None)

    def lammers(self, _state: Hand) -> Mapping[str, Any]:
        return {}


def called_on(spec: Phases) -> Phases:
    """Return a bet that was called on: it works on every roll, as on a point."""
    rows = next(rows for point, rows in spec.phases if point is not None)
    return replace(spec, phases=tuple((hand.point, rows) for hand in hands(spec.hand)))
