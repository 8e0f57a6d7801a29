"""Bugs of custody put into the table on purpose (dice, shakers, the answerable dealer): the auditor names the entry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from pitbook.audit import audit
from pitbook.audit.report import Finding
from pitbook.dice_register.events import DiceReturned
from pitbook.house.house import House
from pitbook.journal.sqlite import SqliteStore
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table import evolve as evolving
from pitbook.table.decide import draft, equipment, readiness, rounds, setup
from pitbook.table.dice_moves import register_events
from pitbook.table.people import Person
from pitbook.testing import MANAGER, Clock, JournalTable, checks_of
from tests.audit.handlers import replace_handler
from tests.audit.journals import entries_of

MASSACHUSETTS, MARYLAND, SINGAPORE = "massachusetts-sic-bo", "maryland-sic-bo", "singapore-mbs-sic-bo-v6"
AUTOMATED: dict[str, object] = {"shaker": "automated"}
RELIEF = Person("relief", "dealer")

Patch = Callable[[pytest.MonkeyPatch], None]


class Night(JournalTable):
    """A table of a house, with a clock that the script moves."""

    def __init__(self, house: House, clock: Clock, book: str, **changes: object) -> None:
        super().__init__(house, book, "t1", **changes)
        self.later = clock.later
        self.buy_in("ann", 100_000)

    def staff(self, command: c.Command) -> None:
        """Act as the most senior member of the crew."""
        self.does(self.most_senior, command)

    def dealer(self, command: c.Command) -> None:
        self.does(self.crew["dealer"], command)

    def reopen(self, **changes: object) -> None:
        """Close and reopen the table without a dealer taking over."""
        self.does(MANAGER, c.CloseTable())
        self.open(self.rules.id, **changes)


Script = Callable[[Night], None]


def found(path: Path, book: str, script: Script, **changes: object) -> Finding | None:
    """Return the auditor's first finding in a journal."""
    clock = Clock()
    with House(SqliteStore(path), clock=clock) as house:
        script(Night(house, clock, book, **changes))
    return audit(path).first


# ---------------------------------------------------------------- what is played


def expire_in_mid_round(night: Night) -> None:
    night.bet("ann", "small=10")
    night.later(hours=25)
    night.take_steps(until="reveal")


def put_back(night: Night) -> None:
    night.later(hours=1)
    night.staff(c.PutDice("set-2"))
    night.later(hours=1)
    night.staff(c.PutDice("set-1"))


def put_back_too_late(night: Night) -> None:
    night.later(hours=1)
    night.staff(c.PutDice("set-2"))
    night.later(hours=24)
    night.staff(c.PutDice("set-1"))


def at_another_table(night: Night) -> None:
    night.later(hours=1)
    night.staff(c.TakeOutDice("set-1", "for another table"))
    other = JournalTable(night.house, MASSACHUSETTS, "t2")
    other.does(other.most_senior, c.PutDice("set-1"))


def at_two_tables(night: Night) -> None:
    other = JournalTable(night.house, MASSACHUSETTS, "t2")
    other.does(other.most_senior, c.PutDice("set-1"))


def destroyed(night: Night) -> None:
    night.staff(c.TakeOutDice("set-1", "worn", "destroyed"))
    night.staff(c.PutDice("set-1"))


def after_the_shake(night: Night) -> None:
    night.bet("ann", "small=10")
    night.take_steps(until="reveal")
    night.dealer(c.TakeOutDice("set-1", "a doubt"))


def put_away(night: Night) -> None:
    night.dealer(c.PutAwayShaker("removed"))


def put_away_and_filled(night: Night) -> None:
    night.dealer(c.PutAwayShaker("removed"))
    night.staff(c.PutDice("set-2"))


def put_away_and_shaken(night: Night) -> None:
    night.dealer(c.PutAwayShaker("removed"))
    night.take_steps(until="announce dice")


def two_shakers(night: Night) -> None:
    night.reopen(shaker="manual")
    night.dealer(c.TakeOver())
    night.staff(c.PutDice("set-2"))


def used_beside(night: Night) -> None:
    night.dealer(c.UseShaker("manual"))


def filled_alone(night: Night) -> None:
    night.reopen()
    night.staff(c.PutDice("set-2"))


