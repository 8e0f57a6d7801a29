"""The auth store in an SQLite file beside the journal, readable by its owner only."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, NoReturn

import apsw

from pitbook.auth import migrations
from pitbook.auth.errors import Unavailable, Violated
from pitbook.auth.pool import Pool
from pitbook.auth.port import check_values
from pitbook.errors import InputError
from pitbook.storage.file_locks import FileLock, Taken
from pitbook.storage.sqlite import (
    NoWriteAheadLog,
    cause_of,
    connect,
    has_lost_writes,
    make_durable,
    patient,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pitbook.auth.port import Row, Statement

APPLICATION = 0x50495441
"""What SQLite's header says the file is for: "PITA"."""
OWNER_ONLY = 0o600


class SqliteDatabase:
    """A file for one machine. The journal beside it has refused an SQLite that can damage a write-ahead log."""

    clock = "(CAST(round(unixepoch('subsec') * 1000) AS INTEGER) * 1000)"

    def __init__(self, path: Path | str, *, connections: int = 4, vfs: str | None = None, alone: bool = False) -> None:
        """Open the file; `alone`: refuse it where another process has opened it so."""
        self.path = Path(path)
        self.name = str(self.path)
        self._vfs = vfs
        self._sync_failed = False
        self._writing = RLock()  # threads wait in line here; SQLite itself would make them poll
        self._pool = Pool(self.name, self._open, most=connections)
        _make_private(self.path)
        self._lock = _claim(self.path) if alone else None
        try:
            self._migrate()
        except BaseException:
            self.close()
            raise

    def fetch(self, query: str, values: Row = ()) -> list[Row]:
        check_values(values)
        if query.startswith("SELECT"):
            with self._connection() as connection:
                return connection.execute(query, values).fetchall()
        with self._writing, self._connection() as connection:
            return connection.execute(query, values).fetchall()

    def together(self, statements: Sequence[Statement]) -> list[list[Row]]:
        with self._writing, self._connection() as connection, _transaction(connection):
            return [connection.execute(query, check_values(values)).fetchall() for query, values in statements]

    def end_by(self, moment: float) -> None:
        """A file is never waited for longer than `BUSY_MILLISECONDS`."""

    def close(self) -> None:
        self._pool.close()
        if self._lock:
            self._lock.release()

    # -- connections

    @contextmanager
    def _connection(self) -> Iterator[apsw.Connection]:
        try:
            with self._pool.one() as connection:
                yield connection
        except apsw.Error as error:
            self._raise(error)

    def _open(self) -> apsw.Connection:
        if self._sync_failed:
            raise Unavailable(f"{self.name}: the disk failed to keep what was written; check it and start again")
        connection = connect(self.path, apsw.SQLITE_OPEN_READWRITE, self._vfs)
        try:
            make_durable(connection, secure_delete=True)
        except NoWriteAheadLog as error:
            connection.close()
            raise Unavailable(f"{self.name}: {error}") from None
        except BaseException:
            connection.close()
            raise
        return connection

    def _raise(self, error: apsw.Error) -> NoReturn:
        if has_lost_writes(error):  # a used link or an ended session could come back later
            self._sync_failed = True
            self._pool.clear()
        if isinstance(error, apsw.NotADBError):
            raise InputError(f"{self.name} is not what Pitbook keeps passwords and sessions in") from None
        if isinstance(error, apsw.ConstraintError | apsw.SQLError | apsw.MismatchError):
            raise Violated(f"{self.name}: {error}") from None
        raise Unavailable(f"{self.name}: {cause_of(error) or error}") from None

    # -- schema

    def _migrate(self) -> None:
        """Make a new file's tables, upgrade an older one, refuse a newer one."""
        with self._connection() as connection, patient(connection), _transaction(connection):
            version = connection.pragma("user_version")
            foreign = connection.pragma("application_id") != APPLICATION
            if foreign and connection.execute("SELECT count(*) FROM sqlite_schema").get:
                raise InputError(f"{self.name} is a database, but not what Pitbook keeps passwords and sessions in")
            for number, script in migrations.pending("sqlite", version, f"the auth store in {self.name}").items():
                connection.execute(script)
                connection.pragma("application_id", APPLICATION)
                connection.pragma("user_version", number)


@contextmanager
def _transaction(connection: apsw.Connection) -> Iterator[None]:
    """All or nothing. Whoever raises loses the connection, and closing it rolls back."""
    connection.execute("BEGIN IMMEDIATE")
    yield
    connection.execute("COMMIT")


def _make_private(path: Path) -> None:
    """The file, there and for its owner only; SQLite gives the files beside it the same rights."""
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {path.parent} for {path.name}")
    try:
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, OWNER_ONLY))
        except FileExistsError:
            # By its path: to close a descriptor of the file lets go of every lock that this process has on it.
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)) from None
            if path.stat().st_mode & 0o077:
                path.chmod(OWNER_ONLY)
    except OSError as error:
        raise InputError(f"cannot keep passwords and sessions in {path}: {error.strerror or error}") from None


def _claim(path: Path) -> FileLock:
    try:
        return FileLock(path, OWNER_ONLY)
    except Taken:
        raise InputError(f"another process keeps passwords and sessions in {path}; stop it first") from None
