"""Maryland: a normal round, and everything that can go wrong."""

from __future__ import annotations

from functools import partial

from pitbook.table import commands as c
from pitbook.table.refusals import Reason
from pitbook.testing import person
from tests.playthroughs.scripts import ScriptedSicBo, play
from tests.table.sic_bo import ABOVE, ANN, BEN, DEALER, FLOOR, MARYLAND, RELIEF, bets_of, step_of

manual = partial(play, MARYLAND, "manual")
automated = partial(play, MARYLAND, "automated")
FIVE = bets_of("small=5")


@manual()
def opening_and_a_normal_round(stage: ScriptedSicBo) -> None:
    """From opening the table to the end of a round: betting continues through the shake, until the reveal."""
    stage.include_opening()
    stage.bet(ANN, "small=10", "one-of-a-kind/2=5")
    stage.take("shake-manual")
    stage.bet(BEN, "big=20")
    stage.does(BEN, c.MoveBet("big", "total/5", 5_00))
    stage.finish((2, 2, 1))


@automated()
def a_round_with_the_automated_shaker(stage: ScriptedSicBo) -> None:
    """The automated shaker is covered until the reveal."""
    stage.bet(ANN, "any-three-of-a-kind=5", "big=10")
    stage.finish((6, 6, 6))


@manual()
def steps_out_of_order(stage: ScriptedSicBo) -> None:
    """A step that is not due is refused, with the clause and with what is due; so are late bets and wrong roles."""
    stage.bet(ANN, "small=10")
    stage.refused(DEALER, step_of("close"), Reason.NOT_DUE)
    stage.refused(DEALER, c.TakeStep("shake-manual", shakes=2), Reason.TOO_FEW_SHAKES)
    stage.take("shake-manual")
    stage.refused(DEALER, step_of("uncover"), Reason.NOT_DUE)
    stage.take("close")
    stage.refused(ABOVE, step_of("uncover"), Reason.WRONG_ROLE)
    stage.refused(BEN, FIVE, Reason.BETTING_CLOSED)
    stage.refused(ANN, c.TakeDown("small"), Reason.BETTING_CLOSED)
    stage.go("enter-dice")
    stage.refused(DEALER, step_of("pay"), Reason.NOT_DUE)
    stage.take("collect")
    stage.refused(DEALER, step_of("clear"), Reason.NOT_DUE)
    stage.finish()


@manual()
def no_roll(stage: ScriptedSicBo) -> None:
    """A die leans against the wall: no roll, and the wagers go back."""
    stage.bet(ANN, "small=10")
    stage.bet(BEN, "big=20")
    stage.go("uncover")
    stage.refused(FLOOR, c.Call("no-roll"), Reason.WRONG_ROLE)
    stage.does(DEALER, c.Call("no-roll"))
    stage.bet(ANN, "small=10")
    stage.finish()


@manual()
def the_device_fails(stage: ScriptedSicBo) -> None:
    """The device fails after the reveal: settled before a floorperson or above, then no play until it is fixed."""
    stage.bet(ANN, "small=10")
    stage.bet(BEN, "big=20")
    stage.go("announce-dice")
    stage.refused(DEALER, c.Call("device-malfunction", present=(person(RELIEF),)), Reason.PRESENCE)
    stage.does(DEALER, c.Call("device-malfunction", "it does not take the values", (person(ABOVE),)))
    stage.finish()
    stage.refused(ANN, FIVE, Reason.SUSPENDED)
    stage.does(FLOOR, c.Repair("electrical-device"))
    stage.refused(DEALER, step_of("shake-manual"), Reason.NOT_INSPECTED)
    stage.inspect_device(ABOVE)
    stage.refused(DEALER, step_of("shake-manual"), Reason.NOT_INSPECTED)
    stage.does(FLOOR, c.CheckEquipment("electrical-device", (True,), "COMAR 36.05.03.16 / 17", "2026-02-20"))
    stage.bet(ANN, "small=10")
    stage.finish()


@manual()
def the_lit_area_fails(stage: ScriptedSicBo) -> None:
    """The area that shows the wagers fails while it is settled: the same way; then the layout is checked again."""
    stage.bet(ANN, "small=10")
    stage.bet(BEN, "big=20")
    stage.go("collect")
    stage.does(FLOOR, c.Call("area-malfunction", "half of it is dark"))
    stage.finish()
    stage.refused(ANN, FIVE, Reason.SUSPENDED)
    stage.does(FLOOR, c.Repair("layout"))
    stage.refused(ANN, FIVE, Reason.NOT_INSPECTED)
    stage.check_over("layout")
    stage.bet(ANN, "small=10")
    stage.finish()


@automated()
def the_automated_shaker_fails(stage: ScriptedSicBo) -> None:
    """The round is void and the wagers go back; repaired, it is inspected and checked again."""
    stage.bet(ANN, "small=10")
    stage.bet(BEN, "big=20")
    stage.take("shake-automated")
    stage.does(DEALER, c.Call("shaker-malfunction", "it stopped half-way"))
    stage.refused(ANN, FIVE, Reason.SHAKER)
    stage.does(FLOOR, c.Repair("automated-shaker"))
    stage.refused(ANN, FIVE, Reason.NOT_INSPECTED)
    stage.inspect_shaker()
    stage.refused(ANN, FIVE, Reason.NOT_INSPECTED)
    stage.check_over("automated-shaker")
    stage.bet(ANN, "small=10")
    stage.finish()


