"""The TOML format of a rulebook, key by key. The content of a book, before anything is derived from it."""

from __future__ import annotations

from copy import deepcopy
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, computed_field
from pydantic_core import core_schema

from pitbook.messages.simplified import simplified
from pitbook.money import Wording, decimals_of

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _check_currency(code: str) -> str:
    decimals_of(code)
    return code


def _date(value: Any) -> Any:
    """TOML has dates; the text of a book in a journal is JSON, which has none."""
    try:
        return date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        return value


Clauses = Annotated[list[str], BeforeValidator(_listed), Field(min_length=1)]
"""One clause number, or several."""

Names = Annotated[list[str], BeforeValidator(_listed)]
Shaker = Literal["manual", "automated"]
Phase = Literal["between rounds", "betting", "closed", "thrown", "revealed", "settling", "any"]


class Text(BaseModel):
    """A part of a book: immutable, without keys that the format does not define."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )


_simplified = lru_cache(maxsize=20_000)(simplified)
"""More than the names and texts of any packaged book."""


class Label(Text):
    """A name or a text in English and Chinese."""

    en: str
    zh: str
    """Traditional Chinese."""

    @computed_field  # type: ignore[prop-decorator]  # as pydantic's documentation has it
    @property
    def zh_hans(self) -> str:
        """Simplified Chinese."""
        return _simplified(self.zh)

    def both(self, between: str = " ") -> str:
        """Return English and Chinese; a brand name has its English in the Chinese already.

        >>> Label(en="Small", zh="小").both(), Label(en="Fire Bet", zh="Fire Bet（火焰注）").both()
        ('Small 小', 'Fire Bet（火焰注）')
        """
        return self.zh if self.zh.startswith(self.en) else f"{self.en}{between}{self.zh}"


class BookText(str):
    """A text of a book in English, which is binding, and its translation, which isn't. It is sent as a `Label`."""

    __slots__ = ("zh",)

    zh: str
    """In Traditional Chinese; in English if the book has no translation."""

    def __new__(cls, en: str, zh: str | None = None) -> BookText:
        text = super().__new__(cls, en)
        text.zh = text.en if zh is None else zh
        return text

    def __reduce__(self) -> tuple[type[BookText], tuple[str, str]]:
        return BookText, (self.en, self.zh)

    @property
    def en(self) -> str:
        """The book's own words as a plain string."""
        return str(self)

    @property
    def zh_hans(self) -> str:
        """In Simplified Chinese."""
        return _simplified(self.zh)

    @property
    def label(self) -> Label:
        """The text in both languages."""
        return Label(en=self.en, zh=self.zh)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_wrap_validator_function(
            lambda value, read: value if isinstance(value, cls) else cls(read(value)),
            core_schema.str_schema(strict=True),
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda text: text.label, return_schema=handler(Label)
            ),
        )


class Identity(Text):
    """The identity of the text."""

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    title: BookText
    short: BookText | None = None
    """A name for lists and headings. Packaged books have it in their translations, outside of their digests."""
    authority: BookText
    game: Literal["sic-bo", "craps"]
    dice: Literal[2, 3]
    currency: Annotated[str, AfterValidator(_check_currency)]
    """An ISO 4217 code."""
    inferred: list[str] = []
    """Which of these facts the text does not state itself."""
    version: str | None = None
    in_force_since: Annotated[date | None, BeforeValidator(_date)] = None
    about: BookText


class OddsRule(Text):
    """How binding the pays are, and how odds may be worded."""

    clause: Clauses
    basis: Literal["minimum", "fixed"]
    """Whether the house may pay more than the text says."""
    unit: int = Field(1, ge=1, le=1_000_000)
    """The minor units of the smallest payment: winnings are rounded down to multiples of it."""
    unit_clause: Names = []
    """The clauses on rounding, where the text has any."""
    wording: Annotated[list[Annotated[Wording, Field(strict=False)]], Field(min_length=1)]


class Group(Text):
    """Wagers offered together, with the pay tables that the house may choose from."""

    name: Label
    clause: Clauses
    optional: bool = False
    """Whether the house may leave the group out."""
    paytables: list[str] = []
    """The first is the default."""


class Repetition(Text):
    """Any of these totals, a number of times."""

    numbers: Annotated[list[Annotated[int, Field(ge=2, le=12)]], Field(min_length=1)]
    times: int = Field(ge=1, le=99)


class Window(Text):
    """When a wager may be made."""

    clause: Clauses
    rolls: Literal["come-out", "point on", "any roll"]
    clear: Literal["own", "none"] | list[str] = "own"
    """Whose lammers must be clear: this wager's own, nobody's, or those of the wagers named."""
    readings: dict[Literal["rolls", "clear"], str] = {}
    """The reading that decides on the rolls or on the lammers, where no clause does."""


