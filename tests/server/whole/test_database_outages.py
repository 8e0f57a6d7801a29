"""PostgreSQL cut off, killed or paused under bets: answers in time, nothing acknowledged lost, nothing done twice."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import httpx
import pytest

from tests import loopback
from tests.postgres import Cluster, running_cluster
from tests.proxy import Proxy, before
from tests.server.whole.clients import RawConnection
from tests.server.whole.conftest import module_postgres_url, postgres_role, postgres_server
from tests.server.whole.deployment import Deployment, Process, key_of
from tests.server.whole.racing import PLACED
from tests.soaking import thorough
from tests.waiting import until_async

__all__ = ["module_postgres_url", "postgres_role", "postgres_server"]

TABLE = "massachusetts"
EACH = 10
IN_TIME = 30.0
"""Far more than the limits allow on a busy machine, and far less than the two minutes of a system's own limits."""


async def ready(address: str) -> bool:
    """Whether a process says that it is ready."""
    async with loopback.async_client() as asking:
        return (await asking.get(f"{address}/ready")).status_code == 200


async def unready(address: str) -> bool:
    return not await ready(address)


class Betting:
    """A player who bets at each process without a pause, and the responses."""

    def __init__(self, house: Deployment, processes: list[Process], name: str) -> None:
        self.house = house
        self.addresses = [process.open_at for process in processes]
        self._name = name
        self._ben = house.visitor("demo-ben")
        self.start = self._ben.table(TABLE)["sequence"]
        self.answers: dict[str, int] = {}
        self.unsure: set[str] = set()
        self.slowest = 0.0
        self._taken: Counter[str] = Counter()
        self._wanted = EACH

    async def bet(self, address: str) -> None:
        """Bet until enough bets are taken; after an answer of 503 only once the process says that it is ready."""
        async with RawConnection(address, self._ben.token or "") as line:
            number = 0
            while self._taken[address] < self._wanted:
                key, number = f"{self._name} {self.addresses.index(address)} {number}", number + 1
                began = time.monotonic()
                answer = await line.bet(TABLE, f"total/{number % 14 + 4}=100", key=key)
                self.slowest = max(self.slowest, time.monotonic() - began)
                if answer.status == 200:
                    self.answers[key] = answer.body["sequence"]
                    self._taken[address] += 1
                else:
                    assert answer.status == 503, answer
                    self.unsure.add(key)
                    await until_async(lambda: ready(address), "readiness")

    async def through(self, break_it: Callable[[], object], mend: Callable[[], object]) -> None:
        """Bet at every process while something breaks, until every process has noticed, and after it is mended."""
        self._wanted = 1_000_000
        betting = [asyncio.create_task(self.bet(address)) for address in self.addresses]
        await until_async(lambda: all(self._taken[one] >= EACH for one in self.addresses), "bets at every process")
        await asyncio.to_thread(break_it)
        for address in self.addresses:
            await until_async(partial(unready, address), "a process that is not ready")
        await asyncio.to_thread(mend)
        for address in self.addresses:
            await until_async(partial(ready, address), "a process that is ready again")
        self._wanted = max(self._taken.values()) + EACH
        await asyncio.gather(*betting)

    def check(self) -> None:
        """Repeat every request without a response, and compare the record with the responses."""
        placed = self._placed()
        assert self.answers.items() <= placed.items(), "an acknowledged bet is lost"
        assert placed.keys() - self.answers.keys() <= self.unsure
        for key in self.unsure:
            number = int(key.rpartition(" ")[2]) + 1
            response = self._ben.bets(TABLE, f"total/{number % 14 + 4}=100", key=key)
            assert response.status_code == 200, response.text
            assert response.json()["repeated"] is (key in placed)
        again = self._placed()
        assert again.keys() == self.answers.keys() | self.unsure
        assert len(again) == len(set(again.values()))

    def _placed(self) -> dict[str, int]:
        """The bets on record, by the keys that were sent."""
        entries = [entry for entry in self.house.record(TABLE, self.start) if entry.kind in PLACED]
        found = {str(key_of(entry)): entry.sequence for entry in entries}
        assert len(found) == len(entries), "a bet is doubled"
        return found


# -- cut off


@pytest.fixture
def proxy(module_postgres_url: str) -> Iterator[Proxy]:
    with before(module_postgres_url) as made:
        yield made


@pytest.mark.thorough
def test_connections_that_are_cut_off_hold_up_no_answer_and_no_stop(
    proxy: Proxy, make_deployment: Callable[..., Deployment]
) -> None:
    house = make_deployment(proxy.url)
    process = house.start()
    betting = Betting(house, [process], "cut off")
    asyncio.run(betting.through(proxy.freeze, lambda: None))
    assert betting.unsure, "the bet in progress is answered with 503"
    assert betting.slowest < IN_TIME
    betting.check()

    async def stop_while_cut_off() -> tuple[int, float]:
        hanging = asyncio.create_task(betting.bet(process.open_at))
        proxy.freeze()
        began = time.monotonic()
        code = await asyncio.to_thread(process.stop)
        hanging.cancel()
        with suppress(asyncio.CancelledError, AssertionError, httpx.HTTPError):
            await hanging
        return code, time.monotonic() - began

    code, seconds = asyncio.run(stop_while_cut_off())
    assert code == 0
    assert seconds < IN_TIME
    house.start()
    house.audited()


# -- killed and paused


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as running:
        yield running


@pytest.fixture(scope="module")
def house(cluster: Cluster, make_deployment: Callable[..., Deployment]) -> Deployment:
    return make_deployment(cluster.url)


@pytest.mark.parametrize(
    ("processes", "how"), [*thorough((1, "killed"), (1, "paused")), (2, "killed"), *thorough((2, "paused"))]
)
def test_a_database_server_that_dies_or_pauses_loses_and_doubles_nothing(
    house: Deployment, cluster: Cluster, processes: int, how: str
) -> None:
    while len(house.started) < processes:
        house.start()
    betting = Betting(house, house.started, f"{processes} {how}")
    if how == "killed":
        asyncio.run(betting.through(cluster.kill, cluster.start))
    else:
        stopped: list[int] = []
        asyncio.run(betting.through(lambda: stopped.extend(cluster.pause()), lambda: cluster.resume(stopped)))
    assert betting.slowest < IN_TIME
    betting.check()
    assert all(process.process.poll() is None for process in house.started), "no process was restarted"
    house.audited()
