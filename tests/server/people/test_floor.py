"""The floor at a glance, and what a table would say before it is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.people.commands import AddPerson
from pitbook.people.values import Grant
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.testing import JournalTable
from tests.server.people.conftest import BOSS, Casino, Guest
from tests.table.driving import setup

pytestmark = pytest.mark.anyio

FAY, DAN, SUE = Person("fay", "floorperson"), Person("dan", "dealer"), Person("sue", "casino-supervisor")


Guests = Callable[..., Guest]


async def floor_of(guest: Guests, name: str) -> dict[str, Any]:
    """All that the floor shows someone."""
    visitor = guest()
    await visitor.sign_in(name)
    response = await visitor.get("/floor")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def seen_by(guest: Guests, name: str) -> list[dict[str, Any]]:
    """The tables that the floor shows someone."""
    found: list[dict[str, Any]] = (await floor_of(guest, name))["tables"]
    return found


def does(casino: Casino, who: Person, command: c.Command) -> None:
    answer = casino.house.ask("t1", who, command)
    assert answer.refused is None, answer


async def test_each_sees_the_tables_that_they_look_after_and_nobody_else_sees_any(casino: Casino) -> None:
    casino.open_table("t1")
    casino.open_table("t2")
    async with casino.open() as guest:
        assert (await guest().get("/floor")).status_code == 401
        assert [one["id"] for one in await seen_by(guest, "fay")] == ["t1"]
        assert [one["id"] for one in await seen_by(guest, "max")] == ["t1", "t2"]
        assert await seen_by(guest, "ann") == []


async def test_the_floor_says_what_a_table_lacks_until_it_lacks_nothing(casino: Casino) -> None:
    casino.open_table()
    casino.done(BOSS, AddPerson("sue", "Sue", (Grant("casino-supervisor", "t1"),)))
    lit = tuple(illuminate(casino.house.table("t1").rules, Roll.of(1, 2, 3)))
    async with casino.open() as guest:
        (table,) = await seen_by(guest, "fay")
        assert (table["lacking"]["says"], table["lacking"]["clause"]) == ("There are no dice in the shaker.", ["1"])
        assert table["lacking"]["refusal"] == "dice-missing"
        assert (table["dealer"], table["dice"], table["staffed"]) == (None, None, True)
        does(casino, DAN, c.TakeOver())
        does(casino, FAY, c.PutDice("red"))
        does(casino, FAY, c.Inspect("device-before-opening", (1, 2, 3), lit))
        does(casino, FAY, c.Inspect("shaker-before-opening", proper=3))
        (table,) = await seen_by(guest, "fay")
        assert "Not inspected in this shift yet: " in table["lacking"]["says"]
        assert table["dice"]["until"].startswith("2026-03-02T12")
        does(casino, SUE, c.Inspect("shaker-each-shift", proper=3))
        (table,) = await seen_by(guest, "fay")
        assert (table["lacking"], table["dealer"], table["due"]["who"]) == (None, "Dan", ["dealer"])


async def test_the_floor_sees_a_table_give_out_more_chips_than_were_filled_in(casino: Casino) -> None:
    casino.open_table()
    does(casino, Person("ann", "player"), c.BuyIn(50_00))
    async with casino.open() as guest:
        (table,) = await seen_by(guest, "fay")
        assert table["float"] == -50_00
        does(casino, FAY, c.Fill(200_00, Person("sue", "casino-supervisor")))
        (table,) = await seen_by(guest, "fay")
        assert table["float"] == 150_00


async def test_the_floor_says_what_holds_a_table_up_and_what_waits_there(casino: Casino) -> None:
    casino.open_table("t1", automatic=c.Automatic())
    does(casino, BOSS, c.Pause("a spilt drink"))
    async with casino.open() as guest:
        (table,) = await seen_by(guest, "max")
        assert table["stopped"] == [{"why": "paused", "what": "a spilt drink", "name": None}]
        assert table["lacking"]["says"] == "The table is paused: a spilt drink"
        zoe = guest()
        await zoe.sign_in("zoe")
        fill = {"type": "Fill", "amount": 500_00, "second": {"name": "max", "role": "manager"}}
        assert (await zoe.post("/tables/t1/commands", {"command": fill})).status_code == 202
        (own,) = (await zoe.get("/floor")).json()["tables"]
        (others,) = await seen_by(guest, "max")
        assert (own["approvals"], own["yours"]) == (1, 0)
        assert (others["approvals"], others["yours"]) == (1, 1)


async def test_the_floor_adds_up_stakes_exposure_and_win_by_money(casino: Casino) -> None:
    table = JournalTable(casino.house, "massachusetts-sic-bo", "t1")
    casino.open_table("t2")
    casino.open_table("t3", automatic=c.Automatic())
    table.buy_in("ann")
    table.bet("ann", "small=10")
    async with casino.open() as guest:
        dollars, play = (await floor_of(guest, "max"))["totals"]
        assert (dollars["money"], dollars["play_money"], dollars["tables"]) == ("USD", False, 2)
        assert (dollars["staked"], dollars["exposure"]) == (10_00, 10_00)
        assert dollars["win"] == {"wagered": 0, "won": 0, "theory": 0.0}
        assert (play["play_money"], play["tables"], play["staked"]) == (True, 1, 0)
        table.play_round(4, 5, 6)
        found = await floor_of(guest, "max")
    dollars, _ = found["totals"]
    assert (dollars["staked"], dollars["exposure"]) == (0, 0)
    assert (dollars["win"]["wagered"], dollars["win"]["won"]) == (10_00, 10_00)
    assert dollars["win"]["theory"] == pytest.approx(10_00 * 6 / 216)
    assert found["tables"][0]["win"] == dollars["win"]


async def test_only_supervisors_see_what_their_table_won(casino: Casino) -> None:
    casino.open_table("t1")
    async with casino.open() as guest:
        dealt, supervised = await floor_of(guest, "dan"), await floor_of(guest, "fay")
    (own,) = dealt["tables"]
    assert (own["supervised"], own["win"], dealt["totals"][0]["win"]) == (False, None, None)
    assert (supervised["tables"][0]["supervised"], supervised["tables"][0]["win"]["won"]) == (True, 0)


async def test_a_trial_says_what_would_be_refused_and_leaves_no_trace(casino: Casino) -> None:
    wanted = msgspec.to_builtins(setup("massachusetts-sic-bo"))
    async with casino.open() as guest:
        zoe, dan = guest(), guest()
        await zoe.sign_in("zoe")
        await dan.sign_in("dan")

        async def trial(**changes: Any) -> dict[str, Any]:
            command = {"type": "OpenTable", "setup": {**wanted, **changes}}
            response = await zoe.post("/tables/north/trial", {"command": command})
            assert response.status_code == 200, response.text
            found: dict[str, Any] = response.json()
            return found

        assert await trial() == {
            "refused": None,
            "says": "",
            "clauses": [],
            "reading": None,
            "policy": False,
            "second": False,
            "message": None,
        }
        found = await trial(currency="SGD")
        says = "The book's amounts are in USD. Another currency needs a book of your own."
        assert (found["refused"], found["says"]) == ("configuration", says)
        assert found["message"] == {"id": "refusals.tables.currency", "params": {"currency": "USD"}, "text": says}
        assert (await dan.post("/tables/north/trial", {"command": {"type": "TakeOver"}})).status_code == 404
        refused = await dan.post("/tables/north/trial", {"command": {"type": "OpenTable", "setup": wanted}})
        assert refused.status_code == 403
        bet = {"type": "PlaceBets", "bets": [{"wager": "small", "amount": 100}]}
        assert (await zoe.post("/tables/north/trial", {"command": bet})).status_code == 422
    assert not casino.house.has_table("north")
    assert "north" not in casino.house.tables()


async def test_a_trial_looks_at_the_same_persons_as_the_command_itself(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        dan = guest()
        await dan.sign_in("dan")
        call = {"type": "Call", "irregularity": "none", "present": [{"name": "ann", "role": "floorperson"}]}
        tried = await dan.post("/tables/t1/trial", {"command": call})
        waiting = await dan.post("/tables/t1/commands", {"command": call})
        assert (tried.status_code, waiting.status_code) == (422, 422)
        assert tried.json()["detail"] == waiting.json()["detail"]
        assert "ann does not hold the role “floorperson” here" in tried.json()["detail"]


async def test_a_trial_names_the_clause_and_says_that_a_second_person_is_needed(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        fay = guest()
        await fay.sign_in("fay")
        opens = {"command": {"type": "PutDice", "set": "red", "count": 2}}
        found = (await fay.post("/tables/t1/trial", opens)).json()
        assert (found["says"], found["clauses"]) == ("A set has 3 dice, not 2.", ["1"])
        drop = {"command": {"type": "CollectDrop", "second": {"name": "flo", "role": "floorperson"}}}
        assert (await fay.post("/tables/t1/trial", drop)).json()["second"] is True
    assert casino.house.table("t1").dice is None
