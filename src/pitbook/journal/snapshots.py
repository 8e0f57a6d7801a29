"""State snapshots: a restart reads the last one and replays only later entries."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from pitbook.journal.chain import netstrings
from pitbook.journal.errors import Damaged
from pitbook.journal.port import Head, Reader, Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator


def take(table: str, head: Head, content: bytes) -> Snapshot:
    """Return a snapshot of the state at a head, with a hash over all of it."""
    return Snapshot(table, head.sequence, head.hash, content, _hash(table, head.sequence, head.hash, content))


def is_valid(snapshot: Snapshot, reader: Reader) -> bool:
    """Return whether a snapshot is unaltered and its entry is still in the journal."""
    content = _hash(snapshot.table, snapshot.sequence, snapshot.head, snapshot.content)
    entry = next(reader.entries(snapshot.table, snapshot.sequence - 1, 1), None)
    return snapshot.hash == content and entry is not None and entry.hash == snapshot.head


def valid_snapshots(table: str, reader: Reader) -> Iterator[Snapshot]:
    """Yield a table's valid snapshots, latest first; invalid ones are skipped, since the entries suffice."""
    below = None
    with suppress(Damaged):
        while snapshot := reader.snapshot(table, below):
            if is_valid(snapshot, reader):
                yield snapshot
            below = snapshot.sequence


def _hash(table: str, sequence: int, head: bytes, content: bytes) -> bytes:
    return sha256(netstrings("pitbook snapshot 1", (table, sequence, head, content))).digest()
