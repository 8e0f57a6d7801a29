"""Schemas of a table: what it shows, the rules in force, what a player has there, and what its staff see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from pitbook.server.schemas.people import Names
from pitbook.server.schemas.wagers import Clauses, PaytableName
from pitbook.table.checklists import Result as CheckResult
from pitbook.table.commands import Automatic, Kind, Setup
from pitbook.table.events import Line
from pitbook.table.state import Bet, DiceSet, Inventory, Phase, Play, Proposal, Ruling

if TYPE_CHECKING:
    from pitbook.rulebooks.text import BookText, Label

Amount = Annotated[int, Meta(description="In minor units.")]
Dice = Annotated[tuple[int, ...], Meta(description="Empty before a throw, and in a round that was void.")]
Fraction = Annotated[str, Meta(description="An exact fraction.", examples=["5/36"])]
Holder = Annotated[str | None, Meta(description="The role in which the caller may do it; null if they may not.")]


class Name(Struct, frozen=True):
    """A name or a text of a book in English and Chinese; a text that is not translated is in English in all three."""

    en: str
    zh: Annotated[str, Meta(description="Traditional Chinese.")]
    zh_hans: Annotated[str, Meta(description="Simplified Chinese.")]

    @classmethod
    def of(cls, text: Label | BookText) -> Name:
        """Return a name or a text of a book."""
        return cls(text.en, text.zh, text.zh_hans)


class RoundResult(Struct, frozen=True):
    """The dice of a past round."""

    round: int
    dice: Dice


# ---------------------------------------------------------------- what anyone sees


class StepView(Struct, frozen=True):
    """A step of the round."""

    id: str
    act: str
    says: Annotated[str, Meta(description="In the book's words; the book has the translation, under the step's id.")]
    clause: Clauses
    who: list[str]
    announce: Annotated[str | None, Meta(description="The words to be spoken, like `says`.")]
    done: bool
    may: Annotated[bool, Meta(description="Whether the table accepts it now.")]
    asks_flat: Annotated[bool, Meta(description="Whether this step records that all dice lie flat.")]


class Lammers(Struct, frozen=True, kw_only=True):
    """The lammers on an area of a craps layout; the fields depend on how the wager is decided."""

    paid: bool
    marked: Annotated[list[int] | UnsetType, Meta(description="Of a wager that collects totals.")] = UNSET
    missing: list[int] | UnsetType = UNSET
    numbers: Annotated[list[int] | UnsetType, Meta(description="Of a wager on repeated numbers.")] = UNSET
    count: Annotated[int | UnsetType, Meta(description="Of a wager on repeated numbers, or one that counts.")] = UNSET
    of: int | UnsetType = UNSET
    or_more: bool | UnsetType = UNSET
    row: str | UnsetType = UNSET
    labels: Annotated[int | UnsetType, Meta(description="The highest number printed on a lammer.")] = UNSET
    lammer: int | UnsetType | None = UNSET


class Announcement(Struct, frozen=True):
    """An announcement in the book's words."""

    says: Name
    act: Annotated[str | None, Meta(description="Null if it was made for an irregularity.")]
    clause: Clauses


class AutomaticView(Struct, frozen=True):
    """The draw of an automatic table."""

    run: Automatic
    commitment: str | None
    mapping: int | None
    until: Annotated[str | None, Meta(description="When betting closes; null before the countdown starts.")]
    closed: Annotated[str | None, Meta(description="The hash of the entry that closed betting.")]
    paused: Annotated[str | None, Meta(description="Why the table is paused; only staff see the reason.")]
    failed: str | None
    void_proposed: bool


