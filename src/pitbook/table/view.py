"""What is shown at a table, derived from its state: lights, lammers, chances, and what a throw could cost the house."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from pitbook.dice import Roll, rolls
from pitbook.engine.analyse import analyse
from pitbook.engine.bank import Bank
from pitbook.engine.chance import chance
from pitbook.engine.progress import PAID, lammers
from pitbook.engine.settle import envy_of, settle
from pitbook.money import Cents
from pitbook.table.commands import OWN
from pitbook.table.limits import honoured
from pitbook.table.state import Table, acts_done, due, paytable_of, phase, steps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from pitbook.table.state import Bet


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
    live = _live(table)
    costs = _costs(table, live).sum(axis=1).tolist() if live else [0] * len(every)
    results = {roll: -int(cost) for roll, cost in zip(every, costs, strict=True)}
    worst = min(results, key=lambda roll: results[roll])
    most, mean = 0, Fraction(0)
    for bet, stake in live:
        ends = _ends(table, bet, stake)
        most += max(cost for cost, chance in ends if chance)
        mean += sum((cost * chance for cost, chance in ends), Fraction(0))
    return Exposure(results, worst if live else None, results[worst], most, mean)


def worst_payout(table: Table) -> int:
    """The most that the wagers could cost the house, booked ones included; never below nothing.

    At Sic Bo on one throw; at craps over the rest of the hand, because a side bet that runs can no longer be refused.
    """
    live = _live(table, booked=True)
    if not live:
        return 0
    if table.craps:
        return max(0, sum(max(cost for cost, chance in _ends(table, bet, stake) if chance) for bet, stake in live))
    return max(0, int(_costs(table, live).sum(axis=1).max()))


def _live(table: Table, *, booked: bool = False) -> list[tuple[Bet, int]]:
    """The bets that a throw could still decide, with what of them counts."""
    bets = [bet for bet in table.bets.values() if bet.wager not in table.round.ended]
    stakes = [bet.amount if booked and not bet.confirmed else honoured(table, bet) for bet in bets]
    return [(bet, stake) for bet, stake in zip(bets, stakes, strict=True) if stake]


def _costs(table: Table, live: list[tuple[Bet, int]]) -> NDArray[np.int64]:
    """[roll, bet]: what each bet would cost the house on each throw."""
    bank = _bank(table)
    places = np.array([bank.place(bet.wager, table.areas[bet.wager][0]) for bet, _ in live], dtype=np.int32)
    stakes = np.array([stake for _, stake in live], dtype=np.int64)
    envy = np.array([_envy(table, bet, stake) for bet, stake in live], dtype=np.int64)
    nets = np.stack([bank.settle(places, stakes, roll).nets for roll in bank.rolls])
    return nets + envy * (nets > 0)


def _envy(table: Table, bet: Bet, stake: int) -> int:
    """What the dealers get if the bet wins."""
    return envy_of(table.rules, table.rules.wagers[bet.wager], Cents(stake)) if bet.kind in OWN else 0


def _ends(table: Table, bet: Bet, stake: int) -> list[tuple[int, Fraction]]:
    """What a bet costs in each way that it can end from here, and the chance of that."""
    rules = table.rules
    wager, pays = rules.wagers[bet.wager], paytable_of(table, bet.wager)
    figures = analyse(rules, wager, pays, state=table.areas[bet.wager][0])
    envy = _envy(table, bet, stake)
    found = []
    for end in figures.ends:
        net = settle(rules, wager, Cents(stake), end.row, pays).net
        found.append((net + (envy if net > 0 else 0), end.probability))
    return found


def _bank(table: Table) -> Bank:
    tables = {wager: paytable_of(table, wager) for wager in table.rules.wagers}
    key = (table.rules, tuple((wager, name) for wager, name in tables.items() if name))
    if key not in _BANKS:
        if len(_BANKS) > 64:
            _BANKS.clear()
        _BANKS[key] = Bank(table.rules, dict(key[1]))
    return _BANKS[key]


_BANKS: dict[Any, Bank] = {}


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
