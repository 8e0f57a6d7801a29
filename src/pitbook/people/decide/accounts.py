"""Accounts and roles: managers grant and revoke them, never their own, and the house always has a manager."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pitbook.messages import Message
from pitbook.people import events as e
from pitbook.people.confusables import appearance_problem, find_title, skeleton
from pitbook.people.decide.draft import HOUSE_ROLES
from pitbook.people.names import NAME_MAX, SERVER, SHOWN_MAX, VISITOR, is_line, is_reserved, name_problem, shorten
from pitbook.people.refusals import Reason
from pitbook.people.values import PATRONS, Grant
from pitbook.table.people import AUDITOR, MANAGER, PLAYER
from pitbook.table.shifts import schedule_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.people import commands as c
    from pitbook.people.decide.draft import Draft
    from pitbook.people.state import Account
    from pitbook.people.values import Policy

PEOPLE_MAX = 100_000
"""More accounts than this need their own directory, not one journal."""
GRANTS_MAX = 100
TABLE_MAX = 60
HOUSE = "house"
"""The name of the house's own stream, which no table can have."""

LOCK_MINUTES_MAX = 120

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")


def add_person(draft: Draft, command: c.AddPerson) -> None:
    if draft.person.role == SERVER and draft.person.name == SERVER:
        if draft.people.managers():
            draft.refuse(Reason.WRONG_ROLE, "people.has-manager")
        if command.roles != (Grant(MANAGER),):
            draft.refuse(Reason.WRONG_ROLE, "people.first-manager")
    else:
        draft.manager()
    works = any(grant.role not in PATRONS for grant in command.roles)
    _check_name(draft, command.name, command.shown, works=works)
    held: list[Grant] = []
    for grant in command.roles:
        _check_grant(draft, grant, held)
        held.append(grant)
    draft.emit(e.PersonAdded(command.name, command.shown, tuple(held), draft.at))


def register(draft: Draft, command: c.Register) -> None:
    if draft.person.role != VISITOR:
        draft.refuse(Reason.WRONG_ROLE, "people.registered")
    if not draft.people.policy.registration:
        draft.refuse(Reason.NO_REGISTRATION, "people.no-registration")
    _check_name(draft, command.name, command.shown)
    held: list[Grant] = []
    for table in command.tables:
        _check_grant(draft, Grant(PLAYER, table), held)
        held.append(Grant(PLAYER, table))
    draft.emit(e.PersonRegistered(command.name, command.shown, draft.at, command.tables))


def give_role(draft: Draft, command: c.GiveRole) -> None:
    account = _find_other(draft, command.person)
    grant = Grant(command.role, command.table)
    _check_grant(draft, grant, account.roles)
    draft.emit(e.RoleGiven(account.name, grant.role, grant.table))


def take_role(draft: Draft, command: c.TakeRole) -> None:
    account = _find_other(draft, command.person)
    grant = Grant(command.role, command.table)
    if grant not in account.roles:
        draft.refuse(Reason.NOTHING_TO_DO, "people.not-granted", person=account.name, grant=_grant(grant))
    if grant == Grant(MANAGER):
        _check_manager_left(draft, account)
    draft.emit(e.RoleTaken(account.name, grant.role, grant.table))


def deactivate(draft: Draft, command: c.Deactivate) -> None:
    """Close an account; managers may close their own if another stays."""
    draft.manager()
    account = draft.account(command.person)
    if not account.active:
        draft.refuse(Reason.NOTHING_TO_DO, "people.inactive", account=account.name)
    words = draft.check_words(command.words, empty=False)
    _check_manager_left(draft, account)
    draft.emit(e.PersonDeactivated(account.name, words))


def reactivate(draft: Draft, command: c.Reactivate) -> None:
    draft.manager()
    account = draft.account(command.person)
    if account.active:
        draft.refuse(Reason.NOTHING_TO_DO, "people.active", account=account.name)
    draft.emit(e.PersonReactivated(account.name))


def set_policy(draft: Draft, command: c.SetPolicy) -> None:
    draft.manager()
    if command.policy == draft.people.policy:
        draft.refuse(Reason.NOTHING_TO_DO, "people.same-policy")
    problem = schedule_problem(command.policy.shifts, command.policy.timezone)
    if problem is not None:
        draft.refuse(Reason.BAD_TIME, problem)
    _check_sign_in_policy(draft, command.policy)
    draft.emit(e.PolicySet(command.policy))


def choose_language(draft: Draft, command: c.ChooseLanguage) -> None:
    account = draft.people.find(draft.person.name)
    if account is None or not account.active:
        draft.refuse(Reason.UNKNOWN_PERSON, "people.unknown", person=shorten(draft.person.name))
    if command.language is not None and not _LANGUAGE.fullmatch(command.language):
        draft.refuse(Reason.BAD_TEXT, "people.language")
    if command.language == account.language:
        draft.refuse(Reason.NOTHING_TO_DO, "people.same-language")
    draft.emit(e.LanguageChosen(account.name, command.language))


def accept_clock(draft: Draft, command: c.AcceptClock) -> None:
    draft.manager()
    words = draft.check_words(command.words, empty=False)
    if not command.jumped and not command.ahead:
        draft.refuse(Reason.NOTHING_TO_DO, "people.clock-fine")
    draft.emit(e.ClockAccepted(draft.at, words, command.jumped, command.ahead))


# ---------------------------------------------------------------- checks


