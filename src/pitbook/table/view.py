"""What is shown at a table, derived from its state: lights, lammers, chances, and what a throw could cost the house."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitbook.dice import Roll, rolls
from pitbook.engine.chance import chance
from pitbook.engine.progress import PAID, lammers
from pitbook.table.liability import costs_by_roll, costs_of_hand
from pitbook.table.limits import honoured
from pitbook.table.state import Table, acts_done, due, paytable_of, phase, steps

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


def cover(table: Table) -> str | None:
    """Whether the shaker's cover is on: until the reveal, of a manual one from the shake; off where there is none."""
    if table.craps:
        return None
    acts = acts_done(table)
    if not any(step.act == "reveal" for step in steps(table)):
        return "off"
    covered = "shake" in acts or table.shaker == "automated"
    return "on" if covered and "reveal" not in acts else "off"


def view(table: Table) -> dict[str, Any]:
    """The live view: what anybody at the table may see, no names and no balances."""
    rules = table.rules
    step = due(table)
    running = {}
    for wager_id, wager in rules.wagers.items():
        state = table.areas[wager_id][0]
        if not wager.one_roll and state != PAID:
            running[wager_id] = chance(rules, wager, state, paytable_of(table, wager_id))
    shown = exposure(table)
    return {
        "table": table.id,
        "book": rules.id,
        "round": table.round.number,
        "step": table.step,
        "phase": phase(table),
        "due": step.id if step else None,
        "cover": cover(table),
        "disputed": list(table.disputed),
        "dice": list(table.round.entered),
        "lit": list(table.round.lit),
        "point": table.point,
        "lammers": lammers(rules, table.progress),
        "chances": {wager: str(value) for wager, value in running.items()},
        "staked": sum(bet.amount for bet in table.bets.values()),
        "worst_throw": str(shown.worst) if shown.worst else None,
        "worst_result": shown.worst_result,
        "rest_of_hand_most": shown.rest_of_hand_most,
        "rest_of_hand_mean": str(shown.rest_of_hand_mean),
        "payout_max": table.setup.payout_max if table.setup else None,
    }
