"""Connections to SQLite files with a write-ahead log, synchronised at every commit."""

from __future__ import annotations

import os
from contextlib import contextmanager
from time import monotonic, sleep
from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BUSY_MILLISECONDS = 5_000
OPENING_SECONDS = 60.0
"""How long opening waits for others who open the same new file."""
SYNC_FAILED = (apsw.SQLITE_IOERR_FSYNC, apsw.SQLITE_IOERR_DIR_FSYNC)

_CAUSES: dict[type[apsw.Error], str] = {
    apsw.FullError: "the disk is full",
    apsw.ReadOnlyError: "the file cannot be written",
    apsw.PermissionsError: "the file cannot be written",
    apsw.BusyError: "another process has locked it",
    apsw.LockedError: "another process has locked it",
    apsw.IOError: "the disk cannot be read or written",
    apsw.CantOpenError: "the file cannot be opened",
    apsw.CorruptError: "the file is damaged",
    apsw.NoMemError: "there is no memory left",
    apsw.ProtocolError: "another process has locked it",
}


class NoWriteAheadLog(Exception):
    """SQLite cannot keep a write-ahead log beside this file."""


def connect(path: Path, flags: int, vfs: str | None = None) -> apsw.Connection:
    """Open a connection that waits up to `BUSY_MILLISECONDS` for a lock."""
    connection = apsw.Connection(os.fspath(path), flags=flags, vfs=vfs)
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    return connection


def make_durable(connection: apsw.Connection, **pragmas: bool) -> None:
    """Turn the write-ahead log on, have every commit synchronised, and set further pragmas.

    Two that turn it on for a new file at once each hold what the other needs. SQLite fails one of them without waiting,
    so it is tried again here.
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
        raise NoWriteAheadLog(f"SQLite cannot keep a write-ahead log here ({mode})")
    for name, value in {"synchronous": "full", "trusted_schema": False, **pragmas}.items():
        connection.pragma(name, value)


@contextmanager
def patient(connection: apsw.Connection) -> Iterator[None]:
    """Wait longer than usual, for whoever makes the tables."""
    connection.set_busy_timeout(int(OPENING_SECONDS * 1000))
    yield
    connection.set_busy_timeout(BUSY_MILLISECONDS)


def has_lost_writes(error: BaseException) -> bool:
    """Return whether a sync failed: until the file is reopened, lost writes may still appear to be stored."""
    return getattr(error, "extendedresult", None) in SYNC_FAILED


def cause_of(error: apsw.Error) -> str | None:
    """Return the cause of an error in plain words, with SQLite's own; None if it is no trouble with the file."""
    words = next((words for kind, words in _CAUSES.items() if isinstance(error, kind)), None)
    return None if words is None else f"{words} ({error})"
