"""Alternatives to fair dice: the ways in which dice go wrong, each a distribution of the next throw.

Every alternative is a likelihood ratio: the chance of a roll under it, divided by its chance with fair dice. The order
of entry does not identify a die, so all are about rolls and symmetric in the dice. Ratios are positive everywhere: one
throw never ruins an alternative.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from pitbook.dice import FACES, Roll, rolls, throws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pitbook.dice import Face

    Numbers = NDArray[np.float64]

FaceDistribution = tuple[float, ...]
"""The chance of each face, from 1 to 6."""

FAIR: FaceDistribution = (1 / 6,) * 6

CONCENTRATIONS = (2.0, 10.0, 50.0, 250.0, 1250.0)
"""Of the Dirichlet priors, for each face. A face's chance lies around 1/6 with deviations of about 0.10, 0.05, 0.02,
0.01 and 0.004: a gross bias is found at once, and a slight one is not given up in a long run."""

FAVOURED = (0.18, 0.20, 0.22, 0.25, 0.28, 0.32, 0.38, 0.45, 0.55)
"""The chance of one face of a loaded die; the other five share the rest."""
SHIFTED = (0.02, 0.05, 0.08, 0.11, 0.14)
"""The probability that a weight moves from a face to the opposite one."""
FLAT = (0.11, 0.14, 0.19, 0.22, 0.26, 0.32)
"""The chance of each of two opposite faces of a die that is not a cube."""
CORNER = (0.20, 0.24, 0.30)
"""The chance of each of three adjacent faces: a weighted corner, or nearly a die that has these faces twice."""

ALL_SAME = {2: (1.1, 1.2, 1.4, 1.7, 2.2, 3.0), 3: (1.2, 1.5, 2.0, 3.0, 5.0, 10.0)}
"""How many times too often all dice show one number, whichever; by dice."""
ONE_SAME = {2: (1.25, 1.5, 2.0, 3.0, 6.0), 3: (1.5, 2.5, 5.0, 10.0, 20.0)}
"""How many times too often all dice show one particular number."""

STAYING = (0.005, 0.02, 0.05, 0.10, 0.20, 0.40, 0.70)
"""The chance that a die repeats its face, die by die: a lazy shaker, a slid die."""
AVOIDING = (-0.02, -0.05, -0.10, -0.18)
"""Negative: the previous face comes up too rarely (at -0.20 never)."""
TURNING = (0.03, 0.08, 0.20, 0.50)
"""The chance that a die shows the face opposite to the previous one."""
REPEATING = (0.01, 0.03, 0.10, 0.30)
"""The chance that the whole throw repeats: not shaken at all, or entered twice."""


@dataclass(frozen=True)
class Alternatives:
    """One kind of unfairness: its likelihood ratios, a row for each degree, and the share staked on each row."""

    name: str
    ratios: Numbers
    """By degree and roll; for serial dependence by degree, previous roll and roll."""
    shares: Numbers
    """Sum to one."""


def _equal_shares(groups: Sequence[int]) -> Numbers:
    """Return equal shares for the groups, and within each group for its rows."""
    return np.concatenate([np.full(size, 1 / size / len(groups)) for size in groups])


def favour_faces(chance: float, *faces: int) -> FaceDistribution:
    """Return the distribution in which each of these faces has this chance and the others share the rest."""
    rest = (1 - chance * len(faces)) / (6 - len(faces))
    return tuple(chance if face in faces else rest for face in FACES)


def weight_face(shift: float, face: int) -> FaceDistribution:
    """Return the distribution of a die whose face comes up more often by so much, its opposite less often.

    >>> [round(chance, 3) for chance in weight_face(0.05, 6)]
    [0.117, 0.167, 0.167, 0.167, 0.167, 0.217]
    """
    return tuple(1 / 6 + shift * ((other == face) - (other == 7 - face)) for other in FACES)


def loaded_distributions() -> list[list[FaceDistribution]]:
    """Return how one die may be loaded, by kind; every face is treated alike."""
    return [
        [favour_faces(chance, face) for chance, face in product(FAVOURED, FACES)],
        [weight_face(shift, face) for shift, face in product(SHIFTED, FACES)],
        [favour_faces(chance, face, 7 - face) for chance, face in product(FLAT, FACES[:3])],
        [favour_faces(chance, *corner) for chance in CORNER for corner in product((1, 6), (2, 5), (3, 4))],
    ]


def one_loaded_die(dice: int) -> Alternatives:
    """Return the alternatives in which one unknown die has its own distribution; the others are fair.

    With the loaded die in the place i an ordered throw is 6 p(x_i) times as likely as with fair dice. A roll does not
    tell i, so the ratio is the average over the dice.
    """
    kinds = loaded_distributions()
    counts = np.array([[roll.count(face) for face in FACES] for roll in rolls(dice)])
    laws = np.array([law for kind in kinds for law in kind])
    return Alternatives("one loaded die", laws @ counts.T * 6 / dice, _equal_shares([len(kind) for kind in kinds]))


def excess_of_same(dice: int) -> Alternatives:
    """Return the alternatives in which all dice agree too often, in any face or in one; the rest is scaled."""
    same = np.array([roll.same for roll in rolls(dice)])
    first = np.array([roll.faces[0] for roll in rolls(dice)])
    any_face = [_tilted_ratios(dice, same, times) for times in ALL_SAME[dice]]
    one_face = [_tilted_ratios(dice, same & (first == face), times) for times, face in product(ONE_SAME[dice], FACES)]
    name = "excess triples" if dice == 3 else "excess doubles"
    return Alternatives(name, np.array(any_face + one_face), _equal_shares([len(any_face), len(one_face)]))


def _tilted_ratios(dice: int, favoured: NDArray[np.bool_], times: float) -> Numbers:
    chance = float(fair_chances(dice)[favoured].sum())
    return np.where(favoured, times, (1 - times * chance) / (1 - chance))


def serial_dependence(dice: int) -> Alternatives:
    """Return the alternatives in which dice repeat, avoid or turn their face, or the whole throw repeats."""
    every = rolls(dice)
    fair = fair_chances(dice)
    opposite = [every.index(Roll.of(*(7 - face for face in roll.faces))) for roll in every]
    stays = np.array([_staying_ratios(dice, chance) for chance in STAYING])
    avoids = np.array([_staying_ratios(dice, chance) for chance in AVOIDING])
    turns = np.array([_staying_ratios(dice, chance)[opposite] for chance in TURNING])
    repeats = np.array([(1 - chance) + chance * np.diag(1 / fair) for chance in REPEATING])
    kinds = [stays, avoids, turns, repeats]
    return Alternatives("serial dependence", np.concatenate(kinds), _equal_shares([len(kind) for kind in kinds]))


def _staying_ratios(dice: int, chance: float) -> Numbers:
    """Return ratios by previous roll and roll if each die stays with this chance.

    The dice are not identified: this is the average over all ways to match the dice of one roll with the other's.
    """
    return np.array([[_matched(before, roll, chance) for roll in rolls(dice)] for before in rolls(dice)])


def _matched(before: Roll, roll: Roll, chance: float) -> float:
    def ratio(was: Face, came: Face) -> float:
        return 1 - chance + 6 * chance * (was == came)

    ways = [prod(map(ratio, before.faces, order)) for order in permutations(roll.faces)]
    return sum(ways) / len(ways)


def fair_chances(dice: int) -> Numbers:
    """Return the chance of each roll with fair dice."""
    return np.array([roll.ways for roll in rolls(dice)]) / throws(dice)
