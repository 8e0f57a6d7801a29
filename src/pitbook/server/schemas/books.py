"""Schemas of a book: the parts of a text, each with its clause; the shape of `pitbook show --json`."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta, Struct
from pydantic import Field

from pitbook.rulebooks import text
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.server.schemas.wagers import WagerEntry

Digest = Annotated[
    str, Meta(description="SHA-256 over the book's data, before readings and options are chosen.", examples=["9f86d0…"])
]
BookId = Annotated[str, Meta(description="The book's id.", examples=[PACKAGED[0]])]


class BookLine(Struct, frozen=True):
    """One book of the house."""

    book: BookId
    title: text.Label
    short: Annotated[text.Label, Meta(description="A shorter name; the title where the book has none.")]
    authority: Annotated[text.Label, Meta(description="Who issued the text.")]
    inferred: Annotated[list[str], Meta(description="Which of these facts the text does not state itself.")]
    version: str | None
    in_force_since: date | None
    game: Annotated[str, Meta(description="sic-bo or craps.", examples=["sic-bo"])]
    dice: Annotated[int, Meta(description="How many dice are thrown.", examples=[3])]
    currency: Annotated[str, Meta(examples=["USD"])]
    wagers: Annotated[int, Meta(description="How many wagers it offers.", examples=[50])]
    clauses: Annotated[int, Meta(description="How many clauses its register has.")]
    digest: Digest
    about: text.Label
    packaged: Annotated[bool, Meta(description="Whether it comes with the software; else it is this house's own.")]


class BookList(Struct, frozen=True):
    """All books of the house."""

    books: list[BookLine]


class ChosenOption(text.Option):
    """A choice that the text leaves to the house, and the one in force."""

    chosen: str = Field(description="The choice in force here.")


class ChosenReading(text.Reading):
    """How a damaged or open place of the text is read, and the choice in force."""

    chosen: str = Field(description="The choice in force here.")


class BookPage(Struct, frozen=True):
    """A whole book under its readings and house options: all that a page needs to draw it and play it."""

    book: BookId
    digest: Digest
    lang: Annotated[
        Literal["en", "zh", "zh-Hans"],
        Meta(description="The language of the words that say when a row is reached, and of the reasons in `withheld`."),
    ]
    decimals: Annotated[int, Meta(description="How many decimals the currency has: stakes are in minor units.")]
    throws: Annotated[int, Meta(description="The number of equally likely throws of the dice.", examples=[216])]
    identity: text.Identity
    odds: text.OddsRule
    groups: dict[str, text.Group]
    wagers: list[WagerEntry]
    withheld: Annotated[dict[str, str], Meta(description="Wagers of the book not offered here, with the reason.")]
    options: dict[str, ChosenOption]
    options_chosen: dict[str, str]
    readings: dict[str, ChosenReading]
    procedure: text.Procedure
    equipment: dict[str, text.Equipment]
    inspections: dict[str, text.Inspection]
    irregularities: dict[str, text.Irregularity]
    roles: dict[str, text.Role]
    ranks: text.Ranks
    layout: text.Layout
    clauses: Annotated[dict[str, text.Clause], Meta(description="The register: every clause of the text.")]
