"""The register of dice over HTTP, and dice, shakers and dealers at a table as other software asks for them."""

from __future__ import annotations

from typing import Any

import pytest

from pitbook.server.presenters.tables import dice_until
from pitbook.table import commands as c
from pitbook.table.people import Person
from tests.server.people.conftest import BOSS, Casino
from tests.table.driving import setup

pytestmark = pytest.mark.anyio

DAN, FAY = Person("dan", "dealer"), Person("fay", "floorperson")


async def test_the_register_lists_each_set_with_its_life_for_staff_only(casino: Casino) -> None:
    casino.open_table("t1")
    async with casino.open() as guest:
        assert (await guest().get("/dice")).status_code == 401
        ann, dan, fay = guest(), guest(), guest()
        for visitor, name in ((ann, "ann"), (dan, "dan"), (fay, "fay")):
            await visitor.sign_in(name)
        assert (await ann.get("/dice")).status_code == 403
        assert (await dan.get("/dice")).json() == {"sets": [], "may_keep": False, "names": {}}
        assert (await dan.post("/dice", {"set": "red"})).status_code == 403
        received = await fay.post("/dice", {"set": "red", "serials": ["r1", "r2", "r3"]})
        assert received.status_code == 201, received.text
        (red,) = received.json()["sets"]
        assert (red["standing"], red["serials"], red["first_used"]) == ("out", ["r1", "r2", "r3"], None)
        again = await fay.post("/dice", {"set": "red"})
        assert (again.status_code, again.json()["refusal"], again.json()["policy"]) == (409, "dice-register", True)


async def test_a_set_keeps_its_one_name_however_it_is_written(casino: Casino) -> None:
    casino.open_table("t1")
    async with casino.open() as guest:
        fay = guest()
        await fay.sign_in("fay")
        assert (await fay.post("/dice", {"set": "Red 1"})).status_code == 201
        for alike in ("red 1", "RED1", "Red  1"):
            again = await fay.post("/dice", {"set": alike})
            assert (again.status_code, again.json()["refusal"]) == (409, "dice-register")
            put = await fay.post("/tables/t1/commands", {"command": {"type": "PutDice", "set": alike}})
            assert (put.status_code, put.json()["refusal"]) == (409, "dice-register")
            assert "The register has a set “Red 1”." in put.json()["detail"]
        put = await fay.post("/tables/t1/commands", {"command": {"type": "PutDice", "set": "Red 1"}})
        assert put.status_code == 200


async def test_equipment_that_failed_under_another_book_is_shown_and_repaired(casino: Casino) -> None:
    casino.open_table("t1")
    called = c.Call("device-malfunction", "dark", (Person("cas", "casino-supervisor"),))
    for who, command in (
        (DAN, c.TakeOver()),
        (DAN, called),
        (BOSS, c.CloseTable()),
        (BOSS, c.OpenTable(setup("singapore-mbs-sic-bo-v6", shaker="automated"))),
        (DAN, c.TakeOver()),
        (Person("pia", "pit-supervisor"), c.PutDice("blue")),
    ):
        assert casino.house.ask("t1", who, command).refused is None
    async with casino.open() as guest:
        zoe, dan = guest(), guest()
        await zoe.sign_in("zoe")
        await dan.sign_in("dan")
        floor = await zoe.get("/floor")
        assert floor.status_code == 200
        (data,) = floor.json()["tables"]
        assert data["stopped"] == [{"why": "ceased", "what": "electrical-device", "name": None}]
        opening = await dan.post("/tables/t1/commands", {"command": {"type": "TakeStep", "step": "open"}})
        assert (opening.status_code, opening.json()["refusal"]) == (409, "suspended")
        assert opening.json()["policy"]
        repair = {"type": "Repair", "equipment": "electrical-device"}
        repaired = await zoe.post("/tables/t1/commands", {"command": repair})
        assert repaired.status_code == 200
        assert (await zoe.get("/floor")).json()["tables"][0]["stopped"] == []


async def test_dice_are_put_in_and_taken_out_over_http(casino: Casino) -> None:
    casino.open_table("t1")
    async with casino.open() as guest:
        dan, fay = guest(), guest()
        await dan.sign_in("dan")
        await fay.sign_in("fay")

        async def asks(visitor: Any, **command: Any) -> Any:
            return await visitor.post("/tables/t1/commands", {"command": command})

        assert (await asks(dan, type="TakeOver")).status_code == 200
        put = await asks(fay, type="PutDice", set="red", serials=["r1", "r2", "r3"])
        assert put.json()["events"] == ["DicePut"]
        (red,) = (await dan.get("/dice")).json()["sets"]
        assert (red["table"], red["standing"], red["serials"]) == ("t1", "in use", ["r1", "r2", "r3"])
        assert red["until"] == dice_until(casino.house.table("t1"))
        busy = await fay.post("/dice/retirement", {"set": "red", "fate": "cancelled", "reason": "worn"})
        assert (busy.status_code, busy.json()["refusal"]) == (409, "dice-register")
        assert (await asks(dan, type="TakeOutDice", set="red", reason="worn", fate="destroyed")).status_code == 403
        out = await asks(dan, type="TakeOutDice", set="red", reason="worn")
        assert out.json()["events"] == ["DiceTakenOut"]
        gone = await fay.post("/dice/retirement", {"set": "red", "fate": "destroyed", "reason": "worn"})
        assert [move["what"] for move in gone.json()["sets"][0]["moves"]] == [
            *("received", "put in", "taken out", "destroyed"),
        ]
        unknown = await fay.post("/dice/retirement", {"set": "blue", "fate": "destroyed", "reason": "worn"})
        assert (unknown.status_code, unknown.json()["refusal"]) == (404, "no-such-set")
        refused = await asks(fay, type="PutDice", set="red")
        assert (refused.status_code, refused.json()["refusal"]) == (409, "dice-register")


async def test_another_dealer_is_refused_with_the_clause_until_they_take_over(casino: Casino) -> None:
    casino.open_table("t1")
    assert casino.house.ask("t1", Person("dot", "dealer"), c.TakeOver()).refused is None
    async with casino.open() as guest:
        dan = guest()
        await dan.sign_in("dan")
        waiting = await dan.post("/tables/t1/commands", {"command": {"type": "TakeStep", "step": "close"}})
        assert (waiting.status_code, waiting.json()["refusal"]) == (409, "unattended")
        assert waiting.json()["clauses"] == ["1"]
