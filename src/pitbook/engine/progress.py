"""The progress of every area of a table: the shooter's hand and one state per area, advanced by every roll.

Progress belongs to the table, not to a wager: it is what the lammers show, with or without a bet. An area that has won
and is not open again is *paid* and waits for the seven that would have lost it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pitbook.dice import roll_index
from pitbook.errors import InputError, quoted
from pitbook.rulebooks.wagers import LOSE_ROW, WIN_ROW, Collect, Count, Repeat
from pitbook.wager.hand import COME_OUT, Call, Hand, hands, lost
from pitbook.wager.hand import step as hand_step
from pitbook.wager.machine import lammers_of, machine_of, machines_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pitbook.dice import Roll
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager
    from pitbook.wager.machine import Machine

PAID = -1
"""In place of a state: the area has won, and waits for a seven."""


@dataclass(frozen=True, slots=True)
class Area:
    """One area of the layout: the state its lammers show."""

    state: int
    just_won: bool = False
    """Won, cleared and open again; true until its next number is marked."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a table between rolls, without its wagers."""

    hand: Hand
    areas: Mapping[str, Area]

    def __reduce__(self) -> tuple[Any, ...]:
        return _progress, (self.hand, dict(self.areas))


def _progress(hand: Hand, areas: dict[str, Area]) -> Progress:
    """Return a progress that was copied or sent to another process."""
    return Progress(hand, MappingProxyType(areas))


@dataclass(frozen=True, slots=True)
class Advance:
    """The effect of one roll."""

    progress: Progress
    ended: Mapping[str, str]
    """The areas whose game ended, with the row that they reached."""
    call: Call | None
    """The event of the shooter's hand; None in a game without one."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Advance, (self.progress, dict(self.ended), self.call)


@lru_cache(maxsize=64)
def machines(book: Rulebook) -> Mapping[str, Machine]:
    """Return the machine of every wager on offer; cached for each book."""
    return dict(zip(book.wagers, machines_of([one.spec for one in book.wagers.values()], book.dice), strict=True))


@lru_cache(maxsize=64)
def _every_machine(book: Rulebook) -> Mapping[str, Machine]:
    """Return the machine of every wager, including those that are only watched."""
    return {wager.id: machine_of(wager.spec, book.dice) for wager in book.every.values()}


@lru_cache(maxsize=64)
def initial_progress(book: Rulebook) -> Progress:
    """Return a new shooter's come-out on a clear layout."""
    watched = [wager.window.clear for wager in book.wagers.values() if wager.window]
    ids = dict.fromkeys([*book.wagers, *(other for clear in watched if isinstance(clear, list) for other in clear)])
    areas = {wager_id: Area(_start(book, book.every[wager_id], COME_OUT)) for wager_id in ids}
    return Progress(COME_OUT, MappingProxyType(areas))


def check_state(book: Rulebook, wager: Wager, state: int) -> None:
    """Refuse a state that is not running: a paid area has no chance to win, and no figures."""
    if state not in range(machine_of(wager.spec, book.dice).size):
        if state == PAID:
            raise InputError("engine.paid-state", wager=wager.id)
        raise InputError("engine.no-state", wager=wager.id, state=state)


def check_roll(book: Rulebook, roll: Roll) -> None:
    """Refuse a roll of other dice than this book's."""
    if roll not in roll_index(book.dice):
        raise InputError("engine.not-a-roll", roll=quoted(roll), dice=book.dice, book=book.id)


def advance(book: Rulebook, progress: Progress, roll: Roll) -> Advance:
    """Advance every area by one roll."""
    hand, call = (
        hand_step(progress.hand, roll.total, book.hand) if book.identity.game == "craps" else (progress.hand, None)
    )
    unmarked = _unmarked_advances(book)(progress.hand, roll)
    areas, ended = {}, {}
    for wager_id, area in progress.areas.items():
        areas[wager_id], row = unmarked.get(wager_id) or _advance_marked(
            book, book.every[wager_id], area, progress.hand, roll, hand
        )
        if row is not None and area.state != PAID and wager_id in book.wagers:
            ended[wager_id] = row
    return Advance(Progress(hand, MappingProxyType(areas)), MappingProxyType(ended), call)


