"""Rolls and their weights."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.dice import Roll, parse_roll, parse_rolls, roll_index, rolls, throws
from pitbook.errors import InputError


@pytest.mark.parametrize(("dice", "count"), [(2, 21), (3, 56)])
def test_there_are_21_rolls_of_two_dice_and_56_of_three(dice: int, count: int) -> None:
    assert len(rolls(dice)) == count
    counted = Counter(Roll.of(*throw) for throw in product(range(1, 7), repeat=dice))
    assert {roll: roll.ways for roll in rolls(dice)} == counted
    assert sum(counted.values()) == throws(dice) == 6**dice
    assert [roll_index(dice)[roll] for roll in rolls(dice)] == list(range(count))


@given(st.lists(st.integers(1, 6), min_size=3, max_size=3))
def test_order_does_not_matter(faces: list[int]) -> None:
    assert Roll.of(*faces) == Roll.of(*reversed(faces)) == parse_roll("-".join(map(str, faces)), 3)


@pytest.mark.parametrize("text", ["1-2-3", "3 2 1", "2,3,1", "123", " 1 - 2 - 3 "])
def test_dice_are_read_as_people_write_them(text: str) -> None:
    assert parse_roll(text, 3) == Roll.of(1, 2, 3)


@pytest.mark.parametrize("text", ["", "1-2", "1-2-3-4", "a-b-c", "0-1-2", "7-1-2", "1--2-x", "１-2-3", "-1-2-3"])
def test_what_is_not_a_roll_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match="1-2-3"):
        parse_roll(text, 3)


def test_several_rolls_are_read_in_order() -> None:
    assert [roll.total for roll in parse_rolls("3-1 6-6  4-3", 2)] == [4, 12, 7]
    with pytest.raises(InputError, match="no rolls given"):
        parse_rolls("  ", 2)