UNITS_MAX = 10**12
"""In minor units this still fits 64 bits."""


class StakeLimits(Text):
    """The text's limits on stakes and payoffs, in whole units of the currency."""

    clause: Clauses
    stake_min: int | None = Field(None, gt=0, le=UNITS_MAX)
    stake_max: int | None = Field(None, gt=0, le=UNITS_MAX)
    payoff_max: int | None = Field(None, gt=0, le=UNITS_MAX)


class Envy(Text):
    """The dealers' bonus when a player's wager wins."""

    clause: Clauses
    unit: Literal["currency", "multiple of the wager"]
    pays: dict[str, Annotated[int, Field(gt=0, le=UNITS_MAX)]]


class HandText(Text):
    """The shooter's hand: which totals of a come-out roll set a point, and which win for the pass line."""

    clause: Clauses
    points: Annotated[list[Annotated[int, Field(ge=2, le=12)]], Field(min_length=1)]
    naturals: Annotated[list[Annotated[int, Field(ge=2, le=12)]], Field(min_length=1)]


class TakeDownRule(Text):
    """When a player may take a bet down."""

    clause: Clauses
    when: Literal["any time", "before a point", "never"]


class Calls(Text):
    """That a player may call the bet on or off."""

    clause: Clauses


Multiple = Annotated[int, Field(ge=1, le=1_000)]


class Tied(Text):
    """The bet behind which this one is made: its life, its limit and its selection come from there."""

    clause: Clauses
    parent: str
    multiple: Multiple | dict[str, Multiple]
    """How many times the parent's stake may be bet (or won), for every point or by point."""
    measures: Literal["stake", "win"] = "stake"
    """The amount that the multiple limits: the stake, or the win on it."""


class Commission(Text):
    """The house's commission on a bet at true odds."""

    clause: Clauses
    percent: int = Field(ge=1, le=100)
    """How much, in percent."""
    of: Literal["bet", "win"]
    """Its base: the stake, or the win."""
    charged: Literal["on a win", "when bet"]
    """When it is taken: from a win, or with the bet."""


SELECTIONS_MAX = 1000
"""The largest packaged family has 28; a layout with more than these could not be drawn."""

Seven = Literal["any seven", "seven-out"]
HandPhase = Literal["come-out", "point", "any roll"]
PerCase = str | list[str] | dict[str, Any]
"""One text for all cases, or one for each pay table (a list), selection or row (by name), in any nesting."""


class WagerText(Text):
    """A wager, or a family of them that differ by selection."""

    name: Label
    clause: Clauses
    group: str | None = None
    family: Literal["pattern", "collect", "repeat", "count", "phases"] = "pattern"
    selections: list[str] = Field([], max_length=SELECTIONS_MAX)
    clause_of: dict[str, Clauses] = {}
    """Clauses of single selections; they come before those of the family."""
    wins: str | dict[str, str] | None = None
    parts: list[str] | None = None
    """The wagers among which a stake is divided equally, in the place of `wins`."""
    collects: list[Annotated[int, Field(ge=2, le=12)] | str] | None = None
    """Totals, or conditions on the dice."""
    collected: Literal["each roll", "points made"] = "each roll"
    """Whether each roll marks its number, or only a point that the shooter makes."""
    repeats: dict[str, Repetition] | None = Field(None, max_length=SELECTIONS_MAX)
    counts: Literal["points made", "pass line wins", "rolls"] | None = None
    rows: dict[str, str] | None = None
    loses_on: Seven | None = None
    phases: dict[HandPhase, dict[str, str]] | None = None
    """By phase of the hand, the rows and when they are reached; the bet is off in a phase that is not named."""
    own_point: bool = False
    """Whether the bet has its own hand, which begins with its first roll."""
    tied: Tied | None = None
    commission: Commission | None = None
    take_down: TakeDownRule | None = None
    calls: Calls | None = None
    after_win: Literal["wait for a seven", "open again", "stays up"] = "wait for a seven"
    after_win_clause: Names = []
    """The clauses on what follows a win, where the text has any."""
    pays: PerCase | None = None
    """The pay of each row; omitted with `parts`."""
    pays_clause: PerCase
    window: Window | None = None
    limits: StakeLimits | None = None
    envy: Envy | None = None


class Choice(Text):
    """One of several ways, and what it changes in the book."""

    says: BookText
    set: Annotated[dict[str, Any], AfterValidator(deepcopy)] = {}
    """Keys of the book, with what they become."""
    as_printed: bool = False
    """Whether it takes a damaged place as it is printed."""


