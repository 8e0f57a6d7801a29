"""The common base of results: one short line, a small page for notebooks, frames and JSON.

A result provides its rows; everything else is derived from them. Pictures are plain SVG, so that no library is needed.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from pitbook.errors import InputError, unknown_name
from pitbook.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Row = dict[str, Any]
"""Names and values; fractions stay exact."""
Library = Literal["pandas", "polars"]
LIBRARIES: tuple[Library, ...] = ("pandas", "polars")
DRAWN = ("house_edge", "net", "amount")
"""The data of a result's bars; amounts with the same name are added."""
NAMES = ("player", "wager", "paytable", "book", "account")
"""The name of a bar."""
SHOWN = 60
"""How many rows a notebook shows."""


class Result(ABC):
    """A result with rows: shown as a table with a picture, or taken as a frame or as JSON."""

    __slots__ = ()

    @abstractmethod
    def rows(self) -> list[Row]:
        """Return one row for each line of its table, with exact values."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: fractions as text in lowest terms."""
        return {"rows": [plain(row) for row in self.rows()]}

    def to_json(self, indent: int | None = 2) -> str:
        """Return JSON: fractions as text in lowest terms."""
        return json.dumps(plain(self.to_dict()), indent=indent, ensure_ascii=False)

    def to_frame(self, library: Library | None = None, *, exact: bool = False) -> Any:
        """Return a pandas or polars frame, whichever is installed; fractions become floats unless `exact` is set."""
        return frame(self.rows(), library, exact=exact)

    def picture(self) -> str:
        """Return a small drawing as SVG: the house edges or amounts of the first rows as bars, where they have any."""
        rows = self.rows()
        figure = next((key for key in DRAWN if any(row.get(key) is not None for row in rows)), None)
        if figure is None:
            return ""
        values: dict[str, float] = {}
        edges = figure == "house_edge"
        for row in rows:
            name = " ".join(str(row[key]) for key in NAMES if row.get(key))
            if row.get(figure) is not None:
                values[name] = float(row[figure]) + (0.0 if edges else values.get(name, 0.0))
        return bars(dict(list(values.items())[:BARS]), figure.replace("_", " "), percent=edges)

    def _repr_html_(self) -> str:
        return f"<div>{self.picture()}{html_table(self.rows(), repr(self))}</div>"


T_co = TypeVar("T_co", bound=Result, covariant=True)


class Results(Result, Sequence[T_co]):
    """Several results in order, found by their place or by their name."""

    __slots__ = ("_items", "_name", "_title")

    def __init__(self, title: str, items: Sequence[T_co], name: Callable[[Any], str] = str) -> None:
        """Results under a title; `name` returns the name of each."""
        self._title, self._items, self._name = title, tuple(items), name

    @overload
    def __getitem__(self, key: int | str) -> T_co: ...

    @overload
    def __getitem__(self, key: slice) -> Results[T_co]: ...

    def __getitem__(self, key: int | str | slice) -> T_co | Results[T_co]:
        """Return a result by its place, or the first one of this name."""
        if isinstance(key, slice):
            return Results(self._title, self._items[key], self._name)
        if isinstance(key, int):
            return self._items[key]
        for item in self._items:
            if self._name(item) == key:
                return item
        raise unknown_name("result", key, dict.fromkeys(map(self._name, self._items)))

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"<{self._title}: {len(self)}>"

    def rows(self) -> list[Row]:
        """Return the rows of all results."""
        return [row for item in self._items for row in item.rows()]


