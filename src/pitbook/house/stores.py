"""Open a journal by the path of an SQLite file or the URL of a PostgreSQL database."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from pitbook.errors import InputError, unknown_name
from pitbook.house.archived import check_not_archived
from pitbook.journal.errors import Broken, Unavailable
from pitbook.messages import Message
from pitbook.storage.places import file_path, is_postgres

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitbook.journal.port import Store


def open_store(place: str, *, read_only: bool = False) -> Store:
    """Return the journal at a path or URL, created if it is to be written and does not exist."""
    if is_postgres(place):
        from pitbook.journal.postgres import PostgresStore

        return PostgresStore(place, read_only=read_only)
    from pitbook.journal.sqlite import SqliteStore

    path = file_path(place)
    if read_only and not path.exists():
        raise InputError("journal.missing", file=path)
    if read_only and not path.stat().st_size:
        raise InputError("journal.empty", file=path)
    try:
        return SqliteStore(path, read_only=read_only)
    except OSError as error:
        where = error.filename or path
        raise InputError("journal.not-usable", file=where, reason=error.strerror or error) from None


@contextmanager
def opened(place: str, *, read_only: bool = True) -> Iterator[Store]:
    """Open a journal for a command; raise errors as input errors of one line."""
    try:
        store = open_store(place, read_only=read_only)
        try:
            yield store
        finally:
            store.close()
    except Unavailable as error:
        raise InputError("common.text", text=" ".join(str(error).split())) from error
    except Broken as error:
        raise InputError("journal.damaged", reason=error) from error


def known_table(store: Store, name: str) -> str:
    """Return the name of a table (or the house) that has a record; raise an error for others."""
    heads = store.heads()
    if name not in heads:
        check_not_archived(store, name)
        raise unknown_name("table", name, heads, Message("errors.journal.this-journal"))
    return name
