"""Output of commands: JSON for machines, rich tables for people."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Literal

from pitbook.cli.language import odds_text
from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from rich.console import Console

    from pitbook.money import Odds
    from pitbook.rulebooks.model import Rulebook


def print_json(data: Any) -> None:
    """Print one JSON document, with Chinese unescaped if the output's encoding allows it."""
    escaped = "utf" not in (sys.stdout.encoding or "utf-8").lower()
    sys.stdout.write(json.dumps(data, ensure_ascii=escaped, indent=2, default=str) + "\n")


def console() -> Console:
    """Return a console as wide as the terminal, or wide enough for a file."""
    from rich.console import Console

    class Reader(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    wide = None if sys.stdout.isatty() else 120
    return Reader(file=sys.stdout, width=wide, highlight=False)


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[str] = ()
) -> None:
    """Print a table with a title; columns named in `right` are right-aligned."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    from pitbook.cli.columns import fit_columns, wrap_cell

    out = console()
    texts = [[str(cell) for cell in row] for row in rows]
    cells = list(zip(columns, *texts, strict=True))
    widths, gap = fit_columns(cells, out.width)
    # Everything is plain text: square brackets in a book are not styles.
    out.print(Text(title, style="bold"))  # as a title of the table, a long one would be cut to the table's width
    padding = (0, gap // 2, 0, gap - 1 - gap // 2)  # the box's own line, a space, is between them
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=padding)
    for column, width in zip(columns, widths, strict=True):
        side: Literal["left", "right"] = "right" if column in right else "left"
        table.add_column(Text(wrap_cell(column, width)), justify=side, width=width, no_wrap=True)
    for row in texts:
        table.add_row(*(Text(wrap_cell(cell, width)) for cell, width in zip(row, widths, strict=True)))
    out.print(table)


def print_words(text: str) -> None:
    """Print a sentence, wrapped between words."""
    from pitbook.cli.columns import wrap_cell

    print(wrap_cell(text, console().width).replace("\n", "\n  "))


def check_new_file(path: Path | None, *, force: bool) -> None:
    """Raise an error if a file exists and must not be overwritten."""
    if path is not None and path.exists() and not force:
        raise InputError("common.file-exists", file=path)


def format_span(book: Rulebook, odds: Iterable[Odds]) -> str:
    """Return what several rows pay, from the least to the most; a dash if none pays."""
    paid = [odds_text(book.printed(one)) for one in sorted(odds, key=lambda one: one.gain) if one.wins]
    if not paid:
        return "—"
    return paid[0] if paid[0] == paid[-1] else f"{paid[0]} … {paid[-1]}"


def format_percent(value: Any) -> str:
    """Return a fraction as a percentage."""
    return f"{float(value) * 100:.4f}%"