class TableView(Struct, frozen=True, kw_only=True):
    """The public view of an open table: no names, no balances; the house's exposure only for staff."""

    table: str
    book: str
    round: int
    step: int
    phase: Phase
    due: Annotated[str | None, Meta(description="The next step, by id.")]
    cover: Annotated[Literal["on", "off"] | None, Meta(description="The shaker's cover; null at craps.")]
    disputed: Annotated[tuple[int, ...], Meta(description="Disputed rounds.")]
    dice: Dice
    lit: Annotated[tuple[str, ...], Meta(description="The winning areas.")]
    point: int | None
    lammers: dict[str, Lammers]
    chances: Annotated[dict[str, Fraction], Meta(description="The chance of each running wager to win.")]
    staked: Amount
    worst_throw: str | UnsetType | None = UNSET
    worst_result: Amount | UnsetType = UNSET
    rest_of_hand_most: Amount | UnsetType = UNSET
    rest_of_hand_mean: Fraction | UnsetType = UNSET
    payout_max: Annotated[int | None, Meta(description="The most that all wagers may cost, in minor units.")]
    open: bool
    ready: Annotated[bool, Meta(description="Whether a round has begun or could begin.")]
    ready_until: Annotated[
        str | None, Meta(description="When the table stops being ready by itself: its dice expire, or a shift begins.")
    ]
    betting: bool
    procedure: list[StepView]
    stakes: Annotated[dict[str, int], Meta(description="The stakes on each area, in minor units.")]
    travelled: Annotated[
        dict[str, dict[str, int]],
        Meta(description="The stakes that have travelled to their own number, by wager and number."),
    ]
    closed: Annotated[
        dict[str, str], Meta(description="At craps: areas on which nothing can be bet now, each with the reason.")
    ]
    power_failed: bool
    failed: Annotated[dict[str, bool], Meta(description="Equipment that failed; true if play ceases for it.")]
    has_shooter: bool
    called: Annotated[
        tuple[str, ...],
        Meta(description="Irregularities of this round; until it begins, those that voided the round before."),
    ]
    announced: Annotated[Announcement | None, Meta(description="The last announcement.")]
    automatic: AutomaticView | UnsetType = UNSET


# ---------------------------------------------------------------- the rules in force


class LimitGroup(Struct, frozen=True):
    """Areas that have the same limits."""

    names: Annotated[
        tuple[Name, ...],
        Meta(description="Groups, families or areas; empty for all areas, or for all that no other entry names."),
    ]
    wagers: tuple[str, ...]
    stake_min: int
    stake_max: Annotated[int | None, Meta(description="Null if there is no maximum.")]


class StakeRange(Struct, frozen=True):
    """The stakes allowed on an area, in minor units."""

    stake_min: int
    stake_max: Annotated[int | None, Meta(description="Null if there is no maximum.")]


class ElectronicPart(Struct, frozen=True):
    """A part of the text, and what an automatic table does instead."""

    part: str
    clauses: tuple[str, ...]
    text: Annotated[Name, Meta(description="What the text asks for, in the book's words.")]
    key: Annotated[str, Meta(description="What an automatic table does instead, as a key of the message catalogue.")]
    instead: Annotated[str, Meta(description="The same in English.")]


class TableRules(Struct, frozen=True):
    """The rules in force at a table until its set-up changes."""

    setup: Setup
    money: Annotated[str, Meta(description="A currency, or play money like `play-SGD`.")]
    play_money: bool
    decimals: int
    since: Annotated[str | None, Meta(description="When these terms came into force; null in old records.")]
    limit_groups: tuple[LimitGroup, ...]
    limits: Annotated[dict[str, StakeRange], Meta(description="By wager.")]
    paytables: Annotated[dict[str, PaytableName], Meta(description="By wager.")]
    electronic_form: list[ElectronicPart]


class RecordedRules(Struct, frozen=True):
    """The rules at a point of the record: those of `TableRules`, or none where the record breaks off before."""

    setup: Setup | UnsetType = UNSET
    money: str | UnsetType = UNSET
    play_money: bool | UnsetType = UNSET
    decimals: int | UnsetType = UNSET
    since: str | UnsetType | None = UNSET
    limit_groups: tuple[LimitGroup, ...] | UnsetType = UNSET
    limits: dict[str, StakeRange] | UnsetType = UNSET
    paytables: dict[str, PaytableName] | UnsetType = UNSET
    electronic_form: list[ElectronicPart] | UnsetType = UNSET


