"""The journal in one SQLite file: write-ahead log, synchronised at every commit, one writing process."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from json import dumps, loads
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, NoReturn

import apsw

from pitbook.errors import InputError
from pitbook.journal import migrations
from pitbook.journal.entries import COLUMNS, posting_rows, to_row, transfer_rows
from pitbook.journal.errors import Broken, Damaged, Unavailable, Violated
from pitbook.journal.port import Foreseen, Head
from pitbook.journal.queries import CommittedReads, Fetch, Reads, index_of
from pitbook.storage.file_locks import FileLock, Taken
from pitbook.storage.sqlite import NoWriteAheadLog, cause_of, connect, has_lost_writes, make_durable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Snapshot
    from pitbook.ledger.accounts import Account

APPLICATION = 0x50495442
"""What SQLite's header says the file is for: "PITB"."""

INSERT_ENTRY = f"INSERT INTO entries ({COLUMNS}) VALUES ({', '.join('?' * 14)})"
INSERT_TRANSFER = "INSERT INTO transfers (table_name, sequence, transfer, why) VALUES (?, ?, ?, ?)"
INSERT_POSTING = "INSERT INTO postings (table_name, sequence, transfer, leg, account, amount) VALUES (?, ?, ?, ?, ?, ?)"

SIZES = (128, 32, 8, 1)
"""Rows of one statement."""

USED = "SELECT key FROM entries WHERE table_name = ? AND key IN (SELECT value FROM json_each(?))"
HELD = "SELECT json_group_object(account, balance) FROM balances WHERE account IN (SELECT value FROM json_each(?))"


def check_version(version: tuple[int, int, int]) -> None:
    """Refuse an SQLite that can corrupt a write-ahead log: the WAL-reset bug, sqlite.org/wal.html#walresetbug.

    It is in 3.7.0 to 3.51.2, and was mended in 3.51.3, 3.50.7 and 3.44.6. Below 3.37 our tables cannot be made either.

    >>> check_version((3, 50, 6))
    Traceback (most recent call last):
    pitbook.errors.InputError: SQLite 3.50.6 can corrupt a write-ahead log; use 3.51.3 or newer (or 3.50.7, 3.44.6)
    """
    if version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45):
        return
    raise InputError(
        f"SQLite {'.'.join(map(str, version))} can corrupt a write-ahead log; use 3.51.3 or newer (or 3.50.7, 3.44.6)"
    )


@lru_cache(maxsize=64)
def _of_many(insert: str, size: int) -> str:
    """A statement that inserts so many rows."""
    head, _, places = insert.rpartition(" VALUES ")
    return f"{head} VALUES {', '.join([places] * size)}"


