"""The people of a house and what waits for a second person, as its record leaves them."""

from __future__ import annotations

from typing import Literal

import msgspec

from pitbook.people.names import folded
from pitbook.people.values import Grant, Limits, Pending, Policy
from pitbook.table.people import MANAGER

FINISHED_MAX = 100
"""So many approvals that are over are kept; the record has them all."""
RUNNING_MAX = 64
"""So many server processes are kept that have started and not said that they stopped."""


class Account(msgspec.Struct, frozen=True):
    """Somebody whom the house knows."""

    name: str
    shown: str
    """As others see them."""
    created: str
    roles: tuple[Grant, ...] = ()
    active: bool = True
    limits: Limits = Limits()
    """As last set. `limits_at` says which hold."""
    pending: tuple[Pending, ...] = ()
    excluded_until: str | None = None
    language: str | None = None

    def holds(self, role: str, table: str | None = None) -> bool:
        """Whether they may act in a role at a table; None: in the whole house."""
        return any(grant.covers(role, table) for grant in self.roles)

    @property
    def manages(self) -> bool:
        """Whether they manage the whole house at present."""
        return self.active and self.holds(MANAGER)


Standing = Literal["waiting", "given", "refused", "withdrawn", "expired", "used"]


class Approval(msgspec.Struct, frozen=True):
    """An act that needs a second person."""

    id: str
    table: str
    command: str
    """What is to be done, as JSON."""
    asker: str
    by_role: str
    needs: tuple[str, ...]
    """The roles of which the second person must have one; `staff` stands for any that works at the table."""
    words: str
    asked: str
    until: str
    standing: Standing = "waiting"
    by: str | None = None
    """Who gave or refused it, and in which role."""
    role: str | None = None
    answer: str = ""
    """The words with which it was refused."""
    sequence: int | None = None
    """The table's entry in which the act was done."""
    player: str | None = None
    """The player whose chips it moves, who may answer as well."""


class People(msgspec.Struct, frozen=True):
    """Everybody, the house's policy, and the approvals that are open."""

    accounts: dict[str, Account] = {}
    """By folded name; `find` looks one up."""
    policy: Policy = Policy()
    approvals: dict[str, Approval] = {}
    """Those that wait, or are given and not used, by their ids."""
    finished: tuple[Approval, ...] = ()
    running: tuple[str, ...] = ()
    """Server processes that have started and have not stopped, as far as the record knows."""
    clock_accepted: str | None = None
    """When a manager last accepted the clock after a jump."""

    def find(self, name: str) -> Account | None:
        """The account of that name, however it is capitalised."""
        return self.accounts.get(folded(name))

    def managers(self) -> list[str]:
        """Those who manage the whole house at present."""
        return [account.name for account in self.accounts.values() if account.manages]

    def approval(self, id: str) -> Approval | None:  # noqa: A002
        """An approval that is open, or was lately."""
        return self.approvals.get(id) or next((one for one in reversed(self.finished) if one.id == id), None)

    def approved(self, id: str, at: str) -> Approval | None:  # noqa: A002
        """An approval that was given and may be acted on now."""
        found = self.approvals.get(id)
        return found if found and found.standing == "given" and at < found.until else None
