"""The hash chain: the bytes of an entry, written from the format's description alone."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from pitbook.audit.errors import CheckFailed, ensure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.audit.source import Entry

GENESIS = bytes(32)
"""The hash before the first entry."""

CORRECTS_TIME = ("ClockAccepted", "ClockCorrected")
"""The only kinds of entries that may be earlier than the previous one."""


def encode_fields(title: bytes, fields: Iterable[str | int | bytes | None]) -> bytes:
    """Return a title line, then each field as its length, a colon, its bytes and a comma; a dash for none."""
    return title + b"\n" + b"".join(map(_encode_field, fields))


@lru_cache(maxsize=1 << 16)
def _encode_field(field: str | int | bytes | None) -> bytes:
    """Return one field, cached because names are repeated."""
    if field is None:
        return b"-,"
    data = field if isinstance(field, bytes) else str(field).encode()
    return b"%d:%b," % (len(data), data)


def entry_hash(entry: Entry) -> bytes:
    """Return the hash that an entry must have, over every stored field with its transfers and postings."""
    fields: list[str | int | bytes | None] = [*entry.columns[:13], len(entry.transfers)]
    for why, legs in entry.transfers:
        fields += (why, len(legs))
        for leg in legs:
            fields += leg
    return sha256(encode_fields(b"pitbook entry 1", fields)).digest()


def check_link(entry: Entry, sequence: int, before: bytes) -> None:
    """Check that an entry is the next one, follows the previous one, and has its hash."""
    _, number, *_, follows, hashed = entry.columns
    if number != sequence:
        raise CheckFailed("entry-missing", about="missing", sequence=sequence, number=number)
    ensure(follows == before, "not-linked", "link")
    ensure(hashed == entry_hash(entry), "other-hash", "hash")


def snapshot_hash(table: str, sequence: int, head: bytes, content: bytes) -> bytes:
    """Return the hash that a snapshot must have."""
    return sha256(encode_fields(b"pitbook snapshot 1", (table, sequence, head, content))).digest()
