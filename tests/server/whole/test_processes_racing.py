"""Two processes that are asked the same thing at the same moment: it is done once, and both know."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pitbook.journal.entries import HOUSE
from tests.server.whole.clients import RawConnection, RawResponse, Visitor, done
from tests.server.whole.deployment import Deployment, Process, body, key_of, link_of
from tests.server.whole.racing import PLACED, TABLE
from tests.waiting import until_async

PASSWORD = "eleven dice in a row"
EACH = 60
"""Bets at each process, while the database drops their connections."""


@pytest.fixture(scope="module")
def pair(module_postgres_url: str, make_deployment: Callable[..., Deployment]) -> Iterator[Deployment]:
    """Two processes on one database, whose record must be right in the end."""
    deployment = make_deployment(module_postgres_url)
    for process in [deployment.begin() for _ in range(2)]:
        process.opened()
    try:
        yield deployment
        deployment.audited()
        people = [body(entry)["name"] for entry in deployment.record(HOUSE) if entry.kind == "PersonAdded"]
        assert len(people) == len(set(people))
    finally:
        deployment.close()  # before the database goes


def both(house: Deployment, ask: Callable[[str], Any]) -> list[Any]:
    """What both processes answer who are asked at the same time."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(ask, [process.open_at for process in house.started]))


@pytest.mark.thorough
def test_the_same_bet_under_the_same_key_at_two_processes_is_one_bet(pair: Deployment) -> None:
    ann = pair.visitor("demo-ann")
    start, before = ann.table(TABLE)["sequence"], ann.balance(TABLE)
    addresses = [process.open_at for process in pair.started]

    async def twice() -> list[list[RawResponse]]:
        async with (
            RawConnection(addresses[0], ann.token or "") as one,
            RawConnection(addresses[1], ann.token or "") as other,
        ):
            keys = [f"twice {number}" for number in range(50)]
            return [
                await asyncio.gather(*(line.bet(TABLE, "small=100", key=key) for line in (one, other))) for key in keys
            ]

    for data in asyncio.run(twice()):
        assert [one.status for one in data] == [200, 200], data
        assert sorted(one.body["repeated"] for one in data) == [False, True]
    placed = [key_of(entry) for entry in pair.record(TABLE, start) if entry.kind in PLACED]
    assert sorted(map(str, placed)) == sorted(f"twice {number}" for number in range(50))
    assert ann.balance(TABLE) == before - 50 * 100


def test_one_key_for_two_different_bets_is_good_for_one_of_them(pair: Deployment) -> None:
    ann = pair.visitor("demo-ann")
    start = ann.table(TABLE)["sequence"]
    wagers = iter(("total/4=100", "total/5=100"))
    with ExitStack() as stack:
        anns = [stack.enter_context(ann.at(process.open_at)) for process in pair.started]
        with ThreadPoolExecutor(2) as pool:
            responses = list(pool.map(lambda one: one.bets(TABLE, next(wagers), key="one for two"), anns))
    assert sorted(one.status_code for one in responses) in ([200, 409], [200, 422])
    assert len([entry for entry in pair.record(TABLE, start) if entry.kind in PLACED]) == 1


def test_an_act_that_two_approve_at_two_processes_is_done_once(pair: Deployment) -> None:
    fay = pair.visitor("demo-floorperson")
    seconds = [pair.visitor("demo-floorperson-2"), pair.visitor("demo-casino-supervisor")]
    start = fay.table(TABLE)["sequence"]
    for _ in range(8):
        second = {"name": seconds[0].name, "role": "floorperson"}
        number = done(fay.command(TABLE, "Fill", amount=100, second=second), 202)["approval"]
        with ExitStack() as stack:
            people = [
                stack.enter_context(one.at(process.open_at)) for one, process in zip(seconds, pair.started, strict=True)
            ]
            with ThreadPoolExecutor(2) as pool:
                responses = [one.status_code for one in pool.map(lambda one: one.approve(number), people)]  # noqa: B023
        assert sorted(responses) == [200, 409]
    assert [entry.kind for entry in pair.record(TABLE, start)] == ["Filled"] * 8


