"""The electronic tumbler drives automatic tables: one process at a time, never a draw twice, whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.audit import audit
from pitbook.auth.store import AuthStore
from pitbook.auth.stores import open_auth_store
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.rulebooks.catalogue import load
from pitbook.server.tables.driver import Driver
from pitbook.server.tables.turns import Turn
from pitbook.table import commands as c
from pitbook.table.people import ELECTRONIC_TUMBLER, Person
from pitbook.table.state import Table
from pitbook.testing import person
from pitbook.tumbler.health import Seeds
from pitbook.tumbler.seals import SealingKeys
from tests.table.automatic import supervisors
from tests.table.driving import DrivenTable, setup
from tests.waiting import until_async

ANN = Person("ann", "player")
MAX = Person("max", "manager")


class CountedDriver(Driver):
    """A driver that counts how often it has looked at a table."""

    looks = 0

    def _wait(self, turn: Turn) -> float:
        self.looks += 1
        return super()._wait(turn)


class DrivenHouse:
    """A house with automatic tables, on a clock that a test moves."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)
        self.key = path.with_name("sealing.key")
        SealingKeys.make(self.key)
        self.draws: list[str] = []
        self.open()

    def open(self) -> None:
        self.house = House(open_store(str(self.path)), clock=lambda: self.now, on_commit=self._committed)
        self.access: AuthStore = open_auth_store(str(self.path))
        self.drivers: list[CountedDriver] = []

    def _committed(self, entries: object) -> None:
        for driver in self.drivers:
            driver.changed(list(entries))  # type: ignore[call-overload]

    def driver(self, **changes: object) -> CountedDriver:
        made = CountedDriver(
            self.house,
            self.access,
            lambda: SealingKeys.load(self.key),
            clock=lambda: self.now,
            poll_seconds=0.02,
            lease_seconds=0.3,
            on_draw=self.draws.append,
            **changes,  # type: ignore[arg-type]
        )
        self.drivers.append(made)
        return made

    def table(self, book: str = "singapore-mbs-sic-bo-v6", name: str = "t1") -> None:
        shaker = "manual" if load(book).identity.game == "craps" else "automated"
        self.does(MAX, c.OpenTable(setup(book, automatic=c.Automatic(), shaker=shaker)), name)
        self.does(ANN, c.BuyIn(500_00), name)

    def does(self, who: Person, command: c.Command, name: str = "t1") -> None:
        answer = self.house.ask(name, who, command)
        assert answer.refused is None, answer

    def bet(self, name: str = "t1") -> None:
        rules = self.house.table(name).rules
        wager = "small" if "small" in rules.wagers else next(iter(rules.wagers))
        self.does(ANN, c.PlaceBets((c.BetRequest(wager, 5_00),)), name)

    def later(self, **span: float) -> None:
        self.now += timedelta(**span)

    def restart(self) -> None:
        self.close()
        self.open()

    def close(self) -> None:
        self.house.close()
        self.access.close()

    def sound(self) -> None:
        """The whole record is right."""
        self.close()
        report = audit(self.path)
        assert report.good, str(report)
        self.open()

    async def until(self, true: Callable[[Table], bool], name: str = "t1") -> Table:
        """Waits until a table is as wanted."""

        async def found() -> Table | None:
            table = await asyncio.to_thread(self.house.table, name)
            return table if true(table) else None

        return await until_async(found, f"table {name}")

    async def looked_at(self) -> None:
        """Waits until every driver has looked at its tables as they are now, and acted if it would."""
        seen = {driver: driver.looks for driver in self.drivers}
        await until_async(lambda: all(driver.looks >= looks + 2 for driver, looks in seen.items()), "the drivers")

    async def plays_on(self, name: str = "t1") -> None:
        """Lets a countdown run out, and after the draw the rest before the next round, whose length the driver notes
        after the draw is on record: only then the clock continues."""
        number, draws = self.house.table(name).round.number, self.draws.count(name)
        self.later(seconds=20)
        await self.until(lambda table: table.round.number > number and self.draws.count(name) > draws, name)
        self.later(seconds=8)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[DrivenHouse]:
    made = DrivenHouse(tmp_path / "house.db")
    yield made
    made.close()


def run(story: object) -> None:
    asyncio.run(story)  # type: ignore[arg-type]


def committed(table: Table) -> bool:
    return table.draw is not None and table.draw.closed is None and not table.draw.voided


async def a_round(hall: DrivenHouse, name: str = "t1") -> Table:
    """Bets, waits for the countdown to run out, and sees the next round open."""
    await hall.until(committed, name)
    await asyncio.to_thread(hall.bet, name)
    await hall.until(lambda table: table.draw is not None and table.draw.until is not None, name)
    await hall.plays_on(name)
    return await hall.until(committed, name)


