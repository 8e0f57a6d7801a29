"""What is painted on an area of the layout, derived from how the wager is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pitbook.rulebooks import conditions as c
from pitbook.rulebooks.wagers import Collect, Pattern, Repeat
from pitbook.server.schemas.wagers import Picture

if TYPE_CHECKING:
    from pitbook.rulebooks.conditions import Condition
    from pitbook.rulebooks.wagers import Spec


def build_picture(spec: Spec) -> Picture:
    """Return what an area shows besides its name and its odds.

    >>> from pitbook.rulebooks.conditions import parse_condition
    >>> build_picture(Pattern((("win", parse_condition("count(3) >= 2", 3)),))).dice
    [3, 3]
    """
    match spec:
        case Pattern() if spec.rows:
            return _condition_picture(spec.rows[0][1])
        case Collect():
            return _picture(numbers=sorted(spec.numbers))
        case Repeat():
            return _picture(numbers=sorted(spec.numbers), times=spec.times)
        case _:
            return _picture()


def _picture(
    *,
    dice: list[int] | None = None,
    choose: int | None = None,
    total: int | None = None,
    low: int | None = None,
    high: int | None = None,
    numbers: list[int] | None = None,
    times: int | None = None,
    parity: Literal["odd", "even"] | None = None,
) -> Picture:
    return Picture(dice or [], choose, total, low, high, numbers or [], times, parity)


def _condition_picture(condition: Condition) -> Picture:
    """Return the picture of a wager's first row, which needs the least."""
    match condition:
        case c.TotalBetween(low, high):
            return _picture(total=low) if low == high else _picture(low=low, high=high)
        case c.TotalParity(odd):
            return _picture(parity="odd" if odd else "even")
        case c.FaceCount(face, comparison, dice) if comparison in ("=", ">="):
            return _picture(dice=[face] * dice)
        case c.Shows(faces) | c.Exactly(faces):
            return _picture(dice=list(faces))
        case c.ThreeOf(faces):
            return _picture(dice=list(faces), choose=3)
        case c.Both(left, c.Not()):
            return _condition_picture(left)
        case _:
            return _picture()
