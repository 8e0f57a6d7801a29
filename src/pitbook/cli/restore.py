"""`pitbook restore`: put a backup in place, or prove that it could be."""

from __future__ import annotations

import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pitbook.cli.audit import audit_summary, audit_with_progress
from pitbook.cli.language import head, phrase, say
from pitbook.cli.move import show_progress
from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import Json, OwnBooks
from pitbook.errors import InputError

if TYPE_CHECKING:
    from pitbook.audit import Report
    from pitbook.journal.port import Head
    from pitbook.messages import Message


def restore(
    backup: Annotated[Path, Parameter(help=say("help.restore.backup"))],
    target: Annotated[str | None, Parameter(help=say("help.restore.target"))] = None,
    *,
    check: Annotated[bool, Parameter(name="--check", negative="", help=say("help.restore.check"))] = False,
    checkpoint: Annotated[list[Path] | None, Parameter(negative="", help=say("help.restore.checkpoint"))] = None,
    key: Annotated[Path | None, Parameter(help=say("help.shared.public-key"))] = None,
    book: OwnBooks = None,
    json: Json = False,
) -> int:
    """Copy a backup to a new journal, with passwords if they are beside it, and audit the result."""
    from pitbook.house.stores import opened

    if check == (target is not None):
        raise InputError("cli.restore-where")
    if key is not None and not checkpoint:
        raise InputError("cli.key-alone")
    with TemporaryDirectory(prefix="pitbook-restore-") as folder:
        place = target or str(Path(folder) / "house.db")
        heads = _copy(backup, place, Path(folder))
        report = audit_with_progress(place, checkpoint, key, books=book or ())
        print(audit_summary(report), file=sys.stderr)
        disabled = _open_house(place) if check else {}
        with opened(place) as store:
            latest = max((entry.at for name, head in heads.items() for entry in store.entries(name, head.sequence - 1)))
    _print_result(backup, heads, latest, report, disabled, json=json)
    return 0 if report.good and not disabled else 1


def _copy(backup: Path, place: str, folder: Path) -> dict[str, Head]:
    """Copy the record, and what people sign in with if the backup has it; the backup itself is only read."""
    from pitbook.auth.moving import move_credentials
    from pitbook.auth.stores import SUFFIX, open_auth_store
    from pitbook.house.stores import opened
    from pitbook.journal.backup import copy_pages
    from pitbook.journal.copying import move_journal

    copy = folder / "backup.db"
    access, copied_access = (file.with_name(file.name + SUFFIX) for file in (backup, copy))
    with opened(str(_readable(backup, copy))) as source:
        if not source.names():
            raise InputError("cli.empty-backup", backup=backup)
        if access.exists():
            copy_pages(access, copied_access)
        with opened(place, read_only=False) as new:
            heads = move_journal(source, new, show_progress)
    if copied_access.exists():
        with closing(open_auth_store(str(copy))) as backed_up, closing(open_auth_store(place)) as credentials:
            move_credentials(backed_up.database, credentials.database)
    return heads


def _readable(backup: Path, copy: Path) -> Path:
    """Return the backup, or a migrated copy if an older version wrote it."""
    from pitbook.house.stores import opened
    from pitbook.journal.backup import copy_pages

    try:
        with opened(str(backup)):
            return backup
    except InputError as error:
        if error.message.id != "errors.journal.older-schema":
            raise
    copy_pages(backup, copy)
    with opened(str(copy), read_only=False):
        return copy


def _open_house(place: str) -> dict[str, Message]:
    """Rebuild every table as a server does at its start; return those that it could not open, with the reason."""
    from pitbook.house.house import House
    from pitbook.house.stores import opened

    with opened(place, read_only=False) as store, House(store) as house:
        house.check_tables()
        return {one.table: one.message for one in house.disabled.values()}


def _print_result(
    backup: Path, heads: dict[str, Head], latest: str, report: Report, disabled: dict[str, Message], *, json: bool
) -> None:
    age = round((datetime.now(UTC) - datetime.fromisoformat(latest)).total_seconds())
    if json:
        tables = [{"table": name, "entries": head.sequence, "head": head.hash.hex()} for name, head in heads.items()]
        findings = [str(finding) for finding in report.findings]
        reasons = {name: why.text() for name, why in disabled.items()}
        print_json({"tables": tables, "latest": latest, "age_seconds": age, "findings": findings, "disabled": reasons})
        return
    rows = [
        (name, f"{last.sequence:,}", phrase(disabled.get(name, say("results.restore.opens"))))
        for name, last in heads.items()
    ]
    title = say("results.restore.title", backup=backup, latest=latest)
    print_table(title, head("table", "entries", "state"), rows, right=head("entries"))
