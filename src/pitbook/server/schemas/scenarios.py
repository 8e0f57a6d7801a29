"""Schemas of scenarios: from the form or as TOML, and their errors."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from pitbook.server.http.bodies import RequestBody
from pitbook.server.http.problems import InvalidField
from pitbook.server.schemas.tables import Name
from pitbook.simulation.validation import ScenarioErrorKind  # noqa: TC001 - msgspec reads it

TOML_MAX = 200_000
Amount = int | Annotated[str, msgspec.Meta(max_length=40)] | None
"""Whole units of the currency, or a text like 2.50."""
Number = float | Annotated[str, msgspec.Meta(max_length=40)] | None
"""A text is input that is not a number; the check reports it at its place."""
Count = int | Annotated[str, msgspec.Meta(max_length=40)] | None
Word = Annotated[str, msgspec.Meta(max_length=200)]
Words = Annotated[dict[Word, Word], msgspec.Meta(max_length=200)]


class LimitForm(RequestBody, frozen=True, omit_defaults=True):
    """The house's own limits for a wager."""

    least: Amount = None
    greatest: Amount = None


class BetForm(RequestBody, frozen=True, omit_defaults=True):
    """A plan for one wager."""

    wager: Word
    plan: Word | None = None
    """flat (default), list, until won or progression."""
    stake: Amount = None
    stakes: Annotated[list[Amount], msgspec.Meta(max_length=1000)] | None = None
    factor: Number = None
    limit: Amount = None
    after: Word | None = None
    """loss (default) or win: when a progression goes up."""


class PlayersForm(RequestBody, frozen=True, omit_defaults=True):
    """A group of equal players."""

    name: Word | None = None
    count: Count = None
    bankroll: Amount = None
    stop_loss: Amount = None
    stop_win: Amount = None
    bets: Annotated[list[BetForm], msgspec.Meta(max_length=100)] | None = None


class ScenarioForm(RequestBody, frozen=True, omit_defaults=True):
    """A scenario as a form: the keys of the file; fields that are left out are not in the file."""

    book: Word
    seed: Count = None
    nights: Count = None
    hours: Number = None
    rolls_per_hour: Number = None
    tables: Count = None
    readings: Words | None = None
    options: Words | None = None
    paytables: Words | None = None
    limits: Annotated[dict[Word, LimitForm], msgspec.Meta(max_length=200)] | None = None
    players: Annotated[list[PlayersForm], msgspec.Meta(max_length=1000)] | None = None


class ScenarioRequest(RequestBody, frozen=True):
    """A scenario: the text of its file, or a form; exactly one of the two."""

    toml: Annotated[str, msgspec.Meta(max_length=TOML_MAX, description="the text of a scenario file")] | None = None
    composed: ScenarioForm | None = None


class ScenarioSize(msgspec.Struct, frozen=True):
    """The size of a scenario."""

    book: str
    title: Name
    """The book's title."""
    players: int
    groups: int
    nights: int
    hours: float
    tables: int
    rolls_per_hour: float
    seed: int


class ScenarioErrorInfo(InvalidField, frozen=True):
    """An error in a scenario."""

    kind: ScenarioErrorKind = "file"


class ScenarioCheck(msgspec.Struct, frozen=True):
    """A scenario as it was understood."""

    toml: str
    problems: list[ScenarioErrorInfo]
    """Everything that is wrong with it, each at its key, as in `players[2].bets[1].stake`; empty if it can be run."""
    size: ScenarioSize | None = None
    """None if there are errors."""
    composed: ScenarioForm | None = None
    """The scenario as a form; None if the file cannot be read."""


class Example(msgspec.Struct, frozen=True):
    """An example scenario."""

    name: Literal["quiet", "doubling", "full"]
    composed: ScenarioForm


class Examples(msgspec.Struct, frozen=True):
    """Scenarios made for one book."""

    book: str
    examples: list[Example]
