"""`pitbook backup`: a checked and audited copy of a journal, while it is being written."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.audit import audit_summary, audit_with_progress
from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import Audited, Database, Force, Json, OwnBooks


def backup(
    db: Database,
    file: Annotated[Path, Parameter(help="The new file.")],
    *,
    audit: Audited = True,
    book: OwnBooks = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Copy a journal to a new file while tables go on, check the copy, and audit it.

    A copy that the audit finds wrong is kept, for it may be all that there is: exit code 1.
    """
    from pitbook.house.stores import opened
    from pitbook.journal.backup import backup as copied

    with opened(db) as store:
        heads = copied(store, file, force=force)
    report = audit_with_progress(str(file), books=book or ()) if audit else None
    if report is None:
        print("not audited (--no-audit): file and hashes were checked, nothing was recomputed", file=sys.stderr)
    else:
        print(audit_summary(report), file=sys.stderr)
    good = report is None or report.good
    if json:
        tables = [{"table": name, "entries": head.sequence, "head": head.hash.hex()} for name, head in heads.items()]
        findings = [str(finding) for finding in report.findings] if report else None
        print_json({"file": str(file), "tables": tables, "audited": report is not None, "findings": findings})
    else:
        state = "checked, and whole" if good else "a whole copy of a journal in which something is WRONG"
        rows = [(name, f"{head.sequence:,}", head.hash.hex()[:16]) for name, head in heads.items()]
        print_table(f"{file}: {state}", ["table", "entries", "head"], rows, right=["entries"])
    return 0 if good else 1
