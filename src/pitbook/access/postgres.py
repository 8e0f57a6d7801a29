"""Kept in PostgreSQL, in tables named access_* beside the journal's."""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from select import POLLIN, poll
from typing import TYPE_CHECKING, NoReturn

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from pitbook.access import migrations
from pitbook.access.pool import Pool
from pitbook.access.port import Row, check_values
from pitbook.access.troubles import Unavailable, Violated
from pitbook.mistakes import Mistake

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pitbook.access.port import Statement

Connection = psycopg.Connection[Row]

CONNECT_SECONDS = 5
STATEMENT_MILLISECONDS = 10_000
LOCK_MILLISECONDS = 5_000
MIGRATION_LOCK = 0x50495441
"""The advisory lock under which one process at a time upgrades the tables."""


class PostgresDatabase:
    """A database for many processes (in the schema that the URL's search_path names)."""

    clock = "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)"

    def __init__(self, url: str, *, connections: int = 4) -> None:
        self._url = url
        self.name = _name(url)
        self._pool = Pool(self.name, self._open, _alive, most=connections)
        try:
            self._migrate()
        except BaseException:
            self.close()
            raise

    def fetch(self, query: str, values: Row = ()) -> list[Row]:
        check_values(values)
        with self._connection() as connection:
            return _rows(connection, query, values)

    def together(self, statements: Sequence[Statement]) -> list[list[Row]]:
        with self._connection() as connection, connection.transaction():
            return [_rows(connection, query, check_values(values)) for query, values in statements]

    def close(self) -> None:
        self._pool.close()

    # -- connections

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        try:
            with self._pool.one() as connection:
                yield connection
        except psycopg.Error as error:
            self._raise(error)

    def _open(self) -> Connection:
        try:
            connection = psycopg.connect(self._url, autocommit=True, connect_timeout=CONNECT_SECONDS)
        except (psycopg.Error, OSError) as error:
            raise Unavailable(f"cannot reach {self.name}: {str(error).strip()}") from None
        try:
            connection.execute(
                "SELECT set_config('statement_timeout', %s, false), set_config('lock_timeout', %s, false),"
                " set_config('idle_in_transaction_session_timeout', '60000', false),"
                " CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')"
                " THEN set_config('synchronous_commit', 'on', false) END",
                (str(STATEMENT_MILLISECONDS), str(LOCK_MILLISECONDS)),
            )
        except BaseException:
            connection.close()
            raise
        return connection

    def _raise(self, error: psycopg.Error) -> NoReturn:
        """The error in our own words: never with its detail, which quotes the row that was to be kept."""
        words = error.diag.message_primary or type(error).__name__
        if isinstance(error, errors.IntegrityError | errors.DataError | errors.ProgrammingError) and not isinstance(
            error, errors.InsufficientPrivilege
        ):
            raise Violated(f"{self.name}: {words}") from None
        if isinstance(error, errors.LockNotAvailable | errors.QueryCanceled):
            raise Unavailable(f"{self.name}: another process holds what is asked for too long ({words})") from None
        if isinstance(error, errors.DiskFull):
            raise Unavailable(f"{self.name}: the disk is full ({words})") from None
        if isinstance(error, errors.ReadOnlySqlTransaction | errors.InsufficientPrivilege):
            raise Unavailable(f"{self.name}: the database cannot be written ({words})") from None
        raise Unavailable(f"{self.name}: the connection was lost ({words})") from None

    # -- schema

    def _migrate(self) -> None:
        """Make the tables, upgrade older ones, refuse newer ones."""
        with self._connection() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
            there = connection.execute("SELECT to_regclass('access_version') IS NOT NULL").fetchone() == (True,)
            row = connection.execute("SELECT max(version) FROM access_version").fetchone() if there else None
            lacking = migrations.pending("postgres", row[0] if row and row[0] else 0, self.name)
            for script in lacking.values():
                connection.execute(script)
            if lacking:
                connection.execute("CREATE TABLE IF NOT EXISTS access_version (version integer NOT NULL)")
                connection.execute("DELETE FROM access_version")
                connection.execute("INSERT INTO access_version (version) VALUES (%s)", (max(lacking),))


@lru_cache
def _translated(query: str) -> str:
    return query.replace("?", "%s")


def _rows(connection: Connection, query: str, values: Row) -> list[Row]:
    cursor = connection.execute(_translated(query), values)
    return cursor.fetchall() if cursor.description else []


def _name(url: str) -> str:
    """The database as messages call it: never with a password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise Mistake("the database's URL cannot be read; write postgresql://user@host/database") from None
    return f"PostgreSQL database {parts.get('dbname', '')!r} at {parts.get('host', 'this machine')}"


def _alive(connection: Connection) -> bool:
    """Whether an idle connection is still good. Nothing was asked of it: what it has to say can only be a farewell."""
    if connection.closed:
        return False
    said = poll()
    said.register(connection.fileno(), POLLIN)
    return not said.poll(0)
