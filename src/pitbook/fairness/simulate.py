"""Simulate dice with known faults, to measure how often and how soon the watch finds them.

It reads the same tables as the watch, for many sets at once; a test compares both.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from pitbook.errors import InputError, quoted
from pitbook.fairness.alternatives import CONCENTRATIONS, FAIR, FaceDistribution
from pitbook.fairness.tables import Tables, compiled_tables, released_share, reserved_share
from pitbook.fairness.watch import LEVEL, check_level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from pitbook.fairness.alternatives import Numbers

BATCH = 250
"""Sets thrown side by side: their wealth fits into the processor's cache."""


class DiceDistribution(msgspec.Struct, frozen=True):
    """The distribution of a set of dice."""

    faces: tuple[FaceDistribution, ...]
    """The chances of the faces of each die."""
    agree: float = 0.0
    """The chance that all dice show what the first one shows."""
    stay: float = 0.0
    """The chance that a die repeats its face."""
    since: int = 0
    """The throw after which this applies; until then the dice are fair."""

    def __post_init__(self) -> None:
        compiled_tables(len(self.faces))
        for distribution in self.faces:
            if len(distribution) != 6 or min(distribution) < 0 or abs(sum(distribution) - 1) > 1e-9:
                raise InputError("fairness.distribution", law=quoted(distribution))


class Finding(msgspec.Struct, frozen=True):
    """The result of watching simulated sets."""

    runs: int
    throws: int
    found_at: tuple[int, ...]
    """The throw of each alarm, in ascending order."""

    @property
    def rate(self) -> float:
        """The share of sets with an alarm."""
        return len(self.found_at) / self.runs

    @property
    def median_throws(self) -> float | None:
        """The throw by which half of the alarms were raised."""
        return median(self.found_at) if self.found_at else None


def fair_dice(dice: int) -> DiceDistribution:
    """Return the distribution of fair dice."""
    return DiceDistribution((FAIR,) * dice)


def one_loaded(dice: int, distribution: FaceDistribution, since: int = 0) -> DiceDistribution:
    """Return the distribution with one loaded die; the others are fair."""
    return DiceDistribution((distribution, *(FAIR,) * (dice - 1)), since=since)


def throw_dice(
    distribution: DiceDistribution, throws: int, runs: int, chance: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Yield, throw by throw, the faces (from 0) of each run and die."""
    dice = len(distribution.faces)
    bounds = np.cumsum(distribution.faces, axis=1)[:, :-1]
    before = np.zeros((runs, dice), dtype=np.int64)
    for throw in range(throws):
        if throw < distribution.since:
            before = chance.integers(0, 6, (runs, dice))
        else:
            faces = (chance.random((runs, dice))[..., None] >= bounds).sum(axis=2)
            if distribution.agree:
                faces = np.where(chance.random((runs, 1)) < distribution.agree, faces[:, :1], faces)
            if distribution.stay and throw:
                faces = np.where(chance.random((runs, dice)) < distribution.stay, before, faces)
            before = faces
        yield before


def simulate(distribution: DiceDistribution, throws: int, runs: int, seed: int, level: float = LEVEL) -> Finding:
    """Watch so many sets of these dice, each for so many throws or until its alarm."""
    if throws < 1 or runs < 1:
        raise InputError("fairness.runs", runs=quoted(runs), throws=quoted(throws))
    chance = np.random.default_rng(seed)
    sizes = [min(BATCH, runs - start) for start in range(0, runs, BATCH)]
    found = [at for size in sizes for at in _alarms(distribution, throws, size, chance, check_level(level))]
    return Finding(runs, throws, tuple(sorted(found)))


def _alarms(
    distribution: DiceDistribution, throws: int, runs: int, chance: np.random.Generator, level: float
) -> list[int]:
    sets, going, found = WatchedSets(len(distribution.faces), runs), np.arange(runs), []
    for throw, faces in enumerate(throw_dice(distribution, throws, runs, chance), 1):
        quiet = sets.add_throws(faces[going]) < 1 / level
        if not quiet.all():
            found += [throw] * int((~quiet).sum())
            sets.keep(quiet)
            going = going[quiet]
        if not len(going):
            break
    return found


class WatchedSets:
    """The wealth of many sets at once, as plain numbers."""

    def __init__(self, dice: int, runs: int) -> None:
        self.table: Tables = compiled_tables(dice)
        self.wealth: Numbers = np.tile(np.exp(self.table.first), (runs, 1))
        self.stakes: Numbers = np.exp(self.table.stakes[len(CONCENTRATIONS) :])
        self.throws = 0
        self.counts = np.zeros((runs, 6), dtype=np.int64)
        self.last = np.full(runs, self.table.no_roll)
        self.alone, self.serial = np.exp(self.table.alone), np.exp(self.table.serial)
        self.places = np.zeros((6,) * dice, dtype=np.int64)
        for faces, place in self.table.index.items():
            self.places[tuple(face - 1 for face in faces)] = place

    def add_throws(self, faces: NDArray[np.int64]) -> Numbers:
        """Add a throw of every set; return the wealth of each."""
        common, last = len(CONCENTRATIONS), self.table.parts[-1]
        place = self.places[tuple(faces.T)]
        self.wealth[:, :common] *= self._common(faces)
        self.wealth[:, common:] += self.stakes * released_share(self.throws)
        self.wealth[:, common : last.start] *= self.alone[place]
        self.wealth[:, last] *= self.serial[self.last, place]
        self.last = place
        self.throws += 1
        return np.asarray(self.wealth.sum(axis=1) + self.stakes.sum() * reserved_share(self.throws))

    def keep(self, going: NDArray[np.bool_]) -> None:
        """Drop other sets, whose wealth might overflow."""
        self.wealth, self.counts, self.last = self.wealth[going], self.counts[going], self.last[going]

    def _common(self, faces: NDArray[np.int64]) -> Numbers:
        prior = np.array(CONCENTRATIONS)
        ratio, every = np.ones((len(faces), len(prior))), np.arange(len(faces))
        seen = self.throws * faces.shape[1]
        for die in range(faces.shape[1]):
            ratio *= 6 * (prior + self.counts[every, faces[:, die], None]) / (6 * prior + seen + die)
            self.counts[every, faces[:, die]] += 1
        return ratio
