"""Who may look over a house's shoulder: managers and auditors, and the supervisors of a table at their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from litestar.di import NamedDependency

from pitbook.server.identity import MANAGE, READ, Caller
from pitbook.server.problems import Problem
from pitbook.table.people import is_supervisor

if TYPE_CHECKING:
    from pitbook.table.state import Table

Asking: TypeAlias = NamedDependency[Caller]
"""Who asks; the parameter is called `caller`."""


def overseer(caller: Caller) -> str:
    """The name of a manager or an auditor who reads; a problem for everybody else."""
    account = caller.signed_in()
    _may_read(caller)
    if not (caller.manages or caller.audits):
        raise Problem("forbidden", "this is for managers and auditors of the house")
    return account.name


def overseer_who_acts(caller: Caller) -> str:
    """The same for what has the house do something."""
    name = overseer(caller)
    caller.need_scope(MANAGE)
    return name


def supervisor(caller: Caller, table: Table) -> str:
    """A manager, an auditor, or a supervisor of this table."""
    account = caller.signed_in()
    _may_read(caller)
    if caller.manages or caller.audits:
        return account.name
    if table.setup is not None:
        rules = table.rules
        if any(role in rules.roles and is_supervisor(rules, role) for role in caller.roles_at(table.id)):
            return account.name
    raise Problem("forbidden", "this is for managers, auditors and supervisors of the table")


def _may_read(caller: Caller) -> None:
    """A token that is good for managing is good for looking."""
    if caller.scopes is None or MANAGE not in caller.scopes:
        caller.need_scope(READ)
