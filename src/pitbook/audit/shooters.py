"""Shooters: to whom the dice go, and rolls that do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.errors import cite_clauses, ensure
from pitbook.audit.procedure import betting_open

if TYPE_CHECKING:
    from pitbook.audit.books import Step
    from pitbook.audit.state import Body, Moves, State, Who


NO_ROLL = "no-roll"
"""The irregularity of a roll that does not count, in a book that has one."""


def shooter_named(state: State, event: Body, _who: Who) -> Moves:
    ensure(state.book.craps, "only craps has a shooter")
    ensure(state.shooter is None, f"{state.shooter} has the dice", "order")
    ensure(betting_open(state), "the dice go on before the roll is settled", "order")
    state.shooter = event["shooter"]
    _note_passed(state)
    return []


def dice_passed(state: State, _event: Body, who: Who) -> Moves:
    ensure(state.shooter is not None, f"{who.name} passed the dice, and nobody has them", "order")
    come_out = state.point is None and betting_open(state)
    ensure(come_out and not state.power_failed, "the dice are passed before a come-out roll only", "order")
    state.shooter = None
    _note_passed(state)
    return []


def _note_passed(state: State) -> None:
    """Note that somebody else gets the dice: an unsettled roll is no longer put right."""
    if state.before is not None:
        state.before.passed = True


def check_line_bet(state: State, step: Step) -> None:
    """Check that the shooter of a come-out roll has one of the bets that the book asks for."""
    if not step.needs_bet or state.point is not None or state.automatic:
        return
    shooter = state.shooter or ""
    has = any(state.on(shooter, wager) for wager in step.needs_bet)
    rule = cite_clauses(step.needs_bet_clauses)
    ensure(has, f"{shooter} shoots a come-out roll without a bet on {' or '.join(step.needs_bet)} ({rule})")


def roll_cancelled(state: State, _event: Body, who: Who) -> Moves:
    ensure(state.book.craps, "only a roll of craps is called no roll")
    rolling = state.shooter is not None and betting_open(state) and not state.power_failed
    ensure(rolling, f"{who.name} called no roll, and no roll was under way", "order")
    called = NO_ROLL not in state.book.irregularities or state.last == "IrregularityCalled"
    ensure(called, f"{who.name} cancelled a roll, and nobody called {NO_ROLL}", "order")
    return []
