"""Suspended or failed automatic tables, and players' own limits there."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.draft import Allowance
from pitbook.table.decide.rights import need_role
from pitbook.table.people import MANAGER
from pitbook.table.refusals import Reason

if TYPE_CHECKING:
    from pitbook.table.decide.draft import Draft

NO_REASON = "no reason given"
ELECTRONIC = "electronic-tumbler"
"""The name of the tumbler in a repair."""


def check_runs(draft: Draft) -> None:
    """Refuse to continue at an automatic table that is paused, or whose tumbler has failed."""
    table = draft.table
    if table.tumbler_failed is not None:
        draft.refuse(Reason.SUSPENDED, "tables.automatic.failed", _refer(draft)[1], words=table.tumbler_failed)
    if table.paused is not None:
        if draft.person.role == "player":  # people's words stay with the staff
            draft.refuse(Reason.SUSPENDED, "tables.automatic.paused")
        draft.refuse(Reason.SUSPENDED, "tables.automatic.paused-why", words=table.paused.words)


def check_countdown(draft: Draft) -> None:
    """Refuse commands that need open betting at or after the published end of a countdown.

    The electronic tumbler closes betting a little later, and after a stop of the machine much later.
    """
    draw = draft.table.draw
    if draw is None or draw.until is None:
        return
    if datetime.fromisoformat(draft.context.at) >= datetime.fromisoformat(draw.until):
        draft.refuse(Reason.BETTING_CLOSED, "bets.closed", draft.rules.forbids.late_bets or ())


def pause(draft: Draft, command: c.Pause) -> None:
    table = draft.table
    if table.paused is not None:
        draft.refuse(Reason.NOTHING_TO_DO, "tables.automatic.already-paused")
    if table.draw is not None and table.draw.closed is not None:
        draft.refuse(Reason.NOT_NOW, "tables.automatic.pause-when")
    left = None
    if table.draw is not None and table.draw.until is not None:
        until, now = (datetime.fromisoformat(text) for text in (table.draw.until, draft.context.at))
        left = max(0.0, (until - now).total_seconds())
    draft.emit(e.Paused(command.words.strip() or NO_REASON, left))


def unpause(draft: Draft, _command: c.Unpause) -> None:
    paused = draft.table.paused
    if paused is None:
        draft.refuse(Reason.NOTHING_TO_DO, "tables.automatic.not-paused")
    draft.emit(e.Unpaused(None if paused.left is None else later(draft.context.at, paused.left)))


def repair_tumbler(draft: Draft) -> None:
    """Repair the tumbler; as the texts do not cover it, by whomever they name for such cases, or above the dealers."""
    if draft.table.tumbler_failed is None:
        draft.refuse(Reason.NOTHING_TO_DO, "tables.automatic.not-failed")
    named, clauses = _refer(draft)
    if named and draft.person.role != MANAGER:
        need_role(draft, named, clauses)
    draft.emit(e.TumblerRepaired())


def _refer(draft: Draft) -> tuple[list[str], list[str]]:
    """Return the roles to which the book refers what it does not cover, and the clause."""
    rule = next((rule for rule in draft.rules.irregularities.values() if rule.remedy == "refer"), None)
    return (list(rule.presence), list(rule.clause)) if rule else ([], [])


def check_excluded(draft: Draft) -> Allowance:
    """Refuse a player who is excluded from play; return what the player's own limits allow."""
    handed = draft.context.allowance
    allowed = Allowance() if handed is None else handed()
    if allowed.excluded is not None:
        draft.refuse(Reason.EXCLUDED, allowed.excluded)
    return allowed


def check_allowance(draft: Draft, player: str) -> None:
    """Refuse a wager by a player who is excluded, and one beyond the limits that the player has set."""
    table, allowed = draft.table, check_excluded(draft)
    if table.automatic is None:
        return
    lying = sum(bet.amount for bet in table.bets.of(player))
    if allowed.stake_max is not None and lying > allowed.stake_max:
        most = draft.money(max(0, allowed.stake_max))
        draft.refuse(Reason.STAKE_LIMIT, "bets.stake-limit", player=player, most=most, lying=draft.money(lying))
    if allowed.lose_max is not None and lying > allowed.lose_max:
        left = draft.money(max(0, allowed.lose_max))
        draft.refuse(Reason.LOSS_LIMIT, "bets.loss-limit", player=player, left=left, lying=draft.money(lying))
    if allowed.seconds_max is not None and allowed.seconds_max <= 0:
        draft.refuse(Reason.TIME_LIMIT, "bets.time-limit", player=player)


def later(at: str, seconds: float) -> str:
    """Return the time a number of seconds after another."""
    return (datetime.fromisoformat(at) + timedelta(seconds=seconds)).isoformat(timespec="microseconds")
