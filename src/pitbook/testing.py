"""Drive a table from a test or an example: open it under any book, bet, throw, settle, call irregularities.

`MemoryTable` decides commands in memory and keeps its record in memory; `JournalTable` is a table of a house, over
SQLite or PostgreSQL. Both know what the book requires and which member of staff does it:

>>> table = MemoryTable()
>>> opened = table.open("massachusetts-sic-bo")
>>> table.make_ready()
>>> table.buy_in("ann", 100_00)
>>> taken = table.bet("ann", "small=20 total/6=5")
>>> table.play_round(1, 2, 3)
>>> table.holds("ann"), table.table.round.number
(19000, 2)
>>> print(table.ask("dealer-1 the dealer", TakeStep("uncover")))
Not yet. The next step is: close betting. (5(c))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pitbook.dice import Roll
from pitbook.dice_register.evolve import evolve as evolve_register
from pitbook.dice_register.state import Register
from pitbook.engine.illuminate import illuminate
from pitbook.house.answers import Answer
from pitbook.house.books import HouseBooks
from pitbook.ledger.accounts import Account, escrow, may_be_negative, player, purse
from pitbook.rulebooks.catalogue import load
from pitbook.table.checklists import checklists
from pitbook.table.commands import (
    BetRequest,
    BuyIn,
    Call,
    CheckEquipment,
    Command,
    ConfirmBets,
    Fill,
    Inspect,
    Kind,
    NewShooter,
    OpenTable,
    PlaceBets,
    PutDice,
    Setup,
    StartShift,
    TakeOver,
    TakeStep,
)
from pitbook.table.decide import Context, Decision, decide
from pitbook.table.evolve import evolve
from pitbook.table.liability import Liability
from pitbook.table.people import Person, is_staff, rank
from pitbook.table.refusals import Refusal
from pitbook.table.state import due
from pitbook.table.transcript import Occurrence, transcript

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.house.house import House
    from pitbook.rulebooks.model import Rulebook
    from pitbook.table.events import Event
    from pitbook.table.state import Table

Done_co = TypeVar("Done_co", covariant=True)
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
MANAGER = Person("max", "manager")
FLOAT = 10**9
"""The opening fill of the float, in minor units."""
SHOWN = ("announce dice", "enter dice", "roll")
"""The acts that need dice."""


@dataclass
class Clock:
    """A clock for a house, which stops until it is moved."""

    now: datetime = START

    def __call__(self) -> datetime:
        """Return the time."""
        return self.now

    def later(self, **span: float) -> None:
        """Advance the clock."""
        self.now += timedelta(**span)


def person(text: str | Person) -> Person:
    """Return a person from words like "dan the dealer"; a name alone is a player's."""
    if isinstance(text, Person):
        return text
    name, _, role = text.partition(" the ")
    return Person(name, role or "player")


def setup_of(book: str | Rulebook, **changes: Any) -> Setup:
    """Return a plain set-up of a book, or of one by its id or file; its shaker is manual where the book has one."""
    rules = load(book) if isinstance(book, str) else book
    shakers = {thing.shaker for thing in rules.equipment.values() if thing.kind == "shaker"}
    shaker = "automated" if shakers == {"automated"} else "manual"
    name = book if isinstance(book, str) else book.id
    return Setup(name, rules.digest, "Test House", rules.identity.currency, **{"shaker": shaker, **changes})


def wanted(bets: str, decimals: int = 2, kind: Kind = "cash") -> tuple[BetRequest, ...]:
    """Return bets from words like "small=10 total/6=5", in whole units.

    >>> wanted("small=10 total/6=0.50")
    (BetRequest(wager='small', amount=1000, kind='cash'), BetRequest(wager='total/6', amount=50, kind='cash'))
    """
    pairs = (bet.split("=") for bet in bets.split())
    return tuple(BetRequest(wager, int(Fraction(amount) * 10**decimals), kind) for wager, amount in pairs)


def checks_of(table: Table) -> list[CheckEquipment]:
    """Return a check of every item on a table's checklists, with every point met."""
    return [CheckEquipment(name, (True,) * len(points)) for name, points in checklists(table).items()]


def crew_of(rules: Rulebook) -> dict[str, Person]:
    """Return the staff of a table, one person in each role of its book."""
    return {role: Person(f"{role}-1", role) for role in rules.roles if is_staff(rules, role)}


def most_senior_of(rules: Rulebook) -> Person:
    """Return the most senior of the staff."""
    return max(crew_of(rules).values(), key=lambda one: rank(rules, one.role))


def due_command(table: Table, dice: tuple[int, ...] = ()) -> tuple[Person, Command] | None:
    """Return what is due at a table and who of the staff does it, or None.

    At craps bets are confirmed, and someone gets the dice, before a roll.
    """
    crew = crew_of(table.rules)
    if table.craps and not all(bet.confirmed for bet in table.bets.values()):
        confirm = next(step for step in table.rules.procedure.round if step.act == "confirm bet")
        return crew[confirm.who[0]], ConfirmBets()
    if table.craps and table.shooter is None and not table.round.done:
        return next(iter(crew.values())), NewShooter("ann")
    step = due(table)
    if step is None:
        return None
    role = next((role for role in step.who if role in crew), next(iter(crew)))
    entered = dice if step.act in SHOWN else ()
    director = Person("director", step.directed_by[0]) if step.directed_by else None
    confirms = Person("second", most_senior_of(table.rules).role) if step.act == "pay winners" else None
    return crew[role], TakeStep(step.id, entered, 3, directed_by=director, confirmed_by=confirms)


