"""Checks and inspections before play, shifts by the house's schedule, and who does them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from pitbook.audit.details import detail
from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.patterns import rows_reached
from pitbook.audit.state import paytable

if TYPE_CHECKING:
    from pitbook.audit.equipment import Point
    from pitbook.audit.state import Actor, Body, Moves, State


@dataclass(frozen=True, slots=True)
class Check:
    """The last check of an item."""

    points: tuple[bool, ...]
    dice: str = ""
    """For dice: the set that was checked."""


def equipment_checked(state: State, event: Body, _who: Actor) -> Moves:
    name, results = event["equipment"], tuple(event["points"])
    item = state.book.items.get(name)
    points = _applicable_points(state, name)
    ensure(item is not None and points, "no-points", name=name)
    ensure(len(results) == len(points), "points", name=name, points=len(points), results=len(results))
    every = item.points if item else ()
    right = [place for place, point in enumerate(every) if point in points]
    ensure((event.get("requirements") or list(range(len(every)))) == right, "other-points", name=name)
    _check_approval(state, event, [point for point, passed in zip(points, results, strict=True) if passed])
    dice = state.dice_set if item is not None and item.kind == "dice" else ""
    state.checks[name] = Check(results, dice)
    return []


def _check_approval(state: State, event: Body, passed: list[Point]) -> None:
    given = event.get("approved_on", "")
    if given:
        zone = ZoneInfo(state.setup.get("timezone", "UTC"))
        today = datetime.fromisoformat(state.at).astimezone(zone).date()
        ensure(date.fromisoformat(given) <= today, "approval-future", given=given)
    if state.setup.get("approval_references") and any(point.approval for point in passed):
        ensure(event.get("approval") and given, "approval-incomplete", equipment=event["equipment"])


def inspected(state: State, event: Body, _who: Actor) -> Moves:
    name = event["inspection"]
    test = state.book.tests.get(name)
    if test is None:
        raise CheckFailed("no-inspection", name=name)
    if test.how == "enter three values":
        right, lit = _expected_lights(state, tuple(event["entered"])), set(event["lit"])
        passed = lit == right
        ensure(set(event.get("dark", right - lit)) == right - lit, "other-dark")
        ensure(set(event.get("wrong", lit - right)) == lit - right, "other-lit")
    else:
        passed = event["proper"] >= test.times
    result = ("failed", "passed")[passed]
    ensure(event["passed"] == passed, "inspection-result", name=name, result=result)
    state.inspections[name] = (passed, state.shift)
    return []


def _expected_lights(state: State, dice: tuple[int, ...]) -> set[str]:
    """Return the areas that must light up on three values."""
    ensure(len(dice) == state.book.dice and all(1 <= face <= 6 for face in dice), "not-entered", dice=dice)
    every = state.book.every
    reached = rows_reached(state.book, tuple(sorted(dice)))
    return {name for name, row in reached.items() if next(iter(every[name].pays.values()))[row].gain > 0}


def _applicable_points(state: State, name: str) -> tuple[Point, ...]:
    """Return the points of an item that apply with the shaker in use and the groups on offer."""
    item = state.book.items.get(name)
    offered = {state.book.every[wager].group for wager in state.book.offered}
    return tuple(
        point
        for point in (item.points if item else ())
        if point.shaker in (None, state.shaker) and (point.group is None or point.group in offered)
    )


def invalidate_checks(state: State, before: dict[str, tuple[Point, ...]], old_pays: object) -> None:
    """Drop checks that a change of setup invalidates: other points apply, or other pays are displayed."""
    same = old_pays == pays(state)
    state.checks = {
        name: check
        for name, check in state.checks.items()
        if before.get(name) == _applicable_points(state, name)
        and (same or not any(point.pays for point in _applicable_points(state, name)))
    }


def all_points(state: State) -> dict[str, tuple[Point, ...]]:
    """Return the points of every item that apply now."""
    return {name: _applicable_points(state, name) for name in state.book.items}


def pays(state: State) -> object:
    """Return what every wager on offer pays."""
    every = (state.book.every[name] for name in state.book.offered)
    return {wager.id: wager.pays[paytable(state.setup, wager)] for wager in every}


def assign_dice_check(state: State, name: str) -> None:
    """Assign a check of dice made before any set was there to this set."""
    state.dice_set = name
    for item, check in state.checks.items():
        if state.book.items[item].kind == "dice" and not check.dice:
            state.checks[item] = Check(check.points, name)


def forget(state: State, equipment: str) -> None:
    """Require an item to be checked and inspected again after a repair."""
    state.checks.pop(equipment, None)
    for name, test in state.book.tests.items():
        if test.equipment == equipment:
            state.inspections.pop(name, None)


def forget_shaker(state: State, shaker: str) -> None:
    """Require a shaker that left the table or was put away to be checked and inspected again."""
    book = state.book
    state.checks = {name: check for name, check in state.checks.items() if book.items[name].shaker != shaker}
    state.inspections = {name: one for name, one in state.inspections.items() if book.tests[name].shaker != shaker}


def check_ready(state: State, *, throwing: bool = False) -> None:
    """Check that all inspections are done if a round begins or the dice are thrown with this entry."""
    if state.automatic:
        return
    if not state.round.done and all(bet.running for bet in state.bets.values()):
        for name, ceases in state.failed.items():
            ensure(not ceases, "not-repaired", name=name)
        _check_shift(state)
        if not state.book.craps:
            for name, test in state.book.tests.items():
                if test.shaker in (None, state.shaker):
                    _check_test(state, name)
        _check_items(state, "round-begins", throwing=throwing)
    elif throwing:
        _check_items(state, "dice-thrown", throwing=True)


def _check_items(state: State, when: str, *, throwing: bool) -> None:
    """Check that every item with a checklist was checked and met all its points; `when` names a text."""
    for name, item in state.book.items.items():
        points = _applicable_points(state, name)
        if not item.checklist or item.shaker not in (None, state.shaker) or not points:
            continue
        check = state.checks.get(name)
        if check is None or len(check.points) != len(points) or check.dice not in ("", state.dice_set):
            waits = throwing and state.point is not None and any(point.pays for point in points)
            ensure(waits, "not-checked", when=detail(when), name=name)
        else:
            ensure(all(check.points), "check-failed", when=detail(when), name=name)


def _check_test(state: State, name: str) -> None:
    passed, shift = state.inspections.get(name, (None, ""))
    ensure(passed is not None, "inspection-missing", name=name)
    ensure(passed, "inspection-failed", name=name)
    every = state.book.tests[name].when == "each shift"
    ensure(not every or shift == state.shift, "inspection-shift", name=name)


def _check_shift(state: State) -> None:
    """Check that no scheduled shift has begun since the table's shift was started."""
    times = state.setup.get("shifts") or ()
    if not times:
        return
    now, zone = datetime.fromisoformat(state.at), ZoneInfo(state.setup["timezone"])
    today = now.astimezone(zone).date()
    days = [today - timedelta(days=1), today]
    begun = [datetime.combine(day, time.fromisoformat(one), zone).astimezone(UTC) for day in days for one in times]
    last = max(moment for moment in begun if moment <= now)
    started = state.shift_started and datetime.fromisoformat(state.shift_started) >= last
    ensure(started, "shift-not-started", shift=last.isoformat())
