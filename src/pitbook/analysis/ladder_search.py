"""The ladder of printable odds that comes closest to targets, of all ladders, with a proof.

A ladder is a pay for each row: odds `x to y` with y up to a limit, rising or in any order. How far it is from the
targets is its miss, in tolerances. The closest ladder is the one that, in this order,

1. has the least miss, where all ladders that meet the targets (a miss of 1 at most) are alike;
2. lies within the fewest steps of printable odds of the exact pays, counted on the row that is farthest off;
3. has the least miss of those.

Ladders within one step of the exact pays are searched, then within two, four and so on, until one of these proofs
holds:

- *met*: the targets are met;
- *neighbours*: of one row, the edge falls as the pay rises, and no odds lie between the two next to the exact pay;
- *lattice*: every edge of such odds is a multiple of one fraction, and none is nearer to the target;
- *all*: the search has come to every ladder that could be closer: in any other, one row alone takes the edge or the
  variance farther from its target than the best ladder is.

A search is complete. It goes row by row and drops a ladder only if the rows above cannot bring it back to the targets;
the last row follows from the others. Sums are floating-point numbers with a bound on their error, and whatever is
within that bound of the best is compared in fractions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from math import ceil, floor, gcd, inf, isqrt, lcm, prod
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

EDGE_TOLERANCE = Fraction(1, 1_000_000)
"""A house edge within 0.0001% of the target meets it, if it is the only target."""
EDGE_TOLERANCE_BESIDE = Fraction(1, 10_000)
"""Beside a variance, a house edge within 0.01 % meets it."""
VARIANCE_TOLERANCE = Fraction(1, 200)
"""A variance within half a per cent of the target meets it."""
LADDERS_MAX = 10_000_000
"""The most parts of ladders that one search looks at: less than a second."""
STEPS_MAX = 1 << 20
BLOCK = 1 << 18
SCALE = 10**9
"""Square roots are rounded up to a part of this."""

Gains = tuple[Fraction, ...]
Reason = Literal["met", "neighbours", "lattice", "all"]


class TooManyLaddersError(InputError):
    """A search that would take too long."""

    def __init__(self) -> None:
        super().__init__("analysis.too-many-ladders")


@dataclass(frozen=True)
class LadderTargets:
    """Targets for the pays of some rows, beside other rows that are not changed."""

    chances: Gains
    """Of the rows, from the lowest pay to the highest."""
    others_edge: Fraction
    """The house edge while the rows pay nothing."""
    others_square: Fraction
    """The mean square of the gain on the other rows."""
    edge: Fraction
    variance: Fraction | None = None
    denominators: int = 1
    rising: bool = True

    @property
    def edge_tolerance(self) -> Fraction:
        """How far an edge may be from the target that it meets."""
        return EDGE_TOLERANCE if self.variance is None else EDGE_TOLERANCE_BESIDE

    @property
    def mean(self) -> Fraction:
        """The average pay of the rows if the edge is the target."""
        return self.others_edge - self.edge

    def miss(self, gains: Gains) -> Fraction:
        """Return how far pays are from the targets, in tolerances."""
        edge = self.others_edge - _dot(self.chances, gains)
        off = abs(edge - self.edge) / self.edge_tolerance
        if self.variance is None:
            return off
        variance = self.others_square + _dot(self.chances, [gain**2 for gain in gains]) - edge**2
        return max(off, abs(variance - self.variance) / (self.variance * VARIANCE_TOLERANCE))

    @property
    def edge_step(self) -> Fraction:
        """A fraction of which the pays of all ladders together are multiples."""
        common = lcm(*(chance.denominator for chance in self.chances))
        whole = gcd(*(int(chance * common) for chance in self.chances))
        return Fraction(whole, common * lcm(*range(1, self.denominators + 1)))

    @property
    def least_miss(self) -> Fraction:
        """A miss that no ladder is below, because every edge is a multiple of the step."""
        off = self.mean % self.edge_step
        return min(off, self.edge_step - off) / self.edge_tolerance

    def bounds(self, miss: Fraction) -> list[tuple[Fraction, Fraction]]:
        """Return for each row the pays outside of which the edge or the variance alone is farther off than a miss."""
        least, off = Fraction(1, self.denominators), miss * self.edge_tolerance
        highs: list[Fraction] = []
        for row in range(len(self.chances)):
            # A rising ladder pays at least as much on all rows above.
            together = sum(self.chances[row:] if self.rising else self.chances[row : row + 1])
            others = sum(self.chances) - together
            high = (self.mean + off - others * least) / together
            highs.append(min(high, self._most_for_variance(row, miss) or high))
        found = []
        for row, high in enumerate(highs):
            together = sum(self.chances[: row + 1] if self.rising else self.chances[row : row + 1])
            apart = [*range(row + 1, len(highs))] if self.rising else [one for one in range(len(highs)) if one != row]
            others = sum((self.chances[one] * highs[one] for one in apart), Fraction(0))
            found.append((max(least, (self.mean - off - others) / together), high))
        return found

    def _most_for_variance(self, row: int, miss: Fraction) -> Fraction | None:
        """Return a pay above which a row is so far from those that are not changed that the variance is farther off."""
        chance, rest = self.chances[row], 1 - sum(self.chances)
        if self.variance is None or not rest:
            return None
        most = self.variance * (1 + miss * VARIANCE_TOLERANCE)
        # Two parts of a distribution, a and b, give it a variance of at least a b / (a + b) by their distance squared.
        squared = most * (chance + rest) / (chance * rest)
        return Fraction(isqrt(ceil(squared * SCALE**2)) + 1, SCALE) - self.others_edge / rest


def _dot(chances: Sequence[Fraction], gains: Sequence[Fraction]) -> Fraction:
    return sum((chance * gain for chance, gain in zip(chances, gains, strict=True)), Fraction(0))


class Found(NamedTuple):
    """The closest ladder and why none is closer."""

    gains: Gains
    miss: Fraction
    reason: Reason
    steps: int
    """On the row that is farthest from its exact pay."""
    lowest: Gains
    highest: Gains
    """Where ladders were searched, or for *all*, where those lie that could be closer."""
    ladders: int
    """How many ladders lie between."""


@dataclass(frozen=True, slots=True)
class Range:
    """Consecutive printable odds of a row."""

    numerators: Integers
    denominators: Integers

    @property
    def gains(self) -> Floats:
        """The pays as floating-point numbers."""
        return self.numerators / self.denominators

    def __len__(self) -> int:
        return len(self.numerators)

    def __getitem__(self, place: int) -> Fraction:
        return Fraction(int(self.numerators[place]), int(self.denominators[place]))

    def __iter__(self) -> Iterator[Fraction]:
        return map(Fraction, self.numerators.tolist(), self.denominators.tolist())

    def part(self, low: Fraction, high: Fraction) -> Range:
        """Return the odds from `low` to `high`, both included."""
        places = range(len(self))
        first = bisect_left(places, low, key=self.__getitem__)
        last = bisect_right(places, high, key=self.__getitem__)
        return Range(self.numerators[first:last], self.denominators[first:last])


def printable(low: Fraction, high: Fraction, denominators: int) -> Range:
    """Return all odds `x to y` with y up to a limit, from `low` to `high`, both included, ascending."""
    numerators, under = [], []
    for denominator in range(1, denominators + 1):
        several = np.arange(max(1, ceil(low * denominator)), floor(high * denominator) + 1, dtype=np.int64)
        several = several[np.gcd(several, denominator) == 1]
        numerators.append(several)
        under.append(np.full(len(several), denominator, dtype=np.int64))
    found = Range(np.concatenate(numerators), np.concatenate(under))
    order = np.argsort(found.gains)
    return Range(found.numerators[order], found.denominators[order])


def around(exact: Fraction, steps: int, denominators: int) -> Range:
    """Return the printable odds nearest to an exact pay: so many up to it and as many above, ascending.

    >>> list(map(str, around(Fraction(13, 12), 2, 6)))
    ['5/6', '1', '7/6', '6/5']
    """
    far = steps // _odds_between_integers(denominators) + 1
    near = printable(exact - far, exact + far, denominators)
    above = bisect_right(range(len(near)), exact, key=near.__getitem__)
    low, high = max(0, above - steps), above + steps
    return Range(near.numerators[low:high], near.denominators[low:high])


@cache
def _odds_between_integers(denominators: int) -> int:
    """Return how many printable odds lie from one integer up to the next, the first included."""
    return sum(gcd(one, under) == 1 for under in range(1, denominators + 1) for one in range(under))


def count_ladders(ranges: Sequence[Range], *, rising: bool) -> int:
    """Return how many ladders have one of these odds on each row."""
    if not rising:
        return prod(map(len, ranges))
    ending = [1] * len(ranges[0])
    for below, above in pairwise(ranges):
        so_far = [0, *accumulate(ending)]
        ending = [so_far[place] for place in np.searchsorted(below.gains, above.gains, side="right").tolist()]
    return sum(ending)


def closest_ladder(targets: LadderTargets, exact: Gains) -> Found:
    """Return the closest of all ladders, by the order above, and why none is closer."""
    goal = max(Fraction(1), targets.least_miss)

    def within(steps: int, miss: Fraction | None) -> list[Range]:
        ranges = [around(gain, steps, targets.denominators) for gain in exact]
        if miss is None:
            return ranges
        return [one.part(low, high) for one, (low, high) in zip(ranges, targets.bounds(miss), strict=True)]

    steps = 1
    best = _Search(targets, within(1, None), exact).closest(None)
    assert best is not None
    reason: Reason | None = None
    while reason is None:
        if best.miss <= goal:
            reason = "met" if best.miss <= 1 else "lattice"
        elif _covers(targets, exact, steps, best.miss):
            reason = "all"
        else:
            steps *= 2
            if steps > STEPS_MAX:
                raise TooManyLaddersError
            best = _Search(targets, within(steps, best.miss), exact).closest(best.miss) or best
    wanted = max(goal, best.miss)
    fewer = 0 if reason == "all" else steps // 2  # within so many steps there is none
    while steps - fewer > 1:
        middle = (steps + fewer) // 2
        nearer = _Search(targets, within(middle, wanted), exact).closest(wanted)
        if nearer is None:
            fewer = middle
        else:
            steps, best = middle, nearer
    if len(exact) == 1 and targets.variance is None:
        reason = "neighbours"
    if reason == "all":
        ranges = [printable(low, high, targets.denominators) for low, high in targets.bounds(best.miss)]
    else:
        ranges = within(steps, None)
    return Found(
        best.gains,
        best.miss,
        reason,
        steps,
        tuple(one[0] for one in ranges),
        tuple(one[-1] for one in ranges),
        count_ladders(ranges, rising=targets.rising),
    )


def _covers(targets: LadderTargets, exact: Gains, steps: int, miss: Fraction) -> bool:
    """Return whether all ladders that could have less than this miss lie within so many steps of the exact pays."""
    for gain, (low, high) in zip(exact, targets.bounds(miss), strict=True):
        near, more = (around(gain, far, targets.denominators) for far in (steps, steps + 1))
        if more[-1] <= high or low <= more[0] < near[0]:
            return False
    return True


class _Best(NamedTuple):
    miss: Fraction
    gains: Gains


class _Search:
    """A complete search of all ladders with one of some odds on each row."""

    def __init__(self, targets: LadderTargets, ranges: Sequence[Range], exact: Gains) -> None:
        self._targets, self._exact, self._ranges = targets, exact, ranges
        rows = range(len(ranges))
        self._order = list(rows) if targets.rising else sorted(rows, key=lambda row: len(ranges[row]))
        self._gains = [ranges[row].gains for row in self._order]
        self._chances = [float(targets.chances[row]) for row in self._order]
        self._edge_tolerance = float(targets.edge_tolerance)
        self._variance = None if targets.variance is None else float(targets.variance)
        self._variance_tolerance = float(VARIANCE_TOLERANCE) * (self._variance or 0)
        self._others_edge, self._others_square = float(targets.others_edge), float(targets.others_square)
        self._edge, self._mean = float(targets.edge), float(targets.mean)
        self._parts = 0
        self._nearly: list[tuple[Floats, Integers]] = []

    def closest(self, limit: Fraction | None) -> _Best | None:
        """Return the ladder of the least miss up to a limit, or None; of several the nearest to the exact pays."""
        if not all(map(len, self._ranges)):
            return None
        self._error = self._rounding()
        self._within = inf if limit is None else float(limit) * (1 + 2.0**-50) + self._error
        start = np.zeros(1)
        self._grow(start, start, np.zeros((1, 0), dtype=np.int64))
        nearly = {tuple(places) for offs, several in self._nearly for places in several[offs <= self._within].tolist()}
        found = [_Best(self._targets.miss(gains), gains) for gains in map(self._ladder, nearly)]
        return min(
            (one for one in found if limit is None or one.miss <= limit),
            key=lambda one: (one.miss, self._distance(one.gains), one.gains),
            default=None,
        )

    def _ladder(self, places: tuple[int, ...]) -> Gains:
        found = {row: self._ranges[row][place] for row, place in zip(self._order, places, strict=True)}
        return tuple(found[row] for row in sorted(found))

    def _distance(self, gains: Gains) -> Fraction:
        return sum((abs(gain / exact - 1) for gain, exact in zip(gains, self._exact, strict=True)), Fraction(0))

    def _rounding(self) -> float:
        """Return how far a miss in floating point can be from the exact one, generously."""
        most = sum(chance * gains[-1] for chance, gains in zip(self._chances, self._gains, strict=True))
        error = (abs(self._others_edge) + abs(self._edge) + most) / self._edge_tolerance
        if self._variance is not None:
            square = sum(chance * gains[-1] ** 2 for chance, gains in zip(self._chances, self._gains, strict=True))
            size = self._others_square + square + (abs(self._others_edge) + most) ** 2 + self._variance
            error += size / self._variance_tolerance
        return float((len(self._chances) + 8) * 2.0**-51 * error)

    def _grow(self, mean: Floats, square: Floats, places: Integers) -> None:
        """Continue with ladders that have these means, mean squares and places of odds on the rows so far."""
        row = places.shape[1]
        if row == len(self._gains) - 1:
            self._complete(mean, square, places)
            return
        gains, chance = self._gains[row], self._chances[row]
        block = max(1, BLOCK // len(gains))
        for first in range(0, len(mean), block):
            part = slice(first, first + block)
            self._parts += len(mean[part]) * len(gains)
            if self._parts > LADDERS_MAX:
                raise TooManyLaddersError
            means = mean[part, None] + chance * gains
            squares = square[part, None] + chance * gains**2
            feasible = self._reachable(row, means, squares)
            if self._targets.rising and row:
                feasible &= gains >= self._gains[row - 1][places[part, -1]][:, None]
            ladder, place = np.nonzero(feasible)
            if len(ladder):
                self._grow(
                    means[ladder, place],
                    squares[ladder, place],
                    np.concatenate([places[part][ladder], place[:, None]], axis=1),
                )

    def _reachable(self, row: int, mean: Floats, square: Floats) -> NDArray[np.bool_]:
        """Return whether the rows above could bring ladders that go up to a row back to the targets."""
        chances, gains = self._chances[row + 1 :], self._gains[row + 1 :]
        together = sum(chances)
        lowest = sum(chance * several[0] for chance, several in zip(chances, gains, strict=True))
        highest = sum(chance * several[-1] for chance, several in zip(chances, gains, strict=True))
        within = self._within + self._error
        off = within * self._edge_tolerance
        above = np.full(len(self._gains[row]), lowest)
        if self._targets.rising:
            above = np.maximum(above, together * self._gains[row])
        feasible: NDArray[np.bool_] = (mean + above <= self._mean + off) & (mean + highest >= self._mean - off)
        if self._variance is None or within == inf:
            return feasible
        spread = within * self._variance_tolerance
        # The rows so far and those that are not changed have their own variance; the others only add to it.
        own = square + self._others_square - (mean - self._others_edge) ** 2 / (1 - together)
        feasible &= own <= self._variance + spread
        most_edge, least_edge = abs(self._edge) + off, max(0.0, abs(self._edge) - off)
        # For a given mean, the mean square is least if all rows pay alike, and greatest if the rarest pays it all.
        least = np.maximum(0.0, self._mean - off - mean) ** 2 / together
        most = np.maximum(0.0, self._mean + off - mean) ** 2 / min(chances)
        feasible &= square + least <= self._variance + spread + most_edge**2 - self._others_square
        feasible &= square + most >= self._variance - spread + least_edge**2 - self._others_square
        return feasible

    def _complete(self, mean: Floats, square: Floats, places: Integers) -> None:
        """Put the best odds on the last row of ladders, and keep the ladders that are closest.

        Between two points where the miss can turn, it only rises or only falls: the best odds lie next to one of them.
        """
        gains, chance = self._gains[-1], self._chances[-1]
        low = np.zeros(len(mean), dtype=np.int64)
        if self._targets.rising and places.shape[1]:
            low = np.searchsorted(gains, self._gains[-2][places[:, -1]])
            possible = low < len(gains)
            mean, square, places, low = mean[possible], square[possible], places[possible], low[possible]
        last = np.full(len(mean), len(gains) - 1)
        several = [low, last]
        for point in self._turns(mean, square):
            at = np.searchsorted(gains, point)
            several += [np.clip(at + beside, low, last) for beside in (-2, -1, 0, 1)]
        for place in several:
            off = self._miss(mean + chance * gains[place], square + chance * gains[place] ** 2)
            if len(off):
                self._within = min(self._within, float(off.min()) + 2 * self._error)
            near = off <= self._within
            if near.any():
                self._nearly.append((off[near], np.concatenate([places[near], place[near, None]], axis=1)))

    def _turns(self, mean: Floats, square: Floats) -> Iterator[Floats]:
        """Yield the pays of the last row at which the miss of ladders can turn."""
        chance = self._chances[-1]
        yield (self._mean - mean) / chance
        if self._variance is None or chance == 1:
            return
        edge = self._others_edge - mean
        curve = chance - chance**2
        slope = 2 * chance * edge
        start = self._others_square + square - edge**2 - self._variance
        ratio = self._variance_tolerance / self._edge_tolerance
        for side in (0.0, ratio, -ratio):  # where the variance is the target, and where both are as far off
            turned = slope + side * chance
            root = np.sqrt(np.maximum(0.0, turned**2 - 4 * curve * (start + side * (mean - self._mean))))
            for sign in (-1.0, 1.0):
                yield (-turned + sign * root) / (2 * curve)

    def _miss(self, mean: Floats, square: Floats) -> Floats:
        off = np.abs(mean - self._mean) / self._edge_tolerance
        if self._variance is None:
            return off
        variance = self._others_square + square - (self._others_edge - mean) ** 2
        found: Floats = np.maximum(off, np.abs(variance - self._variance) / self._variance_tolerance)
        return found
