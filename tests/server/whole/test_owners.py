"""Two processes on one PostgreSQL: each table has an owner, and whatever happens to it, nothing is lost or doubled."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest

from pitbook.auth.leases import Lease
from pitbook.auth.stores import open_auth_store
from pitbook.server.liveness import PREFIX as PROCESSES
from pitbook.server.ownership.owners import TABLES
from pitbook.server.ownership.peers import recorded_address
from tests import loopback
from tests.proxy import Proxy, before
from tests.server.whole.clients import RawConnection, done
from tests.server.whole.deployment import Deployment, Process, key_of
from tests.server.whole.racing import MOVED, PLACED, TABLE, Races, check_record, race
from tests.soaking import thorough
from tests.waiting import until, until_async

NAMES = ("demo-ann", "demo-ben", "demo-chen")
ENOUGH = 20
"""So many bets are acknowledged before something happens, and again after it."""
LATE = 60
"""How often a process passes a point of its journal before a fault stops it there."""
RACES = 30
FORWARDED = 'pitbook_commands_forwarded_total{outcome="answered"}'
DECIDED_HERE = 'pitbook_commands_forwarded_total{outcome="decided here"}'
TAKEOVERS = "pitbook_table_takeovers_total"


@pytest.fixture(scope="module")
def house(module_postgres_url: str, make_deployment: Callable[..., Deployment]) -> Iterator[Deployment]:
    """A house whose processes come and go; its record must be right in the end."""
    deployment = make_deployment(module_postgres_url)
    started(deployment)
    for name in (*NAMES, "demo-dealer"):
        deployment.visitor(name)  # signed in before any process is paused
    try:
        yield deployment
        deployment.audited()
    finally:
        deployment.close()  # before the database goes


def started(house: Deployment, place: str = "", **environment: str) -> Process:
    """A process with a short lease, which has opened."""
    return house.start(demo=True, place=place, PITBOOK_OWNER_LEASE="1", **environment)


def living(house: Deployment) -> list[Process]:
    return [process for process in house.started if process.process.poll() is None]


def owned(process: Process) -> set[str]:
    """The tables that a process owns."""
    return set(loopback.get(f"{process.open_at}/ready").json()["owns"])


def figure(process: Process, name: str) -> float:
    """A figure that a process counts; nothing where it has counted none."""
    found = re.search(rf"^{re.escape(name)} (\S+)$", loopback.get(f"{process.open_at}/metrics").text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def two(house: Deployment, *, place: str = "", **environment: str) -> tuple[Process, Process]:
    """The owner of a table and another process, which forwards to it.

    The owner is a new process where its database is to be reached at another place, or where it has variables.
    """
    while len(living(house)) < 2:
        started(house)
    new = None
    if place or environment:
        assert living(house)[0].stop() == 0
        new = started(house, place, **environment)
    until(lambda: all(map(owned, living(house))), "a share of the tables for each")
    if new is not None:
        exchange(house, TABLE, new)
    chosen = living(house) if new is None else [new]
    owner = until(lambda: next((one for one in chosen if TABLE in owned(one)), None), "an owner")
    other = next(one for one in living(house) if one is not owner)
    ann = house.visitor("demo-ann").at(other.open_at)
    before = figure(other, FORWARDED)
    with ann:
        until(lambda: done(ann.bets(TABLE, "small=100")) and figure(other, FORWARDED) > before, "a forwarded bet")
    return owner, other


def exchange(house: Deployment, table: str, owner: Process) -> None:
    """Have a process own a table, and the owner of that table another one in its place."""
    with open_auth_store(house.place) as access:
        leases = access.leases
        (process,) = (name for name in leases.held(PROCESSES) if f" {owner.process.pid} " in name)
        held = leases.held(TABLES)
        if (now := held[TABLES + table]).holder == process:
            return
        back = next(name for name, found in held.items() if found.holder == process)
        leases.transfer(Lease(TABLES + table, now.holder, now.fence, ""), process, 1)
        leases.transfer(Lease(back, process, held[back].fence, ""), now.holder, 1)


class Betting:
    """Players who bet at a process without a pause, and the responses; each bet has a key and is taken down."""

    def __init__(self, house: Deployment, process: Process, name: str) -> None:
        self._house = house
        self._place = process.open_at
        self._name = name
        self._start = house.record(TABLE)[-1].sequence
        self._ended = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.answers: dict[str, int] = {}
        self.unsure: set[str] = set()
        self.refused: set[str] = set()

    async def __aenter__(self) -> Betting:
        self._tasks = [asyncio.create_task(self._bet(name)) for name in NAMES]
        await self.more()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._ended.set()
        await asyncio.gather(*self._tasks)

    async def more(self) -> None:
        """Wait until some more bets were taken."""
        wanted = len(self.answers) + ENOUGH
        await until_async(lambda: len(self.answers) >= wanted, "more bets")

    async def over(self) -> None:
        """Wait until every player was refused because betting is closed."""
        await asyncio.gather(*self._tasks)

    async def _bet(self, name: str) -> None:
        async with RawConnection(self._place, self._house.visitor(name).token or "") as line:
            for number in count():
                if self._ended.is_set():
                    return
                key = f"{self._name} {name} {number}"
                answer = await line.bet(TABLE, "small=100", key=key)
                if answer.status == 200:
                    self.answers[key] = answer.body["sequence"]
                    down = {"command": {"type": "TakeDown", "wager": "small", "amount": 100}}
                    await line.post(f"/tables/{TABLE}/commands", down, f"{key} down")
                elif answer.status == 409:
                    assert answer.body["refusal"] == "betting-closed", answer
                    self.refused.add(key)
                    return
                else:
                    assert answer.status in (0, 503), answer
                    self.unsure.add(key)
                    if answer.status == 0:
                        return

    def check(self, connected: Process | None = None) -> None:
        """What was acknowledged is on record once, what was refused is not; what was not answered is there or not.

        Unanswered bets are repeated at the newest process, or at the one given if that cannot reach the database.
        """
        placed = self._placed()
        assert self.answers.items() <= placed.items(), "an acknowledged bet is lost"
        assert placed.keys() - self.answers.keys() <= self.unsure
        for key in self.unsure & placed.keys():
            person = self._house.visitor(key.split(" ")[-2])
            with person.at(connected.open_at if connected else person.address) as again:
                assert done(again.bets(TABLE, "small=100", key=key))["repeated"]
        assert self._placed() == placed

    def _placed(self) -> dict[str, int]:
        entries = [entry for entry in self._house.record(TABLE, self._start) if entry.kind in PLACED]
        found = {str(key_of(entry)): entry.sequence for entry in entries}
        assert len(found) == len(entries), "a bet is doubled"
        return {key: sequence for key, sequence in found.items() if key.startswith(f"{self._name} ")}


async def until_owned(process: Process, tables: set[str]) -> None:
    await until_async(lambda: asyncio.to_thread(lambda: tables <= owned(process)), f"the ownership of {tables}")


async def close_betting(house: Deployment, process: Process) -> int:
    """Close betting, and return the number of the entry that did it."""
    async with RawConnection(process.open_at, house.visitor("demo-dealer").token or "") as dealer:
        response = await dealer.command(TABLE, "TakeStep", step="close")
        assert response.status == 200, response
    return int(response.body["sequence"])


async def finish_round(house: Deployment, process: Process) -> None:
    """End a round that is closed by a No Roll."""
    async with RawConnection(process.open_at, house.visitor("demo-dealer").token or "") as dealer:
        for step, more in (("shake-manual", {"shakes": 3}), ("uncover", {})):
            assert (await dealer.command(TABLE, "TakeStep", step=step, **more)).status == 200
        assert (await dealer.command(TABLE, "Call", irregularity="no-roll", words="a die leans")).status == 200


def test_each_table_has_one_owner_to_which_the_other_process_forwards(house: Deployment) -> None:
    owner, other = two(house)
    here, there = owned(owner), owned(other)
    assert not here & there
    assert abs(len(here) - len(there)) == len(here | there) % 2
    before = figure(owner, FORWARDED), figure(other, FORWARDED)

    async def bet() -> list[Betting]:
        async with Betting(house, owner, "at the owner") as first, Betting(house, other, "elsewhere") as second:
            return [first, second]

    for betting in asyncio.run(bet()):
        betting.check()
        assert not betting.unsure
    assert figure(owner, FORWARDED) == before[0]
    assert figure(other, FORWARDED) - before[1] >= 2 * ENOUGH, "bets, and taking them down"


def test_a_bet_without_a_key_is_forwarded_too(house: Deployment) -> None:
    _, other = two(house)
    before = figure(other, FORWARDED)
    with house.visitor("demo-ann").at(other.open_at) as ann:
        start = ann.table(TABLE)["sequence"]
        response = done(ann.bets(TABLE, "small=100"))
    assert (response["sequence"], response["events"], response["repeated"]) == (start + 1, ["BetPlaced"], False)
    assert figure(other, FORWARDED) == before + 1


def test_a_refusal_reads_the_same_in_every_place(house: Deployment) -> None:
    with ExitStack() as stack:
        anns = [stack.enter_context(house.visitor("demo-ann").at(one.open_at)) for one in two(house)]
        body = [one.bets(TABLE, "small=99999999900").json() for one in anns]
    assert {**body[0], "request_id": ""} == {**body[1], "request_id": ""}
    assert body[0]["refusal"] == "over-maximum"


@pytest.mark.thorough
def test_an_orderly_stop_releases_the_tables_and_a_new_process_gets_its_share(house: Deployment) -> None:
    owner, other = two(house)
    tables, taken_over = owned(owner) | owned(other), figure(other, TAKEOVERS)

    async def stop_and_start() -> Betting:
        async with Betting(house, other, "released") as betting:
            assert await asyncio.to_thread(owner.stop) == 0
            await until_owned(other, tables)
            await asyncio.to_thread(started, house)
            await until_async(lambda: asyncio.to_thread(lambda: bool(owned(house.process))), "a share")
            await betting.more()
        return betting

    betting = asyncio.run(stop_and_start())
    betting.check()
    assert not betting.unsure, "no one had to wait"
    assert figure(other, TAKEOVERS) == taken_over


@pytest.mark.thorough
def test_bets_race_the_close_while_the_owner_is_killed(house: Deployment) -> None:
    owner, other = two(house)
    taken_over = figure(other, TAKEOVERS)
    start = asyncio.run(close_betting(house, other))
    asyncio.run(finish_round(house, other))

    def steps(after: int) -> int:
        return sum(entry.kind == "StepTaken" for entry in house.record(TABLE, after))

    async def race_and_kill() -> Races:
        racing = asyncio.create_task(race([other.open_at], [other.open_at], house, RACES))
        await until_async(lambda: asyncio.to_thread(lambda: steps(start) > RACES), "some races")
        owner.kill()
        return await racing

    start = house.record(TABLE)[-1].sequence
    races = asyncio.run(race_and_kill())
    check_record(house.record(TABLE, start), races)
    until(lambda: TABLE in owned(other), "the takeover")
    assert figure(other, TAKEOVERS) > taken_over


@pytest.mark.parametrize("point", [*thorough("before-commit"), "before-acknowledge"])
def test_an_owner_that_dies_with_a_forwarded_bet_in_its_hands(house: Deployment, point: str) -> None:
    """The process that forwarded the bet finds out what became of it, and answers."""
    owner, other = two(house, PITBOOK_FAULT=f"{point}:{LATE}")

    async def bet_until_it_dies() -> Betting:
        async with Betting(house, other, f"dies {point}") as betting:
            await asyncio.to_thread(owner.process.wait)
            await until_owned(other, {TABLE})
            await betting.more()
        return betting

    betting = asyncio.run(bet_until_it_dies())
    betting.check()
    assert not betting.unsure, "every bet is answered"
    assert figure(other, DECIDED_HERE)


@pytest.mark.parametrize("point", [*thorough(None), f"before-commit:{LATE}:SIGSTOP"])
def test_a_paused_owner_loses_its_tables_and_writes_nothing_when_it_wakes_up(
    house: Deployment, point: str | None
) -> None:
    """Whether it is paused at any moment or in the middle of a transaction, with the table locked."""
    owner, other = two(house, **({"PITBOOK_FAULT": point} if point else {}))

    async def pause() -> tuple[Betting, Betting, int]:
        async with Betting(house, owner, f"asleep {point}") as late:
            async with Betting(house, other, f"awake {point}") as betting:
                if point is None:
                    owner.process.send_signal(signal.SIGSTOP)
                await until_async(lambda: is_stopped(owner), "the pause")
                await until_owned(other, {TABLE})
                await betting.more()
            closed = await close_betting(house, other)
            owner.process.send_signal(signal.SIGCONT)
            await late.over()
        return late, betting, closed

    late, betting, closed = asyncio.run(pause())
    asyncio.run(finish_round(house, other))
    for one in (late, betting):
        one.check()
    assert len(late.refused) == len(NAMES)
    after = [entry.kind for entry in house.record(TABLE, closed)]
    assert not [kind for kind in after if kind in MOVED], "a bet after the close"


def is_stopped(process: Process) -> bool:
    """Whether a process is paused."""
    state = Path(f"/proc/{process.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    return state == "T"


def test_an_owner_that_is_cut_off_from_the_database_loses_its_tables(house: Deployment) -> None:
    with before(house.place) as proxy:
        owner, other = two(house, place=proxy.url)

        async def cut_off() -> list[Betting]:
            async with Betting(house, owner, "cut off") as here, Betting(house, other, "connected") as there:
                proxy.freeze(also_new=True)
                await until_owned(other, {TABLE})
                await there.more()
            return [here, there]

        for betting in asyncio.run(cut_off()):
            betting.check(other)
        proxy.thaw()
        until(lambda: loopback.get(f"{owner.open_at}/ready").status_code == 200, "readiness")
        until(lambda: owned(owner), "a share for the process that is back")
        assert owner.stop() == 0


@pytest.mark.thorough
def test_a_process_that_cannot_reach_the_owner_decides_alone(house: Deployment) -> None:
    with proxied_port(house) as (port, proxy):
        owner, other = two(house, PITBOOK_INTERNAL_ADDRESS=f"127.0.0.1:{port}")

        async def separate() -> list[Betting]:
            async with Betting(house, owner, "reached") as here, Betting(house, other, "separated") as there:
                proxy.freeze(also_new=True)
                await until_async(lambda: asyncio.to_thread(lambda: bool(warnings(other))), "a warning")
                await there.more()
                await here.more()
            return [here, there]

        for betting in asyncio.run(separate()):
            betting.check()
            assert not betting.unsure
        assert "cannot be reached; commands for its tables are decided here" in warnings(other)[0]
        proxy.thaw()
        until(lambda: not warnings(other), "the channel")
        assert owner.stop() == 0


def warnings(process: Process) -> list[str]:
    return list(loopback.get(f"{process.open_at}/ready").json()["warnings"])


@contextmanager
def proxied_port(house: Deployment) -> Iterator[tuple[int, Proxy]]:
    """A free port, and a proxy before it that other processes find in the database in its place."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with before(f"postgresql://nobody@127.0.0.1:{port}/none") as proxy:
        own, other = recorded_address("127.0.0.1", port), recorded_address(*proxy.address)
        with psycopg.connect(house.place, autocommit=True) as database:
            database.execute(
                "CREATE FUNCTION lead_through_proxy() RETURNS trigger LANGUAGE plpgsql AS"
                f" $$ BEGIN NEW.holder := replace(NEW.holder, '{own}', '{other}'); RETURN NEW; END $$"
            )
            database.execute(
                "CREATE TRIGGER lead_through_proxy BEFORE INSERT OR UPDATE ON access_leases"
                " FOR EACH ROW EXECUTE FUNCTION lead_through_proxy()"
            )
            yield port, proxy
            database.execute("DROP FUNCTION lead_through_proxy CASCADE")
