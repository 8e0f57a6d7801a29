"""The progress of each area of side bets, which lammers show, with sets and counts only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pitbook.audit.conditions import all_throws
from pitbook.audit.details import detail
from pitbook.audit.hand import find_call

if TYPE_CHECKING:
    from pitbook.audit.books import Book
    from pitbook.audit.conditions import Throw
    from pitbook.audit.details import Detail
    from pitbook.audit.hand import Hand
    from pitbook.audit.wagers import Wager

Marks = frozenset[int] | int
"""The numbers marked (collect), or how often something has come (repeat, count)."""


class Area(NamedTuple):
    """One area between two rolls."""

    marks: Marks
    paid: bool = False
    """Won, and waiting for a seven."""
    just_won: bool = False
    """Won and open again, and none of its numbers has come since."""

    @property
    def clear(self) -> bool:
        """In play, and without a lammer."""
        return not self.paid and not self.marks


@dataclass(frozen=True, slots=True)
class Rolled:
    """The effect of one roll."""

    point: int | None
    call: str
    areas: dict[str, Area]
    ended: dict[str, str]
    """The offered areas whose game ended, with the row reached."""
    placed: frozenset[str]
    """Areas where a lammer is placed."""
    cleared: frozenset[str]
    """Areas where lammers are removed."""


def new_area(wager: Wager) -> Area:
    """Return an area without a lammer."""
    return Area(frozenset() if wager.kind == "collect" else 0)


def new_areas(book: Book) -> dict[str, Area]:
    """Return a clear layout: the offered areas with lammers, and those that their windows depend on."""
    names = [*book.offered, *(other for name in book.offered for other in book.every[name].watches)]
    return {name: new_area(book.every[name]) for name in names if book.every[name].marked}


def roll(book: Book, point: int | None, areas: dict[str, Area], throw: Throw) -> Rolled:
    """Return the effect of a roll on every area."""
    after, call = find_call(book.hand, point, sum(throw))
    moved: dict[str, Area] = {}
    ended: dict[str, str] = {}
    placed, cleared = set(), set()
    for name, area in areas.items():
        wager = book.every[name]
        now, row, won = _move(wager, area, throw, call)
        moved[name] = now
        if name not in book.offered:
            continue
        if row is not None:
            ended[name] = row
        if won or (row is None and not area.paid and _lammers(wager, now) != _lammers(wager, area)):
            placed.add(name)
        if (area.paid and not now.paid) or won or (row is not None and not area.clear):
            cleared.add(name)
    return Rolled(after, call, moved, ended, frozenset(placed), frozenset(cleared))


def _move(wager: Wager, area: Area, throw: Throw, call: str) -> tuple[Area, str | None, bool]:
    """Return an area after a roll, the row that its wagers reached if they ended, and whether all of it was won."""
    total = sum(throw)
    if total == 7 if wager.loses_on == "any seven" else call == "seven-out":
        if area.paid:
            return new_area(wager), None, False
        return new_area(wager), wager.ladder[_count(area)] if wager.ladder else "lose", False
    if area.paid:
        return area, None, False
    if wager.kind == "count":
        return Area(min(_count(area) + _counts(wager, call), len(wager.ladder) - 1)), None, False
    marks, won = _mark(wager, area.marks, throw, call)
    if marks == area.marks:
        return area, None, False
    if not won:
        return Area(marks), None, False
    row = wager.ladder[-1] if wager.ladder else "win"
    if wager.after_win == "wait for a seven":
        return Area(marks, paid=True), row, True
    return new_area(wager)._replace(just_won=True), row, True


def _counts(wager: Wager, call: str) -> bool:
    """Return whether a count goes up by a roll with this call."""
    if wager.counts == "rolls":
        return True
    return call == "point made" or (wager.counts == "pass line wins" and call == "natural")


def _mark(wager: Wager, marks: Marks, throw: Throw, call: str) -> tuple[Marks, bool]:
    """Return what is marked after a roll that is not the losing seven, and whether nothing is missing."""
    if isinstance(marks, int):
        marks += sum(throw) in wager.numbers
        return marks, marks == wager.times
    if wager.points_made and call != "point made":
        return marks, False
    if wager.conditions:
        marks |= {number for number, throws in enumerate(wager.conditions, 1) if throw in throws}
    else:
        marks |= {sum(throw)} & wager.numbers
    return marks, marks == wager.numbers


def _count(area: Area) -> int:
    return area.marks if isinstance(area.marks, int) else len(area.marks)


def _lammers(wager: Wager, area: Area) -> Marks:
    """Return the lammers on the layout; the last of the labelled ones stays while the count continues."""
    if wager.labels and isinstance(area.marks, int):
        return min(area.marks, wager.labels)
    return area.marks


def window_closed(point: int | None, areas: dict[str, Area], wager: Wager) -> Detail | None:
    """Return why a bet cannot be made now, or None."""
    own = areas.get(wager.id)
    if own is not None and own.paid:
        return detail("won-waiting")
    if wager.rolls == "come-out" and point is not None and not (own is not None and own.just_won):
        return detail("come-out-only", point=point)
    if wager.rolls == "point on" and point is None:
        return detail("point-only")
    for name in wager.watches:
        if not areas[name].clear:
            return detail("numbers-marked", name=name)
    return None


@lru_cache(maxsize=1024)
def state_numbers(wager: Wager, hand: Hand) -> dict[object, int]:
    """Return the number of each state in snapshots: breadth first from the come-out and each point, by rising throw.

    If the hand decides something, a state includes it.
    """
    follows = follows_hand(wager)
    start = new_area(wager).marks
    queue: list[tuple[Marks, int | None]] = [(start, point) for point in ((None, *hand.points) if follows else (None,))]
    numbers: dict[object, int] = {}
    for state in queue:
        numbers.setdefault(state_key(wager, *state), len(numbers))
    seen = set(queue)
    for marks, point in queue:  # grows while it is walked
        for throw in THROWS:
            after, call = find_call(hand, point, sum(throw))
            area, row, _ = _move(wager, Area(marks), throw, call)
            state = (area.marks, after if follows else None)
            if row is None and state not in seen:
                seen.add(state)
                queue.append(state)
                numbers.setdefault(state_key(wager, *state), len(numbers))
    return numbers


THROWS = tuple(sorted(all_throws(2)))


def follows_hand(wager: Wager) -> bool:
    """Return whether the shooter's point matters to a wager."""
    return wager.kind == "count" or wager.loses_on == "seven-out" or wager.points_made


def state_key(wager: Wager, marks: Marks, point: int | None) -> object:
    """Return a key shared by indistinguishable states.

    To a count that any seven ends, the point does not matter if it counts rolls, or at the top of its ladder.
    """
    if wager.kind == "count" and wager.loses_on == "any seven":
        idle = wager.counts == "rolls" or marks == len(wager.ladder) - 1
        return marks, None if idle else point
    return marks, point if follows_hand(wager) else None
