"""A craps table in a test's hand: hands are written as totals, and a crew sees to every step that a roll leaves."""

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
from pitbook.table.refusals import Refusal, Why
from pitbook.table.state import due
from tests.table.driving import SHARED_BOOKS, DrivenTable

STICK, BASE, BOX = "sam the stick-person", "bea the base-dealer", "bob the box-person"
FLOOR, BOSS = "flo the floorperson", "max the manager"
DIRECTS, CONFIRMS = Person("sam", "stick-person"), Person("bob", "box-person")
FUNDS = 1_000_000_00
BOOKS = ("dice-works", "dice-ology")


def faces(total: int) -> tuple[int, int]:
    """Two dice that show a total: 4 -> (1, 3)."""
    return max(1, total - 6), min(6, total - 1)


@dataclass
class CrapsTable(DrivenTable):
    """A craps table, its crew and its players."""

    raw: Raw = field(default_factory=dict, repr=False)
    together: str = ""
    """Several books on one hand, in the place of one: "craps+dice-works"."""

    def setup(self, **changes: object) -> c.Setup:
        """A set-up of this table's book."""
        if self.together:
            digest = SHARED_BOOKS.editions.digest_of(self.together)
            return c.Setup(self.together, digest, "Test House", "USD", **changes)  # type: ignore[arg-type]
        book = self.raw["book"]
        digest = SHARED_BOOKS.editions.add(self.raw, "copy.toml")
        return c.Setup(book["id"], digest, "Test House", book["currency"], **changes)  # type: ignore[arg-type]

    def open_table(self, **changes: object) -> Decision:
        """A manager opens it, a supervisor checks what the book wants checked, chips come from the cage."""
        opened = self.does(BOSS, c.OpenTable(self.setup(**changes)))
        self.check_all(BOX)
        self.does(BOX, c.Fill(FUNDS, Person("flo", "floorperson")))
        return opened

    def seat(self, *names: str, chips: int = 1000_00) -> None:
        """Players buy in."""
        for name in names:
            self.does(f"{name} the player", c.BuyIn(chips))

    def shooter(self, name: str = "ann") -> None:
        """Someone gets the dice."""
        self.does(STICK, c.NewShooter(name))

    def bet(self, name: str, bets: str, kind: c.Kind = "cash") -> Decision:
        """Bets such as "little-ones=5 boom-or-bust=1", in whole units, given to the base dealer and confirmed."""
        taken = self.does(BASE, placed(bets, kind, name))
        self.confirm(name)
        return taken

    def confirm(self, name: str | None = None) -> None:
        """The box person repeats the bets that wait aloud, where the book asks for that."""
        if any(not bet.confirmed for bet in self.table.bets.values() if name in (None, bet.player)):
            self.does(BOX, c.ConfirmBets(name))

    def not_taken(self, name: str, bets: str, why: Why, kind: c.Kind = "cash") -> Refusal:
        """The same, and the dealer must refuse them."""
        return self.refused(BASE, placed(bets, kind, name), why)

    def roll(self, total: int) -> list[Event]:
        """Bets that wait are confirmed and the shooter rolls; nothing that follows is done."""
        self.confirm()
        return list(self.does(STICK, c.TakeStep("roll", faces(total))).events)

    def finish(self, steps: int = 99) -> list[Event]:
        """Everything that a roll leaves to be done, or the first steps of it, by those whose act it is."""
        happened: list[Event] = []
        while steps and self.table.round.done and (step := due(self.table)):
            steps -= 1
            command = c.TakeStep(step.id)
            if step.act == "pay winners":
                command = c.TakeStep(step.id, directed_by=DIRECTS, confirmed_by=CONFIRMS)
            happened += self.does(BASE, command).events
        return happened

    def rolls(self, totals: str) -> list[Event]:
        """Several rolls, each seen through; all that happened."""
        happened: list[Event] = []
        for total in totals.split():
            if self.table.shooter is None:
                self.shooter("ann")
            happened += self.roll(int(total)) + self.finish()
        return happened

    def lines(self, totals: str) -> list[Line]:
        """Several rolls, and how the bets that they decided came out."""
        return lines_of(self.rolls(totals))

    def standing(self) -> dict[str, object]:
        """The lammers on each area, in short: numbers marked, or a count; "paid" where it was won."""
        return {
            wager: "paid" if shown["paid"] else shown.get("marked", shown.get("count"))
            for wager, shown in lammers(self.table.rules, self.table.progress).items()
        }

    @property
    def dealers(self) -> int:
        """What the dealers have been given."""
        return self.balances.get(dealers(self.table.id), 0)

    @property
    def house(self) -> int:
        """What the house has won of its players, in minor units: its float beyond chips bought and filled in."""
        sold = self.balances.get(Account(f"drop:{self.table.id}"), 0)
        return self.balances.get(float_of(self.table.id), 0) + sold - FUNDS

    @property
    def due(self) -> str | None:
        """The step that is due."""
        step = due(self.table)
        return step.id if step else None


def craps_table(book: str | Raw, *players: str, **changes: object) -> CrapsTable:
    """An open craps table at which these players (or ann and ben) have bought in, and the first has the dice."""
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
    """A command for bets such as "little-ones=5", in whole units of a currency with cents."""
    words = [word.split("=") for word in bets.split()]
    return c.PlaceBets(tuple(c.Wanted(wager, round(float(amount) * 100), kind) for wager, amount in words), player)


def lines_of(events: list[Event]) -> list[Line]:
    """How bets came out, of all that happened."""
    return [line for event in events if isinstance(event, LosersCollected | WinnersPaid) for line in event.lines]
