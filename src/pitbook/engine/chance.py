"""The exact chance that a running wager still wins, from any state."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from pitbook.engine.progress import PAID, check_state
from pitbook.engine.solve import Solution, expected_values
from pitbook.engine.standing import spec_of
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from pitbook.engine.progress import Progress
    from pitbook.engine.standing import Standing
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Spec, Wager


def chance(book: Rulebook, wager: Wager, state: int, paytable: str | None = None, spec: Spec | None = None) -> Fraction:
    """Return the chance that a wager in this state wins; `spec` is what decides it where a player has called it on."""
    if spec is None:
        check_state(book, wager, state)
    rows = wager.pays[book.paytable(wager, paytable)]
    winning = frozenset(row for row, odds in rows.items() if odds.wins)
    return _chances(spec or wager.spec, book.dice, winning)[state]


def chance_of(book: Rulebook, bet: Standing) -> Fraction:
    """Return the chance that a standing bet wins."""
    return chance(book, book.wagers[bet.wager], bet.state, bet.paytable, spec_of(book, bet))


def chances(book: Rulebook, progress: Progress) -> dict[str, Fraction]:
    """Return the current chance of every area in play."""
    return {
        wager_id: chance(book, wager, progress.areas[wager_id].state)
        for wager_id, wager in book.wagers.items()
        if progress.areas[wager_id].state != PAID
    }


@lru_cache(maxsize=1024)
def _chances(spec: Spec, dice: int, winning: frozenset[str]) -> Solution:
    machine = machine_of(spec, dice)
    return expected_values(machine, [Fraction(row in winning) for row in machine.ends])
