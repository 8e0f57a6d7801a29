"""A player's limits and exclusion: tighter at once, looser a day later, never shorter."""

from __future__ import annotations

import pytest

from pitbook.people import commands as c
from pitbook.people import events as e
from pitbook.people.limits import FOR_EVER, limits_at, play_problem
from pitbook.people.refusals import Reason
from pitbook.people.values import Limits
from pitbook.table.people import Person
from tests.people.people_in_memory import ANN, DAN, MAX, MIA, PeopleInMemory, make_people


def refusal_of(house: PeopleInMemory) -> str:
    """Return why ann may not play now."""
    problem = play_problem(house.account("ann"), house.at)
    assert problem is not None
    return problem.text()


def holding(house: PeopleInMemory) -> Limits:
    return limits_at(house.account("ann"), house.at)


def test_a_first_limit_holds_at_once() -> None:
    house = make_people()
    house.does(ANN, c.SetLimits({"SGD": 10_000, "play-SGD": 5}, 3_600))
    assert holding(house) == Limits({"SGD": 10_000, "play-SGD": 5}, 3_600)


def test_a_tighter_limit_holds_at_once_and_a_looser_one_a_day_later() -> None:
    house = make_people()
    house.does(ANN, c.SetLimits({"SGD": 10_000}, 3_600))
    house.does(ANN, c.SetLimits({"SGD": 20_000}, 1_800))
    assert holding(house) == Limits({"SGD": 10_000}, 1_800)
    house.wait(hours=23, minutes=59, seconds=59.999999)
    assert holding(house) == Limits({"SGD": 10_000}, 1_800)
    house.wait(microseconds=1)
    assert holding(house) == Limits({"SGD": 20_000}, 1_800)


def test_to_remove_a_limit_is_to_loosen_it() -> None:
    house = make_people()
    house.does(ANN, c.SetLimits({"SGD": 10_000}, 3_600))
    house.does(ANN, c.SetLimits())
    assert holding(house) == Limits({"SGD": 10_000}, 3_600)
    house.wait(hours=24)
    assert holding(house) == Limits()


def test_a_second_loosening_does_not_shorten_the_wait() -> None:
    house = make_people()
    house.does(ANN, c.SetLimits({"SGD": 100}))
    house.does(ANN, c.SetLimits({"SGD": 200}))
    house.wait(hours=23)
    house.does(ANN, c.SetLimits({"SGD": 1_000_000}))
    house.wait(hours=1)
    assert holding(house) == Limits({"SGD": 100})
    house.wait(hours=23)
    assert holding(house) == Limits({"SGD": 1_000_000})


def test_to_want_less_than_one_waits_for_does_not_lengthen_the_wait() -> None:
    house = make_people()
    house.does(ANN, c.SetLimits({"SGD": 100}))
    house.does(ANN, c.SetLimits({"SGD": 300}))
    house.refused(ANN, c.SetLimits({"SGD": 300}), Reason.NOTHING_TO_DO)
    house.wait(hours=23)
    house.does(ANN, c.SetLimits({"SGD": 200}))
    house.wait(hours=1)
    assert holding(house) == Limits({"SGD": 200})


def test_to_tighten_takes_back_what_was_to_be_loosened() -> None:
    house = make_people()
    house.does(ANN, c.SetLimits({"SGD": 100}))
    house.does(ANN, c.SetLimits({"SGD": 200}))
    house.does(ANN, c.SetLimits({"SGD": 50}))
    house.wait(hours=48)
    assert holding(house) == Limits({"SGD": 50})


def test_a_loosening_is_withdrawn_before_it_holds() -> None:
    house = make_people()
    house.does(ANN, c.SetLimits({"SGD": 100}, 60))
    house.refused(ANN, c.KeepLimits(), Reason.NOTHING_TO_DO)
    house.does(ANN, c.SetLimits({}, 60))
    house.wait(hours=23)
    house.does(ANN, c.KeepLimits())
    house.wait(hours=48)
    assert holding(house) == Limits({"SGD": 100}, 60)
    house.refused(ANN, c.KeepLimits(), Reason.NOTHING_TO_DO)


@pytest.mark.parametrize(
    "command",
    [
        *(c.SetLimits({"SGD": -1}), c.SetLimits({"sgd": 1}), c.SetLimits({"seconds": 1}), c.SetLimits({}, -1)),
        *(c.SetLimits({}, 86_401), c.SetLimits({"SGD": 10**16}), c.SetLimits({"": 1})),
    ],
)
def test_limits_that_cannot_be(command: c.SetLimits) -> None:
    make_people().refused(ANN, command, Reason.BAD_LIMIT)


def test_limits_are_the_players_own() -> None:
    house = make_people()
    house.refused(MAX, c.SetLimits({"SGD": 1}), Reason.WRONG_ROLE)
    house.refused(DAN, c.SetLimits({"SGD": 1}), Reason.WRONG_ROLE)
    house.refused(Person("dan", "player"), c.SetLimits({"SGD": 1}), Reason.WRONG_ROLE)
    house.refused(Person("eve", "player"), c.SetLimits({"SGD": 1}), Reason.UNKNOWN_PERSON)


def test_an_exclusion_holds_at_once_until_it_is_over() -> None:
    house = make_people()
    assert play_problem(house.account("ann"), house.at) is None
    house.does(ANN, c.Exclude("2026-03-08T12:00:00+00:00"))
    assert refusal_of(house) == "ann is excluded from play until 8 Mar 2026, 12:00 UTC."
    house.wait(days=7)
    assert play_problem(house.account("ann"), house.at) is None


def test_nobody_makes_an_exclusion_shorter() -> None:
    house = make_people()
    house.does(ANN, c.Exclude("2026-04-01T00:00:00Z"))
    for person, whom in ((ANN, None), (MAX, "ann")):
        house.refused(person, c.Exclude("2026-03-31T00:00:00Z", whom), Reason.EXCLUDED)
        house.refused(person, c.Exclude("2026-04-01T02:00:00+02:00", whom), Reason.EXCLUDED)
    house.does(MAX, c.Exclude("2026-05-01T00:00:00Z", "ann"))
    house.does(ANN, c.Exclude(None))
    house.refused(MAX, c.Exclude(None, "ann"), Reason.EXCLUDED)
    assert house.account("ann").excluded_until == FOR_EVER
    house.does(MAX, c.Deactivate("ann", "x"))
    house.does(MAX, c.Reactivate("ann"))
    house.wait(days=100_000)
    assert refusal_of(house) == "ann is excluded from play permanently."


def test_a_manager_excludes_nobody_who_is_not_excluded() -> None:
    house = make_people()
    house.refused(MAX, c.Exclude(None, "ann"), Reason.NOT_EXCLUDED)
    house.refused(ANN, c.Exclude(None, "dan"), Reason.WRONG_ROLE)
    house.refused(MIA, c.Exclude(None, "ann"), Reason.UNKNOWN_PERSON)
    assert isinstance(house.does(ANN, c.Exclude(None, "Ann"))[0], e.Excluded)


@pytest.mark.parametrize(
    "until", ["", "tomorrow", "2027-01-01", "2027-01-01T00:00:00", "2026-03-01T12:00:00Z", "0001-01-01T00:00:00+14:00"]
)
def test_an_exclusion_ends_at_a_time_to_come(until: str) -> None:
    make_people().refused(ANN, c.Exclude(until), Reason.BAD_TIME)


def test_a_deactivated_person_does_not_play() -> None:
    house = make_people()
    house.does(MAX, c.Deactivate("ann", "cheated"))
    assert refusal_of(house) == "The account ann is closed."
