"""Open a journal by the path of an SQLite file or the URL of a PostgreSQL database."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pitbook.errors import InputError, unknown
from pitbook.journal.errors import Broken, Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitbook.journal.port import Store

SCHEMES = ("postgresql://", "postgres://")


def open_store(text: str, *, read_only: bool = False) -> Store:
    """Return the journal at a path or URL, created if it is to be written and does not exist."""
    if text.startswith(SCHEMES):
        from pitbook.journal.postgres import PostgresStore

        return PostgresStore(text, read_only=read_only)
    scheme, mark, _ = text.partition("://")
    if mark:
        raise InputError(f"a journal is a file or a postgresql:// database; {scheme}:// is neither")
    from pitbook.journal.sqlite import SqliteStore

    path = Path(text)
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a journal")
    if read_only and not path.exists():
        raise InputError(f"there is no journal {path}")
    if read_only and not path.stat().st_size:
        raise InputError(f"{path} is empty, not a journal")
    try:
        return SqliteStore(path, read_only=read_only)
    except OSError as error:
        where = error.filename or path
        raise InputError(
            f"cannot use {where}: {error.strerror or error}; a journal needs a folder to write in"
        ) from None


@contextmanager
def opened(text: str, *, read_only: bool = True) -> Iterator[Store]:
    """Open a journal for a command; raise errors as input errors of one line."""
    try:
        store = open_store(text, read_only=read_only)
        try:
            yield store
        finally:
            store.close()
    except Unavailable as trouble:
        raise InputError(" ".join(str(trouble).split())) from trouble
    except Broken as broken:
        raise InputError(f"the record is damaged: {broken}") from broken


def known_table(store: Store, name: str) -> str:
    """Return the name of a table (or the house) that has a record; raise an error for others."""
    heads = store.heads()
    if name not in heads:
        raise unknown("table", name, heads, "this journal")
    return name
