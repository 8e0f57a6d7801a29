"""`pitbook move`: from SQLite to PostgreSQL or back."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pitbook.cli.audit import audit_summary, audit_with_progress
from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import Audited, Database, Json, OwnBooks
from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def move(
    db: Database,
    target: Annotated[str, Parameter(help="An empty journal: a new SQLite file, or a postgresql:// URL.")],
    *,
    audit: Audited = True,
    book: OwnBooks = None,
    json: Json = False,
) -> int:
    """Copy a whole house to another database: record, books, passwords, PINs and API tokens.

    Stop every server on both first. The record is audited before and after. The copy has the same hashes: checkpoints
    of the old one fit the new one. The old database is not changed. Sessions are not copied: people sign in again.
    """
    from pitbook.auth.moving import move_credentials
    from pitbook.auth.stores import open_auth_store
    from pitbook.house.stores import opened
    from pitbook.journal.copying import move_journal

    if audit:
        _audit(db, "the source", book or ())
    with opened(db) as source, opened(target, read_only=False) as new:
        heads = move_journal(source, new, show_progress)
    with closing(open_auth_store(db)) as old_access, closing(open_auth_store(target)) as new_access:
        people = move_credentials(old_access.database, new_access.database)
    if audit:
        _audit(target, "the copy", book or ())
    if json:
        tables = [{"table": name, "entries": head.sequence, "head": head.hash.hex()} for name, head in heads.items()]
        print_json({"tables": tables, "people": people, "audited": audit})
    else:
        rows = [(name, f"{head.sequence:,}", head.hash.hex()[:16]) for name, head in heads.items()]
        print_table("moved, with the same hashes", ["table", "entries", "head"], rows, right=["entries"])
    return 0


def _audit(place: str, what: str, books: Sequence[Path]) -> None:
    report = audit_with_progress(place, books=books)
    print(f"{what}: {audit_summary(report)}", file=sys.stderr)
    if not report.good:
        raise InputError(f"{what} is not right, as the audit says above; nothing was changed in the source")


def show_progress(done: int, total: int) -> None:
    """Print how much is copied, on a terminal."""
    if sys.stderr.isatty():
        print(f"\rcopied {done:,} of {total:,} entries", end="\n" if done == total else "", file=sys.stderr)