class Reading(Text):
    """A reading of a damaged or ambiguous passage."""

    name: BookText = BookText("")
    """Its name on pages; by default its id."""
    clause: Clauses
    printed: BookText
    """The printed passage."""
    default: str
    choices: Annotated[dict[str, Choice], Field(min_length=1)]
    why: BookText
    """Why the default is the default."""


class Option(Text):
    """A choice that the text leaves to the house."""

    name: BookText = BookText("")
    """Its name on pages; by default its id."""
    clause: Clauses
    says: BookText
    default: str
    choices: Annotated[dict[str, Choice], Field(min_length=2)]


class NeedsBet(Text):
    """A bet that the shooter must have."""

    clause: Clauses
    wagers: list[str] = []
    """One of these; none where the shooter needs no bet."""


class Step(Text):
    """One step of a procedure: who does what, and what is said."""

    id: str
    act: Literal[
        "inspect",
        "open betting",
        "take bets",
        "shake",
        "close betting",
        "press deal",
        "reveal",
        "check dice",
        "announce dice",
        "reset",
        "enter dice",
        "illuminate",
        "collect losers",
        "pay winners",
        "cover",
        "clear",
        "confirm bet",
        "place tip",
        "roll",
        "mark",
        "remove lammers",
        "re-bet",
    ]
    clause: Clauses
    says: BookText
    who: Annotated[list[str], Field(min_length=1)]
    who_clause: Annotated[list[str] | None, BeforeValidator(_listed)] = None
    """The clauses that name who takes the step, where these are not all of `clause`; none if the text names nobody."""
    announce: BookText | None = None
    """The words to be spoken."""
    shaker: Shaker | None = None
    at_least: int | None = Field(None, ge=1)
    """How many times at least."""
    directed_by: list[str] = []
    """The roles that direct it."""
    after: list[str] = []
    """The steps that must have been done before this one; those of a shaker that is not in use do not count."""
    tip_limits: Literal["apart", "together"] = "apart"
    """Whether a tip has a wager's limits and cap for itself, or shares them with the player's own bet."""
    only_after: str | None = None
    """The irregularity after which the step is needed; in rounds in which it was not called the step is left out."""
    passing: Clauses | None = None
    """Of a roll: the clauses on who gets the dice; None where the text is silent."""
    needs_bet: NeedsBet | None = None
    """Of a roll: the bet without which nobody shoots a come-out roll."""

    @property
    def clauses_on_who(self) -> list[str]:
        """The clauses that name who takes it."""
        return self.clause if self.who_clause is None else self.who_clause


class Procedure(Text):
    """The steps before a table opens, and those of every round or roll, in the text's own order."""

    opening: list[Step] = []
    round: Annotated[list[Step], Field(min_length=1)]


class Life(Text):
    """How long an item may be used, by the shaker it is in."""

    clause: Clauses
    shaker: Shaker | Literal["any"]
    length: int = Field(gt=0)
    unit: Literal["hours", "months"]
    counted_from: BookText


class Requirement(Text):
    """A requirement on equipment."""

    clause: Clauses
    says: BookText
    shaker: Shaker | None = None
    """The shaker with which it applies; None: with every one."""
    group: str | None = None
    """The group of wagers for which it is needed; None: whatever is offered."""
    approval: bool = False
    """Whether an authority's approval is needed, whose reference and date can be recorded with the check."""
    displays: Literal["pays"] | None = None
    """The content that it shows to players: when it changes, the check is due again."""


class Equipment(Text):
    """An item on or at the table."""

    name: Label
    kind: Literal["dice", "shaker", "device", "layout", "box", "sign", "chips", "lammers"]
    clause: Clauses
    says: BookText
    count: int | None = Field(None, ge=1)
    shaker: Shaker | None = None
    keeper: Names = []
    """The roles responsible for it, if the book names them."""
    keeper_clause: Names = []
    """The clauses that say so; by default those of the item itself."""
    life: list[Life] = []
    checklist: bool = False
    """Whether its requirements are checked, point by point, before play."""
    requires: list[Requirement] = []


class Inspection(Text):
    """A test of equipment: by whom, when and how."""

    id: str
    equipment: str
    """The id of the equipment."""
    clause: Clauses
    says: BookText
    when: Literal["before opening", "each shift"]
    who: Annotated[list[str], Field(min_length=1)]
    who_clause: Annotated[list[str] | None, BeforeValidator(_listed)] = None
    """The clauses that name who inspects, where these are not all of `clause`."""
    or_above: bool = False
    """Whether a more senior position may do it too."""
    how: Literal["enter three values", "operate"]
    times: int = Field(ge=1)
    shaker: Shaker | None = None

    @property
    def clauses_on_who(self) -> list[str]:
        """The clauses that name who inspects."""
        return self.clause if self.who_clause is None else self.who_clause


