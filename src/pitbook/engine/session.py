"""A strategy at the craps table as a finite chain: exact edges of combinations, and the risk of ruin."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pitbook.dice import rolls, throws
from pitbook.engine.bankroll import ruin_before
from pitbook.engine.solve import Edges, closed_part, solve_expected_values
from pitbook.engine.strategy import Layout, Placed, Strategy, place, roll_on
from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from pitbook.rulebooks.model import Rulebook

LAYOUTS_MAX = 20_000
EXACTLY_SOLVED_MAX = 250
"""Above, elimination in fractions takes too long, and the risk of ruin is computed in floating point."""
SOLVED_MAX = 4_000


class Move(NamedTuple):
    """The effect of a roll on a layout with the strategy's bets."""

    target: int
    paid: int
    stayed: int


@dataclass(frozen=True, eq=False, repr=False)
class Chain:
    """Every layout that a strategy comes to, and what each roll does there."""

    dice: int
    layouts: Sequence[Layout]
    staked: Sequence[int]
    """The amount of new bets on each layout."""
    moves: Sequence[Sequence[Move]]
    """[layout][roll]."""

    def __repr__(self) -> str:
        return f"<Chain of {len(self.layouts):,} layouts>"

    @cached_property
    def _cycle(self) -> tuple[list[int], Edges]:
        """The layouts that come again and again, and the ways among them until the first of these comes again."""
        part = closed_part([[move.target for move in row] for row in self.moves])
        number = {layout: index for index, layout in enumerate(part)}
        inner: dict[tuple[int, int], int] = {}
        staying = [0] * len(part)
        for source, layout in enumerate(part):
            for roll, move in zip(rolls(self.dice), self.moves[layout], strict=True):
                target = number[move.target]
                if target == source and target:
                    staying[source] += roll.ways
                elif target:
                    inner[source, target] = inner.get((source, target), 0) + roll.ways
        return part, Edges(len(part), throws(self.dice), [(s, t, w) for (s, t), w in inner.items()], staying, [])

    def _mean(self, per_layout: Sequence[int], per_move: str | None) -> Fraction | float:
        """Return the mean of amounts over one cycle; a float where a chain is too large to be solved in fractions."""
        part, edges = self._cycle
        settled = []
        for layout in part:
            amount = edges.throws * per_layout[layout]
            for roll, move in zip(rolls(self.dice), self.moves[layout], strict=True):
                amount += roll.ways * (getattr(move, per_move) if per_move else 0)
            settled.append(amount)
        return _solved(edges, settled)

    @cached_property
    def _net(self) -> Fraction | float:
        return self._mean([-staked for staked in self.staked], "paid")

    @property
    def edge_of_action(self) -> Fraction | float:
        """The house's gain per unit of all bets made; a bet that wins and stays up counts as made again."""
        return -self._net / self._mean(self.staked, "stayed")

    @property
    def loss_per_roll(self) -> Fraction | float:
        """The player's mean loss per roll in the long run, in minor units."""
        return -self._net / self._mean([1] * len(self.staked), None)

    @property
    def action_per_roll(self) -> Fraction | float:
        """The mean amount bet per roll in the long run, in minor units."""
        return self._mean(self.staked, "stayed") / self._mean([1] * len(self.staked), None)


def chain(book: Rulebook, strategy: Strategy) -> Chain:
    """Return the chain of a strategy, from a new shooter's come-out roll and an empty layout."""
    number = {Layout(): 0}
    layouts = [Layout()]
    staked, moves = [], []
    for layout in layouts:  # grows while it is walked
        placed = place(book, strategy, layout)
        row = []
        for roll in rolls(book.dice):
            after, paid, stayed = roll_on(book, placed.layout, roll)
            target = number.setdefault(after, len(layouts))
            if target == len(layouts):
                layouts.append(after)
                if len(layouts) > LAYOUTS_MAX:
                    raise InputError("engine.layouts", most=f"{LAYOUTS_MAX:,}")
            row.append(Move(target, paid, stayed))
        staked.append(placed.staked)
        moves.append(row)
    return Chain(book.dice, layouts, staked, moves)


