"""The journal in PostgreSQL, for many processes and machines: the database is the referee between them."""

from __future__ import annotations

import select
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NoReturn

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from pitbook.journal import migrations
from pitbook.journal.announcing import Announcer
from pitbook.journal.entries import COLUMNS, posting_rows, to_row, transfer_rows
from pitbook.journal.port import Foreseen
from pitbook.journal.reading import CommittedReads, Fetch, Reads, head_of
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

PREPARE = f"""
PREPARE lock_table (text) AS SELECT 1 FROM tables WHERE name = $1 FOR UPDATE;
PREPARE table_head (text) AS SELECT sequence, hash FROM entries WHERE table_name = $1 ORDER BY sequence DESC LIMIT 1;
PREPARE used_key (text, text) AS SELECT key FROM entries WHERE table_name = $1 AND key = $2;
PREPARE account_balance (text) AS SELECT account, balance FROM balances WHERE account = $1 FOR UPDATE;
PREPARE new_posting (text, bigint, integer, integer, text, bigint) AS
  INSERT INTO postings (table_name, sequence, transfer, leg, account, amount) VALUES ($1, $2, $3, $4, $5, $6);
PREPARE new_transfer (text, bigint, integer, text) AS
  INSERT INTO transfers (table_name, sequence, transfer, why) VALUES ($1, $2, $3, $4);
PREPARE new_entry (text, bigint, text, bytea, text, text, text, text, bytea, bytea, text, bigint, bytea, bytea) AS
  INSERT INTO entries ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
"""
"""What every command needs, planned once for a connection: planning takes the database longer than doing it."""

LOCK, HEAD, USED, BALANCE, POSTING, TRANSFER, ENTRY = (
    f"EXECUTE {name} ({', '.join(['%s'] * count)})"
    for name, count in (
        *(("lock_table", 1), ("table_head", 1), ("used_key", 2), ("account_balance", 1)),
        *(("new_posting", 6), ("new_transfer", 4), ("new_entry", 14)),
    )
)

SAVE = (
    "INSERT INTO snapshots (table_name, sequence, head, content, hash) VALUES (%s, %s, %s, %s, %s)"
    " ON CONFLICT (table_name, sequence)"
    " DO UPDATE SET head = excluded.head, content = excluded.content, hash = excluded.hash"
)
KEEP_TWO = (
    "DELETE FROM snapshots WHERE table_name = %s AND sequence NOT IN"
    " (SELECT sequence FROM snapshots WHERE table_name = %s ORDER BY sequence DESC LIMIT 2)"
)

Statement = tuple[str, tuple[Any, ...]]

BEGIN: Statement = ("BEGIN", ())


class PostgresUnit(Reads):
    """A transaction: a table's row is locked first, then accounts in sorted order.

    What is only written waits here until something is read or committed, and all of it then goes in one message: a
    round trip costs more than a statement. Values are written into the text by the driver, as one message needs.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(lambda query, values: self._ask((_translated(query), values))[0])
        self._cursor = psycopg.ClientCursor(connection)
        self._waiting: list[Statement] = [BEGIN]

    def lock(self, table: str) -> Head:
        return self.foresee(table, (), ()).head

    def foresee(self, table: str, keys: Sequence[str], accounts: Sequence[Account]) -> Foreseen:
        asked: list[Statement] = [(LOCK, (table,)), (HEAD, (table,))]  # two: the head is read once the lock is ours
        asked += [(USED, (table, key)) for key in keys]
        asked += [(BALANCE, (account,)) for account in sorted(accounts)]
        locked, head, *rest = self._ask(*asked)
        if not locked:
            self._waiting.append(("INSERT INTO tables (name) VALUES (%s) ON CONFLICT DO NOTHING", (table,)))
            return self.foresee(table, keys, accounts)
        used = frozenset(row[0] for rows in rest[: len(keys)] for row in rows)
        held = dict(row for rows in rest[len(keys) :] for row in rows)
        return Foreseen(head_of(head), used, dict.fromkeys(accounts, 0) | held)

    def balances(self, accounts: Sequence[Account]) -> dict[Account, int]:
        found = self._ask(*((BALANCE, (account,)) for account in sorted(accounts)))
        return dict.fromkeys(accounts, 0) | dict(row for rows in found for row in rows)

    def append(self, entries: Sequence[Entry]) -> None:
        self._ask()  # what waits fails before this, not by it
        try:
            self._waiting.append(("SAVEPOINT command", ()))
            self.queue(entries)
            self._waiting.append(("RELEASE SAVEPOINT command", ()))
            self._ask()
        except (errors.IntegrityError, errors.DataError) as error:
            self._waiting = [("ROLLBACK TO SAVEPOINT command", ()), ("RELEASE SAVEPOINT command", ())]
            self._ask()
            raise Violated(str(error)) from error

    def queue(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self._waiting += [(POSTING, row) for row in posting_rows(entry)]
            self._waiting += [(TRANSFER, row) for row in transfer_rows(entry)]
            self._waiting.append((ENTRY, to_row(entry)))

    def save(self, snapshot: Snapshot) -> None:
        self._waiting += [
            (SAVE, (snapshot.table, snapshot.sequence, snapshot.head, snapshot.content, snapshot.hash)),
            (KEEP_TWO, (snapshot.table, snapshot.table)),
        ]

    def commit(self) -> None:
        """Send what waits, and make it last."""
        if self._waiting == [BEGIN]:
            return
        self._waiting.append(("COMMIT", ()))
        self._ask()
        if self._cursor.statusmessage != "COMMIT":  # one that has failed is rolled back, without an error
            raise Violated(f"the transaction was not committed but ended by {self._cursor.statusmessage}")

    def _ask(self, *asked: Statement) -> list[list[tuple[Any, ...]]]:
        """Send what waits and these; the rows of these."""
        sent, self._waiting = [*self._waiting, *asked], []
        if not sent:
            return []
        cursor = self._cursor
        cursor.execute(";".join(words for words, _ in sent), tuple(value for _, values in sent for value in values))
        found = []
        for place in range(len(sent)):
            if place:
                cursor.nextset()
            if place >= len(sent) - len(asked):
                found.append(cursor.fetchall())
        return found


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
    """Whether an idle connection has not been ended by the server meanwhile: nothing else would have arrived here."""
    if connection.closed:
        return False
    arrived = select.poll()
    arrived.register(connection.pgconn.socket, select.POLLIN)
    return not arrived.poll(0)
