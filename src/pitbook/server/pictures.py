"""What is painted on an area of the layout: dice, a figure, the totals that it waits for. From how the wager is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.rulebooks import conditions as c
from pitbook.rulebooks.wagers import Collect, Pattern, Repeat
from pitbook.server.wire_wagers import Picture

if TYPE_CHECKING:
    from pitbook.rulebooks.conditions import Condition
    from pitbook.rulebooks.wagers import Spec


def picture_of(spec: Spec) -> Picture:
    """What an area shows besides its name and its odds.

    >>> from pitbook.rulebooks.conditions import parse_condition
    >>> picture_of(Pattern((("win", parse_condition("count(3) >= 2", 3)),))).dice
    [3, 3]
    """
    match spec:
        case Pattern() if spec.rows:
            return _painted(spec.rows[0][1])
        case Collect():
            return Picture(numbers=sorted(spec.numbers))
        case Repeat():
            return Picture(numbers=sorted(spec.numbers), times=spec.times)
        case _:
            return Picture()


def _painted(condition: Condition) -> Picture:
    """By the first row: with several, it is the one that needs the least."""
    match condition:
        case c.TotalBetween(low, high):
            return Picture(total=low) if low == high else Picture(low=low, high=high)
        case c.FaceCount(face, comparison, dice) if comparison in ("=", ">="):
            return Picture(dice=[face] * dice)
        case c.Shows(faces) | c.Exactly(faces):
            return Picture(dice=list(faces))
        case c.ThreeOf(faces):
            return Picture(dice=list(faces), choose=3)
        case c.Both(left, c.Not()):
            return _painted(left)
        case _:
            return Picture()
