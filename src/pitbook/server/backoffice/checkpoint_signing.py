"""Sign checkpoints of the journal in a separate process, after checking the hash chain."""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives import serialization

from pitbook.house.stores import opened
from pitbook.journal.checkpoints import from_json, write
from pitbook.journal.keys import key_id, read_key, read_or_create_key


def sign(place: str, key: str, at: str, since: bytes | None) -> bytes:
    """Return a checkpoint of all tables; only entries after an earlier one of ours are verified again."""
    signer = read_or_create_key(Path(key))
    with opened(place) as store:
        return write(store, signer, at, from_json(since) if since else None).to_json()


def public_key(path: Path) -> tuple[str, str] | None:
    """Return the id and the public part (PEM) of the key, or None if there is none yet."""
    if not path.exists():
        return None
    public = read_key(path).public_key()
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return key_id(public), pem.decode("ascii")
