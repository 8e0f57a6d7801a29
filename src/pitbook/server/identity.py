"""Who asks: somebody signed in by a browser's session, a program with a token, or anybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitbook.server.problems import Problem
from pitbook.table.people import AUDITOR, MANAGER, PLAYER, Person

if TYPE_CHECKING:
    from pitbook.people.state import Account

PLAY, DEAL, MANAGE, READ = "play", "deal", "manage", "read"
SCOPES = (PLAY, DEAL, MANAGE, READ)
"""What a token may be good for; a session is good for all that its person may."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, and by which right."""

    account: Account | None = None
    """None: nobody is signed in."""
    scopes: frozenset[str] | None = None
    """Of a token; None: all."""
    session: str | None = None
    """The public id of a browser's session."""

    @property
    def name(self) -> str | None:
        return self.account.name if self.account else None

    def signed_in(self) -> Account:
        """The account; a problem where nobody is signed in."""
        if self.account is None:
            raise Problem("not-signed-in")
        return self.account

    def need_scope(self, scope: str) -> None:
        """A problem where a token is not good for this."""
        if self.scopes is not None and scope not in self.scopes:
            raise Problem("forbidden", f"this token is not good for {scope!r}; make one with that scope")

    def roles_at(self, table: str | None) -> list[str]:
        """The roles in which the person may act at a table; of the whole house where that is None."""
        if self.account is None:
            return []
        return sorted({grant.role for grant in self.account.roles if grant.table in (None, table)})

    def acting(self, table: str | None, role: str | None = None) -> Person:
        """The person in the role in which they act: the one they name, or the only one they hold there."""
        account = self.signed_in()
        held = self.roles_at(table)
        if role is None:
            if len(held) != 1:
                named = ", ".join(held) or "none"
                raise Problem("forbidden", f"say in which role you act; yours here: {named}")
            role = held[0]
        if role not in held:
            raise Problem("forbidden", f"{account.name} does not hold the role {role!r} here")
        return Person(account.name, role)

    def staff_at(self, table: str) -> bool:
        """Whether the person sees all that goes on at a table: staff, managers, auditors."""
        return any(role not in (PLAYER, "shooter") for role in self.roles_at(table))

    @property
    def manages(self) -> bool:
        return MANAGER in self.roles_at(None)

    @property
    def audits(self) -> bool:
        return AUDITOR in self.roles_at(None)


NOBODY = Caller()
