"""The hash chain: the only place that serialises what is hashed and signed."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from pitbook.journal.entries import GENESIS, Entry
from pitbook.journal.errors import Broken
from pitbook.journal.port import Head

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.journal.decisions import Event


def netstrings(title: str, fields: Iterable[str | int | bytes | None]) -> bytes:
    """Return an unambiguous encoding: a title line, then each field prefixed with its length.

    >>> netstrings("example 1", ["ann", 12, b"", None])
    b'example 1\\n3:ann,2:12,0:,-,'
    """
    parts = [title.encode(), b"\n"]
    for field in fields:
        if field is None:
            parts.append(b"-,")
            continue
        data = field if isinstance(field, bytes) else str(field).encode()
        parts += (b"%d:" % len(data), data, b",")
    return b"".join(parts)


def hashed_bytes(entry: Entry) -> bytes:
    """Return the bytes that an entry's hash covers: every field but the hash itself, in a fixed order.

    Equivalent to `netstrings` of the fields, but unrolled: building these bytes is most of the cost of hashing.
    """
    table, kind, actor, role = entry.table.encode(), entry.kind.encode(), entry.actor.encode(), entry.role.encode()
    at, attachment, key, tag = entry.at.encode(), entry.attachment.encode(), entry.key, entry.tag
    sequence, number = b"%d" % entry.sequence, b"%d" % len(entry.transfers)
    parts = [
        b"pitbook entry 1\n%d:%b,%d:%b,%d:%b,%d:%b,%d:%b,%d:%b,%d:%b,%b%b%b%d:%b,%b%d:%b,%d:%b,"
        % (
            *(len(table), table, len(sequence), sequence, len(kind), kind, len(entry.body), entry.body),
            *(len(actor), actor, len(role), role, len(at), at),
            *(_netstring(None if key is None else key.encode()), _netstring(entry.request), _netstring(entry.answer)),
            *(len(attachment), attachment, _netstring(None if tag is None else b"%d" % tag)),
            *(len(entry.before), entry.before, len(number), number),
        )
    ]
    for transfer in entry.transfers:
        why, number = transfer.why.encode(), b"%d" % len(transfer.legs)
        parts.append(b"%d:%b,%d:%b," % (len(why), why, len(number), number))
        for leg in transfer.legs:
            account, amount = leg.account.encode(), b"%d" % leg.amount
            parts.append(b"%d:%b,%d:%b," % (len(account), account, len(amount), amount))
    return b"".join(parts)


def _netstring(data: bytes | None) -> bytes:
    return b"-," if data is None else b"%d:%b," % (len(data), data)


def entry_hash(entry: Entry) -> bytes:
    """Return the hash that an entry must have."""
    return sha256(hashed_bytes(entry)).digest()


def link(
    head: Head,
    table: str,
    event: Event,
    *,
    actor: str,
    role: str,
    at: str,
    key: str | None = None,
    request: bytes | None = None,
    answer: bytes | None = None,
    attachment: str = "",
) -> Entry:
    """Build the entry that follows a table's head."""
    reasons = [moved.why for moved in event.transfers]
    if "\0" in "".join((table, event.kind, actor, role, at, key or "", attachment, *reasons)):
        raise ValueError("a text with a zero character cannot be stored")
    fields = (
        *(table, head.sequence + 1, event.kind, event.body, actor, role, at, key, request, answer),
        *(attachment, event.tag, event.transfers, head.hash),
    )
    return Entry(*fields, entry_hash(Entry(*fields, b"")))


def verify(entries: Iterable[Entry], table: str, head: Head | None = None) -> Head:
    """Verify consecutive entries of a table after a head (default: from the first) and return the new head.

    Raise `Broken` at the first wrong entry. Only a checkpoint can reveal that entries are missing at the end.
    """
    head = head or Head(0, GENESIS)
    for entry in entries:
        expected = head.sequence + 1
        if entry.table != table:
            raise Broken(table, expected, "other-table", table=repr(entry.table))
        if entry.sequence != expected:
            raise Broken(table, expected, "other-entry", entry=entry.sequence)
        if entry.before != head.hash:
            raise Broken(table, expected, "link")
        if entry.hash != entry_hash(entry):
            raise Broken(table, expected, "hash")
        head = Head(entry.sequence, entry.hash)
    return head
