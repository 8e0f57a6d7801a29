"""What can be asked of the house about its people, in the imperative."""

from __future__ import annotations

from typing import Literal

import msgspec

from pitbook.people.values import Grant, LostPart, Policy


class Command(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Something asked of the house."""


# ---------------------------------------------------------------- accounts and roles, by a manager


class AddPerson(Command, frozen=True):
    """A new account with its roles. While nobody manages the house, the server adds its first manager."""

    name: str
    shown: str
    roles: tuple[Grant, ...] = ()


class Register(Command, frozen=True):
    """A visitor makes an account, as a player; where the house allows it."""

    name: str
    shown: str


class GiveRole(Command, frozen=True):
    """Somebody gets a role: at one table, or in the whole house."""

    person: str
    role: str
    table: str | None = None


class TakeRole(Command, frozen=True):
    """Somebody loses a role, exactly as it was given."""

    person: str
    role: str
    table: str | None = None


class Deactivate(Command, frozen=True):
    """Somebody may not act any more."""

    person: str
    words: str


class Reactivate(Command, frozen=True):
    """Somebody may act again, in the roles they held."""

    person: str


class SetPolicy(Command, frozen=True):
    """What the house allows from now on."""

    policy: Policy


class ChooseLanguage(Command, frozen=True):
    """The language in which somebody wants their pages; None: the browser's."""

    language: str | None


class AcceptClock(Command, frozen=True):
    """A manager accepts the present clock after it, or the record, was wrong: time continues from there."""

    words: str
    jumped: float = 0.0
    """By how many seconds the clock had jumped."""
    ahead: tuple[str, ...] = ()
    """The sequences whose last recorded time is ahead of the clock."""


# ---------------------------------------------------------------- a player's own limits


class SetLimits(Command, frozen=True):
    """All the limits that a player wants; what is not named shall have none.

    A tighter one holds at once. A looser one, or none, holds a day later.
    """

    loss_per_day: dict[str, int] = {}
    seconds_per_day: int | None = None
    stake_at_once: dict[str, int] = {}


class KeepLimits(Command, frozen=True):
    """A player takes back what was to be loosened and does not hold yet."""


class Exclude(Command, frozen=True):
    """A player shuts themselves out, at once, until a time or (None) for ever; a manager makes it longer."""

    until: str | None
    person: str | None = None
    """Whose exclusion a manager makes longer; None: one's own."""


# ---------------------------------------------------------------- acts that need two persons


class AskApproval(Command, frozen=True):
    """Somebody wants to do what needs a second person."""

    id: str
    table: str
    command: str
    """What is to be done, as canonical JSON."""
    by_role: str
    needs: tuple[str, ...]
    words: str = ""
    player: str | None = None
    """The player whose consent will do as well as a second person's."""


class GiveApproval(Command, frozen=True):
    """A second person approves."""

    id: str


class RefuseApproval(Command, frozen=True):
    """A second person does not."""

    id: str
    words: str = ""


class WithdrawApproval(Command, frozen=True):
    """Who asked does not want it any more."""

    id: str


class UseApproval(Command, frozen=True):
    """The server has done what was approved.

    It does so under a key that is made from the approval's id, so that the table does it once however often it is
    sent, and then records here in which entry it was done.
    """

    id: str
    sequence: int


# ---------------------------------------------------------------- what the server saw


class RecordSignIn(Command, frozen=True):
    """Somebody has proved who they are."""

    person: str
    how: str
    address: str = ""
    agent: str = ""


class RecordSignInFailure(Command, frozen=True):
    """Somebody has not. Never what they tried."""

    name: str
    address: str
    why: str


class RecordSignOut(Command, frozen=True):
    """Somebody has signed out."""

    person: str


class RecordSessionEnd(Command, frozen=True):
    """A session was ended, by time or by somebody else."""

    person: str
    words: str


class RecordDenied(Command, frozen=True):
    """Somebody asked for what they have no right to."""

    person: str
    role: str
    table: str | None
    asked: str
    why: str


class RecordPasswordSet(Command, frozen=True):
    """Somebody's password was set, by themselves or by another."""

    person: str
    by: str


class RecordPinSet(Command, frozen=True):
    """Somebody has set or removed the PIN with which they confirm to be a witness."""

    person: str
    is_set: bool


class RecordToken(Command, frozen=True):
    """A key for programs was made or revoked. Its id, never the key."""

    person: str
    token: str
    name: str
    scopes: tuple[str, ...]
    done: Literal["made", "revoked"]


class RecordServerStart(Command, frozen=True):
    """A process of the server has started."""

    process: str
    version: str
    clean_before: bool
    """Whether those before it stopped in order, or run beside it still; otherwise they are taken for dead."""


class RecordServerStop(Command, frozen=True):
    """A process of the server stops in order."""

    process: str


class AcceptLoss(Command, frozen=True):
    """Entries that were signed are lost, and the house goes on without them."""

    lost: tuple[LostPart, ...]
    words: str


COMMANDS: tuple[type[Command], ...] = tuple(Command.__subclasses__())
"""Every command there is."""
