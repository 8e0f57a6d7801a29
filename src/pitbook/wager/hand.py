"""The craps hand: come-out, point, point made, seven-out."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import NamedTuple

from pitbook.dice import SEVEN, Total
from pitbook.rulebooks.wagers import USUAL_HAND, HandRule

POINTS = tuple(Total(total) for total in USUAL_HAND.points)


class Call(StrEnum):
    """The effect of a roll on the shooter's hand, as the stick person calls it."""

    NATURAL = "natural"
    CRAPS = "craps"
    POINT_SET = "point set"
    POINT_MADE = "point made"
    SEVEN_OUT = "seven-out"
    NO_DECISION = "no decision"

    @property
    def pass_line_wins(self) -> bool:
        """Whether the pass line wins."""
        return self in (Call.NATURAL, Call.POINT_MADE)


class Hand(NamedTuple):
    """The state of the shooter's hand: the come-out, or a point."""

    point: Total | None = None

    @property
    def come_out(self) -> bool:
        """Whether the next roll is a come-out roll."""
        return self.point is None

    def __str__(self) -> str:
        return "come-out" if self.point is None else f"point {self.point}"


COME_OUT = Hand()


@cache
def hands(rule: HandRule = USUAL_HAND) -> tuple[Hand, ...]:
    """Return all hands, in the order of a machine's starts."""
    return (COME_OUT, *(Hand(Total(point)) for point in rule.points))


HANDS = hands()
HANDS_MAX = 11
"""The come-out, and every total but seven as a point."""


@cache
def step(hand: Hand, total: Total, rule: HandRule = USUAL_HAND) -> tuple[Hand, Call]:
    """Return the hand after a roll, and the roll's effect.

    >>> step(COME_OUT, Total(4))
    (Hand(point=4), <Call.POINT_SET: 'point set'>)
    """
    if hand.point is None:
        if total in rule.points:
            return Hand(total), Call.POINT_SET
        return hand, Call.NATURAL if total in rule.naturals else Call.CRAPS
    if total == SEVEN:
        return COME_OUT, Call.SEVEN_OUT
    if total == hand.point:
        return COME_OUT, Call.POINT_MADE
    return hand, Call.NO_DECISION


def lost(total: Total, call: Call | None, loses_on: str) -> bool:
    """Return whether this roll is the losing seven: any seven, or only the seven-out."""
    return total == SEVEN if loses_on == "any seven" else call is Call.SEVEN_OUT
