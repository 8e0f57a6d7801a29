"""The parts of a decision, and the draft that collects them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from pitbook.dice_register.state import EMPTY, Register
from pitbook.ledger.accounts import cage, dealers, disputes, drop, escrow, float_of, player, purse
from pitbook.messages import Message, Money
from pitbook.rulebooks.text import Label
from pitbook.table.dice_moves import MOVED, register_events
from pitbook.table.evolve import evolve
from pitbook.table.liability import Liability
from pitbook.table.refusals import Reason, Refusal, refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pitbook.dice_register.events import Event as RegisterEvent
    from pitbook.ledger.accounts import Account
    from pitbook.ledger.transfers import Transfer
    from pitbook.rulebooks.model import Rulebook
    from pitbook.table.commands import Kind, Setup
    from pitbook.table.events import Event
    from pitbook.table.people import Consent, Person
    from pitbook.table.state import Table


@dataclass(frozen=True, slots=True)
class Context:
    """The caller, the time and the balances concerned: passed in, never looked up."""

    person: Person
    at: str
    """ISO-8601, UTC."""
    balances: Mapping[Account, int] = field(default_factory=dict)
    expected: tuple[int, int] | None = None
    """The round and step that staff's screen showed."""
    remote: bool = False
    """Whether it is asked from the person's own device, so that no cash can change hands."""
    confirmed: frozenset[str] = frozenset()
    """People who confirmed as witnesses, with a PIN or on their own device."""
    allowance: Callable[[], Allowance] | None = None
    """The player's remaining loss and time limits at automatic tables; read only there."""
    holder: bool = False
    """Whether the player for whom staff act has an account of the house."""
    consent: Consent | None = None
    """How it was agreed that staff act for that player."""
    register: Register = EMPTY
    """The house's register of dice, for commands that move dice."""
    ahead: bool = False
    """Whether the table's last recorded time is far ahead of the clock."""
    liability: Liability = field(default_factory=Liability)
    """The liability of the bets; one that has followed the table answers faster."""
    superseded: bool = False
    """Whether the house has a newer edition of the packaged book under which a table is to be opened."""
    number_holder: str | None = None
    """Another open table that has the number of the set-up, for commands that set a table up."""


class Allowance(NamedTuple):
    """The remainder of a player's own limits."""

    lose_max: int | None = None
    """In minor units, including stakes on this layout; None: no limit."""
    seconds_max: int | None = None
    """Of play, this round included."""
    stake_max: int | None = None
    """In minor units, the limit of stakes here at one time; None: no limit."""
    excluded: Message | None = None
    """Why the player may not play at all."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The events, each with its transfers."""

    events: tuple[Event, ...]
    states: tuple[Table, ...]
    """The table after each event."""
    transfers: tuple[Transfer, ...]
    moves: tuple[tuple[int, Transfer], ...]
    """Each transfer with the place of the event that it belongs to."""
    register: tuple[RegisterEvent, ...] = ()
    """The events for the house's register of dice, in the same transaction."""


class Refused(Exception):
    """Carries a refusal out of a decision; it never leaves `decide`."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class Draft:
    """A decision being written: the table as it will be, the events so far, the money they move."""

    def __init__(self, table: Table, context: Context) -> None:
        self.table = table
        self.context = context
        self.events: list[Event] = []
        self.states: list[Table] = []
        self.moves: list[tuple[int, Transfer]] = []
        self.register: list[RegisterEvent] = []
        self._rules: tuple[Setup | None, Rulebook] | None = None

    @property
    def rules(self) -> Rulebook:
        """The table's book, looked up once for each set-up: a bet asks for it ten times."""
        if self._rules is None or self._rules[0] is not self.table.setup:
            self._rules = self.table.setup, self.table.rules
        return self._rules[1]

    @property
    def person(self) -> Person:
        return self.context.person

    def emit(self, event: Event, *transfers: Transfer) -> None:
        """Add an event and its money, and apply it to the table."""
        self.moves += [(len(self.events), transfer) for transfer in transfers]
        self.events.append(event)
        if isinstance(event, MOVED):
            self.register += register_events(self.table, event, self.context.register, self.person.name)
        self.table = evolve(self.table, event)
        self.states.append(self.table)

    def refuse(
        self,
        why: Reason,
        message: str | Message,
        clauses: Sequence[str] = (),
        *,
        reading: str | None = None,
        **params: Any,
    ) -> NoReturn:
        """End the decision with a refusal: the id of its message in `messages/refusals`, and the parameters.

        Name the clauses that forbid the command. Where the text is silent or ambiguous, name the reading instead.
        A refusal with neither is house policy.
        """
        known = reading if reading is not None and reading in self.rules.readings else None
        raise Refused(refuse(why, message, clauses, reading=known, **params))

    def decision(self) -> Decision:
        """Return what was decided."""
        moves = tuple(self.moves)
        transfers = tuple(transfer for _, transfer in moves)
        return Decision(tuple(self.events), tuple(self.states), transfers, moves, tuple(self.register))

    # -- accounts

    @property
    def escrow(self) -> Account:
        return escrow(self.table.id)

    @property
    def float(self) -> Account:
        return float_of(self.table.id)

    @property
    def dealers(self) -> Account:
        return dealers(self.table.id)

    @property
    def disputes(self) -> Account:
        return disputes(self.table.id)

    @property
    def drop(self) -> Account:
        return drop(self.table.id)

    @property
    def cage(self) -> Account:
        return cage(self.table.money)

    def player(self, name: str) -> Account:
        return player(name, self.table.money)

    def purse(self, name: str, colour: str) -> Account:
        return purse(name, self.table.money, self.table.id, colour)

    def chips(self, name: str, kind: Kind) -> Account:
        """Return the account that a stake is taken from: a player's colour chips here, or their cash chips."""
        own = self.table.purses.get(name) if kind == "colour" else None
        return self.player(name) if own is None else self.purse(name, own.colour)

    def owner(self, name: str, kind: Kind) -> Account:
        """Return the account to which a stake returns: the dealers' for a tip in the area, else the player's chips."""
        return self.dealers if kind == "tip in the area" else self.chips(name, kind)

    def shares(self, name: str, kind: Kind, amount: int) -> dict[Account, int]:
        """Split an amount for a player by accounts: whole colour chips into the purse, the rest in cash chips."""
        own = self.table.purses.get(name) if kind == "colour" else None
        if own is None:
            return {self.player(name): amount}
        whole = own.whole_chips(amount)
        return {self.chips(name, kind): whole, self.player(name): amount - whole}

    def money(self, amount: int) -> Money:
        """Return an amount of this table's money for a message."""
        return Money(amount, self.table.money)

    def area(self, wager: str) -> Label:
        """Return the name of a wager on the layout."""
        return self.rules.every[wager].name

    def equipment(self, name: str) -> Label:
        """Return the name of an item of equipment; one that the book doesn't have is called by its id."""
        thing = self.rules.equipment.get(name)
        return thing.name if thing else Label(en=name, zh=name)

    def holds(self, account: Account) -> int:
        """Return what an account holds, this draft's own moves included."""
        moved = sum(leg.amount for _, transfer in self.moves for leg in transfer.legs if leg.account == account)
        return self.context.balances.get(account, 0) + moved
