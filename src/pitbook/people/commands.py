"""Commands about the people of the house, in the imperative."""

from __future__ import annotations

from typing import Literal

import msgspec

from pitbook.messages import Message
from pitbook.people.values import Factor, Grant, LostPart, Policy


class Command(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """A command to the house."""


# ---------------------------------------------------------------- accounts and roles, by a manager


class AddPerson(Command, frozen=True):
    """Create an account with its roles; the server adds the first manager."""

    name: str
    shown: str
    roles: tuple[Grant, ...] = ()


class Register(Command, frozen=True):
    """Create an account for a visitor, as a player, where the house allows it."""

    name: str
    shown: str
    tables: tuple[str, ...] = ()
    """The only tables where a guest may play; none for the whole house."""


class GiveRole(Command, frozen=True):
    """Grant a role, at one table or in the whole house."""

    person: str
    role: str
    table: str | None = None


class TakeRole(Command, frozen=True):
    """Revoke a role exactly as it was granted."""

    person: str
    role: str
    table: str | None = None


class Deactivate(Command, frozen=True):
    """Close an account."""

    person: str
    words: str


class Reactivate(Command, frozen=True):
    """Reopen an account with the roles that it had."""

    person: str


class ResetFactors(Command, frozen=True):
    """Remove all second factors of another person, who has lost them."""

    person: str
    words: str


class SetPolicy(Command, frozen=True):
    """Set the house policy."""

    policy: Policy


class ChooseLanguage(Command, frozen=True):
    """Choose the language of one's pages; None for the browser's."""

    language: str | None


class AcceptClock(Command, frozen=True):
    """Accept the current clock as a manager after it, or the record, was wrong."""

    words: str
    jumped: float = 0.0
    """How many seconds the clock had jumped."""
    ahead: tuple[str, ...] = ()
    """The streams whose last recorded time is ahead of the clock."""


# ---------------------------------------------------------------- webhooks, by a manager


class AddWebhook(Command, frozen=True):
    """Have entries on some topics sent to an address."""

    id: str
    url: str
    topics: tuple[str, ...]


class RemoveWebhook(Command, frozen=True):
    """Stop sending to an address."""

    id: str


class PauseWebhook(Command, frozen=True):
    """Send nothing to an address until it is resumed; messages wait."""

    id: str


class ResumeWebhook(Command, frozen=True):
    """Send to an address again, beginning with what has waited."""

    id: str


class ChangeWebhookSecret(Command, frozen=True):
    """Record that a webhook has a new secret, never the secret."""

    id: str


# ---------------------------------------------------------------- a player's own limits


class SetLimits(Command, frozen=True):
    """Set all of a player's limits; limits that are not listed are removed.

    A tighter limit applies at once, a looser one or none after a day.
    """

    loss_per_day: dict[str, int] = {}
    seconds_per_day: int | None = None
    stake_at_once: dict[str, int] = {}


class KeepLimits(Command, frozen=True):
    """Cancel a pending loosening of limits."""


class Exclude(Command, frozen=True):
    """Exclude oneself from play until a time or (None) permanently; managers may extend an exclusion."""

    until: str | None
    person: str | None = None
    """Whose exclusion a manager extends; None for one's own."""


# ---------------------------------------------------------------- acts that need two persons


class AskApproval(Command, frozen=True):
    """Ask for the approval of a command by a second person."""

    id: str
    table: str
    command: str
    """The command as canonical JSON."""
    by_role: str
    needs: tuple[str, ...]
    words: str = ""
    player: str | None = None
    """The player whose consent is enough as well."""


class GiveApproval(Command, frozen=True):
    """Approve as a second person."""

    id: str


class RefuseApproval(Command, frozen=True):
    """Refuse as a second person."""

    id: str
    words: str = ""


class WithdrawApproval(Command, frozen=True):
    """Withdraw one's own request."""

    id: str


class UseApproval(Command, frozen=True):
    """Record that the server has executed what was approved.

    The command's idempotency key is made from the approval's id, so that the table executes it once however often it is
    sent; this then records in which entry.
    """

    id: str
    sequence: int


# ---------------------------------------------------------------- what the server observed


class RecordSignIn(Command, frozen=True):
    """Record a sign-in."""

    person: str
    how: str
    address: str = ""
    agent: str = ""


class RecordSignInFailure(Command, frozen=True):
    """Record a failed sign-in, never what was tried."""

    name: str
    address: str
    why: str


class RecordSignOut(Command, frozen=True):
    """Record a sign-out."""

    person: str


class RecordSessionEnd(Command, frozen=True):
    """Record that a session ended, by time or by someone else."""

    person: str
    words: str


class RecordDenied(Command, frozen=True):
    """Record a request that was denied."""

    person: str
    role: str
    table: str | None
    asked: str
    why: Message | str
    """A message, or a sentence of an older command."""


class RecordPasswordSet(Command, frozen=True):
    """Record that a password was set, by its owner or by another."""

    person: str
    by: str


class RecordPinSet(Command, frozen=True):
    """Record that a witness's PIN was set or removed."""

    person: str
    is_set: bool


class RecordFactorAdded(Command, frozen=True):
    """Record that a person has a new second factor, never its secret."""

    person: str
    factor: Factor


class RecordFactorRemoved(Command, frozen=True):
    """Record that a person removed a second factor."""

    person: str
    id: str


class RecordRecoveryCodes(Command, frozen=True):
    """Record that a person has new recovery codes, which replace all others."""

    person: str
    count: int


class RecordFactorUsed(Command, frozen=True):
    """Record that a person confirmed with a second factor."""

    person: str
    id: str | None
    """None for a recovery code."""
    left: int | None = None
    """How many recovery codes are left."""


class RecordFactorLock(Command, frozen=True):
    """Record that a person's second factors are locked after failed attempts."""

    person: str
    failures: int
    until: str


class RecordUnlock(Command, frozen=True):
    """Record that a person unlocked a session."""

    person: str
    how: str


class RecordToken(Command, frozen=True):
    """Record that an API token was made or revoked; its id, never its text."""

    person: str
    token: str
    name: str
    scopes: tuple[str, ...]
    done: Literal["made", "revoked"]


class RecordAlarm(Command, frozen=True):
    """Record that an alarm was raised, for the webhooks that follow alarms."""

    id: str
    kind: str
    table: str | None
    words: str


class RecordAlarmEnd(Command, frozen=True):
    """Record that an alarm has ended."""

    id: str


class RecordServerStart(Command, frozen=True):
    """Record the start of a server process."""

    process: str
    version: str
    clean_before: bool
    """Whether earlier processes stopped in order or still run; otherwise they count as crashed."""


class RecordServerStop(Command, frozen=True):
    """Record the orderly stop of a server process."""

    process: str


class AcceptLoss(Command, frozen=True):
    """Accept that signed entries are lost."""

    lost: tuple[LostPart, ...]
    words: str


COMMANDS: tuple[type[Command], ...] = tuple(Command.__subclasses__())
"""All commands."""
