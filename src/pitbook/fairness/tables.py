"""The alternatives compiled: for every roll one row to add to the logarithms of the wealth.

The stake of one is divided equally among the kinds of unfairness, and within each kind by its shares. The places are,
in this order: the concentrations of the common face distribution, then alternatives about the throw alone, then those
that depend on the previous throw.

Dice may go wrong later, or be exchanged. Therefore half of the stake on all but the common distribution is held back at
first and comes in throw by throw: it bets on dice that were fair so far.
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
"""The version of the alternatives and their shares; a watch belongs to the tables that it was started with."""

COMMON = "common face law"

RESERVED_SHARE = 0.5
"""The share that is reserved at first."""
PACE = 1000
"""After so many throws half of that has been released, after twice as many two thirds: about a day of one table, with
a tail so long that a set in use for a month is still watched."""


def reserved_share(throws: int) -> float:
    """Return the share that is still reserved after so many throws."""
    return RESERVED_SHARE * PACE / (PACE + throws)


def released_share(throws: int) -> float:
    """Return the share that is released after so many throws, for the following ones."""
    return RESERVED_SHARE * PACE / ((PACE + throws) * (PACE + throws + 1))


@dataclass(frozen=True)
class Tables:
    """All that a watch looks up, for so many dice."""

    dice: int
    names: tuple[str, ...]
    """The kinds of unfairness, in the order of their places."""
    parts: tuple[slice, ...]
    """The places of each kind."""
    stakes: Numbers
    """The logarithm of the total stake on each place; the stakes sum to one."""
    first: Numbers
    """The logarithm of the initial stake on each place."""
    alone: Numbers
    """By roll: what to add to the places between the common distribution and the serial ones."""
    serial: Numbers
    """By previous roll and roll: what to add to the last places; the last row is for the first roll."""
    index: dict[tuple[int, ...], int]
    """A roll's place in `rolls(dice)`, by its faces in any order."""
    faces: tuple[tuple[int, ...], ...]
    """By roll: its faces, from 0."""

    @property
    def no_roll(self) -> int:
        """The place of the roll before the first."""
        return len(self.faces)


@cache
def compiled_tables(dice: int) -> Tables:
    """Return the tables for two or three dice, compiled once."""
    if isinstance(dice, bool) or dice not in (2, 3):
        raise InputError("fairness.dice", dice=quoted(dice))
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
        np.log(np.where(np.arange(len(stakes)) < len(common), stakes, stakes * (1 - RESERVED_SHARE))),
        np.ascontiguousarray(np.log(np.concatenate([loaded.ratios, same.ratios])).T),
        np.ascontiguousarray(np.concatenate([np.log(serial.ratios).transpose(1, 2, 0), nothing])),
        {order: place for place, faces in enumerate(every) for order in set(permutations(faces))},
        tuple(tuple(face - 1 for face in faces) for faces in every),
    )


def roll_place(table: Tables, faces: Sequence[int]) -> int:
    """Return the place of a roll, from its faces in any order."""
    try:
        return table.index[tuple(faces)]
    except (KeyError, TypeError):
        example = "-".join(map(str, FACES[: table.dice]))
        raise InputError("fairness.not-a-roll", faces=quoted(faces), dice=table.dice, example=example) from None