def used_alone(night: Night) -> None:
    night.dealer(c.LeaveTable())
    night.dealer(c.PutAwayShaker("covered", dice_removed=True))
    night.dealer(c.UseShaker("manual"))


def comes_back(night: Night) -> None:
    night.dealer(c.UseShaker("automated"))
    night.dealer(c.PutAwayShaker("covered", dice_removed=True))
    night.dealer(c.UseShaker("manual"))
    night.staff(c.PutDice("set-2"))
    night.staff(c.CheckEquipment("dice", (True,)))
    night.bet("ann", "small=10")


def comes_back_and_is_checked(night: Night) -> None:
    night.dealer(c.UseShaker("automated"))
    night.dealer(c.PutAwayShaker("covered", dice_removed=True))
    night.dealer(c.UseShaker("manual"))
    night.staff(c.PutDice("set-2"))
    for check in checks_of(night.table):
        night.staff(check)
    night.bet("ann", "small=10")


def damaged(night: Night) -> None:
    night.open_betting()
    night.dealer(c.Call("damaged-dice"))


def damaged_and_repaired(night: Night) -> None:
    damaged(night)
    night.staff(c.Repair("dice"))


def damaged_and_thrown(night: Night) -> None:
    damaged(night)
    night.open_betting()
    night.take_steps(until="close betting")


def failed_and_activated(night: Night) -> None:
    night.dealer(c.TakeStep("close"))
    night.dealer(c.Call("shaker-malfunction"))
    night.dealer(c.TakeStep("close"))
    night.dealer(c.TakeStep("shake-automated"))


def failed_and_brought_back(night: Night) -> None:
    night.dealer(c.TakeStep("close"))
    night.dealer(c.Call("shaker-malfunction"))
    night.dealer(c.PutAwayShaker("removed"))
    night.dealer(c.UseShaker("automated"))


def failed_and_repaired(night: Night) -> None:
    night.dealer(c.TakeStep("close"))
    night.dealer(c.Call("shaker-malfunction"))
    night.dealer(c.PutAwayShaker("removed"))
    night.staff(c.Repair("automated-shaker"))
    night.dealer(c.UseShaker("automated"))
    night.staff(c.PutDice("set-2"))


def damaged_and_taken_out(night: Night) -> None:
    damaged(night)
    night.dealer(c.TakeOutDice("set-1", "chipped"))


def cancelled(night: Night) -> None:
    night.staff(c.TakeOutDice("set-1", "worn", "cancelled"))


def not_sealed(night: Night) -> None:
    night.staff(c.PutDice("set-2", sealed=False))


def failed_under_another_book(night: Night) -> None:
    night.bet("ann", "small=10")
    night.does(night.most_senior, c.Call("device-malfunction"))
    night.take_steps((1, 2, 3))
    night.does(MANAGER, c.CloseTable())
    night.open(SINGAPORE, shaker="automated")
    night.does(Person("pia", "pit-supervisor"), c.PutDice("set-2"))


def replaced(night: Night) -> None:
    night.staff(c.PutDice("set-2"))


def closed(night: Night) -> None:
    night.does(MANAGER, c.CloseTable())


def two_dealers(night: Night) -> None:
    night.bet("ann", "small=10")
    night.does(RELIEF, c.TakeStep("close"))


def left_alone(night: Night) -> None:
    night.dealer(c.LeaveTable())


def left_in_mid_round(night: Night) -> None:
    night.bet("ann", "small=10")
    night.dealer(c.LeaveTable())


# ---------------------------------------------------------------- what is broken


