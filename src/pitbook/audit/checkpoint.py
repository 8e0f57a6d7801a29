"""Signed checkpoints: the length and last hash of every record, as someone else has kept them."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pitbook.audit import ed25519
from pitbook.audit.chain import encode_fields
from pitbook.audit.details import detail
from pitbook.audit.errors import CheckFailed, Unreadable
from pitbook.audit.report import Rewritten

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from pitbook.audit.details import Detail

ED25519_KEY = bytes.fromhex("302a300506032b6570032100")
"""The prefix of the 32 bytes of a public key in its file (RFC 8410)."""

Signature = Literal["right", "wrong", "by another key", "not checked"]
_SIGNATURES: dict[Signature, str] = {
    "right": "signature-right",
    "wrong": "signature-wrong",
    "by another key": "signature-other-key",
    "not checked": "signature-not-checked",
}


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The heads of all tables at one time."""

    at: str
    heads: dict[str, tuple[int, bytes]]
    """By table: the number of entries, and the hash of the last."""
    signer: str
    signature: Signature
    key: str | None = None
    """The id of the key that verified it."""
    running: bool = False
    """Whether it is the one that the server writes beside the journal."""

    @property
    def entries(self) -> int:
        """The number of entries that it covers."""
        return sum(count for count, _ in self.heads.values())

    @property
    def fault(self) -> Detail | None:
        """The error in the checkpoint itself; None if it is genuine or cannot be verified."""
        if self.signature == "by another key":
            return detail("checkpoint-key", at=self.at, signer=self.signer, key=self.key)
        if self.signature == "wrong":
            return detail("checkpoint-signature", at=self.at, signer=self.signer)
        return None

    @property
    def detail(self) -> Detail:
        """What it covers, and whether its signature is right."""
        counts = {"entries": self.entries, "sequences": len(self.heads)}
        text = detail(_SIGNATURES[self.signature])
        found = detail("checkpoint", at=self.at, **counts, signer=self.signer, signature=text)
        return detail("checkpoint-running", checkpoint=found) if self.running else found


class Signatures:
    """The signed heads of one record, checked while it is read."""

    def __init__(self, checkpoints: Iterable[Checkpoint], table: str) -> None:
        self._due: dict[int, list[tuple[str, bytes]]] = {}
        for one in checkpoints:
            if table in one.heads:
                count, head = one.heads[table]
                self._due.setdefault(count, []).append((one.at, head))
        self._held: tuple[int, str | None] = (0, None)
        self.rewritten: Rewritten | None = None
        """The entries between which the record was changed; None if all checkpoints match."""

    def check(self, sequence: int, head: bytes) -> None:
        """Raise an error if another hash was signed for an entry."""
        due = self._due.get(sequence, ())
        for at, signed in due:
            if signed != head:
                held, before = self._held
                self.rewritten = Rewritten(held + 1, sequence, before, at)
                raise CheckFailed("not-the-signed", about="signed", at=at, part=self.rewritten.detail)
        if due:
            self._held = sequence, due[-1][0]

    def truncation(self, sequence: int) -> Detail | None:
        """Return what is wrong with a record that ends after so many entries."""
        count = max(self._due, default=0)
        if sequence >= count:
            return None
        return detail("cut-off", count=count, missing=count - sequence, first=sequence + 1)


def read_checkpoint(path: str | PathLike[str], key: str | PathLike[str] | None) -> Checkpoint:
    """Return the checkpoint of a file, its signature verified if the public key is given."""
    try:
        data: dict[str, Any] = json.loads(Path(path).read_bytes())
        tables = [(one["table"], int(one["count"]), str(one["head"])) for one in data["tables"]]
        heads = {table: (count, bytes.fromhex(head)) for table, count, head in tables}
        at, signer, signature = str(data["at"]), str(data["signer"]), bytes.fromhex(data["signature"])
    except OSError as error:
        raise Unreadable("unreadable-file", file=path, reason=error.strerror) from None
    except (ValueError, KeyError, TypeError) as error:
        raise Unreadable("unreadable-checkpoint", file=path, reason=error) from None
    if key is None:
        return Checkpoint(at, heads, signer, "not checked")
    public = read_public_key(key)
    parts = [part for one in tables for part in one]
    message = encode_fields(b"pitbook checkpoint 1", (at, signer, len(tables), *parts))
    given = sha256(public).hexdigest()[:16]
    if given != signer:
        return Checkpoint(at, heads, signer, "by another key", given)
    right = len(heads) == len(tables) and ed25519.verify(public, message, signature)
    return Checkpoint(at, heads, signer, "right" if right else "wrong", given)


def running_checkpoint(database: str, keys: Iterable[str | PathLike[str]]) -> Checkpoint | None:
    """Return the checkpoint that the server writes beside a journal's file, or None.

    Its signature is verified with the one of these public keys that it names.
    """
    path = Path(database + "-checkpoint")
    if not path.is_file():
        return None
    found = read_checkpoint(path, None)
    for key in keys:
        if sha256(read_public_key(key)).hexdigest()[:16] == found.signer:
            found = read_checkpoint(path, key)
    return replace(found, running=True)


def read_public_key(path: str | PathLike[str]) -> bytes:
    """Return the 32 bytes of the public key in a PEM file."""
    try:
        lines = Path(path).read_text(encoding="ascii").splitlines()
        content = base64.b64decode("".join(line for line in lines if not line.startswith("-----")), validate=True)
    except OSError as error:
        raise Unreadable("unreadable-file", file=path, reason=error.strerror) from None
    except ValueError:
        raise Unreadable("unreadable-key", file=path) from None
    if not content.startswith(ED25519_KEY) or len(content) != len(ED25519_KEY) + 32:
        raise Unreadable("unreadable-key-kind", file=path)
    return content[len(ED25519_KEY) :]
