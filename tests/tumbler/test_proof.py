"""A proof is shown step by step, and any change to it is detected."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.errors import InputError
from pitbook.tumbler.mapping import commitment, throw
from pitbook.tumbler.proof import Check, Proof, check, from_json

SEED = bytes(range(32))


def proof(number: int = 7, dice: int = 3, nonces: tuple[str, ...] = ("lucky", "骰寶"), **changes: Any) -> Proof:
    result = throw(SEED, table="t1", round=number, close="ab" * 32, nonces=nonces, dice=dice)
    whole = Proof("t1", number, 1, dice, commitment(SEED), SEED.hex(), "ab" * 32, nonces, result, False)
    return msgspec.structs.replace(whole, **changes)


def wrong(steps: list[Check]) -> list[str]:
    return [step.name for step in steps if not step.ok]


def test_every_step_of_a_right_proof_is_shown() -> None:
    steps = check(proof())
    assert not wrong(steps)
    names = [step.name for step in steps]
    assert names[:4] == ["seed", "commitment", "message 0", "block 0"]
    assert names[-2:] == ["dice", "result"]
    assert [name for name in names if name.startswith("byte")] == ["byte 1", "byte 2", "byte 3"]
    says = {step.name: step.says for step in steps}
    assert bytes.fromhex(says["message 0"].removesuffix(": The message")).startswith(
        b"pitbook tumbler 1\n2:t1,1:7,64:abab"
    )
    assert says["block 0"].endswith("HMAC-SHA256 of message 0, keyed with the seed")


def test_bytes_that_were_passed_over_and_a_second_block_are_shown() -> None:
    steps = check(proof(2, 40, ("b", "a"), close="ff" * 32))
    assert "block 1" in [step.name for step in steps]
    assert next(step.says for step in steps if "skipped" in step.says) == "ff = 255, not below 252: skipped"
    assert wrong(steps) == ["result"]  # the dice were those of another close


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"seed": bytes(32).hex()}, ["commitment", "result"]),
        ({"commitment": "00" * 32}, ["commitment"]),
        ({"result": (1, 1, 1)}, ["result"]),
        ({"result": ()}, ["result"]),
        ({"close": "ac" * 32}, ["result"]),
        ({"nonces": ("lucky",)}, ["result"]),
        ({"table": "t2"}, ["result"]),
        ({"round": 8}, ["result"]),
        ({"dice": 2}, ["result"]),
        ({"dice": 0}, ["throw"]),
        ({"mapping": 2}, ["throw"]),
        ({"round": 0}, ["throw"]),
        ({"close": "AB" * 32}, ["throw"]),
        ({"close": "x"}, ["throw"]),
        ({"close": ""}, ["throw"]),
        ({"close": "", "voided": True}, ["throw"]),
        ({"close": "", "result": (), "dice": 0}, ["throw"]),
        ({"seed": "00"}, ["seed"]),
        ({"seed": SEED.hex().upper()}, ["seed"]),
        ({"seed": ""}, ["seed"]),
    ],
    ids=str,
)
def test_what_was_altered_is_seen(change: dict[str, Any], names: list[str]) -> None:
    assert wrong(check(msgspec.structs.replace(proof(), **change))) == names


def test_a_round_voided_while_betting_was_open_has_a_seed_and_no_dice() -> None:
    steps = check(proof(close="", result=(), voided=True))
    assert not wrong(steps)
    assert steps[-1].says == "The round was voided before betting closed, and nothing was thrown"


def test_a_round_voided_after_the_close_shows_what_it_would_have_been() -> None:
    steps = check(proof(voided=True))
    assert not wrong(steps)
    assert "would have been its dice" in steps[-1].says


def test_a_proof_survives_being_handed_out() -> None:
    assert from_json(proof().to_json()) == proof()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        json.dumps(msgspec.to_builtins(proof()) | {"more": 1}).encode(),
        json.dumps(msgspec.to_builtins(proof()) | {"round": True}).encode(),
        json.dumps(msgspec.to_builtins(proof()) | {"round": -1}).encode(),
        json.dumps(msgspec.to_builtins(proof()) | {"round": 1.5}).encode(),
        json.dumps(msgspec.to_builtins(proof()) | {"dice": 101}).encode(),
        json.dumps(msgspec.to_builtins(proof()) | {"voided": 0}).encode(),
        json.dumps(msgspec.to_builtins(proof()) | {"table": "x" * 1001}).encode(),
        proof().to_json().replace(b'"round": 7', b'"round": 1' + b"0" * 5000),
    ],
    ids=lambda content: content[:12],
)
def test_a_file_that_is_not_a_proof_is_an_input_error(content: bytes) -> None:
    with pytest.raises(InputError, match="this is not a round's proof"):
        from_json(content)


@given(
    st.builds(
        Proof,
        table=st.text(max_size=5),
        round=st.integers(0, 9),
        mapping=st.integers(0, 2),
        dice=st.integers(0, 4),
        commitment=st.sampled_from([commitment(SEED), "", "x"]),
        seed=st.sampled_from([SEED.hex(), "", "zz" * 32]),
        close=st.sampled_from(["ab" * 32, "", "ab"]),
        nonces=st.lists(st.text(max_size=3), max_size=2).map(tuple),
        result=st.lists(st.integers(0, 7), max_size=4).map(tuple),
        voided=st.booleans(),
    )
)
def test_whatever_a_proof_says_it_is_checked_and_not_believed(made: Proof) -> None:
    steps = check(made)
    right = not wrong(steps)
    assert steps
    if right and made.close:
        assert made.result == throw(
            SEED, table=made.table, round=made.round, close=made.close, nonces=made.nonces, dice=made.dice
        )


def test_a_step_is_described_in_chinese_too() -> None:
    steps = {step.name: step for step in check(proof(mapping=9))}
    assert steps["seed"].text("zh-Hant") == f"{steps['seed'].values['bytes']}：種子，共 32 個位元組"
    assert steps["throw"].text("zh-Hant").startswith("憑所給資料無法得出擲骰結果：此處沒有對應法 9")
    assert steps["throw"].shown_values["why"].startswith("mapping 9 is unknown")
