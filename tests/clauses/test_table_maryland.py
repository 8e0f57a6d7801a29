"""Maryland at the table: equipment, dice, procedure, irregularities. One test or more per clause, played out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.refusals import Reason
from pitbook.table.state import betting_open
from pitbook.table.view import cover
from pitbook.testing import checks_of, person
from tests.clauses.clause_marks import holds
from tests.clauses.copies import Copy
from tests.table.sic_bo import (
    ABOVE,
    ANN,
    BEN,
    BOSS,
    DEALER,
    FLOOR,
    MARYLAND,
    RELIEF,
    SicBoTable,
    act_of,
    bare,
    bets_of,
    ready,
    step_of,
)

SHAKERS = ("manual", "automated")
LIT_BY_123 = {
    "total/6",
    "small",
    "two-dice-combination/1-2",
    "two-dice-combination/1-3",
    "two-dice-combination/2-3",
    "one-of-a-kind/1",
    "one-of-a-kind/2",
    "one-of-a-kind/3",
}
FIVE = bets_of("small=5")
FAILURES = {"device-malfunction": "electrical-device", "area-malfunction": "layout"}


def shake(table: SicBoTable) -> str:
    """The id of the table's shake."""
    return f"shake-{table.shaker}"


# -- 1: the table and its shaker


@holds(MARYLAND, "1.B")
def test_md_1B_the_device_lights_the_winning_areas_once_the_dice_are_entered(copy: Copy) -> None:
    table = ready(copy.raw)
    table.bet(ANN, "small=10")
    table.go("announce-dice")
    assert table.refused(DEALER, step_of("illuminate"), Reason.NOT_DUE).clauses == ("5.D",)
    assert not table.table.round.lit
    _, _, lights = table.take("enter-dice").events
    assert isinstance(lights, e.Illuminated)
    assert set(lights.wagers) == LIT_BY_123


@holds(MARYLAND, "1.B")
def test_md_1B_without_its_device_or_its_area_the_table_lights_nothing(copy: Copy) -> None:
    for failure in FAILURES:
        table = ready(copy.raw)
        table.bet(ANN, "small=10")
        table.go("uncover")
        table.does(DEALER, c.Call(failure, present=(person(FLOOR),)))
        table.go("enter-dice")
        assert not table.table.round.lit
        table.finish()
        assert table.holds("ann") == 1_010_00


