"""The alternatives compiled: for every roll one row to add to the logarithms of the wealth.

The stake of one is divided equally among the kinds of unfairness, and within each kind by its shares. The places are,
in this order: the concentrations of the common face law, then what looks at the throw alone, then what looks at the
throw before as well.

Dice may go wrong later, or be exchanged. So half of what is staked on all but the common law is held back at first, and
comes in throw by throw: it bets on dice that were fair so far.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from pitbook.dice import FACES, rolls
from pitbook.errors import InputError, quoted
from pitbook.fairness.alternatives import CONCENTRATIONS, excess_of_same, one_loaded_die, serial_dependence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.fairness.alternatives import Numbers

VERSION = 1
"""Of the alternatives and their shares. A watch belongs to the tables that it was begun with."""

COMMON = "common face law"

KEPT = 0.5
"""The share that is held back at first."""
PACE = 1000
"""After so many throws half of that has come in, after twice as many two thirds: about a day of one table, with a tail
so long that a set in use for a month is still watched."""


def held_back(throws: int) -> float:
    """The share that is still held back after so many throws."""
    return KEPT * PACE / (PACE + throws)


def coming_in(throws: int) -> float:
    """The share that comes in after so many throws, for the next one and those that follow."""
    return KEPT * PACE / ((PACE + throws) * (PACE + throws + 1))


@dataclass(frozen=True)
class Tables:
    """All that a watch looks up, for so many dice."""

    dice: int
    names: tuple[str, ...]
    """The kinds of unfairness, in the order of their places."""
    parts: tuple[slice, ...]
    """Where each kind has its places."""
    stakes: Numbers
    """The logarithm of what is staked on each place in all. The stakes sum to one."""
    first: Numbers
    """The logarithm of what is staked on each place at once."""
    alone: Numbers
    """By roll: what to add to the places after the common law and before the serial ones."""
    serial: Numbers
    """By roll before and roll: what to add to the last places. The last row is for no roll before, and adds nothing."""
    index: dict[tuple[int, ...], int]
    """A roll's place in `rolls(dice)`, by its faces in any order."""
    faces: tuple[tuple[int, ...], ...]
    """By roll: its faces, counted from nought."""

    @property
    def no_roll(self) -> int:
        """Stands for the roll before the first."""
        return len(self.faces)


@cache
def tables(dice: int) -> Tables:
    """The tables for two or three dice, compiled once."""
    if isinstance(dice, bool) or dice not in (2, 3):
        raise InputError(f"cannot watch {quoted(dice)} dice; a watch is for 2 or 3")
    loaded, same, serial = one_loaded_die(dice), excess_of_same(dice), serial_dependence(dice)
    common = np.full(len(CONCENTRATIONS), 1 / len(CONCENTRATIONS))
    shares = [common, loaded.shares, same.shares, serial.shares]
    ends = np.cumsum([len(share) for share in shares]).tolist()
    nothing = np.zeros((1, len(rolls(dice)), len(serial.shares)))
    every = [tuple(roll.faces) for roll in rolls(dice)]
    stakes = np.concatenate(shares) / len(shares)
    return Tables(
        dice,
        (COMMON, loaded.name, same.name, serial.name),
        tuple(slice(start, end) for start, end in zip([0, *ends], ends, strict=False)),
        np.log(stakes),
        np.log(np.where(np.arange(len(stakes)) < len(common), stakes, stakes * (1 - KEPT))),
        np.ascontiguousarray(np.log(np.concatenate([loaded.ratios, same.ratios])).T),
        np.ascontiguousarray(np.concatenate([np.log(serial.ratios).transpose(1, 2, 0), nothing])),
        {order: place for place, faces in enumerate(every) for order in set(permutations(faces))},
        tuple(tuple(face - 1 for face in faces) for faces in every),
    )


def roll_place(table: Tables, faces: Sequence[int]) -> int:
    """The place of a roll, from its faces in any order."""
    try:
        return table.index[tuple(faces)]
    except (KeyError, TypeError):
        example = "-".join(map(str, FACES[: table.dice]))
        raise InputError(f"{quoted(faces)} is no roll of {table.dice} dice; give their faces, like {example}") from None
