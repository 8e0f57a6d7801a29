"""The journal in PostgreSQL, shared by several processes and machines."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import msgspec
import psycopg
from psycopg import errors

from pitbook.errors import InputError
from pitbook.journal import fault_injection, migrations
from pitbook.journal.errors import Conflict, ConstraintViolation, Unavailable
from pitbook.journal.notifications import Notifier
from pitbook.journal.postgres_unit import PREPARE, PostgresUnit, translated
from pitbook.journal.queries import DELETE_TABLE, INSERT_DETACHED_TABLE, ConnectionReader, Fetch, PooledReader, index_of
from pitbook.storage.migrations import pending
from pitbook.storage.postgres import Connections, migrate, schema_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pitbook.journal.entries import Row
    from pitbook.journal.port import DetachedTable
    from pitbook.storage.postgres import Connection

READERS, WRITERS = 32, 16
"""The maximum number of connections of a process for reading and for writing."""
VERSION_TABLE = "schema_version"
MIGRATION_LOCK = 0x50495442
"""The advisory lock that serialises schema upgrades."""

NOW = """SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')"""


class PostgresStore(PooledReader):
    """A journal in a PostgreSQL database (in the schema that the URL's search_path names)."""

    one_table_per_commit = True

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self.url = url
        self._read_only = read_only
        self._readers = Connections(url, most=READERS)
        self._writers = Connections(url, most=WRITERS, prepare=PREPARE)
        self.name = self._readers.name
        self._announcer = Notifier(self._readers)
        try:
            with self._readers.for_schema_changes() as connection:
                self._check_server(connection)
                self._prepare(connection)
        except (psycopg.Error, OSError) as error:
            self.close()
            raise Unavailable(f"cannot reach {self.name}: {str(error).strip()}") from error
        except BaseException:
            self.close()
            raise

    # -- connections

    @contextmanager
    def reader(self) -> Iterator[ConnectionReader]:
        with self._connection() as connection:
            yield ConnectionReader(_fetch(connection))

    @contextmanager
    def consistent_reader(self) -> Iterator[ConnectionReader]:
        with self._connection() as connection:
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield ConnectionReader(_fetch(connection))
            connection.execute("COMMIT")

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        try:
            with self._readers.borrowed() as connection:
                yield connection
        except psycopg.Error as error:
            self._raise(error)

    def set_deadline(self, moment: float) -> None:
        self._readers.set_deadline(moment)
        self._writers.set_deadline(moment)

    def close(self) -> None:
        self._announcer.close()
        self._readers.close()
        self._writers.close()

    # -- schema

    def _check_server(self, connection: Connection) -> None:
        """Refuse a server that does not store commits durably or text as UTF-8."""
        if connection.execute("SHOW fsync").fetchone() != ("on",):
            raise InputError("journal.fsync", database=self.name)
        if connection.execute("SHOW server_encoding").fetchone() != ("UTF8",):
            raise InputError("journal.encoding", database=self.name)

    def _prepare(self, connection: Connection) -> None:
        """Create or upgrade the schema; a reader only checks it."""
        try:
            if not self._read_only:
                migrate(connection, migrations.__name__, VERSION_TABLE, MIGRATION_LOCK, self.name)
                return
            version = schema_version(connection, VERSION_TABLE)
            if not version:
                raise InputError("journal.not-there", database=self.name)
            if pending(migrations.__name__, "postgres", version, self.name):
                raise InputError("journal.older-schema", place=self.name)
        except psycopg.Error as error:
            self._raise(error)

    # -- writing

    @contextmanager
    def transaction(self) -> Iterator[PostgresUnit]:
        if self._read_only:
            raise Unavailable(f"{self.name} was opened for reading only")
        try:
            with self._writers.borrowed() as connection:
                unit = PostgresUnit(connection)
                yield unit
                unit.commit()
        except psycopg.Error as error:
            self._raise(error)

    def detach(self, table: DetachedTable) -> None:
        parts = "entries, transfers, postings"
        try:
            with self._readers.for_schema_changes() as connection, connection.transaction():
                connection.execute("SELECT 1 FROM tables WHERE name = %s FOR UPDATE", (table.table,))
                connection.execute(translated(INSERT_DETACHED_TABLE), msgspec.structs.astuple(table))
                connection.execute(f"GRANT DELETE ON {parts} TO CURRENT_USER")
                for statement in DELETE_TABLE:
                    connection.execute(translated(statement), (table.table,))
                connection.execute(f"REVOKE DELETE ON {parts} FROM CURRENT_USER")
                fault_injection.point("before-detach")
        except psycopg.Error as error:
            self._raise(error)

    def check_writable(self) -> None:
        try:
            with self._writers.borrowed() as connection:
                connection.execute("UPDATE schema_version SET version = version")
        except psycopg.Error as error:
            self._raise(error)

    def is_failure(self, error: Exception) -> bool:
        return isinstance(error, psycopg.Error | Unavailable | Conflict)

    def _raise(self, error: psycopg.Error) -> NoReturn:
        """Raise a driver error as one of the journal's."""
        if isinstance(error, errors.SerializationFailure | errors.DeadlockDetected):
            raise Conflict(str(error)) from error
        if isinstance(error, errors.IntegrityError | errors.DataError):
            raise ConstraintViolation(str(error)) from error
        raise Unavailable(self._readers.explain(error, str(error), held="the table or an account")) from error

    def now(self) -> str:
        with self.reader() as reader:
            return str(reader.fetch(NOW, ())[0][0])

    def index_kinds(self, name: str, kinds: Sequence[str]) -> None:
        try:
            with self._readers.for_schema_changes() as connection, connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
                if connection.execute("SELECT to_regclass(%s) IS NULL", (f'"{name}"',)).fetchone() == (True,):
                    connection.execute(index_of(name, kinds))  # only if missing: it waits for all writers
        except psycopg.Error as error:
            self._raise(error)

    # -- watchers

    def announce(self, heads: Mapping[str, int]) -> None:
        self._announcer.announce(heads)

    def watch(self, seconds: float) -> Iterator[tuple[str, int]]:
        """Yield tables and their lengths as other processes announce them, for a number of seconds.

        Notifications can get lost: watchers read by sequence and also poll.
        """
        try:
            connection = self._readers.connect()
            try:
                yield from self._announcer.listen(connection, seconds)
            finally:
                self._readers.discard(connection)
        except psycopg.Error as error:
            self._raise(error)


def _fetch(connection: Connection) -> Fetch:
    def fetch(query: str, values: Row) -> list[Row]:
        return connection.execute(translated(query), values).fetchall()

    return fetch
