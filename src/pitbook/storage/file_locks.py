"""One process for a file, by whatever name it opens it: a lock on the file itself.

The lock is one of an open file description (OFD) on a byte that SQLite never locks. It belongs to the file's device and
inode, so a symbolic link, a hard link or a removed file beside it makes no difference. The alternatives fall short:

- A lock of the process (POSIX) is lost as soon as any other descriptor of the file is closed, as SQLite's are.
- `flock` shares one set of locks with SQLite's own on macOS and the BSDs, and would lock SQLite out.

To close our descriptor drops the locks that SQLite in this process holds on the file. So it is closed after SQLite's
connections, and a second claim in the same process is refused before the file is opened.
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
"""90 on macOS, whose number Python does not name."""
PLACE = 1 << 62
"""Far behind the bytes around 1 GiB that SQLite locks, and behind any content."""


class Taken(Exception):
    """Another process, or this one, has claimed the file."""


class FileLock:
    """A claim on a file, which is made where there is none. The system lets go of it when the process ends."""

    _claimed: dict[tuple[int, int], FileLock] = {}  # noqa: RUF012
    _claiming = Lock()

    def __init__(self, path: Path, mode: int) -> None:
        """Claim the file at a path; raise `Taken` or `OSError`."""
        with self._claiming:
            if path.exists() and _identity(path.stat()) in self._claimed:
                raise Taken
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, mode)
            try:
                fcntl.fcntl(self._descriptor, OFD_SETLK, _write_lock())
            except (BlockingIOError, PermissionError):
                os.close(self._descriptor)
                raise Taken from None
            self._identity = _identity(os.fstat(self._descriptor))
            self._claimed[self._identity] = self

    def release(self) -> None:
        """Let go of the file; only after all connections of SQLite to it are closed."""
        with self._claiming:
            if self._claimed.pop(self._identity, None):
                os.close(self._descriptor)


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _write_lock() -> bytes:
    """Return C's `struct flock` for one byte; macOS has another order of fields."""
    if sys.platform == "darwin":
        return struct.pack("qqihh", PLACE, 1, 0, fcntl.F_WRLCK, os.SEEK_SET)
    return struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, PLACE, 1, 0)
