"""Several one-roll wagers on one throw: a player's whole spread, exact."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from pitbook.dice import rolls, throws
from pitbook.engine.settle import check_stake, settle
from pitbook.errors import InputError
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.money import Cents
    from pitbook.rulebooks.model import Rulebook


@dataclass(frozen=True, slots=True)
class Spread:
    """The joint result of several wagers on one throw, in minor units."""

    stake: int
    nets: Mapping[int, Fraction]
    """The chance of each net result, ascending."""

    @property
    def mean(self) -> Fraction:
        """What the player gains on average."""
        return sum((net * chance for net, chance in self.nets.items()), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """What the house gains on average for each unit staked."""
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


def spread(book: Rulebook, stakes: Mapping[str, Cents], paytables: Mapping[str, str] | None = None) -> Spread:
    """The result of stakes on several one-roll wagers.

    >>> from pitbook.money import Cents
    >>> from pitbook.rulebooks.catalogue import load
    >>> both = spread(load("massachusetts-sic-bo"), {"small": Cents(100), "big": Cents(100)})
    >>> dict(both.nets)
    {-200: Fraction(1, 36), 0: Fraction(35, 36)}
    """
    if not stakes:
        raise InputError("a spread needs at least one wager")
    wagers = [book.wager(wager_id) for wager_id in stakes]
    for wager in wagers:
        if not wager.one_roll:
            raise InputError(f"{wager.id} is not decided by one throw; ask for the covariance of two such wagers")
        check_stake(book, wager, stakes[wager.id])
    machines = [machine_of(wager.spec, book.dice) for wager in wagers]
    ways: dict[int, int] = {}
    for roll in rolls(book.dice):
        net = 0
        for wager, machine in zip(wagers, machines, strict=True):
            row = machine.end(machine.step(machine.start(), roll))
            assert row is not None
            net += settle(book, wager, stakes[wager.id], row, (paytables or {}).get(wager.id)).net
        ways[net] = ways.get(net, 0) + roll.ways
    nets = {net: Fraction(ways[net], throws(book.dice)) for net in sorted(ways)}
    return Spread(sum(stakes.values()), nets)
