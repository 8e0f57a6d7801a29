"""Numbers of tables on the floor: no two open tables have the same, in whatever order and process they get them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pitbook.house.answers import Answer, answer_of
from pitbook.house.house import House
from pitbook.messages import Message
from pitbook.table import commands as c
from pitbook.table.refusals import Reason
from pitbook.testing import MANAGER
from tests.house.racing import Submit, TwoHouses, two_houses
from tests.table.driving import setup

MARYLAND, SINGAPORE = "maryland-sic-bo", "singapore-mbs-sic-bo-v6"


@pytest.fixture
def houses(where: str) -> Iterator[TwoHouses]:
    with two_houses(where) as both:
        yield both


@pytest.fixture
def house(houses: TwoHouses) -> House:
    return houses.first


def opening(number: int | None, book: str = MARYLAND) -> c.OpenTable:
    shaker = "automated" if book == SINGAPORE else "manual"
    return c.OpenTable(setup(book, number=number, shaker=shaker))


def ask(house: House, table: str, command: c.Command) -> Answer:
    return house.ask(table, MANAGER, command)


def taken(number: int, table: str) -> tuple[Reason, Message]:
    return Reason.CONFIGURATION, Message("refusals.tables.number-taken", {"number": number, "table": table})


def why(answer: Answer) -> tuple[str | None, Message | None]:
    return answer.refused, answer.message


def numbers(house: House) -> dict[str, int | None]:
    """Return the numbers of the open tables."""
    tables = {name: house.table(name) for name in house.tables()}
    return {name: table.setup.number for name, table in tables.items() if table.open and table.setup is not None}


def test_a_number_that_another_open_table_has_is_refused(house: House) -> None:
    assert ask(house, "east", opening(3)).refused is None
    assert why(ask(house, "west", opening(3, SINGAPORE))) == taken(3, "east")
    assert ask(house, "west", opening(4, SINGAPORE)).refused is None
    assert ask(house, "north", opening(None)).refused is None
    assert ask(house, "south", opening(None)).refused is None  # those without a number are not compared
    assert numbers(house) == {"east": 3, "west": 4, "north": None, "south": None}


def test_a_new_setup_keeps_its_own_number_and_takes_no_other(house: House) -> None:
    for table, number in (("east", 3), ("west", 4)):
        assert ask(house, table, opening(number)).refused is None
    assert ask(house, "east", c.ChangeSetup(setup(MARYLAND, number=3, payout_max=1_000_00))).refused is None
    assert why(ask(house, "east", c.ChangeSetup(setup(MARYLAND, number=4)))) == taken(4, "west")
    assert ask(house, "east", c.ChangeSetup(setup(MARYLAND, number=5))).refused is None
    assert ask(house, "west", c.ChangeSetup(setup(MARYLAND, number=3))).refused is None
    assert numbers(house) == {"east": 5, "west": 3}


def test_a_closed_table_has_to_get_a_new_number_if_another_has_its_own(house: House) -> None:
    assert ask(house, "east", opening(3)).refused is None
    assert ask(house, "east", c.CloseTable()).refused is None
    assert ask(house, "west", opening(3)).refused is None
    assert why(ask(house, "east", opening(3))) == taken(3, "west")
    assert ask(house, "east", opening(6)).refused is None
    assert numbers(house) == {"east": 6, "west": 3}


def test_a_trial_says_that_a_number_is_taken(house: House) -> None:
    assert ask(house, "east", opening(3)).refused is None
    refused = house.trial("west", MANAGER, opening(3))
    assert refused is not None
    assert (refused.why, refused.message) == taken(3, "east")
    assert house.trial("west", MANAGER, opening(4)) is None
    assert house.trial("east", MANAGER, c.ChangeSetup(setup(MARYLAND, number=3))) is None


def gives(table: str, command: c.Command) -> Submit:
    return lambda house: house.submit(table, MANAGER, command)


@pytest.mark.parametrize("late", ["a new table", "a closed table", "a new setup"])
def test_of_two_managers_who_give_one_number_at_the_same_moment_one_is_refused(houses: TwoHouses, late: str) -> None:
    command: c.Command = opening(3)
    if late != "a new table":
        assert ask(houses.first, "west", opening(4)).refused is None
    if late == "a closed table":
        assert ask(houses.first, "west", c.CloseTable()).refused is None
    if late == "a new setup":
        command = c.ChangeSetup(setup(MARYLAND, number=3))
    answers = [answer_of(one) for one in houses.race(gives("east", opening(3)), gives("west", command))]
    assert [why(one) for one in answers] == [(None, None), taken(3, "east")]
    assert [number for number in numbers(houses.first).values() if number == 3] == [3]


def test_a_number_is_free_for_a_table_that_opens_right_after_the_other_closes(houses: TwoHouses) -> None:
    assert ask(houses.first, "east", opening(3)).refused is None
    assert ask(houses.first, "east", c.CloseTable()).refused is None
    outcomes = houses.race(gives("east", opening(5)), gives("west", opening(3)))
    assert [one.refused for one in outcomes] == [None, None]
    assert numbers(houses.second) == {"east": 5, "west": 3}


def test_the_house_says_how_people_know_a_table(house: House) -> None:
    for table, command in (
        ("east", opening(3, SINGAPORE)),
        ("t7", opening(None)),
        ("high-limit", opening(None)),
        ("maryland", opening(None)),
    ):
        assert ask(house, table, command).refused is None
    named = {table: house.table_name(table) for table in ("east", "t7", "high-limit", "maryland", "nowhere", "house")}
    english = {table: None if name is None else name.text() for table, name in named.items()}
    assert english == {
        "east": "Table 3 · Sic Bo (SG)",
        "t7": "Table 7 · Sic Bo (MD)",
        "high-limit": "High Limit · Sic Bo (MD)",
        "maryland": "Sic Bo (MD)",
        "nowhere": None,
        "house": None,
    }
    refused = Message("refusals.tables.number-taken", {"number": 3, "table": "east"})
    assert refused.text("en", house.table_name) == (
        "Another open table (Table 3 · Sic Bo (SG)) has the number 3. Choose another number."
    )
    assert "（3 號檯 · " in refused.text("zh-Hant", house.table_name)
    assert refused.text() == "Another open table (table east) has the number 3. Choose another number."
