"""A lock on a file itself, for one process at a time, whatever the name by which it is opened.

It is an open file description (OFD) lock on a byte that SQLite never locks. It belongs to the file's device and inode,
so symbolic and hard links make no difference, nor does removing a file beside it. The alternatives fall short:

- A POSIX lock is lost as soon as any descriptor of the file is closed, as SQLite does.
- `flock` conflicts with SQLite's own locks on macOS and the BSDs.

Closing our descriptor drops the locks of SQLite in this process. So it is closed after SQLite's connections, and a
second lock in the same process is refused before the file is opened.
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

OFD_SETLK = getattr(fcntl, "F_OFD_SETLK", 90)
"""90 on macOS, where Python does not define the name."""
PLACE = 1 << 62
"""Far beyond the bytes around 1 GiB that SQLite locks, and beyond any content."""


class AlreadyLocked(Exception):
    """Another process, or this one, has locked the file."""


class FileLock:
    """A lock on a file, which is created if missing. The system releases it when the process ends."""

    _locked: dict[tuple[int, int], FileLock] = {}  # noqa: RUF012
    _locking = Lock()

    def __init__(self, path: Path, mode: int) -> None:
        """Lock the file at a path; raise `AlreadyLocked` or `OSError`."""
        with self._locking:
            if path.exists() and _identity(path.stat()) in self._locked:
                raise AlreadyLocked
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, mode)
            try:
                fcntl.fcntl(self._descriptor, OFD_SETLK, _write_lock())
            except (BlockingIOError, PermissionError):
                os.close(self._descriptor)
                raise AlreadyLocked from None
            self._identity = _identity(os.fstat(self._descriptor))
            self._locked[self._identity] = self

    def release(self) -> None:
        """Release the file, after all SQLite connections to it are closed."""
        with self._locking:
            if self._locked.pop(self._identity, None):
                os.close(self._descriptor)


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _write_lock() -> bytes:
    """Return C's `struct flock` for one byte; macOS orders the fields differently."""
    if sys.platform == "darwin":
        return struct.pack("qqihh", PLACE, 1, 0, fcntl.F_WRLCK, os.SEEK_SET)
    return struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, PLACE, 1, 0)
