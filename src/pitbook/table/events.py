"""Events of a table, in the past tense. They carry everything that the state needs."""

from __future__ import annotations

from typing import Literal

import msgspec

from pitbook.dice_register.events import Fate
from pitbook.table.commands import Chips, Kind, Setup, Shaker
from pitbook.table.people import Consent, Person


class Event(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Something that happened."""


class Line(msgspec.Struct, frozen=True):
    """How one bet was settled."""

    bet: int
    player: str
    wager: str
    kind: Kind
    stake: int
    honoured: int
    """The part of the stake that was settled; the rest was returned."""
    row: str | None
    """The row of the pay table; None where nothing was honoured."""
    pays: str
    net: int
    envy: int = 0
    capped: int = 0
    clauses: tuple[str, ...] = ()
    exact: str | None = None
    """The exact net where it was rounded: a fraction of minor units, like `5/2`."""
    favour: Literal["player", "house"] | None = None
    """In whose favour it was rounded."""
    stays: bool = False
    """Paid, and the bet stays up: its stake did not move."""
    commission: int = 0
    """The commission held with the bet."""


class BetRolled(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The effect of a roll on a bet with its own state."""

    bet: int
    row: str | None = None
    """The row that it reached; None: it was not decided."""
    stays: bool = False
    """Won, and it stays up."""
    point: int | None = None
    """The number to which it travelled by this roll."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a running bet that was added since the last roll, and is returned."""

    bet: int
    amount: int
    commission: int = 0


class TableOpened(Event, frozen=True):
    setup: Setup
    at: str = ""


class SetupChanged(Event, frozen=True):
    setup: Setup
    at: str = ""


class TableClosed(Event, frozen=True):
    pass


class ShiftStarted(Event, frozen=True):
    shift: str
    at: str = ""


class DayStarted(Event, frozen=True):
    day: str


class DicePut(Event, frozen=True):
    set: str
    at: str
    sealed: bool
    first_used: str = ""
    """When the set was first put into a shaker, anywhere in the house; empty in old records: at this time."""
    serials: tuple[str, ...] = ()


class DiceTakenOut(Event, frozen=True):
    set: str
    at: str
    reason: str
    fate: Fate = "kept"


class EquipmentChecked(Event, frozen=True):
    equipment: str
    points: tuple[bool, ...]
    approval: str = ""
    approved_on: str = ""
    requirements: tuple[int, ...] = ()
    """Which of the book's requirements the points are, counted from 0; all of them where it is empty."""


class Inspected(Event, frozen=True):
    inspection: str
    passed: bool
    entered: tuple[int, ...]
    lit: tuple[str, ...]
    proper: int
    dark: tuple[str, ...] = ()
    """The areas that should have been lit and were not."""
    wrong: tuple[str, ...] = ()
    """The areas that were lit and should not have been."""


class DealerTookOver(Event, frozen=True):
    dealer: str


class DealerLeft(Event, frozen=True):
    pass


class ShakerPutAway(Event, frozen=True):
    how: str


class ShakerInUse(Event, frozen=True):
    shaker: Shaker
    name: str = ""


class EquipmentFailed(Event, frozen=True):
    equipment: str
    cease: bool
    """Whether play ceases after this round until it is repaired."""


class EquipmentRepaired(Event, frozen=True):
    equipment: str


class BoughtIn(Event, frozen=True):
    player: str
    amount: int
    colour_value: int | None = None
    marker: bool = False
    colour: str | None = None
    consent: Consent | None = None
    """Set if staff acted for a player with an account."""


class CashedOut(Event, frozen=True):
    player: str
    amount: int
    kind: Chips = "cash"
    colour: str | None = None
    consent: Consent | None = None


class BetPlaced(Event, frozen=True):
    bet: int
    player: str
    wager: str
    amount: int
    kind: Kind
    confirmed: bool
    by: str | None = None
    """The member of staff who placed it for the player."""
    consent: Consent | None = None
    commission: int = 0
    """The commission paid with the bet and held with it."""


class Placed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of several bets that were placed together."""

    bet: int
    wager: str
    amount: int
    kind: Kind
    confirmed: bool
    commission: int = 0


class BetsPlaced(Event, frozen=True):
    """Several bets of a player at once; their stakes move in one transfer."""

    player: str
    bets: tuple[Placed, ...]
    by: str | None = None
    consent: Consent | None = None


class BetTakenDown(Event, frozen=True):
    bet: int
    amount: int
    commission: int = 0
    """The part of its commission that was returned."""
    tied_to: int | None = None
    """The bet with which these odds came down."""


class BetsCalled(Event, frozen=True):
    player: str
    bets: tuple[int, ...]
    how: Literal["on", "off"] | None
    """None: the rule of the book decides again whether they work."""
    by: str | None = None
    """The member of staff who called them for the player."""


class BetsConfirmed(Event, frozen=True):
    bets: tuple[int, ...]


class WagerFound(Event, frozen=True):
    bet: int
    player: str
    wager: str
    amount: int
    late: bool
    kind: Chips = "cash"
    consent: Consent | None = None


class StepTaken(Event, frozen=True):
    step: str
    dice: tuple[int, ...] = ()
    shakes: int = 0
    announced: str | None = None
    areas: tuple[str, ...] = ()
    """At craps: where lammers were placed or removed."""
    directed_by: Person | None = None
    confirmed_by: Person | None = None
    witnessed: tuple[str, ...] = ()
    """Which of the two confirmed their presence, where house policy demands it."""
    flat: bool = True
    """Whether every die was seen to lie flat."""


class Illuminated(Event, frozen=True):
    wagers: tuple[str, ...]


class Rolled(Event, frozen=True):
    dice: tuple[int, ...]
    call: str
    bets: tuple[BetRolled, ...] = ()
    """Its effect on bets with their own state, by number; unchanged bets are left out."""


class LosersCollected(Event, frozen=True):
    lines: tuple[Line, ...]


class WinnersPaid(Event, frozen=True):
    lines: tuple[Line, ...]


class RoundEnded(Event, frozen=True):
    round: int


class DiceCorrected(Event, frozen=True):
    dice: tuple[int, ...]
    words: str
    returned: tuple[int, ...] = ()
    """At craps: the bets made since the wrong entry, which are returned."""
    bets: tuple[BetRolled, ...] = ()
    """At craps: what the true roll did to bets with their own state."""
    parts: tuple[Part, ...] = ()
    """At craps: raises made since the wrong entry, which are returned."""
    undone: tuple[Line, ...] = ()
    """Of a roll that had been settled: the lines that were reversed."""


class IrregularityCalled(Event, frozen=True):
    irregularity: str
    remedy: str
    words: str
    present: tuple[Person, ...]
    """Whom the book wants there, and who was."""
    announced: str | None = None
    witnessed: tuple[str, ...] = ()
    """Those of them who confirmed their presence, if house policy requires it."""
    bets: tuple[int, ...] = ()
    """The wagers on which a supervisor has to decide."""
    named_by: str = ""
    """The person who called it and named the witnesses."""


class RoundVoided(Event, frozen=True):
    round: int
    returned: tuple[int, ...]
    """The bets that were returned."""
    undone: tuple[Line, ...] = ()
    """Settlements that were reversed."""
    parts: tuple[Part, ...] = ()
    """At craps: what was added to running bets since the last roll, and was returned."""


class WagersReturned(Event, frozen=True):
    """The throw does not count; the wagers were returned, and betting is open for another."""

    round: int
    returned: tuple[int, ...]
    undone: tuple[Line, ...] = ()
    """Collected bets that were returned, too."""


class BettingReopened(Event, frozen=True):
    """The wagers stay for another shake and may be changed."""

    undone: tuple[Line, ...] = ()
    """Collected bets that are back on the layout."""


class StepWaived(Event, frozen=True):
    """A step that an irregularity has overtaken."""

    step: str


class PowerFailed(Event, frozen=True):
    pass


class PlayerWithdrew(Event, frozen=True):
    player: str
    bets: tuple[int, ...]
    parts: tuple[Part, ...] = ()
    """At craps: what the player had added to running bets since the last roll."""


class PlayResumed(Event, frozen=True):
    pass


class BetRuled(Event, frozen=True):
    bet: int
    treat_as: str | None
    words: str
    undone: tuple[Line, ...] = ()
    """How the wager had been settled in this round already, if it had."""
    settled: tuple[Line, ...] = ()
    """How it is settled instead."""


class Ruled(Event, frozen=True):
    words: str
    called_by: str = ""
    """The person who called a case that the book does not cover."""
    undone: tuple[Line, ...] = ()
    """How some of these wagers had been settled in this round already."""
    settled: tuple[Line, ...] = ()
    """The wagers that are returned or paid by the decision."""
    void: bool = False


class ShooterNamed(Event, frozen=True):
    shooter: str


class DicePassed(Event, frozen=True):
    pass


class RailJoined(Event, frozen=True):
    player: str
    place: int
    """From 0, clockwise; those from there on move up by one."""


class RailLeft(Event, frozen=True):
    player: str


class DiceRefused(Event, frozen=True):
    player: str


class RollCancelled(Event, frozen=True):
    words: str


class Disputed(Event, frozen=True):
    round: int
    words: str
    by: str = ""


class DisputeSettled(Event, frozen=True):
    round: int
    words: str
    upheld: bool = True


class ResettlementProposed(Event, frozen=True):
    round: int
    dice: tuple[int, ...]
    by: str
    words: str


class Resettled(Event, frozen=True):
    round: int
    dice: tuple[int, ...]
    lines: tuple[Line, ...]


class Counted(Event, frozen=True):
    when: str
    amount: int
    ledger: int
    """The ledger's amount: a difference is recorded, for the supervisor to explain."""
    second: Person


class Filled(Event, frozen=True):
    amount: int
    second: Person


class Credited(Event, frozen=True):
    amount: int
    second: Person


class DropCollected(Event, frozen=True):
    amount: int
    second: Person


# ---------------------------------------------------------------- automatic tables


class ClockCorrected(Event, frozen=True):
    """The one entry that may be earlier than the entry before it: time continues from here."""

    words: str


class SeedCommitted(Event, frozen=True):
    round: int
    commitment: str
    sealed: str
    mapping: int
    day: str
    """The day on which what players lose counts."""


class CountdownStarted(Event, frozen=True):
    round: int
    until: str


class NonceGiven(Event, frozen=True):
    player: str
    nonce: str


class BettingClosed(Event, frozen=True):
    """No more bets; the hash of this entry goes into the draw."""

    round: int
    reveal_by: str | None = None
    """When the dice are due; None in records from before there was such a time."""


class SeedRevealed(Event, frozen=True):
    round: int
    seed: str
    close: str
    """The hash of the entry that closed betting; empty where a round was void before that."""
    nonces: tuple[str, ...]
    dice: tuple[int, ...]
    voided: bool = False


class TumblerFailed(Event, frozen=True):
    words: str
    lost: bool
    """Whether a seed that was committed to will never be revealed."""


class TumblerRepaired(Event, frozen=True):
    pass


class Paused(Event, frozen=True):
    words: str
    left: float | None
    """The remaining seconds of the countdown."""


class Unpaused(Event, frozen=True):
    until: str | None


class VoidProposed(Event, frozen=True):
    round: int
    by: str
    words: str


EVENTS: tuple[type[Event], ...] = tuple(Event.__subclasses__())
"""Every kind of event."""
