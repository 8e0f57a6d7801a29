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
    """Something asked of a table."""


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
    """Play money, unless the manager says otherwise."""
    play_stack: int = 100_000
    """Up to this a player may fill up play money, in minor units."""
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
    """By wager, family or `*`; the most particular holds."""
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


# ---------------------------------------------------------------- the table and its equipment


class OpenTable(Command, frozen=True):
    """Set up a table. Bets are taken once its equipment is in order."""

    setup: Setup


class ChangeSetup(Command, frozen=True):
    """Changes the set-up between rounds."""

    setup: Setup


class CloseTable(Command, frozen=True):
    """Ends play, between rounds, when no wager runs."""


class StartShift(Command, frozen=True):
    """A new shift begins; inspections that are due each shift are due again."""

    shift: str


class PutDice(Command, frozen=True):
    """A fresh set of dice goes into the shaker, which is then sealed or locked."""

    set: str
    sealed: bool = True
    count: int | None = None
    """How many; as many as the book asks for, unless said."""
    serials: tuple[str, ...] = ()
    """The serial numbers of its dice, for a set that the register does not have yet."""


class TakeOutDice(Command, frozen=True):
    """The dice are taken out of the shaker: between rounds, or before this round's shake."""

    set: str
    reason: str
    fate: Fate = "kept"
    """Whether the set is kept, or cancelled or destroyed, so that it can never be used again."""


class CheckEquipment(Command, frozen=True):
    """A thing at the table meets what the book asks of it, point by point."""

    equipment: str
    points: tuple[bool, ...]
    """One result for each point that applies at this table, in the book's order."""
    approval: str = ""
    """The reference of the authority's approval, where the book asks for one."""
    approved_on: str = ""
    """The date of that approval: 2026-01-31."""


class Inspect(Command, frozen=True):
    """An inspection: what was entered and what lit up, or how often the shaker tossed the dice properly."""

    inspection: str
    entered: tuple[int, ...] = ()
    lit: tuple[str, ...] = ()
    proper: int = 0


class TakeOver(Command, frozen=True):
    """A dealer takes the table over, and answers for the shaker from now on."""


class LeaveTable(Command, frozen=True):
    """The dealer leaves without relief."""


class PutAwayShaker(Command, frozen=True):
    """The automated shaker is put out of use: removed, or emptied and covered or signed, as the book asks."""

    how: Literal["removed", "covered", "sign"]
    dice_removed: bool = False


class UseShaker(Command, frozen=True):
    """A shaker is put into use, or one that was put away is brought back."""

    shaker: Shaker
    name: str = ""
    """Which one it is: its number or inventory tag."""


class Repair(Command, frozen=True):
    """Equipment that failed works again; play may continue."""

    equipment: str


# ---------------------------------------------------------------- money at the table


class BuyIn(Command, frozen=True):
    """Chips for cash; colour chips with a value that the player sets, and a marker above the minimum."""

    amount: int
    player: str | None = None
    colour_value: int | None = None
    marker: bool = False
    """Whether a marker shows the value; staff place it and enter the purchase."""
    colour: str | None = None
    """The player's own colour at this table; the one they have, else the first that is free."""


class CashOut(Command, frozen=True):
    """Cash for chips. Colour chips are redeemed at the table that issued them."""

    amount: int
    player: str | None = None
    kind: Chips = "cash"


class Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stake on a wager."""

    wager: str
    amount: int
    kind: Kind = "cash"


class PlaceBets(Command, frozen=True):
    """Bets by a player, or by staff at a player's request: all of them, or none."""

    bets: tuple[Wanted, ...]
    player: str | None = None
    verbal_cash: bool = False
    """Called out with cash and no chips on the layout."""


class TakeDown(Command, frozen=True):
    """Take a stake, or a part of it, off the layout."""

    wager: str
    amount: int | None = None
    kind: Kind = "cash"
    player: str | None = None
    point: int | None = None
    """Of a bet with its own point: its number; None for the one that has not travelled."""


class MoveBet(Command, frozen=True):
    """Moves a stake to another area."""

    wager: str
    to: str
    amount: int | None = None
    kind: Kind = "cash"
    player: str | None = None
    point: int | None = None


class CallBets(Command, frozen=True):
    """Calls a player's bets on or off, or leaves it to the rule of the book whether they work."""

    how: Literal["on", "off", "rule"]
    wagers: tuple[str, ...] = ()
    """All of the player's bets that can be called, where none is named."""
    player: str | None = None


class ConfirmBets(Command, frozen=True):
    """Repeats booked bets aloud and places them; all that wait, or one player's."""

    player: str | None = None


class RecordFound(Command, frozen=True):
    """A wager found on the layout outside the limits, or placed or raised after the close."""

    player: str
    wager: str
    amount: int
    late: bool = False
    kind: Chips = "cash"


# ---------------------------------------------------------------- the round


class TakeStep(Command, frozen=True):
    """A step of the book's procedure."""

    step: str
    dice: tuple[int, ...] = ()
    shakes: int = 0
    flat: bool = True
    """Whether every die lies flat, once the dice can be seen."""
    directed_by: Person | None = None
    confirmed_by: Person | None = None


