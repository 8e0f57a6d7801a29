"""The interface of an auth database, implemented for SQLite and PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pitbook.auth.secrets import is_storable
from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = tuple[Any, ...]
Statement = tuple[str, Row]
"""SQL that both databases understand, with a `?` for each value."""


class Database(Protocol):
    """A database. Thread-safe; calls block briefly and raise `Unavailable`, or `ConstraintViolation` for a bug."""

    name: str
    """The name for messages, without a password."""
    clock: str
    """SQL for the database's time in whole microseconds since 1970."""

    def fetch(self, query: str, values: Row = ()) -> list[Row]:
        """Run and commit a statement; return its rows."""

    def fetch_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """Run several statements in one transaction; return the rows of each."""

    def compact(self, table: str) -> None:
        """Rewrite a table so that its file no longer contains what was deleted."""

    def set_deadline(self, moment: float) -> None:
        """Let no database call last beyond a time of the monotonic clock, because the process is stopping."""

    def close(self) -> None:
        """Close all connections."""


def fetch_one(database: Database, query: str, values: Row) -> Row | None:
    """Return the row of a query by a unique key, or None."""
    return next(iter(database.fetch(query, values)), None)


def check_values(values: Row) -> Row:
    """Refuse text that one of the databases cannot store."""
    for value in values:
        if isinstance(value, str) and not is_storable(value):
            raise InputError("auth.unprintable")
    return values
