"""`pitbook export`: a journal as CSV or Parquet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.language import say
from pitbook.cli.parameters import Database, Force
from pitbook.errors import InputError


def export(
    db: Database,
    *,
    table: Annotated[str | None, Parameter(help=say("help.export.table"))] = None,
    csv: Annotated[Path | None, Parameter(help=say("help.export.csv"))] = None,
    parquet: Annotated[Path | None, Parameter(help=say("help.export.parquet"))] = None,
    force: Force = False,
) -> None:
    """Write entries, postings and settled wagers as flat tables, a file for each."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from pitbook.house.exports import export as written
    from pitbook.house.flat_tables import SHEETS
    from pitbook.house.stores import known_table, opened

    folders = {kind: folder for kind, folder in (("csv", csv), ("parquet", parquet)) if folder is not None}
    if not folders:
        raise InputError("cli.no-target")
    with opened(db) as store:
        heads = store.heads()
        if table is not None:
            heads = {table: heads[known_table(store, table)]}
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        console = Console(file=sys.stderr)
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
            bars = {name: progress.add_task(name, total=head.sequence) for name, head in heads.items()}
            for name, done in written(store, heads, folders, force=force):
                progress.update(bars[name], completed=done)
    entries = sum(head.sequence for head in heads.values())
    print(say("results.export.written", entries=entries, tables=len(heads)), file=sys.stderr)
    for kind, folder in folders.items():
        for sheet in SHEETS:
            print(folder / f"{sheet.name}.{kind}")
