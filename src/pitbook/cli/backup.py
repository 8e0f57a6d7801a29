"""`pitbook backup`: copy a journal while it is being written, and audit the copy."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.audit import audit_summary, audit_with_progress
from pitbook.cli.language import head, say
from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import Audited, Database, Force, Json, OwnBooks


def backup(
    db: Database,
    file: Annotated[Path, Parameter(help=say("help.backup.file"))],
    *,
    audit: Audited = True,
    book: OwnBooks = None,
    update: Annotated[bool, Parameter(name="--update", negative="", help=say("help.backup.update"))] = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Copy a journal to an SQLite file while tables run, check the copy, and audit it."""
    from pitbook.house.stores import opened
    from pitbook.journal.backup import backup as back_up
    from pitbook.journal.backup import update as add_new_entries

    with opened(db) as store:
        heads = add_new_entries(store, file) if update and file.exists() else back_up(store, file, force=force)
    report = audit_with_progress(str(file), books=book or ()) if audit else None
    if report is None:
        print(say("results.backup.not-audited"), file=sys.stderr)
    else:
        print(audit_summary(report), file=sys.stderr)
    good = report is None or report.good
    if json:
        tables = [{"table": name, "entries": head.sequence, "head": head.hash.hex()} for name, head in heads.items()]
        findings = [str(finding) for finding in report.findings] if report else None
        print_json({"file": str(file), "tables": tables, "audited": report is not None, "findings": findings})
    else:
        title = say("results.backup.right" if good else "results.backup.wrong", file=file)
        rows = [(name, f"{head.sequence:,}", head.hash.hex()[:16]) for name, head in heads.items()]
        print_table(title, head("table", "entries", "file-head"), rows, right=head("entries"))
    return 0 if good else 1
