"""`pitbook checkpoint`: sign the heads of all records, for others to keep."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pitbook.cli.audit import audit_summary, audit_with_progress
from pitbook.cli.language import head, say
from pitbook.cli.output import check_new_file, print_table
from pitbook.cli.parameters import Audited, Database, Force, OwnBooks
from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from pitbook.audit import Report


def checkpoint(
    db: Database,
    *,
    key: Annotated[Path | None, Parameter(help=say("help.checkpoint.key"))] = None,
    out: Annotated[Path | None, Parameter(help=say("help.checkpoint.out"))] = None,
    audit: Audited = True,
    book: OwnBooks = None,
    force: Force = False,
) -> int:
    """Audit the journal, and sign the end of every table's record."""
    from pitbook.house.stores import opened
    from pitbook.journal.checkpoints import write

    check_new_file(out, force=force)
    with opened(db) as store:
        signer = _load_key(key or _own_key())
        signed = write(store, signer, datetime.now(UTC).isoformat(timespec="seconds"))
    content = signed.to_json()
    report = _audit_content(db, content, book or ()) if audit else None
    if report is None:
        _print_error(say("results.checkpoint.not-audited"))
    else:
        _print_error(audit_summary(report))
        if not report.recorded:
            _print_error(say("results.checkpoint.not-signed"))
            return 1
    if out is None:
        sys.stdout.write(content.decode())
    else:
        try:
            out.write_bytes(content)
        except OSError as error:
            raise InputError("common.not-written", file=out, reason=error.strerror) from error
        rows = [(one.table, f"{one.count:,}", one.head[:16]) for one in signed.tables]
        title = say("results.checkpoint.title", file=out, at=signed.at, signer=signed.signer)
        print_table(title, head("table", "entries", "file-head"), rows, right=head("entries"))
    entries = sum(one.count for one in signed.tables)
    _print_error(say("results.checkpoint.covers", entries=entries, tables=len(signed.tables)))
    return 0 if report is None or report.good else 1


def _audit_content(db: str, content: bytes, books: Sequence[Path]) -> Report:
    """Return the audit of exactly what is to be signed: the record must contain it, whatever was added meanwhile."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="pitbook-checkpoint-") as folder:
        unsigned = Path(folder) / "checkpoint"
        unsigned.write_bytes(content)
        return audit_with_progress(db, [unsigned], books=books)


def _own_key() -> Path:
    """Return the user's own key, outside of any journal."""
    home = os.environ.get("XDG_CONFIG_HOME")
    folder = (Path(home) if home else Path.home() / ".config") / "pitbook"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / "checkpoint.key"


def _load_key(path: Path) -> Ed25519PrivateKey:
    from pitbook.journal.keys import create_key, read_key

    if path.exists():
        return read_key(path)
    created = create_key(path)
    _print_error(say("results.checkpoint.new-key", key=path))
    return created


def _print_error(line: str) -> None:
    print(line, file=sys.stderr)
