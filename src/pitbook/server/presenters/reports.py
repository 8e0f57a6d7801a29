"""Present files to download: diagrams of wagers and reports of a book's figures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

from pitbook.engine.draw import RENDERERS, diagram
from pitbook.server.books.scripts import SentLanguage, message_language
from pitbook.server.http.errors import MissingDependency
from pitbook.server.presenters.figures import find_variants

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from pitbook.reports.volatility import SheetForm
    from pitbook.server.books.library import ChosenBook, Library
    from pitbook.server.books.selection import PaytableChoices

Drawing = Literal["svg", "dot", "mermaid", "json"]


def diagram_file(library: Library, chosen: ChosenBook, wager_id: str, form: Drawing, language: SentLanguage) -> bytes:
    """Return a diagram of a wager's states and transitions."""
    rules = library.load_book(chosen)
    found = diagram(rules, rules.wager(wager_id), language=message_language(language))
    text = json.dumps(found.as_data(), ensure_ascii=False) if form == "json" else RENDERERS[form](found)
    return text.encode()


def report_file(
    library: Library,
    chosen: ChosenBook,
    ids: Sequence[str],
    tables: PaytableChoices,
    all_readings: bool,
    form: SheetForm,
    made_on: date,
) -> bytes:
    """Return the figures of a book as a PAR sheet or as data."""
    found = find_variants(library, chosen, ids, tables, all_readings=all_readings)
    rules = library.load_book(chosen)
    from pitbook.reports.contents import Filing
    from pitbook.reports.sheet import MissingExtra, sheet_file

    try:
        return sheet_file(rules, found, form, Filing(made_on))
    except MissingExtra as missing:
        raise MissingDependency("server.reports-extra", library=missing.library) from None
