"""From a seed to dice: the bytes forever, exact uniformity, and that nothing can be said in two ways."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.tumbler.mapping import KEPT_BELOW, Throw, check_nonce, commitment, read, throw

SEED = bytes(range(32))
CLOSE = "5ec0de" + "0" * 58

texts = st.text(max_size=8).filter(lambda text: text.isascii() or text.isprintable())
hashes = st.binary(min_size=32, max_size=32).map(bytes.hex)
throws = st.builds(
    Throw,
    table=texts,
    round=st.integers(1, 10**9),
    close=hashes,
    nonces=st.lists(texts, max_size=3).map(tuple),
    dice=st.integers(1, 10),
)


def by_hand(seed: bytes, table: str, number: int, close: str, nonces: Sequence[str], dice: int) -> tuple[int, ...]:
    """The same in other words, with nothing of ours."""
    faces: list[int] = []
    block = 0
    while len(faces) < dice:
        fields = [table, str(number), close, str(len(nonces))]
        text = [field.encode() for field in fields] + sorted(nonce.encode() for nonce in nonces)
        text += [str(dice).encode(), str(block).encode()]
        message = b"pitbook tumbler 1\n" + b"".join(str(len(field)).encode() + b":" + field + b"," for field in text)
        inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in seed.ljust(64, b"\0")) + message).digest()
        outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in seed.ljust(64, b"\0")) + inner).digest()
        faces += [byte % 6 + 1 for byte in outer if byte < 252]
        block += 1
    return tuple(faces[:dice])


GOLDEN: list[tuple[dict[str, Any], str]] = [
    ({"table": "t1", "round": 1, "close": "00" * 32, "nonces": (), "dice": 3}, "323"),
    ({"table": "t1", "round": 2, "close": "00" * 32, "nonces": (), "dice": 3}, "536"),
    ({"table": "big table, 2:t1", "round": 1, "close": "ff" * 32, "nonces": ("lucky", "骰寶"), "dice": 2}, "44"),
    (
        {"table": "t1", "round": 2, "close": "ff" * 32, "nonces": ("b", "a"), "dice": 40},
        "5621132644166412625362566444243656566625",
    ),
]


@pytest.mark.parametrize(("given_to", "faces"), GOLDEN)
def test_the_dice_of_these_seeds_never_change(given_to: dict[str, Any], faces: str) -> None:
    assert "".join(map(str, throw(SEED, **given_to))) == faces


def test_the_bytes_of_the_message_and_the_commitment_never_change() -> None:
    assert Throw("t1", 7, CLOSE, ("b", "ä", "a"), 3).message(0) == (
        b"pitbook tumbler 1\n2:t1,1:7,64:" + CLOSE.encode() + b",1:3,1:a,1:b,2:\xc3\xa4,1:3,1:0,"
    )
    assert commitment(SEED) == hashlib.sha256(b"pitbook seed 1\n32:" + SEED + b",").hexdigest()


@given(seed=st.binary(min_size=32, max_size=32), made=throws)
def test_another_implementation_throws_the_same(seed: bytes, made: Throw) -> None:
    ours = throw(
        seed, table=made.table, round=made.round, close=made.close, nonces=made.nonces, dice=made.dice, mapping=1
    )
    assert ours == by_hand(seed, made.table, made.round, made.close, made.nonces, made.dice)


def test_bytes_become_faces_uniformly_to_the_last_one() -> None:
    assert KEPT_BELOW == 42 * 6
    faces = Counter(read(bytes([value]), 1)[0].face for value in range(256))
    assert faces == {1: 42, 2: 42, 3: 42, 4: 42, 5: 42, 6: 42, None: 4}


def test_bytes_that_are_passed_over_move_the_dice_on_to_the_next_block() -> None:
    made = Throw("t1", 2, "ff" * 32, ("b", "a"), 40)
    output = [byte for _, block in islice(made.blocks(SEED), 2) for byte in block]
    assert any(byte >= 252 for byte in output)  # otherwise this proves nothing
    stored = [byte % 6 + 1 for byte in output if byte < 252][:40]
    assert list(throw(SEED, table="t1", round=2, close="ff" * 32, nonces=("a", "b"), dice=40)) == stored


@given(one=throws, other=throws, blocks=st.tuples(st.integers(0, 3), st.integers(0, 3)))
def test_no_two_throws_have_the_same_message(one: Throw, other: Throw, blocks: tuple[int, int]) -> None:
    def parts(made: Throw, block: int) -> tuple[object, ...]:
        return made.table, made.round, made.close, sorted(made.nonces), made.dice, made.mapping, block

    same = parts(one, blocks[0]) == parts(other, blocks[1])
    assert (one.message(blocks[0]) == other.message(blocks[1])) == same


def parsed(message: bytes) -> tuple[list[bytes], bytes]:
    """The fields that a message was written of: whatever can be read back was written in one way."""
    title, _, rest = message.partition(b"\n")
    fields = []
    while rest:
        length, _, rest = rest.partition(b":")
        fields.append(rest[: int(length)])
        assert rest[int(length) : int(length) + 1] == b","
        rest = rest[int(length) + 1 :]
    return fields, title


@given(made=throws, block=st.integers(0, 1000))
def test_a_message_can_be_read_back_into_what_it_was_made_of(made: Throw, block: int) -> None:
    fields, title = parsed(made.message(block))
    assert title == b"pitbook tumbler 1"
    table, number, close, count, *nonces, dice, last = fields
    assert (table.decode(), int(number), close.decode()) == (made.table, made.round, made.close)
    assert int(count) == len(nonces)
    assert [nonce.decode() for nonce in nonces] == sorted(made.nonces, key=str.encode)
    assert (int(dice), int(last)) == (made.dice, block)


@pytest.mark.parametrize(
    "change",
    [
        {"table": "t2"},
        {"round": 8},
        {"close": "5ec0df" + "0" * 58},
        {"nonces": ("a", "bc")},
        {"nonces": ("ab",)},
        {"nonces": ("ab", "c", "")},
        {"dice": 4},
    ],
    ids=str,
)
def test_every_part_counts(change: dict[str, Any]) -> None:
    parts: dict[str, Any] = {"table": "t1", "round": 7, "close": CLOSE, "nonces": ("ab", "c"), "dice": 3}
    assert Throw(**parts).message(0) != Throw(**parts | change).message(0)
    assert Throw(**parts).message(0) != Throw(**parts).message(1)


def test_the_order_of_nonces_does_not_count() -> None:
    parts: dict[str, Any] = {"table": "t1", "round": 7, "close": CLOSE, "dice": 3}
    assert throw(SEED, nonces=["x", "é", "a"], **parts) == throw(SEED, nonces=["é", "a", "x"], **parts)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"mapping": 2}, "mapping 2 is unknown"),
        ({"mapping": 0}, "mapping 0 is unknown"),
        ({"round": 0}, "numbered from 1"),
        ({"dice": 0}, "1 to 100 dice"),
        ({"dice": 101}, "1 to 100 dice"),
        ({"close": ""}, "not a hash"),
        ({"close": CLOSE.upper()}, "not a hash"),
        ({"close": CLOSE + "\n"}, "not a hash"),
        ({"nonces": ("\ud800",)}, "a nonce cannot be written"),
        ({"table": "\ud800"}, "the table's name cannot be written"),
        ({"seed": SEED[:31]}, "a seed has 32 bytes, not 31"),
    ],
    ids=repr,
)
def test_what_has_no_one_way_to_be_written_is_refused(change: dict[str, Any], says: str) -> None:
    parts: dict[str, Any] = {"seed": SEED, "table": "t1", "round": 7, "close": CLOSE, "nonces": (), "dice": 3}
    with pytest.raises(ValueError, match=says):
        throw(**parts | change)


def test_a_seed_of_the_wrong_length_is_not_committed_to() -> None:
    with pytest.raises(ValueError, match="not 33"):
        commitment(bytes(33))


@pytest.mark.parametrize("nonce", ["a", "lucky 7", "骰寶", "🎲", "x" * 64])
def test_a_good_nonce(nonce: str) -> None:
    assert check_nonce(nonce) is None


UNPRINTABLE = "Use only letters, digits, symbols and spaces."


@pytest.mark.parametrize(
    ("nonce", "says"),
    [
        ("", "Enter at least one character, or leave it out."),
        ("x" * 65, "Enter at most 64 characters; this has 65."),
        ("a\nb", UNPRINTABLE),
        ("a\0", UNPRINTABLE),
        ("\ud800", UNPRINTABLE),
    ],
)
def test_a_bad_nonce_is_refused_with_a_reason(nonce: str, says: str) -> None:
    wrong = check_nonce(nonce)
    assert wrong is not None
    assert wrong.text() == says


def test_hmac_is_keyed_by_the_seed() -> None:
    message, block = next(Throw("t1", 7, CLOSE, (), 3).blocks(SEED))
    assert block == hmac.new(SEED, message, "sha256").digest()
