"""Random secrets, the hashes that are stored instead of them, and text that any database can store."""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256

LABEL_MAX = 200


def new_secret() -> str:
    """Return 256 random bits as text for cookies and URLs."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """Return a random id that is not secret."""
    return secrets.token_hex(8)


def digest(secret: str) -> bytes:
    """Return the hash to store for a secret; with 256 random bits, one round of SHA-256 suffices."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def derive(secret: str, purpose: str) -> str:
    """Derive a second secret, from which the first cannot be computed."""
    return hmac.new(secret.encode("utf-8", "surrogatepass"), purpose.encode(), "sha256").hexdigest()


def same_hash(one: bytes, other: bytes) -> bool:
    """Compare two hashes in constant time."""
    return hmac.compare_digest(one, other)


def is_storable(text: str) -> bool:
    """Return whether both databases can store a text: no NUL, no lone surrogate.

    >>> is_storable("ann"), is_storable("a\\0b"), is_storable("\\ud800")
    (True, False, False)
    """
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def clean_label(text: str) -> str:
    """Shorten a client-supplied text and remove what is not printable.

    >>> clean_label("Firefox\\n\\0 140")
    'Firefox 140'
    """
    return "".join(character for character in text[:LABEL_MAX] if character.isprintable())