@automated()
def a_manual_shaker_takes_its_place(stage: ScriptedSicBo) -> None:
    """Dice out, and covered or signed, before a manual shaker is used; that one is checked first."""
    stage.take("shake-automated")
    stage.does(DEALER, c.Call("shaker-malfunction"))
    stage.does(DEALER, c.Call("shaker-exchange"))
    stage.refused(DEALER, c.UseShaker("manual"), Reason.SHAKER)
    stage.refused(DEALER, c.PutAwayShaker("removed"), Reason.SHAKER)
    stage.refused(DEALER, c.PutAwayShaker("sign"), Reason.SHAKER)
    stage.does(DEALER, c.PutAwayShaker("sign", dice_removed=True))
    stage.does(DEALER, c.UseShaker("manual"))
    stage.does(FLOOR, c.PutDice("set 2"))
    stage.refused(ANN, FIVE, Reason.NOT_INSPECTED)
    stage.check_over("dice")
    stage.does(FLOOR, c.CheckEquipment("manual-shaker", (True, True, True, False, True, True, True, True)))
    stage.refused(ANN, FIVE, Reason.INSPECTION_FAILED)
    stage.check_over("manual-shaker")
    stage.shaker = "manual"
    stage.bet(ANN, "small=10")
    stage.finish()


@manual()
def a_manual_shaker_comes_back(stage: ScriptedSicBo) -> None:
    """A manual shaker that made way for an automated one is checked again before it is used."""
    stage.does(DEALER, c.UseShaker("automated"))
    stage.does(DEALER, c.PutAwayShaker("covered", dice_removed=True))
    stage.does(DEALER, c.UseShaker("manual", "M2"))
    stage.does(FLOOR, c.PutDice("set 2"))
    stage.check_over("dice")
    stage.refused(ANN, FIVE, Reason.NOT_INSPECTED)
    stage.check_over("manual-shaker")
    stage.bet(ANN, "small=10")
    stage.finish()


@manual()
def the_power_fails(stage: ScriptedSicBo) -> None:
    """Before the throw betting simply resumes; after it, what failed decides."""
    stage.bet(ANN, "small=10")
    stage.does(DEALER, c.Call("power-failure", "dark for a minute"))
    stage.go("uncover")
    stage.refused(DEALER, c.Call("power-failure"), Reason.NOT_NOW)
    stage.does(DEALER, c.Call("device-malfunction", "no power", (person(FLOOR),)))
    stage.finish()


@manual()
def the_dice_expire_in_a_manual_shaker(stage: ScriptedSicBo) -> None:
    """After 24 hours the dice are replaced; a round in progress at that time is finished."""
    stage.later(hours=23, minutes=58)
    stage.take("shake-manual")
    stage.later(minutes=2)
    stage.bet(ANN, "small=10")
    stage.finish()
    stage.refused(DEALER, step_of("shake-manual"), Reason.DICE_EXPIRED)
    stage.does(FLOOR, c.PutDice("set 2"))
    stage.refused(DEALER, step_of("shake-manual"), Reason.NOT_INSPECTED)
    stage.check_over("dice")
    stage.take("shake-manual")


@automated()
def the_dice_expire_in_an_automated_shaker(stage: ScriptedSicBo) -> None:
    """After one calendar month."""
    stage.later(days=31, minutes=-5)
    stage.bet(ANN, "small=10")
    stage.finish()
    stage.later(minutes=5)
    stage.refused(ANN, FIVE, Reason.DICE_EXPIRED)
    stage.does(FLOOR, c.PutDice("set 2"))
    stage.check_over("dice")
    stage.bet(ANN, "small=10")


@manual()
def the_dealer_leaves(stage: ScriptedSicBo) -> None:
    """A manual shaker is never left alone: another dealer takes over first."""
    stage.refused(DEALER, c.LeaveTable(), Reason.UNATTENDED)
    stage.does(RELIEF, c.TakeOver())


@manual()
def the_dice_are_put_right_before_settlement(stage: ScriptedSicBo) -> None:
    """The dealer misreads a die; a supervisor puts it right before anything is settled."""
    stage.bet(ANN, "small=10")
    stage.go("announce-dice", (1, 2, 3))
    stage.refused(DEALER, c.TakeStep("enter-dice", (1, 2, 4)), Reason.DICE_DIFFER)
    stage.does(FLOOR, c.CorrectDice((1, 2, 4), "called a 3 for a 4"))
    stage.finish((1, 2, 4))


@manual()
def a_misread_found_after_settlement(stage: ScriptedSicBo) -> None:
    """Resettled by the true dice, by two persons; what a player no longer holds is owed to the house."""
    stage.bet(ANN, "small=100")
    stage.bet(BEN, "big=100")
    stage.finish((1, 2, 3))
    stage.does(ANN, c.CashOut(1_100_00))
    stage.does(DEALER, c.ProposeResettlement(1, (5, 6, 6), "the camera shows 5-6-6"))
    stage.refused(DEALER, c.ApproveResettlement(1), Reason.WRONG_ROLE)
    stage.does(FLOOR, c.ApproveResettlement(1))


@manual()
def a_dispute(stage: ScriptedSicBo) -> None:
    """A player disputes a round: its record is frozen until a supervisor rules."""
    stage.bet(ANN, "small=10")
    stage.finish((4, 5, 6))
    stage.does(ANN, c.Dispute(1, "my chips lay on big"))
    stage.refused(ANN, c.Dispute(1, "my chips lay on big"), Reason.NOTHING_TO_DO)
    stage.does(FLOOR, c.SettleDispute(1, "the player answers for where the wager lies"))