def test_a_link_lets_one_in_and_a_name_is_given_once(pair: Deployment) -> None:
    manager = pair.visitor("demo-manager")
    for number in range(3):
        name = f"guest-{number}"
        done(manager.post("/people", {"name": name, "roles": [{"role": "player"}]}), 201)
        code = done(manager.post(f"/people/{name}/link"), 201)["link"].partition("#code=")[2]

        def use(address: str, code: str = code) -> int:
            with Visitor(address) as user:
                return user.post("/sign-in/link", {"code": code, "password": PASSWORD}).status_code

        assert sorted(both(pair, use)) == [200, 401]

        def register(address: str, number: int = number) -> int:
            with Visitor(address) as user:
                return user.post("/register", {"name": f"rob-{number}", "password": PASSWORD}).status_code

        assert sorted(both(pair, register)) == [201, 409]


def test_nothing_acknowledged_is_lost_when_the_database_drops_every_connection(
    pair: Deployment, postgres_server: str
) -> None:
    ben = pair.visitor("demo-ben")
    start = ben.table(TABLE)["sequence"]
    addresses = [process.open_at for process in pair.started]

    ours = pair.place.rpartition("=")[2]

    def drop() -> None:
        with psycopg.connect(postgres_server, autocommit=True) as connection:
            ended = connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", (ours,)
            ).fetchall()
            assert len(ended) >= 2

    acknowledged: dict[str, int] = {}
    unsure: set[str] = set()
    statuses: set[int] = set()
    taken: Counter[tuple[int, int]] = Counter()

    async def bets(place: int, turn: int) -> None:
        """Bet until enough of them are taken, whatever happens to the connections."""
        async with RawConnection(addresses[place], ben.token or "") as line:
            number = 0
            while taken[turn, place] < EACH:
                key, number = f"dropped {turn} {place} {number}", number + 1
                answer = await line.bet(TABLE, f"total/{number % 14 + 4}=100", key=key)
                statuses.add(answer.status)
                if answer.status == 200:
                    acknowledged[key] = answer.body["sequence"]
                    taken[turn, place] += 1
                else:
                    assert answer.status == 503, answer
                    unsure.add(key)

    def both_have_bet(turn: int) -> bool:
        return all(taken[turn, place] for place in range(2))

    async def disturbed() -> None:
        for turn in range(3):
            betting = [asyncio.create_task(bets(place, turn)) for place in range(2)]
            await until_async(partial(both_have_bet, turn), "bets at both processes")
            await asyncio.to_thread(drop)
            await asyncio.gather(*betting)

    with ExitStack() as stack:
        watchers = [
            stack.enter_context(stack.enter_context(ben.at(address)).watch(TABLE, start)) for address in addresses
        ]
        asyncio.run(disturbed())
        last = pair.record(TABLE)[-1].sequence
        for watching in watchers:
            watching.until_id(last)
            assert watching.ids == list(range(start + 1, last + 1))
    placed = {str(key_of(entry)): entry.sequence for entry in pair.record(TABLE, start) if entry.kind in PLACED}
    assert acknowledged.items() <= placed.items()
    assert placed.keys() - acknowledged.keys() <= unsure
    for address in addresses:
        with ben.at(address) as visitor:
            done(visitor.bets("maryland", "small=100"))
            assert visitor.get_json("/me")["name"] == "demo-ben"
    assert 200 in statuses


@pytest.mark.thorough
def test_two_processes_print_two_links_for_the_first_manager_and_only_one_becomes_it(
    postgres_url: str, tmp_path: Path
) -> None:
    house = Deployment(tmp_path, postgres_url)
    try:
        processes = [house.begin(demo=False) for _ in range(2)]
        codes = {process.open_at: link_of(process, "sign in") for process in map(Process.opened, processes)}

        def use(address: str) -> int:
            with Visitor(address) as user:
                name = f"boss-{address[-5:]}"
                request = {"code": codes[address], "name": name, "password": PASSWORD}
                return user.post("/sign-in/link", request).status_code

        responses = both(house, use)
        assert responses.count(200) == 1, responses
        assert all(status in (401, 403, 409) for status in responses if status != 200), responses
        assert [use(address) for address in codes] == [401, 401], "the other link is no longer valid"
        people = [body(entry) for entry in house.record(HOUSE) if entry.kind == "PersonAdded"]
        assert len(people) == 1
        house.audited()
    finally:
        house.close()
