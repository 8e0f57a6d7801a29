"""From a seed to dice: what the house committed to, what the throw is made of, and which bytes become faces.

Everything here can be recomputed with the standard library of any language; docs/guides/electronic-tumbler.md tells it
in words. What is hashed never changes for a mapping version: a new way of throwing gets a new number.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAPPING = 1
"""The version of everything in this file."""
SEED_BYTES = 32
DICE_MAX = 100
"""More dice no table throws at once."""
NONCE_MAX = 64
KEPT_BELOW = 252
"""252 = 42 * 6: of the bytes below it exactly 42 become each face, and the four others are passed over."""

_HASH = re.compile(r"[0-9a-f]{64}")


class Byte(NamedTuple):
    """One byte of output, and the face that it became; none where it was passed over."""

    value: int
    face: int | None


@dataclass(frozen=True, slots=True)
class Throw:
    """What a throw is made of, besides the seed. It cannot be built of what has no one way to be written."""

    table: str
    round: int
    close: str
    """The hash of the journal entry that closed betting, in hexadecimal."""
    nonces: tuple[str, ...]
    """What players added; their order does not matter, and their names are not in it."""
    dice: int
    """How many are thrown."""
    mapping: int = MAPPING

    def __post_init__(self) -> None:
        if self.mapping != MAPPING:
            raise ValueError(f"mapping {self.mapping} is not known here; this software knows mapping {MAPPING}")
        if self.round < 1:
            raise ValueError(f"rounds are numbered from 1; {self.round} is none")
        if not 1 <= self.dice <= DICE_MAX:
            raise ValueError(f"1 to {DICE_MAX} dice are thrown at once, not {self.dice}")
        if not is_hash(self.close):
            raise ValueError("the close is not a hash: 64 digits of 0123456789abcdef")
        # Not check_nonce: which characters can be printed differs with the years, and old throws stay provable.
        for name, text in (("the table's name", self.table), *(("a nonce", nonce) for nonce in self.nonces)):
            if not _is_text(text):
                raise ValueError(f"{name} cannot be written as UTF-8")

    def message(self, block: int) -> bytes:
        """The bytes that block is the HMAC of; they can be read in one way only.

        >>> Throw("t1", 7, "0" * 64, ("b", "a"), 3).message(0)[:40]
        b'pitbook tumbler 1\\n2:t1,1:7,64:0000000000'
        """
        nonces = sorted(nonce.encode() for nonce in self.nonces)
        fields: list[str | int | bytes] = [self.table, self.round, self.close, len(nonces), *nonces, self.dice, block]
        return _netstrings(f"pitbook tumbler {self.mapping}", fields)

    def blocks(self, seed: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Each message and its HMAC-SHA256 with the seed as the key, one after the other without end."""
        _check_seed(seed)
        for block in count():
            message = self.message(block)
            yield message, hmac.digest(seed, message, "sha256")


def throw(
    seed: bytes,
    *,
    table: str,
    round: int,  # noqa: A002
    close: str,
    nonces: Sequence[str],
    dice: int,
    mapping: int = MAPPING,
) -> tuple[int, ...]:
    """The dice of a round.

    HMAC-SHA256 gives bytes that nobody can tell from uniform ones without the seed. Of uniform bytes, those below 252
    are uniform on 252 values, and 252 is 42 times 6: every face has 42 of them, so no face is likelier than another.
    """
    made = Throw(table, round, close, tuple(nonces), dice, mapping)
    faces: list[int] = []
    for _, block in made.blocks(seed):
        faces += (byte.face for byte in read(block, dice - len(faces)) if byte.face)
        if len(faces) == dice:
            break
    return tuple(faces)


def read(block: bytes, wanted: int) -> list[Byte]:
    """The bytes of a block up to the last that is needed, each with what becomes of it.

    >>> read(bytes([255, 0, 11, 3]), 2)
    [Byte(value=255, face=None), Byte(value=0, face=1), Byte(value=11, face=6)]
    """
    taken: list[Byte] = []
    for value in block:
        if not wanted:
            break
        face = value % 6 + 1 if value < KEPT_BELOW else None
        wanted -= face is not None
        taken.append(Byte(value, face))
    return taken


def commitment(seed: bytes) -> str:
    """What the house publishes of a seed before betting opens: it tells nothing, and fits no other seed."""
    _check_seed(seed)
    return hashlib.sha256(_netstrings("pitbook seed 1", (seed,))).hexdigest()


def check_nonce(text: str) -> str | None:
    """Why a text cannot be a player's nonce; None where it can."""
    if not text:
        return "it is empty; give at least one character, or no nonce"
    if len(text) > NONCE_MAX:
        return f"it has {len(text)} characters; {NONCE_MAX} at most"
    if not text.isprintable():
        return "it has characters that cannot be printed; use letters, digits, signs and spaces"
    return None


def is_hash(text: str) -> bool:
    """Whether a text is a SHA-256 (or a seed) in hexadecimal, in the one way that it is written here."""
    return _HASH.fullmatch(text) is not None


def _check_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _netstrings(title: str, fields: Iterable[str | int | bytes]) -> bytes:
    """A title line, then each field with its length before it: the form in which the journal writes entries too."""
    parts = [title.encode(), b"\n"]
    for field in fields:
        data = field if isinstance(field, bytes) else str(field).encode()
        parts += (b"%d:" % len(data), data, b",")
    return b"".join(parts)
