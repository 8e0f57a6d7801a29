"""Archived tables: those whose record was moved to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.errors import InputError, quoted

if TYPE_CHECKING:
    from pitbook.journal.port import DetachedTable, Reader


class TableArchived(InputError):
    """A command or query for a table whose record is in an archive."""

    def __init__(self, table: DetachedTable) -> None:
        where = {"table": quoted(table.table), "date": table.at[:10], "file": table.file}
        super().__init__("journal.archived", entries=table.count, **where)


def check_not_archived(reader: Reader, table: str) -> None:
    """Raise `TableArchived` for a table whose record is in an archive."""
    if (found := reader.detached().get(table)) is not None:
        raise TableArchived(found)
