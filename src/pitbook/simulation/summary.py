"""Key figures of nights: groups of players, the house, how bets ended."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from pitbook.simulation.night_result import NightResult
    from pitbook.simulation.seating import Night

PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)


@dataclass(frozen=True, slots=True)
class Group:
    """Equal players: their results over all nights, in minor units."""

    name: str
    players: int
    bankroll: int
    mean: float
    mean_error: float
    """The standard error of the mean: nights are independent, players of a table are not."""
    deviation: float
    percentiles: Mapping[int, int]
    worst: int
    best: int
    ahead: float
    staked: float
    ruined: float
    """The share who could not pay any bet before the night was over."""
    ruin_hours: float | None
    """The median time of ruin, in hours; None if nobody was ruined."""


@dataclass(frozen=True, slots=True)
class House:
    """The house over all nights."""

    mean: float
    mean_error: float
    percentiles: Mapping[int, int]
    handle: float
    share: float
    """Its win as a share of all stakes."""
    hold: float
    """Its win as a share of the money that the players brought."""
    holds: Mapping[int, float]
    worst_mean: float
    worst: Mapping[int, int]
    """Percentiles of the worst hour of a night."""
    worst_ever: int
    largest: int
    envy: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The key figures of nights."""

    groups: tuple[Group, ...]
    house: House
    ends: tuple[tuple[str, str, int], ...]
    bets: int
    rolls: int


def percentile(values: NDArray[np.int64], percent: float) -> int:
    """Return the lowest value that a percentage does not exceed."""
    return int(np.percentile(values, percent, method="inverted_cdf"))


def _percentiles(values: NDArray[np.int64]) -> dict[int, int]:
    return {percent: percentile(values, percent) for percent in PERCENTILES}


def _error(nightly: NDArray[Any]) -> float:
    return float(nightly.std(ddof=1) / np.sqrt(len(nightly))) if len(nightly) > 1 else float("nan")


def summarise(night: Night, evening: NightResult) -> Summary:
    """Return the key figures of the nights played."""
    groups = tuple(_group(night, evening, index) for index in range(len(night.groups)))
    wins, bankrolls = evening.hourly.sum(axis=1), int(night.money.sum())
    worst = evening.hourly.min(axis=1)
    handle = float(evening.handle.sum())
    house = House(
        float(wins.mean()),
        _error(wins),
        _percentiles(wins),
        handle / evening.nights,
        float(wins.sum()) / handle if handle else 0.0,
        float(wins.mean()) / bankrolls,
        {percent: value / bankrolls for percent, value in _percentiles(wins).items()},
        float(worst.mean()),
        _percentiles(worst),
        int(worst.min()),
        int(evening.largest[0]),
        int(evening.envy[0]),
    )
    ends = tuple((*row, int(count)) for row, count in zip(night.rows, evening.ends.tolist(), strict=True))
    return Summary(groups, house, ends, int(evening.bets[0]), int(evening.rolls[0]))


def _group(night: Night, evening: NightResult, index: int) -> Group:
    mine = night.group_of == index
    nets, ruined = evening.nets[:, mine], evening.ruined[:, mine]
    lost = ruined[ruined >= 0]
    return Group(
        night.groups[index],
        int(mine.sum()),
        int(night.money[mine][0]),
        float(nets.mean()),
        _error(nets.mean(axis=1)),
        float(nets.std()),
        _percentiles(nets),
        int(nets.min()),
        int(nets.max()),
        float((nets > 0).mean()),
        float(evening.staked[:, mine].mean()),
        float((ruined >= 0).mean()),
        percentile(lost, 50) / night.rolls * night.hours if lost.size else None,
    )


def night_data(night: Night, evening: NightResult) -> dict[str, Any]:
    """Return the figures as JSON; money in minor units."""
    found = summarise(night, evening)
    return {
        "book": night.book,
        "currency": night.currency,
        "seed": night.seed,
        "nights": evening.nights,
        "nights_wanted": night.nights,
        "hours": night.hours,
        "tables": night.tables,
        "rolls_per_hour": night.hour_rolls,
        "groups": [_without_nan(asdict(group)) for group in found.groups],
        "house": _without_nan(asdict(found.house)),
        "ends": [{"wager": wager, "row": row, "count": count} for wager, row, count in found.ends],
        "bets": found.bets,
        "rolls": found.rolls,
    }


def _without_nan(values: dict[str, Any]) -> dict[str, Any]:
    """Return values with None for what JSON has no number for."""
    return {
        key: {str(p): v for p, v in value.items()}
        if isinstance(value, dict)
        else None
        if isinstance(value, float) and isnan(value)
        else value
        for key, value in values.items()
    }
