"""Links that work once: raced, used twice, out of time; and the first manager of a house."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from pitbook.auth.links import NewLink
from pitbook.people.commands import Deactivate
from pitbook.server.people.setup_link import first_manager_greeting, first_manager_link, link_address, sign_in_link
from tests.server.people.conftest import BOSS, OTHER_PASSWORD, PASSWORD, Casino

pytestmark = pytest.mark.anyio

FIRST = {"name": "eve", "shown": "Eve", "password": PASSWORD}


def secret_of(made: NewLink | None) -> str:
    assert made is not None
    return made.secret


async def test_a_link_signs_in_once(casino: Casino) -> None:
    code = sign_in_link(casino.house, casino.access, "max")
    async with casino.open() as guest:
        boss = guest()
        entered = await boss.post("/sign-in/link", {"code": code})
        assert entered.json()["name"] == "max"
        assert (await boss.get("/people")).status_code == 200
        again = await guest().post("/sign-in/link", {"code": code})
        assert (again.status_code, again.json()["refusal"]) == (401, "sign-in-failed")


async def test_of_those_who_race_for_a_link_one_gets_in(casino: Casino) -> None:
    code = sign_in_link(casino.house, casino.access, "max")
    async with casino.open() as guest:
        answers = await asyncio.gather(*(guest().post("/sign-in/link", {"code": code}) for _ in range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] + [401] * 19
    assert casino.kinds().count("SignedIn") == 1


async def test_a_link_is_over_after_a_day_and_with_its_account(casino: Casino) -> None:
    old, closed = sign_in_link(casino.house, casino.access, "max"), sign_in_link(casino.house, casino.access, "ann")
    late = sign_in_link(casino.house, casino.access, "zoe")
    casino.done(BOSS, Deactivate("ann", "gone"))
    async with casino.open() as guest:
        assert (await guest().post("/sign-in/link", {"code": closed})).status_code == 401
        casino.later(hours=24, seconds=-1)
        assert (await guest().post("/sign-in/link", {"code": late})).status_code == 200
        casino.later(seconds=1)
        assert (await guest().post("/sign-in/link", {"code": old})).status_code == 401


async def test_a_password_set_by_a_link_ends_every_session_and_forgets_every_device(casino: Casino) -> None:
    async with casino.open() as guest:
        boss, ann, new = guest(), guest(), guest()
        await boss.sign_in("max")
        await ann.sign_in("ann")
        device = ann.http.cookies["pitbook-device"]
        assert casino.access.knows_device("ann", device)
        code = (await boss.post("/people/ann/link")).json()["link"].partition("#code=")[2]
        assert (await new.post("/sign-in/link", {"code": code, "password": OTHER_PASSWORD})).status_code == 200
        assert (await ann.get("/me")).status_code == 401
        assert (await new.get("/me")).status_code == 200
        assert not casino.access.knows_device("ann", device)
        assert (await guest().sign_in("ann")).status_code == 401


async def test_a_link_sets_one_password_which_is_recorded(casino: Casino) -> None:
    async with casino.open() as guest:
        boss = guest()
        await boss.sign_in("max")
        code = (await boss.post("/people/ann/link")).json()["link"].partition("#code=")[2]
        first = await guest().post("/sign-in/link", {"code": code, "password": OTHER_PASSWORD})
        second = await guest().post("/sign-in/link", {"code": code, "password": PASSWORD + " again"})
        assert (first.status_code, second.status_code) == (200, 401)
        assert (await guest().sign_in("ann", OTHER_PASSWORD)).status_code == 200
    assert casino.kinds().count("PasswordSet") == 1


async def test_of_those_who_race_to_set_a_password_by_a_link_one_does(casino: Casino) -> None:
    async with casino.open() as guest:
        boss = guest()
        await boss.sign_in("max")
        code = (await boss.post("/people/ann/link")).json()["link"].partition("#code=")[2]
        wishes = [{"code": code, "password": f"{OTHER_PASSWORD} {number}"} for number in range(5)]
        answers = await asyncio.gather(*(guest().post("/sign-in/link", wish) for wish in wishes))
    assert sorted(answer.status_code for answer in answers) == [200] + [401] * 4
    assert casino.kinds().count("PasswordSet") == 1


async def test_a_house_without_a_manager_gets_its_first_by_a_link(make_casino: Callable[..., Casino]) -> None:
    casino = make_casino(populated=False)
    code = secret_of(first_manager_link(casino.house, casino.access))
    async with casino.open() as guest:
        eve = guest()
        assert (await eve.post("/sign-in/link", {"code": code})).status_code == 422
        none = await eve.post("/sign-in/link", {"code": code, "name": "eve"})
        assert (none.status_code, none.json()["detail"]) == (422, "choose a password")
        weak = await eve.post("/sign-in/link", {**FIRST, "code": code, "password": "evening"})
        assert weak.status_code == 422
        assert weak.json()["detail"] == "a password needs at least 10 characters; this one has 7"
        bad = await eve.post("/sign-in/link", {**FIRST, "code": code, "name": "house"})
        assert bad.json()["refusal"] == "reserved-name"
        entered = await eve.post("/sign-in/link", {**FIRST, "code": code})
        assert entered.status_code == 200, entered.text
        me = (await eve.get("/me")).json()
        assert (me["shown"], me["roles"], me["second_factor"]) == ("Eve", [], "enrol")
        assert (await eve.post("/people", {"name": "dan"})).status_code == 401
        await eve.enrol(casino.now)
        me = (await eve.get("/me")).json()
        assert (me["roles"], me["second_factor"]) == ([{"role": "manager", "table": None}], None)
        assert (await eve.post("/people", {"name": "dan"})).status_code == 201
        assert (await guest().sign_in("eve")).status_code == 200
        second = await guest().post("/sign-in/link", {**FIRST, "code": code, "name": "mallory"})
        assert second.status_code == 401
    assert first_manager_link(casino.house, casino.access) is None
    assert casino.kinds().count("PasswordSet") == 1


async def test_of_those_who_race_to_be_the_first_manager_one_is(make_casino: Callable[..., Casino]) -> None:
    casino = make_casino(populated=False)
    code = secret_of(first_manager_link(casino.house, casino.access))
    async with casino.open() as guest:
        wishes = [{**FIRST, "code": code, "name": f"eve{number}"} for number in range(8)]
        answers = await asyncio.gather(*(guest().post("/sign-in/link", wish) for wish in wishes))
    assert [answer.status_code for answer in answers].count(200) == 1
    assert len(casino.house.people.managers()) == 1


def test_a_first_manager_who_did_not_get_as_far_as_a_password_gets_another_link(
    make_casino: Callable[..., Casino],
) -> None:
    casino = make_casino()
    assert first_manager_link(casino.house, casino.access) is None
    casino.access.delete_person("max")
    casino.access.delete_person("zoe")
    link = casino.access.links.find(secret_of(first_manager_link(casino.house, casino.access)), casino.desk.now())
    assert link is not None
    assert (link.purpose, link.person) == ("set-password", casino.house.people.managers()[0])
    greeting = first_manager_greeting(casino.house, casino.access, casino.settings)
    assert greeting is not None
    line = greeting("http://127.0.0.1:8000")
    assert line.endswith(f"(once, within a day, for manager {link.person}, to choose a new password)")


async def test_several_processes_may_print_a_link_and_the_first_one_used_ends_the_others(
    make_casino: Callable[..., Casino],
) -> None:
    casino = make_casino(populated=False)
    one, other = (secret_of(first_manager_link(casino.house, casino.access)) for _ in range(2))
    async with casino.open() as guest:
        assert (await guest().post("/sign-in/link", {**FIRST, "code": one})).status_code == 200
        assert (await guest().post("/sign-in/link", {**FIRST, "code": other, "name": "mallory"})).status_code == 401
    assert casino.house.people.managers() == ["eve"]


def test_the_code_stands_behind_the_mark_that_no_server_is_sent(make_casino: Callable[..., Casino]) -> None:
    assert link_address("http://127.0.0.1:8000/", "abc") == "http://127.0.0.1:8000/sign-in#code=abc"
    casino = make_casino(populated=False)
    greeting = first_manager_greeting(casino.house, casino.access, casino.settings)
    assert greeting is not None
    line = greeting("http://127.0.0.1:8000")
    assert "/sign-in#code=" in line
    assert line.endswith("for the first manager)")


def test_the_link_leads_to_the_first_public_address(make_casino: Callable[..., Casino]) -> None:
    casino = make_casino(populated=False, public_origins=("https://dice.example", "https://other.example"))
    greeting = first_manager_greeting(casino.house, casino.access, casino.settings)
    assert greeting is not None
    assert greeting("http://127.0.0.1:8000").startswith("sign in  https://dice.example/sign-in#code=")
