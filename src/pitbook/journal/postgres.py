"""The journal in PostgreSQL, for many processes and machines: the database is the referee between them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import psycopg
from psycopg import errors

from pitbook.errors import InputError
from pitbook.journal import migrations
from pitbook.journal.errors import Conflict, Unavailable, Violated
from pitbook.journal.notifications import Announcer
from pitbook.journal.postgres_unit import PREPARE, PostgresUnit, translated
from pitbook.journal.queries import CommittedReads, Fetch, Reads, index_of
from pitbook.storage.postgres import Connections

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from pitbook.storage.postgres import Connection

READERS, WRITERS = 32, 16
"""The most connections of a process for reading, and for its lanes and callers to write."""
MIGRATION_LOCK = 0x50495442
"""The advisory lock under which one process at a time upgrades the schema."""

NOW = """SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')"""


class PostgresStore(CommittedReads):
    """A journal in a PostgreSQL database (in the schema that the URL's search_path names)."""

    one_table_per_commit = True

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self.url = url
        self._read_only = read_only
        self._readers = Connections(url, most=READERS)
        self._writers = Connections(url, most=WRITERS, prepare=PREPARE)
        self.name = self._readers.name
        self._announcer = Announcer(self._readers)
        try:
            with self._readers.patient() as connection:
                self._check_server(connection)
                self._migrate(connection)
        except (psycopg.Error, OSError) as error:
            self.close()
            raise Unavailable(f"cannot reach {self.name}: {str(error).strip()}") from error
        except BaseException:
            self.close()
            raise

    # -- connections

    @contextmanager
    def reading(self) -> Iterator[Reads]:
        with self._reader() as connection:
            yield Reads(_fetch(connection))

    @contextmanager
    def moment(self) -> Iterator[Reads]:
        with self._reader() as connection:
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield Reads(_fetch(connection))
            connection.execute("COMMIT")

    @contextmanager
    def _reader(self) -> Iterator[Connection]:
        try:
            with self._readers.borrowed() as connection:
                yield connection
        except psycopg.Error as error:
            self._raise(error)

    def end_by(self, moment: float) -> None:
        self._readers.end_by(moment)
        self._writers.end_by(moment)

    def close(self) -> None:
        self._announcer.close()
        self._readers.close()
        self._writers.close()

    # -- schema

    def _check_server(self, connection: Connection) -> None:
        """Refuse a server that would lose what it has committed."""
        if connection.execute("SHOW fsync").fetchone() != ("on",):
            raise InputError(
                f"{self.name} runs with fsync=off and would lose entries when the power fails; switch it on"
            )
        if connection.execute("SHOW server_encoding").fetchone() != ("UTF8",):
            raise InputError(f"{self.name} does not keep text as UTF-8; make the database with ENCODING 'UTF8'")

    def _migrate(self, connection: Connection) -> None:
        """Make an empty database's tables, upgrade an older one, refuse a newer one."""
        try:
            connection.execute("SELECT pg_advisory_lock(%s)", (MIGRATION_LOCK,))
            version = self._version(connection)
            lacking = migrations.pending("postgres", version, self.name)
            if self._read_only and not version:
                raise InputError(f"{self.name} holds no journal")
            if lacking and self._read_only:
                raise InputError(f"{self.name} has an older schema (version {version}); open it for writing once")
            for number, script in lacking.items():
                with connection.transaction():
                    connection.execute(script)
                    connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)")
                    connection.execute("DELETE FROM schema_version")
                    connection.execute("INSERT INTO schema_version (version) VALUES (%s)", (number,))
            connection.execute("SELECT pg_advisory_unlock(%s)", (MIGRATION_LOCK,))
        except psycopg.Error as error:
            self._raise(error)

    def _version(self, connection: Connection) -> int:
        there = connection.execute("SELECT to_regclass('schema_version') IS NOT NULL").fetchone()
        if there != (True,):
            return 0
        row = connection.execute("SELECT max(version) FROM schema_version").fetchone()
        return row[0] if row and row[0] else 0

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

    def check_writing(self) -> None:
        try:
            with self._writers.borrowed() as connection:
                connection.execute("UPDATE schema_version SET version = version")
        except psycopg.Error as error:
            self._raise(error)

    def is_failure(self, error: Exception) -> bool:
        return isinstance(error, psycopg.Error | Unavailable | Conflict)

    def _raise(self, error: psycopg.Error) -> NoReturn:
        raise self._trouble(error) from error

    def _trouble(self, error: psycopg.Error) -> Exception:
        """Return the error in the journal's own words."""
        if isinstance(error, errors.SerializationFailure | errors.DeadlockDetected):
            return Conflict(str(error))
        if isinstance(error, errors.IntegrityError | errors.DataError):
            return Violated(str(error))
        return Unavailable(self._readers.explain(error, str(error), held="the table or an account"))

    def now(self) -> str:
        with self.reading() as reads:
            return str(reads.fetch(NOW, ())[0][0])

    def index_kinds(self, name: str, kinds: Sequence[str]) -> None:
        try:
            with self._readers.patient() as connection, connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
                if connection.execute("SELECT to_regclass(%s) IS NULL", (f'"{name}"',)).fetchone() == (True,):
                    connection.execute(index_of(name, kinds))  # only then: it waits for all who write
        except psycopg.Error as error:
            self._raise(error)

    # -- watchers

    def announce(self, heads: Mapping[str, int]) -> None:
        self._announcer.announce(heads)

    def watch(self, seconds: float) -> Iterator[tuple[str, int]]:
        """Tables and how far they have come, as other processes announce it, for so many seconds.

        It may miss some: whoever watches reads by sequence and looks again after a while.
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
    def fetch(query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        return connection.execute(translated(query), values).fetchall()

    return fetch
