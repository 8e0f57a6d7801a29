"""Singapore: a normal round, and everything that can go wrong."""

from __future__ import annotations

from functools import partial

from pitbook.table import commands as c
from pitbook.table.refusals import Reason
from tests.playthroughs.scripts import ScriptedSicBo, play
from tests.table.sic_bo import (
    ANN,
    BEN,
    BOSS,
    DEALER,
    PIT_MANAGER,
    PIT_SUPERVISOR,
    SHIFT_MANAGER,
    SINGAPORE,
    bets_of,
    step_of,
)

table = partial(play, SINGAPORE, "automated")
FIVE = bets_of("small=5")


@table()
def opening_and_a_normal_round(stage: ScriptedSicBo) -> None:
    """From opening the table to the end of a round: the dice tumble, then betting closes."""
    stage.include_opening()
    stage.refused(ANN, FIVE, Reason.BETTING_CLOSED)
    stage.bet(ANN, "small=10", "three-from-four/1234=5", "single-die/3=5")
    stage.take("tumble")
    stage.bet(BEN, "big=20", "double-and-single/221=5")
    stage.finish((1, 2, 3))


@table()
def colour_chips(stage: ScriptedSicBo) -> None:
    """A player's own colour, with a value that stays until all are redeemed; a marker is confirmed by staff."""
    stage.refused(ANN, c.BuyIn(200_00, colour_value=10_00), Reason.COLOUR_CHIPS)
    stage.refused(ANN, c.BuyIn(200_00, colour_value=10_00, marker=True), Reason.COLOUR_CHIPS)
    stage.does(DEALER, c.BuyIn(200_00, "ann", colour_value=10_00, marker=True))
    stage.refused(BEN, c.BuyIn(100_00, colour_value=5_00, colour="blue"), Reason.COLOUR_CHIPS)
    stage.does(BEN, c.BuyIn(100_00, colour_value=5_00))
    stage.take("open")
    stage.refused(ANN, c.PlaceBets((c.BetRequest("odd", 15_00, "colour"),)), Reason.COLOUR_CHIPS)
    stage.refused(ANN, c.PlaceBets((c.BetRequest("odd", 210_00, "colour"),)), Reason.NO_FUNDS)
    stage.does(ANN, c.PlaceBets((c.BetRequest("odd", 20_00, "colour"), c.BetRequest("odd", 5_00))))
    stage.refused(DEALER, c.BuyIn(100_00, "ann", colour_value=20_00, marker=True), Reason.COLOUR_CHIPS)
    stage.finish((2, 2, 3))
    stage.refused(BOSS, c.CloseTable(), Reason.COLOUR_CHIPS)
    stage.does(DEALER, c.CashOut(220_00, "ann", kind="colour"))
    stage.does(BEN, c.CashOut(100_00, kind="colour"))
    stage.does(BOSS, c.CloseTable())


@table()
def colour_chips_over_the_maximum(stage: ScriptedSicBo) -> None:
    """What is not a whole number of colour chips is given back, or paid, in cash chips."""
    stage.does(DEALER, c.BuyIn(900_00, "ann", colour_value=150_00, marker=True))
    stage.bet(BEN, "small=5")
    stage.go("close")
    stage.does(DEALER, c.RecordFound("ann", "big", 600_00, kind="colour"))
    stage.finish((1, 2, 3))
    stage.bet(BEN, "small=5")
    stage.does(ANN, c.PlaceBets((c.BetRequest("total/6", 150_00, "colour"),)))
    stage.finish((1, 2, 3))


@table()
def staff_place_wagers_at_a_players_request(stage: ScriptedSicBo) -> None:
    """Until "No more bets", by dealer, pit supervisor or pit manager."""
    stage.take("open")
    stage.refused(DEALER, FIVE, Reason.WRONG_ROLE)
    stage.does(DEALER, bets_of("small=5", player="ann"))
    stage.does(PIT_SUPERVISOR, bets_of("even=5", player="ann"))
    stage.does(PIT_MANAGER, bets_of("even=5", player="ann"))
    stage.go("close")
    stage.refused(DEALER, bets_of("small=5", player="ann"), Reason.BETTING_CLOSED)
    stage.finish()


@table()
def a_higher_position_acts(stage: ScriptedSicBo) -> None:
    """A higher position may do what a lower one may, never the reverse."""
    for name in ("open", "tumble", "close"):
        stage.does(PIT_SUPERVISOR, step_of(name))
    stage.does(SHIFT_MANAGER, step_of("press-deal"))
    stage.refused(ANN, step_of("uncover"), Reason.WRONG_ROLE)
    stage.finish()


