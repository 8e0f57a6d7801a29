"""The numbers behind the plots of nights: curves and bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pitbook.simulation.night_result import NightResult
    from pitbook.simulation.seating import Night

BARS = 40
OUTER = (0.1, 99.9)
"""Values beyond these percentiles are in the outermost bars: otherwise one jackpot would flatten all others."""
BANDS = (5, 25, 50, 75, 95)
WAYS = 3
"""Single bankrolls that are drawn through the fan."""
STEPS = 48
"""Points of the curve of ruin."""


def plot_data(night: Night, evening: NightResult) -> dict[str, Any]:
    """Return all curves and bars; money in minor units, shares of one."""
    wins = evening.hourly.sum(axis=1)
    bankrolls = int(night.money.sum())
    return {
        "groups": [_group(night, evening, index) for index in range(len(night.groups))],
        "house": {
            "over_time": _fan(house_hours(night), _running_win(evening)),
            "nights": bars(wins),
            "holds": bars(wins / bankrolls),
            "worst_hours": bars(evening.hourly.min(axis=1)),
        },
    }


def _group(night: Night, evening: NightResult, index: int) -> dict[str, Any]:
    mine = night.group_of == index
    followed = np.flatnonzero(night.group_of[night.fans] == index)
    ways = evening.fan[:, followed, :].reshape(-1, night.samples + 1)
    hours = np.linspace(0, night.hours, night.samples + 1)
    single = ways[:: max(1, len(ways) // WAYS)][:WAYS]
    return {
        "results": bars(evening.nets[:, mine]),
        "bankrolls": _fan(hours, ways) | {"ways": single.tolist()},
        "ruin": _ruin(night, evening.ruined[:, mine]),
    }


def bars(values: NDArray[Any]) -> dict[str, Any]:
    """Return equal bars from edge to edge, with the share of the values in each."""
    flat = values.reshape(-1)
    low, high = np.percentile(flat, OUTER)
    count = min(BARS, max(1, len(np.unique(flat))))
    found, edges = np.histogram(np.clip(flat, low, high), bins=count)
    return {
        "edges": edges.tolist(),
        "shares": (found / flat.size).tolist(),
        "median": float(np.percentile(flat, 50, method="inverted_cdf")),
    }


def house_hours(night: Night) -> NDArray[np.float64]:
    """Return the ends of all hours, from the start; the last hour may be incomplete."""
    found: NDArray[np.float64] = np.minimum(np.arange(night.whole_hours + 1), night.hours).astype(np.float64)
    return found


def _running_win(evening: NightResult) -> NDArray[np.int64]:
    nothing = np.zeros((evening.nights, 1), np.int64)
    return np.concatenate([nothing, evening.hourly.cumsum(axis=1)], axis=1)


def _fan(hours: NDArray[np.float64], ways: NDArray[Any]) -> dict[str, Any]:
    """Return percentiles of many paths, hour by hour."""
    found = np.percentile(ways, BANDS, axis=0, method="inverted_cdf")
    return {
        "hours": hours.tolist(),
        "bands": {str(percent): line.tolist() for percent, line in zip(BANDS, found, strict=True)},
    }


def _ruin(night: Night, ruined: NDArray[np.int64]) -> dict[str, Any]:
    """Return the share of players who were ruined by each time."""
    lost = np.sort(ruined[ruined >= 0]) / night.rolls * night.hours
    hours = np.linspace(0, night.hours, STEPS + 1)
    return {
        "hours": hours.tolist(),
        "shares": (np.searchsorted(lost, hours, side="right") / max(1, ruined.size)).tolist(),
    }
