"""Two wagers on the same rolls: how their results move together, exact."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from pitbook.dice import rolls
from pitbook.engine.analyse import Analysis, analyse
from pitbook.engine.solve import Edges, expected_values, solve_expected_values
from pitbook.errors import InputError
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager

PAIRS_MAX = 200_000


@dataclass(frozen=True, slots=True)
class Covariance:
    """How the gains of two wagers, one unit on each, made before the same roll, move together."""

    first: Analysis
    second: Analysis
    covariance: Fraction

    @property
    def correlation(self) -> float:
        """Between -1 and 1."""
        spread = sqrt(self.first.variance) * sqrt(self.second.variance)
        return float(self.covariance) / spread if spread else 0.0


def covariance(
    book: Rulebook,
    first: Wager,
    second: Wager,
    paytables: tuple[str | None, str | None] = (None, None),
    states: tuple[int, int] | None = None,
) -> Covariance:
    """Return the covariance of two wagers' gains on the same hand, from a come-out roll or from their current states.

    Walks the pairs of states that both wagers can be in; when one ends, the other is worth its own mean from there.

    >>> from pitbook.rulebooks.catalogue import load
    >>> book = load("massachusetts-sic-bo")
    >>> covariance(book, book.wager("small"), book.wager("big")).covariance
    Fraction(-1225, 1296)
    """
    machines = [machine_of(wager.spec, book.dice) for wager in (first, second)]
    start = states or (machines[0].start(), machines[1].start())
    figures = (
        analyse(book, first, paytables[0], state=start[0]),
        analyse(book, second, paytables[1], state=start[1]),
    )
    gains = [[end.odds.gain for end in found.ends] for found in figures]
    alone = [expected_values(machine, values) for machine, values in zip(machines, gains, strict=True)]
    sizes = [machine.size for machine in machines]
    moves: dict[tuple[int, int], int] = {}
    columns = [machine.columns.tolist() for machine in machines]
    for roll, pair in zip(rolls(book.dice), zip(*columns, strict=True), strict=True):
        moves[pair] = moves.get(pair, 0) + roll.ways

    place = {start: 0}
    pairs = [start]
    inner: dict[tuple[int, int], int] = {}
    staying: list[int] = []
    settled: list[Fraction] = []
    for here, (a, b) in enumerate(pairs):  # grows while it is walked
        staying.append(0)
        settled.append(Fraction(0))
        for (column_a, column_b), ways in moves.items():
            after = machines[0].rows[a][column_a], machines[1].rows[b][column_b]
            over_a, over_b = after[0] >= sizes[0], after[1] >= sizes[1]
            if over_a or over_b:
                worth_a = gains[0][after[0] - sizes[0]] if over_a else alone[0][after[0]]
                worth_b = gains[1][after[1] - sizes[1]] if over_b else alone[1][after[1]]
                settled[here] += ways * worth_a * worth_b
                continue
            there = place.setdefault(after, len(pairs))
            if there == len(pairs):
                pairs.append(after)
                if len(pairs) > PAIRS_MAX:
                    raise InputError("engine.joint-states", first=first.id, second=second.id, most=f"{PAIRS_MAX:,}")
            if there == here:
                staying[here] += ways
            else:
                inner[here, there] = inner.get((here, there), 0) + ways
    edges = Edges(len(pairs), machines[0].throws, [(s, t, w) for (s, t), w in inner.items()], staying, [])
    together = solve_expected_values(edges, settled)[0]
    return Covariance(*figures, together - figures[0].moment(1) * figures[1].moment(1))