@table()
def steps_out_of_order(stage: ScriptedSicBo) -> None:
    """A step that is not due is refused, with the clause and with what is due."""
    stage.refused(DEALER, step_of("tumble"), Reason.NOT_DUE)
    stage.bet(ANN, "small=10")
    stage.refused(DEALER, step_of("close"), Reason.NOT_DUE)
    stage.go("close")
    stage.refused(DEALER, step_of("uncover"), Reason.NOT_DUE)
    stage.go("uncover")
    stage.refused(DEALER, step_of("announce-outcome"), Reason.NOT_DUE)
    stage.go("enter-dice")
    stage.refused(DEALER, step_of("pay"), Reason.NOT_DUE)
    stage.finish()


@table()
def unclear_wagers(stage: ScriptedSicBo) -> None:
    """After the reveal a wager lies across a line and another was moved: the pit supervisor decides on each."""
    stage.bet(ANN, "small=10", "total/6=5")
    stage.bet(BEN, "big=20")
    stage.go("enter-dice")
    seen = "ann's ten lies across the line; ben's twenty was moved by a sleeve"
    stage.refused(DEALER, c.Call("unclear-wagers", seen), Reason.NOTHING_TO_DO)
    stage.does(DEALER, c.Call("unclear-wagers", seen, bets=(1, 3)))
    stage.refused(DEALER, step_of("collect"), Reason.NOT_NOW)
    stage.refused(DEALER, c.RuleOnBet(1, "small", "mostly small"), Reason.WRONG_ROLE)
    stage.refused(PIT_SUPERVISOR, c.RuleOnBet(2, "even", "it could lie there"), Reason.NOT_NOW)
    stage.does(PIT_SUPERVISOR, c.RuleOnBet(1, "even", "three quarters of it lie on even"))
    stage.refused(DEALER, step_of("collect"), Reason.NOT_NOW)
    stage.does(PIT_SUPERVISOR, c.RuleOnBet(3, None, "nobody can say where it lay"))
    stage.finish()


@table(limits={"*": c.Limit(5_00, 500_00), "specific-triple": c.Limit(1_00, 50_00)})
def a_collected_wager_is_ruled_on(stage: ScriptedSicBo) -> None:
    """A wager that was collected lay on an area with a lower maximum: it is paid to that, and the rest goes back."""
    stage.bet(ANN, "big=500")
    stage.go("collect", (1, 1, 1))
    stage.does(DEALER, c.Call("unclear-wagers", "ann says that it lay on the triple", bets=(1,)))
    stage.does(PIT_SUPERVISOR, c.RuleOnBet(1, "specific-triple/1", "the camera shows it there"))
    stage.finish((1, 1, 1))


@table()
def too_few_tumbles(stage: ScriptedSicBo) -> None:
    """The dice tumble only twice: the round goes no further, and is void."""
    stage.bet(ANN, "small=10")
    stage.step(DEALER, "tumble", shakes=2)
    stage.refused(DEALER, step_of("close"), Reason.TOO_FEW_SHAKES)
    stage.does(DEALER, c.Call("too-few-tumbles"))
    stage.refused(DEALER, step_of("open"), Reason.SHAKER)
    stage.does(PIT_SUPERVISOR, c.Repair("dice-tumbler"))
    stage.take("open")


@table()
def exposed_early(stage: ScriptedSicBo) -> None:
    """The cover slips before "No more bets": the round is void."""
    stage.bet(ANN, "small=10")
    stage.take("tumble")
    stage.does(DEALER, c.Call("exposed-early", "the cover slipped"))
    stage.take("open")


@table()
def not_flat(stage: ScriptedSicBo) -> None:
    """A die does not rest flat: the round is void, also if that is seen only while losers are collected."""
    stage.bet(ANN, "small=10")
    stage.go("uncover")
    stage.refused(DEALER, c.TakeStep("check-flat", flat=False), Reason.BAD_DICE)
    stage.does(DEALER, c.Call("not-flat", "one die leans on another"))
    stage.bet(ANN, "small=10")
    stage.bet(BEN, "big=20")
    stage.go("collect")
    stage.does(DEALER, c.Call("not-flat", "one die leans on the glass"))


@table()
def damaged_dice(stage: ScriptedSicBo) -> None:
    """A chipped die is seen while losers are being collected: the round is void, what was collected goes back."""
    stage.bet(ANN, "small=10")
    stage.bet(BEN, "big=20")
    stage.go("collect")
    stage.does(DEALER, c.Call("damaged-dice", "a chipped corner"))
    stage.refused(DEALER, step_of("open"), Reason.DICE_MISSING)
    stage.refused(PIT_SUPERVISOR, c.Repair("dice"), Reason.DICE_MISSING)
    stage.does(PIT_SUPERVISOR, c.PutDice("set 2"))
    stage.refused(DEALER, step_of("open"), Reason.NOT_INSPECTED)
    stage.check_over("dice", PIT_SUPERVISOR)
    stage.take("open")


