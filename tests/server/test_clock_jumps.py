"""A clock that jumps freezes no table: it is noticed, not recorded, and a manager can accept it on record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.audit import audit
from pitbook.auth.stores import open_auth_store
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal.clocks import Clock
from pitbook.journal.entries import HOUSE, Entry
from pitbook.journal.errors import ClockJumped
from pitbook.people import commands as people
from pitbook.people.values import Grant
from pitbook.server.clock_reference import ClockReference
from pitbook.server.people.event_recorder import THE_SERVER
from pitbook.server.tables.driver import Driver
from pitbook.table import commands as c
from pitbook.table.people import ELECTRONIC_TUMBLER, Person
from pitbook.table.state import Table
from pitbook.tumbler.seals import SealingKeys
from tests.journal.conftest import postgres_role, postgres_server, postgres_url, where
from tests.table.driving import setup
from tests.waiting import until_async

__all__ = ["postgres_role", "postgres_server", "postgres_url", "where"]

ANN = Person("ann", "player")
MAX = Person("max", "manager")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MONTH = timedelta(days=30)


class SimulatedHost:
    """True time, the database host's clock, and the processes that use it."""

    def __init__(self, where: str, folder: Path) -> None:
        self.where = where
        self.true = NOON
        self.off = timedelta()
        """The error of the clock."""
        self.key = folder / "sealing.key"
        SealingKeys.make(self.key)
        self.processes: list[Process] = []

    def steady(self) -> float:
        return (self.true - NOON).total_seconds()

    def advance(self, seconds: float) -> None:
        self.true += timedelta(seconds=seconds)

    def set_clock_error(self, off: timedelta) -> None:
        """Set the error of the clock and let every process notice it."""
        self.off = off
        for process in self.processes:
            process.clock.refresh()

    def start(self) -> Process:
        self.processes.append(Process(self))
        return self.processes[-1]

    def stop(self) -> None:
        while self.processes:
            self.processes.pop().close()

    def restart(self) -> Process:
        self.stop()
        return self.start()

    def check_record(self) -> None:
        """Stop all processes and check the record by an audit."""
        self.stop()
        report = audit(self.where)
        assert report.good, str(report)


class Process:
    """A server process: a house with its clock, and a driver."""

    def __init__(self, host: SimulatedHost) -> None:
        self.host = host
        self.store = open_store(host.where)
        self.store.now = self.wall  # type: ignore[method-assign]
        self.access = open_auth_store(host.where)
        self.draws: list[str] = []
        self.clock = Clock(self.store, steady=host.steady, reference=ClockReference(self.access))
        self.house = House(self.store, clock=self.clock, on_commit=self._committed)
        self.driver = Driver(
            self.house,
            self.access,
            lambda: SealingKeys.load(host.key),
            clock=self.house.now,
            poll_seconds=0.02,
            on_draw=self.draws.append,
        )
        for name in self.house.tables():
            self.house.table(name)
        assert self.house.people is not None
        self.house.check_clock()

    def wall(self) -> str:
        return (self.host.true + self.host.off).isoformat(timespec="microseconds")

    def _committed(self, entries: object) -> None:
        if hasattr(self, "driver"):
            self.driver.changed(list(entries))  # type: ignore[call-overload]

    def furnish(self) -> None:
        """A manager, an automatic table, and ann with chips."""
        answer = self.house.manage(THE_SERVER, people.AddPerson("max", "Max", (Grant("manager"),)))
        assert answer.refused is None, answer
        assert self.house.manage(MAX, people.AddPerson("ann", "Ann", (Grant("player"),))).refused is None
        self.does(MAX, c.OpenTable(setup("singapore-mbs-sic-bo-v6", automatic=c.Automatic(), shaker="automated")))
        self.does(ANN, c.BuyIn(500_00))

    def does(self, who: Person, command: c.Command) -> None:
        answer = self.house.ask("t1", who, command)
        assert answer.refused is None, answer

    def bet(self) -> None:
        self.does(ANN, c.PlaceBets((c.BetRequest("small", 5_00),)))

    def entries(self, name: str = "t1") -> list[Entry]:
        return list(self.store.entries(name))

    async def until(self, true: Callable[[Table], bool]) -> Table:
        async def found() -> Table | None:
            table = await asyncio.to_thread(self.house.table, "t1")
            return table if true(table) else None

        table = await until_async(found, "the table")
        assert table is not None
        return table

    async def plays(self) -> None:
        """One round, from the bet to the next commitment."""
        number, draws = (await self.until(committed)).round.number, len(self.draws)
        if not self.house.table("t1").bets:
            await asyncio.to_thread(self.bet)
        await self.until(counting)
        self.host.advance(20)
        await self.until(lambda table: table.round.number == number + 1 and len(self.draws) > draws)
        assert self.house.table("t1").history[-1].dice
        self.host.advance(9)

    async def waits(self) -> None:
        """The driver has seen that the table cannot continue."""
        await until_async(lambda: "t1" in self.driver._driven and self.driver._driven["t1"].clock_failure, "the driver")

    def close(self) -> None:
        self.house.close()
        self.access.close()


