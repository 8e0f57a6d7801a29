"""A table to play with: open, bet, throw and settle, with its ledger inside."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitbook.currencies import format_amount
from pitbook.dice import Roll, parse_roll, rolls
from pitbook.errors import InputError
from pitbook.front.plays import Amount, cents, stakes
from pitbook.results import Result, Results, Row
from pitbook.table import events as e
from pitbook.table.commands import BetRequest
from pitbook.table.refusals import Refusal
from pitbook.testing import MemoryTable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pitbook.front.book import Book
    from pitbook.table.commands import Command
    from pitbook.table.decide import Decision
    from pitbook.table.people import Person


class _Driven(MemoryTable):
    """A table in memory whose refusals are errors that a person can correct."""

    def does(self, who: str | Person, command: Command) -> Decision:
        outcome = self.ask(who, command)
        if isinstance(outcome, Refusal):
            raise InputError("common.text", text=outcome)
        return outcome


@dataclass(frozen=True, slots=True, repr=False)
class Settled(Result):
    """How one bet was settled, in minor units."""

    player: str
    wager: str
    stake: int
    row: str | None
    pays: str
    net: int
    clauses: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<{self.player}: {self.wager} {self.row}, {self.net:+,}>"

    def rows(self) -> list[Row]:
        """Return one row."""
        return [{name: getattr(self, name) for name in ("player", "wager", "stake", "row", "pays", "net")}]


@dataclass(frozen=True, slots=True, repr=False)
class Entry(Result):
    """A transfer of the ledger: what one account gained or gave, in minor units."""

    number: int
    why: str
    account: str
    amount: int

    def __repr__(self) -> str:
        return f"<{self.number} {self.why}: {self.account} {self.amount:+,}>"

    def rows(self) -> list[Row]:
        """Return one row."""
        return [{"number": self.number, "why": self.why, "account": self.account, "amount": self.amount}]


class Table:
    """A table under a book, with staff, dice and chips, ready for bets; the same commands and events as in a house.

    >>> import pitbook
    >>> table = pitbook.Table("massachusetts-sic-bo")
    >>> table.buy_in("ann", 100)
    >>> table.bet("ann", {"small": 20, "total/6": 5})
    >>> table.throw("1-2-3")
    Roll(faces=(1, 2, 3))
    >>> table.settle()
    <Round 1: 2>
    >>> table
    <Table massachusetts-sic-bo, round 2: ann 190.00 USD>
    """

    def __init__(self, book: Book | str | Path, *, seed: int | None = None, **setup: Any) -> None:
        """Open the table; `setup` changes the plain set-up, `seed` is that of throws without dice."""
        from pitbook.front.book import Book, rulebook

        self.book = book if isinstance(book, Book) else rulebook(book)
        self._driven = _Driven()
        self._driven.open(self.book.rules, **setup)
        self._driven.make_ready()
        self._random = random.Random(seed)
        self._players: list[str] = []
        self._seen = len(self._driven.events)
        self._number = self._driven.table.round.number

    def buy_in(self, player: str, amount: Amount) -> None:
        """Sell chips to a player."""
        self._driven.buy_in(player, cents(self.book.rules, amount))
        if player not in self._players:
            self._players.append(player)

    def bet(self, player: str, bets: Mapping[str, Amount]) -> None:
        """Take bets from a player."""
        self._driven.open_betting()
        wanted = [BetRequest(wager_id, stake) for wager_id, stake in stakes(self.book.rules, bets).items()]
        self._driven.place(player, *wanted)

    def throw(self, dice: str | Roll | None = None) -> Roll:
        """Close betting and throw these dice, or dice by chance; the bets are settled by `settle`."""
        number = self.book.rules.dice
        if dice is None:
            every = rolls(number)
            roll = self._random.choices(every, [one.ways for one in every])[0]
        else:
            roll = dice if isinstance(dice, Roll) else parse_roll(dice, number)
        self._number = self._driven.table.round.number
        self._driven.throw(*roll.faces)
        return roll

    def settle(self) -> Results[Settled]:
        """Collect losing bets, pay winning ones and end the round; return how each bet was settled."""
        self._driven.settle()
        new, self._seen = self._driven.events[self._seen :], len(self._driven.events)
        lines = [
            Settled(line.player, line.wager, line.stake, line.row, line.pays, line.net, line.clauses)
            for event in new
            if isinstance(event, e.LosersCollected | e.WinnersPaid)
            for line in event.lines
        ]
        return Results(f"Round {self._number}", lines, lambda line: line.wager)

    def chips(self, player: str) -> int:
        """Return what a player holds, in minor units."""
        return self._driven.holds(player)

    @property
    def bets(self) -> dict[str, dict[str, int]]:
        """Stakes on the layout by wager and player, in minor units."""
        found: dict[str, dict[str, int]] = {}
        for bet in self._driven.table.bets.values():
            there = found.setdefault(bet.player, {})
            there[bet.wager] = there.get(bet.wager, 0) + bet.amount
        return found

    @property
    def ledger(self) -> Results[Entry]:
        """Every transfer so far; the legs of each sum to zero."""
        moved = [transfer for occurrence in self._driven.record for transfer in occurrence.transfers]
        entries = [
            Entry(number, transfer.why, leg.account, leg.amount)
            for number, transfer in enumerate(moved, 1)
            for leg in transfer.legs
        ]
        return Results(f"Ledger of {self.book.id}", entries, lambda entry: entry.account)

    @property
    def balances(self) -> dict[str, int]:
        """The balance of every account, in minor units; they sum to zero."""
        return {str(account): amount for account, amount in self._driven.balances.items()}

    def transcript(self) -> str:
        """Return everything that happened here, in sentences."""
        return self._driven.transcript()

    def __repr__(self) -> str:
        rules = self.book.rules
        held = [f"{name} {format_amount(self.chips(name), rules.decimals)}" for name in self._players]
        money = f": {', '.join(held)} {rules.identity.currency}" if held else ""
        return f"<Table {self.book.id}, round {self._driven.table.round.number}{money}>"

    def _repr_html_(self) -> str:
        return self.ledger._repr_html_()
