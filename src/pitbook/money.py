"""Odds that keep their wording, money in minor units, and the only rounding there is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NewType

from pitbook.errors import InputError, quoted

if TYPE_CHECKING:
    from collections.abc import Collection

Cents = NewType("Cents", int)
"""Minor units of the table's currency, whatever they are called there."""


class Wording(StrEnum):
    """The word between the two figures of the odds."""

    TO = "to"
    WIN = "win"
    FOR = "for"


@dataclass(frozen=True, slots=True)
class Odds:
    """What a row of a pay table gives for each unit staked.

    `gain` is what the player gains beside the stake: 34 at "34 to 1", 39 at "40 for 1", 0 for a push, -1 for a loss.
    Two odds are equal when they pay the same; the wording is kept for printing.

    >>> Odds.to_one(34) == Odds.for_one(35)
    True
    >>> str(Odds.parse("40 for 1")), Odds.parse("40 for 1").gain
    ('40 for 1', Fraction(39, 1))
    """

    gain: Fraction
    wording: Wording = field(default=Wording.TO, compare=False)
    commission: Fraction = field(default=Fraction(0), compare=False)
    """What the house has taken off the gain, for each unit staked; printed odds are those before it."""

    @classmethod
    def to_one(cls, pays: int) -> Odds:
        """So many to one: the stake comes back beside it."""
        return cls(Fraction(pays))

    @classmethod
    def for_one(cls, pays: int) -> Odds:
        """So many for one: the stake is among it."""
        return cls(Fraction(pays) - 1, Wording.FOR)

    @classmethod
    def parse(cls, text: str) -> Odds:
        """Odds as people print them: "34 to 1", "1 to 10", "45,000 for 1", "1 wins 34", "push", "lose"."""
        words = " ".join(text.lower().split())
        if words in _FIXED:
            return _FIXED[words]
        if found := re.fullmatch(rf"{_FIGURE} (to|for) {_FIGURE}", words, re.ASCII):
            pays, word, stake = _whole(found[1]), found[2], _whole(found[3])
        elif found := re.fullmatch(rf"{_FIGURE} wins? {_FIGURE}", words, re.ASCII):
            pays, word, stake = _whole(found[2]), "win", _whole(found[1])
        else:
            raise InputError(f'{quoted(text)} are not odds; write "34 to 1", "1 wins 34", "40 for 1", "push" or "lose"')
        if not pays or not stake:
            raise InputError(f'{quoted(text)} are not odds: neither figure may be 0; a stake given back is "push"')
        if word == "for" and pays <= stake:
            raise InputError(f'{quoted(text)} gives back no more than the stake; "for" odds include it. Is "to" meant?')
        return cls(Fraction(pays, stake) - (word == "for"), Wording(word))

    @property
    def wins(self) -> bool:
        """Whether the player gains."""
        return self.gain > 0

    @property
    def result(self) -> str:
        """ "win", "push" or "lose"."""
        return "win" if self.gain > 0 else "push" if self.gain == 0 else "lose"

    def printed(self, wordings: Collection[Wording]) -> str:
        """In its own wording if a book allows that, else in the first that the book allows.

        >>> Odds.for_one(40).printed([Wording.TO, Wording.WIN])
        '39 to 1'
        """
        return self._worded(self.told(wordings)[0])

    def told(self, wordings: Collection[Wording]) -> tuple[Wording, Fraction]:
        """The wording in which a book allows them, and what they name for one unit staked.

        >>> Odds.for_one(40).told([Wording.FOR])
        (<Wording.FOR: 'for'>, Fraction(40, 1))
        """
        wording = self.wording if self.wording in wordings else next(iter(wordings))
        return wording, self.gain + self.commission + (wording is Wording.FOR)

    def _worded(self, wording: Wording) -> str:
        if not self.wins:
            return self.result
        pays = self.gain + self.commission
        if wording is Wording.FOR:
            pays += 1
            return f"{pays.numerator:,} for {pays.denominator}"
        if wording is Wording.WIN:
            return f"{pays.denominator} wins {pays.numerator:,}"
        return f"{pays.numerator:,} to {pays.denominator}"

    def __str__(self) -> str:
        return self._worded(self.wording)


