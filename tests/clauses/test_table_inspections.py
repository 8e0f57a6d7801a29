"""Checks and inspections at the table, point by point: due before play, remembered as failed, due again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.checklists import points_of
from pitbook.table.decide import Decision
from pitbook.table.people import Person
from pitbook.table.refusals import Reason, Refusal
from pitbook.table.state import Table
from pitbook.testing import checks_of
from tests.clauses.clause_marks import holds
from tests.clauses.copies import Copy
from tests.table.craps import BASE, BOX, FLOOR, STICK, CrapsTable, faces, placed
from tests.table.craps import BOSS as PIT_BOSS
from tests.table.sic_bo import (
    ABOVE,
    ANN,
    BOSS,
    DEALER,
    MARYLAND,
    MASSACHUSETTS,
    PIT_SUPERVISOR,
    SINGAPORE,
    SUPERVISOR,
    SicBoTable,
    bare,
    bets_of,
    ready,
    step_of,
)
from tests.table.sic_bo import FLOOR as FLOORPERSON

OLOGY, WORKS = "dice-ology", "dice-works"

# -- one result for each point, with its own clause

APPROVED = "approved by the Commission"
OWN_NAME = "the facility operator's name or logo on it"
POINTS = [
    (MARYLAND, "1.A", "manual", "drop-box", 0, f"{APPROVED}; across the dealer from the tip box", True),
    (MARYLAND, "1.A", "manual", "tip-box", 0, f"{APPROVED}; across the dealer from the drop box", True),
    (MARYLAND, "1.B", "manual", "electrical-device", 0, APPROVED, True),
    (MARYLAND, "1.C", "manual", "layout", 0, APPROVED, True),
    (MARYLAND, "1.C.1", "manual", "layout", 1, OWN_NAME, False),
    (MARYLAND, "1.C.3", "manual", "layout", 3, "the odds of every wager on offer on it, or else on a sign", False),
    (MARYLAND, "1.D", "manual", "manual-shaker", 0, APPROVED, True),
    (MARYLAND, "1.D.1", "manual", "manual-shaker", 1, "built so that the game stays honest", False),
    (
        *(MARYLAND, "1.D.1.a", "manual", "manual-shaker", 2),
        "a compartment that holds the three dice, and a separate cover that hides them during the shake",
        False,
    ),
    (MARYLAND, "1.D.1.b", "manual", "manual-shaker", 3, "the compartment transparent, the cover opaque", False),
    (MARYLAND, "1.D.1.c", "manual", "manual-shaker", 4, "it can be sealed or locked", False),
    (MARYLAND, "1.D.1.d", "manual", "manual-shaker", 5, OWN_NAME, False),
    (MARYLAND, "1.D.2", "automated", "automated-shaker", 0, APPROVED, True),
    (MARYLAND, "1.D.2.a", "automated", "automated-shaker", 1, "compartment and cover as in a manual shaker", False),
    (MARYLAND, "1.D.2.b", "automated", "automated-shaker", 2, "its shaking procedures approved", True),
    (MARYLAND, "1.D.2.c", "automated", "automated-shaker", 3, "its place on the table approved", True),
    (MARYLAND, "2.A", "manual", "dice", 0, "they stay inside the shaker while at the table", False),
    (SINGAPORE, "2.2", "automated", "dice", 0, "each is numbered from one to six by dots", False),
]


def first_step(table: SicBoTable) -> c.TakeStep:
    """The dealer's first step of a round."""
    return step_of(table.order[0])


def check_point(copy: Copy, clause: str, shaker: str, item: str, place: int, says: str, approval: bool) -> None:
    """The item is due before play; a failed point stops play with its own clause; its approval can be demanded."""
    table = bare(copy.raw, shaker, approval_references=True)
    table.make_inspections()
    number = 0
    for check in checks_of(table.table):
        if check.equipment == item:
            number = len(check.points)
        else:
            table.does(table.junior, with_approval(check))
    refusal = table.refused(DEALER, first_step(table), Reason.NOT_INSPECTED)
    assert refused_item(table.table, refusal) == item
    table.does(table.junior, with_approval(c.CheckEquipment(item, tuple(at != place for at in range(number)))))
    refusal = table.refused(DEALER, first_step(table), Reason.INSPECTION_FAILED)
    assert refusal.clauses == (clause,)
    assert refused_point(table.table, refusal) == (item, says)
    alone = c.CheckEquipment(item, tuple(at == place for at in range(number)))
    if approval:
        assert table.refused(table.junior, alone, Reason.CONFIGURATION).policy
    else:
        table.does(table.junior, alone)
    table.does(table.junior, with_approval(c.CheckEquipment(item, (True,) * number)))
    table.does(DEALER, first_step(table))


