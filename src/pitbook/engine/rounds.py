"""The result after many independent rounds: exact where that is cheap, else with a certified error.

Exact: the round's distribution is a polynomial with whole coefficients; its power is taken as one power of one large
integer (Kronecker substitution). Certified: convolution by FFT of floating-point numbers. For probability vectors a
convolution errs, in every cell, by no more than a small multiple of the machine's unit times log2 of the length; these
bounds are added up along the way and reported with the result.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import gcd, lcm
from typing import TYPE_CHECKING, Literal

import numpy as np

from pitbook.errors import InputError
from pitbook.results import Result, Row, columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

EXACT_BITS = 4_000_000
"""Up to this size of the integer that holds the whole distribution, the power is taken exactly."""
CELLS_MAX = 1 << 24
_UNIT = 2.0**-53


@dataclass(frozen=True, repr=False)
class Rounds(Result):
    """The distribution of the net result after a number of rounds."""

    rounds: int
    method: Literal["exact", "certified"]
    error: float
    """The largest error of any chance; 0 when exact."""
    nets: Sequence[int]
    """The possible results, ascending (some may have no chance)."""
    _chances: Sequence[Fraction] | NDArray[np.float64]

    def chance(self, low: int | None = None, high: int | None = None) -> Fraction | float:
        """Return the chance of a result from `low` to `high`, both included."""
        first = 0 if low is None else bisect_left(self.nets, low)
        last = len(self.nets) if high is None else bisect_left(self.nets, high + 1)
        if isinstance(self._chances, np.ndarray):
            return float(self._chances[first:last].sum())
        return sum(self._chances[first:last], Fraction(0))

    def __repr__(self) -> str:
        return f"<Rounds: {self.rounds:,}, ahead {float(self.ahead):.4%}, {self.method}>"

    def rows(self) -> list[Row]:
        """Return one row for each net result that can come."""
        return [
            {"net": net, "probability": chance if isinstance(chance, Fraction) else float(chance)}
            for net, chance in zip(self.nets, self._chances, strict=True)
            if chance
        ]

    def picture(self) -> str:
        """Return the chance of each net result as columns."""
        return columns({row["net"]: float(row["probability"]) for row in self.rows()}, "chance of each net result")

    @property
    def ahead(self) -> Fraction | float:
        """The chance to have gained."""
        return self.chance(low=1)

    @property
    def even(self) -> Fraction | float:
        """The chance to have neither gained nor lost."""
        return self.chance(0, 0)

    @property
    def behind(self) -> Fraction | float:
        """The chance to have lost."""
        return self.chance(high=-1)

    def percentile(self, percent: float) -> int:
        """Return the lowest result that a percentage of all outcomes does not exceed."""
        if not 0 < percent < 100:
            raise InputError("engine.percentile", percent=percent)
        wanted = Fraction(str(percent)) / 100
        running = self._running
        if isinstance(running, np.ndarray):
            # A chance that meets the wanted one within the error meets it: symmetric results tie at the middle.
            return self.nets[min(int(np.searchsorted(running, float(wanted) - self.error)), len(self.nets) - 1)]
        return self.nets[bisect_left(running, wanted)]

    @cached_property
    def _running(self) -> Sequence[Fraction] | NDArray[np.float64]:
        """The chance of each result or a lower one."""
        return np.cumsum(self._chances) if isinstance(self._chances, np.ndarray) else list(accumulate(self._chances))


def after_rounds(nets: Mapping[int, Fraction], rounds: int) -> Rounds:
    """Return the distribution of the sum of a number of independent results."""
    if rounds < 1:
        raise InputError("engine.no-rounds", rounds=rounds)
    low, high = min(nets), max(nets)
    step = gcd(*(net - low for net in nets)) or 1
    width = (high - low) // step
    cells = width * rounds + 1
    if cells > CELLS_MAX:
        raise InputError(
            "engine.cells", rounds=rounds, low=low, high=high, step=step, cells=f"{cells:,}", most=f"{CELLS_MAX:,}"
        )
    results = range(low * rounds, high * rounds + 1, step)
    common = lcm(*(chance.denominator for chance in nets.values()))
    ways = [0] * (width + 1)
    for net, chance in nets.items():
        ways[(net - low) // step] = int(chance * common)
    bits = rounds * common.bit_length()
    if cells * bits <= EXACT_BITS:
        return Rounds(rounds, "exact", 0.0, results, _exact_power(ways, rounds, bits, common))
    chances, error = _certified_power(np.array([way / common for way in ways]), rounds)
    return Rounds(rounds, "certified", error, results, chances)


def _exact_power(ways: Sequence[int], rounds: int, bits: int, common: int) -> list[Fraction]:
    size = -(-bits // 8)
    packed = int.from_bytes(b"".join(way.to_bytes(size, "little") for way in ways), "little")
    cells = (len(ways) - 1) * rounds + 1
    power = (packed**rounds).to_bytes(cells * size, "little")
    all_ways = common**rounds
    return [
        Fraction(int.from_bytes(power[place : place + size], "little"), all_ways)
        for place in range(0, cells * size, size)
    ]


def _certified_power(chances: NDArray[np.float64], rounds: int) -> tuple[NDArray[np.float64], float]:
    """Return the power by repeated squaring; `error` bounds the sum of all cells' errors, and so that of any chance."""
    result = np.ones(1)
    result_error = 0.0
    base, base_error = chances, _UNIT * 2
    left = rounds
    while left:
        if left & 1:
            result, result_error = _convolved(result, result_error, base, base_error)
        left >>= 1
        if left:
            base, base_error = _convolved(base, base_error, base, base_error)
    return result, result_error


def _convolved(
    a: NDArray[np.float64], a_error: float, b: NDArray[np.float64], b_error: float
) -> tuple[NDArray[np.float64], float]:
    cells = len(a) + len(b) - 1
    size = 1 << (cells - 1).bit_length() if cells > 1 else 1
    found: NDArray[np.float64] = np.fft.irfft(np.fft.rfft(a, size) * np.fft.rfft(b, size), size)[:cells]
    # Three transforms of log2(size) stages; 8 units a stage is twice the textbook constant. The 2-norm of a
    # probability vector is at most that of its cells, so each cell's error is at most that much.
    stages = size.bit_length()
    norm = float(np.linalg.norm(a) * np.linalg.norm(b))
    cell_error = 3 * 8 * stages * _UNIT * norm
    clipped = np.maximum(found, 0.0)
    return clipped, a_error + b_error + a_error * b_error + cell_error * cells
