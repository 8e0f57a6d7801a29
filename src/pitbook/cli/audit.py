"""`pitbook audit`: prove a journal right, or find the first entry that is wrong."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pitbook.cli.output import print_json
from pitbook.cli.parameters import Database, Json, OwnBooks
from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.audit import Report


def audit(
    db: Database,
    *,
    checkpoint: Annotated[
        list[Path] | None,
        Parameter(
            negative="",
            help="A checkpoint that somebody has kept: shows what was cut off or rewritten. Several narrow it down.",
        ),
    ] = None,
    key: Annotated[Path | None, Parameter(help="The signer's public key (.pub), to check the signature with.")] = None,
    archive: Annotated[
        list[Path] | None,
        Parameter(
            negative="", help="An archive of a table of this house: audited, too, and compared with the journal."
        ),
    ] = None,
    book: OwnBooks = None,
    json: Json = False,
) -> int:
    """Recompute everything from the journal: chain, order of steps, every wager, every cent, balances, snapshots.

    Exit code 0: all of it is right; 1: something is wrong, even if only a trigger of the database is missing.
    """
    if key is not None and not (checkpoint or archive):
        raise InputError("--key checks a checkpoint's signature; name the checkpoint too")
    report = audit_with_progress(db, checkpoint, key, books=book or (), archives=archive or ())
    if json:
        print_json(report.as_dict())
    else:
        print(report)
    return 0 if report.good else 1


def audit_with_progress(
    db: str,
    checkpoints: Sequence[Path] | None = None,
    key: Path | None = None,
    *,
    books: Sequence[Path] = (),
    archives: Sequence[Path] = (),
) -> Report:
    """Return the report of an audit that prints its progress to standard error."""
    from pitbook.audit import audit as run
    from pitbook.audit.errors import Unreadable

    try:
        own = _own_public_key()
        return run(db, checkpoints, key, books=books, running_key=own, archives=archives, progress=_print_progress)
    except Unreadable as error:
        raise InputError(" ".join(str(error).split())) from error


def _own_public_key() -> Path | None:
    """Return the public key with which this user's server signs running checkpoints."""
    home = os.environ.get("XDG_CONFIG_HOME")
    path = (Path(home) if home else Path.home() / ".config") / "pitbook" / "checkpoint.key.pub"
    return path if path.is_file() else None


def audit_summary(report: Report) -> str:
    """Return the result of an audit in one line, or what is wrong."""
    if report.good:
        return f"audited: right, {report.events:,} entries and {report.lines:,} settled wagers recomputed"
    return str(report)


def _print_progress(events: int, table: str) -> None:
    print(f"{events:,} events, at table {table}", file=sys.stderr)
