"""The journal in an SQLite file with one writing process."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, NoReturn

import apsw

from pitbook.errors import InputError
from pitbook.journal import fault_injection, migrations
from pitbook.journal.errors import Broken, ConstraintViolation, Damaged, Unavailable
from pitbook.journal.queries import ConnectionReader, PooledReader, index_of
from pitbook.journal.sqlite_unit import SqliteUnit, fetch_on
from pitbook.messages import Message
from pitbook.storage.file_locks import AlreadyLocked, FileLock
from pitbook.storage.pool import Pool
from pitbook.storage.sqlite import SqliteFile, cause_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pitbook.journal.entries import Row
    from pitbook.journal.port import DetachedTable, Head

APPLICATION = 0x50495442
"""The application id in the file's header: "PITB"."""
READERS = 64
"""The maximum number of reading connections; a call that finds none free waits."""
OWNER_ONLY = 0o600
"""The mode of a new journal: it names people, their money and their addresses."""


class SqliteStore(PooledReader):
    """A journal in a file. One process writes; any number may read (`read_only`), as audits and backups do."""

    one_table_per_commit = False

    def __init__(self, path: Path | str, *, read_only: bool = False, vfs: str | None = None) -> None:
        self.path = Path(path)
        self._file = SqliteFile(
            self.path,
            "a journal of Pitbook",
            APPLICATION,
            migrations.__name__,
            Unavailable,
            vfs=vfs,
            foreign_keys=True,
            recursive_triggers=True,
            cell_size_check=True,
        )
        self._read_only = read_only
        self._writing = RLock()
        self._readers = Pool(str(self.path), self._file.open_reader, Unavailable, size=READERS)
        self._writer: apsw.Connection | None = None
        self._known: tuple[int, dict[str, Head]] = -1, {}
        """The file's data version as seen by the writing connection, and the heads it has written."""
        self._claim: int | None = None
        self._lock: FileLock | None = None
        if read_only and not self.path.exists():
            raise InputError("journal.missing", file=self.path)
        if not read_only:
            self._claim = _claim(self.path)
        try:
            if not read_only and vfs is None:
                self._lock = _lock(self.path)
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        """Create or upgrade the tables; a reader only checks them."""
        try:
            if not self._read_only:
                self._file.migrate(self._writing_connection())
                return
            with self._readers.connection() as connection:
                if self._file.pending_migrations(connection):
                    raise InputError("journal.older-schema", place=self.path)
        except apsw.Error as error:
            self._raise(error)

    def _writing_connection(self) -> apsw.Connection:
        if self._writer is None:
            try:
                self._writer = self._file.open(apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
            except apsw.Error as error:
                self._raise(error)
        return self._writer

    @contextmanager
    def consistent_reader(self) -> Iterator[ConnectionReader]:
        with self._reading_connection() as connection, connection:
            fetch = fetch_on(connection)

            def translated(query: str, values: Row) -> list[Row]:
                try:
                    return fetch(query, values)
                except (apsw.Error, UnicodeDecodeError) as error:
                    self._raise(error)

            yield ConnectionReader(translated)

    @contextmanager
    def reader(self) -> Iterator[ConnectionReader]:
        with self._reading_connection() as connection, connection:
            yield ConnectionReader(fetch_on(connection))

    @contextmanager
    def _reading_connection(self) -> Iterator[apsw.Connection]:
        try:
            with self._readers.connection() as connection:
                yield connection
        except (apsw.Error, UnicodeDecodeError) as error:
            self._raise(error)

    def close(self) -> None:
        with self._writing:
            self._readers.clear()  # a closed store can still be read, like the file
            if self._writer:  # last, because the last connection removes the log and a reader cannot
                self._writer.close()
                self._writer = None
            if self._lock:
                self._lock.release()
                self._lock = None
            if self._claim is not None:
                os.close(self._claim)
                self._claim = None

    @contextmanager
    def transaction(self) -> Iterator[SqliteUnit]:
        if self._read_only:
            raise Unavailable(f"{self.path} was opened for reading only")
        with self._writing:
            connection = self._writing_connection()
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

    def detach(self, table: DetachedTable) -> None:
        with self.transaction() as unit:
            unit.detach(table)
            fault_injection.point("before-detach")
        self._known = -1, {}
        with self._writing:
            try:
                self._writing_connection().execute("VACUUM")  # what was deleted leaves the file
            except apsw.Error as error:
                self._raise(error)

    def head(self, table: str) -> Head:
        """Return a table's head from memory if known: there is no other writer."""
        return self._known[1].get(table) or super().head(table)

    def _heads(self, connection: apsw.Connection) -> Mapping[str, Head]:
        """Return the heads written by this connection, unless another connection has written to the file."""
        version = connection.execute("PRAGMA data_version").get
        if version != self._known[0]:
            self._known = version, {}
        return self._known[1]

    def check_writable(self) -> None:
        with self._writing:
            connection = self._writing_connection()
            try:
                connection.pragma("user_version", connection.pragma("user_version"))  # one page, synced
            except apsw.Error as error:
                self._raise(error)

    def set_deadline(self, moment: float) -> None:
        """Do nothing: no call waits longer than `BUSY_MILLISECONDS`."""

    def is_failure(self, error: Exception) -> bool:
        return isinstance(error, apsw.Error | Unavailable | ConstraintViolation)

    def _roll_back(self, connection: apsw.Connection) -> None:
        self._known = -1, {}
        with suppress(apsw.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    def _raise(self, error: BaseException) -> NoReturn:
        """Raise an SQLite error as one of the journal's; close the writing connection after an I/O error."""
        if isinstance(error, UnicodeDecodeError):
            raise Broken("", 0, "not-utf-8", file=self.path) from error
        if not isinstance(error, apsw.Error):
            raise error
        if isinstance(error, apsw.ConstraintError):
            raise ConstraintViolation(str(error)) from error
        if isinstance(error, apsw.IOError | apsw.CorruptError | apsw.NotADBError | apsw.CantOpenError):
            self._file.distrust_after(error)
            if self._writer:
                with suppress(apsw.Error):
                    self._writer.close(True)
                self._writer = None
        if isinstance(error, apsw.CorruptError | apsw.NotADBError):
            raise Damaged(f"{self.path}: the file is damaged ({error}); keep it, and restore a backup") from error
        if (cause := cause_of(error)) is None:
            raise error
        raise Unavailable(f"{self.path}: {cause}") from error

    def now(self) -> str:
        """Return this machine's time."""
        return datetime.now(UTC).isoformat(timespec="microseconds")

    def index_kinds(self, name: str, kinds: Sequence[str]) -> None:
        with self._writing:
            try:
                self._writing_connection().execute(index_of(name, kinds))
            except apsw.Error as error:
                self._raise(error)

    def announce(self, heads: Mapping[str, int]) -> None:
        """Do nothing: there are no other writers, and readers poll."""


def _claim(path: Path) -> int:
    """Lock a file beside the journal that names the writing process; older versions check only this one."""
    if not path.parent.is_dir():
        raise InputError("journal.no-folder", folder=path.parent, file=path.name)
    beside = path.with_name(path.name + "-writer")
    descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        process = os.read(descriptor, 20).decode(errors="replace").strip()
        os.close(descriptor)
        raise _already_written(path, process) from None
    os.ftruncate(descriptor, 0)
    os.write(descriptor, str(os.getpid()).encode())
    return descriptor


def _lock(path: Path) -> FileLock:
    """Become the only writing process, whatever the name by which others open the file.

    A file with a second name is refused: SQLite looks for its log under the name by which the file is opened.
    """
    try:
        lock = FileLock(path, OWNER_ONLY)
    except AlreadyLocked:
        raise _already_written(path) from None
    if path.stat().st_nlink > 1:
        lock.release()
        raise InputError("journal.two-names", reason=Message("errors.journal.hard-link", {"file": str(path)}))
    return lock


def _already_written(path: Path, process: str = "") -> InputError:
    return InputError("journal.being-written", process=process or Message("errors.journal.unknown-process"), file=path)
