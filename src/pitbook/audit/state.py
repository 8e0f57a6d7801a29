"""The auditor's state of a table, entry by entry."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.audit.custody import Custody
from pitbook.audit.shelf import Shelf

if TYPE_CHECKING:
    from pitbook.audit.automatic import Draw
    from pitbook.audit.books import Book, Step
    from pitbook.audit.inspections import Check
    from pitbook.audit.money import Ledger
    from pitbook.audit.roster import Roster
    from pitbook.audit.side_bets import Area
    from pitbook.audit.source import Legs
    from pitbook.audit.wagers import Wager

Body = dict[str, Any]
"""An event, or a line of a settlement, as JSON."""

Moves = list["Legs"]
"""The transfers that an event must have, each as its legs."""

OWN = ("cash", "colour")
"""Bets of the player's own; the others are tips for the dealers."""

HISTORY = 50
"""How many past rounds can be corrected."""


class Actor(NamedTuple):
    """The actor and the role."""

    name: str
    role: str


NOBODY = Actor("", "")


class Purse(NamedTuple):
    """A player's colour chips at a table: their colour, and what one is worth."""

    colour: str
    value: int


@dataclass(slots=True, eq=False)
class Bet:
    """A stake on the layout."""

    id: int
    player: str
    wager: str
    amount: int
    kind: str
    confirmed: bool
    running: bool = False
    """A roll has been made on it."""
    found: bool = False
    """Recorded by staff: outside the limits, or late."""
    late: bool = False
    point: int | None = None
    """Its own point, to which it has travelled."""
    called: str | None = None
    """The player's call: "on", "off", or None if the book's rule decides whether it works."""
    since_roll: int = 0
    """The part of a running bet that was added since the last roll."""
    commission: int = 0
    """The commission paid with the bet and held with it."""


@dataclass(slots=True)
class Round:
    """A round of Sic Bo, or a roll of craps."""

    number: int
    done: list[str] = field(default_factory=list)
    acts: list[str] = field(default_factory=list)
    announced: tuple[int, ...] = ()
    entered: tuple[int, ...] = ()
    shakes: int = 0
    ended: dict[str, str] = field(default_factory=dict)
    decided: dict[int, str] = field(default_factory=dict)
    """The bets with their own state that a roll decided and that are not settled yet, with the rows reached."""
    staying: frozenset[int] = frozenset()
    """Those of them that stay up."""
    placed: frozenset[str] = frozenset()
    cleared: frozenset[str] = frozenset()
    irregularities: list[str] = field(default_factory=list)
    witnesses: list[str] = field(default_factory=list)
    """In whose presence irregularities were called."""
    lay: dict[int, Bet] = field(default_factory=dict)
    """Bets that were settled in this round, as they were."""
    low: set[str] = field(default_factory=set)
    """Players whose wager under the minimum was settled in this round; later ones are returned."""
    flat: bool = True
    """Whether all dice are flat."""
    ceasing: bool = False
    """Whether equipment failed in this round for which play ceases."""
    callers: dict[str, str] = field(default_factory=dict)
    """The last person to call each irregularity."""
    undecided: set[str] = field(default_factory=set)
    """Irregularities on which someone has yet to decide."""
    unclear: set[int] | None = None
    """The wagers on which a supervisor may rule; None if an old record does not name them."""
    unruled: set[int] = field(default_factory=set)
    first: dict[int, str] = field(default_factory=dict)
    """Areas of wagers before the first ruling on them."""
    moved: set[int] = field(default_factory=set)
    """The wagers that a ruling has moved."""
    may_void: bool = False
    """Whether an old record leaves open if a ruling voided the round."""


class BetBeforeRoll(NamedTuple):
    """A bet before a roll, with what the roll may change of it."""

    bet: Bet
    running: bool
    point: int | None
    since_roll: int


@dataclass(slots=True)
class TableBeforeRoll:
    """A craps table before its last roll."""

    round: int
    areas: dict[str, Area]
    point: int | None
    shooter: str | None
    bets: dict[int, BetBeforeRoll]
    settled: bool = False
    """Whether wagers were settled by the roll."""
    passed: bool = False
    """Whether someone else has got the dice since."""
    changed: str = ""
    """Which bet that took part in the roll was taken down or called since."""


@dataclass(slots=True)
class PastRound:
    """A settled round, with the rules it was settled by."""

    number: int
    dice: tuple[int, ...]
    lines: list[Body]
    book: Book
    setup: Body