class Summary(Struct, frozen=True):
    """A table as the lobby shows it."""

    id: str
    book: str
    title: Name
    game: str
    dice: int
    open: bool
    money: Annotated[str, Meta(description="A currency, or play money like `play-SGD`.")]
    play_money: bool
    automatic: bool
    phase: str | None
    round: int
    until: Annotated[str | None, Meta(description="When betting closes, if a countdown runs.")]
    betting_seconds: Annotated[
        int | None, Meta(description="The length of the countdown; null if people close betting.")
    ]
    stake_min: Annotated[int | None, Meta(description="The lowest minimum of all areas.")]
    stake_max: Annotated[int | None, Meta(description="The highest maximum of all areas; null if one has none.")]
    limits: tuple[LimitGroup, ...]
    last: tuple[RoundResult, ...]
    players: Annotated[int, Meta(description="How many players have wagers on the layout.")]
    facility: str
    short: Annotated[Name | None, Meta(description="The book's short name; null if the table is disabled.")] = None
    number: Annotated[int | None, Meta(description="The table's number on the floor, if it has one.")] = None
    disabled: Annotated[bool, Meta(description="Whether the table does not run; staff see why.")] = False


# ---------------------------------------------------------------- a player's own


class OddsRoom(Struct, frozen=True):
    """The odds that may be placed behind a bet, in minor units."""

    wager: str
    standing: Annotated[int, Meta(description="What stands there already.")]
    room: Annotated[int, Meta(description="What may still be added.")]
    most: Annotated[int, Meta(description="Both together.")]


class OwnBet(Struct, frozen=True):
    """A player's own bet."""

    id: int
    wager: str
    amount: Amount
    kind: Kind
    confirmed: bool
    running: bool
    found: bool
    late: bool
    by: Annotated[str | None, Meta(description="The member of staff who placed it for the player.")]
    behalf: Annotated[int, Meta(description="How much of it was placed for the player.")]
    point: Annotated[int | None, Meta(description="Its own number, to which it has travelled.")]
    called: Annotated[
        Literal["on", "off"] | None, Meta(description="Null while the rule of the book decides whether it works.")
    ]
    since_roll: Annotated[int, Meta(description="How much was added to a running bet since the last roll.")]
    commission: Annotated[int, Meta(description="The commission that was paid with it and is held with it.")]
    working: Annotated[bool, Meta(description="Whether the next roll can decide it.")]
    can_take_down: bool
    locked: Annotated[str | None, Meta(description="Why it cannot be taken down.")]
    can_call: Annotated[bool, Meta(description="Whether it can be called on or off.")]
    odds: Annotated[OddsRoom | None, Meta(description="Null if no odds can be placed behind it now.")]


class OwnRuling(Struct, frozen=True):
    """A supervisor's decision on a player's own bet."""

    bet: int
    amount: Amount
    lay_on: Annotated[str, Meta(description="The area where it lay.")]
    stands_on: Annotated[str | None, Meta(description="The area where it counts; null if it was returned.")]
    paid: Annotated[int | None, Meta(description="What it wins, if that was decided too.")]


class PurseInfo(Struct, frozen=True):
    """A player's colour chips at a table, in minor units."""

    colour: str
    value: Annotated[int, Meta(description="The value of one chip.")]
    held: int
    lying: Annotated[int, Meta(description="On the layout.")]


class OwnClaim(Struct, frozen=True):
    """A dispute that the player raised."""

    round: int
    upheld: Annotated[bool | None, Meta(description="Null until it is decided.")]
    reason: str


class BetOutlook(Struct, frozen=True):
    """The effect of a throw on a bet."""

    bet: int
    result: Literal["win", "lose", "push", "returned", "travels"]
    net: Amount
    point: Annotated[int | None, Meta(description="The number to which it would travel.")]


class ThrowOutlook(Struct, frozen=True):
    """The effect of a craps roll on a player's bets; bets that it does not change are left out."""

    dice: Dice
    net: Amount
    bets: list[BetOutlook]


class OwnView(Struct, frozen=True):
    """A player's own bets and chips at a table."""

    player: str
    balance: Annotated[int, Meta(description="Cash chips, in minor units.")]
    bets: list[OwnBet]
    colour_value: Annotated[int | None, Meta(description="The value of one colour chip.")]
    purse: Annotated[PurseInfo | None, Meta(description="Null if the player has no colour chips.")]
    shooter: bool
    nonce: str | None
    names: Names
    today: Annotated[Play | None, Meta(description="The player's result and time at an automatic table today.")]
    last: Annotated[dict[str, int], Meta(description="The player's stakes settled last, by wager.")]
    rulings: Annotated[list[OwnRuling], Meta(description="Of this round.")]
    unruled: Annotated[list[int], Meta(description="The player's bets that wait for a ruling.")]
    claims: list[OwnClaim]
    outlook: Annotated[
        list[ThrowOutlook], Meta(description="At craps: each throw that would do something to the player's bets.")
    ]


