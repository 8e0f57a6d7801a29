"""Archived tables: those whose record was moved to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.errors import InputError

if TYPE_CHECKING:
    from pitbook.journal.port import DetachedTable, Reader


class TableArchived(InputError):
    """A command or query for a table whose record is in an archive."""

    def __init__(self, table: DetachedTable) -> None:
        super().__init__(
            f"table {table.table!r} was archived on {table.at[:10]}; its {table.count:,} entries are in {table.file}"
        )


def check_not_archived(reader: Reader, table: str) -> None:
    """Raise `TableArchived` for a table whose record is in an archive."""
    if (found := reader.detached().get(table)) is not None:
        raise TableArchived(found)