PUSH = Odds(Fraction(0))
LOSE = Odds(Fraction(-1))
_FIXED = {"push": PUSH, "lose": LOSE}
_FIGURE = r"(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})"
"""A figure of the odds, thousands with or without commas; none has more than twelve digits."""


def _whole(digits: str) -> int:
    return int(digits.replace(",", ""))


class Favour(StrEnum):
    """For whom a part of a cent is rounded."""

    PLAYER = "player"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class Payment:
    """What a settled stake gains (negative: loses), and what rounding added (positive) or cut off."""

    net: Cents
    rounding: Fraction = Fraction(0)


def settle_stake(stake: Cents, odds: Odds, favour: Favour, unit: int = 1) -> Payment:
    """Return what a stake gains. The one place where money is rounded, and only where the stake does not divide.

    Where the book's odds are a minimum, less would break it: up, in the player's favour. Otherwise down. Winnings are
    rounded to whole ones of the unit, losses to minor units.

    >>> settle_stake(Cents(25), Odds.parse("1 to 10"), Favour.PLAYER)
    Payment(net=3, rounding=Fraction(1, 2))
    """
    exact = stake * odds.gain
    to = unit if exact > 0 else 1
    net = exact.numerator // (exact.denominator * to) * to
    if favour is Favour.PLAYER and net != exact:
        net += to
    return Payment(Cents(net), net - exact)


@cache
def decimals_of(currency: str) -> int:
    """Return how many decimals a currency has, by ISO 4217.

    >>> decimals_of("USD"), decimals_of("JPY")
    (2, 0)
    """
    from iso4217 import Currency  # reads the whole list

    decimals = next((one.exponent for one in Currency if one.code == currency), None)
    if decimals is None:
        raise InputError(f"{quoted(currency)} is not a currency; write an ISO 4217 code like USD")
    return int(decimals)


def format_exact(amount: Fraction, decimals: int = 2) -> str:
    """An exact amount of minor units in major units: as a decimal where it ends, else as a fraction.

    >>> format_exact(Fraction(5, 2)), format_exact(Fraction(7, 3))
    ('0.025', '7/300')
    """
    exact = amount / 10**decimals
    for places in range(decimals, decimals + 7):
        scaled = exact * 10**places
        if scaled.denominator == 1:
            return format_amount(scaled.numerator, places)
    return f"{exact.numerator:,}/{exact.denominator:,}"


def parse_amount(text: str, decimals: int = 2) -> Cents:
    """An amount as people write it, in minor units.

    >>> parse_amount("2.50")
    250
    """
    found = re.fullmatch(r"(\d+)(?:\.(\d+))?", text.strip(), re.ASCII)
    part = (found[2] or "").rstrip("0") if found else ""
    if not found or len(part) > decimals:
        raise InputError(f"{quoted(text)} is not an amount; write it like 5 or 2.50, with at most {decimals} decimals")
    digits = found[1].lstrip("0") + part.ljust(decimals, "0")
    if len(digits) > 15 or not int(digits or 0):
        raise InputError(f"the amount {quoted(text)} must be more than 0 and less than 10 million million")
    return Cents(int(digits))


def parse_share(text: str, name: str) -> Fraction:
    """A share as people write it: 8%, 8 %, 0.08 or 2/25; `name` is what it is asked for as.

    >>> parse_share("8%", "--target-edge")
    Fraction(2, 25)
    """
    bare = text.strip().removesuffix("%").strip()
    try:
        # Not every text that Python takes for a fraction: 1e999999999 would be worked out to its last digit.
        value = Fraction(bare if re.fullmatch(r"[+-]?[\d./]{1,40}", bare, re.ASCII) else "")
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{name} {quoted(text)} is not a share; write it like 8% or 0.08") from None
    share = value / 100 if "%" in text else value
    if not -1 <= share <= 1:
        raise InputError(f"{name} {quoted(text)} is more than all of it; write it like 8% or 0.08")
    return share


def format_amount(amount: int, decimals: int = 2) -> str:
    """Minor units as people write them.

    >>> format_amount(123450), format_amount(-500)
    ('1,234.50', '-5.00')
    """
    whole, part = divmod(abs(amount), 10**decimals)
    sign = "-" if amount < 0 else ""
    return f"{sign}{whole:,}.{part:0{decimals}d}" if decimals else f"{sign}{whole:,}"