def with_approval(check: c.CheckEquipment) -> c.CheckEquipment:
    """The same with a reference and a date."""
    return c.CheckEquipment(check.equipment, check.points, "COMAR 17", "2026-02-28")


FACTS: dict[str, tuple[Callable[..., None], list[tuple[object, ...]]]] = {
    "test_a_failed_point_stops_play_with_its_own_clause": (
        check_point,
        [(book, clause, clause, *rest) for book, clause, *rest in POINTS],
    )
}


def refused_item(table: Table, refusal: Refusal) -> str:
    """Return the equipment that a refusal names."""
    named = refusal.message.params.get("equipment", {"en": "Dice"})
    return next(name for name, thing in table.rules.equipment.items() if thing.name.en == named["en"])


def refused_point(table: Table, refusal: Refusal) -> tuple[str, str]:
    """Return the equipment and the requirement that a refusal names."""
    item = refused_item(table, refusal)
    return item, points_of(table, item)[refusal.message.params["point"] - 1].says


@pytest.mark.parametrize(
    ("book", "clause", "shaker", "item", "place", "says", "approval"),
    POINTS,
    ids=[f"{clause}-{item}" for _, clause, _, item, *_ in POINTS],
)
def test_a_failed_point_stops_play_with_its_own_clause(
    book: str, clause: str, shaker: str, item: str, place: int, says: str, approval: bool
) -> None:
    check_point(Copy.packaged(book), clause, shaker, item, place, says, approval)


@holds(MARYLAND, "1.A")
def test_md_1A_an_approval_is_recorded_with_reference_and_date(copy: Copy) -> None:
    table = bare(copy.raw)
    table.does(FLOORPERSON, c.CheckEquipment("drop-box", (True,), "COMAR 17", "2026-03-01"))
    assert "checked Drop box: in order, approval COMAR 17, approved on 2026-03-01" in table.transcript()
    for wrong in ("2026-3-1", "20260301", "yesterday", "2026-02-30", "2026-03-02"):
        table.refused(FLOORPERSON, c.CheckEquipment("drop-box", (True,), "COMAR 17", wrong), Reason.CONFIGURATION)
    table.does(FLOORPERSON, c.CheckEquipment("drop-box", (True,)))  # optional unless the house asks for it


@holds(MARYLAND, "5.A")
def test_md_5A_boxes_device_layout_shaker_and_dice_are_checked(copy: Copy) -> None:
    items = {"dice", "electrical-device", "layout", "drop-box", "tip-box"}
    for shaker in ("manual", "automated"):
        table = bare(copy.raw, shaker)
        assert {check.equipment for check in checks_of(table.table)} == {*items, f"{shaker}-shaker"}
        for check in checks_of(table.table):
            table.refused(DEALER, check, Reason.WRONG_ROLE)
            table.does(ABOVE, check)


@holds(MARYLAND, "5.A.1")
def test_md_5A1_a_dark_or_wrong_lamp_is_named_and_the_device_stays_failed(copy: Copy) -> None:
    table = ready(copy.raw)
    lit = tuple(sorted({"big", *_lit_by_123(table)} - {"small"}))
    table.does(FLOORPERSON, c.Inspect("device-before-opening", (1, 2, 3), lit))
    assert "8 areas lit, not lit: Small, wrongly lit: Big: failed [5.A, 5.A.1]" in table.transcript()
    refusal = table.refused(DEALER, first_step(table), Reason.INSPECTION_FAILED)
    assert refusal.says == "Failed its inspection; repair it, or inspect it again: Electrical device."
    assert refusal.clauses == ("5.A", "5.A.1")
    table.inspect_device()
    table.does(DEALER, first_step(table))


