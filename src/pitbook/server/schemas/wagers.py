"""Schemas of a wager: names, rows and pays; the shape of `pitbook wagers --json`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from pitbook.rulebooks.text import Commission, Label, StakeLimits, Window

Clauses = Annotated[list[str], Meta(description="Clauses of the text.", examples=[["4(b)"]])]
WagerId = Annotated[
    str, Meta(description="A wager's id: a family, or a family and a selection.", examples=["total/4"], max_length=120)
]
PaytableName = Annotated[
    str | None, Meta(description="The pay table's name; null where the book has one without a name.", examples=["PT1"])
]
Printed = Annotated[str, Meta(description="Odds as the book words them.", examples=["34 to 1"])]


class Figure(Struct, frozen=True):
    """A number: exact, and as a floating-point value."""

    exact: Annotated[str, Meta(description="A fraction in lowest terms, or a whole number.", examples=["1/36"])]
    value: Annotated[float, Meta(examples=[0.027777777777777776])]


class PayTable(Struct, frozen=True):
    """The pays of a wager's rows under one pay table."""

    paytable: PaytableName
    pays: Annotated[dict[str, Printed], Meta(description="By row, as the book words it.")]
    gains: Annotated[
        dict[str, Figure], Meta(description="By row: what the player gains for one unit staked; -1 is a loss.")
    ]
    clauses: Annotated[dict[str, str], Meta(description="By row: the clause that sets it.")]


class Picture(Struct, frozen=True):
    """The picture on an area of the layout; fields that do not apply are empty."""

    dice: Annotated[list[int], Meta(description="Faces to draw.", examples=[[1, 1, 3]])]
    choose: Annotated[int | None, Meta(description="So many of these dice will do; null: all.")]
    total: Annotated[int | None, Meta(description="The one total that wins.")]
    low: Annotated[int | None, Meta(description="The least total that wins.")]
    high: Annotated[int | None, Meta(description="The highest total that wins.")]
    numbers: Annotated[
        list[int], Meta(description="Totals that win, if there are several, or that a wager over several rolls needs.")
    ]
    times: Annotated[int | None, Meta(description="How often one of them must come.")]
    parity: Annotated[Literal["odd", "even"] | None, Meta(description="Which totals win, where that decides.")]
    bars: Annotated[list[int], Meta(description="Faces of the come-out roll that pushes.", examples=[[6, 6]])]


class WagerEntry(Struct, frozen=True):
    """One betting area."""

    wager: WagerId
    family: Annotated[str, Meta(description="Wagers of one family differ by selection.", examples=["total"])]
    selection: Annotated[str | None, Meta(examples=["4"])]
    group: str | None
    name: Label
    picture: Picture
    decided: Annotated[
        Literal["pattern", "collect", "repeat", "count", "phases"],
        Meta(description="By one throw (pattern), or over several rolls."),
    ]
    one_roll: Annotated[bool, Meta(description="Whether the next throw decides it, whatever that shows.")]
    rows: Annotated[list[str], Meta(description="Every way in which it can end.", examples=[["win", "lose"]])]
    wins: Annotated[
        dict[str, str],
        Meta(description="By row: when it is reached, in words.", examples=[{"win": "the total is 4", "lose": "else"}]),
    ]
    paytables: Annotated[list[PayTable], Meta(description="The default first.")]
    dealers_get: Annotated[int | None, Meta(description="What the dealers get when it wins.")]
    dealers_unit: Annotated[
        Literal["currency", "multiple of the wager"] | None, Meta(description="What that is counted in.")
    ]
    window: Window | None
    limits: StakeLimits | None
    parent: Annotated[
        str | None, Meta(description="The wager behind which it is placed, as odds are.", examples=["come"])
    ]
    commission: Annotated[Commission | None, Meta(description="What the house takes; the gains have it taken off.")]
    after_win: Literal["wait for a seven", "open again", "stays up"]
    readings: Annotated[dict[str, str], Meta(description="Readings that matter to its figures, with their choices.")]
    clauses: Clauses


class WagerList(Struct, frozen=True):
    """Wagers of a book."""

    book: str
    digest: str
    wagers: list[WagerEntry]


def encode(answer: Struct) -> bytes:
    """Encode an answer as JSON; parts of a book inside it are encoded by their own model."""
    return msgspec.json.encode(answer, enc_hook=lambda part: part.model_dump(mode="json"))