Remedy = Literal[
    "return wagers",
    "wagers stand",
    "void and return",
    "settle by the dice, then cease",
    "settle by the dice",
    "outcome stands",
    "refuse",
    "wager stays live",
    "settle once, then return",
    "settle to the maximum",
    "stays settled",
    "withdraw all or stay",
    "finish the round",
    "betting resumes",
    "supervisor decides",
    "refer",
    "replace equipment",
    "re-roll",
]


class Irregularity(Text):
    """An irregularity: when it can occur, who may call it, and its remedy."""

    name: Label
    clause: Clauses
    says: BookText
    when: Annotated[list[Phase], Field(min_length=1)]
    """The phases of a round in which it can be called."""
    until: Literal["collect losers", "pay winners"] | None = None
    """The act of a round from which on it can no longer be called."""
    called_by: Annotated[list[str], Field(min_length=1)]
    who_clause: Names = []
    """The clauses that name who calls it, where the text names anyone."""
    reading: str | None = None
    """The reading that provides for it, where no clause does."""
    remedy: Remedy
    announce: BookText | None = None
    presence: list[str] = []
    or_above: bool = False
    """Whether a more senior position may do it too."""
    shaker: Shaker | None = None
    equipment: str | None = None
    cease_until: BookText | None = None
    put_away: list[Literal["removed", "covered", "sign"]] = []
    """How an automated shaker may be put out of use."""


class Role(Text):
    """A position at the table, the higher the rank the more senior."""

    name: Label
    rank: int = Field(ge=0)
    clause: Clauses


class Ranks(Text):
    """Whether a more senior person may act in a position's place."""

    acting: Literal["the position named", "or above where stated", "any higher position"]
    clause: Clauses


class FeltBand(Text):
    """How a row of a felt is drawn."""

    draws: Literal["line", "boxes", "edge"] = "line"
    """Areas side by side; a box for each selection, with the areas of that selection in it; or a line whose first area
    continues along the left side of the felt."""
    height: Annotated[int, Field(ge=1, le=4)] = 1
    """How many lines high it is; boxes are as high as their areas need."""
    titles: dict[str, Label] = {}
    """The title printed on a box, by selection; by default, the selection itself."""


class Block(Text):
    """A part of the layout: rows of areas, drawn in this order."""

    id: str
    name: Label
    shape: Literal["grid", "arc", "track", "columns", "felt"]
    rows: Annotated[list[list[str]], Field(min_length=1)]
    """Ids of wagers, row by row; one that is withheld is not drawn as an area."""
    clause: Clauses
    note: Label | None = None
    bands: list[FeltBand] = []
    """Of a felt: how each of its rows is drawn."""
    folded: bool = False
    """Whether the block is closed until it is asked for, on a wide screen."""


class Layout(Text):
    """The positions of the areas."""

    blocks: Annotated[list[Block], Field(min_length=1)]


class Clause(Text):
    """An entry of the register: how this software treats a clause."""

    says: BookText
    kind: Literal["modelled", "physical", "definition"]
    by: list[str] = []
    """The keys of the book that model it."""


class Forbids(Text):
    """Which clauses forbid what a table refuses. Where a key is missing the text is silent, and it is house policy."""

    wagers: Clauses | None = None
    """A wager that the text does not list."""
    selections: dict[str, Clauses] = {}
    """A selection that the text does not list, by family; where a family is missing, `wagers` holds."""
    groups: Clauses | None = None
    """A wager of a group that the licensee does not offer, and a table without any group."""
    stakes: Clauses | None = None
    """A stake outside the limits that the licensee has set."""
    cash: Clauses | None = None
    """Cash by word of mouth in the place of chips."""
    late_bets: Clauses | None = None
    """A wager placed or raised after betting has closed."""
    late_changes: Clauses | None = None
    """A wager moved or withdrawn after betting has closed."""
    dice: Clauses | None = None
    """Another number of dice."""
    faces: Clauses | None = None
    """A number that is on no side of a die."""
    loose_dice: Clauses | None = None
    """Dice that are not sealed or locked inside the shaker."""


class Excludes(Text):
    """Wagers that the text itself does not offer, always or under an option; an extending book cannot offer them."""

    wagers: list[str]
    """By id or by family."""
    clause: Clauses


class Offer(Text):
    """Which wagers a licensee leaves out."""

    leaves_out: list[str] = []