def _lit_by_123(table: SicBoTable) -> set[str]:
    return {"total/6", "small", *(f"two-dice-combination/{pair}" for pair in ("1-2", "1-3", "2-3"))} | {
        f"one-of-a-kind/{face}" for face in (1, 2, 3)
    }


# -- another set of dice


@pytest.mark.parametrize(("book", "shaker"), [(MARYLAND, "manual"), (SINGAPORE, "automated")])
def test_md_5A_sg_2_2_another_set_of_dice_is_checked_before_the_next_round(book: str, shaker: str) -> None:
    table = ready(Copy.packaged(book).raw, shaker)
    table.does(DEALER, first_step(table))
    table.finish()
    table.does(table.junior, c.PutDice("set 2", count=3))
    refusal = table.refused(DEALER, first_step(table), Reason.NOT_INSPECTED)
    assert refusal.says == "The dice “set 2” haven't been checked against the book yet."
    assert refusal.clauses == (("2.A",) if book == MARYLAND else ("2.2",))
    table.check_over("dice", table.junior)
    table.does(DEALER, first_step(table))


@holds(MARYLAND, "1.D")
def test_md_1D_a_manual_shaker_that_comes_back_is_checked_again(copy: Copy) -> None:
    table = ready(copy.raw)
    table.does(DEALER, c.UseShaker("automated"))
    table.does(DEALER, c.PutAwayShaker("covered", dice_removed=True))
    table.does(DEALER, c.UseShaker("manual", "M2"))
    table.does(FLOORPERSON, c.PutDice("set 2", count=3))
    table.check_over("dice")
    refusal = table.refused(DEALER, first_step(table), Reason.NOT_INSPECTED)
    assert refusal.says == "Not checked against the book yet: Sic Bo shaker."
    assert refusal.clauses == ("1.D", "1.D.1")
    table.check_over("manual-shaker")
    table.does(DEALER, first_step(table))


@pytest.mark.parametrize(("book", "shaker"), [(MARYLAND, "manual"), (SINGAPORE, "automated")])
def test_md_5A_sg_2_2_dice_exchanged_in_a_round_are_checked_before_the_shake(book: str, shaker: str) -> None:
    table = ready(Copy.packaged(book).raw, shaker)
    table.bet(ANN, "small=10")
    table.does(table.junior, c.PutDice("set 2", count=3))
    shake = step_of("shake-manual" if book == MARYLAND else "tumble")
    refusal = table.refused(DEALER, shake, Reason.NOT_INSPECTED)
    assert refusal.says == "The dice “set 2” haven't been checked against the book yet."
    assert refusal.clauses == (("2.A",) if book == MARYLAND else ("2.2",))
    table.check_over("dice", table.junior)
    table.does(DEALER, shake)
    assert len(table.table.bets) == 1


def test_md_1A_an_item_that_fails_in_a_round_stops_the_shake_and_the_wagers_stay() -> None:
    table = ready(Copy.packaged(MARYLAND).raw)
    table.bet(ANN, "small=10")
    table.does(table.junior, c.CheckEquipment("drop-box", (False,)))
    assert table.refused(DEALER, step_of("shake-manual"), Reason.INSPECTION_FAILED).clauses == ("1.A",)
    assert len(table.table.bets) == 1
    table.check_over("drop-box", table.junior)
    table.does(DEALER, step_of("shake-manual"))
    table.does(table.junior, c.CheckEquipment("drop-box", (False,)))
    table.finish()
    assert table.refused(DEALER, step_of("shake-manual"), Reason.INSPECTION_FAILED).clauses == ("1.A",)


def test_sg_2_2_a_check_made_before_the_first_set_holds_for_that_set() -> None:
    table = SicBoTable(raw=Copy.packaged(SINGAPORE).raw, shaker="automated")
    table.does(BOSS, c.OpenTable(table.setup()))
    table.check_over("dice", PIT_SUPERVISOR)
    table.does(PIT_SUPERVISOR, c.PutDice("set 1", count=3))
    table.does(DEALER, c.TakeOver())
    table.does(DEALER, step_of("open"))


