"""The charts of a sheet as SVG: house edges, the ends of ladders, how long wagers last.

Text stays text, so that a page and a PDF each use their own fonts. The same figures give the same bytes.
"""

from __future__ import annotations

import io
import re
import warnings
from dataclasses import dataclass
from math import floor as floor_of
from math import log10
from typing import TYPE_CHECKING, Any

from pitbook.reports.formats import percentage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

    from pitbook.reports.contents import DurationEntry, Sheet
    from pitbook.reports.ladders import Ladder
    from pitbook.reports.lines import Line

INK, MUTED, RULE, PAPER = "#22302a", "#6d675d", "#ded6c4", "#fffdf8"
GREEN, BRASS, ALARM = "#1f5c43", "#a9853b", "#a2341f"
FONT = "DejaVu Sans"
"""The font that matplotlib measures with; it is wide, so that others fit."""
LABEL_MAX = 32
"""A longer label would leave a chart no room."""

_STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": [FONT],
    "font.size": 8,
    "text.color": INK,
    "text.parse_math": False,
    "axes.edgecolor": RULE,
    "axes.labelcolor": MUTED,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "xtick.color": RULE,
    "xtick.labelcolor": MUTED,
    "ytick.color": RULE,
    "ytick.labelcolor": INK,
    "grid.color": RULE,
    "grid.linewidth": 0.5,
    "hatch.linewidth": 0.5,
    "figure.facecolor": "none",
    "svg.fonttype": "none",
    "svg.hashsalt": "pitbook",
}


@dataclass(frozen=True, slots=True)
class Panel:
    """A chart, with its title and a description."""

    title: str
    note: str
    alt: str
    svg: str

    def with_fonts(self, fonts: str) -> str:
        """Return the chart with its text in other fonts."""
        return re.sub(rf"'{FONT}'(, sans-serif)?", fonts, self.svg)


@dataclass(frozen=True, slots=True)
class Charts:
    """All charts of a sheet."""

    edges: Panel
    ladders: tuple[Panel, ...]
    courses: tuple[Panel, ...]


def style() -> dict[Any, Any]:
    """Return the style of all charts as matplotlib settings."""
    return dict(_STYLE)


def draw_charts(sheet: Sheet) -> Charts:
    """Return the charts of a sheet. Needs matplotlib."""
    import matplotlib as mpl

    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # it only measures; others render the text
        tallest = max((max(map(float, course.lasting.ends_on)) for course in sheet.courses), default=0.0)
        return Charts(
            edges=_edge_chart(sheet.lines),
            ladders=tuple(_ladder_chart(ladder) for ladder in sheet.ladders),
            courses=tuple(_duration_chart(course, tallest * 100) for course in sheet.courses),
        )


def canvas(width: float, height: float) -> tuple[Canvas, Axes]:
    """Return an empty chart, in inches."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(figure)
    return figure, figure.add_subplot()


def svg(figure: Canvas) -> str:
    """Return a chart as SVG; the same chart gives the same bytes."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def _edge_chart(lines: Sequence[Line]) -> Panel:
    """Return one row for every family, one dot for every figure; hollow under a reading that is not in force."""
    rows: dict[str, list[Line]] = {}
    for line in lines:
        rows.setdefault(line.family, []).append(line)
    figure, axes = canvas(7.2, 0.4 + 0.23 * len(rows))
    parts = []
    for place, members in enumerate(rows.values()):
        edges = [line.edge.value for line in members]
        low, high = min(edges), max(edges)
        axes.plot([low, high], [place, place], color=BRASS, linewidth=2.2, solid_capstyle="round", zorder=2)
        for line in members:
            colour = ALARM if line.favours_player else GREEN
            axes.plot(
                line.edge.value,
                place,
                marker="D" if line.favours_player else "o",
                markersize=5.2,
                markerfacecolor=colour if line.in_force else PAPER,
                markeredgecolor=colour if not line.in_force else PAPER,
                markeredgewidth=0.9,
                zorder=4 if line.in_force else 3,
            )
        spread = _percent(low) if low == high else f"{_percent(low)} to {_percent(high)}"
        axes.annotate(spread, (high, place), (7, 0), textcoords="offset points", va="center", color=MUTED, fontsize=7.5)
        parts.append(f"{members[0].family_name} {spread}")
    axes.set_yticks(range(len(rows)), [_short(members[0].family_name) for members in rows.values()])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    edges = [line.edge.value for line in lines]
    span = max(*edges, 1.0) - min(*edges, 0.0)
    axes.set_xlim(min(*edges, 0.0) - 0.02 * span, max(*edges, 1.0) + 0.2 * span)
    axes.axvline(0, color=INK, linewidth=0.8, zorder=1)
    _percent_axis(axes)
    if min(edges) < 0:
        axes.axvspan(axes.get_xlim()[0], 0, facecolor=(ALARM, 0.05), hatch="////", edgecolor=(ALARM, 0.22), linewidth=0)
    return Panel("House edge", _legend(lines), "House edge: " + "; ".join(parts), svg(figure))


