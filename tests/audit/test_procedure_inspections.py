"""Seeded bugs: play without checks, inspections, shifts, confirmations or the reset; the auditor names the entry."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitbook.audit import audit
from pitbook.audit.report import Finding
from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.house.house import House
from pitbook.journal.sqlite import SqliteStore
from pitbook.people import commands as people
from pitbook.people.values import Grant, Policy
from pitbook.table import commands as c
from pitbook.table.decide import bet_placement, betting, inspections, readiness, rounds
from pitbook.table.people import Person
from pitbook.testing import MANAGER, Clock, JournalTable, checks_of
from tests.audit.journals import enrol, entries_of

MASSACHUSETTS, MARYLAND, SINGAPORE = "massachusetts-sic-bo", "maryland-sic-bo", "singapore-mbs-sic-bo-v6"
OLOGY, WORKS = "dice-ology", "dice-works"
START = datetime(2026, 3, 2, 18, 30, tzinfo=UTC)


CLOCK = Clock(START)


def later(_floor: JournalTable) -> None:
    CLOCK.now = START + timedelta(hours=1)


# ---------------------------------------------------------------- what is played


def box_not_in_order(floor: JournalTable) -> None:
    floor.does(floor.most_senior, c.CheckEquipment("drop-box", (False,)))
    floor.bet("ann", "small=10")


def box_fails_before_the_shake(floor: JournalTable) -> None:
    floor.bet("ann", "small=10")
    floor.does(floor.most_senior, c.CheckEquipment("drop-box", (False,)))
    floor.does(floor.crew["dealer"], c.TakeStep("shake-manual", shakes=3))


def dice_exchanged_before_the_tumble(floor: JournalTable) -> None:
    floor.open_betting()
    floor.bet("ann", "small=10")
    floor.does(floor.most_senior, c.PutDice("set-2"))
    floor.does(floor.crew["dealer"], c.TakeStep("tumble", shakes=3))


def other_dice(floor: JournalTable) -> None:
    floor.does(floor.most_senior, c.PutDice("set-2"))
    floor.open_betting()


def lamp_dark(floor: JournalTable) -> None:
    lit = illuminate(floor.rules, Roll.of(1, 2, 3))
    floor.does(floor.crew["floorperson"], c.Inspect("device-before-opening", (1, 2, 3), lit[:-1]))
    floor.bet("ann", "small=10")


def shift_without_inspection(floor: JournalTable) -> None:
    floor.does(floor.most_senior, c.StartShift("swing"))
    floor.bet("ann", "small=10")


def bet_later(floor: JournalTable) -> None:
    later(floor)
    floor.bet("ann", "small=10")


def other_pays(floor: JournalTable) -> None:
    setup = floor.table.setup
    assert setup is not None
    floor.does(MANAGER, c.ChangeSetup(replace(setup, paytables={"dice-ology": "PT2"})))
    floor.bet("ann", "little-ones=5")


def area_missing(floor: JournalTable) -> None:
    floor.does(floor.most_senior, c.CheckEquipment("layout", (True, True, True, True, False)))
    floor.bet("ann", "all-lows=5")


def staff_bet(floor: JournalTable) -> None:
    floor.does(floor.crew["base-dealer"], c.PlaceBets((c.BetRequest("little-ones", 500),), "ann"))


def floor_confirms(floor: JournalTable) -> None:
    staff_bet(floor)
    floor.does(floor.crew["floorperson"], c.ConfirmBets())


def no_reset(floor: JournalTable) -> None:
    floor.open_betting()
    floor.bet("ann", "small=10")
    floor.take_steps(until="press deal")
    dealer = floor.crew["dealer"]
    floor.does(dealer, c.Call("deal-not-pressed"))
    floor.take_steps((1, 2, 3), until="reset")
    floor.does(dealer, c.TakeStep("enter-dice", (1, 2, 3)))


def dealer_checks(floor: JournalTable) -> None:
    floor.does(floor.crew["dealer"], c.CheckEquipment("layout", (True,) * 4))


def dealer_inspects(floor: JournalTable) -> None:
    floor.does(floor.crew["dealer"], c.Inspect("shaker-before-opening", proper=3))


def unnamed_approval(floor: JournalTable) -> None:
    floor.does(floor.most_senior, c.CheckEquipment("tip-box", (True,)))


def approval_of_tomorrow(floor: JournalTable) -> None:
    floor.does(floor.most_senior, c.CheckEquipment("tip-box", (True,), "COMAR 17", "2026-03-03"))


def tip_beside(floor: JournalTable) -> None:
    floor.bet("ann", "little-ones=6")
    floor.bet("ann", "little-ones=5", "tip on top")


# ---------------------------------------------------------------- what is broken

Patch = Callable[[pytest.MonkeyPatch], None]
Script = Callable[[JournalTable], None]


def without(*checks: tuple[object, str]) -> Patch:
    """Leave out checks of the table."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        for module, name in checks:
            monkeypatch.setattr(module, name, lambda *_, **__: None)

    return patch


