"""The lock of an idle screen: what locks it, what it refuses, and what unlocks it, on a clock moved by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from pitbook.people import commands as people
from pitbook.people.values import Policy
from tests.server.authenticators import code_of
from tests.server.people.conftest import BOSS, PASSWORD, Casino, Guest

pytestmark = pytest.mark.anyio

PIN = "480263"
TAKE_OVER = {"command": {"type": "TakeOver"}}
TRIAL = {"command": {"type": "TakeStep", "step": "none"}}


@pytest.fixture
def house(make_casino: Callable[..., Casino]) -> Casino:
    """A house that locks screens after five minutes, as by default."""
    casino = make_casino()
    casino.done(BOSS, people.SetPolicy(Policy(factor_roles=())))
    casino.open_table()
    return casino


@pytest.fixture
async def guests(house: Casino, anyio_backend: object) -> AsyncIterator[Callable[..., Guest]]:
    async with house.open() as guest:
        yield guest


async def dealer(guests: Callable[..., Guest], name: str = "dan") -> Guest:
    guest = guests()
    assert (await guest.sign_in(name)).status_code == 200
    return guest


async def kind(guest: Guest, path: str, body: Any = None) -> tuple[int, str]:
    response = await guest.post(path, body)
    found = response.json() if response.content else {}
    return response.status_code, str(found.get("type", "")).removeprefix("/problems/")


async def locked(guest: Guest) -> bool:
    return bool((await guest.get("/me")).json()["lock"]["locked"])


async def test_a_dealers_session_locks_after_five_minutes_without_input(
    house: Casino, guests: Callable[..., Guest]
) -> None:
    dan = await dealer(guests)
    assert (await dan.get("/me")).json()["lock"] == {
        "minutes": 5, "locked": False, "unlock_with": ["password", "pin"],
    }  # fmt: skip
    house.later(minutes=4, seconds=59)
    assert (await kind(dan, "/tables/t1/commands", TAKE_OVER))[0] == 200
    house.later(minutes=4, seconds=59)
    assert not await locked(dan)
    house.later(seconds=2)
    assert await locked(dan)
    before = house.house.store.head("t1").sequence
    assert await kind(dan, "/tables/t1/commands", TAKE_OVER) == (423, "session-locked")
    assert house.house.store.head("t1").sequence == before


async def test_looking_at_the_table_is_no_input_and_goes_on_while_locked(
    house: Casino, guests: Callable[..., Guest]
) -> None:
    dan = await dealer(guests)
    for _ in range(5):
        house.later(minutes=1)
        assert (await dan.get("/me")).status_code == 200
        assert (await dan.get("/approvals")).status_code == 200
        assert (await kind(dan, "/tables/t1/trial", TRIAL))[0] == 200
    assert await locked(dan)
    assert (await dan.get("/approvals")).status_code == 200
    assert (await kind(dan, "/tables/t1/trial", TRIAL))[0] == 200


async def test_input_reported_by_the_page_keeps_the_screen_open(house: Casino, guests: Callable[..., Guest]) -> None:
    dan = await dealer(guests)
    for _ in range(4):
        house.later(minutes=3)
        assert await kind(dan, "/me/activity") == (204, "")
    house.later(minutes=5)
    assert await kind(dan, "/me/activity") == (423, "session-locked")
    assert await kind(dan, "/me/activity") == (423, "session-locked")
    assert await locked(dan)


async def test_a_person_locks_the_screen_at_once(house: Casino, guests: Callable[..., Guest]) -> None:
    dan, elsewhere = await dealer(guests), await dealer(guests)
    assert await kind(dan, "/me/lock") == (204, "")
    assert await kind(dan, "/tables/t1/commands", TAKE_OVER) == (423, "session-locked")
    assert (await kind(elsewhere, "/tables/t1/commands", TAKE_OVER))[0] == 200


async def test_a_locked_session_changes_nothing_but_signs_out(house: Casino, guests: Callable[..., Guest]) -> None:
    zoe = await dealer(guests, "zoe")
    await zoe.post("/me/lock")
    policy = {"registration": True, "real_money_automatic": False, "lock_minutes": 0}
    for answer in (
        await zoe.post("/people", {"name": "other"}),
        await zoe.put("/policy", policy),
        await zoe.post("/me/tokens", {"name": "a bot", "scopes": ["manage"]}),
        await zoe.post("/me/password", {"old": PASSWORD, "new": "green felt and nine dice"}),
        await zoe.put("/me/pin", {"password": PASSWORD, "pin": PIN}),
        await zoe.post("/me/factors/totp"),
        await zoe.delete("/me/sessions"),
        await zoe.post("/approvals/a1/approve", {}),
    ):
        assert (answer.status_code, answer.json()["type"]) == (423, "/problems/session-locked")
    assert (await zoe.post("/sign-out")).status_code == 204


async def test_the_password_or_the_pin_unlocks_and_a_wrong_one_is_on_record(
    house: Casino, guests: Callable[..., Guest]
) -> None:
    dan = await dealer(guests)
    await dan.put("/me/pin", {"password": PASSWORD, "pin": PIN})
    for good, wrong in (({"password": PASSWORD}, {"password": "not this"}), ({"pin": PIN}, {"pin": "480264"})):
        house.later(minutes=5)
        assert await kind(dan, "/me/unlock", wrong) == (422, "unlock-failed")
        assert await locked(dan)
        cookie = dan.cookie
        assert (await kind(dan, "/me/unlock", good))[0] == 200
        assert dan.cookie == cookie
        assert (await kind(dan, "/tables/t1/commands", TAKE_OVER))[0] in (200, 409)
    assert house.kinds().count("SessionUnlocked") == 2
    assert sum(b"given to unlock is wrong" in (one.answer or b"") for one in house.record()) == 2


async def test_the_second_factor_unlocks_and_each_code_once(house: Casino, guests: Callable[..., Guest]) -> None:
    dan = await dealer(guests)
    secret, _ = await dan.enrol(house.now)
    house.later(minutes=5)
    code = code_of(secret, house.now)
    assert (await kind(dan, "/me/unlock", {"code": code}))[0] == 200
    await dan.post("/me/lock")
    assert await kind(dan, "/me/unlock", {"code": code}) == (422, "second-factor-failed")
    assert await locked(dan)


async def test_policy_says_what_unlocks(house: Casino, guests: Callable[..., Guest]) -> None:
    house.done(BOSS, people.SetPolicy(Policy(factor_roles=(), lock_minutes=1, unlock_with=("pin",))))
    dan = await dealer(guests)
    house.later(minutes=1)
    assert (await kind(dan, "/me/unlock", {"password": PASSWORD}))[0] == 200, "dan has no PIN yet"
    await dan.put("/me/pin", {"password": PASSWORD, "pin": PIN})
    house.later(minutes=1)
    assert (await kind(dan, "/me/unlock", {"password": PASSWORD}))[0] == 422
    assert (await kind(dan, "/me/unlock", {"pin": PIN}))[0] == 200
    for body in ({}, {"pin": PIN, "password": PASSWORD}):
        assert (await kind(dan, "/me/unlock", body))[0] == 422


async def test_guessing_a_pin_is_limited(make_casino: Callable[..., Casino]) -> None:
    casino = make_casino(sign_in_rate=3)
    casino.done(BOSS, people.SetPolicy(Policy(factor_roles=())))
    async with casino.open() as guests:
        dan = await dealer(guests)
        await dan.put("/me/pin", {"password": PASSWORD, "pin": PIN})
        await dan.post("/me/lock")
        tries = [(await kind(dan, "/me/unlock", {"pin": f"48026{number}"}))[0] for number in range(4, 8)]
        assert tries[-1] == 429
        assert set(tries[:2]) == {422}


async def test_players_and_programs_are_not_locked(house: Casino, guests: Callable[..., Guest]) -> None:
    ann, dan = await dealer(guests, "ann"), await dealer(guests)
    token = (await dan.post("/me/tokens", {"name": "a bot", "scopes": ["deal"]})).json()["token"]
    house.later(minutes=20)
    assert (await ann.get("/me")).json()["lock"] is None
    assert (await ann.put("/me/limits", {})).status_code == 200
    program = guests()
    response = await program.post("/tables/t1/commands", TAKE_OVER, headers={"Authorization": f"Bearer {token}"})
    assert response.status_code == 200


async def test_a_house_without_the_lock_never_locks(house: Casino, guests: Callable[..., Guest]) -> None:
    house.done(BOSS, people.SetPolicy(Policy(factor_roles=(), lock_minutes=0)))
    dan = await dealer(guests)
    await dan.post("/me/lock")
    house.later(minutes=29)
    assert (await dan.get("/me")).json()["lock"] is None
    assert (await kind(dan, "/tables/t1/commands", TAKE_OVER))[0] == 200
