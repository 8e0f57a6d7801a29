"""The interface of wager families: start states, a pure step, and the lammers on the layout."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pitbook.wager.hand import HANDS_MAX, Hand, hands
from pitbook.wager.hand import step as hand_step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.dice import Roll, Total
    from pitbook.rulebooks.wagers import HandRule
    from pitbook.wager.hand import Call

State = Hashable
"""The state of a family between rolls: a set of totals, a count, nothing."""


@dataclass(frozen=True, slots=True)
class End:
    """The end of a wager: the row of the pay table reached."""

    row: str


class Game(Protocol):
    """A wager as a game that can be compiled: a state, and a step on what it sees of each roll.

    Derive from it to write a game of your own: it needs `rows` and `step`, and `starts` where it has states. A step
    must depend on nothing but its arguments, and every state must be able to end.
    """

    @property
    def rows(self) -> tuple[str, ...]:
        """The possible end rows."""
        ...

    @property
    def starts(self) -> tuple[State, ...]:
        """The state in which a wager begins; for games on the craps hand one for the come-out and for each point."""
        return (None,)

    def sees(self, roll: Roll) -> Hashable:
        """Return the part of a roll that matters to it: fewer distinct answers compile faster."""
        return roll

    def step(self, state: Any, seen: Any) -> State | End:
        """Return the next state or the end."""
        ...

    def lammers(self, _state: Any) -> Mapping[str, Any]:
        """Return the lammers on the layout in this state."""
        return {}


class SideBet(Protocol):
    """A craps side bet, whose step also gets the roll's total and its effect on the shooter's hand."""

    @property
    def rows(self) -> tuple[str, ...]: ...

    @property
    def start(self) -> State: ...

    @property
    def hand(self) -> HandRule | None:
        """The rules of the hand, or None if the bet does not depend on the point."""
        ...

    def sees(self, roll: Roll) -> Hashable: ...

    def step(self, state: Any, seen: Any, total: Total, call: Call | None) -> State | End: ...

    def lammers(self, state: Any) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Free:
    """A side bet that does not depend on the hand."""

    bet: SideBet

    @property
    def rows(self) -> tuple[str, ...]:
        return self.bet.rows

    @property
    def starts(self) -> tuple[State, ...]:
        return (self.bet.start,) * HANDS_MAX

    def sees(self, roll: Roll) -> tuple[Hashable, Total]:
        return self.bet.sees(roll), roll.total

    def step(self, state: State, seen: tuple[Hashable, Total]) -> State | End:
        return self.bet.step(state, *seen, None)

    def lammers(self, state: State) -> Mapping[str, Any]:
        return self.bet.lammers(state)


@dataclass(frozen=True, slots=True)
class OnHand:
    """A side bet that depends on the shooter's hand, which is part of its state."""

    bet: SideBet
    hand: HandRule

    @property
    def rows(self) -> tuple[str, ...]:
        return self.bet.rows

    @property
    def starts(self) -> tuple[State, ...]:
        return tuple((self.bet.start, hand) for hand in hands(self.hand))

    def sees(self, roll: Roll) -> tuple[Hashable, Total]:
        return self.bet.sees(roll), roll.total

    def step(self, state: tuple[State, Hand], seen: tuple[Hashable, Total]) -> State | End:
        inner, hand = state
        hand, call = hand_step(hand, seen[1], self.hand)
        after = self.bet.step(inner, *seen, call)
        return after if isinstance(after, End) else (after, hand)

    def lammers(self, state: tuple[State, Hand]) -> Mapping[str, Any]:
        return self.bet.lammers(state[0])


def standing(bet: SideBet) -> Game:
    """Return a side bet as a game, with the hand if it depends on it."""
    return OnHand(bet, bet.hand) if bet.hand is not None else Free(bet)
