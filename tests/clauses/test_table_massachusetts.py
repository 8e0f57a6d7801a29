"""Massachusetts at the table: dice, procedure, irregularities. One test or more per clause, played out."""

from __future__ import annotations

import pytest

from pitbook.rulebooks.catalogue import packaged_raw
from pitbook.rulebooks.patches import get_key
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.refusals import Reason
from pitbook.table.state import betting_open, phase
from pitbook.table.view import cover
from pitbook.testing import START, person
from tests.clauses.clause_marks import holds
from tests.clauses.copies import Copy
from tests.table.sic_bo import (
    ANN,
    BEN,
    BOSS,
    DEALER,
    FLOOR,
    MASSACHUSETTS,
    PIT_SUPERVISOR,
    RELIEF,
    SINGAPORE,
    SUPERVISOR,
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


def shake(table: SicBoTable) -> str:
    """The id of the table's shake."""
    return f"shake-{table.shaker}"


# -- 1: dice and shaker


@holds(MASSACHUSETTS, "1")
def test_ma_1_three_dice_are_sealed_inside_the_shaker(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = bare(copy.raw, shaker)
        for count in (1, 2, 4, 5):
            assert table.refused(FLOOR, c.PutDice("set 2", count=count), Reason.DICE_MISSING).clauses == ("1",)
        assert table.refused(FLOOR, c.PutDice("set 2", sealed=False, count=3), Reason.DICE_MISSING).clauses == ("1",)
        table.does(FLOOR, c.PutDice("set 2", count=3))


@holds(MASSACHUSETTS, "1")
def test_ma_1_no_dice_are_used_for_more_than_24_hours_in_any_shaker(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = ready(copy.raw, shaker)
        table.later(hours=24)
        table.bet(ANN, "small=5")
        table.finish()
        table.later(seconds=1)
        refusal = table.refused(ANN, FIVE, Reason.DICE_EXPIRED)
        assert refusal.clauses == ("1",)
        assert "in use for more than 24 hours" in refusal.says
        assert table.table.rules.equipment["dice"].life[0].counted_from == "put into the shaker"
        table.refused(DEALER, step_of("close"), Reason.DICE_EXPIRED)
        table.does(FLOOR, c.PutDice("set 2", count=3))
        table.bet(ANN, "small=5")


@holds(MASSACHUSETTS, "1")
def test_ma_1_a_round_in_progress_when_the_dice_expire_is_finished(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = ready(copy.raw, shaker)
        table.later(hours=23, minutes=59)
        table.bet(ANN, "small=5")
        table.go(shake(table))
        table.later(minutes=2)
        table.refused(FLOOR, c.PutDice("set 2"), Reason.NOT_NOW)
        table.finish()
        assert table.holds("ann") == 1_005_00
        table.refused(ANN, FIVE, Reason.DICE_EXPIRED)


@holds(MASSACHUSETTS, "1")
def test_ma_1_expired_dice_are_exchanged_before_the_shake_and_wagers_stay(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = ready(copy.raw, shaker)
        table.later(hours=23, minutes=59)
        table.bet(ANN, "small=5")
        table.go("close")
        table.later(minutes=2)
        assert table.refused(DEALER, step_of(shake(table)), Reason.DICE_EXPIRED).clauses == ("1",)
        table.does(DEALER, c.TakeOutDice("set 1", "24 hours are over"))
        assert table.refused(DEALER, step_of(shake(table)), Reason.DICE_MISSING).clauses == ("1",)
        table.does(FLOOR, c.PutDice("set 2", count=3))
        table.finish()
        assert table.holds("ann") == 1_005_00


@holds(MASSACHUSETTS, "1")
def test_ma_1_the_time_of_a_set_never_starts_again(copy: Copy) -> None:
    table = ready(copy.raw)
    table.later(hours=20)
    table.does(FLOOR, c.PutDice("set 2", count=3))
    table.later(hours=3)
    table.does(FLOOR, c.PutDice("set 1", count=3))
    assert table.table.dice is not None
    assert table.table.dice.first_used == START.isoformat()
    table.bet(ANN, "small=5")
    table.later(hours=1, seconds=1)
    table.take("close")
    assert table.refused(DEALER, step_of("shake-manual"), Reason.DICE_EXPIRED).clauses == ("1",)
    table.does(DEALER, c.TakeOutDice("set 1", "expired"))
    assert table.refused(FLOOR, c.PutDice("set 1", count=3), Reason.DICE_EXPIRED).clauses == ("1",)


@holds(MASSACHUSETTS, "1")
def test_ma_1_closing_the_table_takes_the_dice_out_and_their_time_goes_on(copy: Copy) -> None:
    table = ready(copy.raw)
    table.does(BOSS, c.CloseTable())
    assert table.table.dice is None
    assert table.register.sets["set 1"].standing == "out"
    table.later(hours=25)
    table.does(BOSS, c.OpenTable(table.setup()))
    table.does(DEALER, c.TakeOver())
    assert table.refused(FLOOR, c.PutDice("set 1", count=3), Reason.DICE_EXPIRED).clauses == ("1",)
    table.does(FLOOR, c.PutDice("set 2", count=3))


@holds(MASSACHUSETTS, "1")
def test_ma_1_only_the_dealer_who_took_the_table_over_takes_its_steps(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = ready(copy.raw, shaker)
        wrong = table.refused(FLOOR, c.TakeOver(), Reason.WRONG_ROLE)
        assert (wrong.says, wrong.clauses) == ("Only the dealer can do this, not the floorperson.", ("1",))
        table.bet(ANN, "small=5")
        for name in table.order[:-1]:
            assert table.refused(RELIEF, step_of(name), Reason.UNATTENDED).clauses == ("1",)
            table.take(name)
        table.does(RELIEF, c.TakeOver())  # relief in mid-round
        table.refused(DEALER, step_of(table.order[-1]), Reason.UNATTENDED)
        table.does(RELIEF, step_of(table.order[-1]))


@holds(MASSACHUSETTS, "1")
def test_ma_1_nobody_leaves_either_shaker_without_relief(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = ready(copy.raw, shaker)
        assert table.refused(DEALER, c.LeaveTable(), Reason.UNATTENDED).clauses == ("1",)
        table.bet(ANN, "small=5")
        table.go("close")
        assert table.refused(DEALER, c.LeaveTable(), Reason.UNATTENDED).clauses == ("1",)


@holds(MASSACHUSETTS, "1")
def test_ma_1_a_manual_shaker_is_filled_only_with_a_dealer_at_the_table(copy: Copy) -> None:
    table = SicBoTable(raw=copy.raw)
    table.does(BOSS, c.OpenTable(table.setup()))
    assert table.refused(FLOOR, c.PutDice("set 1", count=3), Reason.UNATTENDED).clauses == ("1",)
    table.does(DEALER, c.TakeOver())
    table.does(FLOOR, c.PutDice("set 1", count=3))


@holds(MASSACHUSETTS, "1")
def test_ma_1_the_dealer_answers_for_the_shaker_all_the_time(copy: Copy) -> None:
    table = ready(copy.raw)
    assert table.refused(DEALER, c.LeaveTable(), Reason.UNATTENDED).clauses == ("1",)
    table.does(RELIEF, c.TakeOver())
    assert table.table.dealer == "dot"


# -- 3: wagers


@holds(MASSACHUSETTS, "3(a)")
def test_ma_3a_wagers_are_chips_on_the_layout_and_no_cash_by_word_of_mouth(copy: Copy) -> None:
    table = ready(copy.raw)
    called = c.PlaceBets((c.BetRequest("small", 500),), verbal_cash=True)
    assert table.refused(ANN, called, Reason.CASH_BET).clauses == ("3(a)",)
    table.bet(ANN, "small=5")
    table.does(DEALER, bets_of("big=5", player="ben"))
    assert {(bet.player, bet.wager) for bet in table.table.bets.values()} == {("ann", "small"), ("ben", "big")}


@holds(MASSACHUSETTS, "3(c)")
def test_ma_3c_wagers_are_settled_by_position_once_the_dice_are_entered_and_lit(copy: Copy) -> None:
    table = ready(copy.raw)
    table.bet(ANN, "big=10")
    table.does(ANN, c.MoveBet("big", "small"))
    for name in table.order[:4]:
        assert table.refused(DEALER, step_of("collect"), Reason.NOT_DUE).clauses
        table.take(name)
    assert table.order[3] == "announce-dice"
    table.refused(DEALER, step_of("collect"), Reason.NOT_DUE)
    table.take("enter-dice")
    assert set(table.table.round.lit) == LIT_BY_123
    table.refused(ANN, c.MoveBet("small", "big"), Reason.BETTING_CLOSED)
    table.finish()
    assert table.holds("ann") == 1_010_00


# -- 5: opening and dealing


@holds(MASSACHUSETTS, "5(a)")
def test_ma_5a_the_floorperson_inspects_before_the_table_takes_bets(copy: Copy) -> None:
    assert [step.who for step in copy.rules.procedure.opening] == [["floorperson"], ["floorperson"]]
    table = bare(copy.raw, "automated")
    table.seat(ANN)
    device = c.Inspect("device-before-opening", (1, 2, 3), tuple(LIT_BY_123))
    shaker = c.Inspect("shaker-before-opening", proper=3)
    for inspection, clause in ((device, "5(a)(1)"), (shaker, "5(a)(2)")):
        assert table.refused(ANN, FIVE, Reason.NOT_INSPECTED).clauses == (clause,)
        for other in (ANN, DEALER, SUPERVISOR, BOSS):
            assert table.refused(other, inspection, Reason.WRONG_ROLE).clauses == ("5(a)",)
        table.does(FLOOR, inspection)
    table.inspect_for_shift()
    table.bet(ANN, "small=5")


@holds(MASSACHUSETTS, "5(a)(1)")
def test_ma_5a1_the_device_is_tested_by_three_values_and_what_lights_up(copy: Copy) -> None:
    table = bare(copy.raw)
    table.seat(ANN)
    for lit in (LIT_BY_123 - {"small"}, LIT_BY_123 | {"big"}, set()):
        table.does(FLOOR, c.Inspect("device-before-opening", (1, 2, 3), tuple(lit)))
        assert table.refused(ANN, FIVE, Reason.INSPECTION_FAILED).clauses == ("5(a)(1)",)
    for entered in ((1, 2), (1, 2, 3, 4), (0, 2, 3), ()):
        table.refused(FLOOR, c.Inspect("device-before-opening", entered, tuple(LIT_BY_123)), Reason.BAD_DICE)
    table.does(FLOOR, c.Inspect("device-before-opening", (1, 2, 3), tuple(LIT_BY_123)))
    table.bet(ANN, "small=5")


@holds(MASSACHUSETTS, "5(a)(2)")
def test_ma_5a2_the_automated_shaker_is_operated_three_times_if_one_is_in_use(copy: Copy) -> None:
    table = bare(copy.raw, "automated")
    table.seat(ANN)
    table.inspect_device()
    table.inspect_for_shift()
    for proper in (0, 1, 2):
        table.does(FLOOR, c.Inspect("shaker-before-opening", proper=proper))
        assert table.refused(ANN, FIVE, Reason.INSPECTION_FAILED).clauses == ("5(a)(2)",)
    table.does(FLOOR, c.Inspect("shaker-before-opening", proper=3))
    table.bet(ANN, "small=5")
    ready(copy.raw, "manual").bet(ANN, "small=5")


@holds(MASSACHUSETTS, "5(b)")
def test_ma_5b_the_casino_supervisor_inspects_the_automated_shaker_every_shift(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.bet(ANN, "small=5")
    table.finish()
    table.does(FLOOR, c.StartShift("swing"))
    inspection = c.Inspect("shaker-each-shift", proper=3)
    for other in (ANN, DEALER, FLOOR):
        table.refused(other, inspection, Reason.WRONG_ROLE)
    assert table.refused(ANN, FIVE, Reason.NOT_INSPECTED).clauses == ("5(b)",)
    table.does(SUPERVISOR, c.Inspect("shaker-each-shift", proper=2))
    table.refused(ANN, FIVE, Reason.INSPECTION_FAILED)
    table.does(SUPERVISOR, inspection)
    table.bet(ANN, "small=5")


@holds(MASSACHUSETTS, "5(b)")
def test_ma_5b_a_shift_that_begins_in_a_round_lets_the_round_be_finished(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.bet(ANN, "small=5")
    table.does(FLOOR, c.StartShift("swing"))
    table.finish()
    table.refused(ANN, FIVE, Reason.NOT_INSPECTED)


@holds(MASSACHUSETTS, "5(c)")
def test_ma_5c_no_more_bets_is_announced_before_the_shake(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = ready(copy.raw, shaker)
        table.bet(ANN, "small=5")
        assert table.refused(DEALER, step_of(shake(table)), Reason.NOT_DUE).clauses == ("5(c)",)
        (closed,) = table.take("close").events
        assert isinstance(closed, e.StepTaken)
        assert closed.announced == "No more bets"
        assert not betting_open(table.table)
        assert "5(c)" in table.refused(BEN, FIVE, Reason.BETTING_CLOSED).clauses


@holds(MASSACHUSETTS, "5(d)")
def test_ma_5d_once_no_more_bets_is_announced_the_dealer_shakes(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = ready(copy.raw, shaker)
        table.bet(ANN, "small=5")
        table.refused(DEALER, step_of(shake(table)), Reason.NOT_DUE)
        table.take("close")
        for other in (ANN, FLOOR, SUPERVISOR):
            table.refused(other, step_of(shake(table)), Reason.WRONG_ROLE)
        table.take(shake(table))
        assert phase(table.table) == ("thrown" if shaker == "manual" else "revealed")


@holds(MASSACHUSETTS, "5(d)(1)")
def test_ma_5d1_a_manual_shaker_is_covered_and_shaken_at_least_three_times(copy: Copy) -> None:
    for shakes in (0, 1, 2):
        table = ready(copy.raw)
        table.go("close")
        few = c.TakeStep("shake-manual", shakes=shakes)
        assert "5(d)(1)" in table.refused(DEALER, few, Reason.TOO_FEW_SHAKES).clauses
    for shakes in (3, 7):
        table = ready(copy.raw)
        table.go("close")
        assert cover(table.table) == "off"
        table.step(DEALER, "shake-manual", shakes=shakes)
        assert table.table.round.shakes == shakes
        assert cover(table.table) == "on"


@holds(MASSACHUSETTS, "5(d)(2)")
def test_ma_5d2_an_automated_shaker_is_activated(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.go("close")
    table.refused(DEALER, step_of("shake-manual"), Reason.NOT_DUE)
    table.step(DEALER, "shake-automated")
    assert table.table.round.done == ("close", "shake-automated")


@holds(MASSACHUSETTS, "5(e)")
def test_ma_5e_uncover_announce_enter_light_up_in_that_order(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = ready(copy.raw, shaker)
        table.bet(ANN, "small=5")
        table.take("close")
        displayed = [name for name in (*table.order[1:], "illuminate") if name in ORDERED]
        for name in table.order[1:]:
            if name == "collect":
                break
            for later in [other for other in displayed if ORDERED.index(other) > ORDERED.index(name)]:
                assert table.refused(DEALER, step_of(later), Reason.NOT_DUE).clauses
            table.take(name, (3, 1, 2))
        assert set(table.table.round.lit) == LIT_BY_123


ORDERED = ("shake-manual", "shake-automated", "uncover", "announce-dice", "enter-dice", "illuminate")


@holds(MASSACHUSETTS, "5(e)")
def test_ma_5e_what_is_entered_is_what_was_announced_or_a_supervisor_puts_it_right(copy: Copy) -> None:
    table = ready(copy.raw)
    table.bet(ANN, "small=5")
    table.go("announce-dice")
    assert table.refused(DEALER, c.TakeStep("enter-dice", (1, 2, 4)), Reason.DICE_DIFFER).clauses == ("5(e)",)
    table.refused(DEALER, c.CorrectDice((1, 2, 4), "misheard"), Reason.WRONG_ROLE)
    table.does(FLOOR, c.CorrectDice((4, 1, 2), "misheard"))
    table.finish((1, 2, 4))
    assert table.table.history[-1].dice == (1, 2, 4)


@holds(MASSACHUSETTS, "5(f)")
def test_ma_5f_all_losing_wagers_are_collected_before_winning_wagers_are_paid(copy: Copy) -> None:
    table = ready(copy.raw)
    table.bet(ANN, "small=10", "big=20")
    table.bet(BEN, "total/6=5", "three-of-a-kind/1=5")
    table.go("announce-dice")
    table.refused(DEALER, step_of("collect"), Reason.NOT_DUE)
    table.take("enter-dice")
    assert table.refused(DEALER, step_of("pay"), Reason.NOT_DUE).clauses == ("5(f)",)
    (_, collected) = table.take("collect").events
    assert isinstance(collected, e.LosersCollected)
    assert {(line.wager, line.net) for line in collected.lines} == {("big", -20_00), ("three-of-a-kind/1", -5_00)}
    (_, paid) = table.take("pay").events
    assert isinstance(paid, e.WinnersPaid)
    assert {(line.wager, line.pays, line.net) for line in paid.lines} == {
        ("small", "1 to 1", 10_00),
        ("total/6", "14 to 1", 70_00),
    }
    assert (table.holds("ann"), table.holds("ben")) == (990_00, 1_065_00)


@holds(MASSACHUSETTS, "5(f)")
def test_ma_5f_a_manual_shaker_stays_uncovered_until_winners_are_paid(copy: Copy) -> None:
    manual = ready(copy.raw)
    manual.go("shake-manual")
    assert cover(manual.table) == "on"
    for name in ("uncover", "announce-dice", "enter-dice", "collect", "pay"):
        manual.take(name)
        assert cover(manual.table) == "off"
        manual.refused(DEALER, step_of("shake-manual"), Reason.NOT_DUE)
    automated = ready(copy.raw, "automated")
    for name in automated.order:
        assert cover(automated.table) == "off"
        automated.take(name)
        assert cover(automated.table) == "off"


@holds(MASSACHUSETTS, "5(g)")
def test_ma_5g_after_collecting_and_paying_the_dealer_clears_the_lights(copy: Copy) -> None:
    table = ready(copy.raw)
    table.bet(ANN, "small=10")
    table.go("enter-dice")
    assert table.table.round.lit
    for name in ("collect", "pay"):
        table.refused(DEALER, step_of("clear"), Reason.NOT_DUE)
        table.take(name)
    assert table.table.round.lit
    table.take("clear")
    assert not table.table.round.lit
    assert table.events_of(e.Illuminated)[-1] == e.Illuminated(())
    assert table.table.round.number == 2
    assert betting_open(table.table)


# -- 6: irregularities


@holds(MASSACHUSETTS, "6(a)")
def test_ma_6a_dice_that_are_not_flat_are_a_no_roll_and_the_wagers_go_back(copy: Copy) -> None:
    for shaker in SHAKERS:
        for seen in ("uncover", "announce-dice") if shaker == "manual" else ("shake-automated", "announce-dice"):
            table = ready(copy.raw, shaker)
            table.bet(ANN, "small=10")
            assert table.refused(DEALER, c.Call("no-roll"), Reason.NOT_NOW).clauses == ("6(a)",)
            table.go(seen)
            for other in (ANN, FLOOR, SUPERVISOR):
                assert table.refused(other, c.Call("no-roll"), Reason.WRONG_ROLE).clauses == ("6(a)",)
            called, returned = table.does(DEALER, c.Call("no-roll")).events
            assert isinstance(called, e.IrregularityCalled)
            assert called.announced == "No Roll"
            assert isinstance(returned, e.WagersReturned)
            assert table.holds("ann") == 1_000_00
            assert not table.table.bets
            table.bet(ANN, "small=10")
            table.finish()


@holds(MASSACHUSETTS, "6(a)")
def test_ma_6a_by_another_reading_the_wagers_stand_and_may_be_changed(copy: Copy) -> None:
    table = ready(copy.raw, readings={"no-roll-wagers": "stand"})
    table.bet(ANN, "small=10", "big=10")
    table.go("uncover")
    table.does(DEALER, c.Call("no-roll"))
    assert len(table.table.bets) == 2
    table.does(ANN, c.TakeDown("big"))
    table.finish()
    assert table.holds("ann") == 1_010_00


@holds(MASSACHUSETTS, "6(d)")
def test_ma_6d_nothing_is_shaken_in_a_shaker_that_was_put_away(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.does(DEALER, c.PutAwayShaker("removed"))
    assert table.refused(FLOOR, c.PutDice("set 2", count=3), Reason.SHAKER).clauses == ("6(d)",)
    assert table.refused(ANN, FIVE, Reason.SHAKER).clauses == ("6(d)",)
    table.does(DEALER, c.UseShaker("automated", "A-17"))
    table.does(FLOOR, c.PutDice("set 2", count=3))
    assert table.refused(ANN, FIVE, Reason.NOT_INSPECTED).clauses == ("5(a)(2)",)
    table.inspect_shaker()
    table.inspect_for_shift()
    table.bet(ANN, "small=5")
    table.finish()


@holds(MASSACHUSETTS, "6(d)")
def test_ma_6d_reopening_the_table_does_not_skip_the_exchange(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.does(BOSS, c.CloseTable())
    table.shaker = "manual"
    table.does(BOSS, c.OpenTable(table.setup()))
    table.does(DEALER, c.TakeOver())
    assert table.refused(FLOOR, c.PutDice("set 2", count=3), Reason.SHAKER).clauses == ("6(d)",)
    table.does(DEALER, c.PutAwayShaker("removed"))
    table.does(FLOOR, c.PutDice("set 2", count=3))
    table.does(BOSS, c.CloseTable())
    table.shaker = "automated"
    table.does(BOSS, c.OpenTable(table.setup()))
    table.does(DEALER, c.TakeOver())
    table.inspect_all()  # of a shaker that is out of use: it does not count
    assert table.refused(FLOOR, c.PutDice("set 3", count=3), Reason.SHAKER).clauses == ("6(d)",)
    table.does(DEALER, c.UseShaker("automated"))
    table.does(FLOOR, c.PutDice("set 3", count=3))
    table.refused(ANN, FIVE, Reason.NOT_INSPECTED)


@holds(MASSACHUSETTS, "6(d)")
def test_ma_6d_a_failed_shaker_is_repaired_before_it_comes_back(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.go("close")
    table.does(DEALER, c.Call("shaker-malfunction"))
    table.does(DEALER, c.PutAwayShaker("removed"))
    table.refused(DEALER, c.UseShaker("automated"), Reason.SHAKER)
    table.does(FLOOR, c.Repair("automated-shaker"))
    table.does(DEALER, c.UseShaker("automated"))


@holds(MASSACHUSETTS, "6(b)")
def test_ma_6b_if_the_device_fails_a_supervisor_witnesses_settlement_and_play_ceases(copy: Copy) -> None:
    for seen in ("uncover", "announce-dice", "enter-dice", "collect"):
        table = ready(copy.raw)
        table.bet(ANN, "small=10", "big=20")
        table.go(seen)
        fails(table)
        assert bool(table.table.round.lit) is (seen in ("enter-dice", "collect"))
        table.finish()
        assert table.holds("ann") == 990_00
        ceased(table)


def fails(table: SicBoTable) -> None:
    """The device fails; only the casino supervisor will do as a witness, and only dealer and supervisor call it."""
    call = c.Call("device-malfunction", present=(person(SUPERVISOR),))
    for there in ((), (person(FLOOR),), (person(ANN),), (person(BOSS),)):
        missing = c.Call("device-malfunction", present=there)
        assert table.refused(DEALER, missing, Reason.PRESENCE).clauses == ("6(b)",)
    for other in (ANN, FLOOR):
        table.refused(other, call, Reason.WRONG_ROLE)
    called, *_ = table.does(DEALER, call).events
    assert isinstance(called, e.IrregularityCalled)
    assert called.present == (person(SUPERVISOR),)


def ceased(table: SicBoTable) -> None:
    """No play until the device is fixed, and inspected again."""
    for command, who in ((FIVE, ANN), (step_of("close"), DEALER)):
        refusal = table.refused(who, command, Reason.SUSPENDED)
        assert refusal.clauses == ("6(b)",)
        assert refusal.says == "Play has stopped. Have this repaired first: Electrical device."
    assert table.table.rules.irregularities["device-malfunction"].cease_until == "the electrical device is fixed"
    table.refused(DEALER, c.Repair("electrical-device"), Reason.WRONG_ROLE)
    table.does(FLOOR, c.Repair("electrical-device"))
    assert table.refused(ANN, FIVE, Reason.NOT_INSPECTED).clauses == ("5(a)(1)",)
    table.inspect_device()
    table.bet(ANN, "small=10")
    table.finish()
    assert table.events_of(e.Illuminated)[-2].wagers  # type: ignore[attr-defined]


@holds(MASSACHUSETTS, "6(b)")
def test_ma_6b_a_failure_seen_before_the_reveal_ends_the_round_in_the_same_way(copy: Copy) -> None:
    for shaker in SHAKERS:
        for seen in (None, "close", f"shake-{shaker}"):
            table = ready(copy.raw, shaker)
            table.bet(ANN, "small=10")
            if seen:
                table.go(seen)
            fails(table)
            table.finish()
            assert table.holds("ann") == 1_010_00
            ceased(table)


@holds(MASSACHUSETTS, "6(b)")
def test_ma_6b_with_no_wager_on_the_layout_play_ceases_at_once(copy: Copy) -> None:
    table = ready(copy.raw)
    fails(table)
    ceased(table)


@holds(MASSACHUSETTS, "6(b)")
def test_ma_6b_whoever_settles_is_not_the_witness(copy: Copy) -> None:
    table = ready(copy.raw)
    table.bet(ANN, "small=10")
    table.go("uncover")
    table.does(SUPERVISOR, c.Call("device-malfunction"))  # the supervisor who calls it is there
    table.finish()
    ceased(table)


def test_ma_6b_opening_under_another_book_does_not_repair_the_device() -> None:
    table = ready(packaged_raw(MASSACHUSETTS))
    table.does(DEALER, c.Call("device-malfunction", "dark", (person(SUPERVISOR),)))
    table.does(BOSS, c.CloseTable())
    table.raw, table.shaker = packaged_raw(SINGAPORE), "automated"
    table.does(BOSS, c.OpenTable(table.setup()))
    table.does(DEALER, c.TakeOver())
    table.does(PIT_SUPERVISOR, c.PutDice("set 2", count=3))
    table.check_over("dice", PIT_SUPERVISOR)
    refusal = table.refused(DEALER, step_of("open"), Reason.SUSPENDED)
    assert refusal.says == "Play has stopped. Have this repaired first: electrical-device."
    assert refusal.policy
    table.does(PIT_SUPERVISOR, c.Repair("electrical-device"))
    table.take("open")


@holds(MASSACHUSETTS, "6(c)")
def test_ma_6c_if_the_automated_shaker_fails_the_round_is_void(copy: Copy) -> None:
    for seen in ("close", "shake-automated"):
        table = ready(copy.raw, "automated")
        table.bet(ANN, "small=10")
        table.bet(BEN, "big=10")
        table.refused(DEALER, c.Call("shaker-malfunction"), Reason.NOT_NOW)
        table.go(seen)
        assert table.does(DEALER, c.Call("shaker-malfunction")).events[-1] == e.RoundVoided(1, (1, 2))
        assert (table.holds("ann"), table.holds("ben")) == (1_000_00, 1_000_00)
        assert table.table.round.number == 2
        table.refused(ANN, FIVE, Reason.SHAKER)
        table.does(FLOOR, c.Repair("automated-shaker"))
        table.refused(ANN, FIVE, Reason.NOT_INSPECTED)
        table.inspect_shaker()
        table.inspect_for_shift()
        table.bet(ANN, "small=10")
    manual = ready(copy.raw)
    manual.go("close")
    manual.refused(DEALER, c.Call("shaker-malfunction"), Reason.NOT_NOW)


@holds(MASSACHUSETTS, "6(d)")
def test_ma_6d_the_automated_shaker_is_removed_before_a_manual_one_is_used(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.does(DEALER, c.Call("shaker-exchange"))
    assert table.refused(DEALER, c.UseShaker("manual"), Reason.SHAKER).clauses == ("6(d)",)
    for how in ("covered", "sign"):
        away = c.PutAwayShaker(how, dice_removed=True)
        assert table.refused(DEALER, away, Reason.SHAKER).clauses == ("6(d)",)
    table.does(DEALER, c.PutAwayShaker("removed"))
    assert table.table.dice is None
    assert table.register.sets["set 1"].standing == "out"
    table.does(DEALER, c.UseShaker("manual"))
    assert table.refused(ANN, FIVE, Reason.DICE_MISSING).clauses == ("1",)
    table.does(FLOOR, c.PutDice("set 2", count=3))
    table.shaker = "manual"
    table.bet(ANN, "small=10")
    table.refused(DEALER, c.PutAwayShaker("removed"), Reason.SHAKER)
    table.finish()
    assert table.holds("ann") == 1_010_00


@holds(MASSACHUSETTS, "6(b)")
def test_ma_6b_6c_power_that_fails_before_the_throw_changes_nothing(copy: Copy) -> None:
    assert get_key(copy.raw, "irregularity.power-failure.clause") == ["6(b)", "6(c)"]
    table = ready(copy.raw)
    table.bet(ANN, "small=10")
    table.does(FLOOR, c.Call("power-failure"))
    table.bet(ANN, "small=10")
    table.go("close")
    table.does(FLOOR, c.Call("power-failure"))  # nothing is thrown yet: betting resumes
    table.bet(BEN, "big=10")
    table.go("shake-manual")
    table.refused(FLOOR, c.Call("power-failure"), Reason.NOT_NOW)
    table.finish()
    assert (table.holds("ann"), table.holds("ben")) == (1_020_00, 990_00)


@pytest.mark.parametrize("shaker", SHAKERS)
def test_ma_a_step_out_of_order_is_refused_with_the_clause_and_what_is_due(shaker: str) -> None:
    table = ready(Copy.packaged(MASSACHUSETTS).raw, shaker)
    for place, name in enumerate(table.order):
        for other in table.order[:place] + table.order[place + 1 :]:
            refusal = table.refused(DEALER, step_of(other), Reason.NOT_DUE)
            assert refusal.clauses
            assert refusal.message.params["act"] == act_of(table, name)
        table.take(name)
