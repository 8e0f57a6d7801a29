"""The watch as its users meet it: a value, an alarm that stays, a curve, a table's record."""

from __future__ import annotations

from math import exp, log
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitbook.errors import InputError
from pitbook.fairness.sets import Item, Watches, watch_sets
from pitbook.fairness.simulate import WatchedSets, fair_dice, throw_dice
from pitbook.fairness.watch import LARGEST, MARKS, Watch, false_alarms_per_year

faces = st.tuples(*[st.integers(1, 6)] * 3)
SIXES = [(6, 6, 6)] * 12


def fair_throws(count: int, dice: int = 3, seed: int = 1) -> list[tuple[int, ...]]:
    chance = Random(seed)
    return [tuple(chance.choices(range(1, 7), k=dice)) for _ in range(count)]


def test_a_watch_begins_with_a_wealth_of_one_and_no_alarm() -> None:
    watch = Watch.start(3)
    assert (watch.throws, watch.wealth, watch.peak, watch.alarm, watch.level) == (0, 1.0, 1.0, False, 0.001)
    assert list(watch.parts) == ["common face law", "one loaded die", "excess triples", "serial dependence"]
    assert list(Watch.start(2).parts) == ["common face law", "one loaded die", "excess doubles", "serial dependence"]
    assert all(part == pytest.approx(0, abs=1e-12) for part in watch.parts.values())


def test_the_alarm_is_raised_when_the_wealth_reaches_the_inverse_of_the_level() -> None:
    before = watch = Watch.start(3)
    for throw in SIXES:
        before, watch = watch, watch.add_throw(throw)
        if watch.alarm:
            break
    assert before.wealth < 1000 <= watch.wealth
    assert watch.alarm_at == watch.throws
    assert not Watch.start(3, 1e-9).add_throws(SIXES[: watch.throws]).alarm


@settings(deadline=None, max_examples=60)
@given(st.lists(faces, max_size=40), st.sampled_from([0.5, 0.1, 0.001]))
def test_wealth_is_never_below_nothing_and_an_alarm_stays(throws: list[tuple[int, ...]], level: float) -> None:
    watch, wealths = Watch.start(3, level), [1.0]
    for throw in throws:
        before, watch = watch, watch.add_throw(throw)
        wealths.append(watch.wealth)
        assert watch.alarm or not before.alarm
        assert watch.alarm == (max(wealths) >= 1 / level)
    assert min(wealths) > 0
    assert watch.peak == max(wealths)
    assert watch.throws == len(throws)
    assert watch.wealth == pytest.approx(sum(map(exp, watch.parts.values())) / 4)


def test_an_alarm_stays_though_the_dice_behave_again() -> None:
    watch = Watch.start(3).add_throws([*SIXES, *fair_throws(3000)])
    assert watch.alarm
    assert watch.wealth < 1000 < watch.peak


def test_wealth_without_end_stays_a_number() -> None:
    watch = Watch.start(3).add_throws([(6, 6, 6)] * 2000)
    assert watch.log_wealth > 2000
    assert watch.wealth == watch.peak == LARGEST


def test_a_long_run_of_fair_dice_leaves_what_is_held_back() -> None:
    watch = Watch.start(3).add_throws(fair_throws(5000))
    assert 0.75 * 0.5 / 6 < watch.wealth < 1


@settings(deadline=None, max_examples=20)
@given(st.lists(faces, max_size=30), st.lists(faces, max_size=5))
def test_a_stored_watch_goes_on_as_if_it_had_never_been_away(
    before: list[tuple[int, ...]], after: list[tuple[int, ...]]
) -> None:
    watch = Watch.start(3).add_throws(before)
    for store in (msgspec.json, msgspec.msgpack):
        assert store.decode(store.encode(watch), type=Watch) == watch
    stored = msgspec.json.decode(msgspec.json.encode(watch), type=Watch)
    assert stored.add_throws(after) == Watch.start(3).add_throws([*before, *after])


def test_a_watch_of_other_tables_is_not_gone_on_with() -> None:
    old = msgspec.structs.replace(Watch.start(3), version=0)
    with pytest.raises(InputError, match="rebuild it from the record"):
        old.add_throw((1, 2, 3))


def test_the_curve_has_few_points_the_first_and_the_last_among_them() -> None:
    throws = fair_throws(3 * MARKS + 5)
    watch, curve = Watch.start(3), [0.0]
    for throw in throws:
        watch = watch.add_throw(throw)
        curve.append(watch.log_wealth / log(10))
    for most in (2, 10, 200, 5000):
        points = watch.history(most)
        assert len(points) <= most
        assert points[0] == (0, 0.0)
        assert points[-1] == (len(throws), curve[-1])
        assert all(curve[at] == height for at, height in points)
    assert len(watch.marks) <= MARKS
    assert len(watch.history(200)) > 100
    assert Watch.start(2).history() == [(0, 0.0)]


