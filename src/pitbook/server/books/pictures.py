"""Pictures on the areas of a layout, derived from how each wager is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pitbook.dice import rolls
from pitbook.rulebooks import conditions as c
from pitbook.rulebooks.wagers import FIXED_ROWS, PUSH_ROW, Collect, Pattern, Phases, Repeat
from pitbook.server.schemas.wagers import Picture

if TYPE_CHECKING:
    from pitbook.dice import Roll
    from pitbook.rulebooks.conditions import Condition
    from pitbook.rulebooks.wagers import Spec


def build_picture(spec: Spec, dice: int) -> Picture:
    """Return what an area shows besides its name and its odds.

    >>> from pitbook.rulebooks.conditions import parse_condition
    >>> build_picture(Pattern((("win", parse_condition("count(3) >= 2", 3)),)), 3).dice
    [3, 3]
    >>> build_picture(Pattern((("win", parse_condition("total 11", 2)),)), 2).dice
    [5, 6]
    """
    match spec:
        case Pattern() if spec.rows and dice == 2:
            return _one_roll_picture(frozenset(roll for _, condition in spec.rows for roll in _reached(condition)))
        case Phases():
            return _phases_picture(spec)
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
    bars: list[int] | None = None,
) -> Picture:
    return Picture(dice or [], choose, total, low, high, numbers or [], times, parity, bars or [])


def _reached(condition: Condition) -> frozenset[Roll]:
    return frozenset(roll for roll in rolls(2) if condition.holds(roll))


def _faces(found: frozenset[Roll]) -> list[int]:
    """Return the faces of the only roll; empty where there are several."""
    return [int(face) for roll in found for face in roll.faces] if len(found) == 1 else []


def _one_roll_picture(winning: frozenset[Roll]) -> Picture:
    """Return the one roll that wins, or the totals that do."""
    totals = {roll.total for roll in winning}
    if len(winning) == 1 or winning != {roll for roll in rolls(2) if roll.total in totals}:
        return _picture(dice=_faces(winning))
    return _picture(total=min(totals)) if len(totals) == 1 else _picture(numbers=sorted(totals))


def _phases_picture(spec: Phases) -> Picture:
    """Return the one roll that wins in every phase, and the one that pushes on the come-out."""
    paying = [_reached(one) for _, rows in spec.phases for row, one in rows if row not in FIXED_ROWS]
    pushing = [_reached(one) for row, one in spec.rows_on(None) or () if row == PUSH_ROW]
    dice = _faces(paying[0]) if len(set(paying)) == 1 else []
    return _picture(dice=dice, bars=_faces(pushing[0]) if pushing else [])


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
