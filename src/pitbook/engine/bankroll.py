"""A bankroll over many rounds of the same bets: the result, the risk of ruin, and how long the money lasts.

Exact: the counts of all sequences of results are the cells of one large integer, advanced one round at a time.
Certified: floating-point numbers that are only added and multiplied by chances, so that the error has a bound.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from pitbook.engine.rounds import EXACT_BITS
from pitbook.errors import InputError
from pitbook.results import Result, Row, columns, curve

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

Chance = Fraction | float
CELLS_MAX = 1 << 22
STEPS_MAX = 4 * 10**9
ROUNDS_MAX = 1_000_000


@dataclass(frozen=True, slots=True, repr=False)
class Session(Result):
    """The result of betting for a number of rounds, or until the money no longer covers the bets."""

    rounds: int
    bankroll: int
    nets: Mapping[int, Chance]
    """The chance of each net result in minor units, ascending; stakes that still run are counted as they are."""
    ruined_by: Sequence[Chance]
    """The chance that the money was too little for another bet after 1, 2, 3 … rounds."""
    error: float = 0.0
    """No chance is off by more than this; 0 when exact."""

    @property
    def ruined(self) -> Chance:
        """The chance that the money was too little for another bet."""
        return self.ruined_by[-1]

    @property
    def mean(self) -> Chance:
        """The player's mean gain."""
        return _sum(net * chance for net, chance in self.nets.items())

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the net result."""
        return sqrt(max(0.0, float(_sum(net**2 * chance for net, chance in self.nets.items()) - self.mean**2)))

    @property
    def ahead(self) -> Chance:
        """The chance to have gained."""
        return self.chance(low=1)

    @property
    def expected_rounds(self) -> Chance:
        """How many rounds are played on average: all of them, or those before the ruin."""
        return 1 + _sum(1 - chance for chance in self.ruined_by[:-1])

    def chance(self, low: int | None = None, high: int | None = None) -> Chance:
        """Return the chance of a net result from `low` to `high`, both included."""
        return _sum(
            chance for net, chance in self.nets.items() if (low is None or net >= low) and (high is None or net <= high)
        )

    def percentile(self, percent: float) -> int:
        """Return the lowest result that a percentage of all outcomes does not exceed."""
        if not 0 < percent < 100:
            raise InputError("engine.percentile", percent=percent)
        running = list(accumulate(self.nets.values()))
        wanted = Fraction(str(percent)) / 100 - Fraction(self.error)
        return list(self.nets)[min(bisect_left(running, wanted), len(running) - 1)]

    def __repr__(self) -> str:
        return (
            f"<Session of {self.rounds:,} rounds: ahead {float(self.ahead):.2%}, ruined {float(self.ruined):.2%}, "
            f"mean {float(self.mean):+,.0f}>"
        )

    def rows(self) -> list[Row]:
        """Return one row for each net result."""
        return [{"net": net, "probability": chance} for net, chance in self.nets.items()]

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        return {
            "rounds": self.rounds,
            "bankroll": self.bankroll,
            "method": "certified" if self.error else "exact",
            "error": self.error,
            "mean": str(self.mean),
            "standard_deviation": self.standard_deviation,
            "ahead": str(self.ahead),
            "ruined": str(self.ruined),
            "expected_rounds": str(self.expected_rounds),
            "percentiles": {str(percent): self.percentile(percent) for percent in (1, 5, 25, 50, 75, 95, 99)},
            "ruined_by": [str(chance) for chance in self.ruined_by],
            "nets": [{"net": net, "probability": str(chance)} for net, chance in self.nets.items()],
        }

    def picture(self) -> str:
        """Return the chance of each net result, and the risk of ruin as the rounds go by."""
        nets = columns({net: float(chance) for net, chance in self.nets.items()}, "chance of each net result")
        ruin = curve([float(chance) for chance in self.ruined_by], "risk of ruin by rounds") if self.ruined else ""
        return nets + ruin


def _sum(parts: Any) -> Chance:
    total: Chance = sum(parts, Fraction(0))
    return total


@dataclass(frozen=True, slots=True)
class _Cells:
    """Results on a grid of cash: cell 0 is the least cash that can be left."""

    low: int
    step: int
    short: int
    """In cells below this one the money does not cover the bets."""
    start: int
    moves: tuple[tuple[int, int], ...]
    """(cells, ways) of each result of a round."""
    ways: int
    size: int

    def cash(self, cell: int) -> int:
        return self.low + cell * self.step


def bets_session(nets: Mapping[int, Fraction], stake: int, bankroll: int, rounds: int) -> Session:
    """Return the result of so many rounds of the same bets, each with these chances, from a bankroll.

    >>> evens = {-1: Fraction(1, 2), 1: Fraction(1, 2)}
    >>> found = bets_session(evens, 1, 1, 3)
    >>> found.nets, found.ruined
    ({-1: Fraction(5, 8), 1: Fraction(1, 4), 3: Fraction(1, 8)}, Fraction(5, 8))
    """
    if not stake <= bankroll:
        raise InputError("engine.bankroll-too-small", bankroll=f"{bankroll:,}", stake=f"{stake:,}")
    if not 1 <= rounds <= ROUNDS_MAX:
        raise InputError("engine.rounds", rounds=f"{rounds:,}", most=f"{ROUNDS_MAX:,}")
    cells = _grid(nets, stake, bankroll, rounds)
    bits = rounds * (cells.ways.bit_length() + 1)
    if cells.size * bits <= EXACT_BITS:
        return _exact(cells, bankroll, rounds, bits)
    if cells.size * rounds * len(cells.moves) > STEPS_MAX:
        raise InputError("engine.rounds-slow", rounds=f"{rounds:,}")
    return _certified(cells, bankroll, rounds)


def _grid(nets: Mapping[int, Fraction], stake: int, bankroll: int, rounds: int) -> _Cells:
    step = gcd(*nets) or 1
    low = bankroll % step
    common = lcm(*(chance.denominator for chance in nets.values()))
    moves = tuple((net // step, int(chance * common)) for net, chance in nets.items())
    start = (bankroll - low) // step
    size = start + max(0, *(move for move, _ in moves)) * rounds + 1
    if size > CELLS_MAX:
        raise InputError("engine.rounds-many", rounds=f"{rounds:,}", results=f"{size:,}", most=f"{CELLS_MAX:,}")
    return _Cells(low, step, max(0, -((low - stake) // step)), start, moves, common, size)


def _exact(cells: _Cells, bankroll: int, rounds: int, bits: int) -> Session:
    below = cells.short * bits
    alive, ruined = 1 << cells.start * bits, 0
    ruined_by: list[Chance] = []
    all_ways = 1
    for _ in range(rounds):
        after = 0
        for move, ways in cells.moves:
            after += (alive * ways) << move * bits if move >= 0 else (alive * ways) >> -move * bits
        all_ways *= cells.ways
        short = after & ((1 << below) - 1)
        ruined = ruined * cells.ways + short
        alive = after ^ short
        ruined_by.append(Fraction(sum(_unpacked(ruined, bits)), all_ways))
    together = _unpacked(alive + ruined, bits)
    nets: dict[int, Chance] = {
        cells.cash(cell) - bankroll: Fraction(count, all_ways) for cell, count in enumerate(together) if count
    }
    return Session(rounds, bankroll, nets, ruined_by)


def _unpacked(packed: int, bits: int) -> list[int]:
    mask = (1 << bits) - 1
    found = []
    while packed:
        found.append(packed & mask)
        packed >>= bits
    return found


def _certified(cells: _Cells, bankroll: int, rounds: int) -> Session:
    alive: NDArray[np.float64] = np.zeros(cells.size)
    alive[cells.start] = 1.0
    ruined = np.zeros(cells.short)
    ruined_by: list[Chance] = []
    for _ in range(rounds):
        after = np.zeros(cells.size)
        for move, ways in cells.moves:
            chance = ways / cells.ways
            if move >= 0:
                after[move:] += chance * alive[: cells.size - move]
            else:
                after[:move] += chance * alive[-move:]
        ruined += after[: cells.short]
        after[: cells.short] = 0.0
        alive = after
        ruined_by.append(float(ruined.sum()))
    alive[: cells.short] += ruined
    nets: dict[int, Chance] = {
        cells.cash(cell) - bankroll: float(alive[cell]) for cell in np.flatnonzero(alive).tolist()
    }
    # Each round multiplies, adds and rounds each cell once for each result; nothing is ever subtracted.
    error = 2.0**-52 * rounds * (len(cells.moves) + 2)
    return Session(rounds, bankroll, nets, ruined_by, error)


def ruin_before(
    nets: Mapping[int, Fraction], stake: int, bankroll: int, target: int
) -> tuple[list[dict[int, int]], set[int], int]:
    """Return the chain of a bankroll until it is ruined or has reached a target: ways on, ruined nodes, all ways."""
    common = lcm(*(chance.denominator for chance in nets.values()))
    number, cash = {bankroll: 0}, [bankroll]
    inner: list[dict[int, int]] = []
    ruined: set[int] = set()
    for here, money in enumerate(cash):  # grows while it is walked
        row: dict[int, int] = {}
        inner.append(row)
        if money < stake:
            ruined.add(here)
        if money < stake or money >= target:
            continue
        for net, chance in nets.items():
            there = number.setdefault(money + net, len(cash))
            if there == len(cash):
                cash.append(money + net)
            row[there] = row.get(there, 0) + int(chance * common)
    return inner, ruined, common
