"""Schemas of figures: the shape of `pitbook analyse --json`, each fraction with its decimal value."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from pitbook.rulebooks.text import Label
from pitbook.server.schemas.books import BookId, Digest
from pitbook.server.schemas.wagers import Clauses, Figure, PaytableName, Printed, WagerId


class EndFigures(Struct, frozen=True):
    """One way in which a wager ends."""

    row: Annotated[str, Meta(examples=["win"])]
    pays: Printed
    probability: Figure


class EnvyFigures(Struct, frozen=True, omit_defaults=True):
    """The cost of the dealers' bonus to the house."""

    pays: int
    unit: Literal["currency", "multiple of the wager"]
    house_edge_after_envy_at_stake_1: Figure
    cost_times_stake: Annotated[
        Figure | UnsetType, Meta(description="A separate sum: divide by the stake, in units of the currency.")
    ] = UNSET
    cost: Annotated[Figure | UnsetType, Meta(description="Of a multiple of the wager.")] = UNSET


class HoldBand(Struct, frozen=True):
    """The band of the hold after a number of decisions, by a normal distribution."""

    rounds: int
    confidence: Annotated[int, Meta(description="In per cent.", examples=[95])]
    low: float
    high: float


class WagerFigures(Struct, frozen=True):
    """The exact figures of one wager under one pay table, per unit staked."""

    wager: WagerId
    paytable: PaytableName
    readings: Annotated[dict[str, str], Meta(description="The readings that matter to it, and their choices.")]
    ends: list[EndFigures]
    win_probability: Annotated[Figure, Meta(description="The chance to gain.")]
    push_probability: Annotated[Figure, Meta(description="The chance to get the stake back and nothing else.")]
    house_edge: Annotated[Figure, Meta(description="What the house gains on average for each unit staked.")]
    edge_per_resolved: Annotated[Figure, Meta(description="The same for each unit of the bets that are not pushed.")]
    returned: Annotated[Figure, Meta(description="What comes back on average.")] = msgspec.field(name="return")
    variance: Figure
    standard_deviation: float
    skewness: float
    expected_rolls: Annotated[Figure, Meta(description="How many rolls it takes on average.")]
    rolls_variance: Figure
    edge_per_roll: Annotated[Figure, Meta(description="The house edge divided by the expected rolls.")]
    break_even: Annotated[
        dict[str, Figure], Meta(description="By winning row: odds to one at which the edge would be nothing.")
    ]
    clauses: Clauses
    hit_frequency: Annotated[Figure, Meta(description="How often it gains anything.")]
    volatility_index: Annotated[float, Meta(description="The standard deviation times 1.645.")]
    hold_bands: Annotated[list[HoldBand], Meta(description="Where the hold lies after so many decisions.")]
    envy: EnvyFigures | UnsetType = UNSET


class BookFigures(Struct, frozen=True):
    """The figures of a book's wagers."""

    book: BookId
    digest: Digest
    wagers: list[WagerFigures]


class TriedRow(Struct, frozen=True):
    """One row of a wager with other odds than the book's."""

    row: str
    pays: Printed
    printed: Annotated[str, Meta(description="What the book pays.", examples=["60 to 1"])]
    more: Annotated[Figure, Meta(description="How much more to one than the book pays; negative: less.")]
    asked: Annotated[str, Meta(description="What the regulator's text asks for: a minimum, or the very odds.")]
    keeps: Annotated[bool, Meta(description="Whether these odds keep to that.")]
    clause: Annotated[str, Meta(examples=["4(b)"])]


class Tried(Struct, frozen=True):
    """A wager with other odds, beside what the book pays."""

    figures: WagerFigures
    rows: Annotated[list[TriedRow], Meta(description="The rows with other odds; empty where none was given.")]
    house_edge_printed: Annotated[Figure, Meta(description="The house edge with the book's own pays.")]
    house_edge_change: Annotated[Figure, Meta(description="These odds' edge less the book's.")]
    keeps: Annotated[bool, Meta(description="Whether all its rows keep to the text.")]