def any_lights_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspections, "illuminate", lambda rules, roll: illuminate(rules, roll)[:-1])


def confirmed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bet_placement, "_confirmed", lambda _draft, _wager: True)


def tips_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bet_placement, "shares_limits", lambda _rules: False)


UNCHECKED = without((readiness, "check_checked"))
UNINSPECTED = without((readiness, "check_inspected"))
ANY_SHIFT = without((readiness, "check_shift"))
ANY_ORDER = without((rounds, "_check_due"))
ANY_CHECKER = without((inspections, "check_inspector"))
ANY_INSPECTOR = without((inspections, "need_role"))
ANY_CONFIRMER = without((betting, "need_role"))
ANY_APPROVAL = without((inspections, "_check_approval"))
SCHEDULE = Policy(shifts=("06:00", "14:00", "22:00"), timezone="America/New_York")
REFERENCES = Policy(approval_references=True)
TOGETHER: dict[str, object] = {"readings": {"dice-ology-tips-limit": "together"}}
AUTOMATED: dict[str, object] = {"shaker": "automated"}

BUGS: dict[str, tuple[str, dict[str, object], Policy | None, Patch, Script, str, str]] = {
    "a box that failed its check is no obstacle": (
        *(MARYLAND, {}, None, UNCHECKED, box_not_in_order),
        *("BetPlaced", "drop-box failed its check"),
    ),
    "a box that fails in a round does not stop the shake": (
        *(MARYLAND, {}, None, UNCHECKED, box_fails_before_the_shake),
        *("StepTaken", "the dice were thrown, but drop-box failed its check"),
    ),
    "dice exchanged in a round are thrown unchecked": (
        *(SINGAPORE, {}, None, UNCHECKED, dice_exchanged_before_the_tumble),
        *("StepTaken", "the dice were thrown, but dice has not been checked"),
    ),
    "another set of dice is not checked": (
        *(SINGAPORE, {}, None, UNCHECKED, other_dice),
        *("StepTaken", "dice has not been checked"),
    ),
    "a device that failed its inspection is no obstacle": (
        *(MASSACHUSETTS, {}, None, UNINSPECTED, lamp_dark),
        *("BetPlaced", "the inspection device-before-opening failed"),
    ),
    "a dark lamp passes": (
        *(MASSACHUSETTS, {}, None, any_lights_pass, lamp_dark),
        *("Inspected", "the lamps that stayed dark are not the ones it lists"),
    ),
    "a shift begins without its inspection": (
        *(MASSACHUSETTS, AUTOMATED, None, UNINSPECTED, shift_without_inspection),
        *("BetPlaced", "shaker-each-shift was not carried out in this shift"),
    ),
    "the schedule of shifts is not looked at": (
        *(MASSACHUSETTS, AUTOMATED, SCHEDULE, ANY_SHIFT, bet_later),
        *("BetPlaced", "the shift of 2026-03-02T19:00:00+00:00 was not started"),
    ),
    "other pays are not displayed": (
        *(OLOGY, {}, None, UNCHECKED, other_pays),
        *("BetPlaced", "sign has not been checked"),
    ),
    "an area is missing on the layout": (
        *(WORKS, {}, None, UNCHECKED, area_missing),
        *("BetPlaced", "layout failed its check"),
    ),
    "a bet entered by staff counts at once": (
        *(OLOGY, {}, None, confirmed_at_once, staff_bet),
        *("BetPlaced", "although it was not repeated aloud"),
    ),
    "somebody confirms whom the text does not name": (
        *(OLOGY, {}, None, ANY_CONFIRMER, floor_confirms),
        *("BetsConfirmed", "acted as floorperson, but confirming bets is reserved for"),
    ),
    "the dice are entered without the reset": (
        *(SINGAPORE, {}, None, ANY_ORDER, no_reset),
        *("StepTaken", "took the step enter-dice, which is not due; reset-equipment is"),
    ),
    "a dealer checks the layout": (
        *(MARYLAND, {}, None, ANY_CHECKER, dealer_checks),
        *("EquipmentChecked", "acted as dealer, but checking layout is reserved for"),
    ),
    "a dealer inspects the shaker": (
        *(MARYLAND, AUTOMATED, None, ANY_INSPECTOR, dealer_inspects),
        *("Inspected", "acted as dealer, but the inspection shaker-before-opening"),
    ),
    "an approval has no reference": (
        *(MARYLAND, {}, REFERENCES, ANY_APPROVAL, unnamed_approval),
        *("EquipmentChecked", "tip-box has an approval without a reference or a date"),
    ),
    "an approval lies in the future": (
        *(MARYLAND, {}, None, ANY_APPROVAL, approval_of_tomorrow),
        *("EquipmentChecked", "an approval is dated in the future: 2026-03-03"),
    ),
    "tips do not share the limits": (
        *(OLOGY, TOGETHER, None, tips_apart, tip_beside),
        *("BetPlaced", "1100 on little-ones is outside the limits"),
    ),
}


