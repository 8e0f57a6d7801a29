"""PostgreSQL connections: pooled, checked, and with a client-side time limit for every wait.

An unreachable server (a dropped route, a paused machine) does not enforce its own `statement_timeout`. So each wait for
an answer ends here after `ANSWER_SECONDS`, and the connection is closed. The statement may or may not have been
executed: a caller treats it like a connection lost during a commit.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from math import inf
from select import POLLIN, poll
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import psycopg
from psycopg import errors, generators
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import ExecStatus
from psycopg.sql import SQL, Identifier
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from pitbook.errors import InputError
from pitbook.storage.migrations import pending

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from psycopg.abc import PQGen
    from psycopg.pq.abc import PGconn, PGresult

LOCK_MILLISECONDS = 4_000
STATEMENT_MILLISECONDS = 5_000
IDLE_MILLISECONDS = 5_000
"""The server ends a transaction that is idle for longer, so that its locks do not outlive its client."""
ANSWER_SECONDS = 6.0
"""The maximum wait for an answer, above the limits that a reachable server enforces itself."""
CONNECT_SECONDS = 3
CHECK_SECONDS = 1.0
"""A connection that was idle for longer is tested first, with the same time limit."""
SCHEMA_SECONDS = 60
UNREACHABLE_WAIT_SECONDS = 0.05
"""The maximum wait for a connection while the server is known to be unreachable."""

DEFAULTS: dict[str, Any] = {
    "connect_timeout": CONNECT_SECONDS,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": round(ANSWER_SECONDS * 1000),
}
"""Connection parameters that the URL can override."""

BINARY = 1
"""The binary result format."""

T = TypeVar("T")


class Statement(NamedTuple):
    """A statement with its values, for `Connection.run`."""

    command: bytes
    """SQL with $1, $2 …, or the name of a prepared statement."""
    values: Sequence[bytes | None]
    formats: Sequence[int]
    """1 for a value in binary form, 0 for text."""
    prepared: bool = False


class Overdue(psycopg.OperationalError):
    """The server did not answer in time; it may or may not have executed the statement."""


class _Deadline:
    """The time at which all waits of a process must end."""

    at = inf


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that closes itself if the server does not answer in time."""

    answer_seconds = ANSWER_SECONDS
    used_at = 0.0
    deadline = _Deadline()

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        if timeout is not None:  # listening ends on its own
            return super().wait(gen, interval, timeout)
        seconds = min(self.answer_seconds, max(0.0, self.deadline.at - monotonic()))
        try:
            return super().wait(gen, interval, seconds)
        except errors._WaitTimeout:
            self.pgconn.finish()
            raise Overdue(f"no answer within {seconds:.1f} s") from None

    def run(self, statements: Sequence[Statement]) -> list[PGresult]:
        """Run statements in one round trip and return their results in binary form; raise the first error."""
        connection = self.pgconn
        connection.enter_pipeline_mode()
        for command, values, formats, prepared in statements:
            if prepared:
                connection.send_query_prepared(command, values, formats, BINARY)
            else:
                connection.send_query_params(command, values, None, formats, BINARY)
        connection.pipeline_sync()
        results = self.wait(_results(connection, len(statements)))
        connection.exit_pipeline_mode()
        if failed := next(filter(_has_failed, results), None):
            raise errors.error_from_result(failed)
        return results


def _results(connection: PGconn, count: int) -> PQGen[list[PGresult]]:
    """Send the buffer and fetch the results of the statements and of the end of the pipeline."""
    results: list[PGresult] = []
    yield from generators.send(connection)
    for _ in range(count + 1):
        try:
            results += yield from generators.fetch_many(connection)
        except psycopg.Error:
            if any(map(_has_failed, results)):  # it contains the reason
                break
            raise
    return results[:count]


def _has_failed(result: PGresult) -> bool:
    return result.status == ExecStatus.FATAL_ERROR


