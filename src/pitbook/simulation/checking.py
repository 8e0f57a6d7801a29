"""Compare the wagers of a scenario, played alone, with their exact figures.

A night mixes plans, bankrolls and limits, so there are no exact values for its results. Its wagers can be played alone
on the same kind of dice: if these figures agree, the machines behind the night are those behind the exact figures.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pitbook.errors import InputError
from pitbook.simulation.bets import place_bets
from pitbook.simulation.estimates import estimate
from pitbook.simulation.runner import run

if TYPE_CHECKING:
    from threading import Event

    from pitbook.money import Cents
    from pitbook.simulation.scenario import Scenario

HANDS = 1_000_000
WAGERS_MAX = 40


def check_wagers(scenario: Scenario, seed: int, *, threads: int, stop: Event | None = None) -> list[dict[str, Any]]:
    """Play each wager alone at its first stake; return the house edge, its interval, the exact one, and z."""
    text, rules = scenario.text, scenario.rules
    stakes: dict[str, Cents] = {}
    for plan in (plan for players in text.players for plan in players.bets):
        stakes.setdefault(plan.wager, scenario.cents(plan.stake if plan.stake is not None else (plan.stakes or [1])[0]))
    found: list[dict[str, Any]] = []
    for wager, stake in list(stakes.items())[:WAGERS_MAX]:
        if stop is not None and stop.is_set():
            break
        with suppress(InputError):  # a wager that no come-out opens cannot be played alone
            bets = place_bets(rules, {wager: stake}, hands=HANDS, seed=seed, paytables=text.paytables)
            edge = estimate(rules, bets, run(bets, threads=threads).result).bets[0].house_edge
            assert edge.exact is not None
            found.append(
                {
                    "wager": wager,
                    "stake": int(stake),
                    "hands": HANDS,
                    "edge": edge.value,
                    "low": edge.low,
                    "high": edge.high,
                    "exact": float(edge.exact),
                    "fraction": str(edge.exact),
                    "z": edge.z,
                }
            )
    return found
