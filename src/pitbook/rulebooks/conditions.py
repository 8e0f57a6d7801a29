"""The small language in which a rulebook says when a one-roll wager wins.

    total 4..10 and not triple
    total odd
    count(3) >= 2
    shows 1 and 2
    exactly 1 1 3
    three of 1 2 3 4
    total 6 and pair          (two dice)

Joined with `and`, `or`, `not` and parentheses. It is parsed into a value; nothing is ever evaluated as code.
"""

from __future__ import annotations

import operator
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from pitbook.dice import FACES, Roll, RollSet, roll_index, roll_sets
from pitbook.errors import InputError, quoted
from pitbook.messages import Message, compose

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Condition(ABC):
    """Something that a roll fulfils or not."""

    __slots__ = ()

    @abstractmethod
    def matching_rolls(self, dice: int) -> RollSet:
        """Return the rolls of so many dice that fulfil it."""

    def holds(self, roll: Roll) -> bool:
        """Return whether the roll fulfils it."""
        dice = len(roll.faces)
        return bool(self.matching_rolls(dice) >> roll_index(dice)[roll] & 1)


@dataclass(frozen=True, slots=True)
class Triple(Condition):
    """All dice show one number."""

    def matching_rolls(self, dice: int) -> RollSet:
        return roll_sets(dice).same


@dataclass(frozen=True, slots=True)
class Pair(Triple):
    """Both dice show one number."""


@dataclass(frozen=True, slots=True)
class TotalBetween(Condition):
    """The total is in a range, both ends included."""

    low: int
    high: int

    def matching_rolls(self, dice: int) -> RollSet:
        return sum(roll_sets(dice).totals[self.low : self.high + 1])


@dataclass(frozen=True, slots=True)
class TotalParity(Condition):
    """The total is odd (or even)."""

    odd: bool

    def matching_rolls(self, dice: int) -> RollSet:
        return sum(roll_sets(dice).totals[self.odd :: 2])


_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


@dataclass(frozen=True, slots=True)
class FaceCount(Condition):
    """A face shows on so many dice."""

    face: int
    comparison: str
    dice: int

    def matching_rolls(self, dice: int) -> RollSet:
        compares = _COMPARISONS[self.comparison]
        matching = roll_sets(dice).counts[self.face]
        return sum(those for count, those in enumerate(matching) if compares(count, self.dice))


@dataclass(frozen=True, slots=True)
class Shows(Condition):
    """Each of these numbers shows on at least one die."""

    faces: tuple[int, ...]

    def matching_rolls(self, dice: int) -> RollSet:
        sets = roll_sets(dice)
        found = sets.every
        for face in self.faces:
            found &= sum(sets.counts[face][self.faces.count(face) :])
        return found


@dataclass(frozen=True, slots=True)
class Exactly(Condition):
    """The dice show these numbers and no others."""

    faces: tuple[int, ...]

    def matching_rolls(self, dice: int) -> RollSet:
        return 1 << roll_index(dice)[Roll.of(*self.faces)]


@dataclass(frozen=True, slots=True)
class ThreeOf(Condition):
    """The dice show three different numbers, all among these."""

    faces: tuple[int, ...]

    def matching_rolls(self, dice: int) -> RollSet:
        return AnyOf(tuple(combinations(sorted(self.faces), 3))).matching_rolls(dice)


@dataclass(frozen=True, slots=True)
class AnyOf(Condition):
    """The dice show one of these sets of faces."""

    throws: tuple[tuple[int, ...], ...]

    def matching_rolls(self, dice: int) -> RollSet:
        return sum(Exactly(faces).matching_rolls(dice) for faces in self.throws)


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """The other does not hold."""

    inner: Condition

    def matching_rolls(self, dice: int) -> RollSet:
        return roll_sets(dice).every & ~self.inner.matching_rolls(dice)


@dataclass(frozen=True, slots=True)
class Both(Condition):
    """Both hold."""

    left: Condition
    right: Condition

    def matching_rolls(self, dice: int) -> RollSet:
        return self.left.matching_rolls(dice) & self.right.matching_rolls(dice)


@dataclass(frozen=True, slots=True)
class Either(Condition):
    """At least one holds."""

    left: Condition
    right: Condition

    def matching_rolls(self, dice: int) -> RollSet:
        return self.left.matching_rolls(dice) | self.right.matching_rolls(dice)


_TOKEN = re.compile(r"\s*(?:(\d+)|([a-z]+)|(\.\.|>=|<=|==|[()=<>]))", re.ASCII)
WORDS_MAX = 600
"""Enough to name every roll of three dice; a longer condition is a mistake, or an attack."""
NESTING_MAX = 50


