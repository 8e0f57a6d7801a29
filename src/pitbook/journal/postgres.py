"""The journal in PostgreSQL, for many processes and machines: the database is the referee between them."""

from __future__ import annotations

import select
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, NoReturn

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from pitbook.journal import migrations
from pitbook.journal.announcing import Announcer
from pitbook.journal.messages import PREPARE, PostgresUnit, translated
from pitbook.journal.reading import CommittedReads, Fetch, Reads
from pitbook.journal.troubles import Conflict, Unavailable, Violated
from pitbook.mistakes import Mistake

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


Connection = psycopg.Connection[tuple[Any, ...]]

CONNECT_SECONDS = 5
STATEMENT_MILLISECONDS = 10_000
LOCK_MILLISECONDS = 5_000
MIGRATION_LOCK = 0x50495442
"""The advisory lock under which one process at a time upgrades the schema."""

NOW = """SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')"""


class PostgresStore(CommittedReads):
    """A journal in a PostgreSQL database (in the schema that the URL's search_path names)."""

    one_table_per_commit = True

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self.url = url
        self.name = _name(url)
        self._read_only = read_only
        self._all: set[Connection] = set()
        self._idle: list[Connection] = []
        self._idle_writers: list[Connection] = []
        self._lock = Lock()
        self._closed = False
        self._announcer = Announcer(self._open)
        try:
            connection = self._open()
            self._check_server(connection)
            self._migrate(connection)
            self._idle.append(connection)
        except BaseException:
            self.close()
            raise

    # -- connections

    def _open(self) -> Connection:
        if self._closed:
            raise Unavailable(f"{self.name} was closed")
        try:
            connection = psycopg.connect(self.url, autocommit=True, connect_timeout=CONNECT_SECONDS)
        except (psycopg.Error, OSError) as error:
            raise Unavailable(f"cannot reach {self.name}: {str(error).strip()}") from error
        with self._lock:
            self._all.add(connection)
        connection.execute(
            "SELECT set_config('statement_timeout', %s, false), set_config('lock_timeout', %s, false),"
            " set_config('idle_in_transaction_session_timeout', '60000', false),"
            " CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')"
            " THEN set_config('synchronous_commit', 'on', false) END",
            (str(STATEMENT_MILLISECONDS), str(LOCK_MILLISECONDS)),
        )
        return connection

    def _discard(self, connection: Connection) -> None:
        connection.close()
        with self._lock:
            self._all.discard(connection)

    @contextmanager
    def reading(self) -> Iterator[Reads]:
        connection = self._last_of(self._idle) or self._open()
        try:
            yield Reads(_fetch(connection))
        except BaseException as error:
            self._discard(connection)
            self._raise(error)
        with self._lock:
            self._idle.append(connection)

    def _last_of(self, idle: list[Connection]) -> Connection | None:
        """The connection that was used last; None where all are in use or lost."""
        while True:
            with self._lock:
                connection = idle.pop() if idle else None
            if connection is None or _alive(connection):
                return connection
            self._discard(connection)

    def _writer(self) -> Connection:
        """A connection with our statements prepared; the driver, which would throw them away, prepares none there."""
        connection = self._open()
        try:
            connection.prepare_threshold = None
            connection.execute(PREPARE)
        except psycopg.Error as error:
            self._discard(connection)
            self._raise(error)
        return connection

    def close(self) -> None:
        self._announcer.close()
        self._closed = True
        for connection in list(self._all):
            self._discard(connection)
        self._idle.clear()
        self._idle_writers.clear()

    # -- schema

    def _check_server(self, connection: Connection) -> None:
        """Refuse a server that would lose what it has committed."""
        if connection.execute("SHOW fsync").fetchone() != ("on",):
            raise Mistake(f"{self.name} runs with fsync=off and would lose bets when the power fails; switch it on")
        if connection.execute("SHOW server_encoding").fetchone() != ("UTF8",):
            raise Mistake(f"{self.name} does not keep text as UTF-8; make the database with ENCODING 'UTF8'")

    def _migrate(self, connection: Connection) -> None:
        """Make an empty database's tables, upgrade an older one, refuse a newer one."""
        try:
            connection.execute("SELECT pg_advisory_lock(%s)", (MIGRATION_LOCK,))
            version = self._version(connection)
            lacking = migrations.pending("postgres", version, self.name)
            if self._read_only and not version:
                raise Mistake(f"{self.name} holds no journal")
            if lacking and self._read_only:
                raise Mistake(f"{self.name} has an older schema (version {version}); open it for writing once")
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
        connection = self._last_of(self._idle_writers) or self._writer()
        try:
            unit = PostgresUnit(connection)
            yield unit
            unit.commit()
        except BaseException as error:
            self._discard(connection)  # and the database rolls back
            self._raise(error)
        with self._lock:
            self._idle_writers.append(connection)

    def is_failure(self, error: Exception) -> bool:
        return isinstance(error, psycopg.Error | Unavailable | Conflict)

    def _raise(self, error: BaseException) -> NoReturn:
        trouble = self._trouble(error)
        if trouble is error:
            raise error
        raise trouble from error

    def _trouble(self, error: BaseException) -> BaseException:
        """The error in the journal's own words."""
        if isinstance(error, errors.SerializationFailure | errors.DeadlockDetected):
            return Conflict(str(error))
        if isinstance(error, errors.IntegrityError | errors.DataError):
            return Violated(str(error))
        if isinstance(error, errors.LockNotAvailable | errors.QueryCanceled):
            return Unavailable(f"{self.name}: another process holds the table or an account for too long ({error})")
        if isinstance(error, errors.DiskFull):
            return Unavailable(f"{self.name}: the disk is full ({error})")
        if isinstance(error, errors.ReadOnlySqlTransaction | errors.InsufficientPrivilege):
            return Unavailable(f"{self.name}: the database cannot be written ({error})")
        if isinstance(error, psycopg.Error):
            return Unavailable(f"{self.name}: the connection was lost ({str(error).strip()})")
        return error

    def now(self) -> str:
        with self.reading() as reads:
            return str(reads.fetch(NOW, ())[0][0])

    # -- watchers

    def announce(self, heads: Mapping[str, int]) -> None:
        self._announcer.announce(heads)

    def watch(self, seconds: float) -> Iterator[tuple[str, int]]:
        """Tables and how far they have come, as other processes announce it, for so many seconds.

        It may miss some: whoever watches reads by sequence and looks again after a while.
        """
        connection = self._open()
        try:
            yield from self._announcer.listen(connection, seconds)
        except psycopg.Error as error:
            self._raise(error)
        finally:
            self._discard(connection)


def _fetch(connection: Connection) -> Fetch:
    def fetch(query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        return connection.execute(translated(query), values).fetchall()

    return fetch


def _name(url: str) -> str:
    """The database as messages call it: never with a password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise Mistake("the database's URL cannot be read; write postgresql://user@host/database") from error
    return f"PostgreSQL database {parts.get('dbname', '')!r} at {parts.get('host', 'this machine')}"


def _alive(connection: Connection) -> bool:
    """Whether an idle connection has not been ended by the server meanwhile: nothing else would have arrived here."""
    if connection.closed:
        return False
    arrived = select.poll()
    arrived.register(connection.pgconn.socket, select.POLLIN)
    return not arrived.poll(0)
