"""The draw of a round from the journal: commitment, close and reveal, in this order."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from pitbook.errors import InputError, quoted
from pitbook.journal.chain import verify
from pitbook.journal.errors import Broken
from pitbook.messages import Message
from pitbook.tumbler.proof import Check, Proof, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Reader

COMMITTED, CLOSED, REVEALED, NONCE = "SeedCommitted", "BettingClosed", "SeedRevealed", "NonceGiven"
VOIDED, FAILED = "RoundVoided", "TumblerFailed"
BETS = ("BetPlaced", "BetsPlaced", "BetTakenDown")


class Draw(NamedTuple):
    """The parts of a round's draw, and the result of each check."""

    proof: Proof | None
    """None if the record is broken or the seed is not revealed."""
    steps: list[Check]

    @property
    def good(self) -> bool:
        return self.proof is not None and all(step.ok for step in self.steps)


class _DrawEntries:
    """The entries of one round's draw."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.committed: list[Entry] = []
        self.closed: list[Entry] = []
        self.revealed: list[Entry] = []
        self.thrown: list[Entry] = []
        self.late: list[Entry] = []
        self.voided: list[Entry] = []
        self.lost: list[Entry] = []
        self.nonces: dict[str, str] = {}
        """Each player's last one, given after the commitment and before the close."""

    def add(self, entry: Entry) -> None:
        """Assign an entry to its part of the draw."""
        named = {COMMITTED: self.committed, CLOSED: self.closed, REVEALED: self.revealed, VOIDED: self.voided}
        open_draw = bool(self.committed) and not self.revealed and not self.lost
        if entry.kind in named:
            if decode_body(entry).get("round") == self.number:
                named[entry.kind].append(entry)
        elif entry.kind == NONCE and self.committed and not self.closed:
            body = decode_body(entry)
            self.nonces[str(body.get("player"))] = str(body.get("nonce"))
        elif entry.kind in BETS and self.closed and open_draw:
            self.late.append(entry)
        elif entry.kind == FAILED and open_draw and decode_body(entry).get("lost"):
            self.lost.append(entry)
        elif entry.tag == self.number:
            self.thrown.append(entry)


def draw_of(reader: Reader, table: str, number: int) -> Draw:
    """Return the draw of a round, with checks of the whole chain, the order of its entries, and the dice."""
    found = _DrawEntries(number)
    head = None
    try:
        for entry in reader.entries(table):
            head = verify((entry,), table, head)
            found.add(entry)
    except Broken as broken:
        return Draw(None, [Check.of("record", False, "record broken", reason=broken.message)])
    if not found.committed:
        raise InputError("journal.no-seed", table=quoted(table), round=number)
    count = head.sequence if head else 0
    chain = Check.of("record", True, "record", count=count, table=table)
    if not found.revealed:
        return Draw(None, [chain, _not_revealed(found)])
    try:
        proof = _proof(table, found)
    except msgspec.ValidationError as error:
        return Draw(None, [chain, Check.of("revealed", False, "not a draw", reason=str(error))])
    return Draw(proof, [chain, *_order(found, proof), *check(proof)])


def decode_body(entry: Entry) -> dict[str, Any]:
    """Return the body of an entry, whatever version wrote it."""
    try:
        body = msgspec.json.decode(entry.body)
    except msgspec.DecodeError:
        body = None
    return body if isinstance(body, dict) else {}


def _proof(table: str, found: _DrawEntries) -> Proof:
    committed, revealed = decode_body(found.committed[0]), decode_body(found.revealed[0])
    dice = revealed.get("dice")
    data = {
        "table": table,
        "round": found.number,
        "mapping": committed.get("mapping"),
        "dice": len(dice) if isinstance(dice, list) else None,
        "commitment": committed.get("commitment"),
        "seed": revealed.get("seed"),
        "close": revealed.get("close"),
        "nonces": revealed.get("nonces"),
        "result": dice,
        "voided": revealed.get("voided"),
    }
    return msgspec.convert(data, Proof)


def _not_revealed(found: _DrawEntries) -> Check:
    if not found.lost:
        return Check.of("revealed", False, "not revealed")
    entry = found.lost[0]
    return Check.of("revealed", False, "seed lost", entry=entry.sequence, at=entry.at)


def _order(found: _DrawEntries, proof: Proof) -> Iterator[Check]:
    """Yield the checks that need the record: the order of the parts, one of each, nothing changed later."""
    yield _check_unique(found)
    if found.closed:
        yield _sequence(found)
        closed = found.closed[0]
        if closed.hash.hex() == proof.close:
            yield Check.of("close", True, "close", close=proof.close, entry=closed.sequence)
        else:
            yield Check.of("close", False, "close differs", entry=closed.sequence)
        if found.late:
            entries = tuple(str(entry.sequence) for entry in found.late)
            yield Check.of("bets", False, "bets changed", entries=entries)
        else:
            yield Check.of("bets", True, "bets")
        yield _nonces(found, proof)
    elif proof.close:
        yield Check.of("close", False, "close invented")
    void = any(entry.sequence < found.revealed[0].sequence for entry in found.voided)
    if void and proof.voided:
        yield Check.of("void", True, "void")
    elif void or proof.voided:
        yield Check.of("void", False, "void hidden" if void else "void claimed")
    for entry in found.thrown:
        dice = decode_body(entry).get("dice")
        # A table keeps dice in order of their faces.
        same = isinstance(dice, list) and Counter(map(str, dice)) == Counter(map(str, proof.result))
        seen = {"entry": entry.sequence, "dice": _format_dice(dice)}
        if same:
            yield Check.of("settled", True, "settled", **seen)
        else:
            yield Check.of("settled", False, "settled otherwise", **seen, revealed=_format_dice(proof.result))


def _check_unique(found: _DrawEntries) -> Check:
    """Check that there is one of each: with two commitments the house could choose a seed."""
    numbers = (len(found.committed), len(found.closed), len(found.revealed))
    if numbers in ((1, 1, 1), (1, 0, 1)):
        return Check.of("once", True, "once")
    committed, closed, revealed = numbers
    return Check.of("once", False, "not once", committed=committed, closed=closed, revealed=revealed)


def _sequence(found: _DrawEntries) -> Check:
    entries = (found.committed[0], found.closed[0], found.revealed[0])
    values: dict[str, int | str] = {}
    for name, one in zip(("committed", "closed", "revealed"), entries, strict=True):
        values |= {name: one.sequence, f"{name}_at": one.at}
    numbers = [one.sequence for one in entries]
    return Check.of("order", numbers == sorted(numbers), "order", **values)


def _nonces(found: _DrawEntries, proof: Proof) -> Check:
    """Check that no nonce was left out after the close, by which one could choose among dice."""
    given = sorted(nonce for nonce in found.nonces.values() if nonce)
    if given != sorted(proof.nonces):
        return Check.of("nonces", False, "nonces differ", given=len(given), used=len(proof.nonces))
    return Check.of("nonces", True, "nonces", count=len(given)) if given else Check.of("nonces", True, "nonces none")


def _format_dice(dice: Any) -> str | Message:
    return "-".join(map(str, dice)) if isinstance(dice, list | tuple) else Message("draws.no dice")
