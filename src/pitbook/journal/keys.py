"""Signing keys, stored in files outside the database that only the owner can read."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pitbook.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def create_key(path: Path) -> Ed25519PrivateKey:
    """Create a key file (mode 0600) and, beside it, its public half (.pub) for auditors."""
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secret)
        os.link(unfinished, path)  # atomic: a concurrent process reads a complete key or none
    except FileExistsError:
        raise InputError("journal.key-exists", file=path) from None
    except OSError as error:
        raise InputError("journal.key-not-written", file=path, reason=error.strerror) from error
    finally:
        unfinished.unlink(missing_ok=True)
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    path.with_name(path.name + ".pub").write_bytes(public)
    return key


def read_key(path: Path) -> Ed25519PrivateKey:
    """Read a private key; refuse a file that others can read."""
    try:
        mode = path.stat().st_mode & 0o077
        content = path.read_bytes()
    except OSError as error:
        raise InputError("journal.key-not-read", file=path, reason=error.strerror) from error
    try:
        key = serialization.load_pem_private_key(content, password=None)
    except (ValueError, TypeError) as error:
        raise InputError("journal.no-private-key", file=path) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError("journal.not-ed25519", file=path)
    if mode:
        raise InputError("journal.key-readable", file=path)
    return key


def read_or_create_key(path: Path) -> Ed25519PrivateKey:
    """Read a private key; create it, with its folder, if it does not exist."""
    if path.exists():
        return read_key(path)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError("journal.key-folder", reason=error.strerror) from None
    try:
        return create_key(path)
    except InputError:
        if not path.exists():
            raise
    return read_key(path)  # another process created it first


def read_public_key(path: Path) -> Ed25519PublicKey:
    """Read a public key."""
    try:
        key = serialization.load_pem_public_key(path.read_bytes())
    except OSError as error:
        raise InputError("journal.key-not-read", file=path, reason=error.strerror) from error
    except ValueError as error:
        raise InputError("journal.no-public-key", file=path) from error
    if not isinstance(key, Ed25519PublicKey):
        raise InputError("journal.not-ed25519", file=path)
    return key


def key_id(public: Ed25519PublicKey) -> str:
    """Return the short id of a key."""
    raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return sha256(raw).hexdigest()[:16]
