"""Signed checkpoints: the length and last hash of every table's record, to be stored by third parties.

A record that was truncated, rewritten or rehashed does not lead to the signed heads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from cryptography.exceptions import InvalidSignature

from pitbook.errors import InputError
from pitbook.journal import chain
from pitbook.journal.entries import GENESIS
from pitbook.journal.errors import Broken
from pitbook.journal.keys import key_id
from pitbook.journal.port import Head

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

    from pitbook.journal.port import Store


class TableHead(msgspec.Struct, frozen=True):
    """The length and last hash of a table's record."""

    table: str
    count: int
    head: str
    """The hash of the last entry, in hexadecimal."""


class Checkpoint(msgspec.Struct, frozen=True):
    """The heads of all tables at one time, signed."""

    at: str
    tables: tuple[TableHead, ...]
    signer: str
    """The id of the key: the first 16 hexadecimal digits of the SHA-256 of its public half."""
    signature: str = ""

    def signed_bytes(self) -> bytes:
        """Return the bytes that the signature covers."""
        parts = [part for one in self.tables for part in (one.table, one.count, one.head)]
        return chain.netstrings("pitbook checkpoint 1", (self.at, self.signer, len(self.tables), *parts))

    def heads(self) -> dict[str, Head]:
        """Return the signed head of every table."""
        return {one.table: Head(one.count, bytes.fromhex(one.head)) for one in self.tables}

    def to_json(self) -> bytes:
        """Return the checkpoint as indented JSON."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"


def from_json(content: bytes) -> Checkpoint:
    """Parse a checkpoint from JSON."""
    try:
        return msgspec.json.decode(content, type=Checkpoint)
    except msgspec.DecodeError as error:
        raise InputError("journal.not-a-checkpoint", reason=error) from error


def write(store: Store, key: Ed25519PrivateKey, at: str, since: Checkpoint | None = None) -> Checkpoint:
    """Verify the chain (from an earlier checkpoint, if given) and sign the current heads."""
    heads = all_heads(store)
    _verify_between(store, since.heads() if since else {}, heads)
    return sign(heads, key, at)


def all_heads(store: Store) -> dict[str, Head]:
    """Return the heads of all tables, also of those whose record is in another file."""
    detached = {name: Head(table.count, table.head) for name, table in store.detached().items()}
    return {**detached, **store.heads()}


def sign(heads: Mapping[str, Head], key: Ed25519PrivateKey, at: str) -> Checkpoint:
    """Sign heads without verifying the records."""
    signed = tuple(TableHead(table, head.sequence, head.hash.hex()) for table, head in sorted(heads.items()))
    bare = Checkpoint(at, signed, key_id(key.public_key()))
    return msgspec.structs.replace(bare, signature=key.sign(bare.signed_bytes()).hex())


def verify_signature(checkpoint: Checkpoint, public: Ed25519PublicKey) -> None:
    """Raise `InputError` unless the owner of the key signed this checkpoint."""
    if checkpoint.signer != key_id(public):
        raise InputError("journal.other-signer", signer=checkpoint.signer, expected=key_id(public))
    try:
        public.verify(bytes.fromhex(checkpoint.signature), checkpoint.signed_bytes())
    except (InvalidSignature, ValueError) as error:
        raise InputError("journal.wrong-signature") from error


def verify(checkpoint: Checkpoint, store: Store, public: Ed25519PublicKey) -> dict[str, Head]:
    """Verify the signature and the whole chain through the signed heads, and return the current heads.

    Raise `InputError` for a forged checkpoint, `Broken` for a record that differs from the signed one.
    """
    verify_signature(checkpoint, public)
    heads = all_heads(store)
    signed = checkpoint.heads()
    _verify_between(store, {}, signed)
    _verify_between(store, signed, heads)
    return heads


class Loss(msgspec.Struct, frozen=True):
    """A record that differs from what was signed."""

    table: str
    signed: int
    """The number of signed entries."""
    left: int
    """The number of entries found."""

    def __str__(self) -> str:
        if self.left >= self.signed:
            return f"{self.table} has another entry {self.signed} than the one that was signed"
        missing = self.signed - self.left
        entries = f"entry {self.signed}" if missing == 1 else f"entries {self.left + 1} to {self.signed}"
        return f"{self.table} lacks {entries} ({missing} in all)"


def losses(store: Store, checkpoint: Checkpoint, skip: Iterable[str] = ()) -> list[Loss]:
    """Return the records that are shorter than signed, or whose last signed entry differs.

    What was signed of a detached table before its last entry can be verified only with the file that has its record.
    """
    found, detached = [], store.detached()
    for table, head in checkpoint.heads().items():
        if table in skip:
            continue
        if table in detached:
            end = detached[table]
            if end.count < head.sequence or (end.count == head.sequence and end.head != head.hash):
                found.append(Loss(table, head.sequence, end.count))
            continue
        there = next(store.entries(table, head.sequence - 1, 1), None)
        if there is None or there.hash != head.hash:
            found.append(Loss(table, head.sequence, store.head(table).sequence))
    return found


def _verify_between(store: Store, start: Mapping[str, Head], end: Mapping[str, Head]) -> None:
    """Verify that every table's entries lead from its start head to its end head.

    The entries of detached tables are in other files; here their last ones are compared.
    """
    detached = store.detached()
    for table in sorted({*start, *end}):
        first, last = start.get(table, Head(0, GENESIS)), end.get(table, Head(0, GENESIS))
        if last.sequence < first.sequence:
            raise Broken(table, last.sequence + 1, "cut-off", count=first.sequence)
        if table in detached:
            detached_head = Head(detached[table].count, detached[table].head)
            if any(
                one.sequence > detached_head.sequence
                or (one.sequence == detached_head.sequence and one != detached_head)
                for one in (first, last)
            ):
                raise Broken(table, detached_head.sequence, "detached")
            continue
        found = chain.verify(store.entries(table, first.sequence, last.sequence - first.sequence), table, first)
        if found.sequence < last.sequence:
            raise Broken(table, found.sequence + 1, "ends", count=last.sequence)
        if found.hash != last.hash:
            raise Broken(table, last.sequence, "not-signed")
