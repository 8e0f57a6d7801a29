"""Format fractions for people: percentages, decimals and odds, each with its exact value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitbook.money import Odds, Wording

if TYPE_CHECKING:
    from collections.abc import Collection
    from fractions import Fraction

EXACT_SHORT = 15
"""A longer fraction does not fit below its percentage."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in a table: rounded, and exact."""

    text: str
    exact: str = ""
    value: float = 0.0
    """The sort key."""

    @property
    def short(self) -> bool:
        """Whether the exact value has room beside the text."""
        return len(self.exact) <= EXACT_SHORT


def percentage(value: Fraction) -> Figure:
    """Return four decimals, or three significant figures of smaller numbers.

    >>> from fractions import Fraction
    >>> percentage(Fraction(7, 24)).text, percentage(Fraction(-1, 8)).text, percentage(Fraction(1, 300_000)).text
    ('29.1667\\xa0%', '−12.5000\\xa0%', '0.000333\\xa0%')
    """
    if not value:
        return Figure("0", "0")
    percent = float(value) * 100
    return Figure(f"{_signed(_decimals(percent, 4))}\N{NO-BREAK SPACE}%", str(value), percent)


def percentage_of(value: float) -> Figure:
    """Return a share that is not exact, with two decimals."""
    return Figure(f"{_signed(f'{value * 100:,.2f}')}\N{NO-BREAK SPACE}%", "", value * 100)


def decimal(value: Fraction | float, places: int) -> Figure:
    """Return a number with so many decimals."""
    return Figure(_signed(f"{float(value):,.{places}f}"), str(value), float(value))


def break_even(gain: Fraction, odds: Odds, wordings: Collection[Wording]) -> Figure:
    """Return the odds at which an edge would be zero, worded like the odds that are paid.

    >>> from fractions import Fraction
    >>> break_even(Fraction(36, 5), Odds.for_one(5), [Wording.FOR]).text
    '8.2 for 1'
    """
    if gain <= 0:
        return Figure("none", f"{gain} to 1", float(gain))  # the player is ahead whatever the row pays
    wording = odds.wording if odds.wording in wordings else next(iter(wordings))
    pays = gain + 1 if wording is Wording.FOR else gain
    number = _signed(f"{float(pays):,.4f}".rstrip("0").rstrip("."))
    text = f"1 wins {number}" if wording is Wording.WIN else f"{number} {wording} 1"
    return Figure(text, f"{gain} to 1", float(gain))


def _decimals(number: float, places: int) -> str:
    if number and abs(number) < 100 * 10.0**-places:
        digits = places
        while digits < 30 and abs(number) * 10**digits < 100:
            digits += 1
        return f"{number:.{digits}f}"
    return f"{number:,.{places}f}"


def _signed(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")
