"""The values that commands, events and the state of people share."""

from __future__ import annotations

import msgspec

from pitbook.table.commands import Witness
from pitbook.table.people import PLAYER

PATRONS = (PLAYER, "shooter")
"""Roles of those who play; all others but the auditor's work for the house."""


class Grant(msgspec.Struct, frozen=True, order=False):
    """A role that somebody holds: at one table, or (None) in the whole house."""

    role: str
    table: str | None = None

    def covers(self, role: str, table: str | None) -> bool:
        """Whether it lets its holder act in a role at a table; None: in the whole house."""
        return self.role == role and self.table in (None, table)

    def meets(self, other: Grant) -> bool:
        """Whether there is a table at which both hold."""
        return self.table is None or other.table is None or self.table == other.table

    def __str__(self) -> str:
        return self.role if self.table is None else f"{self.role} at {self.table}"


class Limits(msgspec.Struct, frozen=True):
    """What a player allows themselves at automatic tables on one day; what is not named has no limit."""

    loss_per_day: dict[str, int] = {}
    """By currency, in minor units."""
    seconds_per_day: int | None = None
    stake_at_once: dict[str, int] = {}
    """The most that may lie at one time, at all automatic tables together; by currency, in minor units."""


class Pending(msgspec.Struct, frozen=True):
    """A limit that is to be loosened, and when."""

    part: str
    """A currency for what may be lost in it, `stake-` and a currency for what may lie, or `seconds`."""
    value: int | None
    """None: no limit any more."""
    since: str
    """From this time on it holds."""


class Policy(msgspec.Struct, frozen=True):
    """What the house allows."""

    registration: bool = False
    """Whether visitors may make accounts for themselves, as players."""
    real_money_automatic: bool = False
    """Whether automatic tables may be opened for real money."""
    witness: Witness = "named"
    """Whether naming a witness is enough, or the witness must confirm it."""
    approval_references: bool = False
    """Whether equipment that needs an approval is checked with its reference and date."""
    bet_consent: bool = False
    """Whether staff need the consent of a player with an account for bets too, not only for chips bought and cashed."""
    shifts: tuple[str, ...] = ()
    """The local times at which shifts begin, such as "06:00"; none: a shift begins when somebody starts it."""
    timezone: str = "UTC"
    """The IANA time zone of these times."""


class LostPart(msgspec.Struct, frozen=True):
    """Entries of a record that were signed and are not there any more."""

    table: str
    signed: int
    """How many entries were signed."""
    left: int
    """How many there are; as many or more where they are others than were signed."""

    def __str__(self) -> str:
        if self.left >= self.signed:
            return f"{self.table}: entry {self.signed} is another one"
        return f"{self.table}: entries {self.left + 1} to {self.signed}"