@dataclass(slots=True)
class State:
    """Everything that later entries depend on."""

    name: str
    ledger: Ledger
    shelf: Shelf = field(default_factory=Shelf)
    setup: Body = field(default_factory=dict)
    rules: Book | None = None
    open: bool = False
    step: int = 0
    round: Round = field(default_factory=lambda: Round(1))
    point: int | None = None
    areas: dict[str, Area] = field(default_factory=dict)
    before: TableBeforeRoll | None = None
    bets: dict[int, Bet] = field(default_factory=dict)
    at_stake: int = 0
    """The sum of the stakes on the layout."""
    areas_of: dict[tuple[str, str], list[Bet]] = field(default_factory=dict)
    """The same bets by player and wager."""
    next_bet: int = 1
    shaker: str = "manual"
    custody: Custody = field(default_factory=Custody)
    failed: dict[str, bool] = field(default_factory=dict)
    power_failed: bool = False
    withdrawn: list[str] = field(default_factory=list)
    shooter: str | None = None
    last_shooter: str | None = None
    rail: list[str] = field(default_factory=list)
    """The players at the rail, clockwise."""
    refused: list[str] = field(default_factory=list)
    """Players who refused the dice since someone last had them."""
    purses: dict[str, Purse] = field(default_factory=dict)
    """Players who bought colour chips here; their balances are in the ledger."""
    colours: dict[str, int] = field(default_factory=dict)
    """The value of colour chips that were bought before there were purses."""
    low: set[str] = field(default_factory=set)
    """Players whose wager under the minimum was settled once."""
    history: list[PastRound] = field(default_factory=list)
    disputed: list[int] = field(default_factory=list)
    referred: dict[str, str] = field(default_factory=dict)
    """Undecided cases that the book does not cover, with the person who called each."""
    proposal: Body | None = None
    coming_down: list[tuple[int, int, int]] = field(default_factory=list)
    """Odds that come down with a bet: the number of each, how much, and the number of the bet."""
    books: dict[str, Body] = field(default_factory=lambda: {"day": new_book(""), "shift": new_book("")})
    """The inventory of the gaming day and of the shift."""
    expect: list[str] = field(default_factory=list)
    """The events that must come next."""
    last: str = ""
    """The previous event."""
    actor: Actor = NOBODY
    """Its actor."""
    throw: int | None = None
    """The throw of which this event is the outcome."""
    thrown: int = 0
    """The last throw that has an outcome."""
    actual: tuple[tuple[str, Legs], ...] = ()
    """The transfers of the current entry, needed only where they cannot be predicted."""
    at: str = ""
    """The time of the current entry."""
    earlier: str = ""
    """The time of the previous event."""
    hash: str = ""
    """The hash of the current entry, in hexadecimal."""
    draw: Draw | None = None
    """The open draw of an automatic table."""
    drawn: tuple[int, ...] = ()
    """The dice that its seed gave in this round."""
    paused: bool = False
    left: float | None = None
    tumbler_failed: str | None = None
    void_by: str | None = None
    voids: list[tuple[int, int]] = field(default_factory=list)
    """Void rounds after the close, each with what the house would have won."""
    lost: int = 0
    """Seeds that will never be revealed."""
    overdue: list[tuple[int, float]] = field(default_factory=list)
    """Rounds voided after their dice were due, each with the delay in seconds."""
    roster: Roster | None = None
    """Roles over time, from the house's own record; None if it has no accounts."""
    named: int = 0
    """Second persons and witnesses who were checked."""
    checks: dict[str, Check] = field(default_factory=dict)
    """The last check of each item."""
    inspections: dict[str, tuple[bool, str]] = field(default_factory=dict)
    """Whether each inspection was passed, and in which shift."""
    dice_set: str = ""
    """The name of the set of dice in the shaker, or an empty string."""
    shift: str = ""
    shift_started: str = ""
    live: tuple[Step, ...] = ()
    """The steps that someone takes, with the shaker in use."""

    @property
    def automatic(self) -> bool:
        """Whether the electronic tumbler runs the table."""
        return bool(self.setup.get("automatic"))

    @property
    def book(self) -> Book:
        assert self.rules is not None
        return self.rules

    # -- accounts

    @property
    def money(self) -> str:
        """The currency of chips here: the book's, or play money."""
        run = self.setup.get("automatic")
        return f"play-{self.setup['currency']}" if run and not run["real_money"] else str(self.setup["currency"])

    @property
    def cage(self) -> str:
        return f"cage:{self.money}"

    def player(self, name: str) -> str:
        return f"player:{name}:{self.money}"

    @property
    def escrow(self) -> str:
        return f"escrow:{self.name}"

    @property
    def float(self) -> str:
        return f"float:{self.name}"

    @property
    def dealers(self) -> str:
        return f"dealers:{self.name}"

    @property
    def disputes(self) -> str:
        return f"disputes:{self.name}"

    @property
    def drop(self) -> str:
        return f"drop:{self.name}"

    def purse(self, player: str) -> str:
        return f"player:{player}:{self.money}:{self.name}:{self.purses[player].colour}"

    def chips(self, player: str, kind: str) -> str:
        """Return the account that a stake comes from: the purse of colour chips, or the cash chips."""
        return self.purse(player) if kind == "colour" and player in self.purses else self.player(player)

    def owner(self, player: str, kind: str) -> str:
        """Return whose a stake is: a tip in the area is the dealers', colour chips belong to their purse."""
        return self.dealers if kind == "tip in the area" else self.chips(player, kind)

    def shares(self, player: str, kind: str, amount: int) -> Legs:
        """Return what a player is due for a stake: whole colour chips, and the rest in cash chips."""
        if kind != "colour" or player not in self.purses:
            return ((self.player(player), amount),)
        rest = amount % self.purses[player].value
        return ((self.purse(player), amount - rest), (self.player(player), rest))

    def is_whole_chips(self, player: str, amount: int) -> bool:
        """Return whether an amount is a whole number of a player's colour chips."""
        value = self.purses[player].value if player in self.purses else self.colours.get(player)
        return bool(value) and amount % (value or 1) == 0

    def chips_out(self, player: str) -> bool:
        """Return whether a player has colour chips, in the purse or on the layout, or might get some back."""
        wagers = (*self.bets.values(), *self.round.lay.values())
        lying = any(bet.player == player and bet.kind == "colour" for bet in wagers)
        return lying or self.ledger.balance(self.purse(player)) > 0

    # -- bets

    def put(self, bet: Bet) -> None:
        """Add a bet to the layout."""
        self.bets[bet.id] = bet
        self.areas_of.setdefault((bet.player, bet.wager), []).append(bet)
        self.at_stake += bet.amount + bet.commission
        self.next_bet = max(self.next_bet, bet.id + 1)

    def take(self, number: int) -> Bet:
        """Remove a bet from the layout."""
        bet = self.bets.pop(number)
        self._bets_beside(bet).remove(bet)
        self.at_stake -= bet.amount + bet.commission
        return bet

    def add_to(self, bet: Bet, amount: int, commission: int) -> None:
        """Raise a bet, or reduce it by negative amounts; what was added last comes off first."""
        bet.amount += amount
        bet.commission += commission
        self.at_stake += amount + commission
        if bet.running:
            bet.since_roll = max(0, bet.since_roll + amount)

    def _bets_beside(self, bet: Bet) -> list[Bet]:
        return self.areas_of[bet.player, bet.wager]

    def change_wager(self, number: int, wager: str) -> None:
        """Treat a bet as one on another wager."""
        bet = self.bets[number]
        self._bets_beside(bet).remove(bet)
        bet.wager = wager
        self.areas_of.setdefault((bet.player, wager), []).append(bet)

    def on(self, player: str, wager: str) -> list[Bet]:
        """Return a player's bets on a wager."""
        return self.areas_of.get((player, wager), [])

    def new_bets(self) -> list[Bet]:
        """Return the bets on which no roll has been made."""
        return [bet for bet in self.bets.values() if not bet.running]

    def return_bets(self, bets: list[Bet]) -> Moves:
        """Return the transfers that give stakes back to their owners."""
        return [self.return_part(bet, bet.amount, bet.commission) for bet in bets]

    def return_part(self, bet: Bet, amount: int, commission: int) -> Legs:
        """Return the transfer of a part of a stake to its owner, with its commission in cash chips."""
        owner = self.owner(bet.player, bet.kind)
        if not commission:
            return transfer(self.escrow, owner, amount)
        cash = self.player(bet.player)
        parts = ((cash, amount + commission),) if owner == cash else ((owner, amount), (cash, commission))
        return ((self.escrow, -amount - commission), *parts)

    # -- rules in force

    def wager(self, name: str) -> Wager | None:
        """Return a wager on offer here, or None."""
        return self.book.every[name] if name in self.book.offered else None

    def limit(self, wager: Wager) -> tuple[int, int]:
        """Return the house's most specific limits for a wager, or else the text's."""
        limits = self.setup.get("limits") or {}
        for name in (wager.id, wager.family, wager.group or "*", "*"):
            if name in limits:
                return limits[name]["stake_min"], limits[name]["stake_max"]
        return wager.stake_min, wager.stake_max

    def lines(self) -> list[Body]:
        """Return what was settled in this round so far."""
        return [line for past in self.history if past.number == self.round.number for line in past.lines]

    def add_to_books(self, **changes: int) -> None:
        """Add to the inventory of the day and the shift."""
        for book in self.books.values():
            for name, change in changes.items():
                book[name] += change


def new_book(day: str) -> Body:
    """Return an empty inventory."""
    nothing: Body = dict.fromkeys(("fills", "credits", "drop", "wagered", "won"), 0)
    return {"day": day, "opening": None, "closing": None, **nothing}


def transfer(source: str, target: str, amount: int) -> Legs:
    """Return a transfer from one account to another."""
    return ((source, -amount), (target, amount))


def paytable(setup: Body, wager: Wager) -> str | None:
    """Return the pay table of a wager: by its own name, its family's or its group's, else the first."""
    chosen = setup.get("paytables") or {}
    for name in (wager.id, wager.family, wager.group):
        if name in chosen:
            return str(chosen[name])
    return next(iter(wager.pays))
