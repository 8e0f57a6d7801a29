"""The craps hand, and the progress of each area of side bets, with sets and counts only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pitbook.audit.books import Book, Wager

POINTS = (4, 5, 6, 8, 9, 10)

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
    """Where a lammer is placed."""
    cleared: frozenset[str]
    """Where lammers are removed."""


def find_call(point: int | None, total: int) -> tuple[int | None, str]:
    """Return the point after a roll, and the stick person's call."""
    if point is None:
        if total in POINTS:
            return total, "point set"
        return None, "natural" if total in (7, 11) else "craps"
    if total == 7:
        return None, "seven-out"
    return (None, "point made") if total == point else (point, "no decision")


def fresh(wager: Wager) -> Area:
    """Return an area without a lammer."""
    return Area(frozenset() if wager.kind == "collect" else 0)


def fresh_areas(book: Book) -> dict[str, Area]:
    """Return a clear layout: the offered areas, and those that their windows depend on."""
    names = [*book.offered, *(other for name in book.offered for other in book.every[name].watches)]
    return {name: fresh(book.every[name]) for name in names}


def roll(book: Book, point: int | None, areas: dict[str, Area], total: int) -> Rolled:
    """Return the effect of a roll on every area."""
    after, call = find_call(point, total)
    moved: dict[str, Area] = {}
    ended: dict[str, str] = {}
    placed, cleared = set(), set()
    for name, area in areas.items():
        wager = book.every[name]
        now, row = _move(wager, area, total, call)
        moved[name] = now
        if name not in book.offered:
            continue
        if row is not None:
            ended[name] = row
        if row == "win" or (row is None and not area.paid and _lammers(wager, now) != _lammers(wager, area)):
            placed.add(name)
        if (area.paid and not now.paid) or row == "win" or (row is not None and not area.clear):
            cleared.add(name)
    return Rolled(after, call, moved, ended, frozenset(placed), frozenset(cleared))


def _move(wager: Wager, area: Area, total: int, call: str) -> tuple[Area, str | None]:
    """Return an area after a roll, and the row that its wagers reached, if they ended."""
    if total == 7 if wager.loses_on == "any seven" else call == "seven-out":
        if area.paid:
            return fresh(wager), None
        return fresh(wager), wager.ladder[_count(area)] if wager.kind == "count" else "lose"
    if area.paid:
        return area, None
    if wager.kind == "count":
        counts = call == "point made" or (wager.counts == "pass line wins" and call == "natural")
        return Area(min(_count(area) + counts, len(wager.ladder) - 1)), None
    if total not in wager.numbers:
        return area, None
    if isinstance(area.marks, frozenset):
        marks: Marks = area.marks | {total}
        won = marks == wager.numbers
    else:
        marks = area.marks + 1
        won = marks == wager.times
    if not won:
        return Area(marks), None
    if wager.after_win == "wait for a seven":
        return Area(marks, paid=True), "win"
    return fresh(wager)._replace(just_won=True), "win"


def _count(area: Area) -> int:
    assert isinstance(area.marks, int)
    return area.marks


def _lammers(wager: Wager, area: Area) -> Marks:
    """Return the lammers on the layout; the last of the labelled ones stays while the count goes on."""
    if wager.labels and isinstance(area.marks, int):
        return min(area.marks, wager.labels)
    return area.marks


def window_closed(point: int | None, areas: dict[str, Area], wager: Wager) -> str | None:
    """Return why a side bet cannot be made now, or None."""
    if wager.kind == "pattern":
        return None
    own = areas[wager.id]
    if own.paid:
        return "it has been won and waits for a seven"
    if wager.come_out_only and point is not None and not own.just_won:
        return f"it is made before a come-out roll only, and the point is {point}"
    for name in wager.watches:
        if not areas[name].clear:
            return f"numbers of {name} are marked already"
    return None


def state_numbers(wager: Wager) -> dict[object, int]:
    """Return the number of each state in snapshots: breadth first from the come-out and each point, by rising total.

    If only the hand's losing seven counts, a state includes the hand.
    """
    hand = wager.kind == "count" or wager.loses_on == "seven-out"
    start = fresh(wager).marks
    queue: list[tuple[Marks, int | None]] = [(start, point) for point in ((None, *POINTS) if hand else (None,))]
    numbers: dict[object, int] = {}
    for state in queue:
        numbers.setdefault(state_key(wager, *state), len(numbers))
    seen = set(queue)
    for marks, point in queue:  # grows while it is walked
        for total in range(2, 13):
            after, call = find_call(point, total)
            area, row = _move(wager, Area(marks), total, call)
            state = (area.marks, after if hand else None)
            if row is None and state not in seen:
                seen.add(state)
                queue.append(state)
                numbers.setdefault(state_key(wager, *state), len(numbers))
    return numbers


def state_key(wager: Wager, marks: Marks, point: int | None) -> object:
    """Return a key shared by indistinguishable states: at the top of a ladder ended by any seven, the point is idle."""
    if wager.kind == "count":
        top = marks == len(wager.ladder) - 1 and wager.loses_on == "any seven"
        return marks, None if top else point
    return marks, point if wager.loses_on == "seven-out" else None
