"""SQLite files with a write-ahead log, synced at every commit: connections, schema and errors."""

from __future__ import annotations

import os
from time import monotonic, sleep
from typing import TYPE_CHECKING

import apsw

from pitbook.errors import InputError
from pitbook.storage.migrations import pending

if TYPE_CHECKING:
    from pathlib import Path

BUSY_MILLISECONDS = 5_000
OPENING_SECONDS = 60.0
"""How long opening waits for other processes that create the same file."""
SYNC_FAILED = (apsw.SQLITE_IOERR_FSYNC, apsw.SQLITE_IOERR_DIR_FSYNC)

NO_MESSAGE = "not an error"
"""What SQLite's online backup says of every failure."""
_CAUSES: dict[type[apsw.Error], str] = {
    apsw.FullError: "the disk is full",
    apsw.ReadOnlyError: "the file cannot be written",
    apsw.PermissionsError: "the file cannot be written",
    apsw.BusyError: "another process has locked it",
    apsw.LockedError: "another process has locked it",
    apsw.IOError: "the disk cannot be read or written",
    apsw.CantOpenError: "the file cannot be opened",
    apsw.CorruptError: "the file is damaged",
    apsw.NotADBError: "the file is not a database",
    apsw.NoMemError: "there is no memory left",
    apsw.ProtocolError: "another process has locked it",
}


def check_version(version: tuple[int, ...]) -> None:
    """Refuse an SQLite that can corrupt a write-ahead log: the WAL-reset bug, sqlite.org/wal.html#walresetbug.

    It is in 3.7.0 to 3.51.2 and was fixed in 3.51.3, 3.50.7 and 3.44.6. Versions below 3.37 lack STRICT tables, too.

    >>> check_version((3, 50, 6))
    Traceback (most recent call last):
    pitbook.errors.InputError: SQLite 3.50.6 can corrupt a write-ahead log; use 3.51.3 or newer (or 3.50.7, 3.44.6)
    """
    if version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45):
        return
    raise InputError("journal.sqlite-version", version=".".join(map(str, version)))


class SqliteFile:
    """A database file: opens its connections and maintains its schema."""

    def __init__(
        self,
        path: Path,
        purpose: str,
        application: int,
        migrations: str,
        unavailable: type[Exception],
        *,
        vfs: str | None = None,
        **pragmas: bool,
    ) -> None:
        """Open nothing yet. `application` is the id in the file's header, `migrations` the package of SQL files."""
        check_version(tuple(map(int, apsw.sqlite_lib_version().split("."))))
        self.path = path
        self._purpose = purpose
        self._application = application
        self._migrations = migrations
        self._unavailable = unavailable
        self._vfs = vfs
        self._pragmas = {"synchronous": "full", "trusted_schema": False, **pragmas}
        self._sync_failed = False

    def open(self, flags: int = apsw.SQLITE_OPEN_READWRITE) -> apsw.Connection:
        """Open a connection that writes durably."""
        if self._sync_failed:
            raise self._unavailable(f"{self.path}: the disk failed to keep what was written; check it and start again")
        connection = self._connect(flags)
        try:
            self._turn_log_on(connection)
            for name, value in self._pragmas.items():
                connection.pragma(name, value)
        except apsw.NotADBError:
            connection.close()
            raise InputError("journal.not-purpose", file=self.path, purpose=self._purpose) from None
        except BaseException:
            connection.close()
            raise
        return connection

    def open_reader(self) -> apsw.Connection:
        """Open a connection that only reads."""
        return self._connect(apsw.SQLITE_OPEN_READONLY)

    def _connect(self, flags: int) -> apsw.Connection:
        connection = apsw.Connection(os.fspath(self.path), flags=flags, vfs=self._vfs)
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        return connection

    def _turn_log_on(self, connection: apsw.Connection) -> None:
        """Switch to a write-ahead log.

        Two processes that do so for a new file each hold a lock that the other needs. SQLite fails one of them without
        waiting, so it is retried here.
        """
        mode = ""
        ends = monotonic() + OPENING_SECONDS
        while not mode:
            try:
                mode = str(connection.pragma("journal_mode", "wal"))
            except apsw.BusyError:
                if monotonic() >= ends:
                    raise
                sleep(0.01)
        if mode != "wal":
            raise self._unavailable(f"{self.path}: SQLite cannot keep a write-ahead log here ({mode})")

    def pending_migrations(self, connection: apsw.Connection) -> dict[int, str]:
        """Return the migrations that the file lacks; refuse files of other programs or newer versions."""
        try:
            with connection:  # one snapshot: another process may be creating the tables
                version = connection.pragma("user_version")
                is_ours = connection.pragma("application_id") == self._application
                if not is_ours and (version or connection.execute("SELECT count(*) FROM sqlite_schema").get):
                    raise InputError("journal.other-database", file=self.path, purpose=self._purpose)
        except apsw.NotADBError:
            raise InputError("journal.not-purpose", file=self.path, purpose=self._purpose) from None
        return pending(self._migrations, "sqlite", version, str(self.path))

    def migrate(self, connection: apsw.Connection) -> None:
        """Create or upgrade the tables; refuse files of other programs or newer versions."""
        if not self.pending_migrations(connection):
            return
        connection.set_busy_timeout(int(OPENING_SECONDS * 1000))
        connection.execute("BEGIN IMMEDIATE")
        try:
            for number, script in self.pending_migrations(connection).items():
                connection.execute(script)
                connection.pragma("application_id", self._application)
                connection.pragma("user_version", number)
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        connection.set_busy_timeout(BUSY_MILLISECONDS)

    def distrust_after(self, error: apsw.Error) -> bool:
        """Open no more connections after a failed sync: lost writes could appear to be stored until a restart."""
        self._sync_failed |= getattr(error, "extendedresult", None) in SYNC_FAILED
        return self._sync_failed


def cause_of(error: apsw.Error) -> str | None:
    """Return the cause of an error in plain words with SQLite's message, or None if the file is not the cause.

    >>> cause_of(apsw.FullError("database or disk is full")), cause_of(apsw.FullError("not an error"))
    ('the disk is full (database or disk is full)', 'the disk is full')
    """
    words = next((words for kind, words in _CAUSES.items() if isinstance(error, kind)), None)
    return words if words is None or str(error) == NO_MESSAGE else f"{words} ({error})"
