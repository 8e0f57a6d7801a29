"""Random secrets, the hashes that are stored instead of them, and text that any database can store."""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256

LABEL_MAX = 200


def new_secret() -> str:
    """256 random bits, fit for cookies and addresses."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """A short name that may be shown."""
    return secrets.token_hex(8)


def digest(secret: str) -> bytes:
    """What is kept of a secret. It has 256 random bits, so that one round of SHA-256 hides it."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def derived(secret: str, purpose: str) -> str:
    """A second secret that follows from the first, and from which the first does not."""
    return hmac.new(secret.encode("utf-8", "surrogatepass"), purpose.encode(), "sha256").hexdigest()


def same(one: bytes, other: bytes) -> bool:
    """Whether two hashes agree, in a time that does not tell where they differ."""
    return hmac.compare_digest(one, other)


def storable(text: str) -> bool:
    """Whether both databases can keep a text: no NUL, no half of a character.

    >>> storable("ann"), storable("a\\0b"), storable("\\ud800")
    (True, False, False)
    """
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def label(text: str) -> str:
    """What a browser says of itself, made harmless: printable and short.

    >>> label("Firefox\\n\\0 140")
    'Firefox 140'
    """
    return "".join(character for character in text[:LABEL_MAX] if character.isprintable())
