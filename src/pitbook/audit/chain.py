"""The chain of hashes: the bytes of an entry, written from the format's description alone."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from pitbook.audit.errors import CheckFailed, ensure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.audit.source import Entry

GENESIS = bytes(32)
"""What stands before the first entry."""

CORRECTS_TIME = ("ClockAccepted", "ClockCorrected")
"""The only kinds of entries that may be earlier than the entry before them."""


def written(title: bytes, fields: Iterable[str | int | bytes | None]) -> bytes:
    """A title line, then each field as its length, a colon, its bytes and a comma; a dash where there is none."""
    return title + b"\n" + b"".join(map(_part, fields))


@lru_cache(maxsize=1 << 16)
def _part(field: str | int | bytes | None) -> bytes:
    """One field. Names of accounts, persons and wagers come again and again."""
    if field is None:
        return b"-,"
    data = field if isinstance(field, bytes) else str(field).encode()
    return b"%d:%b," % (len(data), data)


def hash_of(entry: Entry) -> bytes:
    """The hash that an entry must carry: over every stored field, its transfers and postings included."""
    fields: list[str | int | bytes | None] = [*entry.columns[:13], len(entry.transfers)]
    for why, legs in entry.transfers:
        fields += (why, len(legs))
        for leg in legs:
            fields += leg
    return sha256(written(b"pitbook entry 1", fields)).digest()


def check_link(entry: Entry, sequence: int, before: bytes) -> None:
    """The entry is the next one, follows the one before it, and has its hash."""
    _, number, *_, follows, hashed = entry.columns
    if number != sequence:
        raise CheckFailed(f"entry {sequence} is missing, {number} stands in its place", about="missing")
    ensure(follows == before, "it does not follow the entry before it", "link")
    ensure(hashed == hash_of(entry), "its content does not have its hash", "hash")


def snapshot_hash(table: str, sequence: int, head: bytes, content: bytes) -> bytes:
    """The hash that a snapshot must carry."""
    return sha256(written(b"pitbook snapshot 1", (table, sequence, head, content))).digest()
