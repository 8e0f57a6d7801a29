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
from typing import TYPE_CHECKING, Any, get_args

from pitbook.errors import InputError
from pitbook.reports.charts import Charts, Panel, draw_charts
from pitbook.reports.contents import NOT_FILED, Filing, Sheet, build_sheet
from pitbook.reports.figures import figures_csv, figures_data
from pitbook.reports.volatility import CONFIDENCES, ROUNDS, SheetForm

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from jinja2 import Environment

    from pitbook.analysis.variants import Variant
    from pitbook.rulebooks.model import Rulebook

PAGE_FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
PDF_FONT = "Libertinus Serif"
EXTRA = ("fontTools", "jinja2", "matplotlib", "typst", "xlsxwriter")
"""The libraries of the extra `reports`."""


def write_sheets(
    rules: Rulebook, found: Sequence[Variant], files: Mapping[Path, SheetForm], filing: Filing = NOT_FILED
) -> None:
    """Write the sheet of a book's wagers to files, each in its format; all are made before the first is written."""
    contents = {form: sheet_file(rules, found, form, filing) for form in dict.fromkeys(files.values())}
    for path, form in files.items():
        try:
            path.write_bytes(contents[form])
        except (OSError, ValueError) as error:
            raise InputError(
                "common.not-written", file=path, reason=getattr(error, "strerror", None) or error
            ) from None


def form_of(path: Path) -> SheetForm:
    """Return the format for a file's ending."""
    ending = path.suffix.lower().removeprefix(".")
    forms: tuple[SheetForm, ...] = get_args(SheetForm)
    for form in forms:
        if form == ending:
            return form
    raise InputError("reports.no-format", file=path, endings=", ".join("." + form for form in forms))


def sheet_file(rules: Rulebook, found: Sequence[Variant], form: SheetForm, filing: Filing = NOT_FILED) -> bytes:
    """Return the sheet of a book's wagers in a format."""
    if not found:
        raise InputError("reports.no-wagers")
    if form == "json":
        return (json.dumps(figures_data(rules, found), ensure_ascii=False, indent=2, default=str) + "\n").encode()
    if form == "csv":
        return figures_csv(found).encode()
    with reports_extra():
        sheet = build_sheet(rules, found, filing)
        if form == "xlsx":
            from pitbook.reports.workbook import workbook

            return workbook(sheet, found)
        charts = draw_charts(sheet)
        return html_page(sheet, charts).encode() if form == "html" else pdf_file(sheet, charts)


class MissingExtra(InputError):
    """A library of the extra `reports` is not installed."""

    def __init__(self, library: str) -> None:
        super().__init__("reports.no-extra", library=library)
        self.library = library


@contextmanager
def reports_extra() -> Iterator[None]:
    """Turn a missing library into an error that names the extra to install."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] not in EXTRA:
            raise
        raise MissingExtra(str(missing.name)) from None


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
    return (
        page_templates()
        .get_template("sheet.html")
        .render(sheet=sheet, charts=charts, scale=scale, confidences=CONFIDENCES, band_rounds=ROUNDS)
    )


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
    printable = map_texts(
        data, lambda key, text: "" if is_chinese(key) and not supply.chinese else supply.printable(text)
    )
    printable["fonts"] = [PDF_FONT, *([supply.chinese] if supply.chinese else [])]
    on = sheet.filing.made_on
    return typst.compile(
        _packaged("sheet.typ"),
        sys_inputs={"data": json.dumps(printable)},  # as data: nothing in a book is interpreted as markup
        font_paths=fonts,
        pdf_standards=["ua-1", "a-2a"] if on else ["ua-1"],
        timestamp=datetime(on.year, on.month, on.day, tzinfo=UTC) if on else None,
    )


def _typst_data(sheet: Sheet, charts: Charts) -> dict[str, Any]:
    """Return plain data for the template: the sheet, and the charts in the PDF's fonts."""
    filing = sheet.filing
    data = asdict(replace(sheet, courses=(), filing=NOT_FILED))
    data |= {
        "made_on": filing.made_on.isoformat() if filing.made_on else "",
        "prepared_by": filing.prepared_by,
        "approved_by": filing.approved_by,
        "filing": asdict(filing.pace),
        "confidences": CONFIDENCES,
        "band_rounds": ROUNDS,
    }
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