# ---------------------------------------------------------------- what staff see


class DueStepView(StepView, frozen=True):
    """The step that is due."""

    mine: Annotated[bool, Meta(description="Whether the caller may take it.")]


class IrregularityView(Struct, frozen=True):
    """An irregularity that can be called now."""

    id: str
    name: Name
    says: Name
    clause: Clauses
    remedy: str
    announce: Name | None
    called_by: list[str]
    presence: list[str]
    or_above: bool
    names_bets: Annotated[bool, Meta(description="Whether the call names the wagers that a supervisor decides on.")]
    mine: Annotated[bool, Meta(description="Whether the caller may call it.")]
    reading: Annotated[
        str | None, Meta(description="The reading that provides for it, where no clause of the text does.")
    ]


class SettlementDue(Struct, frozen=True):
    """The bets still to be collected, and then to be paid."""

    collect: list[Line]
    pay: list[Line]


class CrewMember(Struct, frozen=True):
    """Someone who may work at the table, in one of their roles."""

    name: str
    shown: str
    role: str


class ShakerInfo(Struct, frozen=True):
    """A shaker of the table."""

    shaker: str
    equipment: str
    name: str
    state: str


class CheckedPoint(Struct, frozen=True):
    """A point of a checklist."""

    says: Name
    clause: Clauses
    approval: bool
    result: CheckResult


class EquipmentCheck(Struct, frozen=True):
    """A checklist, with the result of the last check."""

    id: str
    requires: list[Name]
    clause: Clauses
    due: bool
    result: CheckResult
    points: list[CheckedPoint]
    approval: Annotated[str, Meta(description="The reference of the approval, as recorded with the check.")]
    approved_on: str
    mine: Holder


class InspectionView(Struct, frozen=True):
    """An inspection that the book asks for."""

    id: str
    says: Name
    how: str
    times: int
    who: list[str]
    clause: Clauses
    due: bool
    result: CheckResult
    mine: Holder


class EquipmentView(Struct, frozen=True):
    """The table's equipment: what was checked and inspected, and what is due."""

    shaker: str
    automated_away: Annotated[bool, Meta(description="Whether the automated shaker is out of use.")]
    shakers: list[ShakerInfo]
    dice_movable: Annotated[bool, Meta(description="Whether dice may be put in or taken out now.")]
    dice: DiceSet | None
    dice_until: Annotated[str | None, Meta(description="Until when the dice may be used.")]
    checked: list[str]
    inspected: Annotated[dict[str, str], Meta(description="The shift in which each inspection was passed.")]
    failed: Annotated[dict[str, bool], Meta(description="Equipment that failed; true if play ceases for it.")]
    approval_references: Annotated[
        bool, Meta(description="Whether approvals are recorded with their reference and date.")
    ]
    to_check: list[EquipmentCheck]
    to_inspect: list[InspectionView]


class ExposureInfo(Struct, frozen=True):
    """The house's possible loss, in minor units."""

    worst_throw: str | None
    worst_result: int
    by_throw: Annotated[dict[str, int], Meta(description="The house's result; negative if it loses.")]
    rest_of_hand_most: int
    rest_of_hand_mean: Fraction


class PlayerInfo(Struct, frozen=True):
    """A player who has lately played here."""

    name: str
    holds: Annotated[int | None, Meta(description="Cash chips, in minor units; null if unknown.")]
    colour_value: int | None
    purse: PurseInfo | None


class HandRoll(Struct, frozen=True):
    """A roll of the shooter's hand."""

    dice: Dice
    call: str


