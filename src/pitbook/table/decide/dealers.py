"""The dealer responsible for the table: taking over and leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.rights import need_role
from pitbook.table.people import is_staff, rank
from pitbook.table.refusals import Reason
from pitbook.table.state import idle

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from pitbook.rulebooks.model import Rulebook
    from pitbook.table.decide.draft import Draft

ANSWERABLE = "answerable-dealer"


class Keepers(NamedTuple):
    """Roles responsible for a shaker."""

    roles: list[str]
    clauses: Sequence[str]
    """The clauses that say so; none where the book leaves it to the house."""


def shaker_keepers(rules: Rulebook, shaker: str) -> Keepers:
    """Return the keepers that the book names for a shaker, else the lowest of the staff."""
    for thing in rules.equipment.values():
        if thing.kind == "shaker" and thing.shaker == shaker and thing.keeper:
            return Keepers(thing.keeper, thing.keeper_clause or thing.clause)
    staff = [name for name in rules.roles if is_staff(rules, name)]
    lowest = min(rank(rules, name) for name in staff)
    return Keepers([name for name in staff if rank(rules, name) == lowest], ())


def take_over(draft: Draft, _command: c.TakeOver) -> None:
    keepers = shaker_keepers(draft.rules, draft.table.shaker)
    need_role(draft, keepers.roles, keepers.clauses)
    if draft.table.dealer == draft.person.name:
        draft.refuse(Reason.NOTHING_TO_DO, "rights.deals-already", dealer=draft.person.name)
    draft.emit(e.DealerTookOver(draft.person.name))


def refuse_unattended(draft: Draft, message: str, clauses: Sequence[str] = (), **params: Any) -> NoReturn:
    """Refuse by the clause on the shaker's keeper, or by how it is read where no clause says so."""
    draft.refuse(Reason.UNATTENDED, message, clauses, reading=None if clauses else ANSWERABLE, **params)


def check_attended(draft: Draft, shaker: str | None = None) -> None:
    """Refuse to use a manual shaker without a dealer at the table, where the book names a keeper for it."""
    keepers = shaker_keepers(draft.rules, shaker or draft.table.shaker)
    if draft.table.dealer is None and keepers.clauses:
        refuse_unattended(draft, "equipment.manual-unattended", keepers.clauses)


def check_answerable(draft: Draft) -> None:
    """Refuse a step of a round to a dealer who has not taken the table over. Higher positions may act by their rank."""
    table, person = draft.table, draft.person
    if table.craps or table.automatic is not None:
        return
    keepers = shaker_keepers(draft.rules, table.shaker)
    if person.role in keepers.roles and person.name != table.dealer:
        if table.dealer is None:
            refuse_unattended(draft, "rights.no-dealer", keepers.clauses)
        refuse_unattended(draft, "rights.other-dealer", keepers.clauses, dealer=table.dealer)


def leave_table(draft: Draft, _command: c.LeaveTable) -> None:
    table = draft.table
    if table.dealer != draft.person.name:
        draft.refuse(Reason.NOTHING_TO_DO, "rights.deals-not", person=draft.person.name)
    keepers = shaker_keepers(draft.rules, table.shaker)
    if not table.craps and (keepers.clauses or table.shaker == "manual"):
        refuse_unattended(draft, "rights.shaker-unattended", keepers.clauses)
    if not idle(table):
        refuse_unattended(draft, "rights.leaves-in-round")
    draft.emit(e.DealerLeft())
