"""The exact distribution of what a bet costs or earns the house on the next throw."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pitbook.dice import rolls, throws
from pitbook.engine.settle import settle
from pitbook.engine.solve import expected_values
from pitbook.money import Cents
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Spec

    Numbers = NDArray[np.float64]


class PayoffDistribution(NamedTuple):
    """A stake on a wager before a throw, in minor units for the house."""

    expected: float
    """Its expected result, including rounding, caps and the dealers' envy."""
    after: Numbers
    """Its value by roll; for a wager that ends, its result."""


@cache
def chances(dice: int) -> Numbers:
    """Return the chance of every roll."""
    found = np.array([roll.ways for roll in rolls(dice)], float) / throws(dice)
    found.setflags(write=False)
    return found


@lru_cache(maxsize=8_192)
def law_of(
    rules: Rulebook,
    wager_id: str,
    paytable: str | None,
    stake: int,
    envied: bool,
    state: int | None,
    called: Spec | None = None,
) -> PayoffDistribution:
    """Return the distribution of a stake on a wager in a state of its machine; None for the start.

    `envied` if the dealers are paid when it wins, as for a player's own bets; `called` is what decides a bet that was
    called on.
    """
    wager = rules.wagers[wager_id]
    spec = called or wager.spec
    machine = machine_of(spec, rules.dice)
    place = machine.start() if state is None else state
    settled = [settle(rules, wager, Cents(stake), row, paytable) for row in machine.ends]
    brings = np.array([-(one.net + (one.envy if envied else 0)) for one in settled], float)
    if machine.decided_at_once:
        after = brings[machine.table[0][machine.columns] - 1]
        return PayoffDistribution(float(chances(rules.dice) @ after), _frozen(after))
    worth = _shares(spec, rules.dice) @ brings
    after = np.concatenate((worth, brings))[machine.table[place][machine.columns]]
    return PayoffDistribution(float(worth[place]), _frozen(after))


def _frozen(values: Numbers) -> Numbers:
    values.setflags(write=False)
    return values


@lru_cache(maxsize=512)
def _shares(spec: Spec, dice: int) -> Numbers:
    """Return the chance of every end from every state, solved exactly and rounded once."""
    machine = machine_of(spec, dice)
    columns = []
    for end in range(len(machine.ends)):
        one = expected_values(machine, [int(other == end) for other in range(len(machine.ends))])  # type: ignore[misc]
        columns.append([float(one[state]) for state in range(machine.size)])
    return _frozen(np.array(columns).T)
