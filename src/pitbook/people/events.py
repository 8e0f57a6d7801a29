"""Events about the people of a house, in the past tense, with all that the state needs."""

from __future__ import annotations

import msgspec

from pitbook.people.values import Factor, FactorKind, Grant, Limits, LostPart, Pending, Policy, Webhook


class Event(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """An event about people."""


class PersonAdded(Event, frozen=True):
    name: str
    shown: str
    roles: tuple[Grant, ...]
    at: str


class PersonRegistered(Event, frozen=True):
    """A visitor registered as a player."""

    name: str
    shown: str
    at: str
    tables: tuple[str, ...] = ()
    """The only tables where a guest may play; none for the whole house."""


class RoleGiven(Event, frozen=True):
    person: str
    role: str
    table: str | None


class RoleTaken(Event, frozen=True):
    person: str
    role: str
    table: str | None


class PersonDeactivated(Event, frozen=True):
    person: str
    words: str


class PersonReactivated(Event, frozen=True):
    person: str


class PolicySet(Event, frozen=True):
    policy: Policy


class LanguageChosen(Event, frozen=True):
    person: str
    language: str | None


class ClockAccepted(Event, frozen=True):
    """From here on time is the clock's, even if it is earlier than that of the previous entry."""

    at: str
    words: str
    jumped: float
    ahead: tuple[str, ...]


class LimitsSet(Event, frozen=True):
    """The limits that apply from now on, and pending looser ones."""

    person: str
    limits: Limits
    pending: tuple[Pending, ...]


class LooseningWithdrawn(Event, frozen=True):
    """The current limits stay."""

    person: str
    limits: Limits


class Excluded(Event, frozen=True):
    person: str
    until: str


class ApprovalAsked(Event, frozen=True):
    id: str
    table: str
    command: str
    asker: str
    by_role: str
    needs: tuple[str, ...]
    words: str
    at: str
    until: str
    player: str | None = None


class ApprovalGiven(Event, frozen=True):
    id: str
    by: str
    role: str


class ApprovalRefused(Event, frozen=True):
    id: str
    by: str
    role: str
    words: str


class ApprovalWithdrawn(Event, frozen=True):
    id: str


class ApprovalExpired(Event, frozen=True):
    id: str


class ApprovalUsed(Event, frozen=True):
    id: str
    sequence: int
    """The table's entry in which it was done."""


class SignedIn(Event, frozen=True):
    person: str
    how: str
    address: str
    agent: str


class SignedOut(Event, frozen=True):
    person: str


class SessionEnded(Event, frozen=True):
    person: str
    words: str


class PasswordSet(Event, frozen=True):
    person: str
    by: str


class PinSet(Event, frozen=True):
    person: str
    is_set: bool
    """False if the PIN was removed."""


class FactorAdded(Event, frozen=True):
    person: str
    factor: Factor


class FactorRemoved(Event, frozen=True):
    person: str
    factor: Factor


class FactorsReset(Event, frozen=True):
    """Someone else removed all second factors of a person."""

    person: str
    words: str


class FactorsLocked(Event, frozen=True):
    person: str
    failures: int
    until: str


class FactorUsed(Event, frozen=True):
    person: str
    kind: FactorKind
    name: str


class RecoveryCodesMade(Event, frozen=True):
    person: str
    count: int


class RecoveryCodeUsed(Event, frozen=True):
    person: str
    left: int


class SessionUnlocked(Event, frozen=True):
    person: str
    how: str


class TokenMade(Event, frozen=True):
    person: str
    token: str
    name: str
    scopes: tuple[str, ...]


class TokenRevoked(Event, frozen=True):
    person: str
    token: str
    name: str


class ServerStarted(Event, frozen=True):
    process: str
    version: str
    clean_before: bool


class ServerStopped(Event, frozen=True):
    process: str


class WebhookAdded(Event, frozen=True):
    webhook: Webhook


class WebhookRemoved(Event, frozen=True):
    id: str
    url: str


class WebhookPaused(Event, frozen=True):
    """Messages wait until the webhook is resumed."""

    id: str
    url: str


class WebhookResumed(Event, frozen=True):
    id: str
    url: str


class WebhookSecretChanged(Event, frozen=True):
    """A new secret signs what is sent; the former one does so, too, for a while."""

    id: str
    url: str


class AlarmRaised(Event, frozen=True):
    """An alarm for the webhooks that follow alarms."""

    id: str
    kind: str
    table: str | None
    words: str


class AlarmEnded(Event, frozen=True):
    id: str
    kind: str
    table: str | None


class LossAccepted(Event, frozen=True):
    lost: tuple[LostPart, ...]
    words: str


EVENTS: tuple[type[Event], ...] = tuple(Event.__subclasses__())
"""All kinds of events."""
