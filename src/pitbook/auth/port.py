"""The interface of an auth database, implemented for SQLite and PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pitbook.auth.secrets import storable
from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = tuple[Any, ...]
Statement = tuple[str, Row]
"""SQL that both databases understand, with a `?` for each value."""


class Database(Protocol):
    """Where it is kept. Calls block shortly, from any thread; they raise `Unavailable`, or `Violated` for a bug."""

    name: str
    """As messages call it: never with a password."""
    clock: str
    """SQL for the database's own time: whole microseconds since 1970."""

    def fetch(self, query: str, values: Row = ()) -> list[Row]:
        """One statement, committed when this returns, and the rows that it gives."""

    def together(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """Several statements, all of them or none."""

    def end_by(self, moment: float) -> None:
        """Let no wait for the database last beyond a moment of the monotonic clock: the process has to stop."""

    def close(self) -> None:
        """Let go of the database."""


def only_row(database: Database, query: str, values: Row) -> Row | None:
    """Return the row of a query by a unique key, or None."""
    return next(iter(database.fetch(query, values)), None)


def check_values(values: Row) -> Row:
    """Refuse text that one of the databases could not keep."""
    for value in values:
        if isinstance(value, str) and not storable(value):
            raise InputError("a name or text has a NUL or half of a character in it; leave it out")
    return values
