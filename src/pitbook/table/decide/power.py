"""Power failures: players withdraw all their wagers or none, and play resumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.irregularities import added_since, return_parts, return_wagers
from pitbook.table.decide.rights import acting_for
from pitbook.table.refusals import Reason
from pitbook.table.state import betting_open

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.table.decide.draft import Draft


def withdraw(draft: Draft, command: c.Withdraw) -> None:
    name = acting_for(draft, command.player)
    if not draft.table.power_failed:
        draft.refuse(Reason.NOT_NOW, "bets.no-power-failure", _against_withdrawal(draft))
    mine = [bet for bet in draft.table.bets.values() if bet.player == name and bet.kind != "tip in the area"]
    bets = [bet for bet in mine if not bet.running]
    parts = added_since(draft.table, mine)
    if not bets and not parts:
        draft.refuse(Reason.NO_SUCH_BET, "bets.nothing-to-withdraw", player=name)
    event = e.PlayerWithdrew(name, tuple(bet.id for bet in bets), parts)
    draft.emit(event, *return_wagers(draft, bets, "withdrawn"), *return_parts(draft, parts, "withdrawn"))


def _against_withdrawal(draft: Draft) -> Sequence[str]:
    """Return the clauses by which play continues after a power failure, or wagers stay once betting is closed."""
    called = (draft.rules.irregularities[name] for name in draft.table.round.irregularities)
    after = next((rule for rule in called if rule.remedy == "finish the round" and rule.equipment is None), None)
    if after is not None:
        return after.clause
    return () if betting_open(draft.table) else draft.rules.forbids.late_changes or ()


def resume(draft: Draft, _command: c.Resume) -> None:
    if not draft.table.power_failed:
        draft.refuse(Reason.NOTHING_TO_DO, "bets.not-power-failed")
    draft.emit(e.PlayResumed())
