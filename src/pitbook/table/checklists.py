"""Checklists of equipment: the points that apply at a table, and which checks still count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from pitbook.table.state import paytable_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.money import Odds
    from pitbook.rulebooks.text import Requirement
    from pitbook.table.state import Check, Table

Result = Literal["in order", "failed", "not checked"]


def checklists(table: Table) -> dict[str, tuple[Requirement, ...]]:
    """Return the equipment to check before play here, each item with the points that apply."""
    found = {
        name: points_of(table, name)
        for name, thing in table.rules.equipment.items()
        if thing.checklist and thing.shaker in (None, table.shaker)
    }
    return {name: points for name, points in found.items() if points}


def points_of(table: Table, equipment: str) -> tuple[Requirement, ...]:
    """Return what the book requires of an item with the shaker in use and the groups of wagers on offer."""
    offered = {wager.group for wager in table.rules.wagers.values()}
    return tuple(
        point
        for point in table.rules.equipment[equipment].requires
        if point.shaker in (None, table.shaker) and (point.group is None or point.group in offered)
    )


def current_check(table: Table, equipment: str) -> Check | None:
    """Return the check of an item that counts now, passed or failed; None if one is due."""
    check = table.checks.get(equipment)
    if check is None or len(check.points) != len(points_of(table, equipment)):
        return None
    if check.dice and (table.dice is None or table.dice.set != check.dice):
        return None
    return check


def failed_points(table: Table, equipment: str) -> tuple[Requirement, ...]:
    """Return the points that an item failed when it was last checked."""
    check = current_check(table, equipment)
    if check is None:
        return ()
    return tuple(point for point, passed in zip(points_of(table, equipment), check.points, strict=True) if not passed)


def result_of(table: Table, equipment: str) -> Result:
    """Return the state of an item."""
    if current_check(table, equipment) is None:
        return "not checked"
    return "failed" if failed_points(table, equipment) else "in order"


def displays_pays(table: Table, equipment: str) -> bool:
    """Return whether players read from an item what is paid."""
    return any(point.displays == "pays" for point in points_of(table, equipment))


def checks_with_dice(table: Table, dice: str) -> dict[str, Check]:
    """Return the checks once a set of dice is in: a check of dice made before the first set holds for that set."""
    kinds = {name: thing.kind for name, thing in table.rules.equipment.items()}
    return {
        name: replace(check, dice=dice) if kinds.get(name) == "dice" and not check.dice else check
        for name, check in table.checks.items()
    }


def still_valid(before: Table, after: Table) -> dict[str, Check]:
    """Return the checks that still count after a change of set-up.

    An item is due again if other points apply to it now, or if it displays what is paid and that has changed.
    """
    same_pays = _pays(before) == _pays(after)
    return {
        name: check
        for name, check in before.checks.items()
        if name in after.rules.equipment
        and points_of(before, name) == points_of(after, name)
        and (same_pays or not displays_pays(after, name))
    }


def _pays(table: Table) -> dict[str, Mapping[str, Odds]]:
    """Return what every wager on offer pays, row by row."""
    return {name: wager.pays[paytable_of(table, name)] for name, wager in table.rules.wagers.items()}
