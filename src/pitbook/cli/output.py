"""What every command prints: JSON for machines, rich tables for people."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from pitbook.mistakes import Mistake

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from rich.console import Console


def print_json(data: Any) -> None:
    """One JSON document, Chinese as itself where the output can hold it."""
    escaped = "utf" not in (sys.stdout.encoding or "utf-8").lower()
    sys.stdout.write(json.dumps(data, ensure_ascii=escaped, indent=2, default=str) + "\n")


def console() -> Console:
    """Where people read; as wide as the terminal, and wide enough when written to a file."""
    from rich.console import Console

    class Reader(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    wide = None if sys.stdout.isatty() else 120
    return Reader(file=sys.stdout, width=wide, highlight=False)


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[str] = ()
) -> None:
    """A table with a title; columns named in `right` are set flush right."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    # Everything is set as plain text: square brackets in a book are not styles.
    bold = Text(title, style="bold")
    table = Table(title=bold, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(Text(column), justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    console().print(table)


def new_file(path: Path | None) -> None:
    """A file that is to be written must not be there yet: nothing is overwritten."""
    if path is not None and path.exists():
        raise Mistake(f"there is a file {path} already; name another, or remove it first")


def span(paid: Sequence[str]) -> str:
    """What several rows pay, from the first to the last; a dash where none pays."""
    if len(paid) > 1:
        return f"{paid[0]} … {paid[-1]}"
    return paid[0] if paid else "—"


def percent(value: Any) -> str:
    """A fraction as people read it."""
    return f"{float(value) * 100:.4f} %"