@table()
def breakage(stage: ScriptedSicBo) -> None:
    """The glass dome breaks: the round is void."""
    stage.bet(ANN, "small=10")
    stage.go("close")
    stage.does(DEALER, c.Call("breakage", "a glass fell on it"))
    stage.refused(DEALER, step_of("open"), Reason.SHAKER)
    stage.does(PIT_SUPERVISOR, c.Repair("dice-tumbler"))


@table()
def late_wagers(stage: ScriptedSicBo) -> None:
    """A player's own late entry is refused; one found on the layout, or the late part of one, goes back."""
    stage.bet(ANN, "small=10")
    stage.go("close")
    stage.refused(BEN, FIVE, Reason.BETTING_CLOSED)
    stage.go("uncover")
    stage.does(DEALER, c.Call("late-wager", "ann adds 50, ben puts 5 on six"))
    stage.does(DEALER, c.RecordFound("ann", "small", 50_00, late=True))
    stage.does(DEALER, c.RecordFound("ben", "total/6", 5_00, late=True))
    stage.finish()


@table()
def late_withdrawal(stage: ScriptedSicBo) -> None:
    """A wager taken back after "No more bets" is still won or lost."""
    stage.bet(ANN, "big=10")
    stage.go("close")
    stage.refused(ANN, c.TakeDown("big"), Reason.BETTING_CLOSED)
    stage.does(DEALER, c.Call("late-withdrawal", "ann grabs her chips"))
    stage.finish()


@table()
def the_equipment_fails_after_the_outcome(stage: ScriptedSicBo) -> None:
    """The round continues by the dice; until it is repaired nothing lights up."""
    stage.bet(ANN, "small=10")
    stage.go("announce-outcome")
    stage.does(DEALER, c.Call("equipment-malfunction", "the keypad is dead"))
    stage.finish()
    stage.bet(ANN, "small=10")
    stage.finish()
    stage.does(PIT_SUPERVISOR, c.Repair("electronic-equipment"))
    stage.bet(ANN, "small=10")
    stage.finish()


@table()
def wrong_lights(stage: ScriptedSicBo) -> None:
    """The wrong areas light up: collected and paid by the dice."""
    stage.bet(ANN, "small=10")
    stage.bet(BEN, "big=20")
    stage.go("enter-dice")
    stage.does(DEALER, c.Call("wrong-lights", "big is lit"))
    stage.finish()


@table()
def the_deal_button_was_not_pressed(stage: ScriptedSicBo) -> None:
    """The cover was lifted first: the outcome stands, the equipment is reset, and the combination is entered."""
    stage.bet(ANN, "small=10")
    stage.go("close")
    stage.refused(DEALER, step_of("uncover"), Reason.NOT_DUE)
    stage.does(DEALER, c.Call("deal-not-pressed"))
    stage.go("announce-outcome")
    stage.refused(DEALER, step_of("enter-dice"), Reason.NOT_DUE)
    stage.take("reset-equipment")
    stage.finish()


@table()
def under_the_minimum(stage: ScriptedSicBo) -> None:
    """Settled once; after that such wagers by the same player go back, whatever the outcome."""
    stage.take("open")
    stage.refused(BEN, bets_of("small=2"), Reason.UNDER_MINIMUM)
    for dice in ((1, 2, 3), (4, 5, 6)):
        stage.go("uncover")
        stage.does(DEALER, c.Call("under-minimum", "2 on small"))
        stage.does(DEALER, c.RecordFound("ben", "small", 2_00))
        stage.finish(dice)
    stage.does(DEALER, c.Call("earlier-limits", "ben wants his first two dollars looked at"))


@table()
def over_the_maximum(stage: ScriptedSicBo) -> None:
    """Paid and collected to the maximum only; the rest goes back."""
    stage.take("open")
    stage.refused(BEN, bets_of("small=700"), Reason.OVER_MAXIMUM)
    stage.bet(ANN, "big=400")
    stage.go("close")
    stage.does(DEALER, c.Call("over-maximum"))
    stage.does(DEALER, c.RecordFound("ben", "small", 700_00))
    stage.does(DEALER, c.RecordFound("ann", "big", 300_00))
    stage.finish()
    stage.does(DEALER, c.Call("earlier-limits", "paid to the maximum in round 1"))


