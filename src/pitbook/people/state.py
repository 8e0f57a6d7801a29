"""The state of the house's people and approvals."""

from __future__ import annotations

from typing import Literal

import msgspec

from pitbook.people.names import fold_name
from pitbook.people.values import Factor, Grant, Limits, Pending, Policy, Webhook
from pitbook.table.people import MANAGER

FINISHED_MAX = 100
"""How many finished approvals are kept; the record has them all."""
RUNNING_MAX = 64
"""How many server processes are kept that have started and not stopped."""


class Account(msgspec.Struct, frozen=True):
    """A person's account."""

    name: str
    shown: str
    """The display name."""
    created: str
    roles: tuple[Grant, ...] = ()
    active: bool = True
    limits: Limits = Limits()
    """The limits as last set; `limits_at` returns those that apply."""
    pending: tuple[Pending, ...] = ()
    excluded_until: str | None = None
    language: str | None = None
    factors: tuple[Factor, ...] = ()
    """Second factors; the auth store has their secrets."""

    def holds(self, role: str, table: str | None = None) -> bool:
        """Return whether the person may act in a role at a table, or in the whole house for None."""
        return any(grant.covers(role, table) for grant in self.roles)

    @property
    def is_manager(self) -> bool:
        """Whether the person currently manages the whole house."""
        return self.active and self.holds(MANAGER)


Standing = Literal["waiting", "given", "refused", "withdrawn", "expired", "used"]


class Approval(msgspec.Struct, frozen=True):
    """A command that needs a second person."""

    id: str
    table: str
    command: str
    """The command as JSON."""
    asker: str
    by_role: str
    needs: tuple[str, ...]
    """The roles of which the second person must have one; `staff` means any at the table."""
    words: str
    asked: str
    until: str
    standing: Standing = "waiting"
    by: str | None = None
    """The person who gave or refused it, with the role."""
    role: str | None = None
    answer: str = ""
    """The reason for a refusal."""
    sequence: int | None = None
    """The table's entry in which it was done."""
    player: str | None = None
    """The player whose chips it moves, who may answer as well."""


class OpenAlarm(msgspec.Struct, frozen=True):
    """An alarm that was recorded and has not ended."""

    kind: str
    table: str | None


class People(msgspec.Struct, frozen=True):
    """All accounts, the house policy, and open approvals."""

    accounts: dict[str, Account] = {}
    """By folded name; use `find`."""
    policy: Policy = Policy()
    approvals: dict[str, Approval] = {}
    """Those that are pending, or given and not used, by id."""
    finished: tuple[Approval, ...] = ()
    running: tuple[str, ...] = ()
    """Server processes that have started and not stopped, according to the record."""
    clock_accepted: str | None = None
    """When a manager last accepted the clock after a jump."""
    webhooks: dict[str, Webhook] = {}
    """By id."""
    alarms: dict[str, OpenAlarm] = {}
    """Recorded alarms that have not ended, by id."""

    def find(self, name: str) -> Account | None:
        """Return the account of that name, however it is capitalised."""
        return self.accounts.get(fold_name(name))

    def managers(self) -> list[str]:
        """Return the names of those who currently manage the whole house."""
        return [account.name for account in self.accounts.values() if account.is_manager]

    def find_approval(self, id: str) -> Approval | None:  # noqa: A002
        """Return an approval that is open or was recently."""
        return self.approvals.get(id) or next((one for one in reversed(self.finished) if one.id == id), None)

    def find_given(self, id: str, at: str) -> Approval | None:  # noqa: A002
        """Return an approval that was given and may be acted on now."""
        found = self.approvals.get(id)
        return found if found and found.standing == "given" and at < found.until else None
