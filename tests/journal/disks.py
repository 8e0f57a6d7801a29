"""Disks that fail: a file system under SQLite that refuses, and one that remembers what a power cut would lose."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import apsw

SECTOR = 512

Write = tuple[int, bytes | None]
"""Where and what; None: cut the file off there."""


@dataclass
class TrackedFile:
    """A file: its synced content, and the writes since the last sync."""

    synced: bytearray = field(default_factory=bytearray)
    exists: bool = False
    """Whether a sync has made its name durable."""
    pending: list[Write] = field(default_factory=list)


def apply(content: bytearray, write: Write) -> None:
    offset, data = write
    if data is None:
        del content[offset:]
        return
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


class Disk(apsw.VFS):
    """A VFS that records writes to databases and logs, and fails them on demand."""

    def __init__(self, name: str, *, honest: bool = True) -> None:
        super().__init__(name, base="")
        self.name = name
        self.honest = honest
        """A disk that is not says that it has synced, and has not."""
        self.files: dict[str, TrackedFile] = {}
        self.refusal: Callable[[str], None] | None = None
        """Called with what is done (write, sync): raises to refuse."""
        self.on_sync: Callable[[], None] | None = None

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return DiskFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        self.files.pop(Path(filename).name, None)

    def refuse(self, what: str) -> None:
        if self.refusal:
            self.refusal(what)


class DiskFile(apsw.VFSFile):
    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self.disk = disk
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or "temporary"
        self.file = disk.files.setdefault(Path(path).name, TrackedFile())

    def xWrite(self, data: bytes, offset: int) -> None:
        self.disk.refuse("write")
        super().xWrite(data, offset)
        self.file.pending.append((offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        self.disk.refuse("write")
        super().xTruncate(newsize)
        self.file.pending.append((newsize, None))

    def xSync(self, flags: int) -> None:
        self.disk.refuse("sync")
        if self.disk.on_sync:
            self.disk.on_sync()
        super().xSync(flags)
        self.file.exists = True
        if self.disk.honest:
            for write in self.file.pending:
                apply(self.file.synced, write)
            self.file.pending.clear()
        if self.disk.on_sync:
            self.disk.on_sync()


def survivors(disk: Disk, chance: random.Random) -> Iterator[dict[str, bytes]]:
    """Yield possible disk contents after a power cut: any subset of the unsynced writes, in any order."""
    for how in ("none", "all", "some", "torn", "reordered"):
        yield {name: _survivor(file, how, chance) for name, file in disk.files.items() if file.exists or how != "none"}


def _survivor(file: TrackedFile, how: str, chance: random.Random) -> bytes:
    content = bytearray(file.synced)
    writes = list(file.pending)
    if how == "none":
        writes = []
    elif how == "some":
        writes = [write for write in writes if chance.random() < 0.5]
    elif how == "reordered":
        chance.shuffle(writes)
        writes = writes[: chance.randint(0, len(writes))]
    elif how == "torn":
        writes = [part for write in writes for part in _sectors(write) if chance.random() < 0.8]
    for write in writes:
        apply(content, write)
    return bytes(content)


def _sectors(write: Write) -> Iterator[Write]:
    offset, data = write
    if data is None:
        yield write
        return
    for start in range(0, len(data), SECTOR):
        yield offset + start, data[start : start + SECTOR]
