"""A table's money and its disputes, as managers and auditors see them."""

from __future__ import annotations

import pytest

from pitbook.ledger.accounts import float_of
from pitbook.people import commands as people
from pitbook.people.values import Grant
from pitbook.server.people.event_recorder import THE_SERVER
from pitbook.table import commands as c
from pitbook.table.people import Person
from tests.server.audit.conftest import Office

pytestmark = pytest.mark.anyio


async def test_fills_credits_counts_and_the_drop_are_described_with_both_persons(office: Office) -> None:
    table = office.floor()
    chips = float_of("t1")
    held = office.house.store.balances([chips])[chips]
    boss, second = table.most_senior, table.second
    table.does(boss, c.Fill(500_00, second))
    table.does(boss, c.Credit(200_00, second))
    table.does(boss, c.Count("closing", held + 250_00, second))
    table.does(boss, c.CollectDrop(second))
    async with office.client_of("fay") as client:
        body = (await client.get("/tables/t1/money")).json()
        few = (await client.get("/tables/t1/money", params={"limit": 2})).json()
    moved = {one["kind"]: one for one in reversed(body["movements"])}  # the latest of each kind
    assert (moved["fill"]["amount"], moved["credit"]["amount"]) == (500_00, 200_00)
    assert (moved["fill"]["by"], moved["fill"]["second"]) == (boss.name, second.name)
    assert (moved["count"]["amount"] - moved["count"]["ledger"], moved["count"]["when"]) == (-50_00, "closing")
    assert body["balances"]["float"] == held + 300_00
    assert body["balances"]["drop_box"] == 0
    assert moved["drop"]["amount"] == body["day"]["drop"] > 0
    assert (body["day"]["closing"], body["shift"]["fills"]) == (held + 250_00, table.table.shift_inventory.fills)
    assert [one["kind"] for one in few["movements"]] == ["drop", "count"]
    assert {"buy-in"} <= set(moved)


async def test_a_dispute_is_described_from_its_words_to_the_ruling(office: Office) -> None:
    table = office.floor()
    table.open_betting()
    table.bet("ann", "small=5")
    table.play_round(6, 6, 5)
    number = table.table.round.number - 1
    table.does(Person("ann", "player"), c.Dispute(number, "the middle die was a one"))
    async with office.client_of("max") as client:
        before = (await client.get("/tables/t1/disputes")).json()
        table.does(table.most_senior, c.SettleDispute(number, "the recording shows a one"))
        table.does(table.crew["dealer"], c.ProposeResettlement(number, (6, 1, 5), "misread"))
        table.does(table.second, c.ApproveResettlement(number))
        after = (await client.get("/tables/t1/disputes")).json()
    assert before["open"] == [number]
    assert [(one["by"], one["words"], one["ruling"]) for one in before["disputes"]] == [
        ("ann", "the middle die was a one", None)
    ]
    assert (after["open"], after["owed"]) == ([], 0)
    assert after["disputes"][0]["ruling"] == "the recording shows a one"
    assert after["disputes"][0]["ruled_by"] == table.most_senior.name
    assert (after["corrections"][0]["dice"], after["corrections"][0]["done_by"]) == ([1, 5, 6], table.second.name)


@pytest.mark.parametrize("name", ["ann", "dan"])
@pytest.mark.parametrize("part", ["money", "disputes"])
async def test_players_and_dealers_are_not_notified(office: Office, name: str, part: str) -> None:
    office.floor()
    async with office.client_of(name) as client:
        assert (await client.get(f"/tables/t1/{part}")).status_code == 403
    async with office.client_of("kim") as client:
        assert (await client.get(f"/tables/nowhere/{part}")).status_code == 404


async def test_both_come_with_the_names_by_which_the_house_knows_people(office: Office) -> None:
    office.house.manage(THE_SERVER, people.AddPerson("max", "max", (Grant("manager"),)))
    office.house.manage(Person("max", "manager"), people.AddPerson("ann", "Ann Lee", (Grant("player"),)))
    table = office.floor()
    table.open_betting()
    table.bet("ann", "small=5")
    table.play_round(6, 6, 5)
    number = table.table.round.number - 1
    table.does(Person("ann", "player"), c.Dispute(number, "the middle die was a one"))
    async with office.client_of("max") as client:
        assert (await client.get("/tables/t1/money")).json()["names"] == {"ann": "Ann Lee"}
        assert (await client.get("/tables/t1/disputes")).json()["names"] == {"ann": "Ann Lee"}
        assert (await client.get("/journal/t1")).json()["names"] == {"ann": "Ann Lee"}
        assert (await client.get(f"/journal/t1/rounds/{number}")).json()["names"] == {"ann": "Ann Lee"}