def plain(value: Any) -> Any:
    """Return data without fractions and tuples, for JSON."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value if isinstance(value, int | float | str | None) else str(value)


def frame(rows: Sequence[Mapping[str, Any]], library: Library | None = None, *, exact: bool = False) -> Any:
    """Return rows as a frame of a library, or of the first one that is installed."""
    if library is not None and library not in LIBRARIES:
        raise unknown_name("library-for-frames", library, LIBRARIES)
    for name in [library] if library else LIBRARIES:
        try:
            module = import_module(name)
        except ModuleNotFoundError:
            continue
        columns = {key: [_cell(row[key], exact=exact) for row in rows] for key in (rows[0] if rows else ())}
        return module.DataFrame(columns)
    raise InputError("reports.frames", library=library or Message("errors.reports.pandas-or-polars"))


def _cell(value: Any, *, exact: bool) -> Any:
    if isinstance(value, Fraction):
        return str(value) if exact else float(value)
    return value if isinstance(value, int | float | str | None) else str(value)


# -- small drawings

GREEN, BRASS, ALARM, MUTED = "#1f5c43", "#a9853b", "#a2341f", "#6d675d"
WIDTH, HEIGHT, BAR = 420, 120, 15
BARS = 24
"""A chart has no more bars."""
POINTS = 160
"""A chart has no more columns; more are added up."""


def html_table(rows: Sequence[Mapping[str, Any]], caption: str) -> str:
    """Return rows as an HTML table with a caption; the exact value of a number shows on hovering."""
    if not rows:
        return f"<p>{escape(caption)}</p>"
    head = "".join(f"<th>{escape(str(key).replace('_', ' '))}</th>" for key in rows[0])
    body = "".join(f"<tr>{''.join(map(_html_cell, row.values()))}</tr>" for row in rows[:SHOWN])
    more = f"<p>and {len(rows) - SHOWN} more rows</p>" if len(rows) > SHOWN else ""
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
    )


def _html_cell(value: Any) -> str:
    if isinstance(value, Fraction | float):
        return f'<td style="text-align:right" title="{escape(str(value))}">{float(value):.6g}</td>'
    text = "" if value is None else str(value)
    side = ' style="text-align:right"' if isinstance(value, int) else ""
    return f"<td{side}>{escape(text)}</td>"


def bars(values: Mapping[str, float], label: str, *, percent: bool = False) -> str:
    """Return horizontal bars with their names and values; those below zero are red."""
    if not values:
        return ""
    most = max(map(abs, values.values())) or 1.0
    lines = []
    for place, (name, value) in enumerate(values.items()):
        top = place * (BAR + 3)
        text = f"{value * 100:.2f}%" if percent else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
        colour = ALARM if value < 0 else GREEN
        width = max(1.0, abs(value) / most * (WIDTH - 290))
        lines.append(
            f'<text x="200" y="{top + 12}" text-anchor="end">{escape(name[:32])}</text>'
            f'<rect x="206" y="{top + 2}" width="{width:.1f}" height="{BAR - 3}" fill="{colour}"/>'
            f'<text x="{210 + width:.1f}" y="{top + 12}" fill="{MUTED}">{text}</text>'
        )
    return _svg(WIDTH, len(values) * (BAR + 3), label, "".join(lines))


def columns(values: Mapping[int, float], label: str, *, zero: bool = True) -> str:
    """Return a distribution over whole numbers as columns; those below zero are red where `zero` divides them."""
    if not values:
        return ""
    low, high = min(values), max(values)
    step = max(1, -(-(high - low + 1) // POINTS))
    heights: dict[int, float] = {}
    for number, value in values.items():
        place = (number - low) // step
        heights[place] = heights.get(place, 0.0) + value
    most, count = max(heights.values()) or 1.0, (high - low) // step + 1
    width = WIDTH / max(count, 12)
    drawn = []
    for place, height in heights.items():
        tall = height / most * (HEIGHT - 18)
        colour = ALARM if zero and low + place * step < 0 else GREEN
        drawn.append(
            f'<rect x="{place * width:.2f}" y="{HEIGHT - 14 - tall:.2f}" width="{max(width * 0.9, 0.8):.2f}" '
            f'height="{max(tall, 0.4):.2f}" fill="{colour}"/>'
        )
    ends = (
        f'<text x="0" y="{HEIGHT - 2}" fill="{MUTED}">{low:,}</text>'
        f'<text x="{WIDTH}" y="{HEIGHT - 2}" text-anchor="end" fill="{MUTED}">{high:,}</text>'
    )
    return _svg(WIDTH, HEIGHT, label, "".join(drawn) + ends)


def curve(values: Sequence[float], label: str) -> str:
    """Return a line from the left to the right; the scale is from 0 to the largest value."""
    if not values:
        return ""
    most = max(values) or 1.0
    step = WIDTH / max(1, len(values) - 1)
    points = " ".join(
        f"{place * step:.1f},{HEIGHT - 14 - value / most * (HEIGHT - 28):.1f}" for place, value in enumerate(values)
    )
    text = (
        f'<text x="0" y="10" fill="{MUTED}">{most:.3g}</text>'
        f'<text x="{WIDTH}" y="{HEIGHT - 2}" text-anchor="end" fill="{MUTED}">{len(values):,}</text>'
    )
    line = f'<polyline points="{points}" fill="none" stroke="{GREEN}" stroke-width="1.6"/>'
    return _svg(WIDTH, HEIGHT, label, line + text)


def _svg(width: int, height: int, label: str, content: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="sans-serif" font-size="11" fill="currentColor">'
        f"<title>{escape(label)}</title>{content}</svg>"
    )
