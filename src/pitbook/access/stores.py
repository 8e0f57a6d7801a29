"""From the words that name a journal to what is kept beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pitbook.access.keeping import Access
from pitbook.mistakes import Mistake

if TYPE_CHECKING:
    from pitbook.access.port import Database

SCHEMES = ("postgresql://", "postgres://")
BESIDE = "-access"


def open_access(text: str, *, connections: int = 4, alone: bool = False) -> Access:
    """What is kept beside the journal at a path or URL; it is made where it is not there yet.

    `alone`: a file is refused where another process has opened it so.
    """
    return Access(_database(text, connections, alone))


def _database(text: str, connections: int, alone: bool) -> Database:
    if text.startswith(SCHEMES):
        from pitbook.access.postgres import PostgresDatabase

        return PostgresDatabase(text, connections=connections)
    scheme, mark, _ = text.partition("://")
    if mark:
        raise Mistake(f"a journal is a file or a postgresql:// database; {scheme}:// is neither")
    from pitbook.access.sqlite import SqliteDatabase

    path = Path(text)
    if path.is_dir():
        raise Mistake(f"{path} is a folder, not a journal")
    return SqliteDatabase(path.with_name(path.name + BESIDE), connections=connections, alone=alone)
