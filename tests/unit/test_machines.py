"""Machines: compiling, merging, and the laws that every one of them obeys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.dice import Roll, Total, rolls
from pitbook.rulebooks.catalogue import PACKAGED, SHIPPED, load
from pitbook.rulebooks.wagers import Collect, Count, Pattern, Repeat, Spec
from pitbook.wager.games import End
from pitbook.wager.hand import COME_OUT, HANDS, POINTS, Call, Hand, step
from pitbook.wager.machine import compile_game, compile_patterns, game_of, machine_of, minimise

LOWS = frozenset({2, 3, 4, 5, 6})
TEN = frozenset({2, 3, 4, 5, 6, 8, 9, 10, 11, 12})
BOOKS = {book: load(book) for book in PACKAGED}
WAGERS = [(book, wager) for book, rules in BOOKS.items() for wager in rules.wagers]

numbers = st.frozensets(st.sampled_from(sorted(TEN)), min_size=1, max_size=5)
sevens = st.sampled_from(["any seven", "seven-out"])
points = st.frozensets(st.sampled_from(POINTS), min_size=1, max_size=4)
specs: st.SearchStrategy[Spec] = st.one_of(
    st.builds(Collect, numbers, sevens),
    st.builds(Collect, points, sevens, collected=st.just("points made")),
    st.builds(Collect, points, sevens, collected=st.just("points made"), rows=st.just(("a", "a", "a", "b", "c"))),
    st.builds(Repeat, numbers, st.integers(1, 5), sevens),
    st.builds(
        Count,
        st.sampled_from(["points made", "pass line wins"]),
        sevens,
        st.lists(st.sampled_from("abcd"), min_size=1, max_size=6).map(tuple),
    ),
)
two_dice = st.lists(st.sampled_from(rolls(2)), max_size=40)


@pytest.mark.parametrize(("book", "wager"), WAGERS)
def test_every_roll_ends_a_wager_or_keeps_it_running_and_never_leaves_the_table(book: str, wager: str) -> None:
    rules = BOOKS[book]
    machine = machine_of(rules.wagers[wager].spec, rules.dice)
    assert set(machine.ends) == set(rules.wagers[wager].rows)
    assert machine.table.min() >= 0
    assert machine.table.max() < machine.size + len(machine.ends)
    assert sum(machine.ways) == 6**rules.dice
    assert all(0 <= start < machine.size for start in machine.starts)
    reached = {target for row in machine.rows for target in row if target >= machine.size}
    assert len(reached) == len(machine.ends), "every row can be reached"


@given(specs, two_dice, st.sampled_from(range(len(HANDS))))
def test_the_table_does_what_the_step_function_says(spec: Spec, sequence: list[Roll], hand: int) -> None:
    game = game_of(spec)
    machine = machine_of(spec, 2)
    state: Any = game.starts[hand]
    place = machine.start(hand)
    for roll in sequence:
        state = game.step(state, game.sees(roll))
        place = machine.step(place, roll)
        if isinstance(state, End):
            assert machine.end(place) == state.row
            return
        assert machine.end(place) is None
        assert game.lammers(machine.states[place]) == game.lammers(state)


@given(specs, two_dice)
def test_the_merged_machine_equals_the_unmerged(spec: Spec, sequence: list[Roll]) -> None:
    plain = compile_game(game_of(spec), 2)
    merged, classes = minimise(plain)
    assert merged.size <= plain.size
    for start_plain, start_merged in zip(plain.starts, merged.starts, strict=True):
        assert classes[start_plain] == start_merged
        a, b = start_plain, start_merged
        for roll in sequence:
            a, b = plain.step(a, roll), merged.step(b, roll)
            assert plain.end(a) == merged.end(b)
            if plain.end(a) is not None:
                break
            assert classes[a] == b


@dataclass(frozen=True)
class Stuttering:
    """A game with needless states: it counts sevens modulo six, but only every second one matters to anyone."""

    rows: tuple[str, ...] = ("done",)
    starts: tuple[int, ...] = (0,)

    def sees(self, roll: Roll) -> int:
        return roll.total

    def step(self, state: int, seen: int) -> int | End:
        if seen == 2 and state % 2:
            return End("done")
        return (state + 1) % 6 if seen == 7 else state

    def lammers(self, _state: int) -> dict[str, Any]:
        return {}


def test_states_that_no_roll_tells_apart_are_merged() -> None:
    plain = compile_game(Stuttering(), 2)
    merged, classes = minimise(plain)
    assert (plain.size, merged.size) == (6, 2)
    assert classes.tolist() == [0, 1, 0, 1, 0, 1]
    assert merged.ways == (1, 29, 6)


def test_equal_dice_columns_are_merged() -> None:
    assert machine_of(Repeat(frozenset({8}), 6, "any seven"), 2).ways == (25, 6, 5)
    small = load("massachusetts-sic-bo").wagers["small"]
    assert sorted(machine_of(small.spec, 3).ways) == [105, 111]


def test_the_works_has_a_state_for_every_set_of_marks() -> None:
    assert machine_of(Collect(TEN, "any seven"), 2).size == 2**10 - 1
    assert machine_of(Collect(LOWS, "any seven"), 2).size == 2**5 - 1


def test_minimising_twice_changes_nothing() -> None:
    machine = machine_of(Collect(LOWS, "seven-out"), 2)
    again, classes = minimise(machine)
    assert np.array_equal(again.table, machine.table)
    assert classes.tolist() == list(range(machine.size))


@pytest.mark.parametrize("total", range(2, 13))
def test_the_hand_calls_every_roll_as_craps_does(total: int) -> None:
    after, call = step(COME_OUT, Total(total))
    if total in (7, 11):
        assert (after, call) == (COME_OUT, Call.NATURAL)
    elif total in (2, 3, 12):
        assert (after, call) == (COME_OUT, Call.CRAPS)
    else:
        assert (after, call) == (Hand(Total(total)), Call.POINT_SET)
    for point in POINTS:
        after, call = step(Hand(point), Total(total))
        expected = Call.POINT_MADE if total == point else Call.SEVEN_OUT if total == 7 else Call.NO_DECISION
        assert call is expected
        assert after == (Hand(point) if call is Call.NO_DECISION else COME_OUT)


@pytest.mark.parametrize("book", SHIPPED)
def test_machines_compiled_in_one_pass_are_those_compiled_one_by_one(book: str) -> None:
    rules = load(book)
    specs = [wager.spec for wager in rules.every.values() if isinstance(wager.spec, Pattern)]
    for spec, machine in zip(specs, compile_patterns(specs, rules.dice), strict=True):
        alone = compile_game(game_of(spec), rules.dice)
        assert machine.table.tolist() == alone.table.tolist()
        assert machine.columns.tolist() == alone.columns.tolist()
        assert (machine.ends, machine.states, machine.starts) == (alone.ends, alone.states, alone.starts)
        assert (machine.ways, machine.ways_to_end) == (alone.ways, alone.ways_to_end)
        assert machine.decided_at_once
