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
from pitbook.auth.errors import ConstraintViolation, Unavailable
from pitbook.auth.port import check_values
from pitbook.errors import InputError
from pitbook.storage.file_locks import AlreadyLocked, FileLock
from pitbook.storage.pool import Pool
from pitbook.storage.sqlite import SqliteFile, cause_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pitbook.auth.port import Row, Statement

APPLICATION = 0x50495441
"""The application id in the file's header: "PITA"."""
OWNER_ONLY = 0o600


class SqliteDatabase:
    """A file for the processes of one machine."""

    clock = "(CAST(round(unixepoch('subsec') * 1000) AS INTEGER) * 1000)"

    def __init__(self, path: Path | str, *, connections: int = 4, vfs: str | None = None, alone: bool = False) -> None:
        """Open the file; with `alone`, refuse it if another process has opened it so."""
        path = Path(path)
        self.name = str(path)
        self._file = SqliteFile(
            path, "an auth store of Pitbook", APPLICATION, migrations.__name__, Unavailable, vfs=vfs, secure_delete=True
        )
        self._writing = RLock()  # threads wait here in order; SQLite itself would make them poll
        self._pool = Pool(self.name, self._file.open, Unavailable, size=connections)
        _make_private(path)
        self._lock = _claim(path) if alone else None
        try:
            with self._connection() as connection:
                self._file.migrate(connection)
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

    def fetch_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        with self._writing, self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")  # if anything is raised, closing the connection rolls back
            results = [connection.execute(query, check_values(values)).fetchall() for query, values in statements]
            connection.execute("COMMIT")
            return results

    def compact(self, table: str) -> None:  # noqa: ARG002 # the whole file is rewritten
        with self._writing, self._connection() as connection:
            connection.execute("VACUUM")
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    def set_deadline(self, moment: float) -> None:
        """Do nothing: no call waits longer than `BUSY_MILLISECONDS`."""

    def close(self) -> None:
        self._pool.close()
        if self._lock:
            self._lock.release()

    @contextmanager
    def _connection(self) -> Iterator[apsw.Connection]:
        try:
            with self._pool.connection() as connection:
                yield connection
        except apsw.Error as error:
            self._raise(error)

    def _raise(self, error: apsw.Error) -> NoReturn:
        if self._file.distrust_after(error):  # a used link or an ended session could reappear
            self._pool.clear()
        if isinstance(error, apsw.ConstraintError | apsw.SQLError | apsw.MismatchError):
            raise ConstraintViolation(f"{self.name}: {error}") from None
        raise Unavailable(f"{self.name}: {cause_of(error) or error}") from None


def _make_private(path: Path) -> None:
    """Create the file or fix its mode, for its owner only; SQLite gives the files beside it the same mode."""
    if not path.parent.is_dir():
        raise InputError("common.no-folder", folder=path.parent, file=path.name)
    try:
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, OWNER_ONLY))
        except FileExistsError:
            # By path: closing a descriptor of the file would drop every lock that this process has on it.
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)) from None
            if path.stat().st_mode & 0o077:
                path.chmod(OWNER_ONLY)
    except OSError as error:
        raise InputError("auth.not-stored", file=path, reason=error.strerror or error) from None


def _claim(path: Path) -> FileLock:
    try:
        return FileLock(path, OWNER_ONLY)
    except AlreadyLocked:
        raise InputError("auth.in-use", file=path) from None
