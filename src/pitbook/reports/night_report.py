"""The HTML report of simulated nights, with plots, in one file. Needs the extra `reports`."""

from __future__ import annotations

import warnings
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from pitbook.currencies import format_amount
from pitbook.errors import InputError
from pitbook.reports.charts import ALARM, BRASS, GREEN, INK, MUTED, Panel, canvas, style, svg
from pitbook.reports.sheet import page_templates, reports_extra
from pitbook.simulation.plots import plot_data
from pitbook.simulation.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

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
        raise InputError("common.not-written", file=path, reason=getattr(error, "strerror", None) or error) from None


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

    plots, figures = plot_data(night, evening), summarise(night, evening)
    house = plots["house"]
    money = night.currency
    with mpl.rc_context(style()), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # it only measures; the page renders the text
        results, fans = [], []
        for group, drawn in zip(figures.groups, plots["groups"], strict=True):
            alt = f"{group.name}: results of {_spread_text(night, group.percentiles)}"
            results.append(_bars(night, drawn["results"], group.name, f"result of a night, {money}", alt, GREEN))
            last = {int(percent): line[-1] for percent, line in drawn["bankrolls"]["bands"].items()}
            alt = f"{group.name}: after {night.hours:g} hours a bankroll of {_spread_text(night, last)}"
            fans.append(_fan(night, drawn["bankrolls"], group.name, f"bankroll, {money}", alt, GREEN))
        text = _spread_text(night, figures.house.percentiles)
        over_time = f"The house's win after {night.hours:g} hours: {text}"
        nights = f"The house's win of a night: {text}"
        return {
            "results": results,
            "fans": fans,
            "house": [
                _fan(night, house["over_time"], "Win over time", f"won so far, {money}", over_time, BRASS),
                _bars(night, house["nights"], "Win of a night", f"win of a night, {money}", nights, BRASS),
            ],
        }


def _units(night: Night, amounts: Sequence[float]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.asarray(amounts, dtype=np.float64) / 10**night.decimals
    return found


def _spread_text(night: Night, percentiles: Mapping[int, int]) -> str:
    low, middle, high = _units(night, [percentiles[percent] for percent in (5, 50, 95)])
    return f"{low:,.2f} to {high:,.2f} in nine of ten cases, median {middle:,.2f}"


def _format_axis(axis: Axis) -> None:
    """Show a few round amounts with thousands separators."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axis.set_major_locator(MaxNLocator(4))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def _bars(night: Night, bars: Mapping[str, Any], title: str, across: str, alt: str, colour: str) -> Panel:
    figure, axes = canvas(3.5, 2.1)
    axes.stairs(np.asarray(bars["shares"]) * 100, _units(night, bars["edges"]), fill=True, color=colour, alpha=0.75)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.axvline(float(_units(night, [bars["median"]])[0]), color=ALARM, linewidth=1.0, linestyle="--")
    axes.set_xlabel(across)
    axes.set_ylabel("per cent")
    _format_axis(axes.xaxis)
    return Panel(title, "The outer thousandths are in the outermost bars; dashed: the median.", alt, svg(figure))


def _fan(night: Night, fan: Mapping[str, Any], title: str, up: str, alt: str, colour: str) -> Panel:
    """Draw bands of percentiles, the median, and single ways where there are any."""
    figure, axes = canvas(3.5, 2.1)
    hours, singles = fan["hours"], fan.get("ways", ())
    lines = {percent: _units(night, line) for percent, line in fan["bands"].items()}
    for low, high, dark in BANDS:
        axes.fill_between(hours, lines[str(low)], lines[str(high)], color=colour, alpha=dark, linewidth=0)
    axes.plot(hours, lines["50"], color=colour, linewidth=1.4)
    for way in singles:
        axes.plot(hours, _units(night, way), color=MUTED, linewidth=0.6, alpha=0.8)
    if not singles:
        axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_xlabel("hours")
    axes.set_ylabel(up)
    _format_axis(axes.yaxis)
    note = f"Middle half and middle 90%, the median{', and single ones' if singles else ''}."
    return Panel(title, note, alt, svg(figure))