def _legend(lines: Sequence[Line]) -> str:
    words = ["Each dot is one figure of the table above; the bar spans a family."]
    if not all(line.in_force for line in lines):
        words.append("Hollow: under a reading that is not in force.")
    if any(line.favours_player for line in lines):
        words.append("Diamonds left of nought, in the hatched part: the player’s advantage.")
    return " ".join(words)


def _ladder_chart(ladder: Ladder) -> Panel:
    """Return how likely each end is, on a logarithmic scale; ends that pay under some pay table are green."""
    rows = [row for row in ladder.rows if row.probability.value > 0]
    figure, axes = canvas(3.5, 0.55 + 0.2 * len(rows))
    least = min(row.probability.value for row in rows)
    floor = 10.0 ** floor_of(log10(least) - 0.35)
    for place, row in enumerate(rows):
        pays = any(cell.break_even.exact for cell in row.cells)
        colour = GREEN if pays else MUTED
        axes.plot([floor, row.probability.value], [place, place], color=colour, linewidth=1.6, zorder=2)
        axes.plot(row.probability.value, place, "o" if pays else "s", color=colour, markersize=4, zorder=3)
        axes.annotate(
            row.probability.text,
            (row.probability.value, place),
            (6, 0),
            textcoords="offset points",
            va="center",
            color=MUTED,
            fontsize=7,
        )
    axes.set_xscale("log")
    axes.set_xlim(floor, 2500)
    axes.set_yticks(range(len(rows)), [_short(row.row) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    _log_axis(axes, floor)
    summary = ", ".join(f"{row.row} {row.probability.text}" for row in rows)
    note = ", ".join(f"{mark.label} {mark.choice}" for mark in ladder.marks)
    return Panel(ladder.title, note, f"Ends of {ladder.title}: {summary}", svg(figure))


def _duration_chart(course: DurationEntry, tallest: float) -> Panel:
    """Return the chance to end on each roll, with the mean."""
    figure, axes = canvas(2.9, 1.4)
    heights = [float(chance) * 100 for chance in course.lasting.ends_on]
    rolls = range(1, len(heights) + 1)
    axes.bar(rolls, heights, width=0.72, color=GREEN, zorder=2)
    axes.set_xlim(0.3, len(heights) + 0.7)
    axes.set_ylim(0, tallest * 1.08)
    axes.set_xticks([1, *range(5, len(heights) + 1, 5)])
    axes.grid(axis="y")
    axes.tick_params(length=0)
    axes.yaxis.set_major_formatter(lambda value, _: _percent(value, 0))
    if course.mean <= len(heights):
        axes.axvline(course.mean, color=BRASS, linewidth=1.4, linestyle=(0, (4, 2)), zorder=3)
        axes.annotate(
            f"mean {course.mean:.2f}",
            (course.mean, tallest * 1.04),
            (4, 0),
            textcoords="offset points",
            va="top",
            color=MUTED,
            fontsize=7,
        )
    longer = percentage(course.lasting.longer).text
    note = f"Mean {course.mean:.3f} rolls; {longer} go beyond {len(heights)}."
    first = ", ".join(_percent(height) for height in heights[:5])
    alt = f"{course.title}: chance to end on rolls 1 to 5: {first}. {note}"
    return Panel(course.title, note, alt, svg(figure))


def _short(label: str) -> str:
    return label if len(label) <= LABEL_MAX else label[: LABEL_MAX - 1] + "…"


def _percent_axis(axes: Axes) -> None:
    axes.xaxis.set_major_formatter(lambda value, _: _percent(value, 0))
    axes.grid(axis="x")
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)


def _log_axis(axes: Axes, floor: float) -> None:
    decades = round(2 - log10(floor))
    powers = range(2, 1 - decades, -2 if decades > 4 else -1)
    axes.set_xticks([10.0**power for power in powers], [_power(power) for power in powers])
    axes.set_xticks([], minor=True)
    axes.spines["bottom"].set_bounds(floor, 100)
    axes.grid(axis="x")
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)


def _power(power: int) -> str:
    return f"{10.0**power:.{max(0, -power)}f}\N{NO-BREAK SPACE}%"


def _percent(value: float, places: int = 2) -> str:
    return f"{value:,.{places}f}\N{NO-BREAK SPACE}%".replace("-", "\N{MINUS SIGN}")
