"""A Sic Bo table in memory: opened as its text requires, with the dealer's steps in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.rulebooks.catalogue import packaged_raw
from pitbook.rulebooks.patches import Raw
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.checklists import points_of
from pitbook.table.decide import Decision
from pitbook.table.state import due
from pitbook.testing import person
from tests.table.driving import SHARED_BOOKS, DrivenTable

MASSACHUSETTS, MARYLAND, SINGAPORE = "massachusetts-sic-bo", "maryland-sic-bo", "singapore-mbs-sic-bo-v6"

DEALER, RELIEF, BOSS = "dan the dealer", "dot the dealer", "max the manager"
ANN, BEN = "ann the player", "ben the player"

FLOOR = "fay the floorperson"
SUPERVISOR = "cas the casino-supervisor"
ABOVE = "abe the above-floorperson"

PIT_SUPERVISOR = "pia the pit-supervisor"
PIT_MANAGER = "pam the pit-manager"
SHIFT_MANAGER = "gus the gaming-shift-manager"

SENIOR = {MASSACHUSETTS: SUPERVISOR, MARYLAND: ABOVE, SINGAPORE: PIT_MANAGER}
JUNIOR = {MASSACHUSETTS: FLOOR, MARYLAND: FLOOR, SINGAPORE: PIT_SUPERVISOR}

SETTLE = ("announce-dice", "enter-dice", "collect", "pay", "clear")
ORDER: dict[tuple[str, str], tuple[str, ...]] = {
    (MASSACHUSETTS, "manual"): ("close", "shake-manual", "uncover", *SETTLE),
    (MASSACHUSETTS, "automated"): ("close", "shake-automated", *SETTLE),
    (MARYLAND, "manual"): ("shake-manual", "close", "uncover", *SETTLE),
    (MARYLAND, "automated"): ("shake-automated", "close", "uncover", *SETTLE),
    (SINGAPORE, "automated"): (
        *("open", "tumble", "close", "press-deal", "uncover", "check-flat"),
        *("announce-outcome", "enter-dice", "collect", "pay"),
    ),
}
"""What the dealer does, in each text's own order; the device lights up on its own."""

SHAKEN = ("shake-manual", "tumble")
SHOWN = ("announce-dice", "announce-outcome", "enter-dice")
MINIMUM, MAXIMUM = 5_00, 500_00