class Approved(JournalTable):
    """A table whose checks name an approval, as house policy may require."""

    def make_ready(self) -> None:
        for check in checks_of(self.table):
            self.does(self.most_senior, c.CheckEquipment(check.equipment, check.points, "COMAR 17", "2026-02-28"))
        self.does(self.crew["dealer"], c.TakeOver())


def found(
    path: Path,
    book: str,
    changes: dict[str, object],
    policy: Policy | None,
    script: Script,
    broken: Callable[[], None],
) -> Finding | None:
    """Return the auditor's first finding; the bug is introduced once the table is ready."""
    CLOCK.now = START
    with House(SqliteStore(path), clock=CLOCK) as house:
        if policy is not None:
            house.manage(Person("server", "server"), people.AddPerson("max", "Max", (Grant("manager"),)))
            assert house.manage(MANAGER, people.SetPolicy(policy)).refused is None
            enrol(house, book)
        table = (Approved if policy is REFERENCES else JournalTable)(house, book, "t1", **changes)
        table.buy_in("ann", 100_000)
        broken()
        script(table)
    return audit(path).first


@pytest.mark.parametrize("bug", BUGS)
def test_the_auditor_names_the_entry(bug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book, changes, policy, patch, script, kind, why = BUGS[bug]
    first = found(tmp_path / "journal.db", book, changes, policy, script, lambda: patch(monkeypatch))
    assert first is not None
    assert (first.kind, why in first.why) == (kind, True), first
    place = -2 if bug == "the dice are entered without the reset" else -1
    assert first.sequence == entries_of(tmp_path / "journal.db", kind)[place], first


def _next_shift(floor: JournalTable) -> None:
    later(floor)
    floor.does(floor.most_senior, c.StartShift("swing"))
    floor.does(floor.crew["casino-supervisor"], c.Inspect("shaker-each-shift", proper=3))
    floor.play_round(1, 2, 3)


def _pays_displayed(floor: JournalTable) -> None:
    setup = floor.table.setup
    assert setup is not None
    floor.play_round(1, 3)
    floor.does(MANAGER, c.ChangeSetup(replace(setup, paytables={"dice-ology": "PT2"})))
    floor.play_round(2, 3)
    floor.does(floor.most_senior, c.CheckEquipment("sign", (True,)))
    floor.play_round(1, 3)
    floor.bet("ann", "big-ones=5")


def _reset(floor: JournalTable) -> None:
    floor.open_betting()
    floor.bet("ann", "small=10")
    floor.take_steps(until="press deal")
    floor.does(floor.crew["dealer"], c.Call("deal-not-pressed"))
    floor.take_steps((1, 2, 3))


def _tips(floor: JournalTable) -> None:
    floor.bet("ann", "little-ones=6")
    floor.bet("ann", "little-ones=4", "tip on top")
    for dice in ((1, 1), (1, 2), (1, 3), (1, 4), (1, 5)):
        floor.play_round(*dice)


PLAYED: dict[str, tuple[str, dict[str, object], Policy | None, Script]] = {
    "boxes": (MARYLAND, {}, None, lambda floor: floor.play_round(1, 2, 3)),
    "schedule": (MASSACHUSETTS, AUTOMATED, SCHEDULE, _next_shift),
    "display": (OLOGY, {}, None, _pays_displayed),
    "reset": (SINGAPORE, {}, None, _reset),
    "tips": (OLOGY, TOGETHER, None, _tips),
}


@pytest.mark.parametrize("name", PLAYED)
def test_what_was_played_by_the_book_is_proved(name: str, tmp_path: Path) -> None:
    book, changes, policy, script = PLAYED[name]
    assert found(tmp_path / "journal.db", book, changes, policy, script, lambda: None) is None
