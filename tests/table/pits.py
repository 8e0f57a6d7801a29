"""A table in a test's hand: it carries out commands, keeps the accounts, and checks the laws after every event."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from pitbook.dice_register.evolve import evolve as registered
from pitbook.dice_register.state import Register
from pitbook.house.books import HouseBooks
from pitbook.ledger.accounts import Account, escrow, may_be_negative, player, purse
from pitbook.rulebooks.catalogue import load
from pitbook.table import commands as c
from pitbook.table.checklists import checklists
from pitbook.table.decide import Context, Decision, decide
from pitbook.table.events import Event
from pitbook.table.evolve import evolve
from pitbook.table.people import Person
from pitbook.table.refusals import Refusal, Why
from pitbook.table.state import Table
from pitbook.table.transcript import Said, transcript

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
SHARED_BOOKS = HouseBooks()
"""For all tables of the tests, so that each book is compiled once."""


@dataclass
class Pit:
    """One table, its money, and everything that happened."""

    table: Table = field(default_factory=lambda: SHARED_BOOKS.new_table("t1"))
    balances: dict[Account, int] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    record: list[Said] = field(default_factory=list)
    now: datetime = START
    register: Register = field(default_factory=Register)
    """The house's register of dice."""

    def ask(self, who: str, command: c.Command, *, expected: tuple[int, int] | None = None) -> Decision | Refusal:
        """Somebody, written "dan the dealer", asks something."""
        context = Context(person(who), self.now.isoformat(), self.balances, expected, register=self.register)
        outcome = decide(self.table, command, context)
        if isinstance(outcome, Decision):
            self._carry_out(outcome)
            for place, event in enumerate(outcome.events):
                moved = tuple(transfer for at, transfer in outcome.moves if at == place)
                self.record.append(Said(context.at, context.person, event, moved))
        else:
            self.record.append(Said(context.at, context.person, outcome))
        return outcome

    def does(self, who: str, command: c.Command) -> Decision:
        """The same, and it must be carried out."""
        outcome = self.ask(who, command)
        assert isinstance(outcome, Decision), f"{who} {command}: {outcome}"
        return outcome

    def refused(self, who: str, command: c.Command, why: Why) -> Refusal:
        """The same, and it must be refused for this reason; nothing changes."""
        before = self.table, dict(self.balances)
        outcome = self.ask(who, command)
        assert isinstance(outcome, Refusal), f"{who} {command} was not refused"
        assert outcome.why is why, outcome
        assert (self.table, self.balances) == before
        return outcome

    def _carry_out(self, decision: Decision) -> None:
        for place, event in enumerate(decision.events):
            self.table = evolve(self.table, event)
            self.events.append(event)
            for at, transfer in decision.moves:
                if at == place:
                    for leg in transfer.legs:
                        self.balances[leg.account] = self.balances.get(leg.account, 0) + leg.amount
            self.check()
        for noted in decision.register:
            self.register = registered(self.register, noted)

    def check(self) -> None:
        """Money is conserved, nobody owes what they cannot, and escrow holds exactly the stakes that lie out."""
        assert sum(self.balances.values()) == 0
        for account, balance in self.balances.items():
            assert balance >= 0 or may_be_negative(account), (account, balance)
        assert self.balances.get(escrow(self.table.id), 0) == sum(bet.amount for bet in self.table.bets.values())
        for name, own in self.table.purses.items():
            assert self.holds_in_colour(name) % own.value == 0, f"{name} has a part of a {own.colour} chip"

    def later(self, **span: float) -> None:
        """Time goes by."""
        self.now += timedelta(**span)

    def holds(self, name: str) -> int:
        """A player's chips."""
        return self.balances.get(player(name, self.table.money), 0)

    def holds_in_colour(self, name: str) -> int:
        """What is in a player's purse of colour chips here."""
        own = self.table.purses.get(name)
        return self.balances.get(purse(name, self.table.money, self.table.id, own.colour), 0) if own else 0

    def transcript(self) -> str:
        """All that happened here, in sentences."""
        return "\n".join(transcript(SHARED_BOOKS.new_table(self.table.id), self.record)) + "\n"

    def check_all(self, who: str) -> None:
        """Every item on the book's checklists is found in order."""
        for check in checks_of(self.table):
            self.does(who, check)

    def step(self, who: str, step: str, **details: object) -> Decision:
        """A step of the procedure."""
        return self.does(who, c.TakeStep(step, **details))  # type: ignore[arg-type]


def checks_of(table: Table) -> list[c.CheckEquipment]:
    """A check of every item on a table's checklists, with every point met."""
    return [c.CheckEquipment(name, (True,) * len(points)) for name, points in checklists(table).items()]


def person(text: str) -> Person:
    """ "dan the dealer"."""
    name, _, role = text.partition(" the ")
    return Person(name, role)


def setup(book: str, **changes: Any) -> c.Setup:
    """Return a plain set-up of a packaged book."""
    chosen = [tuple(changes.get(key, {}).items()) for key in ("readings", "options")]
    digest, currency = _digest_and_currency(book, *chosen)
    return c.Setup(book, digest, "Test House", currency, **changes)


@cache
def _digest_and_currency(book: str, readings: tuple[Any, ...], options: tuple[Any, ...]) -> tuple[str, str]:
    rules = load(book, readings=dict(readings), options=dict(options))
    return rules.digest, rules.identity.currency
