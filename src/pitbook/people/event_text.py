"""The house's events as messages: a sentence each, and its details."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from pitbook.messages import Message, Money
from pitbook.people import events as e
from pitbook.people.limits import FOR_EVER, SECONDS, STAKE
from pitbook.people.values import Policy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pitbook.messages.values import Actor
    from pitbook.people.values import Grant, Limits, LostPart, Pending


def describe(event: e.Event, who: Actor) -> list[Message]:
    """Return a sentence about an event, and its details."""
    match event:
        case e.LimitsSet(limits=limits, pending=pending):
            return [_say("limits.set", who=who), *_limits(limits), *map(_later, pending)]
        case e.LooseningWithdrawn(limits=limits):
            return [_say("limits.kept", who=who), *_limits(limits)]
        case e.SignedIn(agent=agent):
            return [_signed_in(event), *([_say("session.agent", agent=agent)] if agent else [])]
        case e.LossAccepted(lost=lost, words=words):
            return [_say("server.loss", who=who, words=_quoted(words)), *map(_lost, lost)]
        case _:
            return [_describe_person(event, who)]


def role_at(role: str, table: str | None) -> Message:
    """Return a role, at one table or in the whole house."""
    return _say("person.role", role=role) if table is None else _say("person.role-at", role=role, table=table)


def _say(id: str, /, **params: Any) -> Message:  # noqa: A002
    return Message(f"events.house.{id}", params)


def _quoted(words: str) -> tuple[Message, ...]:
    return (Message("events.common.words", {"words": words}),) if words.strip() else ()


def _describe_person(event: e.Event, who: Actor) -> Message:
    match event:
        case e.PersonAdded(name=name, shown=shown, roles=()):
            return _say("person.added", who=who, name=name, shown=shown)
        case e.PersonAdded(name=name, shown=shown, roles=roles):
            return _say("person.added-roles", who=who, name=name, shown=shown, roles=_roles(roles))
        case e.PersonRegistered(name=name, shown=shown):
            return _say("person.registered", who=who, name=name, shown=shown)
        case e.RoleGiven(person=person, role=role, table=table):
            return _say("person.role-given", who=who, person=person, role=role_at(role, table))
        case e.RoleTaken(person=person, role=role, table=table):
            return _say("person.role-taken", who=who, person=person, role=role_at(role, table))
        case e.PersonDeactivated(person=person, words=words):
            return _say("person.deactivated", who=who, person=person, words=_quoted(words))
        case e.PersonReactivated(person=person):
            return _say("person.reactivated", who=who, person=person)
        case e.LanguageChosen(language=None):
            return _say("person.no-language", who=who)
        case e.LanguageChosen(language=str(language)):
            return _say("person.language", who=who, language=language)
        case e.Excluded(person=person, until=until):
            if until == FOR_EVER:
                return _say("limits.excluded-always", who=who, person=person)
            return _say("limits.excluded", who=who, person=person, until=until)
        case _:
            return _describe_approval(event, who)


def _describe_approval(event: e.Event, who: Actor) -> Message:
    match event:
        case e.ApprovalAsked(id=id, table=table, words=words):
            return _say("approval.asked", who=who, table=table, id=id, words=_quoted(words))
        case e.ApprovalGiven(id=id):
            return _say("approval.given", who=who, id=id)
        case e.ApprovalRefused(id=id, words=words):
            return _say("approval.refused", who=who, id=id, words=_quoted(words))
        case e.ApprovalWithdrawn(id=id):
            return _say("approval.withdrawn", who=who, id=id)
        case e.ApprovalExpired(id=id):
            return _say("approval.expired", id=id)
        case e.ApprovalUsed(id=id, sequence=sequence):
            return _say("approval.used", sequence=sequence, id=id)
        case _:
            return _describe_session(event, who)


def _describe_session(event: e.Event, who: Actor) -> Message:
    match event:
        case e.SignedOut(person=person):
            return _say("session.signed-out", person=person)
        case e.SessionEnded(person=person, words=words):
            return _say("session.ended", person=person, words=words)
        case e.PasswordSet(person=person, by=by):
            if by == person:
                return _say("session.password", person=person)
            return _say("session.password-by", person=person, by=by)
        case e.PinSet(person=person, is_set=is_set):
            return _say("session.pin-set" if is_set else "session.pin-removed", person=person)
        case e.SessionUnlocked(person=person, how=how):
            return _say("session.unlocked", person=person, how=how)
        case e.TokenMade(person=person, token=token, name=name, scopes=()):
            return _say("session.token-plain", token=token, name=name, person=person)
        case e.TokenMade(person=person, token=token, name=name, scopes=scopes):
            return _say("session.token", token=token, name=name, person=person, scopes=scopes)
        case e.TokenRevoked(person=person, token=token, name=name):
            return _say("session.token-revoked", token=token, name=name, person=person)
        case _:
            return _describe_factor(event, who)


def _describe_factor(event: e.Event, who: Actor) -> Message:
    match event:
        case e.FactorAdded(person=person, factor=factor):
            return _say("factor.added", person=person, kind=factor.kind, name=factor.name)
        case e.FactorRemoved(person=person, factor=factor):
            return _say("factor.removed", person=person, kind=factor.kind, name=factor.name)
        case e.FactorsReset(person=person, words=words):
            return _say("factor.reset", who=who, person=person, words=_quoted(words))
        case e.FactorsLocked(person=person, failures=failures, until=until):
            return _say("factor.locked", person=person, count=failures, until=until)
        case e.FactorUsed(person=person, kind=kind, name=name):
            return _say("factor.used", person=person, kind=kind, name=name)
        case e.RecoveryCodesMade(person=person, count=count):
            return _say("factor.codes", person=person, count=count)
        case e.RecoveryCodeUsed(person=person, left=left):
            return _say("factor.code-used", person=person, count=left)
        case _:
            return _describe_house(event, who)


def _describe_house(event: e.Event, who: Actor) -> Message:
    match event:
        case e.PolicySet(policy=policy):
            return _policy(policy, who)
        case e.ClockAccepted(at=at, words=words, jumped=jumped, ahead=ahead):
            more = [_say("clock.jumped", count=round(jumped))] if jumped else []
            more += [_say("clock.ahead", records=ahead)] if ahead else []
            return _say("clock.accepted", who=who, at=at, more=tuple(more), words=_quoted(words))
        case e.ServerStarted(process=process, version=version, clean_before=clean):
            return _say("server.started" if clean else "server.started-unclean", process=process, version=version)
        case e.ServerStopped(process=process):
            return _say("server.stopped", process=process)
        case _:
            return _describe_webhook(event, who)


def _describe_webhook(event: e.Event, who: Actor) -> Message:
    match event:
        case e.WebhookAdded(webhook=webhook):
            return _say("webhook.added", who=who, url=webhook.url, id=webhook.id, topics=webhook.topics)
        case e.WebhookRemoved(id=id, url=url):
            return _say("webhook.removed", who=who, url=url, id=id)
        case e.WebhookPaused(id=id, url=url):
            return _say("webhook.paused", who=who, url=url, id=id)
        case e.WebhookResumed(id=id, url=url):
            return _say("webhook.resumed", who=who, url=url, id=id)
        case e.WebhookSecretChanged(id=id, url=url):
            return _say("webhook.secret", who=who, url=url, id=id)
        case e.AlarmRaised(kind=kind, table=table, words=words):
            return _at(table, _say("webhook.alarm", kind=kind, words=words))
        case e.AlarmEnded(kind=kind, table=table):
            return _at(table, _say("webhook.alarm-ended", kind=kind))
        case _:
            raise TypeError(f"{type(event).__name__} has no message")


def _at(table: str | None, what: Message) -> Message:
    return what if table is None else _say("webhook.at", table=table, what=what)


def _roles(grants: Iterable[Grant]) -> Message:
    found = (role_at(grant.role, grant.table) for grant in grants)
    return reduce(lambda first, second: _say("person.role-and", first=first, second=second), found)


def _signed_in(event: e.SignedIn) -> Message:
    if not event.address:
        return _say("session.signed-in", person=event.person, how=event.how)
    return _say("session.signed-in-from", person=event.person, how=event.how, address=event.address)


def _policy(policy: Policy, who: Actor) -> Message:
    more = [_say("policy.references")] if policy.approval_references else []
    more += [_say("policy.consent")] if policy.bet_consent else []
    more += [_say("policy.shifts", times=policy.shifts, zone=policy.timezone)] if policy.shifts else []
    more += _sign_in_policy(policy)
    return _say(
        "policy.set",
        who=who,
        registration="yes" if policy.registration else "no",
        money="yes" if policy.real_money_automatic else "no",
        witness=policy.witness,
        more=tuple(more),
    )


def _sign_in_policy(policy: Policy) -> Iterator[Message]:
    """Yield what differs from the default, which also applies to policies from before there were second factors."""
    default = Policy()
    if not policy.factor_roles:
        yield _say("policy.no-factor")
    elif policy.factor_roles != default.factor_roles:
        yield _say("policy.factor", roles=policy.factor_roles)
    if not policy.lock_minutes:
        yield _say("policy.no-lock")
    elif (policy.lock_minutes, policy.unlock_with) != (default.lock_minutes, default.unlock_with):
        yield _say("policy.lock", count=policy.lock_minutes, proofs=policy.unlock_with)


def _limits(limits: Limits) -> list[Message]:
    return list(_limit_lines(limits)) or [_say("limits.none")]


def _limit_lines(limits: Limits) -> Iterator[Message]:
    for currency, amount in limits.loss_per_day.items():
        yield _say("limits.loss", most=Money(amount, currency))
    for currency, amount in limits.stake_at_once.items():
        yield _say("limits.stake", most=Money(amount, currency))
    if limits.seconds_per_day is not None:
        yield _say("limits.time", count=limits.seconds_per_day)


def _later(pending: Pending) -> Message:
    """Return how a limit is to be loosened, and when."""
    return _say("limits.later", limit=_loosened(pending), since=pending.since)


def _loosened(pending: Pending) -> Message:
    part, value = pending.part, pending.value
    if part == SECONDS:
        return _say("limits.time-ends") if value is None else _say("limits.time", count=value)
    kind, currency = ("stake", part.removeprefix(STAKE)) if part.startswith(STAKE) else ("loss", part)
    if value is None:
        return _say(f"limits.{kind}-ends", currency=currency)
    return _say(f"limits.{kind}", most=Money(value, currency))


def _lost(part: LostPart) -> Message:
    if part.left >= part.signed:
        return _say("server.differs", table=part.table, entry=part.signed)
    return _say("server.lost", table=part.table, first=part.left + 1, last=part.signed)
