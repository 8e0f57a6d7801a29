"""Present accounts, sessions, tokens and approvals as JSON, never their secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pitbook.people.decide.approvals import is_second_person
from pitbook.people.limits import is_excluded, limits_at, pending_at
from pitbook.server.people.pending_commands import pending_command
from pitbook.server.people.session_state import factor_step, is_session_locked, lock_minutes
from pitbook.server.schemas.people import (
    ApprovalInfo,
    HeldLimits,
    Me,
    PersonInfo,
    PersonPage,
    PolicyInfo,
    ScreenLock,
    SessionInfo,
    TokenInfo,
)
from pitbook.table.people import PLAYER

if TYPE_CHECKING:
    from pitbook.auth.sessions import Session
    from pitbook.auth.tokens import Token
    from pitbook.people.state import Account, Approval, People
    from pitbook.people.values import Policy
    from pitbook.server.people.identity import Caller


def money_note(policy: Policy) -> str:
    """Return what automatic tables play for."""
    if policy.real_money_automatic:
        return "Automatic tables may play for real money; each says which."
    return "Automatic tables play for play money, which is worth nothing."


def policy_info(policy: Policy) -> PolicyInfo:
    return PolicyInfo(
        registration=policy.registration,
        real_money_automatic=policy.real_money_automatic,
        money=money_note(policy),
        witness=policy.witness,
        approval_references=policy.approval_references,
        bet_consent=policy.bet_consent,
        shifts=policy.shifts,
        timezone=policy.timezone,
        factor_roles=policy.factor_roles,
        lock_minutes=policy.lock_minutes,
        unlock_with=policy.unlock_with,
    )


def person_info(account: Account) -> PersonInfo:
    return PersonInfo(
        account.name, account.shown, account.created, account.roles, account.active, account.excluded_until
    )


def person_page(account: Account, policy: Policy, at: str) -> PersonPage:
    """Return a person with the limits that they set for themselves, if they play."""
    limits = limits_info(account, at) if _plays(account) or is_excluded(account, at) else None
    return PersonPage(
        account.name,
        account.shown,
        account.created,
        account.roles,
        account.active,
        account.excluded_until,
        limits,
        account.factors,
        policy.requires_factor(account.roles),
    )


def limits_info(account: Account, at: str) -> HeldLimits:
    return HeldLimits(limits_at(account, at), pending_at(account, at), account.excluded_until, is_excluded(account, at))


def session_info(session: Session, current: str | None) -> SessionInfo:
    return SessionInfo(
        session.id,
        session.created,
        session.seen,
        session.idle_until,
        session.ends,
        session.address,
        session.agent,
        session.authenticated_by,
        session.id == current,
    )


def token_info(token: Token) -> TokenInfo:
    return TokenInfo(token.id, token.name, token.scopes, token.created, token.expires, token.last_used, token.revoked)


def me_info(
    people: People, account: Account, at: str, session: Session | None, scopes: frozenset[str] | None = None
) -> Me:
    """Return what people see of their own account: no roles before they have confirmed with a second factor."""
    step = None if session is None else factor_step(people.policy, account, session)
    return Me(
        name=account.name,
        shown=account.shown,
        roles=account.roles if step is None else (),
        language=account.language,
        money=money_note(people.policy),
        limits=limits_info(account, at) if _plays(account) and step is None else None,
        scopes=None if scopes is None else tuple(sorted(scopes)),
        session=None if session is None else session_info(session, session.id),
        csrf=None if session is None else session.csrf,
        second_factor=step,
        lock=None if session is None or step is not None else _screen_lock(people.policy, account, session, at),
    )


def _screen_lock(policy: Policy, account: Account, session: Session, at: str) -> ScreenLock | None:
    minutes = lock_minutes(policy, account)
    locked = is_session_locked(policy, account, session, at)
    unlock_with = tuple(one for one in policy.unlock_with if one != "factor" or account.factors)
    return ScreenLock(minutes, locked, unlock_with or ("password",)) if minutes else None


def _plays(account: Account) -> bool:
    return any(grant.role == PLAYER for grant in account.roles)


def approval_info(approval: Approval, caller: Caller, at: str) -> ApprovalInfo:
    """Return an approval, and whether the caller may give it."""
    open_ = approval.standing == "waiting" and at < approval.until
    return ApprovalInfo(
        id=approval.id,
        table=approval.table,
        command=msgspec.to_builtins(pending_command(approval).command),
        asker=approval.asker,
        by_role=approval.by_role,
        needs=approval.needs,
        words=approval.words,
        asked=approval.asked,
        until=approval.until,
        standing="expired" if approval.standing == "waiting" and not open_ else approval.standing,
        by=approval.by,
        answer=approval.answer,
        player=approval.player,
        yours=open_ and approval.asker != caller.name and may_answer(approval, caller),
    )


def may_answer(approval: Approval, caller: Caller) -> bool:
    """Return whether the caller is the player who consents, or holds a role of the second person."""
    own = approval.player is not None and approval.player == caller.name
    return own or any(is_second_person(approval.needs, role) for role in caller.roles_at(approval.table))
