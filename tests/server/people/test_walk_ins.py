"""Walk-ins: players without an account, under names that no account can have."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from pitbook.ledger.accounts import player
from pitbook.people import commands as people
from pitbook.people.values import Policy
from pitbook.server.commands.command_handler import check_people, with_walk_in
from pitbook.server.http.problems import Problem
from pitbook.table import commands as c
from pitbook.table.people import Person
from tests.server.people.conftest import BOSS, PASSWORD, Casino, Guest
from tests.table.driving import setup

pytestmark = pytest.mark.anyio

DAN = Person("dan", "dealer")


@pytest.fixture
def casino(casino: Casino) -> Casino:
    """A club with a table, in which visitors may register."""
    casino.open_table()
    casino.done(BOSS, people.SetPolicy(Policy(registration=True)))
    return casino


async def asks(guest: Guest, **command: Any) -> httpx.Response:
    """What a table says to a command."""
    return await guest.post("/tables/t1/commands", {"command": command})


async def buys(guest: Guest, name: str) -> httpx.Response:
    return await asks(guest, type="BuyIn", amount=100_00, player=name)


def held(casino: Casino, name: str) -> int:
    account = player(name, "USD")
    return casino.house.store.balances([account])[account]


async def test_nobody_registers_under_the_name_of_a_walk_in(casino: Casino) -> None:
    async with casino.open() as guest:
        dan, stranger = guest(), guest()
        await dan.sign_in("dan")
        assert (await buys(dan, "Bob")).status_code == 200
        assert (await buys(dan, "walk-in:Bob")).status_code == 200
        assert (held(casino, "walk-in:Bob"), held(casino, "Bob")) == (200_00, 0)
        for name in ("Bob", "bob", "B0b"):
            refused = await stranger.post("/register", {"name": name, "password": PASSWORD})
            assert (refused.status_code, refused.json()["refusal"]) == (409, "name-taken"), name
            assert "A player at the tables has the name" in refused.json()["detail"]
        answer = casino.house.manage(BOSS, people.AddPerson("bob", "Robert"))
        assert answer.refused == "name-taken"


async def test_chips_under_a_plain_name_from_before_stay_with_it(casino: Casino) -> None:
    assert casino.house.ask("t1", DAN, c.BuyIn(50_00, "old bob")).refused is None
    async with casino.open() as guest:
        dan, stranger = guest(), guest()
        await dan.sign_in("dan")
        assert (await asks(dan, type="CashOut", amount=20_00, player="old bob")).status_code == 200
        assert held(casino, "old bob") == 30_00
        refused = await stranger.post("/register", {"name": "oldbob", "password": PASSWORD})
        assert refused.json()["refusal"] == "name-taken"


async def test_an_account_is_never_a_walk_in(casino: Casino) -> None:
    async with casino.open() as guest:
        dan = guest()
        await dan.sign_in("dan")
        for name in ("walk-in:ann", "Ann", "walk-in:ANN"):
            refused = await buys(dan, name)
            assert (refused.status_code, "there is an account 'ann'" in refused.json()["detail"]) == (422, True), name
        assert (await buys(dan, "walk-in:a:b")).status_code == 400
        assert (await buys(dan, "walk-in:")).status_code == 400


async def test_colour_chips_under_a_plain_name_from_before_stay_with_it(casino: Casino) -> None:
    opened = casino.house.ask("t2", BOSS, c.OpenTable(setup("singapore-mbs-sic-bo-v6", shaker="automated")))
    assert opened.refused is None
    bought = casino.house.ask("t2", DAN, c.BuyIn(50_00, "old bob", colour_value=5_00, marker=True))
    assert bought.refused is None, bought
    for name, meant in (("old bob", "old bob"), ("new bob", "walk-in:new bob"), ("ann", "ann")):
        assert await with_walk_in(casino.services, "t2", c.CashOut(5_00, name)) == c.CashOut(5_00, meant)


def test_a_person_named_beside_an_act_holds_that_role_here(casino: Casino) -> None:
    for name in ("fay", "flo"):
        check_people(casino.house.people, "t1", c.Call("device-malfunction", present=(Person(name, "floorperson"),)))
    casino.done(BOSS, people.Deactivate("flo", "gone"))
    for name, role in (("flo", "floorperson"), ("nobody", "floorperson"), ("fay", "dealer"), ("dan", "floorperson")):
        with pytest.raises(Problem, match=f"present: {name} does not hold the role “{role}” here"):
            check_people(casino.house.people, "t1", c.Call("device-malfunction", present=(Person(name, role),)))
    with pytest.raises(Problem, match="directed_by: nobody does not hold the role"):
        check_people(casino.house.people, "t1", c.TakeStep("pay", directed_by=Person("nobody", "floorperson")))
