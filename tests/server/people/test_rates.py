"""Too many requests have to wait, guesses wait longer, and no one can lock out someone else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from pitbook.people.commands import SetPolicy
from pitbook.server.http.problems import Problem
from pitbook.server.http.rate_limits import Rates
from pitbook.server.settings import Settings
from tests.server.people.conftest import BOSS, PASSWORD, Casino

pytestmark = pytest.mark.anyio


async def test_requests_of_one_address_are_limited_and_those_of_others_are_not(
    make_casino: Callable[..., Casino],
) -> None:
    casino = make_casino(request_rate=5)
    async with casino.open() as guest:
        flood = [await guest("10.0.0.1").get("/policy") for _ in range(12)]
        other = await guest("10.0.0.2").get("/policy")
        casino.later(seconds=1)
        again = await guest("10.0.0.1").get("/policy")
    assert [answer.status_code for answer in flood] == [200] * 10 + [429] * 2
    assert int(flood[-1].headers["retry-after"]) >= 1
    assert flood[-1].json()["type"] == "/problems/too-many-requests"
    assert (other.status_code, again.status_code) == (200, 200)


def test_one_customers_ipv6_network_is_one_address() -> None:
    rates = Rates(Settings(request_rate=1), lambda: 0.0)
    for host in range(2):
        rates.request(f"2001:db8::{host}")
    with pytest.raises(Problem):
        rates.request("2001:db8::ffff")
    rates.request("2001:db8:0:1::1")


def test_bets_are_limited_by_person_and_a_rate_of_zero_is_no_limit() -> None:
    rates = Rates(Settings(bet_rate=2), lambda: 0.0)
    for _ in range(4):
        rates.bet("ann")
    with pytest.raises(Problem) as refused:
        rates.bet("ann")
    assert refused.value.kind.status == 429
    rates.bet("ben")
    free = Rates(Settings(bet_rate=0), lambda: 0.0)
    for _ in range(1000):
        free.bet("ann")


async def test_tries_to_sign_in_are_limited_by_address(make_casino: Callable[..., Casino]) -> None:
    casino = make_casino(sign_in_rate=3)
    async with casino.open() as guest:
        names = [f"name{number}" for number in range(5)]
        answers = [await guest("10.0.0.1").sign_in(name, "guess guess") for name in names]
        links = await guest("10.0.0.1").post("/sign-in/link", {"code": "guess"})
        assert (await guest("10.0.0.2").sign_in("ann")).status_code == 200
        casino.later(seconds=21)
        assert (await guest("10.0.0.1").sign_in("ann")).status_code == 200
    assert [answer.status_code for answer in answers] == [401] * 3 + [429] * 2
    assert links.status_code == 429


async def test_guessing_gets_slower_and_slower(casino: Casino) -> None:
    tries, waited = 0, 0.0
    async with casino.open() as guest:
        for _ in range(12):
            response = await guest("10.0.0.1").sign_in("ann", "guess guess")
            while response.status_code == 429:
                wait = int(response.headers["retry-after"])
                casino.later(seconds=wait)
                waited += wait
                response = await guest("10.0.0.1").sign_in("ann", "guess guess")
            assert response.status_code == 401
            tries += 1
    assert tries == 12
    assert waited > 200


async def test_a_right_password_does_not_help_while_one_has_to_wait(casino: Casino) -> None:
    async with casino.open() as guest:
        for _ in range(5):
            await guest("10.0.0.1").sign_in("ann", "guess guess")
        assert (await guest("10.0.0.1").sign_in("ann")).status_code == 429
        assert (await guest("10.0.0.9").sign_in("ann")).status_code == 200


async def test_a_thousand_guesses_at_once_are_not_let_through_together(casino: Casino) -> None:
    async with casino.open() as guest:
        answers = await asyncio.gather(*(guest("10.0.0.1").sign_in("ann", f"guess {n}") for n in range(60)))
    assert sum(answer.status_code == 401 for answer in answers) <= 5


async def test_no_one_can_lock_out_someone_else(make_casino: Callable[..., Casino]) -> None:
    """From one address and from many: who has signed in from their browser before always gets in."""
    casino = make_casino(sign_in_rate=10)
    async with casino.open() as guest:
        ann = guest("10.0.0.1")
        assert (await ann.sign_in("ann")).status_code == 200
        await ann.post("/sign-out")
        for number in range(40):
            await guest(f"10.9.{number}.1").sign_in("ann", "guess guess")
            await guest("10.0.0.1").sign_in("ann", "guess guess")
        assert (await guest("10.8.8.8").sign_in("ann")).status_code == 429
        assert (await ann.sign_in("ann")).status_code == 200


async def test_a_device_that_is_known_for_one_person_gives_no_free_guesses_at_another(casino: Casino) -> None:
    async with casino.open() as guest:
        ben = guest("10.0.0.1")
        await ben.sign_in("ben")
        answers = [await ben.sign_in("ann", "guess guess") for _ in range(6)]
    assert 429 in [answer.status_code for answer in answers]


async def test_a_flood_of_failures_is_counted_and_does_not_fill_the_record(make_casino: Callable[..., Casino]) -> None:
    casino = make_casino()
    async with casino.open() as guest:
        for number in range(50):
            await guest(f"10.9.{number}.1").sign_in("ann", "guess guess")
    assert casino.kinds().count("refused") < 10


async def test_a_try_that_comes_too_early_is_recorded_and_an_unknown_name_is_not(casino: Casino) -> None:
    async with casino.open() as guest:
        for name in ("ann", "a password typed as a name"):
            for pause, status in ((0, 401), (0, 401), (0, 401), (0.5, 401), (0.7, 429)):
                casino.later(seconds=pause)
                assert (await guest("10.0.0.1").sign_in(name, "guess guess")).status_code == status
            casino.later(hours=2)
    answers = [entry.answer or b"" for entry in casino.record() if entry.kind == "refused"]
    early = [msgspec.json.decode(answer)["details"] for answer in answers if b"too many tries" in answer]
    assert [details["name"] for details in early] == ["ann", "(unknown)"]


async def test_registrations_are_limited_by_address(make_casino: Callable[..., Casino]) -> None:
    casino = make_casino(sign_in_rate=2)
    casino.done(BOSS, SetPolicy(replace(casino.house.people.policy, registration=True)))
    async with casino.open() as guest:
        wishes = [{"name": f"eve{number}", "shown": f"Eve {number}", "password": PASSWORD} for number in range(3)]
        answers = [await guest("10.0.0.1").post("/register", wish) for wish in wishes]
        other = await guest("10.0.0.2").post("/register", wishes[2])
    assert [answer.status_code for answer in (*answers, other)] == [201, 201, 429, 201]


async def test_a_known_browser_does_not_use_up_the_tries_of_its_address(make_casino: Callable[..., Casino]) -> None:
    casino = make_casino(sign_in_rate=1)
    async with casino.open() as guest:
        ann = guest("10.0.0.1")
        assert [(await ann.sign_in("ann")).status_code for _ in range(2)] == [200, 200]
        assert (await guest("10.0.0.1").sign_in("ben")).status_code == 429
