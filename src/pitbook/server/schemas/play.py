"""Schemas of bets, rolls and settlements: the shapes of `settle`, `spread` and `illuminate`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from pitbook.rulebooks.text import Label
from pitbook.server.schemas.books import BookId
from pitbook.server.schemas.wagers import Clauses, Figure, PaytableName, Printed, WagerId

BETS_MAX = 120
ROLLS_MAX = 200
RULES_MAX = 20
CHOICES_MAX = 64
TRIALS_MAX = 400
STAKE_MAX = 10**12

Result = Literal["win", "lose", "push", "running", "taken-down"]
Short = Annotated[str, Meta(max_length=120)]
Word = Annotated[str, Meta(max_length=400)]
Choices = Annotated[
    dict[Short, Word],
    Meta(max_length=CHOICES_MAX, description="By name.", examples=[{}]),
]
Stake = Annotated[int, Meta(ge=1, le=STAKE_MAX, description="In minor units of the book's currency.", examples=[500])]
Face = Annotated[int, Meta(ge=1, le=6)]
Dice = Annotated[list[Face], Meta(min_length=1, max_length=3, description="One roll.", examples=[[1, 2, 3]])]
Paytables = Annotated[
    dict[Short, Short],
    Meta(
        max_length=TRIALS_MAX,
        description="Pay tables by wager, family or group; `*` for all wagers that have it.",
        examples=[{}],
    ),
]
TriedOdds = Annotated[str, Meta(max_length=60, examples=["34 to 1"])]


class Under(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The readings and options of a query to a book."""

    readings: Choices = field(default_factory=dict)
    options: Choices = field(default_factory=dict)
    digest: Annotated[Short | None, Meta(description="That very content of the book, as a table recorded it.")] = None