def committed(table: Table) -> bool:
    return table.draw is not None and table.draw.closed is None and not table.draw.voided


def counting(table: Table) -> bool:
    return table.draw is not None and table.draw.until is not None


@pytest.fixture
def host(where: str, tmp_path: Path) -> Iterator[SimulatedHost]:
    made = SimulatedHost(where, tmp_path)
    yield made
    made.stop()


def test_thirty_days_ahead_for_thirteen_seconds_then_back(host: SimulatedHost) -> None:
    process = host.start()
    process.furnish()

    async def story() -> None:
        await process.driver.start()
        await process.plays()
        await process.until(committed)
        await asyncio.to_thread(process.bet)
        await process.until(counting)
        length = len(process.entries())
        host.set_clock_error(MONTH)
        assert "the clock jumped forwards by 30.0 days" in str(process.house.clock_failure)
        with pytest.raises(ClockJumped, match="have a manager accept the current time"):
            process.bet()
        await process.waits()
        host.advance(13)
        assert len(process.entries()) == length, "nothing is recorded by a clock that is not trusted"
        host.set_clock_error(timedelta())
        assert process.house.clock_failure is None
        await process.plays()
        await process.driver.close()

    asyncio.run(story())
    latest = max(entry.at for name in ("t1", HOUSE) for entry in process.entries(name))
    assert latest <= process.wall()
    host.check_record()


def test_a_restart_during_the_jump_changes_nothing(host: SimulatedHost) -> None:
    host.start().furnish()
    host.set_clock_error(MONTH)
    host.advance(5)
    process = host.restart()
    assert process.house.clock_failure is not None
    assert process.house.manage(THE_SERVER, people.RecordServerStart("again", "1", clean_before=False)).refused is None
    assert process.entries(HOUSE)[-1].at < (NOON + timedelta(minutes=1)).isoformat()
    with pytest.raises(ClockJumped):
        process.does(ANN, c.BuyIn(1_00))
    host.advance(8)
    host.set_clock_error(timedelta())

    async def story() -> None:
        await process.driver.start()
        await process.plays()
        await process.driver.close()

    asyncio.run(story())
    host.check_record()


def test_a_house_that_was_shut_for_a_week_starts_as_usual(host: SimulatedHost) -> None:
    host.start().furnish()
    host.stop()
    host.advance(7 * 86_400)
    process = host.start()
    assert process.house.clock_failure is None
    assert process.house.warnings() == []
    process.does(ANN, c.BuyIn(1_00))
    host.check_record()


def month_ahead(host: SimulatedHost, when: str) -> Process:
    """A record from before jumps were noticed: the last times in it are 30 days ahead."""
    process = host.start()
    process.furnish()
    host.off = MONTH
    process.clock.accept()
    process.house.manage(THE_SERVER, people.RecordServerStop("old"))

    async def story() -> None:
        await process.driver.start()
        await process.until(committed)
        if when != "no bet":
            await asyncio.to_thread(process.bet)
            await process.until(counting)
        await process.driver.close()

    asyncio.run(story())
    if when == "closed":
        host.advance(20)
        process.does(ELECTRONIC_TUMBLER, c.CloseBetting())
    host.off = timedelta()
    process.clock.accept()
    return host.restart()