@lru_cache(maxsize=64)
def _unmarked_advances(book: Rulebook) -> Callable[[Hand, Roll], Mapping[str, tuple[Area, str | None]]]:
    """Return a function of hand and roll that gives the next state of every area without lammers, and the row reached.

    No lammer shows how far a wager has come, so its area is always where a bet made now would start. That leaves one
    result for each hand and roll.
    """
    areas = [(wager, _every_machine(book)[wager.id]) for wager in book.every.values() if not wager.marked]

    @cache
    def advance_all(hand: Hand, roll: Roll) -> Mapping[str, tuple[Area, str | None]]:
        after = hand_step(hand, roll.total, book.hand)[0] if book.identity.game == "craps" else hand
        return {
            wager.id: (
                Area(_start(book, wager, after)),
                machine.end(machine.step(_start(book, wager, hand), roll)),
            )
            for wager, machine in areas
        }

    return advance_all


def _advance_marked(
    book: Rulebook, wager: Wager, area: Area, hand: Hand, roll: Roll, hand_after: Hand
) -> tuple[Area, str | None]:
    machine = _every_machine(book)[wager.id]
    seven = _is_losing_seven(book, wager, hand, roll)
    if area.state == PAID:
        return (Area(_start(book, wager, hand_after)), LOSE_ROW) if seven else (area, None)
    target = machine.step(area.state, roll)
    row = machine.end(target)
    if row is None:
        stays_won = area.just_won and _unmarked(wager, machine, target)
        return Area(target, just_won=stays_won), None
    if not seven:
        if wager.after_win == "wait for a seven":
            return Area(PAID), row
        return Area(_start(book, wager, hand_after), just_won=True), row
    return Area(_start(book, wager, hand_after)), row


def _is_losing_seven(book: Rulebook, wager: Wager, hand: Hand, roll: Roll) -> bool:
    """Return whether a roll is the seven that ends a wager with lammers; any other roll that ends it completes it."""
    spec = wager.spec
    assert isinstance(spec, Collect | Repeat | Count)
    on = spec.ends_on if isinstance(spec, Count) else spec.loses_on
    return lost(roll.total, hand_step(hand, roll.total, book.hand)[1], on)


def _start(book: Rulebook, wager: Wager, hand: Hand) -> int:
    return _every_machine(book)[wager.id].start(hands(book.hand).index(hand))


def _unmarked(wager: Wager, machine: Machine, state: int) -> bool:
    """Return whether this wager has no lammer on the layout."""
    start = lammers_of(wager.spec, machine, machine.start())
    return lammers_of(wager.spec, machine, state) == start


def is_clear(book: Rulebook, progress: Progress, wager: Wager) -> bool:
    """Return whether the area is in play and has no lammer on the layout."""
    area = progress.areas[wager.id]
    return area.state != PAID and _unmarked(wager, machine_of(wager.spec, book.dice), area.state)


def lammers(book: Rulebook, progress: Progress) -> dict[str, dict[str, Any]]:
    """Return the lammers on every area of a craps layout; none on a layout without lammers."""
    return {
        wager_id: _display_state(book, wager, progress.areas[wager_id].state)
        for wager_id, wager in book.wagers.items()
        if wager.marked
    }


def _display_state(book: Rulebook, wager: Wager, state: int) -> dict[str, Any]:
    if state == PAID:
        return {"paid": True}
    display = {"paid": False, **lammers_of(wager.spec, machine_of(wager.spec, book.dice), state)}
    labelled = book.equipment.get(f"{wager.family}-lammers")
    if labelled is not None and labelled.count and "count" in display:
        # There is one lammer for each count up to the last label; that one stays while the count continues.
        display |= {"labels": labelled.count, "lammer": min(display["count"], labelled.count) or None}
    return display


@dataclass(frozen=True, slots=True)
class Marks:
    """The areas that need attention after a roll: lammers to place, or to remove."""

    placed: tuple[str, ...]
    cleared: tuple[str, ...]


def marks(book: Rulebook, before: Progress, step: Advance) -> Marks:
    """Return where a roll of craps puts a lammer, and from where a win or the losing seven takes them."""
    placed, cleared = [], []
    for wager_id, wager in book.wagers.items():
        if not wager.marked:
            continue
        old, new = before.areas[wager_id], step.progress.areas[wager_id]
        row = step.ended.get(wager_id)
        freed = old.state == PAID and new.state != PAID
        won = row == WIN_ROW or (row is not None and (new.state == PAID or new.just_won))
        if won or (
            row is None and not freed and _lammer_position(book, wager, old) != _lammer_position(book, wager, new)
        ):
            placed.append(wager_id)
        if freed or won or (row is not None and not is_clear(book, before, wager)):
            cleared.append(wager_id)
    return Marks(tuple(placed), tuple(cleared))


def _lammer_position(book: Rulebook, wager: Wager, area: Area) -> Any:
    display = _display_state(book, wager, area.state)
    return display.get("lammer", display.get("count")) if "row" in display else display