class BetStanding(Struct, frozen=True):
    """The actions available for a bet on the shooter's hand."""

    bet: Annotated[int, Meta(description="The number of the bet at the table.")]
    working: Annotated[bool, Meta(description="Whether the next roll can decide it.")]
    can_take_down: Annotated[bool, Meta(description="Whether it can be taken down now.")]
    locked: Annotated[str | None, Meta(description="Why it cannot be taken down.")]
    can_call: Annotated[bool, Meta(description="Whether it can be called on or off.")]
    odds: Annotated[OddsRoom | None, Meta(description="Null if no odds can be placed behind it now.")]


class StaffView(Struct, frozen=True, kw_only=True):
    """The staff's view of a table."""

    bets: list[Bet]
    standing: Annotated[list[BetStanding], Meta(description="Of each bet with its own state, at craps.")]
    announced: Annotated[tuple[int, ...], Meta(description="The dice as they were announced in this round.")]
    due: DueStepView | None
    irregularities: list[IrregularityView]
    called: Annotated[tuple[str, ...], Meta(description="Irregularities of this round.")]
    undecided: Annotated[tuple[str, ...], Meta(description="Irregularities that wait for a decision.")]
    unclear: Annotated[tuple[int, ...], Meta(description="Wagers named as unclear.")]
    unruled: Annotated[tuple[int, ...], Meta(description="Unclear wagers that wait for a ruling.")]
    taken: Annotated[list[Bet], Meta(description="Wagers collected or paid in this round.")]
    flat: Annotated[bool, Meta(description="Whether every die lies flat, as far as recorded.")]
    not_flat: Annotated[str | None, Meta(description="The irregularity to call if a die does not lie flat.")]
    callers: Annotated[dict[str, str], Meta(description="Who called each irregularity.")]
    rulings: Annotated[tuple[Ruling, ...], Meta(description="Of this round.")]
    settlement: SettlementDue
    crew: list[CrewMember]
    dealer: str | None
    shooter: str | None
    rail: Annotated[tuple[str, ...], Meta(description="The players at the rail of a craps table, clockwise.")]
    offered: Annotated[str | None, Meta(description="To whom the dice are offered.")]
    shift: str
    shift_over: Annotated[bool, Meta(description="Whether a scheduled shift has begun since this one was started.")]
    equipment: EquipmentView
    may: Annotated[dict[str, str], Meta(description="The commands open to the caller, each with the role to use.")]
    inventory: Annotated[Inventory, Meta(description="Of the gaming day.")]
    shift_inventory: Inventory
    exposure: ExposureInfo
    players: list[PlayerInfo]
    past: Annotated[list[RoundResult], Meta(description="The last finished rounds, newest first.")]
    hand: Annotated[list[HandRoll], Meta(description="The rolls of the shooter's hand so far.")]
    can_correct: Annotated[bool, Meta(description="Whether dice that were entered wrongly can be corrected.")]
    can_resettle: Annotated[
        int | None, Meta(description="At craps: the last roll, if it was settled and can be resettled.")
    ]
    put_away: Annotated[
        list[Literal["removed", "covered", "sign"]],
        Meta(description="How the automated shaker may be put out of use."),
    ]
    proposal: Annotated[Proposal | None, Meta(description="A resettlement that waits for a second person.")]
    void_by: Annotated[str | None, Meta(description="Who proposed to void this round.")]
    disputed: tuple[int, ...]
    names: Names


class LineInfo(Struct, frozen=True, kw_only=True):
    """How a bet of a past round was settled."""

    bet: int
    player: Annotated[str | UnsetType, Meta(description="On the caller's own bets, and for staff.")] = UNSET
    wager: str
    kind: Kind
    stake: Amount
    honoured: Annotated[int, Meta(description="The part of the stake that was settled; the rest was returned.")]
    row: str | None
    pays: str
    net: Amount
    envy: int | UnsetType = UNSET
    capped: int | UnsetType = UNSET
    clauses: list[str] | UnsetType = UNSET
    exact: Annotated[
        str | UnsetType | None,
        Meta(description="The exact net where it was rounded, in minor units.", examples=["5/2"]),
    ] = UNSET
    favour: Annotated[
        Literal["player", "house"] | UnsetType | None, Meta(description="In whose favour it was rounded.")
    ] = UNSET
    stays: Annotated[bool | UnsetType, Meta(description="Paid, and the bet stays up: its stake did not move.")] = UNSET
