"""`pitbook backup`: a checked copy of a journal, while it is being written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import Database, Json


def backup(db: Database, file: Annotated[Path, Parameter(help="The new file.")], *, json: Json = False) -> None:
    """Copy a journal to a new file while tables go on, and check the copy."""
    from pitbook.house.stores import opened
    from pitbook.journal.backup import backup as copied

    with opened(db) as store:
        heads = copied(store, file)
    if json:
        tables = [{"table": name, "entries": head.sequence, "head": head.hash.hex()} for name, head in heads.items()]
        print_json({"file": str(file), "tables": tables})
        return
    rows = [(name, f"{head.sequence:,}", head.hash.hex()[:16]) for name, head in heads.items()]
    print_table(f"{file}: checked, and whole", ["table", "entries", "head"], rows, right=["entries"])
