"""Shooters: to whom the dice go, and rolls that do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.errors import ensure
from pitbook.audit.procedure import betting_open

if TYPE_CHECKING:
    from pitbook.audit.state import Body, Moves, State, Who


def shooter_named(state: State, event: Body, _who: Who) -> Moves:
    ensure(state.book.craps, "only craps has a shooter")
    ensure(state.shooter is None, f"{state.shooter} has the dice", "order")
    ensure(betting_open(state), "the dice go on before the roll is settled", "order")
    state.shooter, state.before = event["shooter"], None
    return []


def dice_passed(state: State, _event: Body, who: Who) -> Moves:
    ensure(state.shooter is not None, f"{who.name} passed the dice, and nobody has them", "order")
    come_out = state.point is None and betting_open(state)
    ensure(come_out and not state.power_failed, "the dice are passed before a come-out roll only", "order")
    state.shooter, state.before = None, None
    return []


def roll_cancelled(state: State, _event: Body, who: Who) -> Moves:
    ensure(state.book.craps, "only a roll of craps is called no roll")
    rolling = state.shooter is not None and betting_open(state) and not state.power_failed
    ensure(rolling, f"{who.name} called no roll, and no roll was under way", "order")
    return []
