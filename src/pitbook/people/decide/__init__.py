"""`decide`: from a command about people to events or a refusal. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pitbook.messages import Message
from pitbook.people import commands as c
from pitbook.people.command_summary import summarise
from pitbook.people.decide import accounts, approvals, factors, play, records, webhooks
from pitbook.people.decide.draft import Context, Draft
from pitbook.people.refusals import Reason, Refusal, Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.people.events import Event
    from pitbook.people.state import People

__all__ = ["HANDLERS", "Context", "decide"]

HANDLERS: dict[type[c.Command], Callable[[Draft, Any], None]] = {
    c.AddPerson: accounts.add_person,
    c.Register: accounts.register,
    c.GiveRole: accounts.give_role,
    c.TakeRole: accounts.take_role,
    c.Deactivate: accounts.deactivate,
    c.Reactivate: accounts.reactivate,
    c.ResetFactors: factors.reset,
    c.SetPolicy: accounts.set_policy,
    c.ChooseLanguage: accounts.choose_language,
    c.AcceptClock: accounts.accept_clock,
    c.AddWebhook: webhooks.add,
    c.RemoveWebhook: webhooks.remove,
    c.PauseWebhook: webhooks.pause,
    c.ResumeWebhook: webhooks.resume,
    c.ChangeWebhookSecret: webhooks.change_secret,
    c.SetLimits: play.set_limits,
    c.KeepLimits: play.keep_limits,
    c.Exclude: play.exclude,
    c.AskApproval: approvals.ask,
    c.GiveApproval: approvals.give,
    c.RefuseApproval: approvals.refuse,
    c.WithdrawApproval: approvals.withdraw,
    c.UseApproval: approvals.use,
    c.RecordSignIn: records.sign_in,
    c.RecordSignInFailure: records.sign_in_failure,
    c.RecordSignOut: records.sign_out,
    c.RecordSessionEnd: records.session_end,
    c.RecordDenied: records.denied,
    c.RecordPasswordSet: records.password_set,
    c.RecordPinSet: records.pin_set,
    c.RecordFactorAdded: factors.added,
    c.RecordFactorRemoved: factors.removed,
    c.RecordRecoveryCodes: factors.codes_made,
    c.RecordFactorUsed: factors.used,
    c.RecordFactorLock: factors.locked,
    c.RecordUnlock: factors.unlocked,
    c.RecordToken: records.token,
    c.RecordAlarm: webhooks.raise_alarm,
    c.RecordAlarmEnd: webhooks.end_alarm,
    c.RecordServerStart: records.server_start,
    c.RecordServerStop: records.server_stop,
    c.AcceptLoss: records.accept_loss,
}


def decide(people: People, command: c.Command, context: Context) -> tuple[Event, ...] | Refusal:
    """Return the events that a command leads to, or the refusal."""
    handler = HANDLERS.get(type(command))
    if handler is None:
        message = Message("refusals.people.unknown-command", {"command": type(command).__name__})
        return Refusal(Reason.UNKNOWN_COMMAND, message)
    draft = Draft(people, context)
    try:
        handler(draft, command)
    except Refused as refused:
        refusal = refused.refusal
        return refusal if refusal.asked else replace(refusal, asked=summarise(command))
    return tuple(draft.events)
