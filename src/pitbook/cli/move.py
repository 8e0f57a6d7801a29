"""`pitbook move`: from SQLite to PostgreSQL or back."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pitbook.cli.audit import audit_summary, audit_with_progress
from pitbook.cli.language import head, say
from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import Audited, Database, Json, OwnBooks
from pitbook.errors import InputError
from pitbook.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def move(
    db: Database,
    target: Annotated[str, Parameter(help=say("help.move.target"))],
    *,
    audit: Audited = True,
    book: OwnBooks = None,
    json: Json = False,
) -> int:
    """Copy a whole house to another database: record, books, passwords, PINs and API tokens, but not sessions."""
    from pitbook.auth.moving import move_credentials
    from pitbook.auth.stores import open_auth_store
    from pitbook.house.stores import opened
    from pitbook.journal.copying import move_journal

    if audit:
        _audit(db, "source", book or ())
    with opened(db) as source, opened(target, read_only=False) as new:
        heads = move_journal(source, new, show_progress)
    with closing(open_auth_store(db)) as old_access, closing(open_auth_store(target)) as new_access:
        people = move_credentials(old_access.database, new_access.database)
    if audit:
        _audit(target, "copy", book or ())
    if json:
        tables = [{"table": name, "entries": head.sequence, "head": head.hash.hex()} for name, head in heads.items()]
        print_json({"tables": tables, "people": people, "audited": audit})
    else:
        rows = [(name, f"{head.sequence:,}", head.hash.hex()[:16]) for name, head in heads.items()]
        columns = head("table", "entries", "file-head")
        print_table(say("results.move.title"), columns, rows, right=head("entries"))
    return 0


def _audit(place: str, what: str, books: Sequence[Path]) -> None:
    report = audit_with_progress(place, books=books)
    name = Message(f"cli.results.move.{what}")
    print(say("results.move.audited", place=name, summary=audit_summary(report)), file=sys.stderr)
    if not report.good:
        raise InputError("cli.audit-failed", place=name)


def show_progress(done: int, total: int) -> None:
    """Print how much is copied, on a terminal."""
    if sys.stderr.isatty():
        line = say("results.move.progress", done=done, total=total)
        print(f"\r{line}", end="\n" if done == total else "", file=sys.stderr)
