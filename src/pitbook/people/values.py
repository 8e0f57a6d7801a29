"""Values shared by commands, events and state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from pitbook.table.commands import Witness
from pitbook.table.people import AUDITOR, MANAGER, PLAYER

if TYPE_CHECKING:
    from collections.abc import Iterable

FactorKind: TypeAlias = Literal["totp", "passkey"]
"""An authenticator app with codes that change with time, or a passkey."""
Proof: TypeAlias = Literal["password", "pin", "factor"]
"""The ways to unlock a session."""

PATRONS = (PLAYER, "shooter")
"""Roles of players; all others, except the auditor's, work for the house."""


class Grant(msgspec.Struct, frozen=True, order=False):
    """A role at one table, or (None) in the whole house."""

    role: str
    table: str | None = None

    def covers(self, role: str, table: str | None) -> bool:
        """Return whether it allows to act in a role at a table, or in the whole house for None."""
        return self.role == role and self.table in (None, table)

    def overlaps(self, other: Grant) -> bool:
        """Return whether both apply at some table."""
        return self.table is None or other.table is None or self.table == other.table

    def __str__(self) -> str:
        return self.role if self.table is None else f"{self.role} at {self.table}"


class Limits(msgspec.Struct, frozen=True):
    """A player's own daily limits at automatic tables; what is missing has no limit."""

    loss_per_day: dict[str, int] = {}
    """By currency, in minor units."""
    seconds_per_day: int | None = None
    stake_at_once: dict[str, int] = {}
    """The most at stake at one time, at all automatic tables together; by currency, in minor units."""


class Pending(msgspec.Struct, frozen=True):
    """A limit that is to be loosened, and when."""

    part: str
    """A currency for losses in it, `stake-` and a currency for stakes, or `seconds`."""
    value: int | None
    """None for no limit."""
    since: str
    """When it applies."""


class Policy(msgspec.Struct, frozen=True):
    """House policy."""

    registration: bool = False
    """Whether visitors may register as players."""
    real_money_automatic: bool = False
    """Whether automatic tables may be opened for real money."""
    witness: Witness = "named"
    """Whether naming a witness is enough, or the witness must confirm."""
    approval_references: bool = False
    """Whether equipment that needs an approval is checked with its reference and date."""
    bet_consent: bool = False
    """Whether staff need a player's consent for bets, too, not only for chips bought and cashed."""
    shifts: tuple[str, ...] = ()
    """The local times at which shifts begin, such as "06:00"; if empty, staff start shifts."""
    timezone: str = "UTC"
    """The IANA time zone of these times."""
    factor_roles: tuple[str, ...] = (MANAGER, AUDITOR)
    """Holders of one of these roles, at any table, sign in with a second factor."""
    lock_minutes: int = 5
    """After so many minutes without input, a session of staff is locked; 0 for never."""
    unlock_with: tuple[Proof, ...] = ("password", "pin", "factor")
    """The accepted ways to unlock it."""

    def requires_factor(self, grants: Iterable[Grant]) -> bool:
        """Return whether a person with these roles needs a second factor."""
        return any(grant.role in self.factor_roles for grant in grants)


class Factor(msgspec.Struct, frozen=True):
    """A second factor of a person, without its secret."""

    id: str
    kind: FactorKind
    name: str
    """The name that its owner gave it."""


class Webhook(msgspec.Struct, frozen=True, omit_defaults=True):
    """An address to which entries of the record are sent."""

    id: str
    url: str
    topics: tuple[str, ...]
    since: str
    """When it was added."""
    paused: bool = False
    """Whether messages wait until a manager resumes it."""


class LostPart(msgspec.Struct, frozen=True):
    """Signed entries of a record that are missing."""

    table: str
    signed: int
    """How many entries were signed."""
    left: int
    """How many there are; as many or more if they differ from the signed ones."""

    def __str__(self) -> str:
        if self.left >= self.signed:
            return f"{self.table}: entry {self.signed} is another one"
        return f"{self.table}: entries {self.left + 1} to {self.signed}"
