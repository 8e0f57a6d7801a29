"""Permissions and readiness: who may do what now, and what is missing before a round. Changes nothing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pitbook.table import commands as c
from pitbook.table.decide.draft import Context, Draft, Refused
from pitbook.table.decide.inspections import check_inspector
from pitbook.table.decide.readiness import check_ready
from pitbook.table.decide.rights import BY_THE_BOOK, TUMBLERS, check_rights
from pitbook.table.people import Person, is_staff, may_act
from pitbook.table.state import idle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pitbook.table.refusals import Refusal
    from pitbook.table.state import Table

STAFF_COMMANDS = tuple(kind for kind in c.COMMANDS if kind not in (*TUMBLERS, *BY_THE_BOOK))
"""Commands that a role may or may not give, whatever the step."""


def rights_of(table: Table, roles: Iterable[str]) -> dict[str, str]:
    """Return the commands that a person may ever give at this table, each with the role to give it in."""
    held = list(roles)
    found: dict[str, str] = {}
    for kind in STAFF_COMMANDS:
        role = next((one for one in held if _passes(table, one, partial(check_rights, kind=kind))), None)
        if role is not None:
            found[kind.__name__] = role
    return found


def inspector(table: Table, inspection: str, roles: Iterable[str]) -> str | None:
    """Return the first of these roles that may take an inspection."""
    one = table.rules.inspections[inspection]
    return next((role for role in roles if may_act(table.rules, role, one.who, or_above=one.or_above)), None)


def checker(table: Table, roles: Iterable[str]) -> str | None:
    """Return the first of these roles that may check equipment against the book."""
    return next((role for role in roles if _passes(table, role, check_inspector)), None)


def not_ready(table: Table, at: str) -> Refusal | None:
    """Return why no round could begin now; None where one could, or has begun."""
    if not table.open or not idle(table):
        return None
    somebody = next(role for role in table.rules.roles if is_staff(table.rules, role))
    draft = Draft(table, Context(Person("", somebody), at))
    try:
        check_ready(draft)
    except Refused as refused:
        return refused.refusal
    return None


def _passes(table: Table, role: str, check: Callable[[Draft], None]) -> bool:
    try:
        check(Draft(table, Context(Person("", role), "")))
    except Refused:
        return False
    return True
