"""Whole journals for the auditor: tables of all books, played through a house onto a database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.engine.windows import window_closed
from pitbook.house.house import Answer, House
from pitbook.journal.port import Store
from pitbook.journal.runner import Settings
from pitbook.journal.sqlite import SqliteStore
from pitbook.people import commands as people
from pitbook.people.values import Grant
from pitbook.rulebooks.catalogue import load
from pitbook.table import commands as c
from pitbook.table.limits import limit_of
from pitbook.table.people import Person, is_staff, rank
from pitbook.table.state import Table, due
from tests.table.pits import checks_of, person, setup

SIC_BO = ("massachusetts-sic-bo", "maryland-sic-bo", "singapore-mbs-sic-bo-v6")
CRAPS = ("dice-works", "dice-ology")
BOOKS = (*SIC_BO, *CRAPS)
MANAGER = Person("max", "manager")


def house_at(path: Path | Store, *, snapshot_every: int = 1000) -> House:
    """A house over an SQLite file, or another store."""
    store = SqliteStore(path) if isinstance(path, Path) else path
    return House(store, Settings(snapshot_every=snapshot_every))


def entries_of(path: Path, kind: str, table: str = "t1") -> list[int]:
    """Return the sequences of a table's entries of one kind, read from the database itself."""
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute(
            "SELECT sequence FROM entries WHERE table_name = ? AND kind = ? ORDER BY sequence", (table, kind)
        )
        return [sequence for (sequence,) in rows]


def enrol(house: House, book: str) -> None:
    """Give the crew of a book's table and two players accounts, added by a manager who has one."""
    rules = load(book)
    staff = [role for role in rules.roles if is_staff(rules, role)]
    top = max(staff, key=lambda role: rank(rules, role))
    directing = [step.directed_by[0] for step in rules.procedure.round if step.directed_by]
    crew = [*((f"{role}-1", role) for role in staff), ("second", top), *(("director", role) for role in directing)]
    crew += [("ann", "player"), ("ben", "player")]
    for name, role in dict(crew).items():
        answer = house.manage(MANAGER, people.AddPerson(name, name, (Grant(role),)))
        assert answer.refused is None, answer


class Floor:
    """One table of a house, with a crew that knows what the book asks for."""

    def __init__(self, house: House, book: str, name: str = "t1", **changes: object) -> None:
        self.house, self.name = house, name
        shaker = "automated" if book.startswith("singapore") else "manual"
        self.does(MANAGER, c.OpenTable(setup(book, **{"shaker": shaker, **changes})))
        self.rules = house.table(name).rules
        self.crew = {role: Person(f"{role}-1", role) for role in self.rules.roles if is_staff(self.rules, role)}
        self._make_ready()

    @property
    def table(self) -> Table:
        """As it is committed."""
        return self.house.table(self.name)

    @property
    def boss(self) -> Person:
        """The most senior of the crew."""
        return max(self.crew.values(), key=lambda one: rank(self.rules, one.role))

    @property
    def second(self) -> Person:
        """Somebody else of the same rank."""
        return Person("second", self.boss.role)

    def does(self, who: Person | str, command: c.Command, key: str | None = None) -> Answer:
        """Somebody asks, and it must be done."""
        answer = self.house.ask(self.name, person(who) if isinstance(who, str) else who, command, key=key)
        assert answer.refused is None, (who, command, answer)
        return answer

    def _make_ready(self) -> None:
        rules, boss = self.rules, self.boss
        self.does(boss, c.StartShift("day"))
        if "dealer" in self.crew:
            self.does(self.crew["dealer"], c.TakeOver())
        if rules.identity.game == "sic-bo":
            self.does(boss, c.PutDice("set-1" if self.name == "t1" else f"{self.name} set-1"))
        for check in checks_of(self.table):
            self.does(boss, check)
        for name, inspection in rules.inspections.items():
            if inspection.shaker in (None, self.table.shaker):
                lit = illuminate(rules, Roll.of(1, 2, 3)) if rules.dice == 3 else ()
                self.does(self.crew[inspection.who[0]], c.Inspect(name, (1, 2, 3), lit, inspection.times))
        self.does(boss, c.Fill(10**9, self.second))

    def buys(self, player: str, amount: int = 10**6) -> None:
        """A player buys chips."""
        self.does(f"{player} the player", c.BuyIn(amount))

    def bet(self, player: str, wager: str, amount: int, kind: c.Kind = "cash") -> int:
        """A bet in minor units, taken by the crew; its number."""
        number = self.table.next_bet
        taking = next(step for step in self.rules.procedure.round if step.act == "take bets")
        role = next(role for role in taking.who if role in self.crew)
        self.does(self.crew[role], c.PlaceBets((c.Wanted(wager, amount, kind),), player))
        confirming = next((step for step in self.rules.procedure.round if step.act == "confirm bet"), None)
        if confirming is not None:
            self.does(self.crew[confirming.who[0]], c.ConfirmBets(player))
        return number

    def steps(self, dice: tuple[int, ...] = (), until: str | None = None) -> None:
        """The steps that are due, one after the other, to the end of the round or up to an act."""
        while (step := due(self.table)) and step.act != until:
            role = next((role for role in step.who if role in self.crew), next(iter(self.crew)))
            shown = dice if step.act in ("announce dice", "enter dice", "roll") else ()
            director = Person("director", step.directed_by[0]) if step.directed_by else None
            confirms = self.second if step.act == "pay winners" else None
            command = c.TakeStep(step.id, shown, 3, directed_by=director, confirmed_by=confirms)
            number = self.table.round.number
            self.does(self.crew[role], command)
            if self.table.round.number != number:
                return

    def open_betting(self) -> None:
        """Where the book announces it."""
        if (step := due(self.table)) and step.act == "open betting":
            self.does(self.crew["dealer"], c.TakeStep(step.id))

    def round(self, *dice: int) -> None:
        """A round of Sic Bo to its end, or a roll of craps with all that it leaves to do."""
        if self.rules.identity.game == "craps" and self.table.shooter is None:
            self.does(next(iter(self.crew.values())), c.NewShooter("ann"))
        self.steps(tuple(dice))


def play(floor: Floor, rounds: int, seed: int = 1, players: tuple[str, ...] = ("ann", "ben")) -> None:
    """Random bets on random dice; at craps also tips, where the book takes them."""
    random = Random(seed)
    rules = floor.rules
    tips = any(step.act == "place tip" for step in rules.procedure.round)
    for _ in range(rounds):
        floor.open_betting()
        table = floor.table
        for player in players:
            for wager in random.sample(list(rules.wagers), min(4, len(rules.wagers))):
                low = limit_of(table, wager).stake_min
                high = min(limit_of(table, wager).stake_max, 900)
                table = floor.table
                if window_closed(rules, table.progress, rules.wagers[wager]):
                    continue
                if any(bet.wager == wager and bet.player == player for bet in table.bets.values()):
                    continue
                floor.bet(player, wager, random.randint(max(low, 7), high))
                if tips and random.random() < 0.5:
                    floor.bet(player, wager, low, random.choice(("tip in the area", "tip on top")))
        floor.round(*(random.randint(1, 6) for _ in range(rules.dice)))
