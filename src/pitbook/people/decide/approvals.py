"""Approvals: one person asks, another gives or refuses, the command uses it up. Nobody approves their own."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec

from pitbook.people import events as e
from pitbook.people.decide.accounts import TABLE_MAX
from pitbook.people.limits import later, parse_time
from pitbook.people.names import NAME_MAX, is_line, shorten
from pitbook.people.refusals import Reason
from pitbook.people.values import PATRONS
from pitbook.table.people import AUDITOR, PLAYER

if TYPE_CHECKING:
    from pitbook.people import commands as c
    from pitbook.people.decide.draft import Draft
    from pitbook.people.state import Account, Approval

VALID_FOR = timedelta(minutes=10)
"""How long an approval can be given and acted on."""
RECORDED_WITHIN = timedelta(minutes=10)
"""How much longer a given one is kept for the record of a command in progress."""
WAITING_MAX = 20
"""The most pending approvals of one person."""
COMMAND_MAX = 20_000
NEEDS_MAX = 20
STAFF = "staff"

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def ask(draft: Draft, command: c.AskApproval) -> None:
    if command.by_role != draft.person.role:
        role, given = shorten(draft.person.role), shorten(command.by_role)
        draft.refuse(Reason.WRONG_ROLE, "people.approval.other-role", role=role, given=given)
    if not is_line(command.table, TABLE_MAX):
        draft.refuse(Reason.BAD_TEXT, "people.approval.table")
    asker = draft.actor(command.table)
    if not is_second_person((STAFF,), draft.person.role):
        draft.refuse(Reason.WRONG_ROLE, "people.approval.staff-only")
    if not _ID.fullmatch(command.id):
        draft.refuse(Reason.BAD_TEXT, "people.approval.id")
    if draft.people.find_approval(command.id) is not None:
        draft.refuse(Reason.NAME_TAKEN, "people.approval.taken", id=command.id)
    if not _is_object(command.command):
        draft.refuse(Reason.BAD_TEXT, "people.approval.command", most=COMMAND_MAX)
    if not 1 <= len(command.needs) <= NEEDS_MAX or not all(is_line(role, NAME_MAX) for role in command.needs):
        draft.refuse(Reason.UNKNOWN_ROLE, "people.approval.needs")
    words = draft.check_words(command.words)
    _expire(draft)
    if sum(one.asker == asker.name for one in draft.people.approvals.values()) >= WAITING_MAX:
        draft.refuse(Reason.TOO_MANY, "people.approval.too-many", most=WAITING_MAX)
    draft.emit(
        e.ApprovalAsked(
            id=command.id,
            table=command.table,
            command=command.command,
            asker=asker.name,
            by_role=command.by_role,
            needs=command.needs,
            words=words,
            at=draft.at,
            until=later(draft.at, VALID_FOR),
            player=None if command.player is None else draft.account(command.player).name,
        )
    )


def give(draft: Draft, command: c.GiveApproval) -> None:
    approval, second = _second_person(draft, command.id)
    asker = draft.account(approval.asker)
    if not asker.active or not asker.holds(approval.by_role, approval.table):
        person, role, table = asker.name, approval.by_role, approval.table
        draft.refuse(Reason.WRONG_ROLE, "people.approval.asker-left", person=person, role=role, table=table)
    draft.emit(e.ApprovalGiven(approval.id, second.name, draft.person.role))


def refuse(draft: Draft, command: c.RefuseApproval) -> None:
    approval, second = _second_person(draft, command.id)
    draft.emit(e.ApprovalRefused(approval.id, second.name, draft.person.role, draft.check_words(command.words)))


def withdraw(draft: Draft, command: c.WithdrawApproval) -> None:
    approval = _find_open(draft, command.id)
    if draft.actor(approval.table).name != approval.asker:
        draft.refuse(Reason.WRONG_ROLE, "people.approval.not-asker", person=approval.asker)
    if approval.standing != "waiting":  # the command may be executing at this moment
        draft.refuse(Reason.APPROVAL_OVER, "people.approval.given", id=approval.id)
    draft.emit(e.ApprovalWithdrawn(approval.id))


def use(draft: Draft, command: c.UseApproval) -> None:
    """Record the use of an approval, which may come a little after the command."""
    draft.server()
    approval = _find_open(draft, command.id)
    if approval.standing != "given":
        draft.refuse(Reason.APPROVAL_OVER, "people.approval.not-given", id=approval.id, standing=approval.standing)
    if command.sequence < 1:
        draft.refuse(Reason.BAD_LIMIT, "people.approval.entry")
    draft.emit(e.ApprovalUsed(approval.id, command.sequence))


# ---------------------------------------------------------------- checks


def is_second_person(needs: tuple[str, ...], role: str) -> bool:
    """Return whether someone in a role can be the second person.

    >>> [is_second_person((needs,), role) for needs, role in (("staff", "dealer"), ("player", "player"))]
    [True, False]
    """
    return role not in (*PATRONS, AUDITOR) and (role in needs or STAFF in needs)


def _second_person(draft: Draft, number: str) -> tuple[Approval, Account]:
    approval = _find_open(draft, number)
    second = draft.actor(approval.table)
    if second.name == approval.asker:
        draft.refuse(Reason.OWN_ACT, "people.approval.own")
    own = (second.name, draft.person.role) == (approval.player, PLAYER)
    if not own and not is_second_person(approval.needs, draft.person.role):
        role = shorten(draft.person.role)
        draft.refuse(Reason.WRONG_ROLE, "people.approval.role", roles=approval.needs, role=role)
    if approval.standing != "waiting":
        draft.refuse(Reason.APPROVAL_OVER, "people.approval.given", id=approval.id)
    if parse_time(draft.at) >= parse_time(approval.until):
        draft.refuse(Reason.APPROVAL_EXPIRED, "people.approval.expired")
    return approval, second


def _find_open(draft: Draft, number: str) -> Approval:
    approval = draft.people.find_approval(number)
    if approval is None:
        draft.refuse(Reason.NO_SUCH_APPROVAL, "people.approval.unknown", id=shorten(number))
    if approval.standing not in ("waiting", "given"):
        draft.refuse(Reason.APPROVAL_OVER, "people.approval.over", id=approval.id, standing=approval.standing)
    return approval


def _expire(draft: Draft) -> None:
    """Expire approvals whose time is over."""
    now = parse_time(draft.at)
    for approval in list(draft.people.approvals.values()):
        until = parse_time(approval.until)
        if now >= (until if approval.standing == "waiting" else until + RECORDED_WITHIN):
            draft.emit(e.ApprovalExpired(approval.id))


def _is_object(text: str) -> bool:
    if len(text) > COMMAND_MAX:
        return False
    try:
        return isinstance(msgspec.json.decode(text), dict)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return False
