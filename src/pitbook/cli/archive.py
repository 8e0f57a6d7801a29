"""`pitbook archive`: move the records of tables that are over to files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.audit import audit_summary, audit_with_progress
from pitbook.cli.language import head, phrase, say
from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import Database, Json, OwnBooks
from pitbook.errors import InputError


def archive(
    db: Database,
    *tables: Annotated[str, Parameter(help=say("help.archive.tables"))],
    to: Annotated[Path, Parameter(help=say("help.archive.to"))],
    key: Annotated[Path, Parameter(help=say("help.archive.key"))],
    older_than: Annotated[int, Parameter(help=say("help.archive.older-than"))] = 365,
    dry_run: Annotated[bool, Parameter(negative="", help=say("help.archive.dry-run"))] = False,
    book: OwnBooks = None,
    json: Json = False,
) -> None:
    """Move the record of closed tables to files that can be audited and replayed like a journal, and free the space."""
    from pitbook.auth.stores import open_auth_store
    from pitbook.house.archiving import archive_table, retention_reason
    from pitbook.house.house import House
    from pitbook.house.stores import opened
    from pitbook.journal.keys import read_key
    from pitbook.server.webhooks.pending import undelivered_reason

    signer = read_key(key)
    if not to.is_dir():
        raise InputError("journal.archive-folder", folder=to)

    def check(place: str) -> None:
        report = audit_with_progress(place, books=book or ())
        print(say("results.archive.audited", place=place, summary=audit_summary(report)), file=sys.stderr)
        if not report.good:
            raise InputError("cli.archive-audit-failed", place=place)

    with opened(db, read_only=False) as store, House(store) as house:
        reasons = {name: retention_reason(house, name, older_than) for name in tables or house.tables()}
        if house.people.webhooks:
            with open_auth_store(db) as auth:
                reasons = {name: why or undelivered_reason(house, auth, name) for name, why in reasons.items()}
        refused = [why for why in reasons.values() if why is not None]
        if tables and refused and not dry_run:
            raise InputError("common.text", text=refused[0])
        due = [name for name, why in reasons.items() if why is None]
        done = []
        if due and not dry_run:
            check(db)
            done = [archive_table(house, name, to, signer, older_than, check) for name in due]
    if json:
        found = [{"table": one.table.table, "entries": one.table.count, "file": str(one.file)} for one in done]
        print_json({"archived": found, "due": due, "kept": {name: str(why) for name, why in reasons.items() if why}})
        return
    rows = [(one.table.table, f"{one.table.count:,}", str(one.file)) for one in done]
    rows += [(name, "", say("results.archive.due")) for name in due if dry_run]
    rows += [(name, "", phrase(why)) for name, why in reasons.items() if why is not None]
    print_table(say("results.archive.title"), head("table", "entries", "result"), rows, right=head("entries"))
