"""The shooter's hand at craps: come-out roll, point, point made, seven-out."""

from __future__ import annotations

from typing import Any, NamedTuple


class Hand(NamedTuple):
    """Which totals become a point on a come-out roll, and which win for the pass line."""

    points: tuple[int, ...] = (4, 5, 6, 8, 9, 10)
    naturals: tuple[int, ...] = (7, 11)


def read_hand(text: dict[str, Any] | None) -> Hand:
    """Return the hand that a book states, or the usual one."""
    return Hand(tuple(text["points"]), tuple(text["naturals"])) if text else Hand()


def find_call(hand: Hand, point: int | None, total: int) -> tuple[int | None, str]:
    """Return the point after a roll, and the stick person's call."""
    if point is None:
        if total in hand.points:
            return total, "point set"
        return None, "natural" if total in hand.naturals else "craps"
    if total == 7:
        return None, "seven-out"
    return (None, "point made") if total == point else (point, "no decision")
