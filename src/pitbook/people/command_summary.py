"""Summaries of refused commands about people, for the record."""

from __future__ import annotations

from typing import Any

from pitbook.messages import Message
from pitbook.people import commands as c
from pitbook.people.event_text import role_at
from pitbook.people.names import shorten

PLAIN: dict[type[c.Command], tuple[str, tuple[str, ...]]] = {
    c.AddPerson: ("add-person", ("name",)),
    c.Register: ("register", ("name",)),
    c.Deactivate: ("deactivate", ("person",)),
    c.Reactivate: ("reactivate", ("person",)),
    c.ResetFactors: ("reset-factors", ("person",)),
    c.SetPolicy: ("set-policy", ()),
    c.ChooseLanguage: ("language", ()),
    c.AcceptClock: ("accept-clock", ()),
    c.AddWebhook: ("add-webhook", ("url",)),
    c.RemoveWebhook: ("remove-webhook", ("id",)),
    c.PauseWebhook: ("pause-webhook", ("id",)),
    c.ResumeWebhook: ("resume-webhook", ("id",)),
    c.ChangeWebhookSecret: ("webhook-secret", ("id",)),
    c.SetLimits: ("set-limits", ()),
    c.KeepLimits: ("keep-limits", ()),
    c.AskApproval: ("ask-approval", ("table",)),
    c.GiveApproval: ("give-approval", ("id",)),
    c.RefuseApproval: ("refuse-approval", ("id",)),
    c.WithdrawApproval: ("withdraw-approval", ("id",)),
    c.UseApproval: ("use-approval", ("id",)),
    c.AcceptLoss: ("accept-loss", ()),
}
"""The message of a command, and the fields that are its parameters."""


def summarise(command: c.Command) -> Message:
    """Return a summary of a command; names in it are on one line and not too long.

    >>> summarise(c.GiveRole("ann", "dealer", "t1")).text()
    'give ann the role of dealer at t1'
    """
    match command:
        case c.GiveRole() | c.TakeRole():
            role = role_at(shorten(command.role), None if command.table is None else shorten(command.table))
            kind = "give-role" if isinstance(command, c.GiveRole) else "take-role"
            return _say(kind, person=shorten(command.person), role=role)
        case c.Exclude(person=None):
            return _say("exclude")
        case c.Exclude(person=str(person)):
            return _say("exclude-longer", person=shorten(person))
        case _ if type(command) in PLAIN:
            id, fields = PLAIN[type(command)]  # noqa: A001
            return _say(id, **{name: shorten(getattr(command, name)) for name in fields})
        case _:
            return _say("record", what=type(command).__name__)


def _say(id: str, /, **params: Any) -> Message:  # noqa: A002
    return Message(f"commands.house.{id}", params)
