"""The proof of a round's draw, and its verification step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import msgspec

from pitbook.errors import InputError
from pitbook.messages import Message
from pitbook.tumbler.mapping import DICE_MAX, KEPT_BELOW, Byte, Throw, commitment, is_hash, read

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.messages import Language

Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""A number that all JSON parsers read alike."""
CheckKind = Literal[
    "seed", "seed hidden", "seed unreadable", "commitment", "commitment differs", "called off", "dice before the close",
    "not voided", "no throw", "message", "block", "byte", "byte passed over", "dice", "result", "result void",
    "result differs",
]  # fmt: skip
RecordCheckKind = Literal[
    "record", "record broken", "not a draw", "not revealed", "seed lost", "once", "not once", "order", "close",
    "close differs", "close invented", "bets", "bets changed", "nonces", "nonces none", "nonces differ", "void",
    "void hidden", "void claimed", "settled", "settled otherwise",
]  # fmt: skip
"""The kinds of steps that need the record."""
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
    """In English, with the bytes."""
    kind: CheckKind | RecordCheckKind
    values: Mapping[str, Any]
    """The values in the message, and the `bytes` that are shown with it."""

    @classmethod
    def of(cls, name: str, ok: bool, kind: CheckKind | RecordCheckKind, /, **values: Any) -> Check:
        """Return a step whose English is that of its message, after its bytes."""
        step = cls(name, ok, "", kind, values)
        return step._replace(says=step.text("en"))

    @property
    def message(self) -> Message:
        """The message of the step, without the bytes."""
        return Message(f"draws.{self.kind}", {name: one for name, one in self.values.items() if name != "bytes"})

    @property
    def shown_values(self) -> dict[str, str]:
        """The values as text."""
        return {name: str(one) for name, one in self.values.items()}

    def text(self, language: Language) -> str:
        """Return the message after the bytes."""
        said = self.message.text(language)
        between = ": " if language == "en" else "："
        return f"{self.values['bytes']}{between}{said}" if "bytes" in self.values else said


def from_json(content: bytes) -> Proof:
    """Parse a proof from JSON, or raise `InputError`."""
    try:
        return msgspec.json.decode(content, type=Proof)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError("journal.not-a-proof", reason=error) from error


def check(proof: Proof) -> list[Check]:
    """Recompute the draw and return every step that can be taken; the proof is valid if all passed."""
    steps = [_seed(proof)]
    if steps[0].ok:
        steps.append(_commitment(proof))
    if not proof.close:
        return [*steps, _never_closed(proof)]
    try:
        throw = Throw(proof.table, proof.round, proof.close, proof.nonces, proof.dice, proof.mapping)
    except InputError as error:
        return [*steps, Check.of("throw", False, "no throw", why=error.message)]
    return [*steps, *_throw(proof, throw)] if steps[0].ok else steps


def _seed(proof: Proof) -> Check:
    if is_hash(proof.seed):
        return Check.of("seed", True, "seed", bytes=proof.seed)
    return Check.of("seed", False, "seed unreadable" if proof.seed else "seed hidden")


def _commitment(proof: Proof) -> Check:
    found = commitment(bytes.fromhex(proof.seed))
    same = found == proof.commitment
    return Check.of("commitment", same, "commitment" if same else "commitment differs", bytes=found)


def _never_closed(proof: Proof) -> Check:
    """Check a round that was voided while betting was open: it has a seed but no dice."""
    if proof.voided and not proof.result:
        return Check.of("throw", True, "called off")
    return Check.of("throw", False, "dice before the close" if proof.result else "not voided")


def _throw(proof: Proof, throw: Throw) -> list[Check]:
    steps: list[Check] = []
    faces: list[int] = []
    place = 0
    for number, (message, block) in enumerate(throw.blocks(bytes.fromhex(proof.seed))):
        steps.append(Check.of(f"message {number}", True, "message", bytes=message.hex()))
        steps.append(Check.of(f"block {number}", True, "block", bytes=block.hex(), number=str(number)))
        for byte in read(block, throw.dice - len(faces)):
            place += 1
            steps.append(_byte(f"byte {place}", byte))
            faces += () if byte.face is None else (byte.face,)
        if len(faces) == throw.dice:
            break
    text = "-".join(map(str, faces))
    steps.append(Check.of("dice", True, "dice", dice=text))
    return [*steps, _result(proof, text)]


def _byte(name: str, byte: Byte) -> Check:
    seen = {"byte": f"{byte.value:02x}", "value": str(byte.value)}
    if byte.face is None:
        return Check.of(name, True, "byte passed over", **seen, below=str(KEPT_BELOW))
    return Check.of(name, True, "byte", **seen, rest=str(byte.value % 6), face=str(byte.face))


def _result(proof: Proof, text: str) -> Check:
    given = "-".join(map(str, proof.result))
    if given != text:
        return Check.of("result", False, "result differs", given=given or "–", dice=text)
    return Check.of("result", True, "result void" if proof.voided else "result", dice=given)
