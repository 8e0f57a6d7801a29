"""Open the auth store that belongs to a journal's path or URL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pitbook.auth.store import AuthStore
from pitbook.errors import InputError

if TYPE_CHECKING:
    from pitbook.auth.port import Database

SCHEMES = ("postgresql://", "postgres://")
BESIDE = "-access"


def open_auth_store(text: str, *, connections: int = 4, alone: bool = False) -> AuthStore:
    """Open or create the auth store beside the journal at a path or URL.

    With `alone`, refuse a file that another process has opened so.
    """
    return AuthStore(_database(text, connections, alone))


def _database(text: str, connections: int, alone: bool) -> Database:
    if text.startswith(SCHEMES):
        from pitbook.auth.postgres import PostgresDatabase

        return PostgresDatabase(text, connections=connections)
    scheme, mark, _ = text.partition("://")
    if mark:
        raise InputError(f"a journal is a file or a postgresql:// database; {scheme}:// is neither")
    from pitbook.auth.sqlite import SqliteDatabase

    path = Path(text)
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a journal")
    return SqliteDatabase(path.with_name(path.name + BESIDE), connections=connections, alone=alone)
