"""The auth store in PostgreSQL, in tables named access_* beside the journal's."""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn

import psycopg
from psycopg import errors
from psycopg.sql import SQL, Identifier

from pitbook.auth import migrations
from pitbook.auth.errors import ConstraintViolation, Unavailable
from pitbook.auth.port import Row, check_values
from pitbook.storage.postgres import Connections, migrate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pitbook.auth.port import Statement
    from pitbook.storage.postgres import Connection

VERSION_TABLE = "access_version"
MIGRATION_LOCK = 0x50495441
"""The advisory lock that serialises schema upgrades."""


class PostgresDatabase:
    """A database for many processes (in the schema that the URL's search_path names)."""

    clock = "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)"

    def __init__(self, url: str, *, connections: int = 4) -> None:
        self._connections = Connections(url, most=connections)
        self.name = self._connections.name
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def fetch(self, query: str, values: Row = ()) -> list[Row]:
        check_values(values)
        with self._connection() as connection:
            return _rows(connection, query, values)

    def fetch_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        with self._connection() as connection, connection.transaction():
            return [_rows(connection, query, check_values(values)) for query, values in statements]

    def compact(self, table: str) -> None:
        try:
            with self._connections.for_schema_changes() as connection:
                connection.execute(SQL("VACUUM FULL {}").format(Identifier(table)))
        except psycopg.Error as error:
            self._raise(error)

    def set_deadline(self, moment: float) -> None:
        self._connections.set_deadline(moment)

    def close(self) -> None:
        self._connections.close()

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        try:
            with self._connections.borrowed() as connection:
                yield connection
        except psycopg.Error as error:
            self._raise(error)

    def _raise(self, error: psycopg.Error) -> NoReturn:
        """Raise a driver error as one of ours, without its detail, which quotes the row."""
        words = error.diag.message_primary or type(error).__name__
        if isinstance(error, errors.IntegrityError | errors.DataError | errors.ProgrammingError) and not isinstance(
            error, errors.InsufficientPrivilege
        ):
            raise ConstraintViolation(f"{self.name}: {words}") from None
        raise Unavailable(self._connections.explain(error, words, held="what is asked")) from None

    def _prepare(self) -> None:
        """Create or upgrade the tables."""
        try:
            with self._connections.for_schema_changes() as connection:
                migrate(
                    connection, migrations.__name__, VERSION_TABLE, MIGRATION_LOCK, f"the auth store in {self.name}"
                )
        except (psycopg.OperationalError, OSError) as error:
            raise Unavailable(f"cannot reach {self.name}: {str(error).strip()}") from None
        except psycopg.Error as error:
            self._raise(error)


@lru_cache
def _translated(query: str) -> str:
    return query.replace("?", "%s")


def _rows(connection: Connection, query: str, values: Row = ()) -> list[Row]:
    cursor = connection.execute(_translated(query), values)
    return cursor.fetchall() if cursor.description else []
