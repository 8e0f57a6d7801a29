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
    due = _offered(state)
    ensure(
        due in (None, event["shooter"]), f"the dice were due to {due}, clockwise, not to {event['shooter']}", "order"
    )
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


def rail_joined(state: State, event: Body, _who: Who) -> Moves:
    ensure(state.book.craps, "only a craps table has a rail")
    ensure(event["player"] not in state.rail, f"{event['player']} stands at the rail already")
    ensure(0 <= event["place"] <= len(state.rail), f"the rail has no place {event['place']}")
    state.rail.insert(event["place"], event["player"])
    return []


def rail_left(state: State, event: Body, _who: Who) -> Moves:
    ensure(event["player"] in state.rail, f"{event['player']} was not at the rail")
    state.rail.remove(event["player"])
    return []


def dice_refused(state: State, event: Body, _who: Who) -> Moves:
    due = _offered(state) if state.shooter is None else None
    ensure(due == event["player"], f"{event['player']} refused dice that were offered to {due}", "order")
    state.refused.append(event["player"])
    return []


def dice_passed(state: State, _event: Body, who: Who) -> Moves:
    ensure(state.shooter is not None, f"{who.name} passed the dice, and nobody has them", "order")
    come_out = state.point is None and betting_open(state)
    ensure(come_out and not state.power_failed, "the dice are passed before a come-out roll only", "order")
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
    ensure(has, f"{shooter} shoots a come-out roll without a bet on {' or '.join(step.needs_bet)} ({rule})")


def roll_cancelled(state: State, _event: Body, who: Who) -> Moves:
    ensure(state.book.craps, "only a roll of craps is called no roll")
    rolling = state.shooter is not None and betting_open(state) and not state.power_failed
    ensure(rolling, f"{who.name} called no roll, and no roll was under way", "order")
    called = NO_ROLL not in state.book.irregularities or state.last == "IrregularityCalled"
    ensure(called, f"{who.name} cancelled a roll, and nobody called {NO_ROLL}", "order")
    return []
