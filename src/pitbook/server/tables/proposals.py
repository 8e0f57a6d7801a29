"""Proposals at tables that need a second person: corrections of dice, and voids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.server.people.display_names import display_names
from pitbook.server.schemas.people import ProposalInfo
from pitbook.table.people import MANAGER, is_supervisor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitbook.house.house import House
    from pitbook.people.state import People
    from pitbook.server.people.identity import Caller
    from pitbook.table.state import Table


def find_proposals(house: House, people: People, caller: Caller) -> list[ProposalInfo]:
    """Return the proposals at tables where the caller works or which they oversee; not in the event loop."""
    found = (house.table(name) for name in house.tables() if caller.sees_all(name))
    return [info for table in found if table.setup is not None for info in _table_proposals(table, people, caller)]


def _table_proposals(table: Table, people: People, caller: Caller) -> Iterator[ProposalInfo]:
    role = _supervising_role(table, caller)
    if table.proposal is not None:
        one = table.proposal
        second = None if one.by == caller.name else role
        names = display_names(people, (one.by,))
        yield ProposalInfo(table.id, "correction", one.round, one.dice, one.by, one.words, second, names)
    if table.void_by is not None:
        second = None if table.void_by == caller.name else role
        names = display_names(people, (table.void_by,))
        yield ProposalInfo(table.id, "void", table.round.number, (), table.void_by, "", second, names)


def _supervising_role(table: Table, caller: Caller) -> str | None:
    """Return the role in which the caller supervises a table: manager, or one above the dealers."""
    rules, held = table.rules, caller.roles_at(table.id)
    above = (role for role in held if role in rules.roles and is_supervisor(rules, role))
    return MANAGER if MANAGER in held else next(above, None)