@holds(MARYLAND, "1.D")
def test_md_1D_a_shaker_shakes_the_dice(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = ready(copy.raw, shaker)
        table.bet(ANN, "small=10")
        for name in ("close", "uncover", "announce-dice"):
            assert "5.B" in table.refused(DEALER, step_of(name), Reason.NOT_DUE).clauses
        table.finish()
        assert table.holds("ann") == 1_010_00


@holds(MARYLAND, "1.D")
def test_md_1D_a_shaker_is_checked_point_by_point_before_it_is_used(copy: Copy) -> None:
    for shaker, points, clause in (("manual", 8, "1.D.1"), ("automated", 5, "1.D.2")):
        table = bare(copy.raw, shaker)
        table.seat(ANN)
        table.inspect_device()
        if shaker == "automated":
            table.inspect_shaker()
        for check in checks_of(table.table):
            if not check.equipment.endswith("shaker"):
                table.does(FLOOR, check)
        assert clause in table.refused(ANN, FIVE, Reason.NOT_INSPECTED).clauses
        name = f"{shaker}-shaker"
        table.refused(FLOOR, c.CheckEquipment(name, (True,) * (points - 1)), Reason.INSPECTION_FAILED)
        table.does(FLOOR, c.CheckEquipment(name, (True,) * (points - 1) + (False,)))
        table.refused(ANN, FIVE, Reason.INSPECTION_FAILED)
        table.does(FLOOR, c.CheckEquipment(name, (True,) * points))
        table.bet(ANN, "small=5")


@holds(MARYLAND, "1.D.2")
def test_md_1D2_an_automated_shaker_may_be_used(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.bet(ANN, "small=10")
    table.refused(DEALER, step_of("shake-manual"), Reason.NOT_DUE)
    table.finish()
    assert "5.B.2" in table.transcript()


@holds(MARYLAND, "1.E")
def test_md_1E_a_manual_shaker_is_not_left_unattended(copy: Copy) -> None:
    table = ready(copy.raw)
    assert table.refused(DEALER, c.LeaveTable(), Reason.UNATTENDED).clauses == ("1.E",)
    table.does(RELIEF, c.TakeOver())
    table.bet(ANN, "small=5")
    automated = ready(copy.raw, "automated")
    automated.bet(ANN, "small=5")
    refusal = automated.refused(DEALER, c.LeaveTable(), Reason.UNATTENDED)
    assert (refusal.clauses, refusal.reading) == ((), "answerable-dealer")
    automated.finish()
    automated.does(DEALER, c.LeaveTable())
    automated.refused(ANN, FIVE, Reason.UNATTENDED)
    automated.does(RELIEF, c.TakeOver())
    automated.bet(ANN, "small=5")


@holds(MARYLAND, "1.E")
def test_md_1E_a_manual_shaker_is_filled_or_used_only_with_a_dealer(copy: Copy) -> None:
    table = SicBoTable(raw=copy.raw)
    table.does(BOSS, c.OpenTable(table.setup()))
    assert table.refused(FLOOR, c.PutDice("set 1", count=3), Reason.UNATTENDED).clauses == ("1.E",)
    table.does(DEALER, c.TakeOver())
    table.does(FLOOR, c.PutDice("set 1", count=3))
    other = ready(copy.raw, "automated")
    other.does(DEALER, c.LeaveTable())
    other.does(DEALER, c.PutAwayShaker("covered", dice_removed=True))
    assert other.refused(DEALER, c.UseShaker("manual"), Reason.UNATTENDED).clauses == ("1.E",)
    other.does(RELIEF, c.TakeOver())
    other.does(DEALER, c.UseShaker("manual"))


@holds(MARYLAND, "1.E")
def test_md_1E_only_the_dealer_who_took_the_table_over_takes_its_steps(copy: Copy) -> None:
    table = ready(copy.raw)
    wrong = table.refused(FLOOR, c.TakeOver(), Reason.WRONG_ROLE)
    assert (wrong.says, wrong.clauses) == ("Only the dealer can do this, not the floorperson.", ("1.E",))
    table.bet(ANN, "small=5")
    assert table.refused(RELIEF, step_of("shake-manual"), Reason.UNATTENDED).clauses == ("1.E",)
    table.does(RELIEF, c.TakeOver())
    table.does(RELIEF, step_of("shake-manual"))
    table.refused(DEALER, step_of("close"), Reason.UNATTENDED)


# -- 2: dice


@holds(MARYLAND, "2.A")
def test_md_2A_three_dice_are_kept_inside_the_shaker(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = bare(copy.raw, shaker)
        for count in (1, 2, 4):
            assert table.refused(FLOOR, c.PutDice("set 2", count=count), Reason.DICE_MISSING).clauses == ("2.A",)
        table.refused(FLOOR, c.PutDice("set 2", sealed=False, count=3), Reason.DICE_MISSING)
        table.does(FLOOR, c.PutDice("set 2", count=3))


@holds(MARYLAND, "2.A")
def test_md_2A_dice_leave_the_shaker_on_record_when_the_table_closes(copy: Copy) -> None:
    table = ready(copy.raw)
    table.does(BOSS, c.CloseTable())
    assert table.events_of(e.DiceTakenOut) == [e.DiceTakenOut("set 1", table.now.isoformat(), "the table closes")]
    assert table.table.dice is None


@holds(MARYLAND, "2.B")
def test_md_2B_expired_dice_are_exchanged_before_the_shake_and_wagers_stay(copy: Copy) -> None:
    table = ready(copy.raw)
    table.later(hours=24)
    table.bet(ANN, "small=5")
    table.later(seconds=1)
    assert table.refused(DEALER, step_of("shake-manual"), Reason.DICE_EXPIRED).clauses == ("2.B",)
    table.does(FLOOR, c.PutDice("set 2", count=3))
    table.check_over("dice")
    table.finish()
    assert table.holds("ann") == 1_005_00


@holds(MARYLAND, "2.B")
def test_md_2B_dice_in_a_manual_shaker_are_used_for_24_hours_at_the_most(copy: Copy) -> None:
    table = ready(copy.raw)
    table.later(hours=24)
    table.bet(ANN, "small=5")
    table.take("shake-manual")
    table.later(hours=1)
    table.finish()  # once the dice have been shaken
    refusal = table.refused(ANN, FIVE, Reason.DICE_EXPIRED)
    assert refusal.clauses == ("2.B",)
    assert "in use for more than 24 hours" in refusal.says
    assert table.table.rules.equipment["dice"].life[0].counted_from == "put into the shaker"
    table.refused(DEALER, step_of("shake-manual"), Reason.DICE_EXPIRED)
    table.does(FLOOR, c.PutDice("set 2", count=3))
    table.check_over("dice")
    table.later(hours=24)
    table.bet(ANN, "small=5")
    table.finish()
    table.later(seconds=1)
    table.refused(ANN, FIVE, Reason.DICE_EXPIRED)


@holds(MARYLAND, "2.C")
def test_md_2C_dice_in_an_automated_shaker_are_used_for_at_most_one_calendar_month(copy: Copy) -> None:
    months = (
        (datetime(2026, 3, 1, 12, tzinfo=UTC), datetime(2026, 4, 1, 12, tzinfo=UTC)),
        (datetime(2027, 1, 31, 12, tzinfo=UTC), datetime(2027, 2, 28, 12, tzinfo=UTC)),
        (datetime(2027, 12, 5, 23, tzinfo=UTC), datetime(2028, 1, 5, 23, tzinfo=UTC)),
    )
    for put_in, ends in months:
        table = SicBoTable(raw=copy.raw, shaker="automated", now=put_in)
        table.open_table()
        table.inspect_all()
        table.seat()
        table.now = ends
        table.bet(ANN, "small=5")
        table.finish()
        table.later(seconds=1)
        refusal = table.refused(ANN, FIVE, Reason.DICE_EXPIRED)
        assert refusal.clauses == ("2.C",)
        assert "in use for more than 1 month" in refusal.says
        table.does(FLOOR, c.PutDice("set 2", count=3))
        table.check_over("dice")
        table.bet(ANN, "small=5")


@holds(MARYLAND, "2.C")
def test_md_2C_the_time_of_a_set_goes_on_outside_the_shaker(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.does(FLOOR, c.PutDice("set 2", count=3))
    table.later(days=31, seconds=1)
    assert table.refused(FLOOR, c.PutDice("set 1", count=3), Reason.DICE_EXPIRED).clauses == ("2.C",)


# -- 4: placing wagers


@holds(MARYLAND, "4.A")
def test_md_4A_wagers_are_chips_on_the_layout_and_no_cash_by_word_of_mouth(copy: Copy) -> None:
    table = ready(copy.raw)
    called = c.PlaceBets((c.BetRequest("small", 500),), verbal_cash=True)
    assert "4.A" in table.refused(ANN, called, Reason.CASH_BET).clauses
    table.bet(ANN, "small=5")
    table.does(DEALER, bets_of("big=5", player="ben"))
    assert len(table.table.bets) == 2


@holds(MARYLAND, "4.A.3")
def test_md_4A3_wagers_are_settled_by_position_once_the_dice_are_entered_and_lit(copy: Copy) -> None:
    table = ready(copy.raw)
    table.bet(ANN, "big=10")
    table.take("shake-manual")
    table.does(ANN, c.MoveBet("big", "small"))
    for name in ("close", "uncover", "announce-dice"):
        table.refused(DEALER, step_of("collect"), Reason.NOT_DUE)
        table.take(name)
    table.refused(DEALER, step_of("collect"), Reason.NOT_DUE)
    table.refused(ANN, c.MoveBet("small", "big"), Reason.BETTING_CLOSED)
    table.finish()
    assert table.holds("ann") == 1_010_00


# -- 5: opening and dealing


@holds(MARYLAND, "5.A")
def test_md_5A_a_floorperson_or_above_inspects_the_equipment_before_bets_are_taken(copy: Copy) -> None:
    for senior in (FLOOR, ABOVE):
        table = bare(copy.raw, "automated")
        table.seat(ANN)
        device = c.Inspect("device-before-opening", (1, 2, 3), tuple(LIT_BY_123))
        shaker = c.Inspect("shaker-before-opening", proper=3)
        for inspection in (device, shaker, *checks_of(table.table)):
            table.refused(ANN, FIVE, Reason.NOT_INSPECTED)
            for other in (ANN, DEALER, BOSS):
                assert "5.A" in table.refused(other, inspection, Reason.WRONG_ROLE).clauses
            table.does(senior, inspection)
        table.bet(ANN, "small=5")


@holds(MARYLAND, "5.A.1")
def test_md_5A1_the_device_is_tested_by_three_values_and_what_lights_up(copy: Copy) -> None:
    table = bare(copy.raw)
    table.seat(ANN)
    table.check_all(FLOOR)
    for lit in (LIT_BY_123 - {"small"}, LIT_BY_123 | {"big"}, set()):
        table.does(FLOOR, c.Inspect("device-before-opening", (1, 2, 3), tuple(lit)))
        assert "5.A.1" in table.refused(ANN, FIVE, Reason.INSPECTION_FAILED).clauses
    table.refused(FLOOR, c.Inspect("device-before-opening", (1, 2), tuple(LIT_BY_123)), Reason.BAD_DICE)
    table.does(FLOOR, c.Inspect("device-before-opening", (1, 2, 3), tuple(LIT_BY_123)))
    table.bet(ANN, "small=5")


@holds(MARYLAND, "5.A.2")
def test_md_5A2_the_automated_shaker_is_tested_three_times_if_one_is_in_use(copy: Copy) -> None:
    table = bare(copy.raw, "automated")
    table.seat(ANN)
    table.inspect_device()
    table.check_all(FLOOR)
    for proper in (0, 1, 2):
        table.does(FLOOR, c.Inspect("shaker-before-opening", proper=proper))
        assert "5.A.2" in table.refused(ANN, FIVE, Reason.INSPECTION_FAILED).clauses
    table.does(FLOOR, c.Inspect("shaker-before-opening", proper=3))
    table.bet(ANN, "small=5")
    ready(copy.raw, "manual").bet(ANN, "small=5")


@holds(MARYLAND, "5.B")
def test_md_5B_a_round_starts_with_the_dealers_shake(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = ready(copy.raw, shaker)
        table.bet(ANN, "small=5")
        assert "5.B" in table.refused(DEALER, step_of("close"), Reason.NOT_DUE).clauses
        for other in (ANN, FLOOR, ABOVE):
            assert "5.B" in table.refused(other, step_of(shake(table)), Reason.WRONG_ROLE).clauses
        table.take(shake(table))
        assert betting_open(table.table)
        table.bet(BEN, "big=5")
        table.take("close")


@holds(MARYLAND, "5.B.1")
def test_md_5B1_a_manual_shaker_is_covered_and_shaken_at_least_three_times(copy: Copy) -> None:
    for shakes in (0, 1, 2):
        few = c.TakeStep("shake-manual", shakes=shakes)
        assert "5.B.1" in ready(copy.raw).refused(DEALER, few, Reason.TOO_FEW_SHAKES).clauses
    for shakes in (3, 5):
        table = ready(copy.raw)
        assert cover(table.table) == "off"
        table.step(DEALER, "shake-manual", shakes=shakes)
        assert (table.table.round.shakes, cover(table.table)) == (shakes, "on")


@holds(MARYLAND, "5.B.2")
def test_md_5B2_an_automated_shaker_is_activated(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.step(DEALER, "shake-automated")
    assert table.table.round.done == ("shake-automated",)


@holds(MARYLAND, "5.C")
def test_md_5C_no_more_bets_is_announced_before_the_dice_are_revealed(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = ready(copy.raw, shaker)
        table.bet(ANN, "small=5")
        table.take(shake(table))
        assert "5.C" in table.refused(DEALER, step_of("uncover"), Reason.NOT_DUE).clauses
        (closed,) = table.take("close").events
        assert isinstance(closed, e.StepTaken)
        assert closed.announced == "No more bets"
        assert "5.C" in table.refused(BEN, FIVE, Reason.BETTING_CLOSED).clauses
        assert cover(table.table) == "on"
        table.take("uncover")


@holds(MARYLAND, "5.D")
def test_md_5D_then_the_dealer_uncovers_announces_and_enters_the_dice(copy: Copy) -> None:
    table = ready(copy.raw)
    table.bet(ANN, "small=5")
    table.go("close")
    ordered = ("uncover", "announce-dice", "enter-dice")
    for place, name in enumerate(ordered):
        for later in ordered[place + 1 :]:
            table.refused(DEALER, step_of(later), Reason.NOT_DUE)
        table.take(name, (3, 1, 2))
        assert cover(table.table) == "off"
    assert (table.table.round.announced, table.table.round.entered) == ((1, 2, 3), (1, 2, 3))


@holds(MARYLAND, "5.D")
def test_md_5D_what_is_entered_is_what_was_announced_or_a_supervisor_puts_it_right(copy: Copy) -> None:
    table = ready(copy.raw)
    table.bet(ANN, "small=5")
    table.go("announce-dice")
    assert table.refused(DEALER, c.TakeStep("enter-dice", (1, 2, 4)), Reason.DICE_DIFFER).clauses == ("5.D",)
    table.take("enter-dice")
    table.does(FLOOR, c.CorrectDice((6, 6, 5), "read from the wrong side"))
    assert "big" in table.table.round.lit
    table.finish((5, 6, 6))
    assert table.holds("ann") == 995_00


@holds(MARYLAND, "5.E")
def test_md_5E_the_device_lights_the_winning_combinations(copy: Copy) -> None:
    for dice, lit in (
        ((1, 2, 3), LIT_BY_123),
        ((2, 2, 2), {"three-of-a-kind/2", "two-of-a-kind/2", "any-three-of-a-kind", "total/6", "one-of-a-kind/2"}),
    ):
        table = ready(copy.raw)
        table.go("enter-dice", dice)
        assert set(table.table.round.lit) == lit


@holds(MARYLAND, "5.F")
def test_md_5F_all_losing_wagers_are_collected_before_winning_wagers_are_paid(copy: Copy) -> None:
    table = ready(copy.raw)
    table.bet(ANN, "small=10", "big=20")
    table.go("announce-dice")
    table.refused(DEALER, step_of("collect"), Reason.NOT_DUE)
    table.take("enter-dice")
    assert "5.F" in table.refused(DEALER, step_of("pay"), Reason.NOT_DUE).clauses
    _, collected = table.take("collect").events
    assert isinstance(collected, e.LosersCollected)
    assert [(line.wager, line.net) for line in collected.lines] == [("big", -20_00)]
    _, paid = table.take("pay").events
    assert isinstance(paid, e.WinnersPaid)
    assert [(line.wager, line.net) for line in paid.lines] == [("small", 10_00)]
    assert table.holds("ann") == 990_00


@holds(MARYLAND, "5.G")
def test_md_5G_a_manual_shaker_stays_uncovered_until_all_winners_are_paid(copy: Copy) -> None:
    table = ready(copy.raw)
    table.bet(ANN, "small=10")
    table.go("uncover")
    for name in ("announce-dice", "enter-dice", "collect", "pay"):
        table.refused(DEALER, step_of("clear"), Reason.NOT_DUE)
        table.refused(DEALER, step_of("shake-manual"), Reason.NOT_DUE)
        table.take(name)
        assert cover(table.table) == "off"
    table.take("clear")
    table.take("shake-manual")
    assert cover(table.table) == "on"


@holds(MARYLAND, "5.H")
def test_md_5H_after_collecting_and_paying_the_dealer_clears_the_lights(copy: Copy) -> None:
    table = ready(copy.raw)
    table.bet(ANN, "small=10")
    table.go("enter-dice")
    for name in ("collect", "pay"):
        table.refused(DEALER, step_of("clear"), Reason.NOT_DUE)
        table.take(name)
    assert table.table.round.lit
    table.take("clear")
    assert not table.table.round.lit
    assert table.events_of(e.Illuminated)[-1] == e.Illuminated(())
    assert betting_open(table.table)


# -- 7: irregularities


@holds(MARYLAND, "7.A")
def test_md_7A_dice_that_are_not_flat_are_no_roll_and_the_wagers_go_back(copy: Copy) -> None:
    for shaker in SHAKERS:
        for seen in ("uncover", "announce-dice"):
            table = ready(copy.raw, shaker)
            table.bet(ANN, "small=10")
            table.bet(BEN, "big=10")
            table.go(seen)
            for other in (ANN, FLOOR, ABOVE):
                assert table.refused(other, c.Call("no-roll"), Reason.WRONG_ROLE).clauses == ("7.A",)
            called, returned = table.does(DEALER, c.Call("no-roll")).events
            assert isinstance(called, e.IrregularityCalled)
            assert called.announced == "No roll"
            assert isinstance(returned, e.WagersReturned)
            assert (table.holds("ann"), table.holds("ben")) == (1_000_00, 1_000_00)
            table.bet(ANN, "small=10")
            table.finish()


def fails(table: SicBoTable, failure: str, witness: str = FLOOR) -> None:
    """The device or the lit area fails; a floorperson or above will do as a witness."""
    for there in ((), (person(ANN),), (person(RELIEF),), (person(BOSS),)):
        missing = c.Call(failure, present=there)
        assert "7.B" in table.refused(DEALER, missing, Reason.PRESENCE).clauses
    table.refused(ANN, c.Call(failure, present=(person(witness),)), Reason.WRONG_ROLE)
    table.does(DEALER, c.Call(failure, present=(person(witness),)))


@holds(MARYLAND, "7.B")
def test_md_7B_if_device_or_area_fails_a_floorperson_or_above_witnesses_settlement(copy: Copy) -> None:
    for failure in FAILURES:
        for witness in (FLOOR, ABOVE):
            for seen in (None, "shake-manual", "close", "uncover", "enter-dice", "collect"):
                table = ready(copy.raw)
                table.bet(ANN, "small=10", "big=20")
                if seen:
                    table.go(seen)
                fails(table, failure, witness)
                table.finish()
                assert table.holds("ann") == 990_00


@holds(MARYLAND, "7.B")
def test_md_7B_a_senior_person_who_calls_it_is_present(copy: Copy) -> None:
    for failure in FAILURES:
        for witness in (FLOOR, ABOVE):
            table = ready(copy.raw)
            table.bet(ANN, "small=10")
            table.go("uncover")
            table.does(witness, c.Call(failure))
            table.finish()


@holds(MARYLAND, "7.C")
def test_md_7C_once_settled_play_ceases_until_the_device_is_fixed(copy: Copy) -> None:
    for failure, equipment in FAILURES.items():
        table = ready(copy.raw)
        table.bet(ANN, "small=10")
        table.go("uncover")
        fails(table, failure)
        table.finish()
        named = table.table.rules.equipment[equipment].name.en
        for who, command in ((ANN, FIVE), (DEALER, step_of("shake-manual"))):
            refusal = table.refused(who, command, Reason.SUSPENDED)
            assert "7.C" in refusal.clauses
            assert refusal.says == f"Play has stopped. Have this repaired first: {named}."
            assert table.table.rules.irregularities[failure].cease_until == "the electrical device is fixed"
        table.refused(DEALER, c.Repair(equipment), Reason.WRONG_ROLE)
        table.does(FLOOR, c.Repair(equipment))
        table.refused(ANN, FIVE, Reason.NOT_INSPECTED)
        if failure == "device-malfunction":
            table.inspect_device()
        table.check_over(equipment)
        table.bet(ANN, "small=10")
        table.finish()
        assert table.holds("ann") == 1_020_00


@holds(MARYLAND, "7.D")
def test_md_7D_if_the_automated_shaker_fails_the_round_is_void_and_wagers_go_back(copy: Copy) -> None:
    for seen in (None, "shake-automated", "close"):
        table = ready(copy.raw, "automated")
        table.bet(ANN, "small=10")
        table.bet(BEN, "big=10")
        if seen:
            table.go(seen)
        events = table.does(DEALER, c.Call("shaker-malfunction")).events
        assert events[-1] == e.RoundVoided(1, (1, 2))
        assert (table.holds("ann"), table.holds("ben")) == (1_000_00, 1_000_00)
        table.refused(ANN, FIVE, Reason.SHAKER)
        table.does(FLOOR, c.Repair("automated-shaker"))
        table.refused(ANN, FIVE, Reason.NOT_INSPECTED)
        table.inspect_shaker()
        table.check_over("automated-shaker")
        table.bet(ANN, "small=10")
    table = ready(copy.raw)
    table.go("shake-manual")
    table.refused(DEALER, c.Call("shaker-malfunction"), Reason.NOT_NOW)


@holds(MARYLAND, "7.E")
def test_md_7E_an_unused_automated_shaker_is_emptied_and_covered_or_signed(copy: Copy) -> None:
    for how in ("covered", "sign"):
        table = ready(copy.raw, "automated")
        table.bet(ANN, "small=10")
        table.take("shake-automated")
        table.does(DEALER, c.Call("shaker-malfunction"))
        table.does(DEALER, c.Call("shaker-exchange"))
        assert table.refused(DEALER, c.UseShaker("manual"), Reason.SHAKER).clauses == ("7.E",)
        for away in (c.PutAwayShaker("removed", dice_removed=True), c.PutAwayShaker(how)):
            assert table.refused(DEALER, away, Reason.SHAKER).clauses == ("7.E",)
        table.does(DEALER, c.PutAwayShaker(how, dice_removed=True))
        table.does(DEALER, c.UseShaker("manual"))
        table.refused(ANN, FIVE, Reason.DICE_MISSING)
        table.does(FLOOR, c.PutDice("set 2", count=3))
        table.check_over("dice")
        table.refused(ANN, FIVE, Reason.NOT_INSPECTED)
        table.check_over("manual-shaker")
        table.shaker = "manual"
        table.bet(ANN, "small=10")
        table.finish()
        assert table.holds("ann") == 1_010_00


@holds(MARYLAND, "7.E")
def test_md_7E_nothing_is_shaken_in_a_shaker_that_was_put_away(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.does(DEALER, c.PutAwayShaker("covered", dice_removed=True))
    assert table.table.dice is None
    assert table.refused(FLOOR, c.PutDice("set 2", count=3), Reason.SHAKER).clauses == ("7.E",)
    table.does(BOSS, c.CloseTable())
    table.does(BOSS, c.OpenTable(table.setup()))
    table.does(DEALER, c.TakeOver())
    assert table.refused(FLOOR, c.PutDice("set 2", count=3), Reason.SHAKER).clauses == ("7.E",)
    table.does(DEALER, c.UseShaker("automated"))
    table.does(FLOOR, c.PutDice("set 2", count=3))
    table.refused(ANN, FIVE, Reason.NOT_INSPECTED)
    table.inspect_all()
    table.bet(ANN, "small=10")


@pytest.mark.parametrize("shaker", SHAKERS)
def test_md_a_step_out_of_order_is_refused_with_the_clause_and_what_is_due(shaker: str) -> None:
    table = ready(Copy.packaged(MARYLAND).raw, shaker)
    for place, name in enumerate(table.order):
        for other in table.order[:place] + table.order[place + 1 :]:
            refusal = table.refused(DEALER, step_of(other), Reason.NOT_DUE)
            assert refusal.clauses
            assert refusal.message.params["act"] == act_of(table, name)
        table.take(name)


def test_md_7B_7D_power_that_fails_before_the_throw_changes_nothing() -> None:
    table = ready(Copy.packaged(MARYLAND).raw)
    table.bet(ANN, "small=10")
    table.does(FLOOR, c.Call("power-failure"))
    table.go("shake-manual")
    assert table.refused(FLOOR, c.Call("power-failure"), Reason.NOT_NOW).reading == "power-failure-us"
    table.finish()
    assert table.holds("ann") == 1_010_00