def without(*places: tuple[object, str]) -> Patch:
    """Leave out a check or an act."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        for module, name in places:
            monkeypatch.setattr(module, name, lambda *_given, **_named: None)

    return patch


def clock_restarts(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(deciding: Any, command: Any) -> Any:
        return command.serials, deciding.context.at

    monkeypatch.setattr(equipment, "_check_register", wrong)


def register_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft, "register_events", lambda *_given: ())


def leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_handler(monkeypatch, c.LeaveTable, lambda deciding, _command: deciding.emit(e.DealerLeft()))


def shaker_stays_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evolving, "_not_inspected", lambda table, _shaker: table)


def puts_dice_unsealed(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(deciding: Any, command: Any) -> None:
        equipment.take_out(deciding, "replaced")
        at = deciding.context.at
        deciding.emit(e.DicePut(command.set, at, command.sealed, at))

    replace_handler(monkeypatch, c.PutDice, wrong)


def keeps_damaged_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equipment, "failed_kinds", lambda _table: set())


def register_keeps_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*given: Any) -> Any:
        for event in register_events(*given):
            yield structs.replace(event, fate="kept") if isinstance(event, DiceReturned) else event

    monkeypatch.setattr(draft, "register_events", wrong)


def uses_any_shaker(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_handler(monkeypatch, c.UseShaker, lambda deciding, command: deciding.emit(e.ShakerInUse(command.shaker)))


def repairs_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_handler(
        monkeypatch, c.Repair, lambda deciding, command: deciding.emit(e.EquipmentRepaired(command.equipment))
    )


ANYTHING_WORKS = without((rounds, "check_works"), (readiness, "check_works"))
SHAKER_UNCHECKED = without((equipment, "check_shaker_in_use"), (readiness, "check_shaker_in_use"))

BUGS: dict[str, tuple[str, Script, Patch, str, str, str, dict[str, object]]] = {
    "age not looked at when the dice are thrown": (
        MASSACHUSETTS, expire_in_mid_round, without((rounds, "check_age")),
        "t1", "StepTaken", "longer than 24 hours", {},
    ),
    "an expired set put in": (
        MASSACHUSETTS, put_back_too_late, without((equipment, "_check_age")),
        "t1", "DicePut", "longer than 24 hours", {},
    ),
    "first use restarts when a set is put back": (
        MASSACHUSETTS, put_back, clock_restarts, "house", "DiceUsed", "its time in use was restarted", {},
    ),
    "first use restarts at another table": (
        MASSACHUSETTS, at_another_table, clock_restarts, "house", "DiceUsed", "its time in use was restarted", {},
    ),
    "a set at two tables": (
        MASSACHUSETTS, at_two_tables, clock_restarts, "house", "DiceUsed", "is in use at t1", {},
    ),
    "a destroyed set used again": (
        MASSACHUSETTS, destroyed, clock_restarts, "house", "DiceUsed", "is destroyed", {},
    ),
    "the register not written": (
        MASSACHUSETTS, replaced, register_not_written, "t1", "DicePut", "dice register has no such move", {},
    ),
    "dice moved after the shake": (
        MASSACHUSETTS, after_the_shake, without((equipment, "_check_not_thrown")),
        "t1", "DiceTakenOut", "after the shake", {},
    ),
    "dice put in beside others": (
        MASSACHUSETTS, replaced, without((equipment, "take_out")), "t1", "DicePut", "while others were in", {},
    ),
    "dice stay in a shaker that is put away": (
        MASSACHUSETTS, put_away, without((equipment, "take_out")), "t1", "ShakerPutAway", "with dice in it", AUTOMATED,
    ),
    "dice stay in the shaker of a closed table": (
        MASSACHUSETTS, closed, without((setup, "take_out")), "t1", "TableClosed", "with dice in the shaker", {},
    ),
    "a shaker filled that was put away": (
        MASSACHUSETTS, put_away_and_filled, SHAKER_UNCHECKED, "t1", "DicePut", "had been put away", AUTOMATED,
    ),
    "the shake of a shaker that was put away": (
        MASSACHUSETTS, put_away_and_shaken, without((readiness, "_check_shaker"), (rounds, "check_age")),
        "t1", "StepTaken", "had been put away", AUTOMATED,
    ),
    "a manual shaker filled beside an automated one": (
        MASSACHUSETTS, two_shakers, SHAKER_UNCHECKED, "t1", "DicePut", "automated one was on the table", AUTOMATED,
    ),
    "a manual shaker used beside an automated one": (
        MASSACHUSETTS, used_beside, without((equipment, "_refuse_second_shaker")),
        "t1", "ShakerInUse", "automated one was on the table", AUTOMATED,
    ),
    "a manual shaker filled without a dealer": (
        MASSACHUSETTS, filled_alone, without((equipment, "check_attended")),
        "t1", "DicePut", "without a dealer at the table", {},
    ),
    "a manual shaker used without a dealer": (
        MARYLAND, used_alone, without((equipment, "check_attended")),
        "t1", "ShakerInUse", "without a dealer at the table", AUTOMATED,
    ),
    "a manual shaker comes back unchecked": (
        MARYLAND, comes_back, shaker_stays_checked, "t1", "BetPlaced", "manual-shaker has not been checked", {},
    ),
    "damaged dice repaired": (
        SINGAPORE, damaged_and_repaired, repairs_anything,
        "t1", "EquipmentRepaired", "damaged dice were repaired", AUTOMATED,
    ),
    "damaged dice thrown": (
        SINGAPORE, damaged_and_thrown, ANYTHING_WORKS, "t1", "StepTaken", "damaged dice were shaken", AUTOMATED,
    ),
    "a failed shaker activated": (
        MASSACHUSETTS, failed_and_activated, ANYTHING_WORKS, "t1", "StepTaken", "used after it had failed", AUTOMATED,
    ),
    "a failed shaker brought back without repair": (
        MASSACHUSETTS, failed_and_brought_back, uses_any_shaker,
        "t1", "ShakerInUse", "used after it had failed", AUTOMATED,
    ),
    "damaged dice kept": (
        SINGAPORE, damaged_and_taken_out, keeps_damaged_dice, "t1", "DiceTakenOut", "damaged dice were kept", AUTOMATED,
    ),
    "a cancelled set kept in the register": (
        MASSACHUSETTS, cancelled, register_keeps_dice, "t1", "DiceTakenOut", "kept in the register", {},
    ),
    "dice that are not sealed": (
        MASSACHUSETTS, not_sealed, puts_dice_unsealed, "t1", "DicePut", "not sealed", {},
    ),
    "another dealer takes a step": (
        MASSACHUSETTS, two_dealers, without((rounds, "check_answerable")),
        "t1", "StepTaken", "is responsible for the table", {},
    ),
    "a shaker left without relief": (
        MASSACHUSETTS, left_alone, leaves, "t1", "DealerLeft", "without a relief dealer", AUTOMATED,
    ),
    "the dealer leaves in mid-round": (
        MARYLAND, left_in_mid_round, leaves, "t1", "DealerLeft", "middle of a round", AUTOMATED,
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_of_custody_is_caught_at_its_entry(bug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book, script, patch, table, kind, why, changes = BUGS[bug]
    patch(monkeypatch)
    finding = found(tmp_path / "wrong.db", book, script, **changes)
    assert finding is not None, "the bug was not caught"
    assert (finding.table, finding.kind) == (table, kind), str(finding)
    place = 0 if bug == "the register not written" else -1
    assert finding.sequence == entries_of(tmp_path / "wrong.db", kind, table)[place], str(finding)
    assert why in finding.why


RIGHT: dict[str, tuple[str, Script, dict[str, object]]] = {
    "a set put back within its time": (MASSACHUSETTS, put_back, {}),
    "a set at another table after it was taken out": (MASSACHUSETTS, at_another_table, {}),
    "a shaker put away": (MASSACHUSETTS, put_away, AUTOMATED),
    "dice replaced": (MASSACHUSETTS, replaced, {}),
    "the table closed": (MASSACHUSETTS, closed, {}),
    "a manual shaker comes back and is checked": (MARYLAND, comes_back_and_is_checked, {}),
    "damaged dice called": (SINGAPORE, damaged, AUTOMATED),
    "damaged dice taken out": (SINGAPORE, damaged_and_taken_out, AUTOMATED),
    "a set cancelled": (MASSACHUSETTS, cancelled, {}),
    "a failed shaker repaired and brought back": (MASSACHUSETTS, failed_and_repaired, AUTOMATED),
    "equipment that failed under another book": (MASSACHUSETTS, failed_under_another_book, {}),
}


@pytest.mark.parametrize("what", RIGHT)
def test_what_the_table_allows_is_right(what: str, tmp_path: Path) -> None:
    book, script, changes = RIGHT[what]
    assert found(tmp_path / "right.db", book, script, **changes) is None


def test_leaving_between_rounds_with_an_automated_shaker_is_right_in_maryland(tmp_path: Path) -> None:
    assert found(tmp_path / "right.db", MARYLAND, left_alone, **AUTOMATED) is None
