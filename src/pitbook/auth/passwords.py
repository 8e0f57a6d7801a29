"""Password rules, and hashing with argon2id."""

from __future__ import annotations

import secrets
import unicodedata
from base64 import b64encode
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from argon2 import Parameters, PasswordHasher, extract_parameters
from argon2.exceptions import HashingError, InvalidHashError, VerificationError, VerifyMismatchError
from argon2.profiles import RFC_9106_LOW_MEMORY

from pitbook.auth.errors import Unavailable
from pitbook.messages import compose

if TYPE_CHECKING:
    from pitbook.messages import Message

LENGTH_MIN = 10
LENGTH_MAX = 1024
DIFFERENT_MIN = 5
BESIDE_NAME_MIN = 6
"""The minimum length without the person's name."""

PUBLISHED = "demo house, no secrets"
"""The public password of demo accounts, which nobody else may choose."""


def password_weakness(password: str, name: str) -> Message | None:
    """Return why a password is refused, in one sentence, or None if it is acceptable.

    >>> str(password_weakness("seven out", "ann"))
    'a password needs at least 10 characters; this one has 9'
    """
    if len(password) < LENGTH_MIN:
        return compose("errors.auth.weak.short", least=LENGTH_MIN, given=len(password))
    if len(password) > LENGTH_MAX:
        return compose("errors.auth.weak.long", most=LENGTH_MAX, given=len(password))
    plain = _normalised(password).casefold()
    if plain.strip() == PUBLISHED:
        return compose("errors.auth.weak.published")
    if plain.strip() in _common_passwords():
        return compose("errors.auth.weak.common")
    if len(set(plain)) < DIFFERENT_MIN:
        return compose("errors.auth.weak.repeated", least=DIFFERENT_MIN)
    for word in (_normalised(name).casefold().strip(), "pitbook"):
        if word and word in plain and len(plain.replace(word, "")) < BESIDE_NAME_MIN:
            return compose(f"errors.auth.weak.{'our-name' if word == 'pitbook' else 'own-name'}")
    return None


PIN_DIGITS = range(6, 13)


def pin_weakness(pin: str) -> Message | None:
    """Return why a PIN is refused, in one sentence, or None if it is acceptable.

    >>> str(pin_weakness("123456")), pin_weakness("480263")
    ('a PIN must not be a run of digits like 123456; choose another', None)
    """
    if not (pin.isascii() and pin.isdigit() and len(pin) in PIN_DIGITS):
        return compose("errors.auth.weak.pin-digits", least=PIN_DIGITS.start, most=PIN_DIGITS.stop - 1)
    if len({(int(b) - int(a)) % 10 for a, b in pairwise(pin)}) == 1:
        return compose("errors.auth.weak.pin-run", pin=pin)
    return None


@dataclass(frozen=True, slots=True)
class Verified:
    """Whether a password matches, and a new hash to store if the old one has weaker parameters."""

    matches: bool
    new_hash: str | None = field(default=None, repr=False)


class Passwords:
    """Hashing with argon2id, by default with 64 MiB (RFC 9106, second choice) and limited concurrency."""

    def __init__(self, parameters: Parameters = RFC_9106_LOW_MEMORY, *, at_once: int = 4) -> None:
        self._hasher = PasswordHasher.from_parameters(parameters)
        self._slots = BoundedSemaphore(at_once)
        self._dummy_hash = _random_hash(parameters)

    def hash_password(self, password: str) -> str:
        """Return the hash to store for a password."""
        if len(password) > LENGTH_MAX:
            raise ValueError(f"a password of {len(password)} characters is too long; ask password_weakness first")
        try:
            with self._slots:
                return self._hasher.hash(_bytes(password))
        except HashingError as error:
            raise Unavailable(f"passwords cannot be checked now: {error}") from None

    def verify(self, password: str, stored_hash: str | None) -> Verified:
        """Compare a password with the stored hash; without one it takes as long, to hide which people exist."""
        if len(password) > LENGTH_MAX:
            return Verified(matches=False)
        try:
            extract_parameters(stored_hash or self._dummy_hash)
            with self._slots:
                self._hasher.verify(stored_hash or self._dummy_hash, _bytes(password))
        except (VerifyMismatchError, InvalidHashError):
            return Verified(matches=False)
        except VerificationError as error:
            raise Unavailable(f"passwords cannot be checked now: {error}") from None
        if not stored_hash:
            return Verified(matches=False)
        return Verified(
            matches=True,
            new_hash=self.hash_password(password) if self._hasher.check_needs_rehash(stored_hash) else None,
        )


def _random_hash(parameters: Parameters) -> str:
    """Return a random hash with these parameters that matches no password."""
    salt, made = (
        b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (parameters.salt_len, parameters.hash_len)
    )
    costs = f"m={parameters.memory_cost},t={parameters.time_cost},p={parameters.parallelism}"
    return f"$argon2{parameters.type.name.lower()}$v={parameters.version}${costs}${salt}${made}"


@lru_cache
def _common_passwords() -> frozenset[str]:
    return frozenset((files("pitbook.auth") / "worst_passwords.txt").read_text(encoding="utf-8").split())


def _normalised(text: str) -> str:
    """Normalise a text, so that different ways to type an accent are equal."""
    return unicodedata.normalize("NFKC", text)


def _bytes(password: str) -> bytes:
    return _normalised(password).encode("utf-8", "surrogatepass")