class TableDriver(ABC, Generic[Done_co]):
    """A table with staff who take the steps that its book asks for."""

    table: Table

    @abstractmethod
    def does(self, who: str | Person, command: Command) -> Done_co:
        """Give a command, which must be carried out."""

    @abstractmethod
    def balances_of(self, *accounts: Account) -> Mapping[Account, int]:
        """Return what accounts hold."""

    @property
    def rules(self) -> Rulebook:
        """The book that the table runs under."""
        return self.table.rules

    @property
    def crew(self) -> dict[str, Person]:
        """The staff, one person in each role of the book."""
        return crew_of(self.rules)

    @property
    def most_senior(self) -> Person:
        """The most senior of the staff."""
        return most_senior_of(self.rules)

    @property
    def second(self) -> Person:
        """Someone else in the role of the most senior."""
        return Person("second", self.most_senior.role)

    # -- before the first round

    def open(self, book: str | Rulebook, **changes: Any) -> Done_co:
        """Open the table as a manager, under a packaged book or any other, with changes to the plain set-up."""
        return self.does(MANAGER, OpenTable(setup_of(book, **changes)))

    def make_ready(self) -> None:
        """Bring dice, a dealer and chips to the table, and pass every check and inspection."""
        rules, senior = self.rules, self.most_senior
        self.does(senior, StartShift("day"))
        shakers = [thing for thing in rules.equipment.values() if thing.shaker == self.table.shaker]
        keepers = ["dealer", *(role for thing in shakers for role in thing.keeper)]
        if keeper := next((self.crew[role] for role in keepers if role in self.crew), None):
            self.does(keeper, TakeOver())
        if rules.identity.game == "sic-bo":
            self.does(senior, PutDice("set-1" if self.table.id == "t1" else f"{self.table.id} set-1"))
        for check in checks_of(self.table):
            self.does(senior, check)
        for name, inspection in rules.inspections.items():
            if inspection.shaker in (None, self.table.shaker):
                dice = tuple(range(1, rules.dice + 1))
                lit = illuminate(rules, Roll.of(*dice))
                self.does(self.crew[inspection.who[0]], Inspect(name, dice, lit, inspection.times))
        self.does(senior, Fill(FLOAT, self.second))

    # -- players

    def buy_in(self, name: str, amount: int = 10**6) -> None:
        """Sell chips to a player, in minor units."""
        self.does(person(name), BuyIn(amount))

    def bet(self, name: str, bets: str, kind: Kind = "cash") -> Done_co:
        """Take bets like "small=10 total/6=5", in whole units, from a player, and confirm them where the book asks."""
        return self.place(name, *wanted(bets, self.rules.decimals, kind))

    def place(self, name: str, *bets: BetRequest) -> Done_co:
        """Take bets in minor units from a player, and confirm them where the book asks for that."""
        steps = {step.act: step for step in self.rules.procedure.round}
        taker = next(role for role in steps["take bets"].who if role in self.crew)
        taken = self.does(self.crew[taker], PlaceBets(bets, name))
        if any(not bet.confirmed for bet in self.table.bets.of(name)):
            self.does(self.crew[steps["confirm bet"].who[0]], ConfirmBets(name))
        return taken

    def holds(self, name: str) -> int:
        """Return a player's cash chips, in minor units."""
        account = player(name, self.table.money)
        return self.balances_of(account)[account]

    def holds_in_colour(self, name: str) -> int:
        """Return what a player's colour chips here are worth, in minor units."""
        own = self.table.purses.get(name)
        if own is None:
            return 0
        account = purse(name, self.table.money, self.table.id, own.colour)
        return self.balances_of(account)[account]

    # -- a round

    def open_betting(self) -> None:
        """Announce that bets may be placed, where the book has such a step."""
        if (step := due(self.table)) and step.act == "open betting":
            self.does(self.crew["dealer"], TakeStep(step.id))

    def take_steps(self, dice: tuple[int, ...] = (), until: str | None = None) -> None:
        """Take the steps that are due, to the end of the round or up to an act."""
        number = self.table.round.number
        while self.table.round.number == number and (step := due(self.table)) and step.act != until:
            self.take_step(dice)

    def take_step(self, dice: tuple[int, ...] = ()) -> Done_co:
        """Do what is due, as `due_command` says."""
        found = due_command(self.table, dice)
        assert found is not None, f"nothing is due in {self.table.round}"
        return self.does(*found)

    def throw(self, *dice: int) -> None:
        """Close betting and throw the dice, up to the collection of losing bets."""
        self.take_steps(dice, until="collect losers")

    def settle(self) -> None:
        """Collect losing bets, pay winning ones and end the round, after a throw."""
        if (step := due(self.table)) and step.act == "collect losers":
            self.take_steps()

    def play_round(self, *dice: int) -> None:
        """Play a round of Sic Bo to its end, or a roll of craps with everything that it leaves to do."""
        self.throw(*dice)
        self.settle()

    def call(self, irregularity: str, words: str = "") -> Done_co:
        """Call an irregularity, as the first of the staff who may."""
        rule = self.rules.irregularities[irregularity]
        role = next((role for role in rule.called_by if role in self.crew), self.most_senior.role)
        return self.does(self.crew[role], Call(irregularity, words))


