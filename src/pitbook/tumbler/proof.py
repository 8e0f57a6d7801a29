"""The proof of a round's draw, and its verification step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import msgspec

from pitbook.errors import InputError
from pitbook.tumbler.mapping import DICE_MAX, KEPT_BELOW, Byte, Throw, commitment, is_hash, read

if TYPE_CHECKING:
    from collections.abc import Mapping

Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""A number that all JSON parsers read alike."""
CheckKind = Literal[
    "seed", "seed hidden", "seed unreadable", "commitment", "commitment differs", "called off", "dice before the close",
    "not voided", "no throw", "message", "block", "byte", "byte passed over", "dice", "result", "result void",
    "result differs",
]  # fmt: skip
NOTHING: Mapping[str, str] = {}
TABLE_MAX = 1_000
NONCES_MAX = 100_000


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything from which a round's dice were derived, with the revealed seed."""

    table: Annotated[str, msgspec.Meta(max_length=TABLE_MAX)]
    round: Number
    mapping: Number
    dice: Annotated[int, msgspec.Meta(ge=0, le=DICE_MAX)]
    """The number of dice; 0 if betting was never closed."""
    commitment: str
    """Published before betting opened."""
    seed: str
    """Revealed with the dice, in hexadecimal."""
    close: str
    """The hash of the entry that closed betting; empty if it was never closed."""
    nonces: Annotated[tuple[str, ...], msgspec.Meta(max_length=NONCES_MAX)]
    result: Annotated[tuple[Number, ...], msgspec.Meta(max_length=DICE_MAX)]
    """The dice that the house reports."""
    voided: bool

    def to_json(self) -> bytes:
        """Return the proof as indented JSON."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"


class Check(NamedTuple):
    """A step of the verification: its name, whether it passed, and the values."""

    name: str
    ok: bool
    says: str
    kind: CheckKind | None = None
    """The kind of step, for translations; None for steps that need the record."""
    values: Mapping[str, str] = NOTHING
    """The values in the message."""


def from_json(content: bytes) -> Proof:
    """Parse a proof from JSON, or raise `InputError`."""
    try:
        return msgspec.json.decode(content, type=Proof)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"this is not a proof of a round: {error}") from error


def check(proof: Proof) -> list[Check]:
    """Recompute the draw and return every step that can be taken; the proof is valid if all passed."""
    steps = [_seed(proof)]
    if steps[0].ok:
        steps.append(_commitment(proof))
    if not proof.close:
        return [*steps, _never_closed(proof)]
    try:
        throw = Throw(proof.table, proof.round, proof.close, proof.nonces, proof.dice, proof.mapping)
    except ValueError as error:
        return [*steps, Check("throw", False, str(error), "no throw")]
    return [*steps, *_throw(proof, throw)] if steps[0].ok else steps


def _seed(proof: Proof) -> Check:
    if is_hash(proof.seed):
        return Check("seed", True, f"{proof.seed}: 32 bytes", "seed", {"bytes": proof.seed})
    if not proof.seed:
        return Check("seed", False, "the seed was never revealed: nobody can check the draw", "seed hidden")
    return Check("seed", False, "the seed is not 64 digits of 0123456789abcdef", "seed unreadable")


def _commitment(proof: Proof) -> Check:
    found = commitment(bytes.fromhex(proof.seed))
    seen = {"bytes": found}
    if found == proof.commitment:
        says = f"{found}: the SHA-256 of this seed, as it was published"
        return Check("commitment", True, says, "commitment", seen)
    says = f"the SHA-256 of this seed is {found}; another was published"
    return Check("commitment", False, says, "commitment differs", seen)


def _never_closed(proof: Proof) -> Check:
    """Check a round that was voided while betting was open: it has a seed but no dice."""
    if proof.voided and not proof.result:
        return Check("throw", True, "the round was voided before betting closed: nothing was thrown", "called off")
    if proof.result:
        return Check("throw", False, "betting was never closed, and yet it has dice", "dice before the close")
    return Check("throw", False, "betting was never closed, and yet it was not voided", "not voided")


def _throw(proof: Proof, throw: Throw) -> list[Check]:
    steps: list[Check] = []
    faces: list[int] = []
    place = 0
    for number, (message, block) in enumerate(throw.blocks(bytes.fromhex(proof.seed))):
        steps.append(Check(f"message {number}", True, message.hex(), "message", {"bytes": message.hex()}))
        says = f"{block.hex()}: HMAC-SHA256 of message {number} by the seed"
        steps.append(Check(f"block {number}", True, says, "block", {"bytes": block.hex(), "number": str(number)}))
        for byte in read(block, throw.dice - len(faces)):
            place += 1
            steps.append(_byte(f"byte {place}", byte))
            faces += () if byte.face is None else (byte.face,)
        if len(faces) == throw.dice:
            break
    shown = "-".join(map(str, faces))
    steps.append(Check("dice", True, shown, "dice", {"dice": shown}))
    return [*steps, _result(proof, shown)]


def _byte(name: str, byte: Byte) -> Check:
    seen = {"byte": f"{byte.value:02x}", "value": str(byte.value)}
    if byte.face is None:
        says = f"{byte.value:02x} = {byte.value}, not below {KEPT_BELOW}: passed over"
        return Check(name, True, says, "byte passed over", {**seen, "below": str(KEPT_BELOW)})
    says = f"{byte.value:02x} = {byte.value}, divided by 6 leaves {byte.value % 6}: a {byte.face}"
    return Check(name, True, says, "byte", {**seen, "rest": str(byte.value % 6), "face": str(byte.face)})


def _result(proof: Proof, shown: str) -> Check:
    given = "-".join(map(str, proof.result))
    if given != shown:
        says = f"the house says {given or 'nothing'}; the seed gives {shown}"
        return Check("result", False, says, "result differs", {"given": given or "–", "dice": shown})
    if proof.voided:
        says = f"{given}, as the house says; the round was voided after the close, and this is what it would have been"
        return Check("result", True, says, "result void", {"dice": given})
    return Check("result", True, f"{given}, as the house says", "result", {"dice": given})