def test_simulated_sets_and_the_watch_come_to_the_same() -> None:
    for dice in (2, 3):
        sets, watches = WatchedSets(dice, 4), [Watch.start(dice)] * 4
        for thrown_faces in throw_dice(fair_dice(dice), 300, 4, np.random.default_rng(3)):
            wealth = sets.add_throws(thrown_faces)
            watches = [watch.add_throw(one.tolist()) for watch, one in zip(watches, thrown_faces + 1, strict=True)]
            assert wealth == pytest.approx([watch.wealth for watch in watches], rel=1e-9)


@pytest.mark.parametrize("wrong", [(1, 2), (1, 2, 7), (0, 1, 2), (1, 2, 3, 4), (), "123", (1, 2, [3])])
def test_an_invalid_roll_is_refused_in_one_line(wrong: object) -> None:
    with pytest.raises(InputError, match="is not a roll of 3 dice; give their faces, like 1-2-3"):
        Watch.start(3).add_throw(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("level", [0, 1, -0.1, 2, float("nan")])
def test_a_level_is_a_chance(level: float) -> None:
    with pytest.raises(InputError, match="give a chance above 0 and below 1"):
        Watch.start(3, level)


@pytest.mark.parametrize("dice", [0, 1, 4, True])
def test_two_or_three_dice_are_watched(dice: int) -> None:
    with pytest.raises(InputError, match=r"cannot watch \w+ dice; choose 2 or 3"):
        Watch.start(dice)


def test_false_alarms_are_counted_by_sets() -> None:
    assert false_alarms_per_year(0.001, 3650) == pytest.approx(3.65)
    assert false_alarms_per_year(0.001, 0) == 0
    with pytest.raises(InputError, match="not a valid number of sets per year"):
        false_alarms_per_year(0.001, -1)


def test_a_new_set_starts_over_and_the_old_one_keeps_its_alarm() -> None:
    after = fair_throws(20)
    record: list[Item] = [("dice put", "red"), *(("throw", one) for one in SIXES), ("dice put", "blue")]
    found = watch_sets([*record, *(("throw", one) for one in after)], dice=3)
    assert list(found) == ["red", "blue"]
    assert found["red"] == Watch.start(3).add_throws(SIXES)
    assert found["blue"] == Watch.start(3).add_throws(after)
    assert found["red"].alarm
    assert not found["blue"].alarm


def test_a_set_that_comes_back_goes_on_with_its_watch() -> None:
    record: list[Item] = [
        *(("dice put", "red"), ("throw", (6, 6)), ("dice put", "blue"), ("throw", (1, 2))),
        *(("dice put", "red"), ("throw", (5, 6))),
    ]
    assert watch_sets(record, dice=2)["red"] == Watch.start(2).add_throws([(6, 6), (5, 6)])


lines = st.one_of(
    st.tuples(st.just("dice put"), st.sampled_from(["red", "blue"])),
    st.tuples(st.sampled_from(["throw", "corrected"]), faces),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(lines, max_size=25))
def test_a_corrected_record_gives_the_watch_of_what_was_really_thrown(record: list[Item]) -> None:
    record = [("throw", (1, 2, 3)), *record]
    truth: dict[str, list[object]] = {"": []}
    current = last = ""
    for kind, what in record:
        if kind == "dice put":
            current = str(what)
            truth.setdefault(current, [])
        elif kind == "throw":
            truth[current].append(what)
            last = current
        else:
            truth[last][-1] = what
    assert watch_sets(record, dice=3) == {
        name: Watch.start(3).add_throws(throws)  # type: ignore[arg-type]
        for name, throws in truth.items()
    }


def test_an_alarm_by_a_misread_throw_goes_with_the_misreading() -> None:
    alarm = Watch.start(3).add_throws(SIXES).alarm_at
    assert alarm is not None
    record: list[Item] = [("throw", one) for one in SIXES[:alarm]]
    assert watch_sets(record, dice=3)[""].alarm
    assert not watch_sets([*record, ("corrected", (1, 2, 4))], dice=3)[""].alarm


def test_a_correction_without_a_throw_and_an_unknown_line_are_refused() -> None:
    with pytest.raises(InputError, match="no throw to correct"):
        watch_sets([("dice put", "red"), ("corrected", (1, 2))], dice=2)
    with pytest.raises(InputError, match="is not a valid record line"):
        watch_sets([("rolled", (1, 2))], dice=2)  # type: ignore[list-item]


def test_the_watches_of_a_table_can_be_stored() -> None:
    watches = Watches(2).put("red").add_throw((1, 2)).add_throw((6, 6))
    stored = msgspec.json.decode(msgspec.json.encode(watches), type=Watches)
    assert stored == watches
    assert stored.correct_throw((1, 6)).watch == Watch.start(2).add_throws([(1, 2), (1, 6)])
