"""Equipment checked against the book, and inspections."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.checklists import checklists, current_check, displays_pays, failed_points, points_of
from pitbook.table.decide.rights import need_role
from pitbook.table.decide.throws import check_throw
from pitbook.table.people import MANAGER, is_supervisor
from pitbook.table.refusals import Reason
from pitbook.table.shifts import last_scheduled
from pitbook.table.state import idle

if TYPE_CHECKING:
    from pitbook.table.decide.draft import Draft
    from pitbook.table.state import Table


INSPECT_EQUIPMENT = "inspect-equipment"
"""The step before opening in which the equipment is checked, if a book has one."""


def check_equipment(draft: Draft, command: c.CheckEquipment) -> None:
    check_inspector(draft)
    thing = draft.rules.equipment.get(command.equipment)
    points = points_of(draft.table, command.equipment) if thing else ()
    if thing is None or not points:
        draft.refuse(Reason.NOT_IN_THE_BOOK, "equipment.check.nothing-required", equipment=command.equipment)
    if len(command.points) != len(points):
        name, count = thing.name, len(points)
        draft.refuse(Reason.INSPECTION_FAILED, "equipment.check.points", thing.clause, equipment=name, count=count)
    _check_approval(draft, command)
    places = tuple(place for place, point in enumerate(thing.requires) if point in points)
    draft.emit(
        e.EquipmentChecked(
            command.equipment,
            command.points,
            command.approval.strip(),
            command.approved_on.strip(),
            () if len(places) == len(thing.requires) else places,
        )
    )


def _check_approval(draft: Draft, command: c.CheckEquipment) -> None:
    """Refuse a date that cannot be, and an approval without reference and date where the house wants both."""
    setup, given = draft.table.setup, command.approved_on.strip()
    assert setup is not None
    if given:
        try:
            day = date.fromisoformat(given)
        except ValueError:
            day = None
        if day is None or day.isoformat() != given:
            draft.refuse(Reason.CONFIGURATION, "equipment.check.date", date=given)
        if day > datetime.fromisoformat(draft.context.at).astimezone(ZoneInfo(setup.timezone)).date():
            draft.refuse(Reason.CONFIGURATION, "equipment.check.future", date=given)
    needed = [
        point
        for point, passed in zip(points_of(draft.table, command.equipment), command.points, strict=True)
        if point.approval and passed
    ]
    if setup.approval_references and needed and not (command.approval.strip() and given):
        draft.refuse(Reason.CONFIGURATION, "equipment.check.approval", equipment=draft.equipment(command.equipment))


def check_inspector(draft: Draft) -> None:
    """Check that equipment is checked by someone whom the book names, or else by someone above the dealers."""
    step = next((step for step in draft.rules.procedure.opening if step.id == INSPECT_EQUIPMENT), None)
    if step is not None:
        need_role(draft, step.who, step.clause)
    elif draft.person.role != MANAGER and not is_supervisor(draft.rules, draft.person.role):
        draft.refuse(Reason.WRONG_ROLE, "rights.supervisor", role=draft.person.role)


def inspect(draft: Draft, command: c.Inspect) -> None:
    inspection = draft.rules.inspections.get(command.inspection)
    if inspection is None:
        draft.refuse(Reason.NOT_IN_THE_BOOK, "equipment.check.unknown-inspection", inspection=command.inspection)
    need_role(draft, inspection.who, inspection.clauses_on_who, or_above=inspection.or_above)
    if not idle(draft.table):
        draft.refuse(Reason.NOT_NOW, "equipment.check.between-rounds")
    dark: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    if inspection.how == "enter three values":
        right = illuminate(draft.rules, Roll.of(*check_throw(draft, command.entered)))
        dark = tuple(area for area in right if area not in command.lit)
        wrong = tuple(dict.fromkeys(area for area in command.lit if area not in right))
        passed = not dark and not wrong
    else:
        passed = command.proper >= inspection.times
    draft.emit(e.Inspected(command.inspection, passed, command.entered, command.lit, command.proper, dark, wrong))


def check_inspected(draft: Draft) -> None:
    """Refuse to begin a round while an inspection is due or was failed."""
    table, rules = draft.table, draft.rules
    for name, inspection in rules.inspections.items():
        if inspection.shaker is not None and inspection.shaker != table.shaker:
            continue
        thing = draft.equipment(inspection.equipment)
        if name in table.failed_inspections:
            draft.refuse(Reason.INSPECTION_FAILED, "equipment.check.failed", inspection.clause, equipment=thing)
        if is_due(table, name):
            if inspection.when == "each shift":
                draft.refuse(Reason.NOT_INSPECTED, "equipment.check.each-shift", inspection.clause, equipment=thing)
            draft.refuse(Reason.NOT_INSPECTED, "equipment.check.before-opening", inspection.clause, equipment=thing)


def is_due(table: Table, inspection: str) -> bool:
    """Return whether an inspection has not been passed, or not in this shift where each one wants it."""
    done = table.inspected.get(inspection)
    return done is None or (table.rules.inspections[inspection].when == "each shift" and done != table.shift)


def check_checked(draft: Draft, *, throwing: bool = False) -> None:
    """Refuse to begin a round, or to throw, while equipment has not been checked against the book, or has failed.

    A roll with the point on continues a hand: what displays the pays may wait for the next come-out roll.
    """
    table = draft.table
    for name in checklists(table):
        if current_check(table, name) is None:
            if throwing and table.point is not None and displays_pays(table, name):
                continue
            thing = draft.rules.equipment[name]
            if thing.kind == "dice" and table.dice:
                draft.refuse(Reason.NOT_INSPECTED, "equipment.check.unchecked-dice", thing.clause, set=table.dice.set)
            draft.refuse(
                Reason.NOT_INSPECTED,
                "equipment.check.unchecked",
                thing.clause,
                reading="dice-ology-display" if displays_pays(table, name) else None,
                equipment=thing.name,
            )
        for point in failed_points(table, name):
            draft.refuse(
                Reason.INSPECTION_FAILED,
                "equipment.check.point-failed",
                point.clause,
                equipment=draft.equipment(name),
                point=points_of(table, name).index(point) + 1,
            )


def check_shift(draft: Draft) -> None:
    """Refuse to begin a round once the schedule says that a new shift has begun and nobody has started it."""
    if shift_is_over(draft.table, draft.context.at):
        eachs = (one for one in draft.rules.inspections.values() if one.when == "each shift")
        clauses = next((one.clause for one in eachs if one.shaker in (None, draft.table.shaker)), [])
        draft.refuse(Reason.NOT_INSPECTED, "equipment.check.start-shift", clauses)


def shift_is_over(table: Table, at: str) -> bool:
    """Return whether a scheduled shift has begun since this table's shift was started."""
    setup = table.setup
    if setup is None or not setup.shifts:
        return False
    began = last_scheduled(setup.shifts, setup.timezone, datetime.fromisoformat(at))
    return began is not None and (not table.shift_started or datetime.fromisoformat(table.shift_started) < began)