class SqliteUnit(Reads):
    """A transaction of the one writer: everything is locked already.

    What is only written waits here until something is read or committed, and then goes as a few statements of many
    rows: at each statement the interpreter lets other threads run, and may wait long for its turn.
    """

    def __init__(self, connection: apsw.Connection, heads: Mapping[str, Head]) -> None:
        read = _fetch(connection)

        def fetch(query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
            self.flush()
            return read(query, values)

        super().__init__(fetch)
        self._connection = connection
        self._waiting: list[Entry] = []
        self._known = heads
        self.heads_written: dict[str, Head] = {}
        """Where this transaction leaves the tables that it writes to."""

    def head(self, table: str) -> Head:
        return self.heads_written.get(table) or self._known.get(table) or super().head(table)

    def lock(self, table: str) -> Head:
        return self.head(table)

    def foresee(self, table: str, keys: Sequence[str], accounts: Sequence[Account]) -> Foreseen:
        used = self.fetch(USED, (table, dumps(list(keys)))) if keys else []
        held = self.fetch(HELD, (dumps(list(accounts)),))[0][0] if accounts else "{}"
        balances = dict.fromkeys(accounts, 0) | loads(held)
        return Foreseen(self.lock(table), frozenset(row[0] for row in used), balances)

    def pass_fence(self, table: str, fence: int) -> None:
        """Do nothing: a file has one writer, which nobody else can replace."""

    def append(self, entries: Sequence[Entry]) -> None:
        self.flush()
        execute, alone = self._connection.execute, not self.heads_written
        if not alone:
            execute("SAVEPOINT command")
        try:
            self._insert(entries)
        except (apsw.ConstraintError, OverflowError) as error:
            if alone:  # nothing else has been written: the transaction begins anew, and no other writer comes between
                execute("ROLLBACK")
                execute("BEGIN IMMEDIATE")
            else:
                execute("ROLLBACK TO command")
                execute("RELEASE command")
            raise Violated(str(error)) from error
        if not alone:
            execute("RELEASE command")
        self._note(entries)

    def queue(self, entries: Sequence[Entry]) -> None:
        self._waiting += entries
        self._note(entries)

    def flush(self) -> None:
        """Write what waits. A constraint that it violates ends the transaction: each of its commands is tried alone."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            try:
                self._insert(waiting)
            except OverflowError as error:
                raise Violated(str(error)) from error

    def _note(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self.heads_written[entry.table] = Head(entry.sequence, entry.hash)

    def _insert(self, entries: Sequence[Entry]) -> None:
        """From the inside out, as the triggers ask: postings, the transfers that seal them, the entries."""
        self._many(INSERT_POSTING, [row for entry in entries for row in posting_rows(entry)])
        self._many(INSERT_TRANSFER, [row for entry in entries for row in transfer_rows(entry)])
        self._many(INSERT_ENTRY, [to_row(entry) for entry in entries])

    def _many(self, insert: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Rows in statements of a few sizes, each prepared once."""
        place = 0
        for size in SIZES:
            while len(rows) - place >= size:
                values = tuple(value for row in rows[place : place + size] for value in row)
                self._connection.execute(_of_many(insert, size), values)
                place += size

    def save(self, snapshot: Snapshot) -> None:
        execute = self._connection.execute
        execute(
            "INSERT INTO snapshots (table_name, sequence, head, content, hash) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET head = excluded.head, content = excluded.content, hash = excluded.hash",
            (snapshot.table, snapshot.sequence, snapshot.head, snapshot.content, snapshot.hash),
        )
        execute(
            "DELETE FROM snapshots WHERE table_name = ?1 AND sequence NOT IN"
            " (SELECT sequence FROM snapshots WHERE table_name = ?1 ORDER BY sequence DESC LIMIT 2)",
            (snapshot.table,),
        )

    def attach(self, digest: str, content: bytes) -> None:
        insert = "INSERT INTO attachments (digest, content) VALUES (?, ?) ON CONFLICT DO NOTHING"
        self._connection.execute(insert, (digest, content))


class SqliteStore(CommittedReads):
    """A journal in a file. One process writes; any number may read (`read_only`), as audits and backups do."""

    one_table_per_commit = False

    def __init__(self, path: Path | str, *, read_only: bool = False, vfs: str | None = None) -> None:
        check_version(_version())
        self.path = Path(path)
        self._vfs = vfs
        self._read_only = read_only
        self._writing = RLock()
        self._idle: list[apsw.Connection] = []
        self._idle_lock = Lock()
        self._writer: apsw.Connection | None = None
        self._sync_failed = False
        self._known: tuple[int, dict[str, Head]] = -1, {}
        """The file's version for the writing connection, and where it left the tables."""
        self._lock_file: int | None = None
        self._lock: FileLock | None = None
        if read_only and not self.path.exists():
            raise InputError(f"there is no journal {self.path}")
        if not read_only:
            self._lock_file = _claim(self.path)
        try:
            if not read_only and vfs is None:
                self._lock = _lock(self.path)
            if read_only:
                with self._reader() as connection:
                    self._check_schema(connection)
            else:
                self._migrate(self._connected())
        except BaseException:
            self.close()
            raise

    # -- connections

    def _open(self, flags: int) -> apsw.Connection:
        try:
            return connect(self.path, flags, self._vfs)
        except apsw.Error as error:
            raise Unavailable(f"cannot open {self.path}: {error}") from error

    def _connected(self) -> apsw.Connection:
        """The writing connection; a new one where the old one was given up."""
        if self._sync_failed:
            raise Unavailable(f"{self.path}: the disk failed to keep what was written; check it and start again")
        if self._writer is None:
            connection = self._open(apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
            try:
                make_durable(connection, foreign_keys=True, recursive_triggers=True, cell_size_check=True)
            except NoWriteAheadLog as error:
                connection.close()
                raise Unavailable(f"{self.path}: {error}") from None
            except apsw.NotADBError as error:
                connection.close()
                raise InputError(f"{self.path} is not a journal of Pitbook") from error
            except BaseException as error:
                connection.close()
                self._raise(error)
            self._writer = connection
        return self._writer

    @contextmanager
    def reading(self) -> Iterator[Reads]:
        with self._reader() as connection, connection:
            yield Reads(_fetch(connection))

    @contextmanager
    def moment(self) -> Iterator[Reads]:
        with self._reader() as connection, connection:
            fetch = _fetch(connection)

            def explained(query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
                try:
                    return fetch(query, values)
                except (apsw.Error, UnicodeDecodeError) as error:
                    self._raise(error)

            yield Reads(explained)

    @contextmanager
    def _reader(self) -> Iterator[apsw.Connection]:
        with self._idle_lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or self._open(apsw.SQLITE_OPEN_READONLY)
        try:
            yield connection
        except apsw.NotADBError as error:
            connection.close()
            raise InputError(f"{self.path} is not a journal of Pitbook") from error
        except (apsw.Error, UnicodeDecodeError) as error:
            connection.close()
            self._raise(error)
        except BaseException:
            connection.close()
            raise
        with self._idle_lock:
            self._idle.append(connection)

    def close(self) -> None:
        with self._writing:
            with self._idle_lock:
                while self._idle:
                    self._idle.pop().close()
            if self._writer:  # last, for the last one tidies up the log, which a reader cannot
                self._writer.close()
                self._writer = None
            if self._lock:
                self._lock.release()
                self._lock = None
            if self._lock_file is not None:
                os.close(self._lock_file)
                self._lock_file = None

    # -- schema

    def _check_schema(self, connection: apsw.Connection) -> dict[int, str]:
        version = connection.pragma("user_version")
        if version == 0 and connection.execute("SELECT count(*) FROM sqlite_schema").get:
            raise InputError(f"{self.path} is a database, but not a journal of Pitbook")
        if version and connection.pragma("application_id") != APPLICATION:
            raise InputError(f"{self.path} is a database, but not a journal of Pitbook")
        lacking = migrations.pending("sqlite", version, str(self.path))
        if lacking and self._read_only:
            raise InputError(f"{self.path} has an older schema (version {version}); open it for writing once")
        return lacking

    def _migrate(self, connection: apsw.Connection) -> None:
        """Make a new file's tables, upgrade an older one, refuse a newer one."""
        try:
            for number, script in self._check_schema(connection).items():
                connection.execute("BEGIN IMMEDIATE")
                try:
                    connection.execute(script)
                    connection.pragma("application_id", APPLICATION)
                    connection.pragma("user_version", number)
                    connection.execute("COMMIT")
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
        except apsw.NotADBError as error:
            raise InputError(f"{self.path} is not a journal of Pitbook") from error
        except apsw.Error as error:
            self._raise(error)

    # -- writing

    @contextmanager
    def transaction(self) -> Iterator[SqliteUnit]:
        if self._read_only:
            raise Unavailable(f"{self.path} was opened for reading only")
        with self._writing:
            connection = self._connected()
            try:
                connection.execute("BEGIN IMMEDIATE")
                unit = SqliteUnit(connection, self._heads(connection))
                yield unit
                unit.flush()
                connection.execute("COMMIT")
                self._known[1].update(unit.heads_written)
            except BaseException as error:
                self._roll_back(connection)
                self._raise(error)

    def head(self, table: str) -> Head:
        """As the last commit left it: nobody else writes, and the file is asked only where that is not known."""
        return self._known[1].get(table) or super().head(table)

    def _heads(self, connection: apsw.Connection) -> Mapping[str, Head]:
        """The heads as this connection left them, as long as no other has written to the file."""
        version = connection.execute("PRAGMA data_version").get
        if version != self._known[0]:
            self._known = version, {}
        return self._known[1]

    def check_writing(self) -> None:
        with self._writing:
            connection = self._connected()
            try:
                connection.pragma("user_version", connection.pragma("user_version"))  # one page, synced
            except apsw.Error as error:
                self._raise(error)

    def end_by(self, moment: float) -> None:
        """A file is never waited for longer than `BUSY_MILLISECONDS`."""

    def is_failure(self, error: Exception) -> bool:
        return isinstance(error, apsw.Error | Unavailable | Violated)

    def _roll_back(self, connection: apsw.Connection) -> None:
        self._known = -1, {}
        with suppress(apsw.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    def _raise(self, error: BaseException) -> NoReturn:
        trouble = self._trouble(error)
        if trouble is error:
            raise error
        raise trouble from error

    def _trouble(self, error: BaseException) -> BaseException:
        """The error in the journal's own words; after an I/O error the connection is given up."""
        if isinstance(error, UnicodeDecodeError):
            return Broken("", 0, f"{self.path} holds text that is none")
        if not isinstance(error, apsw.Error):
            return error
        if isinstance(error, apsw.ConstraintError):
            return Violated(str(error))
        if isinstance(error, apsw.IOError | apsw.CorruptError | apsw.NotADBError | apsw.CantOpenError):
            self._sync_failed |= has_lost_writes(error)
            if self._writer:
                with suppress(apsw.Error):
                    self._writer.close(True)
                self._writer = None
        if isinstance(error, apsw.CorruptError | apsw.NotADBError):
            return Damaged(f"{self.path}: the file is damaged ({error}); keep it, and restore a backup")
        cause = cause_of(error)
        return error if cause is None else Unavailable(f"{self.path}: {cause}")

    def now(self) -> str:
        """This machine's clock: the file has no other."""
        return datetime.now(UTC).isoformat(timespec="microseconds")

    def index_kinds(self, name: str, kinds: Sequence[str]) -> None:
        with self._writing:
            try:
                self._connected().execute(index_of(name, kinds))
            except apsw.Error as error:
                self._raise(error)

    def announce(self, heads: Mapping[str, int]) -> None:
        """There are no other writers, and readers look for themselves."""


def _fetch(connection: apsw.Connection) -> Fetch:
    def fetch(query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        return connection.execute(query, values).fetchall()

    return fetch


def _version() -> tuple[int, int, int]:
    major, minor, patch = (*map(int, apsw.sqlite_lib_version().split(".")), 0)[:3]
    return major, minor, patch


def _claim(path: Path) -> int:
    """Say beside the file which process writes it; older versions know of each other by this only."""
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {path.parent} for the journal {path.name}")
    beside = path.with_name(path.name + "-writer")
    descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        who = os.read(descriptor, 20).decode(errors="replace").strip()
        os.close(descriptor)
        raise _second(path, who) from None
    os.ftruncate(descriptor, 0)
    os.write(descriptor, str(os.getpid()).encode())
    return descriptor


def _lock(path: Path) -> FileLock:
    """Be the one writing process, under whatever name others open the file.

    A file with a second name is refused: SQLite would look for its log under the name by which it is opened now.
    """
    try:
        lock = FileLock(path, 0o644)
    except Taken:
        raise _second(path) from None
    if path.stat().st_nlink > 1:
        lock.release()
        says = f"the journal {path} has a second name (a hard link), by which SQLite does not find its log"
        raise InputError(f"{says}: keep the name under which it was last served, and remove the other")
    return lock


def _second(path: Path, who: str = "") -> InputError:
    return InputError(f"another process ({who or 'unknown'}) writes the journal {path}; stop it first")
