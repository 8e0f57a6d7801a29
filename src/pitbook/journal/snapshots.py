"""Snapshots of states: a restart reads the last one and replays only what came after it."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from pitbook.journal.chain import netstrings
from pitbook.journal.errors import Damaged
from pitbook.journal.port import Head, Reading, Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator


def take(table: str, head: Head, content: bytes) -> Snapshot:
    """A snapshot of the state after a head, with a hash over all of it."""
    return Snapshot(table, head.sequence, head.hash, content, _hash(table, head.sequence, head.hash, content))


def sound(snapshot: Snapshot, reading: Reading) -> bool:
    """Whether it is as it was taken, and of an entry that is still in the journal."""
    content = _hash(snapshot.table, snapshot.sequence, snapshot.head, snapshot.content)
    entry = next(reading.entries(snapshot.table, snapshot.sequence - 1, 1), None)
    return snapshot.hash == content and entry is not None and entry.hash == snapshot.head


def usable(table: str, reading: Reading) -> Iterator[Snapshot]:
    """A table's sound snapshots, the latest first. An unsound one is passed over: the entries say it all."""
    below = None
    with suppress(Damaged):
        while snapshot := reading.snapshot(table, below):
            if sound(snapshot, reading):
                yield snapshot
            below = snapshot.sequence


def _hash(table: str, sequence: int, head: bytes, content: bytes) -> bytes:
    return sha256(netstrings("pitbook snapshot 1", (table, sequence, head, content))).digest()
