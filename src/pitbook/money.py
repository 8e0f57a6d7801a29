"""Odds with their wording, amounts in minor units, and the only rounding."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, NewType

from pitbook.currencies import find_decimals, format_amount
from pitbook.errors import InputError, quoted

if TYPE_CHECKING:
    from collections.abc import Collection

Cents = NewType("Cents", int)
"""Minor units of the table's currency."""


class Wording(StrEnum):
    """The word between the two numbers of odds."""

    TO = "to"
    WIN = "win"
    FOR = "for"


@dataclass(frozen=True, slots=True, repr=False)
class Odds:
    """The payoff of a pay table's row for each unit staked.

    `gain` excludes the stake: 34 at "34 to 1", 39 at "40 for 1", 0 for a push, -1 for a loss. Odds that pay the same
    are equal; the wording only affects printing.

    >>> Odds.to_one(34) == Odds.for_one(35)
    True
    >>> str(Odds.parse("40 for 1")), Odds.parse("40 for 1").gain
    ('40 for 1', Fraction(39, 1))
    """

    gain: Fraction
    wording: Wording = field(default=Wording.TO, compare=False)
    commission: Fraction = field(default=Fraction(0), compare=False)
    """The commission for each unit staked, already deducted from the gain; printed odds exclude it."""

    def __repr__(self) -> str:
        return f"<Odds {self}>"

    @classmethod
    def to_one(cls, pays: int) -> Odds:
        """Return "N to 1" odds, which exclude the stake."""
        return cls(Fraction(pays))

    @classmethod
    def for_one(cls, pays: int) -> Odds:
        """Return "N for 1" odds, which include the stake."""
        return cls(Fraction(pays) - 1, Wording.FOR)

    @classmethod
    def parse(cls, text: str) -> Odds:
        """Parse printed odds: "34 to 1", "1 to 10", "45,000 for 1", "1 wins 34", "push", "lose"."""
        words = " ".join(text.lower().split())
        if words in _FIXED:
            return _FIXED[words]
        if found := re.fullmatch(rf"{_FIGURE} (to|for) {_FIGURE}", words, re.ASCII):
            pays, word, stake = _whole(found[1]), found[2], _whole(found[3])
        elif found := re.fullmatch(rf"{_FIGURE} wins? {_FIGURE}", words, re.ASCII):
            pays, word, stake = _whole(found[2]), "win", _whole(found[1])
        else:
            raise InputError("money.not-odds", text=quoted(text))
        if not pays or not stake:
            raise InputError("money.zero-odds", text=quoted(text))
        if word == "for" and pays <= stake:
            raise InputError("money.for-odds", text=quoted(text))
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
        """Format the odds in their own wording if a book allows it, else in the first that it allows.

        >>> Odds.for_one(40).printed([Wording.TO, Wording.WIN])
        '39 to 1'
        """
        return self._worded(self.worded(wordings)[0])

    def worded(self, wordings: Collection[Wording]) -> tuple[Wording, Fraction]:
        """Return the wording for a book that allows `wordings`, and the number it prints for one unit staked.

        >>> Odds.for_one(40).worded([Wording.FOR])
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
"""A number of up to twelve digits, with or without thousands separators."""


def _whole(digits: str) -> int:
    return int(digits.replace(",", ""))


class Favour(StrEnum):
    """In whose favour a fraction of a minor unit is rounded."""

    PLAYER = "player"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class Payment:
    """The net gain of a settled stake (negative: a loss), and what rounding added to it."""

    net: Cents
    rounding: Fraction = Fraction(0)


def settle_stake(stake: Cents, odds: Odds, favour: Favour, unit: int = 1) -> Payment:
    """Return the net gain of a stake: the only place where money is rounded.

    If the book's odds are a minimum, paying less would violate it, so the favour is the player's. Winnings are rounded
    to multiples of the unit, losses to minor units.

    >>> settle_stake(Cents(25), Odds.parse("1 to 10"), Favour.PLAYER)
    Payment(net=3, rounding=Fraction(1, 2))
    """
    exact = stake * odds.gain
    to = unit if exact > 0 else 1
    net = exact.numerator // (exact.denominator * to) * to
    if favour is Favour.PLAYER and net != exact:
        net += to
    return Payment(Cents(net), net - exact)


def decimals_of(currency: str) -> int:
    """Return the number of decimals of an ISO 4217 currency.

    >>> decimals_of("USD"), decimals_of("JPY")
    (2, 0)
    """
    decimals = find_decimals(currency)
    if decimals is None:
        raise InputError("money.not-a-currency", currency=quoted(currency))
    return decimals


def format_exact(amount: Fraction, decimals: int = 2) -> str:
    """Format an exact amount of minor units in major units, as a decimal if it terminates, else as a fraction.

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
    """Parse an amount into minor units.

    >>> parse_amount("2.50")
    250
    """
    found = re.fullmatch(r"(\d+)(?:\.(\d+))?", text.strip(), re.ASCII)
    part = (found[2] or "").rstrip("0") if found else ""
    if not found or len(part) > decimals:
        raise InputError("money.not-an-amount", text=quoted(text), decimals=decimals)
    digits = found[1].lstrip("0") + part.ljust(decimals, "0")
    if len(digits) > 15 or not int(digits or 0):
        raise InputError("money.amount-range", text=quoted(text))
    return Cents(int(digits))


def parse_share(text: str, name: str) -> Fraction:
    """Parse a share such as 8%, 8 %, 0.08 or 2/25; `name` identifies it in errors.

    >>> parse_share("8%", "--target-edge")
    Fraction(2, 25)
    """
    bare = text.strip().removesuffix("%").strip()
    try:
        # Not all that Fraction accepts: 1e999999999 would be expanded to its last digit.
        value = Fraction(bare if re.fullmatch(r"[+-]?[\d./]{1,40}", bare, re.ASCII) else "")
    except (ValueError, ZeroDivisionError):
        raise InputError("money.not-a-share", name=name, text=quoted(text)) from None
    share = value / 100 if "%" in text else value
    if not -1 <= share <= 1:
        raise InputError("money.share-range", name=name, text=quoted(text))
    return share


def read_share(value: Fraction | float | str, name: str) -> Fraction:
    """Return a share that was written as text, or a number; floats count as they are written.

    >>> read_share("8%", "edge"), read_share(0.08, "edge")
    (Fraction(2, 25), Fraction(2, 25))
    """
    if isinstance(value, str):
        return parse_share(value, name)
    try:
        return Fraction(str(value))
    except ValueError:
        raise InputError("money.not-a-number", name=name, value=quoted(value)) from None
