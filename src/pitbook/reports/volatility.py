"""Volatility of a wager: bands of its hold after a number of rounds, and the expected win of a shift.

Bands are those of a normal distribution with the exact mean and deviation, as laboratories state them; after few rounds
of a wager that seldom wins, the true distribution is lopsided, and the note of the sheet says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

from pitbook.errors import InputError
from pitbook.reports.formats import Figure, decimal, percentage_of

if TYPE_CHECKING:
    from pitbook.engine.analyse import Analysis

SheetForm = Literal["html", "pdf", "csv", "xlsx", "json"]
"""The formats of a PAR sheet."""
CONFIDENCES = (90, 95, 99)
ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
DEVIATIONS = {percent: NormalDist().inv_cdf(0.5 + percent / 200) for percent in CONFIDENCES}
"""The deviations of a normal variable within which a percentage of it lies."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of a table, from which the statistics of a shift are computed."""

    rounds_per_hour: int = 60
    shift_hours: int = 8

    def __post_init__(self) -> None:
        if not (1 <= self.rounds_per_hour <= 1000 and 1 <= self.shift_hours <= 24):
            raise InputError("reports.shift")

    @property
    def rounds(self) -> int:
        """The rounds (at craps: rolls) of a shift."""
        return self.rounds_per_hour * self.shift_hours


USUAL_PACE = Pace()


@dataclass(frozen=True, slots=True)
class Band:
    """The expected range of the hold after a number of decisions."""

    rounds: int
    confidence: int
    low: Figure
    high: Figure


@dataclass(frozen=True, slots=True)
class Shift:
    """The house's expected win in a shift with one unit always on the wager."""

    decisions: Figure
    win: Figure
    deviation: Figure
    low: Figure
    high: Figure


def build_bands(figures: Analysis) -> tuple[Band, ...]:
    """Return the bands of a wager's hold, by rounds and confidence."""
    return tuple(
        Band(rounds, confidence, *map(percentage_of, figures.hold_band(rounds, deviations)))
        for rounds in ROUNDS
        for confidence, deviations in DEVIATIONS.items()
    )


def build_shift(figures: Analysis, pace: Pace) -> Shift:
    """Return the statistics of a shift: units that the house wins, with the 95% band."""
    decisions = pace.rounds / figures.expected_rolls
    win, deviation = decisions * figures.house_edge, figures.standard_deviation * sqrt(decisions)
    half = DEVIATIONS[95] * deviation
    return Shift(
        decimal(decisions, 1),
        decimal(win, 2),
        decimal(deviation, 2),
        decimal(float(win) - half, 1),
        decimal(float(win) + half, 1),
    )


def volatility_data(figures: Analysis) -> dict[str, Any]:
    """Return volatility index, hit frequency and hold bands as plain data."""
    return {
        "hit_frequency": str(figures.win_probability),
        "volatility_index": figures.volatility_index,
        "hold_bands": [
            {"rounds": rounds, "confidence": confidence, "low": low, "high": high}
            for rounds in ROUNDS
            for confidence, deviations in DEVIATIONS.items()
            for low, high in [figures.hold_band(rounds, deviations)]
        ],
    }
