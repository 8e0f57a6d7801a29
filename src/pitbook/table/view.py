"""What is shown at a table, derived from its state: lights, lammers, chances, and what a throw could cost the house."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pitbook.dice import Roll, rolls
from pitbook.engine.chance import chance
from pitbook.engine.progress import PAID
from pitbook.table.liability import costs_by_roll, costs_of_hand
from pitbook.table.limits import honoured
from pitbook.table.state import Table, acts_done, paytable_of, steps

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Exposure:
    """What the house stands to lose, in minor units: what it pays out, the dealers' envy too, less stakes it keeps.

    Wagers that the last roll has decided are left out: the next one changes nothing about them.
    """

    by_roll: Mapping[Roll, int]
    """The house's result on each possible throw: negative where it loses."""
    worst: Roll | None
    worst_result: int
    rest_of_hand_most: int
    """The most that the wagers could still cost, all together."""
    rest_of_hand_mean: Fraction
    """What they are expected to cost."""


def exposure(table: Table) -> Exposure:
    """What each throw would cost, and the rest of the hand."""
    every = rolls(table.rules.dice)
    results = {roll: -cost for roll, cost in zip(every, costs_by_roll(table).tolist(), strict=True)}
    worst = min(results, key=lambda roll: results[roll])
    hand = costs_of_hand(table)
    return Exposure(results, worst if _any_live(table) else None, results[worst], hand.most, hand.mean)


def _any_live(table: Table) -> bool:
    return any(bet.wager not in table.round.ended and honoured(table, bet) for bet in table.bets.values())


def worst_payout(table: Table) -> int:
    """The most that the wagers could cost the house, booked ones included; never below nothing.

    At Sic Bo on one throw; at craps over the rest of the hand, because a side bet that runs can no longer be refused.
    """
    if table.craps:
        return max(0, costs_of_hand(table, booked=True).most)
    return max(0, int(costs_by_roll(table, booked=True).max()))


def cover(table: Table) -> Literal["on", "off"] | None:
    """Return whether the shaker's cover is on: until the reveal, for a manual shaker from the shake; None at craps."""
    if table.craps:
        return None
    acts = acts_done(table)
    if not any(step.act == "reveal" for step in steps(table)):
        return "off"
    covered = "shake" in acts or table.shaker == "automated"
    return "on" if covered and "reveal" not in acts else "off"


def chances(table: Table) -> dict[str, Fraction]:
    """Return the chance to win of every wager over several rolls that has not won yet."""
    rules = table.rules
    return {
        name: chance(rules, wager, table.areas[name][0], paytable_of(table, name))
        for name, wager in rules.wagers.items()
        if not wager.one_roll and table.areas[name][0] != PAID
    }
