"""The HTML report of simulated nights, with plots, in one file. Needs the extra `reports`."""

from __future__ import annotations

import warnings
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from pitbook.errors import InputError
from pitbook.money import format_amount
from pitbook.reports.charts import ALARM, BRASS, GREEN, INK, MUTED, Panel, canvas, style, svg
from pitbook.reports.sheet import page_templates, reports_extra
from pitbook.simulation.summary import summarise

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from numpy.typing import NDArray

    from pitbook.simulation.night_result import NightResult
    from pitbook.simulation.seating import Night

BANDS = ((5, 95, 0.16), (25, 75, 0.3))
"""The percentiles of a fan's bands, and their darkness."""


def write_report(path: Path, night: Night, evening: NightResult) -> None:
    with reports_extra():
        content = report_page(night, evening)
    try:
        path.write_text(content, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None


def report_page(night: Night, evening: NightResult) -> str:
    """Return the page; the same results give the same bytes."""

    def money(amount: float) -> str:
        return ("+" if amount > 0 else "") + format_amount(round(amount), night.decimals)

    figures = summarise(night, evening)
    bets_on: dict[str, int] = {}
    for wager, _, count in figures.ends:
        bets_on[wager] = bets_on.get(wager, 0) + count
    return (
        page_templates(money=money)
        .get_template("nights.html")
        .render(
            night=night,
            nights=evening.nights,
            figures=figures,
            bets_on=bets_on,
            charts=draw_nights(night, evening),
            software=f"pitbook {version('pitbook')}",
        )
    )


def draw_nights(night: Night, evening: NightResult) -> dict[str, list[Panel]]:
    """Return the plots: results of each group, bankrolls through the night, the house's win over the hours."""
    import matplotlib as mpl

    with mpl.rc_context(style()), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # it only measures; the page renders the text
        groups = range(len(night.groups))
        return {
            "results": [_results(night, evening, group) for group in groups],
            "fans": [_fan(night, evening, group) for group in groups],
            "house": [_house_over_time(night, evening), _house_nights(night, evening)],
        }


def _units(night: Night, amounts: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray(amounts / 10**night.decimals, dtype=np.float64)


def _spoken(values: NDArray[np.float64]) -> str:
    low, middle, high = np.percentile(values, [5, 50, 95], method="inverted_cdf")
    return f"{low:,.2f} to {high:,.2f} in nine of ten cases, median {middle:,.2f}"


def _histogram(axes: Axes, values: NDArray[np.float64], colour: str) -> None:
    low, high = np.percentile(values, [0.1, 99.9])
    counts, edges = np.histogram(np.clip(values, low, high), bins=min(48, max(1, len(np.unique(values)))))
    axes.stairs(counts / values.size * 100, edges, fill=True, color=colour, alpha=0.75)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.axvline(float(np.median(values)), color=ALARM, linewidth=1.0, linestyle="--")
    axes.set_ylabel("per cent")
    _format_axis(axes.xaxis)


def _format_axis(axis: Axis) -> None:
    """Show a few round amounts with thousands separators."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axis.set_major_locator(MaxNLocator(4))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def _results(night: Night, evening: NightResult, group: int) -> Panel:
    values = _units(night, evening.nets[:, night.group_of == group]).reshape(-1)
    figure, axes = canvas(3.5, 2.1)
    _histogram(axes, values, GREEN)
    axes.set_xlabel(f"result of a night, {night.currency}")
    alt = f"{night.groups[group]}: results of {_spoken(values)}"
    note = "The outer thousandths are in the outermost bars; dashed: the median."
    return Panel(night.groups[group], note, alt, svg(figure))


def _draw_fan(axes: Axes, across: NDArray[np.float64], ways: NDArray[np.float64], colour: str) -> None:
    """Draw bands of percentiles, and the median."""
    for low, high, dark in BANDS:
        bounds = np.percentile(ways, [low, high], axis=0)
        axes.fill_between(across, bounds[0], bounds[1], color=colour, alpha=dark, linewidth=0)
    axes.plot(across, np.percentile(ways, 50, axis=0), color=colour, linewidth=1.4)
    _format_axis(axes.yaxis)


def _fan(night: Night, evening: NightResult, group: int) -> Panel:
    mine = np.flatnonzero(night.group_of[night.fans] == group)
    ways = _units(night, evening.fan[:, mine, :]).reshape(-1, night.samples + 1)
    across = np.linspace(0, night.hours, night.samples + 1)
    figure, axes = canvas(3.5, 2.1)
    _draw_fan(axes, across, ways, GREEN)
    for way in ways[:: max(1, len(ways) // 3)][:3]:
        axes.plot(across, way, color=MUTED, linewidth=0.6, alpha=0.8)
    axes.set_xlabel("hours")
    axes.set_ylabel(f"bankroll, {night.currency}")
    alt = f"{night.groups[group]}: after {night.hours:g} hours a bankroll of {_spoken(ways[:, -1])}"
    note = "Middle half and middle 90 % of the bankrolls, the median, and three single ones."
    return Panel(night.groups[group], note, alt, svg(figure))


def _house_over_time(night: Night, evening: NightResult) -> Panel:
    ways = np.concatenate([np.zeros((evening.nights, 1)), _units(night, evening.hourly.cumsum(axis=1))], axis=1)
    figure, axes = canvas(3.5, 2.1)
    across = np.minimum(np.arange(night.whole_hours + 1), night.hours)
    _draw_fan(axes, across, ways, BRASS)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_xlabel("hours")
    axes.set_ylabel(f"won so far, {night.currency}")
    alt = f"The house's win after {night.hours:g} hours: {_spoken(ways[:, -1])}"
    return Panel("Win over time", "Middle half and middle 90 % of the nights, and the median.", alt, svg(figure))


def _house_nights(night: Night, evening: NightResult) -> Panel:
    values = _units(night, evening.hourly.sum(axis=1))
    figure, axes = canvas(3.5, 2.1)
    _histogram(axes, values, BRASS)
    axes.set_xlabel(f"win of a night, {night.currency}")
    alt = f"The house's win of a night: {_spoken(values)}"
    return Panel("Win of a night", "Dashed: the median.", alt, svg(figure))