@pytest.mark.parametrize(
    "book", ["singapore-mbs-sic-bo-v6", "dice-ology", "massachusetts-sic-bo", "craps", "craps+dice-works"]
)
def test_one_person_can_play_at_once_and_round_follows_round(hall: DrivenHouse, book: str) -> None:
    hall.table(book)

    async def story() -> None:
        driver = hall.driver()
        await driver.start()
        first = await hall.until(committed)
        await hall.looked_at()
        assert hall.house.table("t1").step == first.step, "nothing runs without a bet"
        table = first
        if table.craps:
            await asyncio.to_thread(hall.bet)
            for _ in range(3):
                await hall.until(lambda table: table.draw is not None and table.draw.until is not None)
                await hall.plays_on()
                if not hall.house.table("t1").bets:
                    break
        else:
            for _ in range(3):
                table = await a_round(hall)
            assert table.round.number == 4
        await driver.close()

    run(story())
    hall.sound()


def test_two_drivers_never_drive_the_same_table_and_one_takes_over_from_a_dead_one(hall: DrivenHouse) -> None:
    hall.table()

    async def story() -> None:
        first, second = hall.driver(), hall.driver()
        await first.start()
        await hall.until(committed)
        await second.start()
        await a_round(hall)
        for task in asyncio.all_tasks():
            if task.get_name() == "driving t1" and task is first._driven["t1"].task:
                first._auth = None  # type: ignore[assignment] # dead: it neither acts nor lets go
                task.cancel()
        await a_round(hall)
        assert first._search_task is not None
        first._search_task.cancel()
        await second.close()

    run(story())
    hall.sound()


@pytest.mark.parametrize("when", ["no bet", "bets", "countdown", "closed"])
def test_after_a_restart_betting_goes_on_or_the_same_draw_is_settled(hall: DrivenHouse, when: str) -> None:
    hall.table()

    async def before() -> Table:
        driver = hall.driver()
        await driver.start()
        table = await hall.until(committed)
        if when != "no bet":
            await asyncio.to_thread(hall.bet)
        if when in ("countdown", "closed"):
            await hall.until(lambda table: table.draw is not None and table.draw.until is not None)
        await driver.close()
        if when == "closed":
            hall.later(seconds=20)
            hall.does(ELECTRONIC_TUMBLER, c.CloseBetting())
        return table

    async def after(commitment: str) -> None:
        assert hall.house.after_restart() == {}, "an automatic table needs no ruling about the power"
        driver = hall.driver()
        await driver.start()
        if when != "closed":
            table = await hall.until(committed)
            assert table.draw is not None
            assert table.draw.commitment == commitment, "betting continues under the same commitment"
            if when == "no bet":
                await asyncio.to_thread(hall.bet)
            await hall.until(lambda table: table.draw is not None and table.draw.until is not None)
            hall.later(seconds=20)
        await hall.until(lambda table: table.round.number == 2)
        assert len(hall.house.table("t1").history) == 1
        await driver.close()

    opened = asyncio.run(before())
    assert opened.draw is not None
    hall.restart()
    run(after(opened.draw.commitment))
    hall.sound()


@pytest.mark.parametrize("closed", [False, True])
def test_a_lost_key_voids_returns_and_waits_for_the_shift_manager(hall: DrivenHouse, closed: bool) -> None:
    hall.table()

    async def story() -> None:
        driver = hall.driver()
        await driver.start()
        await hall.until(committed)
        await asyncio.to_thread(hall.bet)
        await hall.until(lambda table: table.draw is not None and table.draw.until is not None)
        hall.key.unlink()
        hall.later(seconds=20)
        table = await hall.until(lambda table: table.tumbler_failed is not None)
        assert not table.bets
        assert not table.draw
        SealingKeys.make(hall.key)
        await asyncio.to_thread(hall.does, Person("meg", "gaming-shift-manager"), c.Repair("electronic-tumbler"))
        await a_round(hall)
        await driver.close()

    run(story())
    hall.sound()


def spoil(key: Path, how: str) -> Callable[[], SealingKeys]:
    """Make the sealing key unusable; what a driver is to read its keys with."""
    match how:
        case "open to others":
            key.chmod(0o640)
        case "damaged":
            key.write_bytes(key.read_bytes()[:-9] + b"\n")
        case "a folder":
            key.unlink()
            key.mkdir(mode=0o700)
        case "of another house":
            key.unlink()
            SealingKeys.make(key)
        case "fails by itself":

            def fails() -> SealingKeys:
                raise OSError(5, "Input/output error")

            return fails
    return lambda: SealingKeys.load(key)


KEY_ERRORS = {
    "open to others": "others may read it",
    "damaged": "it is damaged",
    "a folder": "it is not a file",
    "of another house": "is lost",
    "fails by itself": "it cannot be read",
}


