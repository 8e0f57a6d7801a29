"""Schemas of simulation runs: state and results."""

from __future__ import annotations

from typing import Literal

import msgspec

from pitbook.server.http.problems import MessageText
from pitbook.server.schemas.scenarios import ScenarioSize

RunState = Literal["running", "done", "stopped", "cancelled", "failed"]


class RunInfo(msgspec.Struct, frozen=True):
    """A run of a scenario."""

    run: str
    state: RunState
    """`stopped`: ended before its last night, and reports those that were played; `cancelled`: nothing was played."""
    by: str
    started: str
    scenario: ScenarioSize
    ended: str | None = None
    done: int = 0
    """Nights played so far."""
    nights: int = 0
    rate: float = 0.0
    """Nights a second."""
    seconds_left: float | None = None
    says: str = ""
    """Why it failed: the text of `message`; runs of older versions have only this, in English."""
    message: MessageText | None = None
    """Why it failed, in the language that the request asks for."""
    files: list[str] = []
    """Files that can be downloaded."""


class Runs(msgspec.Struct, frozen=True):
    """The last runs, the newest first."""

    runs: list[RunInfo]
    running: str | None
    """The run in progress; `elsewhere` if another process of this house runs it and its folder is not visible here."""
    kept: int
    """The number of runs that are kept; older ones are deleted."""
    seconds_max: float
    """A run that takes longer is stopped and reports what was done."""
    player_nights_max: int


class Bars(msgspec.Struct, frozen=True):
    """A distribution: equal bars from edge to edge. The outermost include everything beyond them."""

    edges: list[float]
    shares: list[float]
    median: float


class Fan(msgspec.Struct, frozen=True):
    """Many paths through a night: percentiles at each hour."""

    hours: list[float]
    bands: dict[str, list[float]]
    """By percentile: 5, 25, 50, 75, 95."""
    ways: list[list[float]] = []
    """A few individual paths."""


class Curve(msgspec.Struct, frozen=True):
    """A share that grows through the night."""

    hours: list[float]
    shares: list[float]


class GroupPlots(msgspec.Struct, frozen=True):
    """The plots of a group of players."""

    results: Bars
    bankrolls: Fan
    ruin: Curve


class HousePlots(msgspec.Struct, frozen=True):
    """The plots of the house."""

    over_time: Fan
    nights: Bars
    holds: Bars
    worst_hours: Bars


class Plots(msgspec.Struct, frozen=True):
    """All plots; money in minor units, shares of one."""

    groups: list[GroupPlots]
    house: HousePlots


class GroupFigures(msgspec.Struct, frozen=True):
    """A group of players, over all nights."""

    name: str
    players: int
    bankroll: int
    mean: float
    mean_error: float | None
    """The standard error of the mean; none for a single night."""
    deviation: float
    percentiles: dict[str, int]
    worst: int
    best: int
    ahead: float
    """The share who left with more than their bankroll."""
    staked: float
    ruined: float
    """The share who could not pay any bet before the night was over."""
    ruin_hours: float | None
    """The median time of ruin."""


class HouseFigures(msgspec.Struct, frozen=True):
    """The house, over all nights."""

    mean: float
    mean_error: float | None
    percentiles: dict[str, int]
    handle: float
    """All stakes of a night, on average."""
    share: float
    """The share of all stakes that it won."""
    hold: float
    """The share of the players' bankrolls that it won."""
    holds: dict[str, float]
    worst_mean: float
    worst: dict[str, int]
    """Percentiles of the worst hour of a night."""
    worst_ever: int
    largest: int
    """The largest single payout."""
    envy: int
    """The amount that the dealers received."""


class EndCount(msgspec.Struct, frozen=True):
    """How often bets on a wager came to an end."""

    wager: str
    row: str
    count: int
    share: float
    """Of all bets on the wager."""


class WagerChecked(msgspec.Struct, frozen=True):
    """A wager of the scenario, played alone: simulated beside exact figures."""

    wager: str
    stake: int
    hands: int
    edge: float
    low: float
    high: float
    """The 95% confidence interval of the edge."""
    exact: float
    fraction: str
    z: float | None
    """The difference in standard errors; beyond 5 it is a bug."""


class RunResult(msgspec.Struct, frozen=True):
    """The result of a run. Money is in minor units."""

    book: str
    currency: str
    seed: int
    nights: int
    nights_wanted: int
    hours: float
    tables: int
    rolls_per_hour: float
    groups: list[GroupFigures]
    house: HouseFigures
    ends: list[EndCount]
    bets: int
    rolls: int
    plots: Plots
    wagers: list[WagerChecked]