@dataclass
class MemoryTable(TableDriver[Decision]):
    """A table whose accounts and record are in memory; money is checked after every event."""

    table: Table = field(default_factory=lambda: HouseBooks().new_table("t1"))
    balances: dict[Account, int] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    record: list[Occurrence] = field(default_factory=list)
    now: datetime = START
    register: Register = field(default_factory=Register)
    """The house's register of dice."""
    liability: Liability = field(default_factory=Liability, repr=False, compare=False)

    def ask(
        self, who: str | Person, command: Command, *, expected: tuple[int, int] | None = None
    ) -> Decision | Refusal:
        """Give a command, and carry it out unless it is refused."""
        giver, at = person(who), self.now.isoformat()
        context = Context(giver, at, self.balances, expected, register=self.register, liability=self.liability)
        outcome = decide(self.table, command, context)
        if isinstance(outcome, Refusal):
            self.record.append(Occurrence(at, giver, outcome))
            return outcome
        for place, event in enumerate(outcome.events):
            moved = tuple(transfer for one, transfer in outcome.moves if one == place)
            for transfer in moved:
                for leg in transfer.legs:
                    self.balances[leg.account] = self.balances.get(leg.account, 0) + leg.amount
            self.table = evolve(self.table, event)
            self.events.append(event)
            self.record.append(Occurrence(at, giver, event, moved))
            self.check_money()
        for register_event in outcome.register:
            self.register = evolve_register(self.register, register_event)
        return outcome

    def does(self, who: str | Person, command: Command) -> Decision:
        """Give a command, which must be carried out."""
        outcome = self.ask(who, command)
        assert isinstance(outcome, Decision), f"{who} {command}: {outcome}"
        return outcome

    def refused(self, who: str | Person, command: Command, why: str) -> Refusal:
        """Give a command, which must be refused for this reason and change nothing."""
        before = self.table, dict(self.balances)
        outcome = self.ask(who, command)
        assert isinstance(outcome, Refusal), f"{who} {command} was not refused"
        assert outcome.why == why, outcome
        assert (self.table, self.balances) == before
        return outcome

    def balances_of(self, *accounts: Account) -> Mapping[Account, int]:
        """Return what accounts hold."""
        return {account: self.balances.get(account, 0) for account in accounts}

    def check_money(self) -> None:
        """Fail unless money is conserved, nobody is overdrawn, and escrow has exactly the stakes on the layout."""
        assert sum(self.balances.values()) == 0
        for account, balance in self.balances.items():
            assert balance >= 0 or may_be_negative(account), (account, balance)
        assert self.balances.get(escrow(self.table.id), 0) == sum(
            bet.amount + bet.commission for bet in self.table.bets.values()
        )
        for name, own in self.table.purses.items():
            assert self.holds_in_colour(name) % own.value == 0, f"{name} has a part of a {own.colour} chip"

    def later(self, **span: float) -> None:
        """Advance the clock."""
        self.now += timedelta(**span)

    def transcript(self) -> str:
        """Return everything that happened here, in sentences."""
        start = type(self.table)(self.table.id, books=self.table.books)
        return "\n".join(transcript(start, self.record)) + "\n"


class JournalTable(TableDriver[Answer]):
    """A table of a house, as its journal has it.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from pitbook.house.house import House
    >>> from pitbook.journal.sqlite import SqliteStore
    >>> with TemporaryDirectory() as folder, House(SqliteStore(Path(folder) / "journal.db")) as house:
    ...     table = JournalTable(house, "dice-works")
    ...     table.buy_in("ann", 100_00)
    ...     table.play_round(2, 3)
    ...     table.holds("ann"), table.table.point
    (10000, 5)
    """

    def __init__(self, house: House, book: str | Rulebook | None = None, name: str = "t1", **changes: Any) -> None:
        """Open the table in a house and make it ready for play; without a book, drive one that is open already."""
        self.house, self.name = house, name
        if book is not None:
            self.open(book, **changes)
            self.make_ready()

    @property
    def table(self) -> Table:  # type: ignore[override]
        """The table as it is committed."""
        return self.house.table(self.name)

    def does(self, who: str | Person, command: Command, key: str | None = None) -> Answer:
        """Give a command, which must be carried out."""
        answer = self.house.ask(self.name, person(who), command, key=key)
        assert answer.refused is None, (who, command, answer)
        return answer

    def balances_of(self, *accounts: Account) -> Mapping[Account, int]:
        """Return what accounts hold."""
        return self.house.store.balances(accounts)
