"""Present files to download: diagrams of wagers and reports of a book's figures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

from pitbook.engine.draw import RENDERERS, diagram
from pitbook.reports.figures import figures_csv, figures_data
from pitbook.server.books.scripts import SentLanguage, in_script, written_in
from pitbook.server.http.errors import MissingDependency
from pitbook.server.presenters.figures import find_variants

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from pitbook.server.books.library import ChosenBook, Library
    from pitbook.server.books.selection import PaytableChoices

Drawing = Literal["svg", "dot", "mermaid", "json"]
ReportForm = Literal["html", "pdf", "csv", "json"]


def diagram_file(
    library: Library, chosen: ChosenBook, wager_id: str, form: Drawing, language: SentLanguage, title: str | None
) -> bytes:
    """Return a diagram of a wager's states and transitions."""
    rules = library.load_book(chosen)
    found = diagram(rules, rules.wager(wager_id), language=written_in(language), book=title)
    text = json.dumps(found.as_data(), ensure_ascii=False) if form == "json" else RENDERERS[form](found)
    return in_script(text.encode(), language)


def report_file(
    library: Library,
    chosen: ChosenBook,
    ids: Sequence[str],
    tables: PaytableChoices,
    all_readings: bool,
    form: ReportForm,
    made_on: date,
) -> bytes:
    """Return the figures of a book as a PAR sheet or as data."""
    found = find_variants(library, chosen, ids, tables, all_readings=all_readings)
    rules = library.load_book(chosen)
    if form == "json":
        return (json.dumps(figures_data(rules, found), ensure_ascii=False, indent=2, default=str) + "\n").encode()
    if form == "csv":
        return figures_csv(found).encode()
    from pitbook.reports.charts import draw_charts
    from pitbook.reports.contents import build_sheet
    from pitbook.reports.sheet import EXTRA, html_page, pdf_file

    try:
        sheet = build_sheet(rules, found, made_on)
        charts = draw_charts(sheet)
        return html_page(sheet, charts).encode() if form == "html" else pdf_file(sheet, charts)
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] not in EXTRA:
            raise
        raise MissingDependency(
            f"reports need {missing.name}, which this house lacks; install pitbook[reports]"
        ) from None
