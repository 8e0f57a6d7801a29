"""Signed checkpoints: how long every record was and what its last hash was, as somebody else has kept it."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitbook.audit import ed25519
from pitbook.audit.chain import written
from pitbook.audit.faults import Unreadable

if TYPE_CHECKING:
    from os import PathLike

ED25519_KEY = bytes.fromhex("302a300506032b6570032100")
"""What stands before the 32 bytes of a public key in its file (RFC 8410)."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where every table stood at one moment."""

    at: str
    heads: dict[str, tuple[int, bytes]]
    """By table: the number of entries, and the hash of the last."""
    signer: str
    verified: bool | None
    """Whether the signature is right; None without a key to check it with."""

    def __str__(self) -> str:
        entries = sum(count for count, _ in self.heads.values())
        signature = "signature right" if self.verified else "signature not checked (name the public key)"
        tables = len(self.heads)
        return f"{self.at}: {entries:,} entries of {tables:,} sequences still there; key {self.signer}, {signature}"


def read_checkpoint(path: str | PathLike[str], key: str | PathLike[str] | None) -> Checkpoint:
    """A checkpoint's file, its signature checked where the public key is given."""
    try:
        data: dict[str, Any] = json.loads(Path(path).read_bytes())
        tables = [(one["table"], int(one["count"]), str(one["head"])) for one in data["tables"]]
        heads = {table: (count, bytes.fromhex(head)) for table, count, head in tables}
        at, signer, signature = str(data["at"]), str(data["signer"]), bytes.fromhex(data["signature"])
    except OSError as error:
        raise Unreadable(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise Unreadable(f"{path} is no checkpoint: {error}") from None
    if key is None:
        return Checkpoint(at, heads, signer, None)
    public = read_public_key(key)
    parts = [part for one in tables for part in one]
    message = written(b"pitbook checkpoint 1", (at, signer, len(tables), *parts))
    mine = sha256(public).hexdigest()[:16] == signer and len(heads) == len(tables)
    return Checkpoint(at, heads, signer, mine and ed25519.verify(public, message, signature))


def read_public_key(path: str | PathLike[str]) -> bytes:
    """The 32 bytes of the public key in a PEM file."""
    try:
        lines = Path(path).read_text(encoding="ascii").splitlines()
        content = base64.b64decode("".join(line for line in lines if not line.startswith("-----")), validate=True)
    except OSError as error:
        raise Unreadable(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise Unreadable(f"{path} holds no public key") from None
    if not content.startswith(ED25519_KEY) or len(content) != len(ED25519_KEY) + 32:
        raise Unreadable(f"{path} holds no public key for Ed25519")
    return content[len(ED25519_KEY) :]
