"""Exact counts of simulated hands; tallies of parts add up to the tally of the whole."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Tally:
    """Counts of hands: how often each bet reached each end, and the net results."""

    hands: int = 0
    rolls: int = 0
    ends: tuple[tuple[int, ...], ...] = ()
    """How often each bet reached each end."""
    totals: Mapping[int, int] = field(default_factory=dict)
    """How many hands had each net result, all bets together, in minor units."""

    def __add__(self, other: Tally) -> Tally:
        if not other.hands:
            return self
        if not self.hands:
            return other
        ends = tuple(
            tuple(a + b for a, b in zip(mine, theirs, strict=True))
            for mine, theirs in zip(self.ends, other.ends, strict=True)
        )
        totals = Counter(self.totals)
        totals.update(other.totals)
        return Tally(self.hands + other.hands, self.rolls + other.rolls, ends, dict(sorted(totals.items())))

    @property
    def net(self) -> int:
        """The player's gain over all hands."""
        return sum(net * count for net, count in self.totals.items())

    @property
    def mean(self) -> Fraction:
        """The average gain of a hand."""
        return Fraction(self.net, self.hands)

    @property
    def variance(self) -> Fraction:
        """The variance of a hand's result, as simulated."""
        squares = sum(net * net * count for net, count in self.totals.items())
        return Fraction(squares, self.hands) - self.mean**2

    def share(self, low: int | None = None, high: int | None = None) -> Fraction:
        """Return the share of hands with a result between two values, both included."""
        found = sum(
            count for net, count in self.totals.items() if (low is None or net >= low) and (high is None or net <= high)
        )
        return Fraction(found, self.hands)

    def percentile(self, percent: float) -> int:
        """Return the lowest result that a percentage of the hands did not exceed."""
        wanted, seen = Fraction(str(percent)) / 100 * self.hands, 0
        for net in sorted(self.totals):
            seen += self.totals[net]
            if seen >= wanted:
                return net
        return max(self.totals)

    def as_arrays(self) -> dict[str, Counts]:
        """Return the arrays of a checkpoint."""
        return {
            "hands": np.array([self.hands, self.rolls]),
            "lengths": np.array([len(ends) for ends in self.ends]),
            "ends": np.array([count for ends in self.ends for count in ends], dtype=np.int64),
            "nets": np.array(list(self.totals), dtype=np.int64),
            "counts": np.array(list(self.totals.values()), dtype=np.int64),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Counts]) -> Tally:
        """Return the tally of a checkpoint."""
        ends, at = [], 0
        for length in arrays["lengths"].tolist():
            ends.append(tuple(arrays["ends"][at : at + length].tolist()))
            at += length
        hands, rolls = arrays["hands"].tolist()
        totals = dict(zip(arrays["nets"].tolist(), arrays["counts"].tolist(), strict=True))
        return cls(hands, rolls, tuple(ends), totals)