# -- Singapore 5.9


@holds(SINGAPORE, "5.9")
def test_sg_5_9_the_equipment_is_reset_before_the_combination_is_entered(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.bet(ANN, "small=10")
    table.go("close")
    table.does(DEALER, c.Call("deal-not-pressed", "the cover came off first"))
    table.go("announce-outcome")
    refusal = table.refused(DEALER, step_of("enter-dice"), Reason.NOT_DUE)
    assert refusal.clauses == ("5.9",)
    assert refusal.says == "Not yet. The next step is: reset the device."
    table.does(DEALER, c.TakeStep("reset-equipment"))
    table.finish()
    assert table.holds("ann") == 1_010_00
    table.bet(ANN, "small=10")
    table.go("announce-outcome")
    assert table.refused(DEALER, c.TakeStep("reset-equipment"), Reason.NOT_DUE).clauses == ("3.6", "5.9")
    table.finish()


# -- Massachusetts 5(b): a schedule of shifts

SCHEDULE = {"shifts": ("06:00", "14:00", "22:00"), "timezone": "America/New_York"}


def scheduled(copy: Copy, shaker: str = "automated") -> SicBoTable:
    """A table ready for play at 13:30 in Boston, before the shift of 14:00."""
    table = SicBoTable(raw=copy.raw, shaker=shaker, now=datetime(2026, 3, 2, 18, 30, tzinfo=UTC))
    table.open_table(**SCHEDULE)
    table.inspect_all()
    table.seat()
    return table


@holds(MASSACHUSETTS, "5(b)")
def test_ma_5b_a_scheduled_shift_begins_with_the_inspection_of_the_shaker(copy: Copy) -> None:
    table = scheduled(copy)
    table.bet(ANN, "small=10")
    table.later(minutes=30)
    table.finish()  # a round in progress is finished
    refusal = table.refused(ANN, bets_of("small=10"), Reason.NOT_INSPECTED)
    assert refusal.clauses == ("5(b)",)
    assert refusal.says == "According to the schedule, a new shift has begun. Start it."
    table.does(FLOORPERSON, c.StartShift("swing"))
    refusal = table.refused(ANN, bets_of("small=10"), Reason.NOT_INSPECTED)
    assert (refusal.clauses, refusal.says) == (("5(b)",), "Not inspected in this shift yet: Automated dice shaker.")
    table.inspect_for_shift()
    table.bet(ANN, "small=10")
    table.finish()
    table.later(hours=7, minutes=59)
    table.bet(ANN, "small=10")
    table.finish()
    table.later(minutes=1)
    table.refused(ANN, bets_of("small=10"), Reason.NOT_INSPECTED)


def test_ma_5b_with_a_manual_shaker_the_schedule_is_house_policy() -> None:
    table = scheduled(Copy.packaged(MASSACHUSETTS), "manual")
    table.later(hours=1)
    assert table.refused(ANN, bets_of("small=10"), Reason.NOT_INSPECTED).policy
    table.does(FLOORPERSON, c.StartShift("swing"))
    table.bet(ANN, "small=10")


def test_ma_5b_a_shaker_that_failed_the_inspection_of_a_shift_says_so() -> None:
    table = scheduled(Copy.packaged(MASSACHUSETTS))
    table.does(FLOORPERSON, c.StartShift("swing"))
    table.does(SUPERVISOR, c.Inspect("shaker-each-shift", proper=2))
    refusal = table.refused(ANN, bets_of("small=10"), Reason.INSPECTION_FAILED)
    assert refusal.clauses == ("5(b)",)
    assert "Failed its inspection" in refusal.says


@pytest.mark.parametrize(
    "wrong",
    [
        {"shifts": ("6:00",)},
        {"shifts": ("24:00",)},
        {"shifts": ("14:00", "06:00")},
        {"shifts": ("06:00", "06:00")},
        {"timezone": "Boston"},
        {"timezone": "../etc/passwd"},
        {"timezone": ""},
    ],
)
def test_ma_5b_a_schedule_that_cannot_be_read_is_refused(wrong: dict[str, object]) -> None:
    table = SicBoTable(raw=Copy.packaged(MASSACHUSETTS).raw)
    table.refused(BOSS, c.OpenTable(table.setup(**{**SCHEDULE, **wrong})), Reason.CONFIGURATION)


# -- craps: confirmation, display, areas and lammers


def craps_table(copy: Copy, **changes: object) -> CrapsTable:
    """An open craps table with ann as the shooter; nothing has been checked."""
    table = CrapsTable(raw=copy.raw)
    table.does(PIT_BOSS, c.OpenTable(table.setup(**changes)))
    table.does(BOX, c.Fill(1_000_000_00, _second()))
    table.seat("ann")
    table.shooter("ann")
    return table


def _second() -> Person:
    return Person("flo", "floorperson")


def rolled(table: CrapsTable, total: int) -> Decision | Refusal:
    """The stick person records a roll, or is refused."""
    return table.ask(STICK, c.TakeStep("roll", faces(total)))


@holds(OLOGY, "(5)")
def test_ology_5_a_bet_entered_by_staff_waits_until_it_is_repeated_aloud(copy: Copy) -> None:
    for who in (BOX, STICK, BASE):
        table = craps_table(copy)
        table.check_all(BOX)
        table.does(BASE, placed("little-ones=5", player="ann"))
        assert not table.table.bets[1].confirmed
        refusal = rolled(table, 4)
        assert isinstance(refusal, Refusal)
        assert (refusal.why, refusal.clauses) == (Reason.UNCONFIRMED, ("(5)",))
        table.refused(FLOOR, c.ConfirmBets(), Reason.WRONG_ROLE)
        table.does(who, c.ConfirmBets("ann"))
        assert isinstance(rolled(table, 4), Decision)


@holds(OLOGY, "(10)")
def test_ology_10_another_pay_table_makes_the_display_due_again(copy: Copy) -> None:
    table = craps_table(copy)
    table.check_all(BOX)
    assert isinstance(rolled(table, 4), Decision)
    table.finish()
    table.does(PIT_BOSS, c.ChangeSetup(table.setup(paytables={"dice-ology": "PT2"})))
    assert isinstance(rolled(table, 5), Decision)  # the hand is finished
    table.finish()
    refusal = table.refused(BASE, placed("little-ones=5", player="ann"), Reason.NOT_INSPECTED)
    assert refusal.says == "Not checked against the book yet: Pay schedule."
    assert (refusal.clauses, refusal.reading) == (("(10)",), "dice-ology-display")
    assert isinstance(rolled(table, 4), Decision)
    table.finish()
    refusal = table.refused(STICK, c.TakeStep("roll", faces(6)), Reason.NOT_INSPECTED)
    assert refusal.clauses == ("(10)",)
    table.does(BOX, c.CheckEquipment("sign", (True,)))
    assert isinstance(rolled(table, 6), Decision)
    table.finish()
    table.does(PIT_BOSS, c.ChangeSetup(table.setup(paytables={"dice-ology": "PT2"}, payout_max=10**9)))
    assert isinstance(rolled(table, 6), Decision)
    table.finish()
    table.bet("ann", "big-ones=1")  # the pays are the same: nothing is due


def test_ology_3_6_tips_and_the_players_own_bet_can_share_the_limits() -> None:
    copy = Copy.packaged(OLOGY)
    apart, together = craps_table(copy), craps_table(copy, readings={"dice-ology-tips-limit": "together"})
    for table in (apart, together):
        table.check_all(BOX)
        table.bet("ann", "little-ones=6")
    over = placed("little-ones=5", "tip on top", "ann")
    apart.does(BASE, over)
    assert together.refused(BASE, over, Reason.OVER_MAXIMUM).clauses == ("(3)",)
    together.bet("ann", "little-ones=3", "tip in the area")
    together.bet("ann", "little-ones=1", "tip on top")
    assert together.refused(BASE, placed("little-ones=1", player="ann"), Reason.OVER_MAXIMUM).clauses == ("(3)",)


def test_ology_3_6_tips_and_the_players_own_bet_can_share_the_cap() -> None:
    raw = Copy.packaged(OLOGY).raw
    raw = {**raw, "wager": {**raw["wager"]}}
    raw["wager"]["little-ones"] = {
        **raw["wager"]["little-ones"],
        "limits": {**raw["wager"]["little-ones"]["limits"], "payoff_max": 200},
    }
    table = craps_table(Copy(raw), readings={"dice-ology-tips-limit": "together"})
    table.check_all(BOX)
    table.bet("ann", "little-ones=5")
    table.bet("ann", "little-ones=4", "tip on top")
    won, tip = table.lines("2 3 4 5 6")
    assert (won.net, won.capped) == (170_00, 0)
    assert (tip.net, tip.capped) == (30_00, 106_00)
    assert "(3)" in tip.clauses


AREAS = [
    (WORKS, f"{group}/lammers", "layout", group, place, says)
    for place, (group, says) in enumerate(
        (
            ("dice-works", "a place for each of the ten numbers of Dice Works"),
            ("high-roller", "an area for the points of High Roller"),
            ("roll-the-line", "an area for the wins of Roll the Line"),
            ("parlay", "an area for each number of Parlay Craps"),
            ("parlay-envy", "an area for each number of Parlay Craps with Dealer Envy"),
        )
    )
] + [
    (WORKS, f"{group}/labels", f"{group}-lammers", group, 0, "ten of them, labelled 1 to 10")
    for group in ("high-roller", "roll-the-line")
]


def check_area(copy: Copy, clause: str, item: str, group: str, place: int, says: str) -> None:
    """The area or the lammers of a group are due before play where the group is on offer, and only there."""
    table = craps_table(copy)
    alone = craps_table(copy, options={"groups": group})
    for check in checks_of(table.table):
        if check.equipment != item:
            table.does(BOX, check)
    refusal = table.refused(STICK, c.TakeStep("roll", faces(4)), Reason.NOT_INSPECTED)
    assert refused_item(table.table, refusal) == item
    number = len(next(check for check in checks_of(table.table) if check.equipment == item).points)
    table.does(BOX, c.CheckEquipment(item, tuple(at != place for at in range(number))))
    refusal = table.refused(STICK, c.TakeStep("roll", faces(4)), Reason.INSPECTION_FAILED)
    assert (refusal.clauses, refused_point(table.table, refusal)) == ((clause,), (item, says))
    found = {check.equipment: len(check.points) for check in checks_of(alone.table)}
    labelled = {f"{group}-lammers": 1} if group in ("high-roller", "roll-the-line") else {}
    assert found == {"layout": 1, **labelled}
    alone.does(BOX, c.CheckEquipment(item, (False,)))
    for name in found:
        if name != item:
            alone.does(BOX, c.CheckEquipment(name, (True,)))
    assert alone.refused(STICK, c.TakeStep("roll", faces(4)), Reason.INSPECTION_FAILED).clauses == (clause,)
    alone.does(BOX, c.CheckEquipment(item, (True,)))
    assert isinstance(rolled(alone, 4), Decision)


FACTS["test_an_area_or_lammers_are_checked_for_the_groups_on_offer"] = (
    check_area,
    [(book, clause, clause, *rest) for book, clause, *rest in AREAS],
)


@pytest.mark.parametrize(("book", "clause", "item", "group", "place", "says"), AREAS, ids=[one[1] for one in AREAS])
def test_an_area_or_lammers_are_checked_for_the_groups_on_offer(
    book: str, clause: str, item: str, group: str, place: int, says: str
) -> None:
    check_area(Copy.packaged(book), clause, item, group, place, says)


def test_works_another_group_makes_the_layout_due_again() -> None:
    table = craps_table(Copy.packaged(WORKS), options={"groups": "dice-works"})
    table.check_all(BOX)
    table.does(PIT_BOSS, c.ChangeSetup(table.setup(options={"groups": "dice-works,parlay"})))
    refusal = table.refused(STICK, c.TakeStep("roll", faces(4)), Reason.NOT_INSPECTED)
    assert refusal.says == "Not checked against the book yet: Layout."
    table.check_all(BOX)
    assert isinstance(table.events[-1], e.EquipmentChecked)
    assert isinstance(rolled(table, 4), Decision)
