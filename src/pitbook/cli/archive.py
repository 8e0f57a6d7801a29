"""`pitbook archive`: move the records of tables that are over to files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.audit import audit_summary, audit_with_progress
from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import Database, Json, OwnBooks
from pitbook.errors import InputError


def archive(
    db: Database,
    *tables: Annotated[str, Parameter(help="The tables; all that qualify if none is named.")],
    to: Annotated[Path, Parameter(help="The folder for the archives.")],
    key: Annotated[Path, Parameter(help="The house's signing key.")],
    older_than: Annotated[int, Parameter(help="Archive tables whose last entry is older than this many days.")] = 365,
    dry_run: Annotated[
        bool,
        Parameter(negative="", help="Say which tables would be archived and why others would not; change nothing."),
    ] = False,
    book: OwnBooks = None,
    json: Json = False,
) -> None:
    """Move the record of closed tables to files that can be audited and replayed like a journal, and free the space.

    Stop every server first. The journal is audited before, each archive before its table is removed from the journal.
    What the journal keeps: the last hash of the record, and what the table moved on each account. A table with open
    disputes, unsettled money or pending approvals is not archived, and neither is the house's own record.
    """
    from pitbook.house.archiving import archive_table, why_needed
    from pitbook.house.house import House
    from pitbook.house.stores import opened
    from pitbook.journal.keys import read_key

    signer = read_key(key)
    if not to.is_dir():
        raise InputError(f"there is no folder {to} for the archives")

    def check(place: str) -> None:
        report = audit_with_progress(place, books=book or ())
        print(f"{place}: {audit_summary(report)}", file=sys.stderr)
        if not report.good:
            raise InputError(f"{place} is not right, as the audit says above; nothing was removed from the journal")

    with opened(db, read_only=False) as store, House(store) as house:
        reasons = {name: why_needed(house, name, older_than) for name in tables or house.tables()}
        refused = [why for why in reasons.values() if why is not None]
        if tables and refused and not dry_run:
            raise InputError(refused[0])
        due = [name for name, why in reasons.items() if why is None]
        done = []
        if due and not dry_run:
            check(db)
            done = [archive_table(house, name, to, signer, older_than, check) for name in due]
    if json:
        found = [{"table": one.table.table, "entries": one.table.count, "file": str(one.file)} for one in done]
        print_json({"archived": found, "due": due, "kept": {name: why for name, why in reasons.items() if why}})
        return
    rows = [(one.table.table, f"{one.table.count:,}", str(one.file)) for one in done]
    rows += [(name, "", "would be archived") for name in due if dry_run]
    rows += [(name, "", why) for name, why in reasons.items() if why is not None]
    print_table("archives", ["table", "entries", "result"], rows, right=["entries"])
