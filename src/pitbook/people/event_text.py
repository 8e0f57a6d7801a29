"""The house's events as sentences, and short summaries of commands about people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.people import commands as c
from pitbook.people import events as e
from pitbook.people.limits import SECONDS, STAKE, describe_until
from pitbook.people.names import shorten
from pitbook.people.values import Grant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.people.values import Limits, Pending, Policy

LONGEST = 160

ASKED: dict[type[c.Command], str] = {
    c.AddPerson: "add {0.name}",
    c.Register: "register as “{0.name}”",
    c.GiveRole: "make {0.person} {role}",
    c.TakeRole: "have {0.person} be no longer {role}",
    c.Deactivate: "deactivate {0.person}",
    c.Reactivate: "reactivate {0.person}",
    c.SetPolicy: "set the policy",
    c.ChooseLanguage: "choose the language {0.language}",
    c.AcceptClock: "accept the present clock",
    c.SetLimits: "set limits",
    c.KeepLimits: "keep the limits",
    c.Exclude: "have {whom} excluded",
    c.AskApproval: "have an act at {0.table} approved",
    c.GiveApproval: "give the approval {0.id}",
    c.RefuseApproval: "refuse the approval {0.id}",
    c.WithdrawApproval: "withdraw the approval {0.id}",
    c.UseApproval: "use the approval {0.id}",
    c.RecordSignIn: "record that {0.person} signed in",
    c.RecordSignInFailure: "record a failed sign-in",
    c.RecordSignOut: "record that {0.person} signed out",
    c.RecordSessionEnd: "record that a session of {0.person} ended",
    c.RecordDenied: "record what {0.person} was denied",
    c.RecordPasswordSet: "record that the password of {0.person} was set",
    c.RecordPinSet: "record that the PIN of {0.person} was set",
    c.RecordToken: "record a token of {0.person}",
    c.RecordServerStart: "record that the server started",
    c.RecordServerStop: "record that the server stopped",
    c.AcceptLoss: "accept the loss of entries",
}

TOLD: dict[type[e.Event], str] = {
    e.PersonAdded: "{who} adds {0.name} (“{0.shown}”){roles}",
    e.PersonRegistered: "{who} registers as {0.name} (“{0.shown}”), a player",
    e.RoleGiven: "{who} makes {0.person} {role}",
    e.RoleTaken: "{who} takes from {0.person} the role of {role}",
    e.PersonDeactivated: "{who} deactivates {0.person}: “{0.words}”",
    e.PersonReactivated: "{who} reactivates {0.person}",
    e.ApprovalAsked: "{who} asks for approval of an act at {0.table} ({0.id}){words}",
    e.ApprovalGiven: "{who} approves it ({0.id})",
    e.ApprovalRefused: "{who} does not approve it ({0.id}){words}",
    e.ApprovalWithdrawn: "{who} withdraws the request for approval ({0.id})",
    e.ApprovalExpired: "nobody answered in time: the request for approval is over ({0.id})",
    e.ApprovalUsed: "what was approved is done, in entry {0.sequence} of its table ({0.id})",
    e.SignedOut: "{0.person} signs out",
    e.SessionEnded: "a session of {0.person} ends: {0.words}",
    e.TokenRevoked: "the token {0.token} (“{0.name}”) of {0.person} is revoked",
    e.ServerStopped: "the server process {0.process} stops",
}
"""Where more is to be said, `_more` says it."""


def tell(event: e.Event, who: str) -> list[str]:
    """Return a sentence about an event, and its details."""
    template = TOLD.get(type(event))
    if template is None:
        return _more(event, who)
    words = getattr(event, "words", "")
    role = str(Grant(event.role, event.table)) if isinstance(event, e.RoleGiven | e.RoleTaken) else ""
    roles = f", {_list(map(str, event.roles))}" if isinstance(event, e.PersonAdded) and event.roles else ""
    return [template.format(event, who=who, role=role, roles=roles, words=f": “{words}”" if words else "")]


def _describe_schedule(policy: Policy) -> str:
    """Return the parts of a policy that are mentioned only if they are set."""
    shifts = f"; shifts begin at {', '.join(policy.shifts)} ({policy.timezone})" if policy.shifts else ""
    references = "; approvals are recorded with reference and date" if policy.approval_references else ""
    return references + ("; bets for players with accounts need consent" if policy.bet_consent else "") + shifts


def _more(event: e.Event, who: str) -> list[str]:
    match event:
        case e.PolicySet(policy=policy):
            visitors = "may" if policy.registration else "may not"
            money = "may be" if policy.real_money_automatic else "are not"
            witness = "confirms it" if policy.witness == "confirmed" else "is named"
            return [
                f"{who} sets the policy: visitors {visitors} register; automatic tables {money} opened for real money; "
                f"a witness {witness}{_describe_schedule(policy)}"
            ]
        case e.LanguageChosen(language=language):
            return [f"{who} chooses the language {language}" if language else f"{who} leaves the language open"]
        case e.ClockAccepted(at=at, words=words, jumped=jumped, ahead=ahead):
            far = f"; the clock had jumped by {jumped:,.0f} s" if jumped else ""
            wrong = f"; the record was ahead of it: {_list(ahead)}" if ahead else ""
            return [f"{who} accepts the clock, {at}{far}{wrong}: “{words}”"]
        case e.LimitsSet(limits=limits, pending=pending):
            return [f"{who} sets limits: {_describe_limits(limits)}", *map(_describe_pending, pending)]
        case e.LooseningWithdrawn(limits=limits):
            return [f"{who} keeps the limits: {_describe_limits(limits)}"]
        case e.Excluded(person=person, until=until):
            return [f"{who} excludes {person} from play {describe_until(until)}"]
        case e.SignedIn(person=person, how=how, address=address, agent=agent):
            place = f" from {address}" if address else ""
            return [f"{person} signs in ({how}){place}", *([agent] if agent else [])]
        case e.PasswordSet(person=person, by=by):
            return [f"{person} sets a new password" if by == person else f"{by} sets a new password of {person}"]
        case e.PinSet(person=person, is_set=is_set):
            return [f"{person} {'sets a new' if is_set else 'removes the'} PIN"]
        case e.TokenMade(person=person, token=token, name=name, scopes=scopes):
            return [f"a token {token} (“{name}”) is made for {person}: {_list(scopes) or 'no scopes'}"]
        case e.ServerStarted(process=process, version=version, clean_before=clean):
            before = "" if clean else "; the one before it did not stop in order"
            return [f"the server process {process} starts, version {version}{before}"]
        case e.LossAccepted(lost=lost, words=words):
            return [f"{who} accepts the loss of signed entries: “{words}”", *map(str, lost)]
        case _:
            raise TypeError(f"nobody can tell {type(event).__name__}")


def asking(command: c.Command) -> str:
    """Return what a command asks for, to follow "asks to"; on one line, whatever names it contains.

    >>> asking(c.GiveRole("ann", "dealer", "t1"))
    'make ann dealer at t1'
    """
    role = str(Grant(command.role, command.table)) if isinstance(command, c.GiveRole | c.TakeRole) else ""
    whom = "themselves"
    if isinstance(command, c.Exclude) and command.person is not None:
        whom = f"{command.person} longer"
    return shorten(ASKED[type(command)].format(command, role=role, whom=whom), LONGEST)


def _list(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def _describe_limits(limits: Limits) -> str:
    kinds = ((limits.loss_per_day, "a day"), (limits.stake_at_once, "at stake at once"))
    parts = [f"{each} {money} (minor units) {when}" for amounts, when in kinds for money, each in amounts.items()]
    if limits.seconds_per_day is not None:
        parts.append(f"{limits.seconds_per_day} seconds a day")
    return _list(parts) or "none"


def _describe_pending(one: Pending) -> str:
    part = f"the loss limit in {one.part}"
    if one.part == SECONDS:
        part = "the limit of time"
    elif one.part.startswith(STAKE):
        part = f"the limit on stakes in {one.part.removeprefix(STAKE)}"
    value = "ends" if one.value is None else f"becomes {one.value}"
    return f"{part} {value} at {one.since}"
