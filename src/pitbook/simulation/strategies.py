"""Craps strategies by name or from a file, and many sessions of one at once."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import Field, TypeAdapter, ValidationError

from pitbook.dice import Roll, roll_index
from pitbook.engine.strategy import Rule, Strategy, strategy_of
from pitbook.errors import InputError, correction, quoted, unknown_name
from pitbook.results import Result, Row, columns
from pitbook.rulebooks.text import Text
from pitbook.rulebooks.toml_files import read_toml

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pitbook.engine.session import Chain
    from pitbook.rulebooks.model import Rulebook

ROLLS_MAX = 10**9


class BetText(Text):
    """A bet of a strategy, as data."""

    wager: str
    stake: Annotated[int, Field(gt=0)] | Literal["most"]
    at_once: int = Field(1, ge=1, le=10)
    not_on_point: bool = False
    on: Literal["come-out", "point", "any roll"] = "any roll"


class StrategyText(Text):
    """A strategy, as data."""

    says: str
    zh: str = ""
    """`says` in Chinese."""
    bets: Annotated[list[BetText], Field(min_length=1)]


@cache
def packaged() -> dict[str, StrategyText]:
    """Return the strategies that come with the software, by name."""
    text = (resources.files("pitbook.simulation") / "strategies.toml").read_text(encoding="utf-8")
    return TypeAdapter(dict[str, StrategyText]).validate_python(tomllib.loads(text))


def read_strategy(book: Rulebook, source: str) -> tuple[StrategyText, Strategy]:
    """Return a strategy by its name, or from a .toml file with `says` and `bets`."""
    if source.endswith(".toml"):
        try:
            text = StrategyText.model_validate(read_toml(Path(source)))
        except ValidationError as wrong:
            first = wrong.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise InputError(
                "simulation.strategy-file", file=quoted(source), place=place, reason=correction(first)
            ) from None
    elif source in packaged():
        text = packaged()[source]
    else:
        raise unknown_name("strategy", source, packaged())
    rules = [
        Rule(
            bet.wager,
            bet.stake if bet.stake == "most" else book.cents(bet.stake),
            bet.at_once,
            bet.not_on_point,
            bet.on,
        )
        for bet in text.bets
    ]
    return text, strategy_of(book, rules)


@dataclass(frozen=True, eq=False, repr=False)
class Sessions(Result):
    """Many sessions of a strategy by chance, beside its exact figures; amounts in minor units."""

    chain: Chain
    rolls: int
    nets: NDArray[np.int64]
    """The net result of each session."""

    @property
    def mean(self) -> float:
        """The average net result."""
        return float(self.nets.mean())

    @property
    def ahead(self) -> float:
        """The share of sessions that gained."""
        return float((self.nets > 0).mean())

    @property
    def expected(self) -> float:
        """The exact long-run loss of a session."""
        return -float(self.chain.loss_per_roll) * self.rolls

    def percentile(self, percent: float) -> int:
        """Return the result that a percentage of the sessions did not exceed."""
        return int(np.percentile(self.nets, percent, method="inverted_cdf"))

    def __repr__(self) -> str:
        return (
            f"<{len(self.nets):,} sessions of {self.rolls} rolls: mean {self.mean:+,.0f} "
            f"({self.expected:+,.0f} exactly in the long run), ahead {self.ahead:.2%}>"
        )

    def rows(self) -> list[Row]:
        """Return one row for each net result that came."""
        found, counts = np.unique(self.nets, return_counts=True)
        return [{"net": net, "count": count} for net, count in zip(found.tolist(), counts.tolist(), strict=True)]

    def picture(self) -> str:
        """Return how many sessions had each net result as columns."""
        return columns({row["net"]: float(row["count"]) for row in self.rows()}, "sessions with each net result")


def play_sessions(chain: Chain, sessions: int, rolls: int, seed: int) -> NDArray[np.int64]:
    """Return the net result of many sessions of a number of rolls each, in minor units, whatever the bankroll."""
    if sessions < 1 or rolls < 1 or sessions * rolls > ROLLS_MAX:
        raise InputError("simulation.sessions", sessions=f"{sessions:,}", rolls=f"{rolls:,}", most=f"{ROLLS_MAX:,}")
    index = roll_index(chain.dice)
    of_throw = np.array([index[Roll.of(a, b)] for a in range(1, 7) for b in range(1, 7)])
    targets = np.array([[move.target for move in row] for row in chain.moves])[:, of_throw]
    paid = np.array([[move.paid for move in row] for row in chain.moves], dtype=np.int64)[:, of_throw]
    gained = paid - np.array(chain.staked, dtype=np.int64)[:, None]
    standing = np.array([sum(bet.stake for bet in layout.bets) for layout in chain.layouts], dtype=np.int64)
    dice = np.random.default_rng(seed)
    at = np.zeros(sessions, dtype=np.intp)
    nets = np.zeros(sessions, dtype=np.int64)
    for _ in range(rolls):
        throw = dice.integers(0, 36, sessions)
        nets += gained[at, throw]
        at = targets[at, throw]
    result: NDArray[np.int64] = nets + standing[at]
    return result