@table()
def the_power_fails_without_an_outcome(stage: ScriptedSicBo) -> None:
    """Each player withdraws all wagers, or none; then the round is concluded on its dice."""
    stage.bet(ANN, "small=10", "total/6=5")
    stage.bet(BEN, "big=20")
    stage.go("tumble")
    stage.does(DEALER, c.Call("power-failure-before"))
    stage.refused(ANN, c.TakeDown("small"), Reason.SUSPENDED)
    stage.refused(DEALER, step_of("close"), Reason.SUSPENDED)
    stage.does(ANN, c.Withdraw())
    stage.refused(ANN, c.Withdraw(), Reason.NO_SUCH_BET)
    stage.does(DEALER, c.Resume())
    stage.finish()


@table()
def the_power_fails_with_an_outcome(stage: ScriptedSicBo) -> None:
    """Play continues, and the round is concluded."""
    stage.bet(ANN, "small=10")
    stage.go("uncover")
    stage.refused(DEALER, c.Call("power-failure-before"), Reason.NOT_NOW)
    stage.does(DEALER, c.Call("power-failure-after"))
    stage.refused(ANN, c.Withdraw(), Reason.NOT_NOW)
    stage.finish()


@table()
def something_that_the_rules_do_not_cover(stage: ScriptedSicBo) -> None:
    """Referred to the gaming shift manager, who decides in words; here, that the round is void."""
    stage.bet(ANN, "small=10")
    stage.go("uncover")
    stage.does(DEALER, c.Call("not-covered", "a fourth die lies in the tumbler"))
    stage.refused(DEALER, step_of("check-flat"), Reason.NOT_NOW)
    stage.refused(PIT_MANAGER, c.RuleInWords("go on"), Reason.WRONG_ROLE)
    stage.refused(PIT_MANAGER, c.Call("not-covered", "the fourth die is red"), Reason.NOT_NOW)
    stage.does(SHIFT_MANAGER, c.RuleInWords("nobody can say which three count: the round is void", void=True))
    stage.bet(ANN, "small=10", "odd=10")
    stage.bet(BEN, "big=20")
    stage.go("collect", (1, 2, 4))
    stage.refused(SHIFT_MANAGER, c.RuleInWords("the round is void", void=True), Reason.NOT_NOW)
    stage.does(DEALER, c.Call("not-covered", "a glass fell over while betting closed; ben could not reach the layout"))
    ruling = c.RuleInWords("ben gets his wager back, ann half of what she won", returns=(4,), pays=(c.Award(2, 5_00),))
    stage.does(SHIFT_MANAGER, ruling)
    stage.finish()
    stage.does(DEALER, c.Call("not-covered", "the layout is wet"))
    stage.refused(BOSS, c.CloseTable(), Reason.NOT_NOW)
    stage.does(SHIFT_MANAGER, c.RuleInWords("it is dried; play goes on"))


@table()
def a_wrong_display_and_a_misread_found_after_settlement(stage: ScriptedSicBo) -> None:
    """Displays only inform. Resettled by the true dice, by two persons; what a player no longer holds is owed."""
    stage.bet(ANN, "small=100")
    stage.bet(BEN, "big=100")
    stage.finish((1, 2, 3))
    stage.does(DEALER, c.Call("wrong-display", "it shows 5-6-6, and so does the camera"))
    stage.does(ANN, c.CashOut(1_050_00))
    stage.does(PIT_SUPERVISOR, c.ProposeResettlement(1, (5, 6, 6), "the camera shows 5-6-6"))
    stage.refused(PIT_SUPERVISOR, c.ApproveResettlement(1), Reason.OWN_ACT)
    stage.does(PIT_MANAGER, c.ApproveResettlement(1))


@table()
def a_dispute(stage: ScriptedSicBo) -> None:
    """A player disputes a round: its record is frozen until a supervisor rules."""
    stage.bet(ANN, "small=10")
    stage.finish((4, 5, 6))
    stage.does(ANN, c.Dispute(1, "it was 4-5-1"))
    stage.refused(DEALER, c.ProposeResettlement(1, (1, 4, 5), "as ann says"), Reason.FROZEN)
    stage.refused(PIT_SUPERVISOR, c.SettleDispute(1, "", upheld=False), Reason.NOTHING_TO_DO)
    stage.does(PIT_SUPERVISOR, c.SettleDispute(1, "the camera shows 4-5-6", upheld=False))


@table()
def an_automatic_table_for_real_money(stage: ScriptedSicBo) -> None:
    """It opens with the reference of the electronic tumbler's approval, and not without one."""
    stage.does(BOSS, c.CloseTable())
    stage.start_transcript()
    without, with_one = (c.Automatic(real_money=True, approval=reference) for reference in ("", "GRA 2026-17"))
    stage.refused(BOSS, c.OpenTable(stage.setup(automatic=without)), Reason.CONFIGURATION)
    stage.does(BOSS, c.OpenTable(stage.setup(automatic=with_one)))
