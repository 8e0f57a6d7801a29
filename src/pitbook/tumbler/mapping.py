"""The mapping from a seed to dice: the commitment, the hashed message, and how bytes become faces.

Everything here can be recomputed with the standard library of any language; docs/guides/electronic-tumbler.md describes
it. The hashed bytes of a mapping version never change: another mapping gets a new number.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from pitbook.errors import InputError
from pitbook.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAPPING = 1
"""The version of everything in this file."""
SEED_BYTES = 32
DICE_MAX = 100
"""No table throws more dice at once."""
NONCE_MAX = 64
KEPT_BELOW = 252
"""252 = 42 * 6: exactly 42 of the byte values below it give each face; the other four are skipped."""

_HASH = re.compile(r"[0-9a-f]{64}")


class Byte(NamedTuple):
    """A byte of output and its face, None if it is skipped."""

    value: int
    face: int | None


@dataclass(frozen=True, slots=True)
class Throw:
    """The inputs of a throw besides the seed, limited to values with a unique encoding."""

    table: str
    round: int
    close: str
    """The hash of the journal entry that closed betting, in hexadecimal."""
    nonces: tuple[str, ...]
    """The players' entries; their order does not matter."""
    dice: int
    """The number of dice."""
    mapping: int = MAPPING

    def __post_init__(self) -> None:
        if self.mapping != MAPPING:
            raise InputError("journal.throw.mapping", mapping=self.mapping, known=MAPPING)
        if self.round < 1:
            raise InputError("journal.throw.round", round=self.round)
        if not 1 <= self.dice <= DICE_MAX:
            raise InputError("journal.throw.dice", most=DICE_MAX, dice=self.dice)
        if not is_hash(self.close):
            raise InputError("journal.throw.close")
        # Not check_nonce: the set of printable characters grows over time, and old throws must stay provable.
        if not _is_text(self.table):
            raise InputError("journal.throw.table")
        if not all(map(_is_text, self.nonces)):
            raise InputError("journal.throw.nonce")

    def message(self, block: int) -> bytes:
        """Return the unambiguous message of which a block is the HMAC.

        >>> Throw("t1", 7, "0" * 64, ("b", "a"), 3).message(0)[:40]
        b'pitbook tumbler 1\\n2:t1,1:7,64:0000000000'
        """
        nonces = sorted(nonce.encode() for nonce in self.nonces)
        fields: list[str | int | bytes] = [self.table, self.round, self.close, len(nonces), *nonces, self.dice, block]
        return _netstrings(f"pitbook tumbler {self.mapping}", fields)

    def blocks(self, seed: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Yield messages and their HMAC-SHA256 with the seed as key, without end."""
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
    """Return the dice of a round.

    Without the seed, the bytes of HMAC-SHA256 cannot be distinguished from uniform ones. Uniform bytes below 252 are
    uniform on 252 = 42 * 6 values, of which 42 give each face, so all faces are equally likely.
    """
    made = Throw(table, round, close, tuple(nonces), dice, mapping)
    faces: list[int] = []
    for _, block in made.blocks(seed):
        faces += (byte.face for byte in read(block, dice - len(faces)) if byte.face)
        if len(faces) == dice:
            break
    return tuple(faces)


def read(block: bytes, wanted: int) -> list[Byte]:
    """Return the bytes of a block up to the last one needed, with their faces.

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
    """Return the hash that the house publishes before betting opens: it reveals nothing and binds the seed."""
    _check_seed(seed)
    return hashlib.sha256(_netstrings("pitbook seed 1", (seed,))).hexdigest()


def check_nonce(text: str) -> Message | None:
    """Return why a text cannot be a player's entry, or None."""
    if not text:
        return Message("refusals.tables.nonce.empty")
    if len(text) > NONCE_MAX:
        return Message("refusals.tables.nonce.too-long", {"length": len(text), "most": NONCE_MAX})
    if not text.isprintable():
        return Message("refusals.tables.nonce.unprintable")
    return None


def is_hash(text: str) -> bool:
    """Return whether a text is a SHA-256 (or a seed) in lower-case hexadecimal."""
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
    """Return a title line, then each field prefixed with its length, like `pitbook.journal.chain.netstrings`."""
    parts = [title.encode(), b"\n"]
    for field in fields:
        data = field if isinstance(field, bytes) else str(field).encode()
        parts += (b"%d:" % len(data), data, b",")
    return b"".join(parts)