class TriedBook(Struct, frozen=True):
    """The effect of other pays on a book."""

    book: BookId
    digest: Digest
    basis: Annotated[Literal["minimum", "fixed"], Meta(description="Whether the text's pays are a minimum.")]
    keeps: Annotated[bool, Meta(description="Whether all these pays keep to the text.")]
    wagers: list[Tried]


class DesignStep(Struct, frozen=True):
    """The effect of one more, or one less, to one on a row."""

    row: str
    pays: Printed
    house_edge: Figure


class DesignProof(Struct, frozen=True):
    """Why no pay table comes closer."""

    reason: Annotated[
        Literal["met", "neighbours", "lattice", "all"],
        Meta(
            description="`met`: the targets are met. `neighbours`: no odds lie between the two next to the exact pay. "
            "`lattice`: no edge that such odds can have is closer. `all`: all that could be closer were compared."
        ),
    ]
    examined: Annotated[int, Meta(description="How many pay tables lie between the odds named.")]
    steps: Annotated[int, Meta(description="Steps of odds from the exact pays; none with fewer does as well.")]
    met: Annotated[bool, Meta(description="Whether the targets are met within their tolerance.")]
    rising: Annotated[bool, Meta(description="Whether only ladders count that never fall from row to row.")]
    denominators: Annotated[int, Meta(description="Odds are x to y, with y up to this.")]
    edge_step: Annotated[str, Meta(description="All house edges of such odds are multiples of this apart.")]
    between: Annotated[dict[str, list[str]], Meta(description="By row: the least and the greatest odds examined.")]
    hit_frequencies: Annotated[
        dict[str, str], Meta(description="By row: the hit frequency if it is the lowest to pay.")
    ]
    says: str


class Designed(Struct, frozen=True):
    """A pay, or a ladder of pays, in whole odds, close to a house edge."""

    book: BookId
    wager: WagerId
    paytable: PaytableName
    target_edge: Figure
    house_edge_now: Figure
    house_edge: Figure
    off_by: Annotated[Figure, Meta(description="The proposal's edge less the target.")]
    pays: dict[str, Printed]
    steps: list[DesignStep]
    below_minimum: Annotated[list[str], Meta(description="Rows that would pay less than the text asks for.")]
    hit_frequency: Figure
    variance: Figure
    proof: DesignProof


class LintFinding(Struct, frozen=True):
    """Something questionable about a book's pays."""

    severity: Literal["error", "warning", "note"]
    rule: Annotated[str, Meta(examples=["player-edge"])]
    wager: str | None
    paytable: PaytableName
    says: str
    clauses: Clauses
    suspects: Annotated[list[str], Meta(description="Readings in force that are not the default: ID=CHOICE.")]


class Linted(Struct, frozen=True):
    """Findings about a book's pays, worst first."""

    book: BookId
    findings: list[LintFinding]


class ComparedWager(Struct, frozen=True):
    """A bet as one book offers it."""

    wager: WagerId
    paytable: PaytableName
    pays: list[Printed]
    win_probability: Figure
    house_edge: Figure


class ComparedBet(Struct, frozen=True):
    """One bet, in each book that offers it."""

    bet: Annotated[str, Meta(description="As the first book names it.", examples=["Small"])]
    name: Label
    found: Annotated[dict[str, list[ComparedWager]], Meta(description="By book id.")] = msgspec.field(name="in")


class AloneBets(Struct, frozen=True):
    """A bet, or a whole family of bets, that no other book of a comparison offers."""

    first: Annotated[Label, Meta(description="The bet, or the first bet of a family.")]
    last: Annotated[Label | None, Meta(description="The last bet of a family; null for a single bet.")]
    count: Annotated[int, Meta(description="How many bets there are.")]


class Compared(Struct, frozen=True):
    """The same bets under different books or pay tables."""

    books: list[str]
    bets: list[ComparedBet]
    only_in: Annotated[
        dict[str, list[str]],
        Meta(description="By book id, what no other book offers; a family that is left out as a whole is named once."),
    ]
    alone: Annotated[dict[str, list[AloneBets]], Meta(description="The same by name.")]
