"""A craps table in memory: hands are written as totals, and a crew takes every step after a roll."""

from __future__ import annotations

from dataclasses import dataclass, field

from pitbook.engine.progress import lammers
from pitbook.ledger.accounts import Account, dealers, float_of
from pitbook.rulebooks.catalogue import packaged_raw
from pitbook.rulebooks.patches import Raw
from pitbook.table import commands as c
from pitbook.table.decide import Decision
from pitbook.table.events import Event, Line, LosersCollected, WinnersPaid
from pitbook.table.people import Person
from pitbook.table.refusals import Reason, Refusal
from pitbook.table.state import due
from tests.table.driving import SHARED_BOOKS, DrivenTable

STICK, BASE, BOX = "sam the stick-person", "bea the base-dealer", "bob the box-person"
FLOOR, BOSS = "flo the floorperson", "max the manager"
DIRECTS, CONFIRMS = Person("sam", "stick-person"), Person("bob", "box-person")
FUNDS = 1_000_000_00
BOOKS = ("dice-works", "dice-ology")


def faces(total: int) -> tuple[int, int]:
    """Return two dice with this total: 4 -> (1, 3)."""
    return max(1, total - 6), min(6, total - 1)


@dataclass
class CrapsTable(DrivenTable):
    """A craps table, its crew and its players."""

    raw: Raw = field(default_factory=dict, repr=False)
    together: str = ""
    """Several books on one hand, in the place of one: "craps+dice-works"."""

    def setup(self, **changes: object) -> c.Setup:
        """Return a set-up of this table's book."""
        if self.together:
            digest = SHARED_BOOKS.editions.digest_of(self.together)
            return c.Setup(self.together, digest, "Test House", "USD", **changes)  # type: ignore[arg-type]
        book = self.raw["book"]
        digest = SHARED_BOOKS.editions.add(self.raw, "copy.toml")
        return c.Setup(book["id"], digest, "Test House", book["currency"], **changes)  # type: ignore[arg-type]

    def open_table(self, **changes: object) -> Decision:
        """Open the table, make the required checks and fill it from the cage."""
        opened = self.does(BOSS, c.OpenTable(self.setup(**changes)))
        self.check_all(BOX)
        self.does(BOX, c.Fill(FUNDS, Person("flo", "floorperson")))
        return opened

    def seat(self, *names: str, chips: int = 1000_00) -> None:
        """Let players buy in."""
        for name in names:
            self.does(f"{name} the player", c.BuyIn(chips))

    def shooter(self, name: str = "ann") -> None:
        """Someone gets the dice."""
        self.does(STICK, c.NewShooter(name))

    def bet(self, name: str, bets: str, kind: c.Kind = "cash") -> Decision:
        """Place and confirm bets such as "little-ones=5 boom-or-bust=1", in whole units."""
        taken = self.does(BASE, placed(bets, kind, name))
        self.confirm(name)
        return taken

    def confirm(self, name: str | None = None) -> None:
        """Confirm pending bets aloud where the book requires it."""
        if any(not bet.confirmed for bet in self.table.bets.values() if name in (None, bet.player)):
            self.does(BOX, c.ConfirmBets(name))

    def not_taken(self, name: str, bets: str, why: Reason, kind: c.Kind = "cash") -> Refusal:
        """Place bets that must be refused."""
        return self.refused(BASE, placed(bets, kind, name), why)

    def roll(self, total: int) -> list[Event]:
        """Confirm pending bets and roll, without the steps after the roll."""
        self.confirm()
        return list(self.does(STICK, c.TakeStep("roll", faces(total))).events)

    def finish(self, steps: int = 99) -> list[Event]:
        """Take all steps after a roll, or the first of them."""
        happened: list[Event] = []
        while steps and self.table.round.done and (step := due(self.table)):
            steps -= 1
            command = c.TakeStep(step.id)
            if step.act == "pay winners":
                command = c.TakeStep(step.id, directed_by=DIRECTS, confirmed_by=CONFIRMS)
            happened += self.does(BASE, command).events
        return happened

    def rolls(self, totals: str) -> list[Event]:
        """Roll several times with all steps; return the events."""
        happened: list[Event] = []
        for total in totals.split():
            if self.table.shooter is None:
                self.shooter("ann")
            happened += self.roll(int(total)) + self.finish()
        return happened

    def lines(self, totals: str) -> list[Line]:
        """Roll several times; return the settled lines."""
        return lines_of(self.rolls(totals))

    def standing(self) -> dict[str, object]:
        """Return the lammers on each area: marked numbers or a count, and "paid" for a won area."""
        return {
            wager: "paid" if displayed["paid"] else displayed.get("marked", displayed.get("count"))
            for wager, displayed in lammers(self.table.rules, self.table.progress).items()
        }

    @property
    def dealers(self) -> int:
        """Return what the dealers have received."""
        return self.balances.get(dealers(self.table.id), 0)

    @property
    def house(self) -> int:
        """Return the house win in minor units: the float beyond chips bought and filled."""
        sold = self.balances.get(Account(f"drop:{self.table.id}"), 0)
        return self.balances.get(float_of(self.table.id), 0) + sold - FUNDS

    @property
    def due(self) -> str | None:
        """Return the step that is due."""
        step = due(self.table)
        return step.id if step else None


def craps_table(book: str | Raw, *players: str, **changes: object) -> CrapsTable:
    """Return an open craps table where these players (or ann and ben) have bought in and the first is the shooter."""
    if isinstance(book, str) and "+" in book:
        table = CrapsTable(together=book)
    else:
        table = CrapsTable(raw=packaged_raw(book) if isinstance(book, str) else book)
    table.open_table(**changes)
    seated = players or ("ann", "ben")
    table.seat(*seated)
    table.shooter(seated[0])
    return table


def placed(bets: str, kind: c.Kind = "cash", player: str | None = None) -> c.PlaceBets:
    """Return a command for bets such as "little-ones=5", in whole units of a currency with cents."""
    words = [word.split("=") for word in bets.split()]
    return c.PlaceBets(tuple(c.BetRequest(wager, round(float(amount) * 100), kind) for wager, amount in words), player)


def lines_of(events: list[Event]) -> list[Line]:
    """Return the settled lines among the events."""
    return [line for event in events if isinstance(event, LosersCollected | WinnersPaid) for line in event.lines]
