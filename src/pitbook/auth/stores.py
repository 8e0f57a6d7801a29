"""Open the auth store that belongs to a journal's path or URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.auth.store import AuthStore
from pitbook.storage.places import file_path, is_postgres

if TYPE_CHECKING:
    from pitbook.auth.port import Database

SUFFIX = "-access"


def open_auth_store(place: str, *, connections: int = 4, alone: bool = False) -> AuthStore:
    """Open or create the auth store beside the journal at a path or URL.

    With `alone`, refuse a file that another process has opened so.
    """
    return AuthStore(_database(place, connections, alone))


def _database(place: str, connections: int, alone: bool) -> Database:
    if is_postgres(place):
        from pitbook.auth.postgres import PostgresDatabase

        return PostgresDatabase(place, connections=connections)
    from pitbook.auth.sqlite import SqliteDatabase

    path = file_path(place)
    return SqliteDatabase(path.with_name(path.name + SUFFIX), connections=connections, alone=alone)
