"""The set-up of a table: what is just inside its bounds opens a table, and what is just outside is refused."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pitbook.rulebooks.catalogue import HOUSE_BOOKS
from pitbook.table import commands as c
from pitbook.table.decide import Context, Decision, decide
from pitbook.table.refusals import Reason, Refusal
from pitbook.testing import person
from tests.table.driving import DrivenTable, setup
from tests.table.sic_bo import packaged

BOSS = "max the manager"
SINGAPORE = "singapore-mbs-sic-bo-v6"
MASSACHUSETTS = "massachusetts-sic-bo"


def automatic(**changes: Any) -> c.Setup:
    return setup(SINGAPORE, automatic=c.Automatic(**changes), shaker="automated")


@pytest.mark.parametrize(
    "changes",
    [
        {"betting_seconds": 5, "rest_seconds": 1, "reveal_seconds": 5, "play_stack": 1},
        {"betting_seconds": 600, "rest_seconds": 600, "reveal_seconds": 600},
        {"real_money": True, "approval": "GRA 7"},
    ],
)
def test_an_automatic_table_opens_at_the_bounds_of_its_times(changes: dict[str, Any]) -> None:
    DrivenTable().does(BOSS, c.OpenTable(automatic(**changes)))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            {"betting_seconds": 4},
            "An automatic table takes bets for 5 to 600 seconds and pauses for 1 to 600; its play money must be",
        ),
        (
            {"betting_seconds": 601},
            "An automatic table takes bets for 5 to 600 seconds and pauses for 1 to 600; its play money must be",
        ),
        (
            {"rest_seconds": 0},
            "An automatic table takes bets for 5 to 600 seconds and pauses for 1 to 600; its play money must be",
        ),
        (
            {"rest_seconds": 601},
            "An automatic table takes bets for 5 to 600 seconds and pauses for 1 to 600; its play money must be",
        ),
        (
            {"play_stack": 0},
            "An automatic table takes bets for 5 to 600 seconds and pauses for 1 to 600; its play money must be",
        ),
        ({"reveal_seconds": 4}, "are due 5 to 600 seconds after betting closes"),
        ({"reveal_seconds": 601}, "are due 5 to 600 seconds after betting closes"),
        (
            {"real_money": True},
            "Real money at an automatic table needs the approval reference for the electronic tumbler.",
        ),
        (
            {"real_money": True, "approval": " "},
            "Real money at an automatic table needs the approval reference for the electronic tumbler.",
        ),
    ],
)
def test_an_automatic_table_does_not_open_outside_of_them(changes: dict[str, Any], says: str) -> None:
    assert says in DrivenTable().refused(BOSS, c.OpenTable(automatic(**changes)), Reason.CONFIGURATION).says


@pytest.mark.parametrize(
    "changes",
    [
        {"limits": {"*": c.Limit(1, 1)}},
        {"limits": {"small": c.Limit(5_00, 5_00), "total": c.Limit(1_00, 2_00)}},
        {"payout_max": 1},
        {"number": 1},
        {"number": 9999},
    ],
)
def test_a_table_opens_with_the_narrowest_limits(changes: dict[str, Any]) -> None:
    DrivenTable().does(BOSS, c.OpenTable(setup(MASSACHUSETTS, shaker="automated", **changes)))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            {"limits": {"*": c.Limit(0, 1)}},
            "*: the minimum (US$0) must be above zero and no higher than the maximum (US$0.01).",
        ),
        (
            {"limits": {"*": c.Limit(2, 1)}},
            "*: the minimum (US$0.02) must be above zero and no higher than the maximum (US$0.01).",
        ),
        ({"limits": {"smal": c.Limit(1, 2)}}, "A limit names smal, which is not a bet, a family or a group."),
        ({"payout_max": 0}, "The payout limit must be above zero."),
        ({"number": 0}, "The table's number must be from 1 to 9999."),
        ({"number": 10_000}, "The table's number must be from 1 to 9999."),
        ({"paytables": {"small": "z"}}, "small has no pay table z."),
        ({"paytables": {"smal": "a"}}, "smal has no pay table a."),
        ({"shifts": ("25:00",)}, "25:00 is not a time of day. Write it like 06:00."),
    ],
)
def test_a_set_up_that_cannot_be_is_refused(changes: dict[str, Any], says: str) -> None:
    refusal = DrivenTable().refused(
        BOSS, c.OpenTable(setup(MASSACHUSETTS, shaker="automated", **changes)), Reason.CONFIGURATION
    )
    assert says in refusal.says


@pytest.mark.parametrize("book", HOUSE_BOOKS)
def test_a_table_is_opened_under_a_book_of_the_house(book: str) -> None:
    table = DrivenTable()
    table.does(BOSS, c.OpenTable(setup(book)))
    assert table.table.rules.id == book


def test_the_facility_has_a_name_and_the_currency_is_the_books() -> None:
    plain = setup(MASSACHUSETTS, shaker="automated")
    nameless, foreign = replace(plain, facility=" "), replace(plain, currency="SGD")
    assert (
        DrivenTable().refused(BOSS, c.OpenTable(nameless), Reason.CONFIGURATION).says
        == "Enter the name of the facility."
    )
    assert "amounts are in USD" in DrivenTable().refused(BOSS, c.OpenTable(foreign), Reason.CONFIGURATION).says


def test_what_is_fixed_while_a_table_is_open() -> None:
    table = DrivenTable()
    run = c.Automatic(betting_seconds=20)
    open_as = setup(SINGAPORE, automatic=run, shaker="automated")
    table.does(BOSS, c.OpenTable(open_as))
    fixed = "The book, currency, shaker and mode can't be changed while the table is open. Close it first."
    for wrong in (
        replace(open_as, automatic=None),
        replace(open_as, automatic=replace(run, real_money=True, approval="GRA 7")),
        replace(open_as, shaker="manual"),
        setup(MASSACHUSETTS, automatic=run, shaker="automated"),
    ):
        assert table.refused(BOSS, c.ChangeSetup(wrong), Reason.CONFIGURATION).says == fixed
    table.does(BOSS, c.ChangeSetup(replace(open_as, automatic=replace(run, betting_seconds=30))))
    assert table.table.automatic is not None
    assert table.table.automatic.betting_seconds == 30


def test_a_shift_has_a_name_of_its_own() -> None:
    table = DrivenTable()
    table.does(BOSS, c.OpenTable(setup(MASSACHUSETTS, shaker="automated")))
    table.does(BOSS, c.StartShift("night"))
    for name in ("night", " ", ""):
        assert "a new name" in table.refused(BOSS, c.StartShift(name), Reason.CONFIGURATION).says
    table.does(BOSS, c.StartShift("day"))
    assert table.table.shift == "day"


def test_an_open_table_is_not_opened_again() -> None:
    table = DrivenTable()
    plain = setup(MASSACHUSETTS, shaker="automated")
    table.does(BOSS, c.OpenTable(plain))
    table.refused(BOSS, c.OpenTable(plain), Reason.TABLE_OPEN_ALREADY)
    table.does(BOSS, c.CloseTable())
    table.does(BOSS, c.OpenTable(plain))


def test_a_table_is_not_opened_under_an_older_edition_of_its_book() -> None:
    table, command = DrivenTable(), c.OpenTable(setup(MASSACHUSETTS))
    given = person(BOSS), table.now.isoformat(), table.balances
    older = decide(table.table, command, Context(*given, superseded=True))
    assert isinstance(older, Refusal)
    assert "is an older edition of" in older.says
    assert isinstance(decide(table.table, command, Context(*given)), Decision)


def test_a_gaming_day_starts_between_rounds() -> None:
    table = packaged(MASSACHUSETTS)
    table.does(BOSS, c.StartDay("2026-03-02"))
    assert table.table.inventory.day == "2026-03-02"
    table.go("close")
    table.refused(BOSS, c.StartDay("2026-03-03"), Reason.NOT_NOW)
