"""Estimates from a tally with their intervals, beside the exact values."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from pitbook.engine.analyse import analyse
from pitbook.results import Result, Row, columns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.rulebooks.model import Rulebook
    from pitbook.simulation.bets import Bets, Placed
    from pitbook.simulation.tally import Tally

CONFIDENCE = 0.95
_DEVIATIONS = 1.959963984540054
"""The half-width of that confidence interval in standard deviations of a normal variable."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A simulated figure: its 95 % confidence interval, the exact value, and their difference."""

    value: float
    low: float
    high: float
    exact: Fraction | None
    z: float | None
    """The difference from the exact value in standard errors of the mean; None if nothing varies."""


@dataclass(frozen=True, slots=True)
class EndEstimate:
    """One end of a bet."""

    row: str
    net: int
    count: int
    chance: Estimate


@dataclass(frozen=True, slots=True)
class BetEstimate:
    """One bet."""

    bet: Placed
    mean: Estimate
    """The gain on a hand, in minor units."""
    house_edge: Estimate
    deviation: float
    deviation_exact: float
    ends: tuple[EndEstimate, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Estimates(Result):
    """All bets, alone and together."""

    hands: int
    rolls: int
    bets: tuple[BetEstimate, ...]
    together: Estimate
    """The gain of all bets on a hand, in minor units."""
    house_edge: Estimate
    deviation: float
    """The standard deviation of all bets together, as simulated."""
    deviation_if_independent: float
    """Its exact value if each bet had its own dice; the difference is the effect of shared dice."""
    rolls_a_hand: Estimate
    nets: Mapping[int, int]
    """How many hands had each net result."""

    def __repr__(self) -> str:
        edge = self.house_edge
        exactly = "" if edge.exact is None else f" ({float(edge.exact):.2%} exactly)"
        return f"<Estimates of {self.hands:,} hands: house edge {edge.value:.2%}{exactly}>"

    def rows(self) -> list[Row]:
        """Return one row for each end of each bet."""
        return [
            {
                "wager": one.bet.wager,
                "stake": one.bet.stake,
                "row": end.row,
                "net": end.net,
                "count": end.count,
                "share": end.chance.value,
                "low": end.chance.low,
                "high": end.chance.high,
                "probability": end.chance.exact,
                "z": end.chance.z,
            }
            for one in self.bets
            for end in one.ends
        ]

    def picture(self) -> str:
        """Return how often each net result came as columns."""
        return columns({net: float(count) for net, count in self.nets.items()}, "hands with each net result")


def _mean(value: float, deviation: float, count: int, exact: Fraction | None, exact_deviation: float) -> Estimate:
    half = _DEVIATIONS * deviation / sqrt(count)
    error = exact_deviation / sqrt(count)
    z = (value - float(exact)) / error if exact is not None and error else None
    return Estimate(value, value - half, value + half, exact, z)


def _estimate_chance(count: int, hands: int, exact: Fraction) -> Estimate:
    """Return a share with Wilson's interval, which is valid for rare ends, too."""
    share, squared = count / hands, _DEVIATIONS**2
    middle = (share + squared / (2 * hands)) / (1 + squared / hands)
    half = _DEVIATIONS * sqrt(share * (1 - share) / hands + squared / (4 * hands**2)) / (1 + squared / hands)
    low = 0.0 if not count else max(0.0, middle - half)
    high = 1.0 if count == hands else min(1.0, middle + half)
    error = sqrt(exact * (1 - exact) / hands)
    return Estimate(share, low, high, exact, float(Fraction(count, hands) - exact) / error if error else None)


def _times(estimate: Estimate, factor: Fraction) -> Estimate:
    low, high = sorted((estimate.low * float(factor), estimate.high * float(factor)))
    exact = None if estimate.exact is None else estimate.exact * factor
    z = None if estimate.z is None else estimate.z * (1 if factor > 0 else -1)
    return Estimate(estimate.value * float(factor), low, high, exact, z)


def estimate(book: Rulebook, bets: Bets, tally: Tally) -> Estimates:
    """Return estimates from a tally with exact values, including caps and rounding."""
    hands = tally.hands
    found, means, variances = [], [], []
    rolls_exact, rolls_deviation = None, 0.0
    for placed, counts in zip(bets.bets, tally.ends, strict=True):
        figures = analyse(book, book.wager(placed.wager), placed.paytable)
        chances = [end.probability for end in figures.ends]
        mean = sum((p * net for p, net in zip(chances, placed.nets, strict=True)), Fraction(0))
        variance = sum((p * net**2 for p, net in zip(chances, placed.nets, strict=True)), Fraction(0)) - mean**2
        got = Fraction(sum(net * count for net, count in zip(placed.nets, counts, strict=True)), hands)
        squares = Fraction(sum(net**2 * count for net, count in zip(placed.nets, counts, strict=True)), hands)
        deviation = sqrt(squares - got**2)
        gained = _mean(float(got), deviation, hands, mean, sqrt(variance))
        ends = tuple(
            EndEstimate(row, net, count, _estimate_chance(count, hands, chance))
            for row, net, count, chance in zip(placed.rows, placed.nets, counts, chances, strict=True)
        )
        edge = _times(gained, Fraction(-1, placed.stake))
        found.append(BetEstimate(placed, gained, edge, deviation, sqrt(variance), ends))
        means.append(mean)
        variances.append(variance)
        if len(bets.bets) == 1 or figures.wager.one_roll:
            rolls_exact, rolls_deviation = figures.expected_rolls, sqrt(figures.rolls_variance)
    deviation = sqrt(tally.variance)
    exact_deviation = sqrt(variances[0]) if len(variances) == 1 else deviation
    together = _mean(float(tally.mean), deviation, hands, sum(means, Fraction(0)), exact_deviation)
    lasting = tally.rolls / hands
    rolls = (
        _mean(lasting, rolls_deviation, hands, rolls_exact, rolls_deviation)
        if len(bets.bets) == 1 or bets.method == "multinomial"
        else Estimate(lasting, lasting, lasting, None, None)
    )
    return Estimates(
        hands,
        tally.rolls,
        tuple(found),
        together,
        _times(together, Fraction(-1, bets.stake)),
        deviation,
        sqrt(sum(variances, Fraction(0))),
        rolls,
        tally.totals,
    )
