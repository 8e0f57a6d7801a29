"""The sheet that a test laboratory would file, as a self-contained page and as a PDF on A4.

Needs the extra `reports`.
"""

from __future__ import annotations

import base64
import json
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pitbook.errors import InputError
from pitbook.reports.charts import Charts, Panel, draw_charts
from pitbook.reports.contents import Sheet, build_sheet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date
    from pathlib import Path

    from jinja2 import Environment

    from pitbook.analysis.variants import Variant
    from pitbook.rulebooks.model import Rulebook

PAGE_FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
PDF_FONT = "Libertinus Serif"
EXTRA = ("fontTools", "jinja2", "matplotlib", "typst")
"""The libraries of the extra `reports`."""


def write_sheet(
    rules: Rulebook,
    found: Sequence[Variant],
    *,
    html: Path | None = None,
    pdf: Path | None = None,
    made_on: date | None = None,
) -> None:
    """Write the figures of a book's wagers as a page, as a PDF, or both."""
    if not found:
        raise InputError("there are no wagers to report on")
    with reports_extra():
        sheet = build_sheet(rules, found, made_on)
        charts = draw_charts(sheet)
        pages = [(html, html_page(sheet, charts).encode())] if html else []
        pages += [(pdf, pdf_file(sheet, charts))] if pdf else []
    for path, content in pages:
        try:
            path.write_bytes(content)
        except (OSError, ValueError) as error:
            raise InputError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None


@contextmanager
def reports_extra() -> Iterator[None]:
    """Turn a missing library into an error that names the extra to install."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] not in EXTRA:
            raise
        raise InputError(f"reports need {missing.name}, which is missing; install pitbook[reports]") from None


def page_templates(**filters: Any) -> Environment:
    """Return the packaged templates, with escaping and without undefined values."""
    import jinja2

    templates = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: _packaged(name).decode()),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    templates.filters |= {"picture": _data_url, **filters}
    return templates


def html_page(sheet: Sheet, charts: Charts) -> str:
    """Return the sheet as one self-contained page."""
    scale = max(abs(line.edge.value) for line in sheet.lines) or 1.0
    return page_templates().get_template("sheet.html").render(sheet=sheet, charts=charts, scale=scale)


def _data_url(panel: Panel) -> str:
    """Return a chart as a data URL."""
    return "data:image/svg+xml;base64," + base64.b64encode(panel.with_fonts(PAGE_FONTS).encode()).decode()


def pdf_file(sheet: Sheet, charts: Charts) -> bytes:
    """Return the sheet as PDF/UA, and with a date as PDF/A too, for archives and screen readers."""
    import typst

    from pitbook.reports.fonts import find_fonts, is_chinese, map_texts

    data = _typst_data(sheet, charts)
    fonts = typst.Fonts()
    supply = find_fonts(data, fonts)
    shown = map_texts(data, lambda key, text: "" if is_chinese(key) and not supply.chinese else supply.printable(text))
    shown["fonts"] = [PDF_FONT, *([supply.chinese] if supply.chinese else [])]
    on = sheet.made_on
    return typst.compile(
        _packaged("sheet.typ"),
        sys_inputs={"data": json.dumps(shown)},  # as data: nothing in a book is interpreted as markup
        font_paths=fonts,
        pdf_standards=["ua-1", "a-2a"] if on else ["ua-1"],
        timestamp=datetime(on.year, on.month, on.day, tzinfo=UTC) if on else None,
    )


def _typst_data(sheet: Sheet, charts: Charts) -> dict[str, Any]:
    """Return plain data for the template: the sheet, and the charts in the PDF's fonts."""
    data = asdict(replace(sheet, courses=(), made_on=None))
    data["made_on"] = sheet.made_on.isoformat() if sheet.made_on else ""
    data |= {"with_paytables": sheet.with_paytables, "with_ways": sheet.with_ways, "with_rolls": sheet.with_rolls}
    data["charts"] = {
        "edges": _panel(charts.edges),
        "ladders": [_panel(panel) for panel in charts.ladders],
        "courses": [_panel(panel) for panel in charts.courses],
    }
    return data


def _panel(panel: Panel) -> dict[str, str]:
    return {"title": panel.title, "note": panel.note, "alt": panel.alt, "svg": panel.with_fonts(f"'{PDF_FONT}'")}


def _packaged(name: str) -> bytes:
    return files("pitbook.reports").joinpath(name).read_bytes()
