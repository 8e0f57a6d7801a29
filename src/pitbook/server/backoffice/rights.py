"""Rights in the back office: managers and auditors, and supervisors for their own tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.server.http.errors import detail
from pitbook.server.people.identity import MANAGE, READ
from pitbook.table.people import is_supervisor as supervises

if TYPE_CHECKING:
    from pitbook.server.people.identity import Caller
    from pitbook.table.state import Table


def manager_or_auditor(caller: Caller) -> str:
    """Return the name of a manager or an auditor; raise a problem for anyone else."""
    caller.require_oversight()
    return caller.require_account().name


def acting_manager_or_auditor(caller: Caller) -> str:
    """Return the name of a manager or an auditor who may act, not only read."""
    name = manager_or_auditor(caller)
    if not caller.is_auditor:
        caller.require_scope(MANAGE)
    return name


def is_supervisor(caller: Caller, table: Table) -> bool:
    """Return whether someone is a manager, an auditor or a supervisor of this table, and may read its figures."""
    if caller.scopes is not None and not caller.scopes & {READ, MANAGE}:
        return False
    if caller.is_manager or caller.is_auditor:
        return True
    if table.setup is None:
        return False
    rules = table.rules
    return any(role in rules.roles and supervises(rules, role) for role in caller.roles_at(table.id))


def supervisor(caller: Caller, table: Table) -> str:
    """Return the name of a manager, an auditor, or a supervisor of this table."""
    account = caller.require_account()
    if caller.scopes is not None and not caller.scopes & {READ, MANAGE}:
        caller.require_scope(READ)
    if is_supervisor(caller, table):
        return account.name
    raise caller.denied(detail("table-oversight-only"), table=table.id)
