"""Passwords: which are refused, and argon2id for the others."""

from __future__ import annotations

import secrets
import unicodedata
from base64 import b64encode
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from threading import BoundedSemaphore

from argon2 import Parameters, PasswordHasher, extract_parameters
from argon2.exceptions import HashingError, InvalidHashError, VerificationError, VerifyMismatchError
from argon2.profiles import RFC_9106_LOW_MEMORY

from pitbook.auth.errors import Unavailable

LENGTH_MIN = 10
LENGTH_MAX = 1024
DIFFERENT_MIN = 5
BESIDE_NAME_MIN = 6
"""How many characters must be left when the person's name is taken out."""


PUBLISHED = "demo house, no secrets"
"""The password of demo accounts, which everybody can read; nobody else may choose it."""


def why_weak(password: str, name: str) -> str | None:
    """Why a password is refused, in one sentence; none if it will do.

    >>> why_weak("seven out", "ann")
    'a password has at least 10 characters; this one has 9'
    """
    if len(password) < LENGTH_MIN:
        return f"a password has at least {LENGTH_MIN} characters; this one has {len(password)}"
    if len(password) > LENGTH_MAX:
        return f"a password has at most {LENGTH_MAX} characters; this one has {len(password)}"
    plain = _normal(password).casefold()
    if plain.strip() == PUBLISHED:
        return "this is the published password of demo houses; choose another"
    if plain.strip() in _worst():
        return "this password is among the first that anybody would try; choose another"
    if len(set(plain)) < DIFFERENT_MIN:
        return f"a password has at least {DIFFERENT_MIN} different characters"
    for word in (_normal(name).casefold().strip(), "pitbook"):
        if word and word in plain and len(plain.replace(word, "")) < BESIDE_NAME_MIN:
            return f"this password is little more than {'your' if word != 'pitbook' else 'our'} name; choose another"
    return None


PIN_DIGITS = range(6, 13)


def why_weak_pin(pin: str) -> str | None:
    """Return why a PIN is refused, in one sentence; None if it will do.

    >>> why_weak_pin("123456"), why_weak_pin("480263")
    ('a PIN is not a run of digits like 123456; choose another', None)
    """
    if not (pin.isascii() and pin.isdigit() and len(pin) in PIN_DIGITS):
        return f"a PIN has {PIN_DIGITS.start} to {PIN_DIGITS.stop - 1} digits and nothing else"
    if len({(int(b) - int(a)) % 10 for a, b in pairwise(pin)}) == 1:
        return f"a PIN is not a run of digits like {pin}; choose another"
    return None


@dataclass(frozen=True, slots=True)
class Verified:
    """Whether a password was right; and a new hash to keep where the old one was made with weaker parameters."""

    right: bool
    rehashed: str | None = field(default=None, repr=False)


class Passwords:
    """argon2id, by default with 64 MiB (RFC 9106, second choice), and a few at once so that memory suffices."""

    def __init__(self, parameters: Parameters = RFC_9106_LOW_MEMORY, *, at_once: int = 4) -> None:
        self._hasher = PasswordHasher.from_parameters(parameters)
        self._places = BoundedSemaphore(at_once)
        self._nobody = _no_hash(parameters)

    def hash_password(self, password: str) -> str:
        """What is kept of a password."""
        if len(password) > LENGTH_MAX:
            raise ValueError(f"a password of {len(password)} characters is too long; ask why_weak first")
        try:
            with self._places:
                return self._hasher.hash(_bytes(password))
        except HashingError as error:
            raise Unavailable(f"passwords cannot be checked now: {error}") from None

    def verify(self, password: str, kept: str | None) -> Verified:
        """Compare with what is kept. Where nothing is, it takes as long: nobody learns which people there are."""
        if len(password) > LENGTH_MAX:
            return Verified(right=False)
        try:
            extract_parameters(kept or self._nobody)
            with self._places:
                self._hasher.verify(kept or self._nobody, _bytes(password))
        except (VerifyMismatchError, InvalidHashError):
            return Verified(right=False)
        except VerificationError as error:
            raise Unavailable(f"passwords cannot be checked now: {error}") from None
        if not kept:
            return Verified(right=False)
        return Verified(
            right=True, rehashed=self.hash_password(password) if self._hasher.check_needs_rehash(kept) else None
        )


def _no_hash(parameters: Parameters) -> str:
    """What compares like a hash with these parameters, and is that of no password: chance made it, no hashing."""
    salt, made = (
        b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (parameters.salt_len, parameters.hash_len)
    )
    costs = f"m={parameters.memory_cost},t={parameters.time_cost},p={parameters.parallelism}"
    return f"$argon2{parameters.type.name.lower()}$v={parameters.version}${costs}${salt}${made}"


@lru_cache
def _worst() -> frozenset[str]:
    return frozenset((files("pitbook.auth") / "worst_passwords.txt").read_text(encoding="utf-8").split())


def _normal(text: str) -> str:
    """The same whichever way a keyboard makes its accents."""
    return unicodedata.normalize("NFKC", text)


def _bytes(password: str) -> bytes:
    return _normal(password).encode("utf-8", "surrogatepass")
