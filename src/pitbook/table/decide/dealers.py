"""The dealer who answers for the table: taking over and leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.rights import need_role
from pitbook.table.people import is_staff, rank
from pitbook.table.refusals import Why

if TYPE_CHECKING:
    from pitbook.table.decide.draft import Draft


def take_over(draft: Draft, _command: c.TakeOver) -> None:
    keepers, clauses = _keepers(draft)
    need_role(draft, keepers, clauses)
    if draft.table.dealer == draft.person.name:
        draft.refuse(Why.NOTHING_TO_DO, f"{draft.person.name} deals here already")
    draft.emit(e.DealerTookOver(draft.person.name))


def _keepers(draft: Draft) -> tuple[list[str], list[str]]:
    """Who answers for the shaker in use, or else the lowest of the staff; and the clauses on them."""
    rules = draft.rules
    shakers = (thing for thing in rules.equipment.values() if thing.kind == "shaker")
    keepers = [role for thing in shakers if thing.shaker == draft.table.shaker for role in thing.keeper]
    staff = [name for name in rules.roles if is_staff(rules, name)]
    lowest = min(rank(rules, name) for name in staff)
    found = keepers or [name for name in staff if rank(rules, name) == lowest]
    return found, [clause for role in found for clause in rules.roles[role].clause]


def leave_table(draft: Draft, _command: c.LeaveTable) -> None:
    if draft.table.dealer != draft.person.name:
        draft.refuse(Why.NOTHING_TO_DO, f"{draft.person.name} does not deal here")
    if draft.table.shaker == "manual" and draft.rules.identity.game == "sic-bo":
        _, clauses = _keepers(draft)
        draft.refuse(Why.UNATTENDED, "a manual shaker is not left unattended; another dealer takes over", clauses)
    draft.emit(e.DealerLeft())
