"""A copy of a journal while it is being written."""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

import apsw

from pitbook.errors import InputError
from pitbook.journal import chain
from pitbook.journal.errors import Unavailable
from pitbook.journal.postgres import PostgresStore
from pitbook.journal.sqlite import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path

    from pitbook.journal.port import Head, Store


OWNER_ONLY = 0o600
"""The mode of a backup: it holds what the journal holds, and only its owner may read it."""


def backup(store: Store, target: Path, *, force: bool = False) -> dict[str, Head]:
    """Copy an SQLite journal to a new file, check the copy, and only then give it its name; where its tables stand."""
    if isinstance(store, PostgresStore):
        raise InputError(f"{store.name} is backed up with PostgreSQL's own means: pg_dump --format=custom")
    assert isinstance(store, SqliteStore)
    if target.exists() and not force:
        raise InputError(f"there is a file {target} already; name another, or overwrite it with --force")
    if target.exists() and target.samefile(store.path):
        raise InputError(f"{target} is the journal itself; name another file for its copy")
    if not target.parent.is_dir():
        raise InputError(f"there is no folder {target.parent} for the backup {target.name}")
    unfinished = target.with_name(target.name + ".unfinished")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    try:
        _copy(store.path, unfinished)
        heads = _check(unfinished)
        _keep(unfinished, target)
    except apsw.Error as error:
        raise Unavailable(f"the backup {target} failed: {error}") from error
    finally:
        for left in target.parent.glob(unfinished.name + "*"):
            left.unlink()
    return heads


def _copy(source: Path, target: Path) -> None:
    flags = apsw.SQLITE_OPEN_READONLY
    with closing(apsw.Connection(os.fspath(source), flags=flags)) as old, closing(apsw.Connection(str(target))) as new:
        old.set_busy_timeout(5_000)
        with new.backup("main", old, "main") as copying:
            copying.step(-1)  # at once: no writer waits for it, and in pieces every write would make it start anew


def _check(path: Path) -> dict[str, Head]:
    """SQLite's own check, then the chain."""
    with closing(apsw.Connection(os.fspath(path))) as connection:
        connection.pragma("journal_mode", "delete")  # one file that is complete in itself
        if (found := connection.pragma("integrity_check")) != "ok":
            raise Unavailable(f"the copy {path} is damaged: {found}")
    copy = SqliteStore(path, read_only=True)
    try:
        return {table: chain.verify(copy.entries(table), table) for table in copy.heads()}
    finally:
        copy.close()


def _keep(unfinished: Path, target: Path) -> None:
    """Durable, then named."""
    with unfinished.open("rb") as file:
        os.fsync(file.fileno())
    unfinished.rename(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