class _Parser:
    """Recursive descent; `or` binds loosest, then `and`, then `not`."""

    def __init__(self, text: str, dice: int) -> None:
        self.text, self.dice = text, dice
        self.tokens: list[tuple[str, int]] = []
        self.depth = 0
        position, end = 0, len(text.rstrip())
        while position < end:
            if len(self.tokens) == WORDS_MAX:
                raise self._error_at(position, text[position:], "words-max", count=WORDS_MAX)
            found = _TOKEN.match(text, position)
            if not found:
                rest = text[position:].lstrip()
                raise self._error_at(len(text) - len(rest), rest.split(maxsplit=1)[0], "word-or-number")
            self.tokens.append((found[0].strip(), found.end() - len(found[0].strip())))
            position = found.end()
        self.at = 0

    def parse(self) -> Condition:
        condition = self._either()
        if self.at < len(self.tokens):
            raise self._expected("end-or-more")
        return condition

    def _either(self) -> Condition:
        left = self._both()
        while self._take("or"):
            left = Either(left, self._both())
        return left

    def _both(self) -> Condition:
        left = self._single()
        while self._take("and"):
            left = Both(left, self._single())
        return left

    def _single(self) -> Condition:
        if self._peek() in ("not", "("):
            return self._nested()
        if self.dice == 3 and self._take("triple"):
            return Triple()
        if self.dice == 2 and self._take("pair"):
            return Pair()
        if self._take("total"):
            return self._total()
        if self._take("count"):
            return self._count()
        if self._take("shows"):
            return Shows(self._faces(2, self.dice))
        if self._take("exactly"):
            return Exactly(self._faces(self.dice, self.dice))
        if self._take("three"):
            self._require("of")
            return ThreeOf(self._faces(3, 6, different=True))
        raise self._expected("condition")

    def _nested(self) -> Condition:
        if self.depth == NESTING_MAX:
            raise self._expected("nested-max", count=NESTING_MAX)
        self.depth += 1
        if self._take("not"):
            inner: Condition = Not(self._single())
        else:
            self._require("(")
            inner = self._either()
            self._require(")")
        self.depth -= 1
        return inner

    def _total(self) -> Condition:
        if self._take("odd"):
            return TotalParity(odd=True)
        if self._take("even"):
            return TotalParity(odd=False)
        low = self._number(self.dice, 6 * self.dice, "total")
        high = self._number(low, 6 * self.dice, "total") if self._take("..") else low
        return TotalBetween(low, high)

    def _count(self) -> Condition:
        self._require("(")
        face = self._number(1, 6, "face")
        self._require(")")
        sign = self._peek().replace("==", "=")
        if sign not in _COMPARISONS:
            raise self._expected("comparison")
        self.at += 1
        return FaceCount(face, sign, self._number(0, self.dice, "dice"))

    def _faces(self, fewest: int, most: int, *, different: bool = False) -> tuple[int, ...]:
        faces = [self._number(FACES[0], FACES[-1], "face")]
        while self._peek().isdigit() or (self._peek() == "and" and self._peek(1).isdigit()):
            self._take("and")
            faces.append(self._number(FACES[0], FACES[-1], "face"))
        if not fewest <= len(faces) <= most or (different and len(set(faces)) < len(faces)):
            if fewest == most:
                raise self._expected("faces", fewest=fewest, found=len(faces))
            id_ = "different-faces" if different else "faces-between"
            raise self._expected(id_, fewest=fewest, most=most, found=len(faces))
        return tuple(faces)

    def _number(self, low: int, high: int, what: str) -> int:
        token = self._peek()
        if not (token.isdigit() and len(token) < 4 and low <= int(token) <= high):
            raise self._expected(what, low=low, high=high)
        self.at += 1
        return int(token)

    def _peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens[place][0] if place < len(self.tokens) else ""

    def _take(self, word: str) -> bool:
        taken = self._peek() == word
        self.at += taken
        return taken

    def _require(self, word: str) -> None:
        if not self._take(word):
            raise self._expected("sign", sign=word)

    def _expected(self, what: str, /, **params: Any) -> InputError:
        found, position = self.tokens[self.at] if self.at < len(self.tokens) else ("", len(self.text))
        return self._error_at(position, found, what, **params)

    def _error_at(self, position: int, found: str, what: str, /, **params: Any) -> InputError:
        """Return the error for a place where something else is expected than what is found, if anything."""
        expected = compose(f"errors.books.expected.{what}", **params)
        there = quoted(found) if found else Message("errors.books.expected.the-end")
        return InputError(
            "rulebooks.condition", text=quoted(self.text), column=position + 1, expected=expected, found=there
        )


@lru_cache(maxsize=2048)
def parse_condition(text: str, dice: int) -> Condition:
    """Return the condition that a text states; raise an error that says where it is wrong.

    >>> parse_condition("total 4..10 and not triple", 3).holds(Roll.of(1, 2, 3))
    True
    """
    return _Parser(text, dice).parse()
