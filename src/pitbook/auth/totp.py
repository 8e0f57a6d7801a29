"""Codes of authenticator apps (RFC 6238): 6 digits, a new one every 30 seconds."""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from typing import TYPE_CHECKING

from pyotp import TOTP

if TYPE_CHECKING:
    from datetime import datetime

SECRET_BYTES = 32
WINDOW = 1
"""How many codes before and after the current one are accepted, for clocks that differ by half a minute."""
ISSUER = "Pitbook"


def new_secret() -> bytes:
    """Return a random secret for an authenticator app."""
    return secrets.token_bytes(SECRET_BYTES)


def secret_text(secret: bytes) -> str:
    """Return a secret as people type it into an app."""
    return b32encode(secret).decode().rstrip("=")


def enrolment_uri(secret: bytes, person: str) -> str:
    """Return the address that an app reads from a QR code."""
    return _totp(secret).provisioning_uri(person, ISSUER)


def matching_step(secret: bytes, code: str, now: datetime) -> int | None:
    """Return the time step of a code that is valid now, or None.

    The caller accepts each step once, so that a code that someone saw cannot be used again.
    """
    typed = "".join(code.split())
    if not typed.isascii():
        return None
    totp = _totp(secret)
    current = totp.timecode(now)
    steps = range(current - WINDOW, current + WINDOW + 1)
    return max((step for step in steps if hmac.compare_digest(totp.generate_otp(step), typed)), default=None)


def _totp(secret: bytes) -> TOTP:
    return TOTP(secret_text(secret))
