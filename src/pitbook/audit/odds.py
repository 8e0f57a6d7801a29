"""Odds, and what a stake gains by them in whole minor units."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple


class Odds(NamedTuple):
    """The gain of a stake of one: 34 at "34 to 1", 39 at "40 for 1", zero at a push, -1 at a loss."""

    gain: Fraction
    wording: str = "to"


LOSE = Odds(Fraction(-1))
PUSH = Odds(Fraction(0))


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
    gain, unit = odds.gain.numerator, odds.gain.denominator
    if wording == "win":
        return f"{unit} wins {gain:,}"
    return f"{gain + unit:,} for {unit}" if wording == "for" else f"{gain:,} to {unit}"


def compute_gain(stake: int, odds: Odds, *, at_least: bool) -> int:
    """Return the gain of a stake; fractions are rounded up if the odds are a minimum, else down."""
    whole, part = divmod(stake * odds.gain.numerator, odds.gain.denominator)
    return whole + 1 if part and at_least else whole
