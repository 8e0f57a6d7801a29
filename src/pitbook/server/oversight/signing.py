"""Signed checkpoints of this house's journal, each made in a process of its own: the chain is checked first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization

from pitbook.house.stores import opened
from pitbook.journal.checkpoints import from_json, write
from pitbook.journal.keys import key_id, make_key, read_key
from pitbook.mistakes import Mistake

if TYPE_CHECKING:
    from pitbook.server.office.errands import Tell


def sign(_tell: Tell, place: str, key: str, at: str, since: bytes | None) -> bytes:
    """A checkpoint of where all tables stand; only what came after an earlier one of ours is checked again."""
    path = Path(key)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Mistake(f"cannot make the folder for the signing key: {error.strerror}") from None
    signer = read_key(path) if path.exists() else make_key(path)
    with opened(place) as store:
        return write(store, signer, at, from_json(since) if since else None).to_json()


def public_key(path: Path) -> tuple[str, str] | None:
    """The id and the public half (PEM) of the key; None where none has been made yet."""
    if not path.exists():
        return None
    public = read_key(path).public_key()
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return key_id(public), pem.decode("ascii")
