"""Guests: one click to play, with play money at automatic tables, until the session ends."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pitbook.people import commands as people
from pitbook.people.values import Policy
from pitbook.server.people import sign_in
from pitbook.table import commands as c
from tests.server.people.conftest import BOSS, PASSWORD, Casino

pytestmark = pytest.mark.anyio


async def test_a_guest_plays_at_automatic_tables_for_play_money_and_nowhere_else(casino: Casino) -> None:
    casino.open_table("t1")
    casino.open_table("t2", automatic=c.Automatic())
    async with casino.open() as guest:
        boss, visitor = guest(), guest()
        assert (await visitor.post("/guest", {"table": "t2"})).json()["type"] == "/problems/no-registration"
        await boss.sign_in("max")
        await boss.put("/policy", {"registration": True, "real_money_automatic": False})
        for table in ("t1", "nowhere"):
            assert (await visitor.post("/guest", {"table": table})).status_code == 404
        made = await visitor.post("/guest", {"table": "t2"})
        assert made.status_code == 201
        me = made.json()
        assert me["roles"] == [{"role": "player", "table": "t2"}]
        assert me["session"]["by"] == "guest"
        bought = await visitor.post("/tables/t2/commands", {"command": {"type": "BuyIn", "amount": 100_000}})
        assert bought.status_code == 200
        refused = await visitor.post("/tables/t1/commands", {"command": {"type": "BuyIn", "amount": 100_000}})
        assert refused.status_code == 403
        again = guest()
        assert (await again.sign_in(me["name"], PASSWORD)).status_code == 401
        assert (await again.sign_in(me["name"], "")).status_code == 400
        casino.later(hours=13)
        assert (await visitor.get("/me")).status_code == 401
    registered = [entry for entry in casino.record() if entry.kind == "PersonRegistered"]
    assert [entry.role for entry in registered] == ["visitor"]


async def test_guests_are_limited_by_address_and_never_keep_members_out(
    make_casino: Callable[..., Casino], monkeypatch: pytest.MonkeyPatch
) -> None:
    casino = make_casino(sign_in_rate=2)
    casino.open_table("t2", automatic=c.Automatic())
    casino.done(BOSS, people.SetPolicy(Policy(registration=True)))
    async with casino.open() as guest:
        answers = [await guest().post("/guest", {"table": "t2"}) for _ in range(3)]
        assert [one.status_code for one in answers] == [201, 201, 429]
        assert (await guest("10.0.0.9").post("/guest", {"table": "t2"})).status_code == 201
        accounts = sum(entry.kind in ("PersonAdded", "PersonRegistered") for entry in casino.record())
        monkeypatch.setattr(sign_in, "GUESTS_UP_TO", accounts + 1)
        last = await guest("10.0.0.7").post("/guest", {"table": "t2"})
        assert (last.status_code, last.json()["shown"]) == (201, f"Guest {last.json()['name'][6:10]}")
        full = await guest("10.0.0.8").post("/guest", {"table": "t2"})
        assert (full.status_code, full.json()["type"]) == (503, "/problems/busy")
        assert full.headers["Retry-After"] == "3600"


async def test_only_our_own_pages_can_request_a_guest(casino: Casino) -> None:
    casino.open_table("t2", automatic=c.Automatic())
    casino.done(BOSS, people.SetPolicy(Policy(registration=True)))
    async with casino.open() as guest:
        response = await guest().post("/guest", {"table": "t2"}, headers={"Origin": "http://elsewhere.example"})
        assert response.status_code == 403
