"""The exact figures of a wager, as fractions, from its compiled machine alone: whatever its family."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm, sqrt
from typing import TYPE_CHECKING

from pitbook.dice import throws
from pitbook.engine.progress import check_state, machines
from pitbook.engine.solve import edges_of, expected_values, visits
from pitbook.results import Result, Row, bars
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pitbook.money import Odds
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Envy
    from pitbook.rulebooks.wagers import Spec, Wager


VOLATILITY = 1.645
"""The deviations of a normal variable within which 90% of it lie, as laboratories round them."""


@dataclass(frozen=True, slots=True, repr=False)
class EndFigures:
    """One way in which a wager ends."""

    row: str
    odds: Odds
    probability: Fraction

    def __repr__(self) -> str:
        return f"<{self.row}: {self.odds}, {float(self.probability):.4%}>"


@dataclass(frozen=True, slots=True, repr=False)
class Analysis(Result):
    """A wager under one pay table, from one state: all figures per unit staked."""

    wager: Wager
    paytable: str | None
    ends: tuple[EndFigures, ...]
    expected_rolls: Fraction
    """The average number of rolls on which it works until it is decided."""
    dice: int
    state: int
    """The state of its machine that the figures are for."""

    def __repr__(self) -> str:
        table = f" {self.paytable}" if self.paytable else ""
        return (
            f"<Analysis of {self.wager.id}{table}: house edge {float(self.house_edge):.4%}, "
            f"win {float(self.win_probability):.4%}>"
        )

    def rows(self) -> list[Row]:
        """Return one row with all figures."""
        return [
            {
                "wager": self.wager.id,
                "paytable": self.paytable,
                "pays": " / ".join(str(end.odds) for end in self.ends if end.odds.wins),
                "win_probability": self.win_probability,
                "push_probability": self.push_probability,
                "house_edge": self.house_edge,
                "return": self.return_to_player,
                "variance": self.variance,
                "standard_deviation": self.standard_deviation,
                "skewness": self.skewness,
                "volatility_index": self.volatility_index,
                "expected_rolls": self.expected_rolls,
                "edge_per_roll": self.edge_per_roll,
            }
        ]

    def picture(self) -> str:
        """Return the chance of each end as bars."""
        return bars({end.row: float(end.probability) for end in self.ends}, "chance of each end", percent=True)

    @property
    def throws(self) -> int:
        """The number of throws of the dice: 36 or 216."""
        return throws(self.dice)

    @property
    def rolls_variance(self) -> Fraction:
        """The variance of the number of rolls until it ends."""
        return _rolls_variance(self.wager.spec, self.dice, self.state)

    @property
    def win_probability(self) -> Fraction:
        """The chance to gain."""
        return sum((end.probability for end in self.ends if end.odds.gain > 0), Fraction(0))

    @property
    def push_probability(self) -> Fraction:
        """The chance to get the stake back, and nothing else."""
        return sum((end.probability for end in self.ends if end.odds.gain == 0), Fraction(0))

    @property
    def ways(self) -> int | None:
        """The throws that win, of a wager decided by one throw."""
        return int(self.win_probability * self.throws) if self.wager.one_roll else None

    def moment(self, order: int, about: Fraction = Fraction(0)) -> Fraction:
        """Return a moment of the player's gain."""
        return sum((end.probability * (end.odds.gain - about) ** order for end in self.ends), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """The house's mean gain per unit staked."""
        return -self.moment(1)

    @property
    def return_to_player(self) -> Fraction:
        """The mean return per unit staked."""
        return 1 - self.house_edge

    @property
    def variance(self) -> Fraction:
        """The variance of the gain."""
        return self.moment(2) - self.moment(1) ** 2

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return sqrt(self.variance)

    @property
    def volatility_index(self) -> float:
        """The standard deviation times 1.645: over the root of the rounds, half the width of the hold's 90% band."""
        return VOLATILITY * self.standard_deviation

    def hold_band(self, rounds: int, deviations: float) -> tuple[float, float]:
        """Return the band of the hold after so many rounds, as many standard errors to each side of the house edge."""
        half = deviations * self.standard_deviation / sqrt(rounds)
        return float(self.house_edge) - half, float(self.house_edge) + half

    @property
    def third_central_moment(self) -> Fraction:
        """The numerator of the skewness, exact."""
        return self.moment(3, self.moment(1))

    @property
    def skewness(self) -> float:
        """The skewness of the gain; 0 if it does not vary."""
        return float(self.third_central_moment) / float(self.variance) ** 1.5 if self.variance else 0.0

    @property
    def edge_per_resolved(self) -> Fraction:
        """The house's mean gain per unit staked on a bet that is not pushed."""
        return self.house_edge / (1 - self.push_probability) if self.push_probability < 1 else Fraction(0)

    @property
    def edge_per_roll(self) -> Fraction:
        """The house edge divided by the rolls that a wager takes on average."""
        return self.house_edge / self.expected_rolls

    @property
    def break_even(self) -> Mapping[str, Fraction]:
        """The break-even odds (to one) of each winning row, with the other rows unchanged."""
        return {
            end.row: end.odds.gain + self.house_edge / end.probability
            for end in self.ends
            if end.odds.gain > 0 and end.probability
        }

    @property
    def envy(self) -> Envy | None:
        """The dealers' bonus when it wins."""
        return self.wager.envy

    def envy_cost(self, stake: Fraction | int = 1) -> Fraction:
        """Return the average cost of the dealers' pay per unit staked; a stake is in units of the currency."""
        pays = self.wager.envy_pays
        if not self.wager.envy or not pays:
            return Fraction(0)
        cost = self.win_probability * pays
        return cost if self.wager.envy.unit == "multiple of the wager" else cost / stake

    def edge_after_envy(self, stake: Fraction | int = 1) -> Fraction:
        """Return the house edge less the dealers' pay; under the flat reading it depends on the stake."""
        return self.house_edge - self.envy_cost(stake)


def analyse(
    book: Rulebook,
    wager: Wager,
    paytable: str | None = None,
    *,
    state: int | None = None,
    pays: Mapping[str, Odds] | None = None,
) -> Analysis:
    """Return a wager's figures from its start on a come-out roll, or from any running state of its machine.

    `pays` tries other odds, by row, in place of the pay table's.

    >>> from pitbook.rulebooks.catalogue import load
    >>> book = load("massachusetts-sic-bo")
    >>> analyse(book, book.wager("total/4")).house_edge
    Fraction(7, 24)
    """
    table = book.paytable(wager, paytable)
    machine = machine_of(wager.spec, book.dice)
    place = machine.start() if state is None else state
    check_state(book, wager, place)
    course = _course(wager.spec, book.dice, place)
    odds = {**wager.pays[table], **(pays or {})}
    ends = tuple(
        EndFigures(row, odds[row], probability) for row, probability in zip(machine.ends, course.ends, strict=True)
    )
    return Analysis(wager, table, ends, course.rolls, book.dice, place)


def house_edges(book: Rulebook, paytables: Mapping[str, str] | None = None) -> dict[str, Fraction]:
    """Return only the house edge of every wager on offer, which is fast for a whole book.

    >>> from pitbook.rulebooks.catalogue import load
    >>> house_edges(load("maryland-sic-bo"))["small"]
    Fraction(1, 36)
    """
    chosen = paytables or {}
    edges: dict[str, Fraction] = {}
    known: dict[tuple[int, ...], Fraction] = {}
    for wager_id, machine in machines(book).items():
        wager = book.wagers[wager_id]
        if not machine.decided_at_once:
            edges[wager_id] = analyse(book, wager, chosen.get(wager_id)).house_edge
            continue
        table = book.paytable(wager, chosen.get(wager_id)) if chosen else wager.paytables[0]
        pays = wager.pays[table]
        # Areas that win as often and pay as much are many; their edge is worked out once.
        case: list[int] = []
        for row, ways in zip(machine.ends, machine.ways_to_end, strict=True):
            gain = pays[row].gain
            case += (ways, gain.numerator, gain.denominator)
        key = tuple(case)
        if key not in known:
            below = lcm(*case[2::3])
            won = sum(ways * above * (below // part) for ways, above, part in zip(*[iter(case)] * 3, strict=True))
            known[key] = Fraction(-won, machine.throws * below)
        edges[wager_id] = known[key]
    return edges


def analyse_book(
    book: Rulebook, wagers: Sequence[str] | None = None, paytables: Mapping[str, str] | None = None
) -> list[Analysis]:
    """Yield every wager (or those named) under every pay table (or those named by wager)."""
    found = []
    for wager_id in wagers if wagers is not None else book.wagers:
        wager = book.wager(wager_id)
        chosen = (paytables or {}).get(wager_id)
        found += [analyse(book, wager, table) for table in ([chosen] if chosen else wager.paytables)]
    return found


@dataclass(frozen=True, slots=True)
class _Course:
    """The course of a wager from a state, whatever it pays."""

    ends: tuple[Fraction, ...]
    rolls: Fraction


@lru_cache(maxsize=4096)
def _course(spec: Spec, dice: int, state: int) -> _Course:
    machine = machine_of(spec, dice)
    if machine.decided_at_once:
        return _Course(tuple(Fraction(ways, machine.throws) for ways in machine.ways_to_end), Fraction(1))
    visited = visits(machine, state)
    by_end: list[list[tuple[int, int]]] = [[] for _ in machine.ends]
    for source, end, ways in edges_of(machine).ending:
        by_end[end].append((source, ways))
    ends = tuple(visited.total(terms) / machine.throws for terms in by_end)
    return _Course(
        ends, visited.total((place, 1) for place in range(len(visited.numerators)) if place not in machine.idle)
    )


@lru_cache(maxsize=4096)
def _rolls_variance(spec: Spec, dice: int, state: int) -> Fraction:
    """From E[T^2] = 2 E[the sum, over all visits, of the rolls to come] - E[T]."""
    machine = machine_of(spec, dice)
    to_come = expected_values(machine, [Fraction(0)] * len(machine.ends), per_roll=1)
    mean = to_come[state]
    visited = visits(machine, state)
    together = visited.product(to_come) - sum((visited[place] * to_come[place] for place in machine.idle), Fraction(0))
    return 2 * together - mean - mean**2
