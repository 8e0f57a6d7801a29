"""Shooters: to whom the dice go, and rolls that do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.details import cite_clauses
from pitbook.audit.errors import ensure
from pitbook.audit.procedure import betting_open

if TYPE_CHECKING:
    from pitbook.audit.books import Step
    from pitbook.audit.state import Actor, Body, Moves, State


NO_ROLL = "no-roll"
"""The irregularity of a roll that does not count, in a book that has one."""


def shooter_named(state: State, event: Body, _who: Actor) -> Moves:
    ensure(state.book.craps, "craps-shooter")
    ensure(state.shooter is None, "has-the-dice", "order", shooter=state.shooter)
    ensure(betting_open(state), "dice-move-on", "order")
    due = _offered(state)
    ensure(due in (None, event["shooter"]), "other-shooter", "order", due=due, shooter=event["shooter"])
    state.shooter = state.last_shooter = event["shooter"]
    state.refused = []
    _note_passed(state)
    return []


def _offered(state: State) -> str | None:
    """Return who at the rail comes next after the last shooter and has not refused; None where nobody is left."""
    places = len(state.rail)
    start = state.rail.index(state.last_shooter) + 1 if state.last_shooter in state.rail else 0
    for step in range(places):
        name = state.rail[(start + step) % places]
        if name not in state.refused:
            return name
    return None


def rail_joined(state: State, event: Body, _who: Actor) -> Moves:
    ensure(state.book.craps, "craps-rail")
    ensure(event["player"] not in state.rail, "at-rail", player=event["player"])
    ensure(0 <= event["place"] <= len(state.rail), "no-place", place=event["place"])
    state.rail.insert(event["place"], event["player"])
    return []


def rail_left(state: State, event: Body, _who: Actor) -> Moves:
    ensure(event["player"] in state.rail, "not-at-rail", player=event["player"])
    state.rail.remove(event["player"])
    return []


def dice_refused(state: State, event: Body, _who: Actor) -> Moves:
    due = _offered(state) if state.shooter is None else None
    ensure(due == event["player"], "refused-dice", "order", player=event["player"], due=due)
    state.refused.append(event["player"])
    return []


def dice_passed(state: State, _event: Body, who: Actor) -> Moves:
    ensure(state.shooter is not None, "passed-no-dice", "order", who=who.name)
    come_out = state.point is None and betting_open(state)
    ensure(come_out and not state.power_failed, "passed-come-out", "order")
    state.shooter = None
    _note_passed(state)
    return []


def _note_passed(state: State) -> None:
    """Note that someone else gets the dice: an unsettled roll can no longer be corrected."""
    if state.before is not None:
        state.before.passed = True


def check_line_bet(state: State, step: Step) -> None:
    """Check that the shooter of a come-out roll has one of the bets that the book asks for."""
    if not step.needs_bet or state.point is not None or state.automatic:
        return
    shooter = state.shooter or ""
    has = any(state.on(shooter, wager) for wager in step.needs_bet)
    rule = cite_clauses(step.needs_bet_clauses)
    ensure(has, "no-line-bet", shooter=shooter, bets=step.needs_bet, rule=rule)


def roll_cancelled(state: State, _event: Body, who: Actor) -> Moves:
    ensure(state.book.craps, "no-roll-craps")
    rolling = state.shooter is not None and betting_open(state) and not state.power_failed
    ensure(rolling, "no-roll-none", "order", who=who.name)
    called = NO_ROLL not in state.book.irregularities or state.last == "IrregularityCalled"
    ensure(called, "cancelled", "order", who=who.name, name=NO_ROLL)
    return []
