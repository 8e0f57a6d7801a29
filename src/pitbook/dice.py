"""Faces, rolls and their exact weights.

Dice are indistinguishable: a roll is the multiset of faces, and its weight is the number of ordered throws that show
it. Two dice give 21 rolls (36 throws), three give 56 (216).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import factorial
from typing import NewType

from pitbook.errors import InputError, quoted

Face = NewType("Face", int)
Total = NewType("Total", int)

FACES: tuple[Face, ...] = tuple(Face(face) for face in range(1, 7))
SEVEN = Total(7)


@dataclass(frozen=True, slots=True, order=True)
class Roll:
    """The faces of two or three dice in ascending order.

    >>> Roll.of(3, 1, 1)
    Roll(faces=(1, 1, 3))
    >>> Roll.of(3, 1, 1).ways
    3
    """

    faces: tuple[Face, ...]

    @classmethod
    def of(cls, *faces: int) -> Roll:
        """Return the roll of faces in any order."""
        if not all(face in FACES for face in faces):
            raise InputError("money.not-faces", faces=quoted(faces))
        return cls(tuple(sorted(Face(face) for face in faces)))

    @property
    def total(self) -> Total:
        """The sum of the faces."""
        return Total(sum(self.faces))

    @property
    def ways(self) -> int:
        """The number of ordered throws that show these faces."""
        return _ways(self.faces)

    @property
    def same(self) -> bool:
        """Whether all dice show the same face (with three dice: a triple)."""
        return self.faces[0] == self.faces[-1]

    def count(self, face: int) -> int:
        """Return the number of dice that show a face."""
        return self.faces.count(Face(face))

    def __str__(self) -> str:
        return "-".join(map(str, self.faces))


@cache
def _ways(faces: tuple[Face, ...]) -> int:
    ways = factorial(len(faces))
    for face in set(faces):
        ways //= factorial(faces.count(face))
    return ways


@cache
def rolls(dice: int) -> tuple[Roll, ...]:
    """Return all rolls of a number of dice, ascending; a roll's position is its index in every table."""
    return tuple(Roll(faces) for faces in combinations_with_replacement(FACES, dice))


@cache
def roll_index(dice: int) -> dict[Roll, int]:
    """Return each roll's position in `rolls(dice)`."""
    return {roll: index for index, roll in enumerate(rolls(dice))}


RollSet = int
"""A set of rolls as bits: the first bit is the first of `rolls(dice)`."""


@dataclass(frozen=True, slots=True)
class RollSets:
    """The rolls of so many dice, indexed by what conditions ask for."""

    every: RollSet
    same: RollSet
    """All dice show one number."""
    totals: tuple[RollSet, ...]
    """[total]."""
    counts: tuple[tuple[RollSet, ...], ...]
    """[face][dice]: the face shows on exactly so many dice."""


@cache
def roll_sets(dice: int) -> RollSets:
    """Return the sets of rolls from which every condition is built."""
    every = same = 0
    totals = [0] * (6 * dice + 1)
    counts = [[0] * (dice + 1) for _ in range(7)]
    for index, roll in enumerate(rolls(dice)):
        bit, faces = 1 << index, roll.faces
        every |= bit
        same |= bit * (faces[0] == faces[-1])
        totals[sum(faces)] |= bit
        for face in FACES:
            counts[face][faces.count(face)] |= bit
    return RollSets(every, same, tuple(totals), tuple(map(tuple, counts)))


def throws(dice: int) -> int:
    """Return the number of ordered throws, which is the sum of all rolls' ways."""
    return int(6**dice)


def parse_roll(text: str, dice: int) -> Roll:
    """Parse a roll such as "1-2-3", "1 2 3", "1,2,3" or "123".

    >>> parse_roll("3-1-2", 3)
    Roll(faces=(1, 2, 3))
    """
    faces = re.findall(r"\d", text) if re.fullmatch(r"\s*\d([\s,\-]*\d)*\s*", text, re.ASCII) else []
    example = "-".join(map(str, FACES[:dice]))
    if len(faces) != dice:
        raise InputError("money.not-a-roll", text=quoted(text), dice=dice, example=example)
    wrong = [face for face in faces if not 1 <= int(face) <= 6]
    if wrong:
        raise InputError("money.no-such-face", text=quoted(text), face=wrong[0], example=example)
    return Roll.of(*map(int, faces))


def parse_rolls(text: str, dice: int) -> tuple[Roll, ...]:
    """Parse several rolls separated by spaces: "3-1 6-6 4-3"."""
    found = tuple(parse_roll(word, dice) for word in text.replace(";", " ").split())
    if not found:
        raise InputError("money.no-rolls", example=quoted(" ".join(["-".join(map(str, FACES[:dice]))] * 2)))
    return found
