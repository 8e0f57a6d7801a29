"""Commands to a table, in the imperative. Each is refused unless the book, the step and the role allow it."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Literal

import msgspec

from pitbook.dice_register.events import Fate
from pitbook.table.people import Person

Kind = Literal["cash", "colour", "tip in the area", "tip on top"]
OWN: tuple[Kind, ...] = ("cash", "colour")
"""Bets of the player's own; the others are for the dealers."""
Chips = Literal["cash", "colour"]
"""Chips with a printed value, or a player's own colour chips at one table."""
Shaker = Literal["manual", "automated"]
Witness = Literal["named", "confirmed"]
"""How the presence of a witness is shown: someone names the witness, or the witness confirms it."""


class Command(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """A command to a table."""


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits on the stake on a wager, in minor units."""

    stake_min: int
    stake_max: int


class Automatic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an automatic table runs: the electronic tumbler throws, and the clock closes betting."""

    betting_seconds: int = 20
    """From the first wager of a round (or from its start, where wagers still run) until no more bets."""
    rest_seconds: int = 8
    """From the settlement until the next round opens."""
    reveal_seconds: int = 30
    """From the close of betting until the dice are due; a round that is not revealed by then is void."""
    real_money: bool = False
    """Whether it plays for real money; play money by default."""
    play_stack: int = 100_000
    """The amount up to which a player may take play money, in minor units."""
    approval: str = ""
    """The regulator's approval of the electronic tumbler, by its reference; real money needs one."""


class BookPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of several books on one hand."""

    id: str
    digest: str
    text: str = ""
    """The SHA-256 of its text in the journal."""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is set up: everything that its opening records."""

    book: str
    digest: str
    facility: str
    currency: str
    shaker: Shaker = "manual"
    limits: dict[str, Limit] = {}
    """By wager, family or `*`; the most specific applies."""
    paytables: dict[str, str] = {}
    readings: dict[str, str] = {}
    options: dict[str, str] = {}
    payout_max: int | None = None
    """The most that all wagers may cost on one throw, at craps over the rest of the hand; shown at the table."""
    automatic: Automatic | None = None
    witness: Witness = "named"
    """House policy; the house fills it in when it opens or changes a table."""
    shifts: tuple[str, ...] = ()
    """The house's schedule: the local times at which shifts begin, such as "06:00"; copied from the house policy."""
    timezone: str = "UTC"
    """The IANA time zone of the schedule."""
    approval_references: bool = False
    """Whether equipment that needs an approval is checked with its reference and date; copied from the house policy."""
    bet_consent: bool = False
    """Whether bets for a player with an account need consent, as chips bought and cashed do; copied likewise."""
    text: str = ""
    """The SHA-256 of the book's text in the journal; the house fills it in. Older openings have none."""
    books: tuple[BookPart, ...] = ()
    """Of several books on one hand: each of them, the base book first; the house fills it in."""
    number: int | None = None
    """The table's number on the floor, which people see: from 1 to 9999, one of its own for each open table."""


# ---------------------------------------------------------------- the table and its equipment


class OpenTable(Command, frozen=True):
    """Set up a table. Bets are taken once its equipment is in order."""

    setup: Setup


class ChangeSetup(Command, frozen=True):
    """Change the set-up between rounds."""

    setup: Setup


class CloseTable(Command, frozen=True):
    """End play, between rounds, when no wager is running."""


class StartShift(Command, frozen=True):
    """Start a new shift; inspections that are due each shift are due again."""

    shift: str


class PutDice(Command, frozen=True):
    """Put a fresh set of dice into the shaker, which is then sealed or locked."""

    set: str
    sealed: bool = True
    count: int | None = None
    """The number of dice; by default the one that the book requires."""
    serials: tuple[str, ...] = ()
    """The serial numbers of its dice, for a set that the register does not have yet."""


class TakeOutDice(Command, frozen=True):
    """Take the dice out of the shaker: between rounds, or before this round's shake."""

    set: str
    reason: str
    fate: Fate = "kept"
    """Whether the set is kept, or cancelled or destroyed, so that it can never be used again."""


class CheckEquipment(Command, frozen=True):
    """Record the check of an item against the book, point by point."""

    equipment: str
    points: tuple[bool, ...]
    """One result for each point that applies at this table, in the book's order."""
    approval: str = ""
    """The reference of the authority's approval, where the book asks for one."""
    approved_on: str = ""
    """The date of that approval: 2026-01-31."""


class Inspect(Command, frozen=True):
    """Record an inspection: what was entered and what lit up, or how often the shaker tossed the dice properly."""

    inspection: str
    entered: tuple[int, ...] = ()
    lit: tuple[str, ...] = ()
    proper: int = 0


class TakeOver(Command, frozen=True):
    """Take over the table as its dealer, responsible for the shaker from now on."""


class LeaveTable(Command, frozen=True):
    """Leave the table without relief."""


class PutAwayShaker(Command, frozen=True):
    """Put the automated shaker out of use: removed, or emptied and covered or signed, as the book requires."""

    how: Literal["removed", "covered", "sign"]
    dice_removed: bool = False


class UseShaker(Command, frozen=True):
    """Put a shaker into use, or bring back one that was put away."""

    shaker: Shaker
    name: str = ""
    """Which one it is: its number or inventory tag."""


class Repair(Command, frozen=True):
    """Record that failed equipment works again; play may continue."""

    equipment: str


# ---------------------------------------------------------------- money at the table


class BuyIn(Command, frozen=True):
    """Buy chips for cash; colour chips with a value that the player sets, and a marker above the minimum."""

    amount: int
    player: str | None = None
    colour_value: int | None = None
    marker: bool = False
    """Whether a marker shows the value; staff place it and enter the purchase."""
    colour: str | None = None
    """The player's own colour at this table; the one they have, else the first that is free."""


class CashOut(Command, frozen=True):
    """Cash chips in. Colour chips are redeemed at the table that issued them."""

    amount: int
    player: str | None = None
    kind: Chips = "cash"


class BetRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stake on a wager."""

    wager: str
    amount: int
    kind: Kind = "cash"


class PlaceBets(Command, frozen=True):
    """Place bets as a player, or as staff at a player's request: all of them, or none."""

    bets: tuple[BetRequest, ...]
    player: str | None = None
    verbal_cash: bool = False
    """Whether they are called out with cash, without chips on the layout."""


class TakeDown(Command, frozen=True):
    """Take a stake, or a part of it, off the layout."""

    wager: str
    amount: int | None = None
    kind: Kind = "cash"
    player: str | None = None
    point: int | None = None
    """Of a bet with its own point: its number; None for the one that has not travelled."""


class MoveBet(Command, frozen=True):
    """Move a stake to another area."""

    wager: str
    to: str
    amount: int | None = None
    kind: Kind = "cash"
    player: str | None = None
    point: int | None = None


class CallBets(Command, frozen=True):
    """Call a player's bets on or off, or let the book's rule decide whether they work."""

    how: Literal["on", "off", "rule"]
    wagers: tuple[str, ...] = ()
    """By default all of the player's bets that can be called."""
    player: str | None = None


class ConfirmBets(Command, frozen=True):
    """Repeat booked bets aloud and place them; all pending ones, or one player's."""

    player: str | None = None


class RecordFound(Command, frozen=True):
    """Record a wager found on the layout outside the limits, or placed or raised after the close."""

    player: str
    wager: str
    amount: int
    late: bool = False
    kind: Chips = "cash"


# ---------------------------------------------------------------- the round


class TakeStep(Command, frozen=True):
    """Take a step of the book's procedure."""

    step: str
    dice: tuple[int, ...] = ()
    shakes: int = 0
    flat: bool = True
    """Whether every die lies flat, once the dice can be seen."""
    directed_by: Person | None = None
    confirmed_by: Person | None = None


class CorrectDice(Command, frozen=True):
    """Correct the dice that were entered, as a supervisor, before anything is settled."""

    dice: tuple[int, ...]
    words: str


class Call(Command, frozen=True):
    """Call an irregularity."""

    irregularity: str
    words: str = ""
    present: tuple[Person, ...] = ()
    bets: tuple[int, ...] = ()
    """The wagers on which a supervisor has to decide, by number."""


class Withdraw(Command, frozen=True):
    """Withdraw all wagers of a player that may be withdrawn after a power failure."""

    player: str | None = None


class Resume(Command, frozen=True):
    """Resume play after a power failure."""


class RuleOnBet(Command, frozen=True):
    """Rule, as a supervisor, on a wager that was not clearly placed, or was moved."""

    bet: int
    treat_as: str | None
    """The wager to which it is moved; None if it is returned."""
    words: str


class Award(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wager's win by a decision, in minor units; its stake is returned as well."""

    bet: int
    amount: int


class RuleInWords(Command, frozen=True):
    """Decide a called case that the book does not cover: in words, and with what happens to the money."""

    words: str
    void: bool = False
    """Whether the round is void."""
    returns: tuple[int, ...] = ()
    """The wagers that are returned, by number."""
    pays: tuple[Award, ...] = ()
    """The wagers that are paid as decided."""


class NewShooter(Command, frozen=True):
    """Give the dice to someone."""

    shooter: str


class PassDice(Command, frozen=True):
    """Give up the dice, as the shooter, before a come-out roll."""


class JoinRail(Command, frozen=True):
    """Take a place at the rail of a craps table, where the dice go round."""

    player: str | None = None
    after: str | None = None
    """Clockwise next to this player; None: at the end."""


class LeaveRail(Command, frozen=True):
    """Give up a place at the rail."""

    player: str | None = None


class RefuseDice(Command, frozen=True):
    """Refuse the dice, as the player to whom they are offered."""

    player: str | None = None


class CallNoRoll(Command, frozen=True):
    """Call a roll of craps that does not count."""

    words: str


# ---------------------------------------------------------------- afterwards


class Dispute(Command, frozen=True):
    """Dispute a round: its record is frozen until a supervisor rules."""

    round: int
    words: str


class SettleDispute(Command, frozen=True):
    """Settle a dispute, as a supervisor: uphold the claim, or refuse it with a reason."""

    round: int
    words: str
    upheld: bool = True


class ProposeResettlement(Command, frozen=True):
    """Propose the true dice of a settled round whose dice were misread."""

    round: int
    dice: tuple[int, ...]
    words: str


class ApproveResettlement(Command, frozen=True):
    """Approve it as a second person; what was paid wrongly is reversed."""

    round: int


class Count(Command, frozen=True):
    """Record a count of the table's chips by two people."""

    when: Literal["opening", "closing"]
    amount: int
    second: Person


class Fill(Command, frozen=True):
    """Bring chips from the cage to the table."""

    amount: int
    second: Person


class Credit(Command, frozen=True):
    """Return chips from the table to the cage."""

    amount: int
    second: Person


class CollectDrop(Command, frozen=True):
    """Collect the drop box."""

    second: Person


class StartDay(Command, frozen=True):
    """Start a new gaming day: win and hold start from zero."""

    day: str


class CorrectClock(Command, frozen=True):
    """Let a table whose last recorded time is ahead of the clock continue at the clock's time, as a manager."""

    words: str


# ---------------------------------------------------------------- automatic tables


class CommitSeed(Command, frozen=True):
    """Commit to a seed, as the electronic tumbler; betting opens."""

    commitment: str
    sealed: str
    """The seed, sealed by a key that is not in the database."""
    mapping: int


class StartCountdown(Command, frozen=True):
    """Start the countdown, because there are wagers."""


class GiveNonce(Command, frozen=True):
    """Add a player's own entry to the draw."""

    nonce: str


class CloseBetting(Command, frozen=True):
    """Close betting, because the time has run out."""


class RevealSeed(Command, frozen=True):
    """Reveal the seed, as the electronic tumbler: the dice follow from it, and the round is settled."""

    seed: str


class ReportTumbler(Command, frozen=True):
    """Report a failure of the electronic tumbler: the round is void, and the table stops."""

    words: str
    lost: bool = False
    """Whether the seed of this round is lost with it."""


class Pause(Command, frozen=True):
    """Pause an automatic table, as a supervisor, before it closes betting."""

    words: str


class Unpause(Command, frozen=True):
    """Resume; the countdown continues where it stopped."""


class ProposeVoid(Command, frozen=True):
    """Propose to void a round of an automatic table."""

    words: str


class ApproveVoid(Command, frozen=True):
    """Approve it as a second person: the wagers are returned, and the seed is still revealed."""

    round: int


COMMANDS: tuple[type[Command], ...] = tuple(Command.__subclasses__())
"""All commands."""

if TYPE_CHECKING:
    AnyCommand = Command
else:  # msgspec decodes a command by its tag, for which it needs the classes themselves
    AnyCommand = reduce(or_, COMMANDS)
