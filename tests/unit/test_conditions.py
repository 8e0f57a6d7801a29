"""The language of one-roll wagers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.dice import Roll, rolls
from pitbook.errors import InputError
from pitbook.rulebooks.conditions import parse_condition

ATOMS: dict[str, Callable[[list[int]], bool]] = {
    "triple": lambda d: len(set(d)) == 1,
    "total 4..10": lambda d: 4 <= sum(d) <= 10,
    "total 11": lambda d: sum(d) == 11,
    "total odd": lambda d: sum(d) % 2 == 1,
    "total even": lambda d: sum(d) % 2 == 0,
    "count(3) >= 2": lambda d: d.count(3) >= 2,
    "count(6) = 1": lambda d: d.count(6) == 1,
    "count(1) < 1": lambda d: 1 not in d,
    "shows 1 and 2": lambda d: 1 in d and 2 in d,
    "shows 1 2 3": lambda d: sorted(d) == [1, 2, 3],
    "exactly 1 1 3": lambda d: sorted(d) == [1, 1, 3],
    "three of 1 2 3 4": lambda d: len(set(d)) == 3 and max(d) <= 4,
}


@pytest.mark.parametrize("text", ATOMS)
def test_each_condition_holds_on_the_rolls_it_says(text: str) -> None:
    condition = parse_condition(text, 3)
    for roll in rolls(3):
        assert condition.holds(roll) == ATOMS[text](list(roll.faces)), roll


def test_shows_a_number_twice_needs_it_on_two_dice() -> None:
    assert parse_condition("shows 2 and 2", 3).holds(Roll.of(2, 2, 5))
    assert not parse_condition("shows 2 and 2", 3).holds(Roll.of(2, 3, 5))


expressions = st.recursive(
    st.sampled_from(sorted(ATOMS)).map(lambda atom: (atom, ATOMS[atom])),
    lambda inner: st.one_of(
        inner.map(lambda e: (f"not ({e[0]})", lambda d, e=e: not e[1](d))),
        st.tuples(inner, inner).map(
            lambda p: (f"({p[0][0]}) and ({p[1][0]})", lambda d, p=p: p[0][1](d) and p[1][1](d))
        ),
        st.tuples(inner, inner).map(lambda p: (f"({p[0][0]}) or ({p[1][0]})", lambda d, p=p: p[0][1](d) or p[1][1](d))),
    ),
    max_leaves=6,
)


@given(expressions, st.sampled_from(rolls(3)))
def test_and_or_not_mean_what_they_say(expression: tuple, roll: Roll) -> None:  # type: ignore[type-arg]
    text, meaning = expression
    assert parse_condition(text, 3).holds(roll) == meaning(list(roll.faces))


def test_and_binds_tighter_than_or_and_not_tightest() -> None:
    loose = parse_condition("triple or total odd and not count(1) = 1", 3)
    tight = parse_condition("triple or (total odd and (not (count(1) = 1)))", 3)
    assert [loose.holds(roll) for roll in rolls(3)] == [tight.holds(roll) for roll in rolls(3)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected total"),
        ("totl 4", "column 1"),
        ("total 19", "a total from 3 to 18"),
        ("total 10..4", "from 10 to 18"),
        ("count(7) = 1", "a face from 1 to 6"),
        ("count(1) ~ 1", "column 10"),
        ("count(1) 1", "one of ="),
        ("shows 1", "2 to 3 faces"),
        ("exactly 1 2", "3 faces"),
        ("three of 1 1 2 3", "different"),
        ("triple triple", "the end"),
        ("(triple", "`)`"),
        ("triple and", "found the end"),
        ("__import__('os')", "column"),
    ],
)
def test_a_wrong_condition_says_where(text: str, says: str) -> None:
    with pytest.raises(InputError, match=r"column \d+") as mistake:
        parse_condition(text, 3)
    assert says in str(mistake.value)


@given(st.text(max_size=40))
def test_any_text_parses_or_is_refused(text: str) -> None:
    try:
        condition = parse_condition(text, 3)
    except InputError:
        return
    for roll in rolls(3):
        assert condition.holds(roll) in (True, False)