class Game:
    """A strategy with a bankroll: numbered layouts, and cash beside them."""

    def __init__(self, book: Rulebook, strategy: Strategy) -> None:
        self._book, self._strategy = book, strategy
        self.dice = book.dice
        self._number = {Layout(): 0}
        self.layouts = [Layout()]
        self._wanted: dict[int, Placed] = {}
        self._ways: dict[Layout, list[tuple[int, int, int]]] = {}

    def place_all(self, number: int) -> Placed:
        """Return a layout with all bets that the strategy makes there."""
        if number not in self._wanted:
            self._wanted[number] = place(self._book, self._strategy, self.layouts[number])
        return self._wanted[number]

    def stakes(self, number: int) -> int:
        """Return what the bets on a layout have staked."""
        return sum(bet.stake for bet in self.layouts[number].bets)

    def place(self, number: int, cash: int) -> Placed:
        """Return a layout with the bets that are wanted there and covered by the cash."""
        full = self.place_all(number)
        return full if full.staked <= cash else place(self._book, self._strategy, self.layouts[number], cash)

    def is_broke(self, number: int, cash: int) -> bool:
        """Return whether a layout is empty and the cash covers none of the bets that are wanted there."""
        if self.layouts[number].bets:
            return False
        return not self.place(number, cash).layout.bets and self.place_all(number).staked > 0

    def ways(self, number: int, cash: int) -> Iterator[tuple[int, int, int]]:
        """Yield what one more roll leads to: a layout, the cash beside it, and the throws that lead there."""
        placed = self.place(number, cash)
        if placed.layout not in self._ways:
            merged: dict[tuple[int, int], int] = {}
            for roll in rolls(self._book.dice):
                after, paid, _ = roll_on(self._book, placed.layout, roll)
                there = self._number.setdefault(after, len(self.layouts))
                if there == len(self.layouts):
                    self.layouts.append(after)
                merged[there, paid] = merged.get((there, paid), 0) + roll.ways
            self._ways[placed.layout] = [(*case, ways) for case, ways in merged.items()]
        left = cash - placed.staked
        for there, paid, ways in self._ways[placed.layout]:
            yield there, left + paid, ways


def risk_of_ruin(book: Rulebook, strategy: Strategy, bankroll: int, target: int) -> Fraction | float:
    """Return the chance that the money is gone before it has grown to a target with nothing on the layout.

    A fraction where the chain is small enough to be solved exactly, else a float.
    """
    if not 0 < bankroll < target:
        raise InputError("engine.target-bankroll")
    game = Game(book, strategy)
    start = (0, bankroll)
    number, nodes = {start: 0}, [start]
    ruined: set[int] = set()
    inner: list[dict[int, int]] = []
    for here, (layout, cash) in enumerate(nodes):  # grows while it is walked
        row: dict[int, int] = {}
        inner.append(row)
        if cash >= target and not game.layouts[layout].bets:
            continue
        if game.is_broke(layout, cash):
            ruined.add(here)
            continue
        for after, left, ways in game.ways(layout, cash):
            there = number.setdefault((after, left), len(nodes))
            if there == len(nodes):
                nodes.append((after, left))
                if len(nodes) > SOLVED_MAX:
                    raise InputError("engine.cases-target", most=f"{SOLVED_MAX:,}")
            row[there] = row.get(there, 0) + ways
    return absorption_chance(inner, ruined, throws(book.dice))


def bets_risk_of_ruin(nets: Mapping[int, Fraction], stake: int, bankroll: int, target: int) -> Fraction | float:
    """Return the chance that the same bets, round after round, ruin a bankroll before it has grown to a target."""
    if not stake <= bankroll < target:
        raise InputError("engine.target-bets")
    inner, ruined, ways = ruin_before(nets, stake, bankroll, target)
    return absorption_chance(inner, ruined, ways)


def absorption_chance(inner: Sequence[Mapping[int, int]], targets: set[int], all_ways: int) -> Fraction | float:
    """Return the chance to end in a target node, from the first node; a node without ways on is an end."""
    edges = [(here, there, ways) for here, row in enumerate(inner) for there, ways in row.items() if there != here]
    staying = [row.get(here, 0) for here, row in enumerate(inner)]
    settled = [all_ways * (here in targets) for here in range(len(inner))]
    return _solved(Edges(len(inner), all_ways, edges, staying, []), settled)


def _solved(edges: Edges, settled: Sequence[int]) -> Fraction | float:
    """Return what the first state is worth: a fraction, or a float where elimination in fractions would take long."""
    if edges.size <= EXACTLY_SOLVED_MAX:
        return solve_expected_values(edges, [Fraction(amount) for amount in settled])[0]
    if edges.size > SOLVED_MAX:
        raise InputError("engine.unsolvable", cases=f"{edges.size:,}", most=f"{SOLVED_MAX:,}")
    matrix: NDArray[np.float64] = np.diag(edges.throws - np.array(edges.staying, dtype=np.float64))
    for source, target, ways in edges.inner:
        matrix[source, target] -= ways
    return float(np.linalg.solve(matrix, np.array(settled, dtype=np.float64))[0])
