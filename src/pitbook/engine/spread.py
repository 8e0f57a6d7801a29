"""Several wagers on the same rolls: a player's whole spread, from the first roll until the last of them has ended."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from pitbook.dice import rolls, throws
from pitbook.engine.progress import initial_progress
from pitbook.engine.rounds import Rounds, after_rounds
from pitbook.engine.settle import check_stake, settle
from pitbook.engine.solve import Edges, solve_visits
from pitbook.engine.windows import window_closed
from pitbook.errors import InputError
from pitbook.results import Result, Row, columns
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pitbook.money import Cents
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager
    from pitbook.wager.machine import Machine

CASES_MAX = 20_000
"""More cases of running bets and results so far would take long to solve exactly."""


@dataclass(frozen=True, slots=True, repr=False)
class Spread(Result):
    """The joint result of several wagers on the same rolls, in minor units."""

    stake: int
    nets: Mapping[int, Fraction]
    """The chance of each net result, ascending."""
    expected_rolls: Fraction = Fraction(1)
    """The average number of rolls on which at least one of the wagers still runs."""

    @property
    def mean(self) -> Fraction:
        """The player's mean gain."""
        return sum((net * chance for net, chance in self.nets.items()), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """The house's mean gain per unit staked."""
        return -self.mean / self.stake

    @property
    def variance(self) -> Fraction:
        """The variance of the net result."""
        return sum((net**2 * chance for net, chance in self.nets.items()), Fraction(0)) - self.mean**2

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return sqrt(self.variance)

    @property
    def win_probability(self) -> Fraction:
        """The chance to gain."""
        return sum((chance for net, chance in self.nets.items() if net > 0), Fraction(0))

    def after(self, rounds: int) -> Rounds:
        """Return the result after so many rounds, each bet again as soon as the last one is over."""
        return after_rounds(self.nets, rounds)

    def __repr__(self) -> str:
        return (
            f"<Spread: {len(self.nets)} results, house edge {float(self.house_edge):.4%}, "
            f"ahead {float(self.win_probability):.4%}>"
        )

    def rows(self) -> list[Row]:
        """Return one row for each net result."""
        return [{"net": net, "probability": chance} for net, chance in self.nets.items()]

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        return {
            "stake": self.stake,
            "house_edge": str(self.house_edge),
            "variance": str(self.variance),
            "win_probability": str(self.win_probability),
            "expected_rolls": str(self.expected_rolls),
            "nets": [{"net": net, "probability": str(chance)} for net, chance in self.nets.items()],
        }

    def picture(self) -> str:
        """Return the chance of each net result as columns."""
        return columns({net: float(chance) for net, chance in self.nets.items()}, "chance of each net result")


def check_new_bet(book: Rulebook, wager: Wager, stake: Cents) -> None:
    """Raise an error unless a bet can be made on a clear layout, before a come-out roll."""
    check_stake(book, wager, stake)
    closed = window_closed(book, initial_progress(book), wager)
    if closed:
        raise InputError("engine.hand-start", reason=closed.with_grounds)


def spread(book: Rulebook, stakes: Mapping[str, Cents], paytables: Mapping[str, str] | None = None) -> Spread:
    """Return the result of stakes on several wagers, made before the same roll on a clear layout.

    >>> from pitbook.money import Cents
    >>> from pitbook.rulebooks.catalogue import load
    >>> both = spread(load("massachusetts-sic-bo"), {"small": Cents(100), "big": Cents(100)})
    >>> dict(both.nets)
    {-200: Fraction(1, 36), 0: Fraction(35, 36)}
    >>> works = spread(load("dice-works"), {"all-lows": Cents(100), "all-highs": Cents(100)}, {"all-lows": "PT2"})
    >>> [(net, round(float(chance), 6)) for net, chance in works.nets.items()]
    [(-200, 0.95255), (2900, 0.021096), (3300, 0.021096), (6400, 0.005258)]
    """
    if not stakes:
        raise InputError("engine.spread-empty")
    wagers = [book.wager(wager_id) for wager_id in stakes]
    for wager in wagers:
        check_new_bet(book, wager, stakes[wager.id])
    machines = [machine_of(wager.spec, book.dice) for wager in wagers]
    nets = [
        [settle(book, wager, stakes[wager.id], row, (paytables or {}).get(wager.id)).net for row in machine.ends]
        for wager, machine in zip(wagers, machines, strict=True)
    ]
    chances, lasting = _joint_results(machines, nets, throws(book.dice))
    return Spread(sum(stakes.values()), chances, lasting)


_OVER = -1


def _joint_results(
    machines: Sequence[Machine], nets: Sequence[Sequence[int]], all_ways: int
) -> tuple[dict[int, Fraction], Fraction]:
    """Return the chance of each sum of results, and how many rolls it takes on average until all have ended.

    A case is the states of the bets that still run, and the sum of the results of those that have ended.
    """
    moves: dict[tuple[int, ...], int] = {}
    by_roll = zip(*(machine.columns.tolist() for machine in machines), strict=True)
    for roll, columns_there in zip(rolls(machines[0].dice), by_roll, strict=True):
        moves[columns_there] = moves.get(columns_there, 0) + roll.ways
    start = (tuple(machine.start() for machine in machines), 0)
    place, cases = {start: 0}, [start]
    inner: dict[tuple[int, int], int] = {}
    staying: list[int] = []
    ended: dict[int, list[tuple[int, int]]] = {}
    for here, (states, sum_so_far) in enumerate(cases):  # grows while it is walked
        staying.append(0)
        for columns_there, ways in moves.items():
            total, after = sum_so_far, []
            for machine, gains, state, column in zip(machines, nets, states, columns_there, strict=True):
                target = _OVER if state == _OVER else machine.rows[state][column]
                if target >= machine.size:
                    total += gains[target - machine.size]
                    target = _OVER
                after.append(target)
            case = tuple(after), total
            if all(state == _OVER for state in after):
                ended.setdefault(total, []).append((here, ways))
                continue
            there = place.setdefault(case, len(cases))
            if there == len(cases):
                cases.append(case)
                if len(cases) > CASES_MAX:
                    raise InputError("engine.spread-cases", most=f"{CASES_MAX:,}")
            if there == here:
                staying[here] += ways
            else:
                inner[here, there] = inner.get((here, there), 0) + ways
    visits = solve_visits(Edges(len(cases), all_ways, [(s, t, w) for (s, t), w in inner.items()], staying, []))
    chances = {net: visits.total(ended[net]) / all_ways for net in sorted(ended)}
    return chances, visits.total((case, 1) for case in range(len(cases)))
