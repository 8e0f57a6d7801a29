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
from pitbook.money import settle_stake
from pitbook.table.limits import limit_of
from pitbook.table.state import Table, acts_done, due, paytable_of, phase, steps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from pitbook.table.state import Bet


@dataclass(frozen=True, slots=True)
class Exposure:
    """What the house stands to lose, in minor units: what it pays out less what it keeps of stakes."""

    by_roll: Mapping[Roll, int]
    """The house's result on each possible throw: negative where it loses."""
    worst: Roll | None
    worst_result: int
    rest_of_hand_most: int
    """The most that the running wagers could still win, all together."""
    rest_of_hand_mean: Fraction
    """What they are expected to win."""


def honoured(table: Table, bet: Bet) -> int:
    """What of a bet is settled: nothing of a late one, the maximum at the most, one under the minimum only once."""
    limit = limit_of(table, bet.wager)
    if bet.late or not bet.confirmed:
        return 0
    if bet.amount < limit.stake_min:
        return 0 if bet.player in table.under_minimum else bet.amount
    return min(bet.amount, limit.stake_max)


def exposure(table: Table) -> Exposure:
    """What each throw would cost, and the rest of the hand."""
    rules = table.rules
    live = [bet for bet in table.bets.values() if honoured(table, bet)]
    results = dict.fromkeys(rolls(rules.dice), 0)
    if live:
        nets = _nets(table, live)
        results = {roll: -int(total) for roll, total in zip(rolls(rules.dice), nets.sum(axis=1), strict=True)}
    worst = min(results, key=lambda roll: results[roll])
    most, mean = 0, Fraction(0)
    for bet in live:
        wager = rules.wagers[bet.wager]
        pays = paytable_of(table, bet.wager)
        stake = honoured(table, bet)
        figures = analyse(rules, wager, pays, state=table.areas[bet.wager][0])
        most += max(settle_stake(stake, end.odds, rules.favour).net for end in figures.ends)  # type: ignore[arg-type]
        mean += stake * figures.moment(1)
    return Exposure(results, worst if live else None, results[worst], most, mean)


def worst_payout(table: Table) -> int:
    """The most that one throw could cost the house, wagers that run included; never below nothing."""
    live = [bet for bet in table.bets.values() if honoured(table, bet)]
    return max(0, int(_nets(table, live).sum(axis=1).max())) if live else 0


def _nets(table: Table, live: list[Bet]) -> NDArray[np.int64]:
    """[roll, bet]: what each player would gain on each throw."""
    bank = _bank(table)
    places = np.array([bank.place(bet.wager, table.areas[bet.wager][0]) for bet in live], dtype=np.int32)
    stakes = np.array([honoured(table, bet) for bet in live], dtype=np.int64)
    return np.stack([bank.settle(places, stakes, roll).nets for roll in bank.rolls])


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
    """Whether the shaker's cover is on: from the shake until the reveal; off at all times where there is none."""
    if table.craps:
        return None
    acts = acts_done(table)
    if not any(step.act == "reveal" for step in steps(table)):
        return "off"
    return "on" if "shake" in acts and "reveal" not in acts else "off"


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
        "dice": list(table.round.entered),
        "lit": list(table.round.lit),
        "point": table.point,
        "lammers": lammers(rules, table.progress),
        "chances": {wager: str(value) for wager, value in running.items()},
        "staked": sum(bet.amount for bet in table.bets.values()),
        "worst_throw": str(shown.worst) if shown.worst else None,
        "worst_result": shown.worst_result,
        "payout_max": table.setup.payout_max if table.setup else None,
    }