class CorrectDice(Command, frozen=True):
    """A supervisor corrects what was entered, before anything is settled."""

    dice: tuple[int, ...]
    words: str


class Call(Command, frozen=True):
    """An irregularity."""

    irregularity: str
    words: str = ""
    present: tuple[Person, ...] = ()
    bets: tuple[int, ...] = ()
    """The wagers on which a supervisor has to decide, by number."""


class Withdraw(Command, frozen=True):
    """A player takes back all wagers that may be taken back after a power failure."""

    player: str | None = None


class Resume(Command, frozen=True):
    """Play resumes after a power failure."""


class RuleOnBet(Command, frozen=True):
    """A supervisor decides on a wager that was not clearly placed, or was moved."""

    bet: int
    treat_as: str | None
    """The wager to which it is moved; None if it is returned."""
    words: str


class Award(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wager's win by a decision, in minor units; its stake is returned as well."""

    bet: int
    amount: int


class RuleInWords(Command, frozen=True):
    """A decision on what the book does not cover, once it was called: in words, and with what happens to the money."""

    words: str
    void: bool = False
    """Whether the round is void."""
    returns: tuple[int, ...] = ()
    """The wagers that are returned, by number."""
    pays: tuple[Award, ...] = ()
    """The wagers that are paid as decided."""


class NewShooter(Command, frozen=True):
    """Someone gets the dice."""

    shooter: str


class PassDice(Command, frozen=True):
    """The shooter gives up the dice before a come-out roll."""


class JoinRail(Command, frozen=True):
    """A player takes a place at the rail of a craps table, where the dice go round."""

    player: str | None = None
    after: str | None = None
    """Clockwise next to this player; None: at the end."""


class LeaveRail(Command, frozen=True):
    """A player gives up the place at the rail."""

    player: str | None = None


class RefuseDice(Command, frozen=True):
    """The player to whom the dice are offered does not want to shoot."""

    player: str | None = None


class CallNoRoll(Command, frozen=True):
    """A roll of craps that does not count."""

    words: str


# ---------------------------------------------------------------- afterwards


class Dispute(Command, frozen=True):
    """A round is disputed: its record is frozen until a supervisor rules."""

    round: int
    words: str


class SettleDispute(Command, frozen=True):
    """A supervisor ends a dispute: the claim is upheld, or refused for a reason."""

    round: int
    words: str
    upheld: bool = True


class ProposeResettlement(Command, frozen=True):
    """The dice of the last settled round were misread: these are the true ones."""

    round: int
    dice: tuple[int, ...]
    words: str


class ApproveResettlement(Command, frozen=True):
    """A second person approves it; what was paid wrongly is reversed."""

    round: int


class Count(Command, frozen=True):
    """The table's chips are counted by two persons."""

    when: Literal["opening", "closing"]
    amount: int
    second: Person


class Fill(Command, frozen=True):
    """Chips from the cage to the table."""

    amount: int
    second: Person


class Credit(Command, frozen=True):
    """Chips from the table to the cage."""

    amount: int
    second: Person


class CollectDrop(Command, frozen=True):
    """The drop box is taken away."""

    second: Person


class StartDay(Command, frozen=True):
    """A new gaming day begins: win and hold count from nothing."""

    day: str


class CorrectClock(Command, frozen=True):
    """A manager lets a table whose last recorded time is ahead of the clock continue at the clock's time."""

    words: str


# ---------------------------------------------------------------- automatic tables


class CommitSeed(Command, frozen=True):
    """The electronic tumbler binds itself to a seed; betting opens."""

    commitment: str
    sealed: str
    """The seed, sealed by a key that is not in the database."""
    mapping: int


class StartCountdown(Command, frozen=True):
    """There are wagers: the time until no more bets runs."""


class GiveNonce(Command, frozen=True):
    """A player's own share in the draw."""

    nonce: str


class CloseBetting(Command, frozen=True):
    """The time has run out."""


class RevealSeed(Command, frozen=True):
    """The electronic tumbler opens its seed: the dice follow from it, and the round is settled."""

    seed: str


class ReportTumbler(Command, frozen=True):
    """The electronic tumbler reports that it has failed: the round is void, and the table stops."""

    words: str
    lost: bool = False
    """Whether the seed of this round is lost with it."""


class Pause(Command, frozen=True):
    """A supervisor holds an automatic table before it closes betting."""

    words: str


class Unpause(Command, frozen=True):
    """Resume; the countdown continues where it stopped."""


class ProposeVoid(Command, frozen=True):
    """A round of an automatic table is to be void."""

    words: str


class ApproveVoid(Command, frozen=True):
    """A second person approves it: the wagers are returned, and the seed is revealed all the same."""

    round: int


COMMANDS: tuple[type[Command], ...] = tuple(Command.__subclasses__())
"""Every command there is."""

if TYPE_CHECKING:
    AnyCommand = Command
else:  # msgspec decodes a command by its tag, for which it needs the classes themselves
    AnyCommand = reduce(or_, COMMANDS)
