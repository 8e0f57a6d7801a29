"""Backups of a journal while it is written: SQLite files, of SQLite and PostgreSQL journals alike."""

from __future__ import annotations

import glob
import os
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import apsw

from pitbook.durable_files import replace_durably
from pitbook.errors import InputError
from pitbook.journal import chain
from pitbook.journal.copying import copy_new_entries
from pitbook.journal.errors import Unavailable
from pitbook.journal.sqlite import OWNER_ONLY, SqliteStore
from pitbook.storage.sqlite import BUSY_MILLISECONDS, cause_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pitbook.journal.port import Head, Store


def backup(store: Store, target: Path, *, force: bool = False) -> dict[str, Head]:
    """Copy a journal to a file, verify the copy, then move it to its target; return the heads of its tables."""
    if target.exists() and not force:
        raise InputError("journal.backup-exists", file=target)
    if target.exists() and isinstance(store, SqliteStore) and target.samefile(store.path):
        raise InputError("journal.backup-itself", file=target)
    if not target.parent.is_dir():
        raise InputError("journal.backup-folder", folder=target.parent, file=target.name)
    try:
        with new_file(target) as unfinished:
            if isinstance(store, SqliteStore):
                copy_pages(store.path, unfinished)
            else:
                _copy_entries(store, unfinished)
            return _check(unfinished)
    except apsw.Error as error:
        raise Unavailable(f"the backup {target} failed: {error}") from error


@contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """Yield an unfinished file, for its owner only, that becomes the target at the end unless an error is raised."""
    unfinished = target.with_name(target.name + ".unfinished")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    try:
        yield unfinished
        replace_durably(unfinished, target)
    finally:
        for left in target.parent.glob(glob.escape(unfinished.name) + "*"):
            left.unlink()


def update(store: Store, target: Path) -> dict[str, Head]:
    """Add to a backup what was written since, and return the heads of its tables.

    Only new entries are read and verified. A crash leaves the backup as it was, or with some of them.
    """
    if isinstance(store, SqliteStore) and target.samefile(store.path):
        raise InputError("journal.backup-itself", file=target)
    heads = _copy_entries(store, target)
    make_self_contained(target)
    return heads


def _copy_entries(store: Store, target: Path) -> dict[str, Head]:
    with closing(SqliteStore(target)) as copy:
        heads = copy_new_entries(store, copy)
    target.with_name(target.name + "-writer").unlink(missing_ok=True)
    return heads


def copy_pages(source: Path, target: Path) -> None:
    """Copy an SQLite file as of one moment, while others may write to it."""
    flags = apsw.SQLITE_OPEN_READONLY
    try:
        with (
            closing(apsw.Connection(os.fspath(source), flags=flags)) as old,
            closing(apsw.Connection(str(target))) as new,
        ):
            old.set_busy_timeout(BUSY_MILLISECONDS)
            with new.backup("main", old, "main") as copying:
                copying.step(-1)  # in one step: it blocks no writer, and in several each write would restart it
    except apsw.Error as error:
        raise Unavailable(f"{source} could not be copied: {cause_of(error) or error}") from error


def _check(path: Path) -> dict[str, Head]:
    """Run SQLite's integrity check and verify the chain."""
    make_self_contained(path)
    with closing(apsw.Connection(os.fspath(path))) as connection:
        if (found := connection.pragma("integrity_check")) != "ok":
            raise Unavailable(f"the copy {path} is damaged: {found}")
    with closing(SqliteStore(path, read_only=True)) as copy:
        return {table: chain.verify(copy.entries(table), table) for table in copy.heads()}


def make_self_contained(path: Path) -> None:
    """Leave no write-ahead log beside a file, so that it can be copied alone and read from a read-only folder."""
    with closing(apsw.Connection(os.fspath(path))) as connection:
        connection.pragma("journal_mode", "delete")