class WhatIf(Under, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Other pays to try; without any, the book's own figures."""

    wagers: Annotated[
        list[WagerId], Meta(max_length=TRIALS_MAX, description="Ids or families; all those with other pays, or all.")
    ] = field(default_factory=list)
    paytables: Paytables = field(default_factory=dict)
    pays: Annotated[
        dict[
            Short,
            TriedOdds | Annotated[dict[Short, TriedOdds], Meta(max_length=120)],
        ],
        Meta(
            max_length=TRIALS_MAX,
            description="By wager or family: odds, or odds by row where several rows win.",
            examples=[{"total/4": "64 to 1"}],
        ),
    ] = field(default_factory=dict)


class Target(Under, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house edge that a wager's pays should come close to."""

    wager: WagerId
    target_edge: Annotated[str, Meta(max_length=60, description="A share.", examples=["8%"])]
    paytable: Annotated[Short | None, Meta(description="The pay table to start from.")] = None
    hit_frequency: Annotated[Short | None, Meta(description="A share: how often it should gain.")] = None
    variance: Annotated[Annotated[float, Meta(gt=0, le=1e9)] | None, Meta(description="Of the gain on one unit.")] = (
        None
    )
    denominators: Annotated[int, Meta(ge=1, le=100, description="Odds are x to y, with y up to this.")] = 1
    rising: Annotated[bool, Meta(description="Whether only ladders count that never fall from row to row.")] = True


class SpreadBet(Struct, frozen=True, forbid_unknown_fields=True):
    """A stake on a wager, on every round."""

    wager: WagerId
    stake: Stake


class SpreadAsked(Under, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Several wagers on the same rolls, round after round."""

    bets: Annotated[list[SpreadBet], Meta(min_length=1, max_length=BETS_MAX)]
    rounds: Annotated[
        list[Annotated[int, Meta(ge=1, le=100_000)]],
        Meta(max_length=8, description="Also the result after so many rounds.", examples=[[100]]),
    ] = field(default_factory=list)
    bins: Annotated[int, Meta(ge=1, le=200, description="Into how many parts the results are counted.")] = 60
    paytables: Paytables = field(default_factory=dict)


class Net(Struct, frozen=True):
    """A result of one round."""

    net: Annotated[int, Meta(description="What the player gains, in minor units.")]
    probability: Figure


class StrategyRule(Struct, frozen=True, forbid_unknown_fields=True):
    """A bet of a craps strategy: made whenever the book allows it and fewer than `at_once` are up."""

    wager: Annotated[Short, Meta(description="A wager's id, or a family: then each of its selections.")]
    stake: Annotated[Stake | Literal["most"], Meta(description="`most`: all that the rule on odds allows.")]
    at_once: Annotated[int, Meta(ge=1, le=10, description="How many may be on the layout at once.")] = 1
    not_on_point: Annotated[bool, Meta(description="Whether a number is left out while it is the point.")] = False
    on: Annotated[Literal["come-out", "point", "any roll"], Meta(description="On which rolls it is made.")] = "any roll"


class StrategyInfo(Struct, frozen=True):
    """A way to play craps that comes with the software."""

    strategy: Annotated[str, Meta(examples=["pass-and-odds"])]
    name: Label
    rules: list[StrategyRule]


class Strategies(Struct, frozen=True):
    """The strategies that can be played by a book."""

    book: BookId
    strategies: list[StrategyInfo]


class SessionAsked(Under, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same bets round after round, or a craps strategy roll after roll, from a bankroll."""

    bets: Annotated[list[SpreadBet], Meta(max_length=BETS_MAX)] = field(default_factory=list)
    rules: Annotated[list[StrategyRule], Meta(max_length=RULES_MAX, description="A strategy, in place of bets.")] = (
        field(default_factory=list)
    )
    bankroll: Annotated[Stake, Meta(description="The player's bankroll, in minor units.")]
    rounds: Annotated[
        int,
        Meta(
            ge=1,
            le=2_000,
            description="A round ends with the last of the bets; a round of a strategy is one roll.",
            examples=[100],
        ),
    ]
    bins: Annotated[int, Meta(ge=1, le=200, description="Into how many parts the results are counted.")] = 60
    paytables: Paytables = field(default_factory=dict)


class Chance(Struct, frozen=True):
    """A chance: exact where that is cheap, otherwise with a certified error beside it."""

    value: float
    exact: str | None


class Bin(Struct, frozen=True):
    """Results from `low` to `high`, both included."""

    low: int
    high: int
    probability: float


class AfterRounds(Struct, frozen=True):
    """The result after many rounds."""

    rounds: int
    method: Literal["exact", "certified"]
    error: Annotated[float, Meta(description="No chance is off by more than this.")]
    ahead: Chance
    even: Chance
    behind: Chance
    percentiles: Annotated[dict[str, int], Meta(description="The result that so many per cent do not exceed.")]
    bins: Annotated[list[Bin], Meta(description="The distribution in equal parts.")]


class SessionFound(Struct, frozen=True):
    """The development of a bankroll, in minor units."""

    book: BookId
    stake: Annotated[int | None, Meta(description="The bets of a round; null of a strategy.")]
    bankroll: int
    rounds: int
    method: Literal["exact", "certified"]
    error: Annotated[float, Meta(description="No chance is off by more than this.")]
    mean: Chance
    standard_deviation: float
    ahead: Chance
    ruined: Annotated[Chance, Meta(description="That the money no longer covers the bets.")]
    expected_rounds: Annotated[Chance, Meta(description="How many rounds are played on average.")]
    percentiles: Annotated[dict[str, int], Meta(description="The result that so many per cent do not exceed.")]
    bins: Annotated[list[Bin], Meta(description="The distribution of the net result in equal parts.")]
    ruined_by: Annotated[list[float], Meta(description="The chance of ruin after 1, 2, 3 … rounds.")]


class SpreadFound(Struct, frozen=True):
    """The joint result of several wagers."""

    book: BookId
    stakes: dict[str, int]
    stake: int
    nets: list[Net]
    win_probability: Figure
    house_edge: Figure
    variance: Figure
    standard_deviation: float
    rounds: list[AfterRounds]


class BetAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A stake on a wager."""

    wager: WagerId
    stake: Stake
    before_roll: Annotated[
        int, Meta(ge=1, le=ROLLS_MAX + 1, description="The number of the roll before which it is made.")
    ] = 1
    paytable: Short | None = None


class ActAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Something done at craps to every standing bet on a wager before a roll."""

    what: Annotated[
        Literal["take down", "on", "off"], Meta(description="Whether the bets are taken down, or called on or off.")
    ]
    wager: WagerId
    before_roll: Annotated[
        int, Meta(ge=1, le=ROLLS_MAX + 1, description="The number of the roll before which it is done.")
    ]


class SettleAsked(Under, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bets, and the rolls that decide them: craps from a new shooter's come-out, Sic Bo throw by throw."""

    bets: Annotated[list[BetAsked], Meta(min_length=1, max_length=BETS_MAX)]
    rolls: Annotated[list[Dice], Meta(min_length=1, max_length=ROLLS_MAX)]
    acts: Annotated[
        list[ActAsked], Meta(max_length=BETS_MAX, description="Bets taken down, and called on or off, in between.")
    ] = []


class OutcomeInfo(Struct, frozen=True):
    """The outcome of a bet."""

    wager: WagerId
    stake: int
    paytable: PaytableName
    before_roll: int
    result: Result
    row: Annotated[str | None, Meta(description="The row that it reached last.")]
    pays: Annotated[str | None, Meta(description="The odds it was paid.", examples=["34 to 1"])]
    net: Annotated[int, Meta(description="What the player has gained, in minor units, without a running stake.")]
    decided_by_roll: int | None
    clause: Clauses
    chance: Annotated[Figure | UnsetType, Meta(description="Of a running bet: its chance to win yet.")] = UNSET
    wins: Annotated[int | UnsetType, Meta(description="How often it has won and stayed up.")] = UNSET
    taken_down_before_roll: Annotated[
        int | UnsetType, Meta(description="The number of the roll before which it was taken down.")
    ] = UNSET
    point: Annotated[int | UnsetType, Meta(description="Of a running bet: its point.")] = UNSET
    called: Annotated[
        Literal["on", "off"] | UnsetType, Meta(description="Of a running bet: whether it was called on or off.")
    ] = UNSET
    capped: Annotated[int | UnsetType, Meta(description="What a payoff cap took off.")] = UNSET
    rounding: Annotated[Figure | UnsetType, Meta(description="What rounding added, in minor units.")] = UNSET
    dealers_get: Annotated[int | UnsetType, Meta(description="What the house pays the dealers.")] = UNSET


class Settled(Struct, frozen=True):
    """The result of bets."""

    book: BookId
    wagers: list[OutcomeInfo]
    net: int
    hand: Annotated[str | None, Meta(description="The shooter's hand after the last roll, in craps.")]
    lammers: Annotated[dict[str, dict[str, Any]], Meta(description="The lammers on each area after the last roll.")]


class LightAsked(Under, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Dice to be shown on the layout."""

    dice: Dice
    before: Annotated[list[Dice], Meta(max_length=ROLLS_MAX, description="The rolls before, from a clear layout.")] = (
        field(default_factory=list)
    )
    paytables: Paytables = field(default_factory=dict)


class LitArea(Struct, frozen=True):
    """An area that wins."""

    wager: WagerId
    name: Label
    row: str
    pays: Printed


class Lit(Struct, frozen=True):
    """The areas that win on these dice."""

    book: BookId
    dice: Annotated[list[int], Meta(description="In ascending order: dice have no identity.")]
    total: int
    wins: Annotated[list[str], Meta(description="Ids of the winning areas, in the book's order.")]
    areas: list[LitArea]
