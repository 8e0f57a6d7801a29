"""Shooters: the rail, to whom the dice are offered, and who gets them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.irregularities import refuse_without_power
from pitbook.table.decide.rights import acting_for
from pitbook.table.refusals import Reason
from pitbook.table.state import betting_open, offered

if TYPE_CHECKING:
    from pitbook.table.decide.draft import Draft

PASS_THE_DICE = "pass-the-dice"
"""The reading on when a shooter gives up the dice, and to whom, where no clause says so."""


def _refuse(draft: Draft, message: str, **params: Any) -> NoReturn:
    """Refuse by the clauses on who gets the dice, or by the reading."""
    step = next((step for step in draft.rules.procedure.round if step.act == "roll"), None)
    clauses = step.passing if step else None
    draft.refuse(Reason.NOT_NOW, message, clauses or (), reading=None if clauses else PASS_THE_DICE, **params)


def _check_craps(draft: Draft) -> None:
    if not draft.table.craps:
        draft.refuse(Reason.NOT_IN_THE_BOOK, "rounds.craps-only")


def new_shooter(draft: Draft, command: c.NewShooter) -> None:
    """Give the dice to a player; if there are players at the rail, to the one to whom they are offered."""
    _check_craps(draft)
    table = draft.table
    if not betting_open(table):
        _refuse(draft, "rounds.shooter-after-roll")
    if table.shooter is not None:
        _refuse(draft, "rounds.has-dice", shooter=table.shooter)
    if not command.shooter.strip():
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.name-shooter")
    next_one = offered(table)
    if next_one is not None and command.shooter != next_one:
        _refuse(draft, "rounds.offered", player=next_one)
    draft.emit(e.ShooterNamed(command.shooter))


def pass_dice(draft: Draft, _command: c.PassDice) -> None:
    """Let the shooter give up the dice before a come-out roll."""
    _check_craps(draft)
    table = draft.table
    if table.power_failed:
        refuse_without_power(draft, "rounds.power-failed")
    if table.shooter is None or (draft.person.role in ("player", "shooter") and draft.person.name != table.shooter):
        _refuse(draft, "rounds.only-shooter-passes")
    if table.point is not None or not betting_open(table):
        _refuse(draft, "rounds.pass-when")
    draft.emit(e.DicePassed())


def join_rail(draft: Draft, command: c.JoinRail) -> None:
    """Give a player a place at the rail."""
    _check_craps(draft)
    name, rail = acting_for(draft, command.player), draft.table.rail
    if name in rail:
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.at-rail", player=name)
    if command.after is not None and command.after not in rail:
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.not-at-rail", player=command.after)
    place = len(rail) if command.after is None else rail.index(command.after) + 1
    draft.emit(e.RailJoined(name, place))


def leave_rail(draft: Draft, command: c.LeaveRail) -> None:
    """Give up a player's place at the rail."""
    _check_craps(draft)
    name = acting_for(draft, command.player)
    if name not in draft.table.rail:
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.not-at-rail", player=name)
    draft.emit(e.RailLeft(name))


def refuse_dice(draft: Draft, command: c.RefuseDice) -> None:
    """Record that a player does not want the dice; they are offered to the next one."""
    _check_craps(draft)
    name, next_one = acting_for(draft, command.player), offered(draft.table)
    if name != next_one:
        if next_one is None:
            _refuse(draft, "rounds.offered-nobody")
        _refuse(draft, "rounds.offered", player=next_one)
    draft.emit(e.DiceRefused(name))
