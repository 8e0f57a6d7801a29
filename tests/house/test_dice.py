"""One register of dice for the whole house: two tables, two processes, restarts and races, on both databases."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from pitbook.audit import audit
from pitbook.dice_register import commands as d
from pitbook.house.answers import Answer
from pitbook.house.house import House
from pitbook.house.state import load_house
from pitbook.house.stores import open_store
from pitbook.house.transcript import read_transcript
from pitbook.journal import fault_injection
from pitbook.journal.runner import Settings
from pitbook.people.commands import AddPerson
from pitbook.people.values import Grant
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.testing import MANAGER, START, Clock, JournalTable

MASSACHUSETTS, MARYLAND = "massachusetts-sic-bo", "maryland-sic-bo"
THE_SERVER = Person("server", "server")


@pytest.fixture
def time() -> Clock:
    return Clock()


@pytest.fixture
def opened(where: str, time: Clock) -> Iterator[Callable[..., House]]:
    """Return a function that opens houses over one journal; close them afterwards."""
    made: list[House] = []

    def make(settings: Settings | None = None) -> House:
        made.append(House(open_store(where), settings, clock=time))
        return made[-1]

    yield make
    for house in made:
        house.close()


def puts(floor: JournalTable, name: str) -> Answer:
    return floor.house.ask(floor.name, floor.most_senior, c.PutDice(name))


def test_a_set_that_is_in_use_at_another_table_is_refused_there(where: str, opened: Callable[..., House]) -> None:
    house = opened()
    one, other = JournalTable(house, MASSACHUSETTS, "t1"), JournalTable(house, MARYLAND, "t2")
    refused = puts(other, "set-1")
    assert refused.refused == "dice-register"
    assert "in use at table t1" in refused.says
    one.does(one.most_senior, c.TakeOutDice("set-1", "for another table"))
    assert puts(other, "set-1").refused is None
    assert house.dice.sets["set-1"].table == "t2"
    assert audit(where).good


def test_the_time_of_a_set_goes_on_at_another_table(where: str, opened: Callable[..., House], time: Clock) -> None:
    house = opened()
    one, other = JournalTable(house, MASSACHUSETTS, "t1"), JournalTable(house, MARYLAND, "t2")
    time.later(hours=20)
    one.does(one.most_senior, c.PutDice("set-2"))
    other.does(other.most_senior, c.PutDice("set-1"))
    dice = house.table("t2").dice
    assert dice is not None
    assert dice.first_used == START.isoformat(timespec="microseconds")
    time.later(hours=4, seconds=1)
    other.buy_in("ann")
    bets = c.PlaceBets((c.BetRequest("small", 1000),))
    refused = house.ask("t2", Person("ann", "player"), bets)
    assert (refused.refused, refused.clauses) == ("dice-expired", ("2.B",))
    one.does(MANAGER, c.CloseTable())
    assert (puts(other, "set-1").refused, house.dice.sets["set-2"].standing) == ("dice-register", "out")
    assert audit(where).good


def test_the_register_is_the_same_after_a_restart_and_from_a_snapshot(
    where: str, opened: Callable[..., House], time: Clock
) -> None:
    house = opened(Settings(snapshot_every=2))
    table = JournalTable(house, MASSACHUSETTS, "t1")
    for number in range(2, 6):
        table.does(table.most_senior, c.PutDice(f"set-{number}", serials=(f"{number}a", f"{number}b", f"{number}c")))
    time.later(hours=1)
    house.manage(THE_SERVER, AddPerson("max", "Max", (Grant("manager"),)))
    before, people = house.dice, house.people
    house.close()
    again = opened()
    assert (again.dice, again.people) == (before, people)
    assert before.sets["set-5"].serials == ("5a", "5b", "5c")
    assert [move.what for move in before.sets["set-4"].moves] == ["received", "put in", "taken out"]
    assert audit(where).good


def test_table_and_register_are_written_together_or_not_at_all(where: str, opened: Callable[..., House]) -> None:
    house = opened()
    table = JournalTable(house, MASSACHUSETTS, "t1")
    heads = house.store.heads()

    class Cut(Exception):
        """Raised to lose a transaction before its commit."""

    def cut(_passed: int) -> None:
        raise Cut

    fault_injection.arm("before-commit", cut)
    with pytest.raises(Cut):
        puts(table, "set-2")
    fault_injection.disarm()
    assert house.store.heads() == heads
    assert puts(table, "set-2").refused is None
    assert audit(where).good


def test_of_two_tables_that_want_one_set_at_the_same_time_one_gets_it(where: str, opened: Callable[..., House]) -> None:
    first = opened()
    floors = [JournalTable(first, MASSACHUSETTS, "t1"), JournalTable(first, MARYLAND, "t2")]
    houses = [first, first]
    if where.startswith("postgres"):  # two processes: each has its own connections and its own state of the house
        houses[1] = opened()
    together = threading.Barrier(2)

    def put(place: int, name: str) -> Answer:
        floor = floors[place]
        together.wait(20)
        return houses[place].ask(floor.name, floor.most_senior, c.PutDice(name))

    with ThreadPoolExecutor(2) as pool:
        for number in range(10):
            name = f"wanted {number}"
            answers = list(pool.map(put, (0, 1), (name, name)))
            assert sorted(answer.refused or "" for answer in answers) == ["", "dice-register"]
            winner = next(place for place, answer in enumerate(answers) if answer.refused is None)
            assert first.dice.sets[name].table == floors[winner].name
    assert audit(where).good


def test_a_table_waits_for_a_register_that_another_is_writing(where: str, opened: Callable[..., House]) -> None:
    """The first has decided and not committed; the second sees what it has written all the same."""
    house = opened()
    one, other = JournalTable(house, MASSACHUSETTS, "t1"), JournalTable(house, MARYLAND, "t2")
    second = opened() if where.startswith("postgres") else house
    decided, command = threading.Event(), threading.Event()

    def hold(passed: int) -> None:
        if passed == 1:
            decided.set()
            assert command.wait(20)

    def late() -> Answer:
        command.set()
        return second.ask("t2", other.most_senior, c.PutDice("wanted"))

    fault_injection.arm("before-commit", hold)
    with ThreadPoolExecutor(2) as pool:
        early = pool.submit(puts, one, "wanted")
        assert decided.wait(20)
        then = pool.submit(late)
        assert (early.result(30).refused, then.result(30).refused) == (None, "dice-register")


def test_sets_are_received_and_retired_without_a_table(where: str, opened: Callable[..., House]) -> None:
    house = opened()
    table = JournalTable(house, MASSACHUSETTS, "t1")
    assert house.register_dice(MANAGER, d.ReceiveDice("red", ("r1", "r2", "r3"))).refused is None
    assert house.register_dice(MANAGER, d.ReceiveDice("red")).refused == "dice-register"
    assert house.register_dice(MANAGER, d.ReceiveDice("blue", ("r1",))).refused == "dice-register"
    assert house.register_dice(Person("dan", "dealer"), d.ReceiveDice("blue")).refused == "wrong-role"
    assert house.register_dice(MANAGER, d.RetireDice("green", "cancelled", "lost")).refused == "no-such-set"
    assert house.register_dice(MANAGER, d.RetireDice("set-1", "cancelled", "worn")).refused == "dice-register"
    assert house.ask("t1", table.most_senior, c.PutDice("red", serials=("r1", "r2", "r9"))).refused == "dice-register"
    assert house.register_dice(table.most_senior, d.RetireDice("red", "cancelled", "scratched")).refused is None
    assert puts(table, "red").refused == "dice-register"
    assert house.register_dice(table.most_senior, d.RetireDice("red", "destroyed", "shredded")).refused is None
    says = [
        line.text()
        for entry in read_transcript(house.store)
        if entry.entry.kind.startswith("Dice")
        for line in entry.says
    ]
    assert "max (manager) received the dice “red” (r1, r2, r3)" in says
    assert says[-1] == f"{table.most_senior.name} (casino supervisor) destroyed the dice “red”: shredded"
    assert audit(where).good


def test_a_snapshot_from_before_the_register_is_read(tmp_path: Path, time: Clock) -> None:
    path = tmp_path / "house.db"
    with House(open_store(str(path)), clock=time) as house:
        house.manage(THE_SERVER, AddPerson("max", "Max", (Grant("manager"),)))
        people = house.people
    old = load_house(msgspec.json.encode(people))
    assert (old.people, old.dice.sets) == (people, {})
