"""Who asks: somebody signed in by a browser's session, a program with a token, or anybody."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from pitbook.server.http.problems import Problem
from pitbook.table.people import AUDITOR, MANAGER, PLAYER, Person

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.people.state import Account
    from pitbook.server.people.credentials import Credential

PLAY, DEAL, MANAGE, READ = "play", "deal", "manage", "read"
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
    credential: Credential | None = field(default=None, repr=False, compare=False)
    """What they have shown."""
    denials: Callable[[str, str, str | None, str], None] | None = field(default=None, repr=False, compare=False)
    """Takes note of what is denied: person, role, table, why."""

    @property
    def name(self) -> str | None:
        return self.account.name if self.account else None

    def signed_in(self) -> Account:
        """The account; a problem where nobody is signed in."""
        if self.account is None:
            raise Problem("not-signed-in")
        return self.account

    def need_scope(self, *scopes: str) -> None:
        """A problem where a token is good for none of these."""
        if self.scopes is not None and self.scopes.isdisjoint(scopes):
            wanted = " or ".join(map(repr, scopes))
            raise self.denied(f"this token is not good for {wanted}; make one with that scope")

    def need_session(self) -> None:
        """A problem for tokens: what changes how a person signs in is for the person, not for programs."""
        self.signed_in()
        if self.session is None:
            raise self.denied("a token cannot do this; sign in with a browser")

    def roles_at(self, table: str | None) -> list[str]:
        """The roles in which the person may act at a table; of the whole house where that is None."""
        if self.account is None:
            return []
        return sorted({grant.role for grant in self.account.roles if grant.table in (None, table)})

    def roles_anywhere(self) -> frozenset[str]:
        """The roles that the person holds, at whichever table."""
        return frozenset(grant.role for grant in self.account.roles) if self.account else frozenset()

    @property
    def works(self) -> bool:
        """Whether the person works in the house: staff of any table, managers, auditors."""
        return any(role not in (PLAYER, "shooter") for role in self.roles_anywhere())

    def acting(self, table: str | None, role: str | None = None) -> Person:
        """The person in the role in which they act: the one they name, or the only one they hold there."""
        account = self.signed_in()
        held = self.roles_at(table)
        if role is None:
            if not held:
                raise self.denied(f"{account.name} holds no role here", table=table)
            if len(held) > 1:
                raise Problem("forbidden", f"say in which role you act; yours here: {', '.join(held)}")
            role = held[0]
        if role not in held:
            raise self.denied(f"{account.name} does not hold the role {role!r} here", role, table)
        return Person(account.name, role)

    def managing(self) -> Person:
        """The manager who asks; a problem for anybody else."""
        self.signed_in()
        self.need_scope(MANAGE)
        return self.acting(None, MANAGER)

    def overseeing(self) -> None:
        """A problem for everybody but managers and auditors, who may read all there is about people."""
        self.signed_in()
        self.need_scope(READ, MANAGE)
        if not self.manages and not self.audits:
            raise self.denied("only managers and auditors see this")

    def denied(self, why: str, role: str | None = None, table: str | None = None) -> Problem:
        """The problem that denies the present request; it goes into the record."""
        if self.denials is not None and self.account is not None:
            held = role or ", ".join(self.roles_at(table)) or "none"
            self.denials(self.account.name, held, table, why)
        return Problem("forbidden", why)

    def staff_at(self, table: str) -> bool:
        """Whether the person sees all that goes on at a table: staff, managers, auditors."""
        return any(role not in (PLAYER, "shooter") for role in self.roles_at(table))

    def sees_all(self, table: str) -> bool:
        """The same for who asks now: a token that is for play alone shows what any player sees."""
        return self.staff_at(table) and (self.scopes is None or not self.scopes.isdisjoint((DEAL, MANAGE, READ)))

    @property
    def manages(self) -> bool:
        return MANAGER in self.roles_at(None)

    @property
    def audits(self) -> bool:
        return AUDITOR in self.roles_at(None)


NOBODY = Caller()


RequestCaller: TypeAlias = SkipValidation[NamedDependency[Caller]]
"""The type of the parameter `caller` of a handler."""