@pytest.mark.parametrize("when", ["no bet", "countdown", "closed"])
def test_a_record_that_is_a_month_ahead_goes_on_once_a_manager_accepts(
    host: SimulatedHost, caplog: pytest.LogCaptureFixture, when: str
) -> None:
    process = month_ahead(host, when)
    assert set(process.house.ahead()) == {"t1", HOUSE}
    assert [warned.kind for warned in process.house.warnings()] == ["time ahead", "time ahead"]
    assert "the last recorded time of table t1, 2026-03-31" in caplog.text
    with pytest.raises(ClockJumped, match=r"table t1, 2026-03-31\S+, is 30\.0 days ahead of the clock, 2026-03-01"):
        process.does(ANN, c.BuyIn(1_00))

    async def story() -> None:
        await process.driver.start()
        await process.waits()
        answer = await asyncio.to_thread(process.house.accept_clock, ANN, "mine")
        assert answer.refused == "wrong-role"
        answer = await asyncio.to_thread(process.house.accept_clock, MAX, "the time server was wrong")
        assert answer.refused is None, answer
        assert process.house.ahead() == {}
        if when == "closed":
            table = await process.until(lambda table: committed(table) and table.round.number == 2)
            assert (list(table.bets), table.history[-1].dice) == ([], ())
        if when == "countdown":
            table = await process.until(counting)
            assert table.draw is not None
            assert table.draw.until == (host.true + timedelta(seconds=20)).isoformat(timespec="microseconds")
        await process.plays()
        again = await asyncio.to_thread(process.house.accept_clock, MAX, "once more")
        assert again.refused == "nothing-to-do"
        await process.driver.close()

    asyncio.run(story())
    corrected = next(entry for entry in process.entries() if entry.kind == "ClockCorrected")
    assert (corrected.actor, corrected.role) == ("max", "manager")
    assert process.entries()[corrected.sequence - 2].at > corrected.at
    host.check_record()


def test_a_jump_that_a_manager_accepts_is_followed_by_every_process(host: SimulatedHost) -> None:
    process = host.start()
    process.furnish()
    other = host.start() if host.where.startswith("postgres") else process
    host.set_clock_error(MONTH)
    answer = process.house.accept_clock(MAX, "the clock was wrong until now")
    assert answer.refused is None, answer
    host.advance(1)
    other.clock.refresh()
    for one in (process, other):
        assert one.house.clock_failure is None
        one.does(ANN, c.BuyIn(1_00))
        assert one.entries()[-1].at == one.wall()
    assert host.restart().house.clock_failure is None
    host.check_record()


def test_nobody_corrects_the_clock_of_a_table_that_is_not_ahead(host: SimulatedHost) -> None:
    process = host.start()
    process.furnish()
    answer = process.house.ask("t1", MAX, c.CorrectClock("to void a round"))
    assert answer.refused == "nothing-to-do"
    host.check_record()


def test_a_reveal_that_waited_in_a_stopped_process_is_refused(host: SimulatedHost) -> None:
    """The process is stopped after the seed was handed in, and before it is decided."""
    process = host.start()
    process.furnish()

    async def story() -> None:
        await process.driver.start()
        await process.until(committed)
        await asyncio.to_thread(process.bet)
        await process.until(counting)
        await process.driver.close()

    asyncio.run(story())
    host.advance(20)
    process.does(ELECTRONIC_TUMBLER, c.CloseBetting())
    draw = process.house.table("t1").draw
    assert draw is not None
    seed = SealingKeys.load(host.key).unseal(draw.sealed, "t1", draw.round)
    waiting = process.house._command("t1", ELECTRONIC_TUMBLER, c.RevealSeed(seed.hex()))
    host.advance(31)
    outcome = process.house._runner.run(waiting)
    assert outcome.refused == "not-now"
    host.check_record()
