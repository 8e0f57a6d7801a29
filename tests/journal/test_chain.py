"""The chain: its bytes forever, and that it covers everything stored."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from pitbook.journal.chain import entry_hash, hashed_bytes, link, netstrings, verify
from pitbook.journal.decisions import Event
from pitbook.journal.entries import GENESIS, Entry, assemble, posting_rows, to_row, transfer_rows
from pitbook.journal.errors import Broken
from pitbook.journal.port import Head
from pitbook.ledger.accounts import Account, escrow
from pitbook.ledger.transfers import Leg, Transfer, move

START = Head(0, GENESIS)


def example() -> Entry:
    event = Event("bet", b'{"amount":500}', (move("bet", Account("player:ann"), escrow("t1"), 500),), tag=7)
    request = sha256(b"bet 500").digest()
    return link(
        START,
        "t1",
        event,
        actor="ann",
        role="player",
        at="2026-01-01T00:00:00Z",
        key="k1",
        request=request,
        answer=b"ok",
        attachment="5ec0de",
    )


def ten() -> list[Entry]:
    """Return ten entries with every field in use."""
    entries = []
    head = START
    for number in range(1, 11):
        moves = (move("bet", Account("player:änn"), escrow("t1"), number),) * (number % 3)
        event = Event("bet", b'{"n":%d}' % number, moves, tag=number if number % 2 else None)
        answered: dict[str, Any] = {"key": f"k{number}", "request": bytes([number]) * 32, "answer": b"ok"}
        if not number % 4:
            answered = {}
        entry = link(
            head, "t1", event, actor="ann", role="player", at="2026-01-01T00:00:00Z", attachment="b", **answered
        )
        entries.append(entry)
        head = Head(entry.sequence, entry.hash)
    return entries


def test_the_hashed_bytes_never_change() -> None:
    request = sha256(b"bet 500").digest()
    assert hashed_bytes(example()) == (
        b'pitbook entry 1\n2:t1,1:1,3:bet,14:{"amount":500},3:ann,6:player,20:2026-01-01T00:00:00Z,2:k1,'
        b"32:" + request + b",2:ok,6:5ec0de,1:7,32:" + bytes(32) + b",1:1,3:bet,1:2,10:player:ann,4:-500,"
        b"9:escrow:t1,3:500,"
    )
    assert example().hash.hex() == "c22011bc9b1d66b1f2d435687d113ef29e843b5561858e1b3698723dd41ea323"


CHANGES: dict[str, Any] = {
    "table": "t2",
    "sequence": 2,
    "kind": "bets",
    "body": b'{"amount":501}',
    "actor": "bob",
    "role": "dealer",
    "at": "2026-01-01T00:00:01Z",
    "key": None,
    "request": None,
    "answer": None,
    "attachment": "",
    "tag": None,
    "transfers": (),
    "before": bytes([1]) * 32,
    "hash": bytes(32),
}


@pytest.mark.parametrize("field", Entry.__struct_fields__)
def test_every_stored_field_is_covered(field: str) -> None:
    entry = example()
    changed = msgspec.structs.replace(entry, **{field: CHANGES[field]})
    with pytest.raises(Broken):
        verify([changed], "t1")
    if field != "hash":
        assert entry_hash(changed) != entry_hash(entry)


@pytest.mark.parametrize(
    "transfer",
    [
        Transfer("Bet", (Leg(Account("player:ann"), -500), Leg(escrow("t1"), 500))),
        Transfer("bet", (Leg(Account("player:ann"), -501), Leg(escrow("t1"), 501))),
        Transfer("bet", (Leg(Account("player:bob"), -500), Leg(escrow("t1"), 500))),
        Transfer("bet", (Leg(escrow("t1"), 500), Leg(Account("player:ann"), -500))),
        Transfer("bet", (Leg(Account("player:ann"), -500), Leg(escrow("t1"), 499), Leg(Account("x"), 1))),
    ],
)
def test_every_part_of_a_transfer_is_covered(transfer: Transfer) -> None:
    assert entry_hash(msgspec.structs.replace(example(), transfers=(transfer,))) != example().hash


def flips(value: Any) -> Iterator[Any]:
    """A stored value with each of its bits flipped; what cannot be read as text any more is left out."""
    if isinstance(value, int):
        for bit in range(63):
            yield value ^ (1 << bit)
    elif value is not None:
        data = value.encode() if isinstance(value, str) else value
        for bit in range(len(data) * 8):
            flipped = bytearray(data)
            flipped[bit // 8] ^= 1 << (bit % 8)
            if isinstance(value, bytes):
                yield bytes(flipped)
            else:
                try:
                    yield flipped.decode()
                except UnicodeDecodeError:
                    continue


def flipped_rows(rows: list[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    for number, row in enumerate(rows):
        for column, value in enumerate(row):
            for flipped in flips(value):
                changed = (*row[:column], flipped, *row[column + 1 :])
                yield [*rows[:number], changed, *rows[number + 1 :]]


def whole(entries: list[tuple[Any, ...]], reasons: list[tuple[Any, ...]], legs: list[tuple[Any, ...]]) -> Head:
    return verify(assemble(entries, reasons, legs), "t1")


def test_every_flipped_bit_of_ten_entries_is_found() -> None:
    entries = ten()
    rows = [to_row(entry) for entry in entries]
    reasons = [row[1:] for entry in entries for row in transfer_rows(entry)]
    legs = [row[1:] for entry in entries for row in posting_rows(entry)]
    assert whole(rows, reasons, legs) == Head(10, entries[-1].hash)
    tried = 0
    for changed in flipped_rows(rows):
        tried += 1
        with pytest.raises(Broken):
            whole(changed, reasons, legs)
    for changed in flipped_rows(reasons):
        tried += 1
        with pytest.raises(Broken):
            whole(rows, changed, legs)
    for changed in flipped_rows(legs):
        tried += 1
        with pytest.raises(Broken):
            whole(rows, reasons, changed)
    assert tried > 19_000


def test_dropped_doubled_swapped_and_strange_entries_are_found() -> None:
    entries = ten()
    head = verify(entries, "t1")
    assert verify(entries[4:], "t1", Head(4, entries[3].hash)) == head
    wrong = [
        entries[1:],
        [*entries[:4], *entries[5:]],
        [*entries[:5], *entries[4:]],
        [*entries[:4], entries[5], entries[4], *entries[6:]],
        [*entries, msgspec.structs.replace(entries[0], table="t2")],
    ]
    for changed in wrong:
        with pytest.raises(Broken):
            verify(changed, "t1")


def test_a_text_that_no_database_keeps_is_not_linked() -> None:
    with pytest.raises(ValueError, match="zero character"):
        link(START, "t1", Event("bet", b""), actor="a\0b", role="", at="")


def test_fields_of_any_kind_are_encoded_with_their_length() -> None:
    assert netstrings("example 1", [None, "陳", 12, b"", None]) == b"example 1\n-,3:\xe9\x99\xb3,2:12,0:,-,"
