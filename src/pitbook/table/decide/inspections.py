"""Equipment checked against the book, and inspections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.rights import need_role
from pitbook.table.decide.throws import check_throw
from pitbook.table.people import MANAGER, is_supervisor
from pitbook.table.refusals import Why
from pitbook.table.state import idle

if TYPE_CHECKING:
    from pitbook.table.decide.draft import Draft
    from pitbook.table.state import Table


LOOK_OVER = "inspect-equipment"
"""The step before opening in which the equipment is looked over, where a book has one."""


def check_equipment(draft: Draft, command: c.CheckEquipment) -> None:
    check_inspector(draft)
    thing = draft.rules.equipment.get(command.equipment)
    if thing is None or not thing.requires:
        draft.refuse(Why.NOT_IN_THE_BOOK, f"the book asks nothing of {command.equipment!r}")
    if len(command.points) != len(thing.requires):
        draft.refuse(
            Why.INSPECTION_FAILED, f"{command.equipment} has {len(thing.requires)} points to check", thing.clause
        )
    draft.emit(e.EquipmentChecked(command.equipment, command.points))


def check_inspector(draft: Draft) -> None:
    """Equipment is looked over by whom the book names, and where it names nobody by somebody above the dealers."""
    step = next((step for step in draft.rules.procedure.opening if step.id == LOOK_OVER), None)
    if step is not None:
        need_role(draft, step.who, step.clause)
    elif draft.person.role != MANAGER and not is_supervisor(draft.rules, draft.person.role):
        draft.refuse(Why.WRONG_ROLE, f"somebody above the dealers does this, not a {draft.person.role}")


def inspect(draft: Draft, command: c.Inspect) -> None:
    inspection = draft.rules.inspections.get(command.inspection)
    if inspection is None:
        draft.refuse(Why.NOT_IN_THE_BOOK, f"the book has no inspection {command.inspection!r}")
    need_role(draft, inspection.who, inspection.clauses_on_who, or_above=inspection.or_above)
    if not idle(draft.table):
        draft.refuse(Why.NOT_NOW, "equipment is inspected between rounds")
    if inspection.how == "enter three values":
        roll = Roll.of(*check_throw(draft, command.entered))
        passed = set(command.lit) == set(illuminate(draft.rules, roll))
    else:
        passed = command.proper >= inspection.times
    draft.emit(e.Inspected(command.inspection, passed, command.entered, command.lit, command.proper))


def check_inspected(draft: Draft) -> None:
    table, rules = draft.table, draft.rules
    for name, inspection in rules.inspections.items():
        if inspection.shaker is not None and inspection.shaker != table.shaker:
            continue
        if is_due(table, name):
            when = "in this shift" if inspection.when == "each shift" else inspection.when
            says = f"{inspection.equipment} has not been inspected {when}"
            draft.refuse(Why.NOT_INSPECTED, says, inspection.clause)


def is_due(table: Table, inspection: str) -> bool:
    """Whether an inspection has not been passed, or not in this shift where each one wants it."""
    done = table.inspected.get(inspection)
    return done is None or (table.rules.inspections[inspection].when == "each shift" and done != table.shift)
