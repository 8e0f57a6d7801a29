"""A book as the API tells it: the parts of a text, each with its clause. The same shape as `pitbook show --json`."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.server.books.wire_wagers import Clauses, Label, Limits, WagerEntry, Window  # noqa: F401 - one import for routes

Digest = Annotated[
    str, Meta(description="SHA-256 over the book's data, before readings and options are chosen.", examples=["9f86d0…"])
]
BookId = Annotated[str, Meta(description="The book's id.", examples=[PACKAGED[0]])]
Shaker = Annotated[
    Literal["manual", "automated"] | None, Meta(description="Only with this kind of shaker; null: with any.")
]
Positions = Annotated[list[str], Meta(description="Ids of roles.", examples=[["dealer"]])]
OrAbove = Annotated[bool, Meta(description="Whether a more senior position may do it too.")]
Says = Annotated[str, Meta(description="What the text asks for, in a sentence of ours.")]


class BookLine(Struct, frozen=True):
    """One book of the house."""

    book: BookId
    title: str
    authority: Annotated[str, Meta(description="Who issued the text.")]
    inferred: Annotated[list[str], Meta(description="Which of these facts the text does not state itself.")]
    version: str | None
    in_force_since: date | None
    game: Annotated[str, Meta(description="sic-bo or craps.", examples=["sic-bo"])]
    dice: Annotated[int, Meta(description="How many dice are thrown.", examples=[3])]
    currency: Annotated[str, Meta(examples=["USD"])]
    wagers: Annotated[int, Meta(description="How many wagers it offers.", examples=[50])]
    clauses: Annotated[int, Meta(description="How many clauses its register has.")]
    digest: Digest
    about: str
    packaged: Annotated[bool, Meta(description="Whether it comes with the software; else it is this house's own.")]


class BookList(Struct, frozen=True):
    """All books of the house."""

    books: list[BookLine]


WhoClause = Annotated[
    list[str] | None, Meta(description="The clauses that name who does it; null: those of the step itself.")
]


class Identity(Struct, frozen=True):
    """Whose text this is, and where it stands."""

    id: BookId
    title: str
    authority: str
    game: Annotated[Literal["sic-bo", "craps"], Meta(description="The game.")]
    dice: Annotated[int, Meta(description="How many dice are thrown.", examples=[3])]
    currency: Annotated[str, Meta(examples=["USD"])]
    inferred: list[str]
    version: str | None
    in_force_since: date | None
    about: str


class OddsRule(Struct, frozen=True):
    """How binding the pays are, and how odds may be worded."""

    clause: Clauses
    basis: Annotated[
        Literal["minimum", "fixed"], Meta(description="Whether the house may pay more than the text says.")
    ]
    wording: Annotated[list[str], Meta(description="The words that odds may be printed with.", examples=[["to"]])]


class Group(Struct, frozen=True):
    """Wagers offered together, with the pay tables that the house may choose from."""

    name: Label
    clause: Clauses
    optional: Annotated[bool, Meta(description="Whether the house may leave the group out.")]
    paytables: Annotated[list[str], Meta(description="The first is the default.", examples=[["PT1", "PT2"]])]


class Choice(Struct, frozen=True):
    """One of several ways, and what it changes in the book."""

    says: str
    set: Annotated[dict[str, Any], Meta(description="Keys of the book, with what they become.")]
    as_printed: Annotated[bool, Meta(description="Whether it takes a damaged place as it is printed.")]


class Reading(Struct, frozen=True):
    """How a damaged or open place of the text is read."""

    clause: Clauses
    printed: Annotated[str, Meta(description="What the text has there.")]
    default: str
    choices: dict[str, Choice]
    why: Annotated[str, Meta(description="Why the default is the default.")]
    chosen: Annotated[str, Meta(description="The choice in force here.")]


class Option(Struct, frozen=True):
    """What the text leaves to the house."""

    clause: Clauses
    says: str
    default: str
    choices: dict[str, Choice]
    chosen: Annotated[str, Meta(description="The choice in force here.")]


class Step(Struct, frozen=True):
    """One step of a procedure: who does what, and what is said."""

    id: str
    act: Annotated[str, Meta(description="What kind of act it is.", examples=["close betting"])]
    clause: Clauses
    says: Says
    who: Positions
    who_clause: WhoClause
    announce: Annotated[str | None, Meta(description="The words to be spoken.", examples=["No more bets"])]
    shaker: Shaker
    at_least: Annotated[int | None, Meta(description="How many times at least.", examples=[3])]
    directed_by: Positions
    after: Annotated[list[str], Meta(description="Ids of the steps that must have been done before.")]
    tip_limits: Annotated[Literal["apart", "together"], Meta(description="Of tips: limits of their own, or shared.")]
    only_after: Annotated[str | None, Meta(description="The irregularity after which it is needed; null: always.")]


class Procedure(Struct, frozen=True):
    """The steps before a table opens, and those of every round or roll."""

    opening: list[Step]
    round: list[Step]


class Life(Struct, frozen=True):
    """How long a thing may be used."""

    clause: Clauses
    shaker: Literal["manual", "automated", "any"]
    length: int
    unit: Literal["hours", "months"]
    counted_from: str


class Requirement(Struct, frozen=True):
    """What equipment must be or have."""

    clause: Clauses
    says: Says
    shaker: Shaker
    group: Annotated[str | None, Meta(description="The group of wagers for which it is needed; null: all.")]
    approval: Annotated[bool, Meta(description="Whether an authority's approval is needed.")]
    displays: Annotated[Literal["pays"] | None, Meta(description="What it shows: if that changes, it is due again.")]


class Equipment(Struct, frozen=True):
    """A thing on or at the table."""

    name: Label
    kind: Annotated[str, Meta(examples=["dice"])]
    clause: Clauses
    says: Says
    count: int | None
    shaker: Shaker
    keeper: Positions
    keeper_clause: Annotated[list[str], Meta(description="The clauses on the keeper; none: those of the thing itself.")]
    life: list[Life]
    checklist: Annotated[bool, Meta(description="Whether its points are checked before play.")]
    requires: list[Requirement]


class Inspection(Struct, frozen=True):
    """Who tests which equipment when, and how."""

    id: str
    equipment: Annotated[str, Meta(description="The id of the equipment.")]
    clause: Clauses
    says: Says
    when: Literal["before opening", "each shift"]
    who: Positions
    who_clause: WhoClause
    or_above: OrAbove
    how: Literal["enter three values", "operate"]
    times: int
    shaker: Shaker


class Irregularity(Struct, frozen=True):
    """What can go wrong, when, who may call it, and what is done then."""

    name: Label
    clause: Clauses
    says: Says
    when: Annotated[list[str], Meta(description="The phases of a round in which it can be called.")]
    until: Annotated[str | None, Meta(description="The act of a round from which on it can no longer be called.")]
    called_by: Positions
    who_clause: Annotated[list[str], Meta(description="The clauses that name who calls it, if the text names anybody.")]
    reading: Annotated[str | None, Meta(description="The reading that provides for it, where no clause does.")]
    remedy: Annotated[str, Meta(description="What is done then.", examples=["void and return"])]
    announce: str | None
    presence: Positions
    or_above: OrAbove
    shaker: Shaker
    equipment: str | None
    cease_until: str | None
    put_away: list[str]


class Role(Struct, frozen=True):
    """A position at the table, the higher the rank the more senior."""

    name: Label
    rank: int
    clause: Clauses


class Ranks(Struct, frozen=True):
    """Whether a more senior person may act in a position's place."""

    acting: str
    clause: Clauses


