"""The watch over a set of dice: evidence against their fairness, valid after every throw.

A stake of one is bet against fair dice at odds that are fair if the dice are. The wealth is then a non-negative
martingale, and by Ville's inequality it ever reaches 1/level with a chance of at most `level`, however often one looks
and whenever one stops.
"""

from __future__ import annotations

from math import exp, inf, log
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from pitbook.errors import InputError, quoted
from pitbook.fairness.alternatives import CONCENTRATIONS
from pitbook.fairness.tables import COMMON, VERSION, Tables, compiled_tables, released_share, reserved_share, roll_place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.fairness.alternatives import Numbers

LEVEL = 0.001
"""An upper bound on the chance that fair dice ever cause an alarm, for each set."""
LARGEST = 1e300
"""The largest wealth as a plain number; its logarithm has no such limit."""
MARKS = 512
"""How many points of the curve are kept; then every second one is dropped, and the stride doubles."""
_NUMBERS = np.dtype("<f8")


class Watch(msgspec.Struct, frozen=True):
    """The evidence from the throws of one set. An immutable value that can be stored."""

    dice: int
    level: float
    version: int
    logs: bytes
    """The logarithm of the wealth in each place of the tables, as little-endian doubles."""
    counts: tuple[int, ...] = (0,) * 6
    """How often each face has come up."""
    throws: int = 0
    last: int = -1
    """The place of the last roll in `rolls(dice)`; negative before the first."""
    log_wealth: float = 0.0
    log_peak: float = 0.0
    alarm_at: int | None = None
    """The throw at which the wealth first reached 1/level."""
    stride: int = 1
    marks: tuple[float, ...] = (0.0,)
    """The logarithm of the wealth after throws 0, stride, 2 stride …"""

    @classmethod
    def start(cls, dice: int, level: float = LEVEL) -> Watch:
        """Return a watch over a new set of two or three dice."""
        return cls(dice, check_level(level), VERSION, compiled_tables(dice).first.astype(_NUMBERS).tobytes())

    def add_throw(self, faces: Sequence[int]) -> Watch:
        """Return the watch after one more throw, its faces in any order."""
        if self.version != VERSION:
            raise InputError("fairness.version", version=self.version, current=VERSION)
        table = compiled_tables(self.dice)
        roll = roll_place(table, faces)
        counts, logs = self._moved(table, roll)
        throws = self.throws + 1
        wealth = _sum_wealth(logs, (1 - 1 / len(table.names)) * reserved_share(throws))
        stride, marks = self._marked(throws, wealth)
        alarm = throws if self.alarm_at is None and wealth >= -log(self.level) else self.alarm_at
        peak = max(self.log_peak, wealth)
        level, version, stored_logs = self.level, self.version, logs.tobytes()
        return Watch(self.dice, level, version, stored_logs, counts, throws, roll, wealth, peak, alarm, stride, marks)

    def add_throws(self, rolls: Iterable[Sequence[int]]) -> Watch:
        """Return the watch after several throws, in their order."""
        watch = self
        for faces in rolls:
            watch = watch.add_throw(faces)
        return watch

    def _moved(self, table: Tables, roll: int) -> tuple[tuple[int, ...], Numbers]:
        logs = np.frombuffer(self.logs, _NUMBERS).copy()
        common, last = len(CONCENTRATIONS), table.parts[-1]
        counts, logs[:common] = _common(table, self.counts, roll, logs[:common])
        logs[common:] = np.logaddexp(logs[common:], table.stakes[common:] + log(released_share(self.throws)))
        logs[common : last.start] += table.alone[roll]
        logs[last] += table.serial[self.last, roll]  # -1, before the first roll, is the last row
        return counts, logs

    def _marked(self, throws: int, wealth: float) -> tuple[int, tuple[float, ...]]:
        if throws % self.stride:
            return self.stride, self.marks
        marks = (*self.marks, wealth)
        return (self.stride, marks) if len(marks) <= MARKS else (2 * self.stride, marks[::2])

    @property
    def wealth(self) -> float:
        """The current value of a stake of one: how many times likelier the throws are with unfair dice."""
        return plain_wealth(self.log_wealth)

    @property
    def peak(self) -> float:
        """The maximum of the wealth."""
        return plain_wealth(self.log_peak)

    @property
    def alarm(self) -> bool:
        """Whether the wealth has ever reached 1/level."""
        return self.alarm_at is not None

    @property
    def parts(self) -> dict[str, float]:
        """The logarithm of the wealth by kind of unfairness, for a stake of one; the wealth is their average."""
        table = compiled_tables(self.dice)
        logs = np.frombuffer(self.logs, _NUMBERS) + log(len(table.names))
        held = [0.0 if name == COMMON else reserved_share(self.throws) for name in table.names]
        return {
            name: _sum_wealth(logs[part], held_wealth)
            for name, part, held_wealth in zip(table.names, table.parts, held, strict=True)
        }

    def history(self, max_points: int = 200) -> list[tuple[int, float]]:
        """Return the points of a chart: the throw, and the wealth as a power of ten; the last throw is included."""
        if max_points < 2:
            raise InputError("fairness.points", points=quoted(max_points))
        step = -(-len(self.marks) // (max_points - 1))
        points = [(place * self.stride, self.marks[place] / log(10)) for place in range(0, len(self.marks), step)]
        if points[-1][0] != self.throws:
            points.append((self.throws, self.log_wealth / log(10)))
        return points


def _sum_wealth(logs: Numbers, held_wealth: float) -> float:
    """Return the logarithm of all this wealth together with what is held back."""
    greatest = max(float(logs.max()), log(held_wealth) if held_wealth else -inf)
    return greatest + log(float(np.exp(logs - greatest).sum()) + held_wealth * exp(-greatest))


def _common(table: Tables, counts: tuple[int, ...], roll: int, logs: Numbers) -> tuple[tuple[int, ...], list[float]]:
    """Bet on each die by the counts so far, including those of its own throw."""
    now, seen = list(counts), sum(counts)
    ratios = [1.0] * len(CONCENTRATIONS)
    for face in table.faces[roll]:
        ratios = [
            ratio * 6 * (prior + now[face]) / (6 * prior + seen)
            for ratio, prior in zip(ratios, CONCENTRATIONS, strict=True)
        ]
        now[face] += 1
        seen += 1
    return tuple(now), [before + log(ratio) for before, ratio in zip(logs.tolist(), ratios, strict=True)]


def plain_wealth(logarithm: float) -> float:
    """Return a wealth as a plain number, at most LARGEST."""
    return min(exp(min(logarithm, 700.0)), LARGEST)


def check_level(level: float) -> float:
    """Return a level between 0 and 1; raise an error for others."""
    if not 0 < level < 1:
        raise InputError("fairness.level", level=quoted(level), example=LEVEL)
    return float(level)


def false_alarms_per_year(level: float, sets_per_year: float) -> float:
    """Return how many alarms a year fair dice cause, at most and on average.

    >>> false_alarms_per_year(0.001, 365)
    0.365
    """
    if not 0 <= sets_per_year < inf:
        raise InputError("fairness.sets-a-year", sets=quoted(sets_per_year))
    return check_level(level) * sets_per_year
