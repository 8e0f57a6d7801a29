"""Managers give and take roles; it holds in the middle of a session, in streams too, and everything is on record."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pitbook.audit import audit
from pitbook.server.streams.projections import Viewer
from pitbook.table.people import HOUSE_ROLES
from tests.server.people.conftest import Casino, watches

pytestmark = pytest.mark.anyio


async def test_a_manager_adds_a_person_who_chooses_a_password_by_a_link(casino: Casino) -> None:
    async with casino.open() as guest:
        boss, lee = guest(), guest()
        await boss.sign_in("max")
        wish = {"name": "lee", "shown": "Lee", "roles": [{"role": "dealer", "table": "t1"}]}
        added = await boss.post("/people", wish)
        assert (added.status_code, added.json()["roles"]) == (201, [{"role": "dealer", "table": "t1"}])
        link = (await boss.post("/people/lee/link")).json()["link"]
        address, code = link.split("#code=")
        assert address == "http://localhost/sign-in"
        assert (await lee.post("/sign-in/link", {"code": code})).status_code == 422
        entered = await lee.post("/sign-in/link", {"code": code, "password": "a stick and a puck"})
        assert entered.json()["name"] == "lee"
        assert (await guest().sign_in("lee", "a stick and a puck")).status_code == 200
        assert (await guest().post("/sign-in/link", {"code": code, "password": "another one yet"})).status_code == 401
    assert code.encode() not in b"".join(entry.body for entry in casino.record())


@pytest.mark.parametrize("name", ["ann", "dan", "fay", "kim"])
async def test_only_managers_manage(casino: Casino, name: str) -> None:
    requests: list[tuple[str, str, Any]] = [
        ("POST", "/people", {"name": "new"}),
        ("POST", "/people/ben/roles", {"role": "manager"}),
        ("DELETE", "/people/ben/roles?role=player", None),
        ("POST", "/people/ben/deactivation", {"words": "because"}),
        ("DELETE", "/people/ben/deactivation", None),
        ("POST", "/people/ben/link", None),
        ("PUT", "/policy", {"registration": True, "real_money_automatic": True}),
    ]
    before = casino.house.people
    async with casino.open() as guest:
        visitor, person = guest(), guest()
        await person.sign_in(name)
        for method, path, body in requests:
            assert (await visitor.ask(method, path, json=body)).status_code == 401
            assert (await person.ask(method, path, json=body)).status_code == 403
        for path in ("/people", "/people/ben"):
            assert (await visitor.get(path)).status_code == 401
            assert (await person.get(path)).status_code == (200 if name == "kim" else 403)
    assert casino.house.people.accounts == before.accounts
    assert casino.house.people.policy == before.policy
    assert next(entry.actor for entry in casino.record() if entry.kind == "refused") == name


async def test_people_are_listed_page_by_page(casino: Casino) -> None:
    async with casino.open() as guest:
        kim = guest()
        await kim.sign_in("kim")
        first = (await kim.get("/people?limit=5")).json()
        second = (await kim.get(f"/people?limit=5&after={first['next']}")).json()
        assert (await kim.get("/people/nobody")).status_code == 404
    names = [one["name"] for one in first["people"] + second["people"]]
    assert names == ["ann", "ben", "dan", "fay", "flo", "kim", "max", "zoe"]
    assert second["next"] is None


async def test_a_role_holds_from_the_next_request_of_the_same_session(casino: Casino) -> None:
    async with casino.open() as guest:
        boss, dan = guest(), guest()
        await boss.sign_in("max")
        await dan.sign_in("dan")
        assert (await dan.get("/people")).status_code == 403
        assert (await boss.post("/people/dan/roles", {"role": "manager"})).status_code == 200
        assert (await dan.get("/people")).status_code == 200
        assert (await boss.delete("/people/dan/roles?role=manager")).status_code == 200
        assert (await dan.get("/people")).status_code == 403
        assert (await dan.post("/people", {"name": "new"})).status_code == 403


async def test_nobody_changes_their_own_roles_and_a_manager_stays(casino: Casino) -> None:
    async with casino.open() as guest:
        boss = guest()
        await boss.sign_in("max")
        own = await boss.post("/people/max/roles", {"role": "dealer", "table": "t1"})
        assert (own.status_code, own.json()["refusal"]) == (403, "own-act")
        assert (await boss.delete("/people/zoe/roles?role=manager")).status_code == 200
        last = await boss.post("/people/max/deactivation", {"words": "tired"})
        assert (last.status_code, last.json()["refusal"]) == (409, "last-manager")


async def test_a_closed_account_ends_at_once_and_its_sessions_do_not_come_back(casino: Casino) -> None:
    async with casino.open() as guest:
        boss, ann = guest(), guest()
        await boss.sign_in("max")
        await ann.sign_in("ann")
        assert (await ann.get("/me")).status_code == 200
        closed = await boss.post("/people/ann/deactivation", {"words": "left"})
        assert closed.json()["active"] is False
        assert (await ann.get("/me")).status_code == 401
        assert (await guest().sign_in("ann")).status_code == 401
        assert (await boss.delete("/people/ann/deactivation")).status_code == 200
        assert (await ann.get("/me")).status_code == 401
        assert (await guest().sign_in("ann")).status_code == 200


async def test_streams_end_when_their_watchers_rights_change(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        boss, dan, ann = guest(), guest(), guest()
        await boss.sign_in("max")
        await dan.sign_in("dan")
        await ann.sign_in("ann")
        dealer, player, other = [await watches(casino, name, staff=name == "dan") for name in ("dan", "ann", "ben")]
        await boss.delete("/people/dan/roles?role=dealer&table=t1")
        await asyncio.wait_for(dealer.ended.wait(), 1)
        assert not player.ended.is_set()
        await ann.post("/sign-out")
        await asyncio.wait_for(player.ended.wait(), 1)
        assert not other.ended.is_set()
        await boss.post("/people/ben/deactivation", {"words": "gone"})
        await asyncio.wait_for(other.ended.wait(), 1)


async def test_a_watcher_sees_what_their_role_at_that_table_allows(casino: Casino) -> None:
    async with casino.open() as guest:
        dan = guest()
        await dan.sign_in("dan")
        for table, staff in (("t1", True), ("t2", False)):
            cookie = [(b"cookie", f"pitbook={dan.cookie}".encode())]
            scope = {"headers": cookie, "method": "GET", "scheme": "http", "path_params": {"table": table}}
            assert await casino.desk.viewer(scope) == Viewer("dan", staff)
        nobody = {"headers": [], "method": "GET", "scheme": "http", "path_params": {"table": "t1"}}
        assert await casino.desk.viewer(nobody) == Viewer()


async def test_the_auditor_finds_the_record_of_a_busy_evening_sound(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        boss, ann, fay, flo = guest(), guest(), guest(), guest()
        for person, name in ((boss, "max"), (ann, "ann"), (fay, "fay"), (flo, "flo")):
            await person.sign_in(name)
        await guest().sign_in("ann", "wrong wrong wrong")
        await ann.get("/people")
        await ann.put("/me/limits", {"seconds_per_day": 600})
        await ann.post("/me/tokens", {"name": "bot", "scopes": ["play"]})
        await boss.post("/people", {"name": "new"})
        await boss.post("/people/new/link")
        await boss.post("/people/new/roles", {"role": "player"})
        fill = {"type": "Fill", "amount": 500_00, "second": {"name": "flo", "role": "floorperson"}}
        parked = await fay.post("/tables/t1/commands", {"command": fill})
        assert (await flo.post(f"/approvals/{parked.json()['approval']}/approve", {})).status_code == 200
        await boss.post("/people/ann/deactivation", {"words": "enough"})
        await fay.post("/sign-out")
    casino.house.close()
    report = audit(Path(casino.place))
    assert report.good, str(report)


async def test_people_are_found_by_a_part_of_their_name_and_by_role(casino: Casino) -> None:
    async with casino.open() as guest:
        boss = guest()
        await boss.sign_in("max")
        by_name = (await boss.get("/people", params={"find": "F"})).json()["people"]
        by_role = (await boss.get("/people", params={"role": "floorperson", "limit": 1})).json()
        following = (await boss.get("/people", params={"role": "floorperson", "after": "fay"})).json()
        nobody = (await boss.get("/people", params={"find": "f", "role": "auditor"})).json()
    assert [one["name"] for one in by_name] == ["fay", "flo"]
    assert ([one["name"] for one in by_role["people"]], by_role["next"]) == (["fay"], "fay")
    assert ([one["name"] for one in following["people"]], following["next"]) == (["flo"], None)
    assert nobody["people"] == []


async def test_the_roles_that_can_be_given_are_listed_with_their_tables(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        dan = guest()
        assert (await dan.get("/roles")).status_code == 401
        await dan.sign_in("dan")
        roles = {one["role"]: one for one in (await dan.get("/roles")).json()}
    names = list(roles)
    assert names[: len(HOUSE_ROLES)] == list(HOUSE_ROLES)
    assert names.index("player") < names.index("dealer") < names.index("floorperson")
    assert (roles["manager"]["house"], roles["manager"]["staff"], roles["manager"]["tables"]) == (True, False, [])
    assert (roles["dealer"]["house"], roles["dealer"]["staff"]) == (False, True)
    assert roles["dealer"]["name"]["en"] == "Dealer"
    assert not roles["player"]["staff"]
    assert "t1" in roles["player"]["tables"]
