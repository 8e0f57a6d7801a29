"""Apply events to the people of a house, without any checks."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from msgspec.structs import replace

from pitbook.people import events as e
from pitbook.people.names import fold_name
from pitbook.people.state import FINISHED_MAX, RUNNING_MAX, Account, Approval, OpenAlarm, People, Standing
from pitbook.people.values import Grant
from pitbook.table.people import PLAYER


def evolve(people: People, event: e.Event) -> People:
    """Return the people after one event."""
    return _evolve(event, people)


@singledispatch
def _evolve(event: e.Event, people: People) -> People:
    if isinstance(event, WITHOUT_EFFECT):
        return people
    raise TypeError(f"no house knows {type(event).__name__}")


WITHOUT_EFFECT = (
    e.SignedIn, e.SignedOut, e.SessionEnded, e.PasswordSet, e.PinSet, e.TokenMade, e.TokenRevoked,
    e.FactorsLocked, e.FactorUsed, e.RecoveryCodesMade, e.RecoveryCodeUsed, e.SessionUnlocked,
    e.WebhookSecretChanged, e.LossAccepted,
)  # fmt: skip
"""Events that are only for the record."""


@_evolve.register
def evolve_person_added(event: e.PersonAdded, people: People) -> People:
    return _with_account(people, Account(event.name, event.shown, event.at, event.roles))


@_evolve.register
def evolve_person_registered(event: e.PersonRegistered, people: People) -> People:
    roles = tuple(Grant(PLAYER, table) for table in event.tables) or (Grant(PLAYER),)
    return _with_account(people, Account(event.name, event.shown, event.at, roles))


@_evolve.register
def evolve_role_given(event: e.RoleGiven, people: People) -> People:
    roles = people.accounts[fold_name(event.person)].roles
    return _change_account(people, event.person, roles=(*roles, Grant(event.role, event.table)))


@_evolve.register
def evolve_role_taken(event: e.RoleTaken, people: People) -> People:
    roles = people.accounts[fold_name(event.person)].roles
    taken = Grant(event.role, event.table)
    return _change_account(people, event.person, roles=tuple(grant for grant in roles if grant != taken))


@_evolve.register
def evolve_person_deactivated(event: e.PersonDeactivated, people: People) -> People:
    return _change_account(people, event.person, active=False)


@_evolve.register
def evolve_person_reactivated(event: e.PersonReactivated, people: People) -> People:
    return _change_account(people, event.person, active=True)


@_evolve.register
def evolve_policy_set(event: e.PolicySet, people: People) -> People:
    return replace(people, policy=event.policy)


@_evolve.register
def evolve_factor_added(event: e.FactorAdded, people: People) -> People:
    factors = people.accounts[fold_name(event.person)].factors
    return _change_account(people, event.person, factors=(*factors, event.factor))


@_evolve.register
def evolve_factor_removed(event: e.FactorRemoved, people: People) -> People:
    factors = people.accounts[fold_name(event.person)].factors
    return _change_account(people, event.person, factors=tuple(one for one in factors if one != event.factor))


@_evolve.register
def evolve_factors_reset(event: e.FactorsReset, people: People) -> People:
    return _change_account(people, event.person, factors=())


@_evolve.register
def evolve_language_chosen(event: e.LanguageChosen, people: People) -> People:
    return _change_account(people, event.person, language=event.language)


@_evolve.register
def evolve_clock_accepted(event: e.ClockAccepted, people: People) -> People:
    return replace(people, clock_accepted=event.at)


@_evolve.register
def evolve_limits_set(event: e.LimitsSet, people: People) -> People:
    return _change_account(people, event.person, limits=event.limits, pending=event.pending)


@_evolve.register
def evolve_loosening_withdrawn(event: e.LooseningWithdrawn, people: People) -> People:
    return _change_account(people, event.person, limits=event.limits, pending=())


@_evolve.register
def evolve_excluded(event: e.Excluded, people: People) -> People:
    return _change_account(people, event.person, excluded_until=event.until)


@_evolve.register
def evolve_approval_asked(event: e.ApprovalAsked, people: People) -> People:
    approval = Approval(
        id=event.id,
        table=event.table,
        command=event.command,
        asker=event.asker,
        by_role=event.by_role,
        needs=event.needs,
        words=event.words,
        asked=event.at,
        until=event.until,
        player=event.player,
    )
    return replace(people, approvals={**people.approvals, event.id: approval})


@_evolve.register
def evolve_approval_given(event: e.ApprovalGiven, people: People) -> People:
    given = replace(people.approvals[event.id], standing="given", by=event.by, role=event.role)
    return replace(people, approvals={**people.approvals, event.id: given})


@_evolve.register
def evolve_approval_refused(event: e.ApprovalRefused, people: People) -> People:
    return _finish_approval(people, event.id, "refused", by=event.by, role=event.role, answer=event.words)


@_evolve.register
def evolve_approval_withdrawn(event: e.ApprovalWithdrawn, people: People) -> People:
    return _finish_approval(people, event.id, "withdrawn")


@_evolve.register
def evolve_approval_expired(event: e.ApprovalExpired, people: People) -> People:
    return _finish_approval(people, event.id, "expired")


@_evolve.register
def evolve_approval_used(event: e.ApprovalUsed, people: People) -> People:
    return _finish_approval(people, event.id, "used", sequence=event.sequence)


@_evolve.register
def evolve_server_started(event: e.ServerStarted, people: People) -> People:
    running = people.running if event.clean_before else ()  # those that did not stop in order have crashed
    others = tuple(process for process in running if process != event.process)
    return replace(people, running=(*others, event.process)[-RUNNING_MAX:])


@_evolve.register
def evolve_server_stopped(event: e.ServerStopped, people: People) -> People:
    return replace(people, running=tuple(process for process in people.running if process != event.process))


@_evolve.register
def evolve_webhook_added(event: e.WebhookAdded, people: People) -> People:
    return replace(people, webhooks={**people.webhooks, event.webhook.id: event.webhook})


@_evolve.register
def evolve_webhook_removed(event: e.WebhookRemoved, people: People) -> People:
    return replace(people, webhooks={key: one for key, one in people.webhooks.items() if key != event.id})


@_evolve.register
def evolve_webhook_paused(event: e.WebhookPaused, people: People) -> People:
    return _pause_webhook(people, event.id, paused=True)


@_evolve.register
def evolve_webhook_resumed(event: e.WebhookResumed, people: People) -> People:
    return _pause_webhook(people, event.id, paused=False)


def _pause_webhook(people: People, webhook_id: str, *, paused: bool) -> People:
    changed = replace(people.webhooks[webhook_id], paused=paused)
    return replace(people, webhooks={**people.webhooks, webhook_id: changed})


@_evolve.register
def evolve_alarm_raised(event: e.AlarmRaised, people: People) -> People:
    return replace(people, alarms={**people.alarms, event.id: OpenAlarm(event.kind, event.table)})


@_evolve.register
def evolve_alarm_ended(event: e.AlarmEnded, people: People) -> People:
    return replace(people, alarms={key: one for key, one in people.alarms.items() if key != event.id})


def _with_account(people: People, account: Account) -> People:
    return replace(people, accounts={**people.accounts, fold_name(account.name): account})


def _change_account(people: People, name: str, **changes: Any) -> People:
    return _with_account(people, replace(people.accounts[fold_name(name)], **changes))


def _finish_approval(people: People, number: str, standing: Standing, **changes: Any) -> People:
    over = replace(people.approvals[number], standing=standing, **changes)
    left = {other: approval for other, approval in people.approvals.items() if other != number}
    return replace(people, approvals=left, finished=(*people.finished, over)[-FINISHED_MAX:])