class Connections:
    """The connections of a store to a database, in the schema of the URL's search_path."""

    def __init__(self, url: str, *, most: int, prepare: str = "") -> None:
        """Open nothing yet. Pooled connections run `prepare` first; the driver then prepares nothing itself."""
        self.name = name_of(url)
        self._conninfo = make_conninfo(url, **{key: DEFAULTS[key] for key in DEFAULTS.keys() - conninfo_to_dict(url)})
        self._prepare = prepare
        self._deadline = _Deadline()
        self._unreachable = False
        self._direct: set[Connection] = set()
        self._pool = ConnectionPool(
            self._conninfo,
            connection_class=Connection,
            kwargs={"autocommit": True},
            configure=self._configure,
            check=self._check,
            min_size=0,
            max_size=most,
            reconnect_timeout=0,  # one retry after a second; after that, the next caller retries
            reconnect_failed=self._failed,
            num_workers=2,
            name=self.name,
            open=True,
        )

    @contextmanager
    def borrowed(self) -> Iterator[Connection]:
        """Lend a pooled connection; if anything is raised, it is closed and the server rolls back."""
        seconds = UNREACHABLE_WAIT_SECONDS if self._unreachable else CONNECT_SECONDS
        connection = self._pool.getconn(min(seconds, self._deadline.at - monotonic()))
        try:
            yield connection
        except BaseException as error:
            connection.close()
            if isinstance(error, Overdue):  # the other connections were cut off at the same time
                self._pool.drain()
            raise
        finally:
            connection.used_at = monotonic()
            self._pool.putconn(connection)

    @contextmanager
    def for_schema_changes(self) -> Iterator[Connection]:
        """Lend a connection for schema changes, which may take long and wait for each other."""
        connection = self.connect()
        connection.answer_seconds = SCHEMA_SECONDS
        try:
            connection.execute(f"SET statement_timeout = 0; SET lock_timeout = '{SCHEMA_SECONDS}s'")
            yield connection
        finally:
            self.discard(connection)

    def connect(self) -> Connection:
        """Open a connection outside the pool, to be closed with `discard`."""
        if self._pool.closed:
            raise PoolClosed
        connection = Connection.connect(self._conninfo, autocommit=True)
        self._direct.add(connection)
        try:
            self._set_limits(connection)
        except BaseException:
            self.discard(connection)
            raise
        return connection

    def discard(self, connection: Connection) -> None:
        """Close a connection that `connect` opened."""
        connection.close()
        self._direct.discard(connection)

    def set_deadline(self, moment: float) -> None:
        """Let no wait last beyond a time of the monotonic clock, because the process is stopping."""
        self._deadline.at = moment

    def close(self) -> None:
        """Close the connections; those in use are closed when they are returned."""
        self._pool.close(timeout=1.0)
        for connection in list(self._direct):
            self.discard(connection)

    def explain(self, error: psycopg.Error, words: str, *, held: str) -> str:
        """Return why the database cannot be used; `words` is the error's text, `held` what others may have locked."""
        match error:
            case errors.LockNotAvailable() | errors.QueryCanceled():
                return f"{self.name}: another process holds {held} for too long ({words})"
            case errors.DiskFull():
                return f"{self.name}: the disk is full ({words})"
            case errors.ReadOnlySqlTransaction() | errors.InsufficientPrivilege():
                return f"{self.name}: the database cannot be written ({words})"
            case PoolClosed():
                return f"{self.name} was closed"
            case PoolTimeout():
                return f"cannot reach {self.name}: {error}"
            case Overdue():
                return f"{self.name} does not answer: {error}"
        return f"{self.name}: the connection was lost ({words.strip()})"

    def _configure(self, connection: Connection) -> None:
        try:
            self._set_limits(connection)
            if self._prepare:
                connection.prepare_threshold = None
                connection.execute(self._prepare)
        except BaseException:
            connection.close()
            raise
        connection.used_at = monotonic()
        self._unreachable = False

    def _failed(self, _pool: ConnectionPool[Connection]) -> None:
        self._unreachable = True

    def _set_limits(self, connection: Connection) -> None:
        connection.deadline = self._deadline
        connection.execute(
            "SELECT set_config('statement_timeout', %s, false), set_config('lock_timeout', %s, false),"
            " set_config('idle_in_transaction_session_timeout', %s, false),"
            " CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')"
            " THEN set_config('synchronous_commit', 'on', false) END",
            (str(STATEMENT_MILLISECONDS), str(LOCK_MILLISECONDS), str(IDLE_MILLISECONDS)),
        )

    def _check(self, connection: Connection) -> None:
        """Refuse a connection that the server closed, or that was idle and does not answer."""
        try:
            if _has_ended(connection):
                raise psycopg.OperationalError("the server ended the connection")
            if monotonic() - connection.used_at > CHECK_SECONDS:
                connection.answer_seconds = CHECK_SECONDS
                connection.execute("")
                connection.answer_seconds = ANSWER_SECONDS
        except psycopg.Error:
            connection.close()
            self._pool.drain()  # the cause has probably affected all of them
            raise


def schema_version(connection: Connection, table: str) -> int:
    """Return the schema version recorded in a table, 0 if the table does not exist."""
    if connection.execute("SELECT to_regclass(%s) IS NULL", (table,)).fetchone() == (True,):
        return 0
    row = connection.execute(SQL("SELECT coalesce(max(version), 0) FROM {}").format(Identifier(table))).fetchone()
    return row[0] if row else 0


def migrate(connection: Connection, package: str, table: str, lock: int, name: str) -> None:
    """Create or upgrade a schema in one transaction under an advisory lock; refuse a newer schema."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (lock,))
        scripts = pending(package, "postgres", schema_version(connection, table), name)
        for script in scripts.values():
            connection.execute(script)
        if scripts:
            version = Identifier(table)
            connection.execute(SQL("CREATE TABLE IF NOT EXISTS {} (version integer NOT NULL)").format(version))
            connection.execute(SQL("DELETE FROM {}").format(version))
            connection.execute(SQL("INSERT INTO {} (version) VALUES (%s)").format(version), (max(scripts),))


def _has_ended(connection: Connection) -> bool:
    """Return whether data has arrived on an idle connection, which can only be its end."""
    arrived = poll()
    with suppress(psycopg.OperationalError):
        arrived.register(connection.fileno(), POLLIN)
        return bool(arrived.poll(0))
    return True


def name_of(url: str) -> str:
    """Return the name of a database for messages, without a password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise InputError("journal.url") from None
    return f"PostgreSQL database {parts.get('dbname', '')!r} at {parts.get('host', 'this machine')}"