@dataclass
class SicBoTable(DrivenTable):
    """A Sic Bo table, its staff and its players."""

    raw: Raw = field(default_factory=dict)
    shaker: str = "manual"

    @property
    def book(self) -> str:
        """Return the book's id."""
        return str(self.raw["book"]["id"])

    def setup(self, **changes: Any) -> c.Setup:
        """Return a set-up of this table's book, with limits of 5 to 500 on every wager."""
        digest = SHARED_BOOKS.editions.add(self.raw, "copy.toml")
        chosen: dict[str, Any] = {"shaker": self.shaker, "limits": {"*": c.Limit(MINIMUM, MAXIMUM)}, **changes}
        return c.Setup(self.book, digest, "Test House", self.raw["book"]["currency"], **chosen)

    # -- before the first round

    def open_table(self, **changes: Any) -> None:
        """Open the table with dice, a shift, a dealer and chips, but without inspections."""
        self.does(BOSS, c.OpenTable(self.setup(**changes)))
        self.does(self.junior, c.StartShift("day"))
        self.does(DEALER, c.TakeOver())
        self.does(self.junior, c.PutDice("set 1", count=3))
        self.does(self.junior, c.Fill(100_000_00, person(self.senior)))

    @property
    def junior(self) -> str:
        """Return the role just above the dealers."""
        return JUNIOR[self.book]

    @property
    def senior(self) -> str:
        """Return the role above `junior`."""
        return SENIOR[self.book]

    def inspect_device(self, who: str = FLOOR) -> Decision:
        """Inspect the device: enter three values and confirm the lights."""
        lit = illuminate(self.table.rules, Roll.of(1, 2, 3))
        return self.does(who, c.Inspect("device-before-opening", (1, 2, 3), lit))

    def inspect_shaker(self, who: str = FLOOR) -> Decision:
        """Inspect the automated shaker by three operations."""
        return self.does(who, c.Inspect("shaker-before-opening", proper=3))

    def inspect_for_shift(self) -> Decision:
        """Make the inspection of Massachusetts' casino supervisor at the start of a shift."""
        return self.does(SUPERVISOR, c.Inspect("shaker-each-shift", proper=3))

    def check_over(self, name: str, who: str = FLOOR) -> Decision:
        """Check equipment with every point passed."""
        return self.does(who, c.CheckEquipment(name, (True,) * len(points_of(self.table, name))))

    def inspect_all(self) -> None:
        """Make all inspections and checks that the text requires before play."""
        self.make_inspections()
        self.check_all(self.junior)

    def make_inspections(self) -> None:
        """Pass every inspection before play, without checks."""
        if self.book != SINGAPORE:
            self.inspect_device()
        if self.book != SINGAPORE and self.shaker == "automated":
            self.inspect_shaker()
        if self.book == MASSACHUSETTS and self.shaker == "automated":
            self.inspect_for_shift()

    def seat(self, *who: str, chips: int = 1_000_00) -> None:
        """Let players buy in."""
        for player in who or (ANN, BEN):
            self.does(player, c.BuyIn(chips))

    # -- bets

    def bet(self, who: str, *bets: str) -> Decision:
        """Place bets such as "small=10", in whole units; Singapore's dealer opens betting first."""
        if self.book == SINGAPORE and "open" not in self.table.round.done:
            self.step(DEALER, "open")
        return self.does(who, bets_of(*bets))

    # -- the round

    @property
    def order(self) -> tuple[str, ...]:
        """Return the dealer's steps."""
        return ORDER[self.book, self.shaker]

    def go(self, to: str, dice: tuple[int, int, int] = (1, 2, 3)) -> None:
        """Take the remaining steps up to and including this one."""
        order = self.order
        for name in order[: order.index(to) + 1]:
            if name not in self.table.round.done:
                now = due(self.table)
                if now is not None and now.only_after:
                    self.take(now.id)
                self.take(name, dice)

    def take(self, name: str, dice: tuple[int, int, int] = (1, 2, 3)) -> Decision:
        """Take a step as the dealer."""
        return self.does(DEALER, step_of(name, dice))

    def finish(self, dice: tuple[int, int, int] = (1, 2, 3)) -> None:
        """Take all remaining steps as the dealer."""
        number = self.table.round.number
        self.go(self.order[-1], dice)
        assert self.table.round.number == number + 1

    def events_of(self, *kinds: type[e.Event]) -> list[e.Event]:
        """Return the events of some kinds, in order."""
        return [event for event in self.events if isinstance(event, kinds)]


def step_of(name: str, dice: tuple[int, int, int] = (1, 2, 3)) -> c.TakeStep:
    """Return a step with its fields."""
    return c.TakeStep(name, dice if name in SHOWN else (), 3 if name in SHAKEN else 0)


def bets_of(*bets: str, player: str | None = None) -> c.PlaceBets:
    """Return bets such as "small=10", in whole units."""
    pairs = [bet.split("=") for bet in bets]
    return c.PlaceBets(tuple(c.BetRequest(wager, round(float(amount) * 100)) for wager, amount in pairs), player)


def bare(raw: Raw, shaker: str = "manual", **changes: Any) -> SicBoTable:
    """Return an open table at which nothing has been inspected."""
    table = SicBoTable(raw=raw, shaker=shaker)
    table.open_table(**changes)
    return table


def ready(raw: Raw, shaker: str = "manual", **changes: Any) -> SicBoTable:
    """Return a table that is ready for a round, with two players."""
    table = bare(raw, shaker, **changes)
    table.inspect_all()
    table.seat()
    return table


def packaged(book: str, shaker: str | None = None, **changes: Any) -> SicBoTable:
    """Return a table under a packaged book."""
    return ready(packaged_raw(book), shaker or ("automated" if book == SINGAPORE else "manual"), **changes)


def act_of(table: SicBoTable, step: str) -> str:
    """Return what a step of the book's rounds does."""
    return next(one.act for one in table.table.rules.procedure.round if one.id == step)
