"""Odds, and what a stake gains by them in whole minor units."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

NOTHING = Fraction(0)


class Odds(NamedTuple):
    """The gain of a stake of one: 34 at "34 to 1", 39 at "40 for 1", zero at a push, -1 at a loss."""

    gain: Fraction
    """After the commission, if there is one."""
    wording: str = "to"
    commission: Fraction = NOTHING
    """The commission on a stake of one; printed odds are before commission."""


LOSE = Odds(Fraction(-1))
PUSH = Odds(NOTHING)


def read_odds(text: str) -> Odds:
    """Return odds as the books print them.

    >>> read_odds("45,000 for 1").gain
    Fraction(44999, 1)
    """
    plain = text.strip().lower().replace(",", "")
    if plain == "lose":
        return LOSE
    if plain == "push":
        return PUSH
    if found := re.fullmatch(r"(\d+)\s+wins?\s+(\d+)", plain):
        return Odds(Fraction(int(found[2]), int(found[1])), "win")
    found = re.fullmatch(r"(\d+)\s+(to|for)\s+(\d+)", plain)
    if not found:
        raise ValueError(f"{text!r} are no odds")
    pays = Fraction(int(found[1]), int(found[3]))
    return Odds(pays - 1, "for") if found[2] == "for" else Odds(pays)


def less_commission(odds: Odds, cost: Fraction) -> Odds:
    """Return odds after a commission, given as a share of the stake."""
    return Odds(odds.gain - cost, odds.wording, cost)


def format_odds(odds: Odds, wordings: tuple[str, ...]) -> str:
    """Return odds in their own wording if the book allows it, else in its first one.

    >>> format_odds(read_odds("40 for 1"), ("to",))
    '39 to 1'
    """
    if odds.gain < 0:
        return "lose"
    if not odds.gain:
        return "push"
    wording = odds.wording if odds.wording in wordings else wordings[0]
    pays = odds.gain + odds.commission
    gain, unit = pays.numerator, pays.denominator
    if wording == "win":
        return f"{unit} wins {gain:,}"
    return f"{gain + unit:,} for {unit}" if wording == "for" else f"{gain:,} to {unit}"


def compute_gain(stake: int, odds: Odds, *, at_least: bool, unit: int = 1) -> int:
    """Return the gain of a stake; fractions are rounded up if the odds are a minimum, else down.

    A win is rounded to whole ones of the unit, the smallest chip; a loss to minor units.
    """
    step = unit if odds.gain > 0 else 1
    whole, part = divmod(stake * odds.gain.numerator, odds.gain.denominator * step)
    return (whole + 1 if part and at_least else whole) * step
