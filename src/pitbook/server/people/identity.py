"""Callers: a person with a browser session, a program with a token, or anyone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from pitbook.errors import quoted
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem
from pitbook.table.people import AUDITOR, MANAGER, PLAYER, Person

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.messages import Message
    from pitbook.people.state import Account
    from pitbook.server.people.credentials import Credential

PLAY, DEAL, MANAGE, READ = "play", "deal", "manage", "read"
"""Scopes of tokens; a session is not restricted."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of a request, and their rights."""

    account: Account | None = None
    """None if nobody is signed in."""
    scopes: frozenset[str] | None = None
    """The scopes of a token; None for all."""
    session: str | None = None
    """The public id of a browser's session."""
    unconfirmed: Account | None = None
    """The person of a session without the second factor that it needs: it has no rights until they confirm."""
    credential: Credential | None = field(default=None, repr=False)
    on_denied: Callable[[str, str, str | None, Message], None] | None = None
    """Records a denial: person, role, table, reason."""

    @property
    def name(self) -> str | None:
        return self.account.name if self.account else None

    @property
    def owner(self) -> Account | None:
        """The person of the session or token, even if it has no rights yet."""
        return self.account or self.unconfirmed

    def require_account(self) -> Account:
        """Return the account; raise a problem if nobody is signed in, or the second factor is missing."""
        if self.account is None:
            raise Problem("not-signed-in" if self.unconfirmed is None else "second-factor-required")
        return self.account

    def require_scope(self, *scopes: str) -> None:
        """Raise a problem if a token has none of these scopes."""
        if self.scopes is not None and self.scopes.isdisjoint(scopes):
            raise self.denied(detail("token-scope", scopes=[quoted(one) for one in scopes]))

    def require_session(self) -> None:
        """Raise a problem for tokens: only a person may change how they sign in."""
        self.require_account()
        if self.session is None:
            raise self.denied(detail("not-by-token"))

    def roles_at(self, table: str | None) -> list[str]:
        """Return the roles in which the person may act at a table, or in the whole house for None."""
        if self.account is None:
            return []
        return sorted({grant.role for grant in self.account.roles if grant.table in (None, table)})

    def roles_anywhere(self) -> frozenset[str]:
        """Return the roles that the person holds at any table."""
        return frozenset(grant.role for grant in self.account.roles) if self.account else frozenset()

    @property
    def is_staff(self) -> bool:
        """Whether the person works in the house: staff of any table, managers, auditors."""
        return any(role not in (PLAYER, "shooter") for role in self.roles_anywhere())

    def acting_person(self, table: str | None, role: str | None = None) -> Person:
        """Return the person in the role they name, or in the only one they hold there."""
        account = self.require_account()
        held = self.roles_at(table)
        if role is None:
            if not held:
                raise self.denied(detail("no-role-here", name=account.name), table=table)
            if len(held) > 1:
                raise Problem("forbidden", detail("name-the-role", roles=held))
            (role,) = held
        if role not in held:
            raise self.denied(detail("not-this-role", name=account.name, role=role), role, table)
        return Person(account.name, role)

    def require_manager(self) -> Person:
        """Return the caller as a manager; raise a problem for anyone else."""
        self.require_scope(MANAGE)
        return self.acting_person(None, MANAGER)

    def require_oversight(self) -> None:
        """Raise a problem for everyone but managers and auditors."""
        self.require_account()
        self.require_scope(READ, MANAGE)
        if not self.is_manager and not self.is_auditor:
            raise self.denied(detail("oversight-only"))

    def denied(self, why: Message, role: str | None = None, table: str | None = None) -> Problem:
        """Return the problem that denies the current request, and record the denial."""
        if self.on_denied is not None and self.account is not None:
            held = role or ", ".join(self.roles_at(table)) or "none"
            self.on_denied(self.account.name, held, table, why)
        return Problem("forbidden", why)

    def is_staff_at(self, table: str) -> bool:
        """Return whether the person may see everything at a table: staff, managers, auditors."""
        return any(role not in (PLAYER, "shooter") for role in self.roles_at(table))

    def sees_all(self, table: str) -> bool:
        """Return whether this request may see everything at a table; a token for play alone may not."""
        return self.is_staff_at(table) and (self.scopes is None or not self.scopes.isdisjoint((DEAL, MANAGE, READ)))

    @property
    def is_manager(self) -> bool:
        return MANAGER in self.roles_at(None)

    @property
    def is_auditor(self) -> bool:
        return AUDITOR in self.roles_at(None)


ANONYMOUS = Caller()


RequestCaller: TypeAlias = SkipValidation[NamedDependency[Caller]]
"""The type of the parameter `caller` of a handler."""
