"""In and out by password: whose session it is, and that it is over when it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest
from argon2 import extract_parameters

from pitbook.auth.passwords import Passwords, Verified
from pitbook.people.commands import Deactivate
from tests.server.forking import FAST_HASHING
from tests.server.people.conftest import BOSS, OTHER_PASSWORD, PASSWORD, Casino

pytestmark = pytest.mark.anyio


async def test_signing_in_returns_the_account_and_allows_acting(casino: Casino) -> None:
    async with casino.open() as guest:
        ann = guest()
        assert (await ann.get("/me")).status_code == 401
        entered = await ann.sign_in("ann")
        assert entered.status_code == 200, entered.text
        me = (await ann.get("/me")).json()
    assert (me["name"], me["roles"]) == ("ann", [{"role": "player", "table": None}])
    assert me["csrf"] == entered.json()["csrf"]
    assert "play money" in me["money"]


async def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(casino: Casino) -> None:
    async with casino.open() as guest:
        cookies = (await guest().sign_in("ann")).headers.get_list("set-cookie")
    for cookie in cookies:
        parts = {part.strip().lower() for part in cookie.split(";")}
        assert {"httponly", "samesite=lax", "path=/"} <= parts
        assert not any(part.startswith("domain") for part in parts)
    assert sorted(cookie.partition("=")[0] for cookie in cookies) == ["pitbook", "pitbook-device"]


async def test_where_browsers_come_by_https_the_cookie_belongs_to_this_host_alone(
    make_casino: Callable[..., Casino],
) -> None:
    casino = make_casino(public_origins=["https://tables.example"])
    async with casino.open() as guest:
        ann = guest(base="https://tables.example")
        cookies = (await ann.sign_in("ann")).headers.get_list("set-cookie")
        assert (await ann.get("/me")).json()["name"] == "ann"
    assert any(cookie.startswith("__Host-pitbook=") for cookie in cookies)
    assert all("secure" in cookie.lower() for cookie in cookies)


async def test_a_cookie_that_was_planted_before_is_not_the_one_after(casino: Casino) -> None:
    async with casino.open() as guest:
        mallory, ann = guest(), guest()
        await mallory.sign_in("ben")
        planted = mallory.cookie
        assert planted is not None
        ann.http.cookies.set("pitbook", planted, domain="localhost.local", path="/")
        await ann.sign_in("ann")
        assert ann.cookie not in (None, planted)
        assert (await mallory.get("/me")).status_code == 401


async def test_a_second_sign_in_ends_the_browsers_first_session(casino: Casino) -> None:
    async with casino.open() as guest:
        ann, thief = guest(), guest()
        await ann.sign_in("ann")
        thief.http.cookies.set("pitbook", ann.cookie or "", domain="localhost.local", path="/")
        assert (await thief.get("/me")).status_code == 200
        await ann.sign_in("ann")
        assert (await thief.get("/me")).status_code == 401
        assert (await ann.get("/me")).status_code == 200


async def test_two_cookies_of_the_same_name_are_nobodys(casino: Casino) -> None:
    async with casino.open() as guest:
        ann, ben, both = guest(), guest(), guest()
        await ann.sign_in("ann")
        await ben.sign_in("ben")
        cookie = f"pitbook={ben.cookie}; pitbook={ann.cookie}"
        assert (await both.get("/me", headers={"cookie": cookie})).status_code == 401


async def test_after_signing_out_the_old_cookie_opens_nothing(casino: Casino) -> None:
    async with casino.open() as guest:
        ann, replay = guest(), guest()
        await ann.sign_in("ann")
        cookie = ann.cookie or ""
        assert (await ann.get("/me")).status_code == 200
        assert (await ann.post("/sign-out")).status_code == 204
        assert ann.cookie is None
        replay.http.cookies.set("pitbook", cookie, domain="localhost.local", path="/")
        assert (await replay.get("/me")).status_code == 401
        assert (await ann.post("/sign-out")).status_code == 204
    assert casino.kinds()[-2:] == ["SignedIn", "SignedOut"]


async def test_wrong_passwords_and_unknown_names_get_the_same_answer(casino: Casino) -> None:
    async with casino.open() as guest:
        wrong = await guest("10.0.0.1").sign_in("ann", "wrong wrong wrong")
        unknown = await guest("10.0.0.2").sign_in("nobody", "wrong wrong wrong")
        casino.done(BOSS, Deactivate("ben", "gone"))
        closed = await guest("10.0.0.3").sign_in("ben", PASSWORD)
    answers = [answer.json() | {"request_id": ""} for answer in (wrong, unknown, closed)]
    assert answers[0] == answers[1] == answers[2]
    assert wrong.status_code == 401
    assert "set-cookie" not in wrong.headers


class Counting(Passwords):
    """Takes note of what is compared."""

    compared: list[str | None]

    def verify(self, password: str, stored: str | None) -> Verified:
        self.compared.append(stored)
        return super().verify(password, stored)


async def test_an_unknown_name_costs_a_comparison_too(make_casino: Callable[..., Casino]) -> None:
    passwords = Counting(FAST_HASHING)
    passwords.compared = []
    casino = make_casino(passwords=passwords)
    async with casino.open() as guest:
        await guest().sign_in("nobody", "wrong wrong wrong")
        await guest().sign_in("ann", "wrong wrong wrong")
    assert [stored is None for stored in passwords.compared] == [True, False]


async def test_every_way_in_and_every_failure_is_on_record_without_what_was_typed(casino: Casino) -> None:
    async with casino.open() as guest:
        await guest().sign_in("ann")
        await guest().sign_in("ann", OTHER_PASSWORD)
        await guest().sign_in(OTHER_PASSWORD, "ann")
    record = casino.record()
    assert [entry.kind for entry in record][-3:] == ["SignedIn", "refused", "refused"]
    assert (record[-2].actor, record[-1].actor) == ("ann", "visitor")
    assert OTHER_PASSWORD.encode() not in b"".join(entry.body + (entry.answer or b"") for entry in record)


async def test_names_are_found_however_they_are_capitalised(casino: Casino) -> None:
    async with casino.open() as guest:
        assert (await guest().sign_in("ANN")).json()["name"] == "ann"


async def test_visitors_make_accounts_only_where_the_house_says_so(casino: Casino) -> None:
    wish = {"name": "new", "shown": "New Player", "password": PASSWORD}
    async with casino.open() as guest:
        visitor, boss = guest(), guest()
        assert (await visitor.post("/register", wish)).json()["refusal"] == "no-registration"
        assert (await visitor.get("/policy")).json()["registration"] is False
        await boss.sign_in("max")
        policy = await boss.put("/policy", {"registration": True, "real_money_automatic": False})
        assert policy.json()["registration"] is True
        weak = await visitor.post("/register", {**wish, "password": "password123"})
        assert (weak.status_code, weak.json()["type"]) == (422, "/problems/unprocessable")
        assert (await visitor.post("/register", {**wish, "name": "Ann"})).json()["refusal"] == "name-taken"
        made = await visitor.post("/register", wish)
        assert made.status_code == 201
        assert (await visitor.get("/me")).json()["roles"] == [{"role": "player", "table": None}]
        assert (await guest().sign_in("new")).status_code == 200


async def test_unknown_fields_are_refused(casino: Casino) -> None:
    async with casino.open() as guest:
        response = await guest().post("/sign-in", {"name": "ann", "password": PASSWORD, "role": "manager"})
    assert response.status_code == 400
    assert response.json()["errors"][0]["place"] == "body.role"


async def test_nobody_is_let_in_without_a_record_of_it(casino: Casino) -> None:
    async with casino.open() as guest:
        casino.house._runner.close()
        response = await guest().sign_in("ann")
    assert (response.status_code, response.json()["type"]) == (503, "/problems/journal-unavailable")
    assert "set-cookie" not in response.headers
    assert casino.access.sessions.of_person("ann", casino.desk.now()) == ()


async def test_while_sessions_cannot_be_looked_up_no_one_is_signed_in(casino: Casino) -> None:
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        casino.access.close()
        casino.later(seconds=2)
        assert (await ann.get("/me")).status_code == 503
        assert (await guest().sign_in("ann")).status_code == 503
        assert (await guest().get("/policy")).status_code == 200


async def test_more_sign_ins_than_can_be_compared_are_asked_to_come_back(casino: Casino) -> None:
    casino.desk.hashing._waiting_max = 3
    async with casino.open() as guest:
        answers = await asyncio.gather(*(guest(f"10.0.{n}.1").sign_in("ann") for n in range(12)))
        assert {answer.status_code for answer in answers} == {200, 503}
        assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 503)
        assert (await guest().sign_in("ann")).status_code == 200


async def test_a_proxys_own_authorization_does_not_keep_a_browser_out(casino: Casino) -> None:
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        assert (await ann.get("/me", headers={"Authorization": "Basic cHJveHk6cHJveHk="})).status_code == 200


async def test_signing_in_clears_earlier_failures(casino: Casino) -> None:
    async with casino.open() as guest:
        for _ in range(2):
            for password, status in (("guess guess", 401), ("guess guess", 401), ("guess guess", 401), (PASSWORD, 200)):
                assert (await guest("10.0.0.1").sign_in("ann", password)).status_code == status


async def test_a_hash_with_weaker_parameters_is_replaced_when_its_password_is_given(
    make_casino: Callable[..., Casino],
) -> None:
    stronger = Passwords(replace(FAST_HASHING, time_cost=FAST_HASHING.time_cost + 1))
    casino = make_casino(passwords=stronger)
    weak = casino.access.password_of("ann")
    async with casino.open() as guest:
        ann = guest()
        assert (await ann.sign_in("ann", "guess guess")).status_code == 401
        assert casino.access.password_of("ann") == weak
        assert (await ann.sign_in("ann")).status_code == 200
    password_hash = casino.access.password_of("ann")
    assert password_hash is not None
    assert extract_parameters(password_hash).time_cost == FAST_HASHING.time_cost + 1
    assert stronger.verify(PASSWORD, password_hash).matches


async def test_a_link_that_does_not_work_is_recorded_without_its_code(casino: Casino) -> None:
    async with casino.open() as guest:
        assert (await guest("10.0.0.1").post("/sign-in/link", {"code": "guess"})).status_code == 401
    failed = [msgspec.json.decode(one.answer or b"")["details"] for one in casino.record() if one.kind == "refused"]
    assert failed == [{"name": "(a link)", "address": "10.0.0.1", "why": "the link does not work"}]


async def test_a_wrong_password_before_a_change_is_recorded_and_the_right_one_made_strong(
    make_casino: Callable[..., Casino],
) -> None:
    casino = make_casino(passwords=Passwords(replace(FAST_HASHING, time_cost=FAST_HASHING.time_cost + 1)))
    weak = casino.access.password_of("ann")
    assert weak is not None
    async with casino.open() as guest:
        ann = guest("10.0.0.1")
        await ann.sign_in("ann")
        casino.access.set_password("ann", weak, casino.desk.now())
        wrong = await ann.put("/me/pin", {"password": "a guess at it", "pin": "480263"})
        assert (wrong.status_code, casino.access.password_of("ann")) == (401, weak)
        assert (await ann.put("/me/pin", {"password": PASSWORD, "pin": "480263"})).status_code == 200
    password_hash = casino.access.password_of("ann")
    assert password_hash is not None
    assert extract_parameters(password_hash).time_cost == FAST_HASHING.time_cost + 1
    failed = [msgspec.json.decode(one.answer or b"")["details"] for one in casino.record() if one.kind == "refused"]
    why = "the password given before a change is wrong"
    assert failed == [{"name": "ann", "address": "10.0.0.1", "why": why}]


async def test_a_sign_in_is_recorded_and_ends_the_one_before_in_the_same_browser(casino: Casino) -> None:
    async with casino.open() as guest:
        browser = guest("10.0.0.1")
        await browser.sign_in("ann")
        device = browser.http.cookies["pitbook-device"]
        assert casino.access.knows_device("ann", device)
        assert not casino.access.knows_device("ben", device)
        await browser.sign_in("ben")
        assert casino.access.knows_device("ben", browser.http.cookies["pitbook-device"])
    kinds = [kind for kind in casino.kinds() if kind in ("SignedIn", "SessionEnded")]
    assert kinds == ["SignedIn", "SignedIn", "SessionEnded"]


async def test_a_name_may_be_written_in_capitals(casino: Casino) -> None:
    async with casino.open() as guest:
        ann = guest()
        assert (await ann.sign_in("ANN")).status_code == 200
        assert (await ann.get("/me")).json()["name"] == "ann"
        assert (await guest().sign_in("nobody at all")).status_code == 401
