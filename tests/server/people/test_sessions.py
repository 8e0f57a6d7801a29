"""Sessions end by time, by their person, and with the password."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.server.people.conftest import OTHER_PASSWORD, PASSWORD, Casino

pytestmark = pytest.mark.anyio


async def test_a_session_ends_after_a_long_time_without_requests(make_casino: Callable[..., Casino]) -> None:
    casino = make_casino(session_idle=600, session_absolute=7200)
    async with casino.open() as guest:
        ann, ben = guest(), guest()
        await ann.sign_in("ann")
        await ben.sign_in("ben")
        for _ in range(3):
            casino.later(minutes=9)
            assert (await ann.get("/me")).status_code == 200
        assert (await ben.get("/me")).status_code == 401
        casino.later(minutes=10, seconds=1)
        assert (await ann.get("/me")).status_code == 401


async def test_a_session_ends_in_any_case(make_casino: Callable[..., Casino]) -> None:
    casino = make_casino(session_idle=600, session_absolute=3600)
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        for _ in range(7):
            casino.later(minutes=8)
            assert (await ann.get("/me")).status_code == 200
        casino.later(minutes=4)
        assert (await ann.get("/me")).status_code == 401


async def test_a_session_that_is_at_hand_still_ends_on_the_second(make_casino: Callable[..., Casino]) -> None:
    casino = make_casino(session_idle=600, session_absolute=600)
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        casino.later(seconds=599.9)
        assert (await ann.get("/me")).status_code == 200
        casino.later(seconds=0.2)
        assert (await ann.get("/me")).status_code == 401


async def test_people_see_their_sessions_and_end_them(casino: Casino) -> None:
    async with casino.open() as guest:
        phone, laptop, ben = guest("10.1.1.1"), guest("10.2.2.2"), guest()
        await phone.sign_in("ann", headers={"user-agent": "A phone"})
        await laptop.sign_in("ann", headers={"user-agent": "A laptop"})
        await ben.sign_in("ben")
        listed = (await laptop.get("/me/sessions")).json()
        assert {(one["agent"], one["current"]) for one in listed} == {("A phone", False), ("A laptop", True)}
        other = next(one["id"] for one in listed if not one["current"])
        assert (await ben.delete(f"/me/sessions/{other}")).status_code == 404
        assert (await phone.get("/me")).status_code == 200
        assert (await laptop.delete(f"/me/sessions/{other}")).status_code == 204
        assert (await phone.get("/me")).status_code == 401
        await phone.sign_in("ann")
        assert (await laptop.delete("/me/sessions")).status_code == 204
        assert (await phone.get("/me")).status_code == 401
        assert (await laptop.get("/me")).status_code == 200
    assert casino.kinds().count("SessionEnded") == 2


async def test_a_new_password_needs_the_old_one_and_ends_other_sessions(casino: Casino) -> None:
    async with casino.open() as guest:
        ann, thief = guest(), guest()
        await ann.sign_in("ann")
        await thief.sign_in("ann")
        wrong = await thief.post("/me/password", {"old": "a guess at it", "new": OTHER_PASSWORD})
        assert wrong.json()["refusal"] == "sign-in-failed"
        weak = await ann.post("/me/password", {"old": PASSWORD, "new": "short"})
        assert weak.status_code == 422
        before, csrf = ann.cookie, ann.csrf
        changed = await ann.post("/me/password", {"old": PASSWORD, "new": OTHER_PASSWORD})
        assert changed.status_code == 200, changed.text
        assert ann.cookie != before
        assert ann.csrf != csrf
        assert (await ann.get("/me")).status_code == 200
        assert (await ann.put("/me/language", {"language": "de"})).status_code == 200
        assert (await thief.get("/me")).status_code == 401
        assert (await guest().sign_in("ann", PASSWORD)).status_code == 401
        assert (await guest().sign_in("ann", OTHER_PASSWORD)).status_code == 200
    assert "PasswordSet" in casino.kinds()


async def test_guessing_the_old_password_from_a_stolen_session_is_slow(make_casino: Callable[..., Casino]) -> None:
    casino = make_casino(sign_in_rate=5)
    async with casino.open() as guest:
        thief = guest()
        await thief.sign_in("ann")
        guesses = [await thief.post("/me/password", {"old": f"guess {n}", "new": OTHER_PASSWORD}) for n in range(7)]
    assert [answer.status_code for answer in guesses] == [401] * 5 + [429] * 2
    assert int(guesses[-1].headers["retry-after"]) > 0


async def test_problems_and_their_pages_are_in_the_accounts_language_by_default(casino: Casino) -> None:
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        assert (await ann.put("/me/language", {"language": "zh-Hant"})).status_code == 200
        assert (await ann.get("/people")).json()["title"] == "無權操作"
        assert "<h1>無權操作</h1>" in (await ann.http.get("/problems/forbidden")).text
        english = {"Accept-Language": "en"}
        assert (await ann.get("/people", headers=english)).json()["title"] == "Forbidden"
        assert "<h1>Forbidden</h1>" in (await ann.http.get("/problems/forbidden", headers=english)).text