class Block(Struct, frozen=True):
    """A part of the layout: rows of areas, drawn in this order."""

    id: str
    name: Label
    shape: Literal["grid", "arc", "track", "columns"]
    rows: Annotated[
        list[list[str]], Meta(description="Ids of wagers, row by row; one that is withheld is not drawn as an area.")
    ]
    clause: Clauses
    note: Label | None


class Layout(Struct, frozen=True):
    """Where the areas lie."""

    blocks: list[Block]


class Clause(Struct, frozen=True):
    """An entry of the register: what a clause is to this software."""

    says: str
    kind: Literal["modelled", "physical", "definition"]
    by: Annotated[list[str], Meta(description="The keys of the book that hold it.")]


class BookPage(Struct, frozen=True):
    """A whole book under its readings and house options: all that a page needs to draw it and play it."""

    book: BookId
    digest: Digest
    lang: Annotated[Literal["en", "zh"], Meta(description="The language of the words that say when a row is reached.")]
    decimals: Annotated[int, Meta(description="How many decimals the currency has: stakes are in minor units.")]
    throws: Annotated[int, Meta(description="The number of equally likely throws of the dice.", examples=[216])]
    identity: Identity
    odds: OddsRule
    groups: dict[str, Group]
    wagers: list[WagerEntry]
    withheld: Annotated[dict[str, str], Meta(description="Wagers of the book not offered here, with the reason.")]
    options: dict[str, Option]
    options_chosen: dict[str, str]
    readings: dict[str, Reading]
    procedure: Procedure
    equipment: dict[str, Equipment]
    inspections: dict[str, Inspection]
    irregularities: dict[str, Irregularity]
    roles: dict[str, Role]
    ranks: Ranks
    layout: Layout
    clauses: Annotated[dict[str, Clause], Meta(description="The register: every clause of the text.")]
