"""Signed checkpoints: how long every table's record is and what its last hash is, for others to keep.

Whoever holds one sees a record that was cut, rewritten or hashed anew: it does not lead to the head that was signed.
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


class Standing(msgspec.Struct, frozen=True):
    """How far a table's record had come."""

    table: str
    count: int
    head: str
    """The hash of its last entry, in hexadecimal."""


class Checkpoint(msgspec.Struct, frozen=True):
    """All tables at one moment, signed."""

    at: str
    tables: tuple[Standing, ...]
    signer: str
    """The id of the key: the beginning of the SHA-256 of its public half."""
    signature: str = ""

    def signed_bytes(self) -> bytes:
        """What the signature is made over."""
        parts = [part for one in self.tables for part in (one.table, one.count, one.head)]
        return chain.netstrings("pitbook checkpoint 1", (self.at, self.signer, len(self.tables), *parts))

    def heads(self) -> dict[str, Head]:
        """Where every table stood."""
        return {one.table: Head(one.count, bytes.fromhex(one.head)) for one in self.tables}

    def to_json(self) -> bytes:
        """As it is handed out."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"


def from_json(content: bytes) -> Checkpoint:
    """A checkpoint as it was handed out."""
    try:
        return msgspec.json.decode(content, type=Checkpoint)
    except msgspec.DecodeError as error:
        raise InputError(f"this is no checkpoint: {error}") from error


def write(store: Store, key: Ed25519PrivateKey, at: str, since: Checkpoint | None = None) -> Checkpoint:
    """Sign where the tables stand, after a look at the chain: all of it, or what came after an earlier checkpoint."""
    heads = store.heads()
    _lead_to(store, since.heads() if since else {}, heads)
    return sign(heads, key, at)


def sign(heads: Mapping[str, Head], key: Ed25519PrivateKey, at: str) -> Checkpoint:
    """Sign where tables stand, without a look at any record."""
    standings = tuple(Standing(table, head.sequence, head.hash.hex()) for table, head in sorted(heads.items()))
    bare = Checkpoint(at, standings, key_id(key.public_key()))
    return msgspec.structs.replace(bare, signature=key.sign(bare.signed_bytes()).hex())


def verify_signature(checkpoint: Checkpoint, public: Ed25519PublicKey) -> None:
    """Whether the key's owner signed exactly this; `InputError` if not."""
    if checkpoint.signer != key_id(public):
        raise InputError(f"the checkpoint was signed by key {checkpoint.signer}, not by {key_id(public)}")
    try:
        public.verify(bytes.fromhex(checkpoint.signature), checkpoint.signed_bytes())
    except (InvalidSignature, ValueError) as error:
        raise InputError("the checkpoint's signature is wrong: it is not what was signed") from error


def verify(checkpoint: Checkpoint, store: Store, public: Ed25519PublicKey) -> dict[str, Head]:
    """Check the signature, the whole chain, and that it leads through the signed heads; where the tables stand now.

    Raises `InputError` for a checkpoint that is not genuine, `Broken` for a record that is not what was signed.
    """
    verify_signature(checkpoint, public)
    heads = store.heads()
    signed = checkpoint.heads()
    _lead_to(store, {}, signed)
    _lead_to(store, signed, heads)
    return heads


class Loss(msgspec.Struct, frozen=True):
    """A record that is not the one that was signed."""

    table: str
    signed: int
    """How many entries were signed."""
    left: int
    """How many there are."""

    def __str__(self) -> str:
        if self.left >= self.signed:
            return f"{self.table} has another entry {self.signed} than the one that was signed"
        missing = self.signed - self.left
        entries = f"entry {self.signed}" if missing == 1 else f"entries {self.left + 1} to {self.signed}"
        return f"{self.table} lacks {entries} ({missing} in all)"


def losses(store: Store, checkpoint: Checkpoint, skip: Iterable[str] = ()) -> list[Loss]:
    """The records that are shorter than what was signed, or have another last signed entry."""
    found = []
    for table, head in checkpoint.heads().items():
        if table in skip:
            continue
        there = next(store.entries(table, head.sequence - 1, 1), None)
        if there is None or there.hash != head.hash:
            found.append(Loss(table, head.sequence, store.head(table).sequence))
    return found


def _lead_to(store: Store, start: Mapping[str, Head], end: Mapping[str, Head]) -> None:
    """Check that every table's entries lead from one head to the other."""
    for table in sorted({*start, *end}):
        first, last = start.get(table, Head(0, GENESIS)), end.get(table, Head(0, GENESIS))
        if last.sequence < first.sequence:
            raise Broken(table, last.sequence + 1, f"the record was cut off here; {first.sequence} entries were signed")
        found = chain.verify(store.entries(table, first.sequence, last.sequence - first.sequence), table, first)
        if found.sequence < last.sequence:
            raise Broken(table, found.sequence + 1, f"the record ends here; {last.sequence} entries were signed")
        if found.hash != last.hash:
            raise Broken(table, last.sequence, "it is not the entry that was signed")
