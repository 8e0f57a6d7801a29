"""The journal in PostgreSQL, for many processes and machines: the database is the referee between them."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from functools import lru_cache
from threading import Lock, local
from typing import TYPE_CHECKING, Any, NoReturn

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from pitbook.journal import migrations
from pitbook.journal.announcing import Announcer
from pitbook.journal.entries import COLUMNS, posting_rows, to_row, transfer_rows
from pitbook.journal.reading import CommittedReads, Fetch, Reads
from pitbook.journal.troubles import Conflict, Unavailable, Violated
from pitbook.mistakes import Mistake

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Head, Snapshot
    from pitbook.ledger.accounts import Account

Connection = psycopg.Connection[tuple[Any, ...]]

CONNECT_SECONDS = 5
STATEMENT_MILLISECONDS = 10_000
LOCK_MILLISECONDS = 5_000
MIGRATION_LOCK = 0x50495442
"""The advisory lock under which one process at a time upgrades the schema."""

NOW = """SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')"""

INSERT_ENTRY = f"INSERT INTO entries ({COLUMNS}) VALUES ({', '.join(['%s'] * 14)})"
INSERT_TRANSFER = "INSERT INTO transfers (table_name, sequence, transfer, why) VALUES (%s, %s, %s, %s)"
INSERT_POSTING = (
    "INSERT INTO postings (table_name, sequence, transfer, leg, account, amount) VALUES (%s, %s, %s, %s, %s, %s)"
)


class PostgresUnit(Reads):
    """A transaction: a table's row is locked first, then accounts in sorted order."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(_fetch(connection))
        self._connection = connection

    def lock(self, table: str) -> Head:
        lock = "SELECT 1 FROM tables WHERE name = ? FOR UPDATE"
        if not self.fetch(lock, (table,)):
            self._connection.execute("INSERT INTO tables (name) VALUES (%s) ON CONFLICT DO NOTHING", (table,))
            self.fetch(lock, (table,))
        return self.head(table)

    def balances(self, accounts: Sequence[Account]) -> dict[Account, int]:
        rows = self.fetch(
            "SELECT account, balance FROM balances WHERE account = ANY(?) ORDER BY account FOR UPDATE",
            (sorted(accounts),),
        )
        return dict.fromkeys(sorted(accounts), 0) | dict(rows)

    def append(self, entries: Sequence[Entry]) -> None:
        try:
            with self._connection.transaction(), self._connection.pipeline(), self._connection.cursor() as cursor:
                for entry in entries:
                    for posting in posting_rows(entry):
                        cursor.execute(INSERT_POSTING, posting)
                    for transfer in transfer_rows(entry):
                        cursor.execute(INSERT_TRANSFER, transfer)
                    cursor.execute(INSERT_ENTRY, to_row(entry))
        except (errors.IntegrityError, errors.DataError) as error:
            raise Violated(str(error)) from error

    def save(self, snapshot: Snapshot) -> None:
        self._connection.execute(
            "INSERT INTO snapshots (table_name, sequence, head, content, hash) VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT (table_name, sequence)"
            " DO UPDATE SET head = excluded.head, content = excluded.content, hash = excluded.hash",
            (snapshot.table, snapshot.sequence, snapshot.head, snapshot.content, snapshot.hash),
        )
        self._connection.execute(
            "DELETE FROM snapshots WHERE table_name = %(table)s AND sequence NOT IN"
            " (SELECT sequence FROM snapshots WHERE table_name = %(table)s ORDER BY sequence DESC LIMIT 2)",
            {"table": snapshot.table},
        )


class PostgresStore(CommittedReads):
    """A journal in a PostgreSQL database (in the schema that the URL's search_path names)."""

    one_table_per_commit = True

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self.url = url
        self.name = _name(url)
        self._read_only = read_only
        self._mine = local()
        self._all: set[Connection] = set()
        self._idle: list[Connection] = []
        self._lock = Lock()
        self._closed = False
        self._announcer = Announcer(self._open)
        try:
            connection = self._connected()
            self._check_server(connection)
            self._migrate(connection)
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

    def _connected(self) -> Connection:
        """This thread's writing connection; a new one where the old one was lost."""
        connection: Connection | None = getattr(self._mine, "connection", None)
        if connection is None or not _alive(connection):
            if connection is not None:
                self._discard(connection)
            connection = self._mine.connection = self._open()
        return connection

    @contextmanager
    def reading(self) -> Iterator[Reads]:
        connection = self._idle_one() or self._open()
        try:
            yield Reads(_fetch(connection))
        except BaseException as error:
            self._discard(connection)
            self._raise(error)
        with self._lock:
            self._idle.append(connection)

    def _idle_one(self) -> Connection | None:
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None or _alive(connection):
                return connection
            self._discard(connection)

    def close(self) -> None:
        self._announcer.close()
        self._closed = True
        for connection in list(self._all):
            self._discard(connection)
        self._idle.clear()

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
        connection = self._connected()
        try:
            with connection.transaction():
                yield PostgresUnit(connection)
        except BaseException as error:
            if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and not connection.closed:
                with suppress(psycopg.Error):
                    connection.rollback()
            self._raise(error)

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


@lru_cache
def _translated(query: str) -> str:
    return query.replace("?", "%s")


def _fetch(connection: Connection) -> Fetch:
    def fetch(query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        return connection.execute(_translated(query), values).fetchall()

    return fetch


def _name(url: str) -> str:
    """The database as messages call it: never with a password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise Mistake("the database's URL cannot be read; write postgresql://user@host/database") from error
    return f"PostgreSQL database {parts.get('dbname', '')!r} at {parts.get('host', 'this machine')}"


def _alive(connection: Connection) -> bool:
    """Whether an idle connection has not been ended by the server meanwhile, as far as has arrived here."""
    try:
        connection.pgconn.consume_input()
    except psycopg.Error:
        return False
    return not connection.closed
