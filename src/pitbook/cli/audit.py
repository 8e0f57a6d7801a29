"""`pitbook audit`: prove a journal right, or find the first entry that is wrong."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from msgspec import convert

from pitbook.cli.language import language, say
from pitbook.cli.output import print_json
from pitbook.cli.parameters import Database, Json, OwnBooks
from pitbook.errors import InputError
from pitbook.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.audit import Report
    from pitbook.audit.details import Detail


def audit(
    db: Database,
    *,
    checkpoint: Annotated[
        list[Path] | None,
        Parameter(
            negative="",
            help=say("help.audit.checkpoint"),
        ),
    ] = None,
    key: Annotated[Path | None, Parameter(help=say("help.shared.public-key"))] = None,
    archive: Annotated[list[Path] | None, Parameter(negative="", help=say("help.audit.archive"))] = None,
    book: OwnBooks = None,
    json: Json = False,
) -> int:
    """Recompute everything from the journal: chain, order of steps, every wager, every cent, balances, snapshots."""
    if key is not None and not (checkpoint or archive):
        raise InputError("cli.key-alone")
    report = audit_with_progress(db, checkpoint, key, books=book or (), archives=archive or ())
    if json:
        print_json(report.as_dict())
    else:
        print(_report_text(report))
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
        raise InputError("common.text", text=_message(error.detail)) from error


def _own_public_key() -> Path | None:
    """Return the public key with which this user's server signs running checkpoints."""
    home = os.environ.get("XDG_CONFIG_HOME")
    path = (Path(home) if home else Path.home() / ".config") / "pitbook" / "checkpoint.key.pub"
    return path if path.is_file() else None


def audit_summary(report: Report) -> str:
    """Return the result of an audit in one line, or what is wrong."""
    if report.good:
        return say("results.audit.right", entries=report.events, wagers=report.lines)
    return _report_text(report)


def _report_text(report: Report) -> str:
    """Return a report in the user's language."""
    from rich.cells import cell_len

    return report.write(lambda detail: _message(detail).text(language()), cell_len)


def _message(detail: Detail) -> Message:
    return convert(detail.as_data(), Message)


def _print_progress(events: int, table: str) -> None:
    print(say("results.audit.progress", entries=events, table=table), file=sys.stderr)
