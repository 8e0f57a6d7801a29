"""`decide`: from a command to a table to events or a refusal. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pitbook.ledger.transfers import overdrawn
from pitbook.table import commands as c
from pitbook.table.command_summary import summarise
from pitbook.table.decide import (
    automatic,
    betting,
    chips,
    dealers,
    disputes,
    equipment,
    inspections,
    inventory,
    irregularities,
    power,
    rounds,
    rulings,
    setup,
    shooters,
    suspension,
)
from pitbook.table.decide.draft import Context, Decision, Draft, Refused
from pitbook.table.decide.rights import PLAYERS, check_role
from pitbook.table.refusals import Reason, Refusal, refuse

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.table.state import Table

__all__ = ["HANDLERS", "Context", "Decision", "decide"]

HANDLERS: dict[type[c.Command], Callable[[Draft, Any], None]] = {
    c.OpenTable: setup.open_table,
    c.ChangeSetup: setup.change_setup,
    c.CloseTable: setup.close_table,
    c.StartShift: setup.start_shift,
    c.StartDay: setup.start_day,
    c.PutDice: equipment.put_dice,
    c.TakeOutDice: equipment.take_out_dice,
    c.CheckEquipment: inspections.check_equipment,
    c.Inspect: inspections.inspect,
    c.TakeOver: dealers.take_over,
    c.LeaveTable: dealers.leave_table,
    c.PutAwayShaker: equipment.put_away_shaker,
    c.UseShaker: equipment.use_shaker,
    c.Repair: equipment.repair,
    c.BuyIn: chips.buy_in,
    c.CashOut: chips.cash_out,
    c.PlaceBets: betting.place_bets,
    c.TakeDown: betting.take_down,
    c.MoveBet: betting.move_bet,
    c.CallBets: betting.call_bets,
    c.ConfirmBets: betting.confirm_bets,
    c.RecordFound: betting.record_found,
    c.TakeStep: rounds.take_step,
    c.CorrectDice: rounds.correct_dice,
    c.NewShooter: shooters.new_shooter,
    c.PassDice: shooters.pass_dice,
    c.JoinRail: shooters.join_rail,
    c.LeaveRail: shooters.leave_rail,
    c.RefuseDice: shooters.refuse_dice,
    c.CallNoRoll: rounds.call_no_roll,
    c.Call: irregularities.call,
    c.Withdraw: power.withdraw,
    c.Resume: power.resume,
    c.RuleOnBet: rulings.rule_on_bet,
    c.RuleInWords: rulings.rule_in_words,
    c.Dispute: disputes.dispute,
    c.SettleDispute: disputes.settle_dispute,
    c.ProposeResettlement: disputes.propose_resettlement,
    c.ApproveResettlement: rounds.approve_resettlement,
    c.Count: inventory.count,
    c.Fill: inventory.fill,
    c.Credit: inventory.credit,
    c.CollectDrop: inventory.collect_drop,
    c.CorrectClock: automatic.correct_clock,
    c.CommitSeed: automatic.commit_seed,
    c.StartCountdown: automatic.start_countdown,
    c.GiveNonce: automatic.give_nonce,
    c.CloseBetting: automatic.close_betting,
    c.RevealSeed: automatic.reveal_seed,
    c.ReportTumbler: automatic.report_tumbler,
    c.Pause: suspension.pause,
    c.Unpause: suspension.unpause,
    c.ProposeVoid: automatic.propose_void,
    c.ApproveVoid: automatic.approve_void,
}


def decide(table: Table, command: c.Command, context: Context) -> Decision | Refusal:
    """Return the events and transfers that a command leads to, or the refusal; change nothing."""
    outcome = _decide(table, command, context)
    if not isinstance(outcome, Refusal):
        return outcome
    try:
        return replace(outcome, asked=summarise(command, table))
    except TypeError:  # a field does not have its declared type
        return outcome


def _decide(table: Table, command: c.Command, context: Context) -> Decision | Refusal:
    handler = HANDLERS.get(type(command))
    if handler is None:
        return refuse(Reason.UNKNOWN_COMMAND, "rights.unknown-command", command=type(command).__name__)
    last_word = isinstance(command, c.RevealSeed) and table.draw is not None  # of a round that was void at the close
    corrects = isinstance(command, c.CorrectClock) and table.setup is not None
    if not (table.open or last_word or corrects or isinstance(command, c.OpenTable)):
        return refuse(Reason.TABLE_NOT_OPEN, "rights.table-not-open")
    draft = Draft(table, context)
    try:
        if isinstance(command, c.OpenTable):
            if context.person.role != "manager":
                return refuse(Reason.WRONG_ROLE, "tables.manager-opens", role=context.person.role)
        else:
            check_role(draft, command)
            _check_step(draft, command)
        handler(draft, command)
    except Refused as refused:
        return refused.refusal
    decision = draft.decision()
    short = overdrawn(context.balances, decision.transfers)
    if short is not None:
        return refuse(Reason.NO_FUNDS, "bets.overdrawn", account=str(short))
    return decision


def _check_step(draft: Draft, command: c.Command) -> None:
    """Refuse a command of staff that was meant for another step: it is stale."""
    expected = draft.context.expected
    if expected is None or isinstance(command, PLAYERS):
        return
    now = (draft.table.round.number, draft.table.step)
    if expected != now:
        draft.refuse(
            Reason.STALE_STEP,
            "rights.stale",
            round=expected[0],
            step=expected[1],
            round_now=now[0],
            step_now=now[1],
        )