def _check_sign_in_policy(draft: Draft, policy: Policy) -> None:
    """Refuse unknown roles that would need a second factor, and a lock that nothing opens."""
    roles = HOUSE_ROLES | draft.context.roles
    known = frozenset(draft.people.policy.factor_roles)
    for role in policy.factor_roles:
        if role not in roles | known:
            draft.refuse(Reason.UNKNOWN_ROLE, "people.grant.unknown-role", role=shorten(role), roles=sorted(roles))
    if not 0 <= policy.lock_minutes <= LOCK_MINUTES_MAX:
        draft.refuse(Reason.BAD_POLICY, "people.policy.lock-minutes", most=LOCK_MINUTES_MAX)
    if not policy.unlock_with:
        draft.refuse(Reason.BAD_POLICY, "people.policy.unlock")


def _find_other(draft: Draft, name: str) -> Account:
    manager = draft.manager()
    account = draft.account(name)
    if account.name == manager.name:
        draft.refuse(Reason.OWN_ACT, "people.own-roles")
    return account


def _check_manager_left(draft: Draft, account: Account) -> None:
    if draft.people.managers() == [account.name]:
        draft.refuse(Reason.LAST_MANAGER, "people.last-manager", person=account.name)


def _check_name(draft: Draft, name: str, shown: str, *, works: bool = False) -> None:
    problem = name_problem(name)
    if is_reserved(name) or is_reserved(shown):
        reserved = shorten(name if is_reserved(name) else shown)
        draft.refuse(Reason.RESERVED_NAME, "people.name.reserved", name=reserved)
    if problem is not None:
        draft.refuse(Reason.BAD_NAME, problem)
    if not is_line(shown, SHOWN_MAX) or shown != shown.strip():
        draft.refuse(Reason.BAD_NAME, "people.name.shown", most=SHOWN_MAX)
    deceives = appearance_problem(shown)
    if deceives is not None:
        draft.refuse(Reason.BAD_NAME, deceives)
    taken = draft.people.find(name)
    if taken is not None:
        draft.refuse(Reason.NAME_TAKEN, "people.name.taken", name=taken.name)
    _check_confusable(draft, name, shown, works=works)
    if len(draft.people.accounts) >= PEOPLE_MAX:
        draft.refuse(Reason.TOO_MANY, "people.name.too-many", most=PEOPLE_MAX)


def _check_confusable(draft: Draft, name: str, shown: str, *, works: bool) -> None:
    """Refuse names that could be confused with someone else's; a manager may show staff by their titles."""
    own, look = skeleton(name), skeleton(shown)
    if any(skeleton(player) == own for player in draft.context.players):
        draft.refuse(Reason.NAME_TAKEN, "people.name.like-player", name=shorten(name))
    title = None if works else find_title(name) or find_title(shown)
    if title is not None:
        draft.refuse(Reason.RESERVED_NAME, "people.name.title", title=title)
    for other in draft.people.accounts.values():
        signs_in, seen = skeleton(other.name), skeleton(other.shown)
        if own == signs_in:
            draft.refuse(Reason.NAME_TAKEN, "people.name.looks-like", name=shorten(name), other=other.name)
        if not works and (look in (signs_in, seen) or own == seen):
            draft.refuse(Reason.NAME_TAKEN, "people.name.shown-taken", shown=other.shown)


def _check_grant(draft: Draft, grant: Grant, held: Sequence[Grant]) -> None:
    """Refuse an unknown role, an impossible table, or a role that conflicts with others."""
    roles = HOUSE_ROLES | draft.context.roles
    if grant.role not in roles:
        draft.refuse(Reason.UNKNOWN_ROLE, "people.grant.unknown-role", role=shorten(grant.role), roles=sorted(roles))
    if grant.table is not None and (not is_line(grant.table, TABLE_MAX) or grant.table == HOUSE):
        draft.refuse(Reason.BAD_NAME, "people.grant.table-name", name=shorten(grant.table, NAME_MAX))
    if grant in held:
        draft.refuse(Reason.NOTHING_TO_DO, "people.grant.held", grant=_grant(grant))
    if len(held) >= GRANTS_MAX:
        draft.refuse(Reason.TOO_MANY, "people.grant.too-many", most=GRANTS_MAX)
    for other in held:
        conflict = find_conflict(grant, other)
        if conflict is not None:
            draft.refuse(Reason.ROLES_CONFLICT, conflict)


def find_conflict(one: Grant, other: Grant) -> Message | None:
    """Return why a person who holds the other role cannot hold this one, or None.

    >>> find_conflict(Grant("player"), Grant("dealer", "t1")).text()
    'Nobody can play at a table where they work. Current roles: dealer at table t1.'
    >>> find_conflict(Grant("player", "t2"), Grant("dealer", "t1")) is None
    True
    """
    roles = {one.role, other.role}
    if AUDITOR in roles:
        return None if roles == {AUDITOR} else _conflict("auditor-alone", other)
    playing = [grant for grant in (one, other) if grant.role in PATRONS]
    if len(playing) != 1:
        return None
    if MANAGER in roles:
        return _conflict("manager-plays", other)
    return _conflict("plays-where-works", other) if one.overlaps(other) else None


def _conflict(id: str, other: Grant) -> Message:  # noqa: A002
    return Message(f"refusals.people.grant.{id}", {"other": _grant(other)})


def _grant(grant: Grant) -> Message:
    """Return a role, and where it is held."""
    role = shorten(grant.role)
    if grant.table is None:
        return Message("refusals.people.grant.house", {"role": role})
    return Message("refusals.people.grant.table", {"role": role, "table": shorten(grant.table)})