@pytest.mark.parametrize(("how", "words"), KEY_ERRORS.items())
def test_every_key_error_at_the_reveal_voids_the_round_on_record(hall: DrivenHouse, how: str, words: str) -> None:
    hall.table()

    async def story() -> None:
        driver = hall.driver()
        await driver.start()
        await hall.until(committed)
        await asyncio.to_thread(hall.bet)
        await hall.until(lambda table: table.draw is not None and table.draw.until is not None)
        driver._keys = spoil(hall.key, how)
        hall.later(seconds=20)
        table = await hall.until(lambda table: table.tumbler_failed is not None)
        assert words in str(table.tumbler_failed)
        assert str(hall.key) not in str(table.tumbler_failed), "players read this"
        assert not table.bets
        assert not table.draw, "the seed is never revealed"
        assert [warned.kind for warned in hall.house.warnings()] == ["tumbler failed"]
        await driver.close()

    run(story())
    hall.sound()


def test_a_key_error_before_a_round_opens_is_on_record_once(hall: DrivenHouse) -> None:
    hall.table()
    hall.key.chmod(0o640)

    async def story() -> None:
        driver = hall.driver()
        await driver.start()
        table = await hall.until(lambda table: table.tumbler_failed is not None)
        await hall.looked_at()
        assert hall.house.table("t1").step == table.step
        hall.key.chmod(0o600)
        await asyncio.to_thread(hall.does, MAX, c.Repair("electronic-tumbler"))
        await hall.until(committed)
        assert hall.house.warnings() == []
        await driver.close()

    run(story())
    hall.sound()


@pytest.mark.parametrize("seconds", [30, 31])
def test_dice_that_are_due_when_a_driver_takes_over_are_void(hall: DrivenHouse, seconds: int) -> None:
    """As after a crash, or when a process is stopped between the close and the reveal and another takes over."""
    hall.table()

    async def before() -> None:
        driver = hall.driver()
        await driver.start()
        await hall.until(committed)
        await asyncio.to_thread(hall.bet)
        await hall.until(lambda table: table.draw is not None and table.draw.until is not None)
        await driver.close()

    async def after() -> None:
        if seconds > 30:
            assert [(warned.kind, warned.round) for warned in hall.house.warnings()] == [("reveal overdue", 1)]
        driver = hall.driver()
        await driver.start()
        if seconds > 30:
            table = await hall.until(lambda table: table.tumbler_failed is not None)
            assert "house policy" in str(table.tumbler_failed)
            assert (list(table.bets), table.draw, table.history[0].dice) == ([], None, ())
        else:
            table = await hall.until(lambda table: table.round.number == 2)
            assert table.history[0].dice
        await driver.close()

    run(before())
    hall.later(seconds=20)
    hall.does(ELECTRONIC_TUMBLER, c.CloseBetting())
    hall.later(seconds=seconds)
    run(after())
    hall.sound()


def test_a_failing_source_of_entropy_closes_the_table(hall: DrivenHouse) -> None:
    hall.table()
    given = iter([bytes(range(32))] * 2)

    async def story() -> None:
        driver = hall.driver(seeds=Seeds(lambda _count: next(given)))
        await driver.start()
        await hall.until(committed)
        await asyncio.to_thread(hall.bet)
        await hall.until(lambda table: table.draw is not None and table.draw.until is not None)
        await hall.plays_on()
        table = await hall.until(lambda table: table.tumbler_failed is not None)
        assert "same seed" in str(table.tumbler_failed)
        await driver.close()

    run(story())
    hall.sound()


def test_a_void_round_is_revealed_and_the_next_opens(hall: DrivenHouse) -> None:
    hall.table()

    async def story() -> None:
        driver = hall.driver()
        await driver.start()
        table = await hall.until(committed)
        first, second = (person(text) for text in supervisors(DrivenTable(table)))
        await asyncio.to_thread(hall.bet)
        await asyncio.to_thread(hall.does, first, c.ProposeVoid("wrong limits"))
        await asyncio.to_thread(hall.does, second, c.ApproveVoid(1))
        table = await hall.until(lambda table: committed(table) and table.round.number == 2)
        assert not table.bets
        await driver.close()

    run(story())
    hall.sound()


def test_a_held_table_waits_and_its_countdown_goes_on_later(hall: DrivenHouse) -> None:
    hall.table()

    async def story() -> None:
        driver = hall.driver()
        await driver.start()
        await hall.until(committed)
        await asyncio.to_thread(hall.bet)
        table = await hall.until(lambda table: table.draw is not None and table.draw.until is not None)
        boss = person(supervisors(DrivenTable(table))[0])
        hall.later(seconds=5)
        await asyncio.to_thread(hall.does, boss, c.Pause("tea"))
        hall.later(hours=1)
        await hall.looked_at()
        assert hall.house.table("t1").round.number == 1
        await asyncio.to_thread(hall.does, boss, c.Unpause())
        hall.later(seconds=14.5)
        await hall.looked_at()
        assert hall.house.table("t1").round.number == 1
        hall.later(seconds=1)
        await hall.until(lambda table: table.round.number == 2)
        await driver.close()

    run(story())
    hall.sound()
