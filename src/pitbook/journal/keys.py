"""Keys to sign with: a file outside of the database, for its owner's eyes only."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pitbook.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def make_key(path: Path) -> Ed25519PrivateKey:
    """A new key in a new file (mode 0600), its public half beside it (.pub), to be given to auditors."""
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secret)
        os.link(unfinished, path)  # at once: another process that starts now reads a whole key, or makes none
    except FileExistsError:
        raise InputError(f"there is a key {path} already") from None
    except OSError as error:
        raise InputError(f"cannot write the key {path}: {error.strerror}") from error
    finally:
        unfinished.unlink(missing_ok=True)
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    path.with_name(path.name + ".pub").write_bytes(public)
    return key


def read_key(path: Path) -> Ed25519PrivateKey:
    """The key in a file that nobody else may read."""
    try:
        mode = path.stat().st_mode & 0o077
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the key {path}: {error.strerror}") from error
    try:
        key = serialization.load_pem_private_key(content, password=None)
    except (ValueError, TypeError) as error:
        raise InputError(f"{path} holds no key to sign with; name the private key, not its .pub") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError(f"{path} holds a key, but none for Ed25519")
    if mode:
        raise InputError(f"others may read the key {path}; make it yours alone with chmod 600")
    return key


def read_or_make_key(path: Path) -> Ed25519PrivateKey:
    """The key in a file; a new one where there is none, with its folder."""
    if path.exists():
        return read_key(path)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder for the signing key: {error.strerror}") from None
    try:
        return make_key(path)
    except InputError:
        if not path.exists():
            raise
    return read_key(path)  # another process was quicker


def read_public_key(path: Path) -> Ed25519PublicKey:
    """The public half, to check signatures with."""
    try:
        key = serialization.load_pem_public_key(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot read the key {path}: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{path} holds no public key") from error
    if not isinstance(key, Ed25519PublicKey):
        raise InputError(f"{path} holds a key, but none for Ed25519")
    return key


def key_id(public: Ed25519PublicKey) -> str:
    """A key's short name."""
    raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return sha256(raw).hexdigest()[:16]
