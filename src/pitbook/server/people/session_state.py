"""States in which a session cannot act: a missing second factor, or a locked screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.auth.policy import is_locked
from pitbook.people.values import PATRONS

if TYPE_CHECKING:
    from pitbook.auth.sessions import Session
    from pitbook.people.state import Account
    from pitbook.people.values import Policy
    from pitbook.server.schemas.people import FactorStep


def needs_factor(policy: Policy, account: Account) -> bool:
    """Return whether a person signs in with a second factor: by policy, or because they have one."""
    return bool(account.factors) or policy.requires_factor(account.roles)


def factor_step(policy: Policy, account: Account, session: Session) -> FactorStep | None:
    """Return what the person of a session must do before the session has any rights, or None."""
    if session.factor_at is not None or not needs_factor(policy, account):
        return None
    return "confirm" if account.factors else "enrol"


def lock_minutes(policy: Policy, account: Account) -> int:
    """Return after how many minutes without input a person's sessions are locked; 0 for never, as for players."""
    return policy.lock_minutes if any(grant.role not in PATRONS for grant in account.roles) else 0


def is_session_locked(policy: Policy, account: Account, session: Session, now: str) -> bool:
    """Return whether a session can read but not act."""
    return is_locked(session.active or session.created, session.locked, now, lock_minutes(policy, account))
