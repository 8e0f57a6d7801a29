"""Massachusetts: a normal round, and everything that can go wrong."""

from __future__ import annotations

from functools import partial

from pitbook.table import commands as c
from pitbook.table.refusals import Reason
from pitbook.testing import person
from tests.playthroughs.scripts import ScriptedSicBo, play
from tests.table.sic_bo import ANN, BEN, BOSS, DEALER, FLOOR, MASSACHUSETTS, RELIEF, SUPERVISOR, bets_of, step_of

manual = partial(play, MASSACHUSETTS, "manual")
automated = partial(play, MASSACHUSETTS, "automated")
FIVE = bets_of("small=5")


@manual()
def opening_and_a_normal_round(stage: ScriptedSicBo) -> None:
    """From opening the table to the end of a round: betting closes before the shake."""
    stage.include_opening()
    stage.bet(ANN, "small=10", "total/6=5", "one-of-a-kind/3=5")
    stage.bet(BEN, "big=20")
    stage.does(BEN, c.MoveBet("big", "two-of-a-kind/6", 5_00))
    stage.does(BEN, c.TakeDown("big", 5_00))
    stage.does(DEALER, bets_of("any-three-of-a-kind=5", player="ben"))
    stage.finish((3, 1, 2))
    stage.does(BEN, c.CashOut(900_00))


@automated()
def a_round_with_the_automated_shaker(stage: ScriptedSicBo) -> None:
    """The automated shaker has no cover: once it has tossed the dice they are seen."""
    stage.bet(ANN, "small=10", "three-of-a-kind/4=5")
    stage.finish((4, 4, 4))


@manual(readings={"one-of-a-kind-single": "one-to-ten"}, limits={"*": c.Limit(1, 500_00)})
def a_part_of_a_cent_is_rounded_up(stage: ScriptedSicBo) -> None:
    """The odds are a minimum: what is not a whole cent is rounded up, and every line says so."""
    stage.does(ANN, c.PlaceBets((c.BetRequest("one-of-a-kind/1", 25), c.BetRequest("one-of-a-kind/2", 30))))
    stage.finish((1, 2, 3))


@manual()
def steps_out_of_order(stage: ScriptedSicBo) -> None:
    """A step that is not due is refused, with the clause and with what is due; so are late bets and wrong roles."""
    stage.bet(ANN, "small=10")
    stage.refused(DEALER, step_of("shake-manual"), Reason.NOT_DUE)
    stage.refused(FLOOR, step_of("close"), Reason.WRONG_ROLE)
    stage.take("close")
    stage.refused(BEN, FIVE, Reason.BETTING_CLOSED)
    stage.refused(ANN, c.TakeDown("small"), Reason.BETTING_CLOSED)
    stage.refused(DEALER, c.TakeStep("shake-manual", shakes=2), Reason.TOO_FEW_SHAKES)
    stage.take("shake-manual")
    stage.refused(DEALER, step_of("announce-dice"), Reason.NOT_DUE)
    stage.go("announce-dice")
    stage.refused(DEALER, c.TakeStep("enter-dice", (1, 2, 4)), Reason.DICE_DIFFER)
    stage.take("enter-dice")
    stage.refused(DEALER, step_of("pay"), Reason.NOT_DUE)
    stage.finish()


@manual()
def bets_that_are_refused(stage: ScriptedSicBo) -> None:
    """Outside the limits, called out with cash, unknown, or more than the player holds."""
    stage.refused(ANN, bets_of("small=4"), Reason.UNDER_MINIMUM)
    stage.refused(ANN, bets_of("small=501"), Reason.OVER_MAXIMUM)
    stage.refused(ANN, c.PlaceBets((c.BetRequest("small", 10_00),), verbal_cash=True), Reason.CASH_BET)
    stage.refused(ANN, bets_of("odd=10"), Reason.UNKNOWN_WAGER)
    stage.refused(ANN, bets_of("small=500", "big=500", "total/6=5"), Reason.NO_FUNDS)
    stage.refused(BEN, bets_of("small=10", player="ann"), Reason.WRONG_ROLE)
    stage.refused(BOSS, bets_of("small=10", player="ann"), Reason.WRONG_ROLE)


@manual()
def no_roll(stage: ScriptedSicBo) -> None:
    """A die leans against the wall: No Roll, and the wagers go back."""
    stage.bet(ANN, "small=10")
    stage.bet(BEN, "big=20")
    stage.go("uncover")
    stage.does(DEALER, c.Call("no-roll", "one die leans"))
    stage.bet(ANN, "small=10")
    stage.finish()


@manual(readings={"no-roll-wagers": "stand"})
def no_roll_and_the_wagers_stand(stage: ScriptedSicBo) -> None:
    """By the other reading the wagers stand for the next shake, and may be changed."""
    stage.bet(ANN, "small=10", "big=10")
    stage.go("shake-manual")
    stage.refused(DEALER, c.Call("no-roll"), Reason.NOT_NOW)
    stage.step(DEALER, "uncover", flat=False)
    stage.refused(DEALER, step_of("announce-dice"), Reason.BAD_DICE)
    stage.does(DEALER, c.Call("no-roll"))
    stage.does(ANN, c.TakeDown("big"))
    stage.finish()


@manual()
def no_roll_while_losing_wagers_are_collected(stage: ScriptedSicBo) -> None:
    """Seen only while settling: those already collected go back, too. Once a winner is paid it is a dispute."""
    stage.bet(ANN, "small=10")
    stage.bet(BEN, "big=20")
    stage.go("collect")
    stage.does(DEALER, c.Call("no-roll", "one die leans"))
    stage.bet(ANN, "small=10")
    stage.go("pay")
    stage.refused(DEALER, c.Call("no-roll", "one die leans"), Reason.NOT_NOW)


@manual()
def the_device_fails(stage: ScriptedSicBo) -> None:
    """The device fails after the reveal: settled before the casino supervisor, then no play until it is fixed."""
    stage.bet(ANN, "small=10")
    stage.bet(BEN, "big=20")
    stage.go("uncover")
    stage.refused(DEALER, c.Call("device-malfunction", "dark", (person(FLOOR),)), Reason.PRESENCE)
    stage.does(DEALER, c.Call("device-malfunction", "dark", (person(SUPERVISOR),)))
    stage.finish()
    stage.refused(ANN, FIVE, Reason.SUSPENDED)
    stage.does(FLOOR, c.Repair("electrical-device"))
    stage.refused(ANN, FIVE, Reason.NOT_INSPECTED)
    stage.does(FLOOR, c.Inspect("device-before-opening", (1, 2, 3), ("small", "big")))
    stage.refused(ANN, FIVE, Reason.INSPECTION_FAILED)
    stage.inspect_device()
    stage.bet(ANN, "small=10")
    stage.finish()


@manual()
def the_device_fails_early(stage: ScriptedSicBo) -> None:
    """Seen while bets are still taken, the round is finished in the same way, and then play ceases."""
    stage.bet(ANN, "small=10")
    stage.does(SUPERVISOR, c.Call("device-malfunction"))
    stage.refused(BEN, FIVE, Reason.SUSPENDED)
    stage.finish()
    stage.refused(DEALER, step_of("close"), Reason.SUSPENDED)


@automated()
def the_automated_shaker_fails(stage: ScriptedSicBo) -> None:
    """Activated, it does not toss the dice: the round is void. It is repaired, inspected, and play continues."""
    stage.bet(ANN, "small=10")
    stage.bet(BEN, "big=20")
    stage.take("close")
    stage.does(DEALER, c.Call("shaker-malfunction", "it hums and does nothing"))
    stage.refused(ANN, FIVE, Reason.SHAKER)
    stage.does(FLOOR, c.Repair("automated-shaker"))
    stage.refused(ANN, FIVE, Reason.NOT_INSPECTED)
    stage.inspect_shaker()
    stage.inspect_for_shift()
    stage.bet(ANN, "small=10")
    stage.finish()


@automated()
def a_manual_shaker_takes_its_place(stage: ScriptedSicBo) -> None:
    """The automated shaker leaves the table before a manual one is used; dice are put into that one."""
    stage.take("close")
    stage.does(DEALER, c.Call("shaker-malfunction"))
    stage.does(DEALER, c.Call("shaker-exchange"))
    stage.refused(DEALER, c.UseShaker("manual"), Reason.SHAKER)
    stage.refused(DEALER, c.PutAwayShaker("covered", dice_removed=True), Reason.SHAKER)
    stage.does(DEALER, c.PutAwayShaker("removed"))
    stage.does(DEALER, c.UseShaker("manual"))
    stage.refused(ANN, FIVE, Reason.DICE_MISSING)
    stage.does(FLOOR, c.PutDice("set 2"))
    stage.shaker = "manual"
    stage.bet(ANN, "small=10")
    stage.finish()


@manual()
def the_power_fails(stage: ScriptedSicBo) -> None:
    """Before the throw betting simply resumes; after it, what failed decides."""
    stage.bet(ANN, "small=10")
    stage.does(DEALER, c.Call("power-failure", "dark for a minute"))
    stage.bet(BEN, "big=20")
    stage.take("close")
    stage.does(DEALER, c.Call("power-failure", "dark again"))
    stage.does(BEN, c.TakeDown("big", 10_00))
    stage.go("uncover")
    stage.refused(DEALER, c.Call("power-failure"), Reason.NOT_NOW)
    stage.does(DEALER, c.Call("device-malfunction", "no power", (person(SUPERVISOR),)))
    stage.finish()


@automated()
def a_new_shift(stage: ScriptedSicBo) -> None:
    """At the beginning of each shift the casino supervisor inspects the automated shaker."""
    stage.does(FLOOR, c.StartShift("swing"))
    stage.refused(ANN, FIVE, Reason.NOT_INSPECTED)
    stage.refused(FLOOR, c.Inspect("shaker-each-shift", proper=3), Reason.WRONG_ROLE)
    stage.does(SUPERVISOR, c.Inspect("shaker-each-shift", proper=2))
    stage.refused(ANN, FIVE, Reason.INSPECTION_FAILED)
    stage.does(SUPERVISOR, c.Inspect("shaker-each-shift", proper=3))
    stage.bet(ANN, "small=10")
    stage.finish()


@automated(shifts=("06:00", "14:00", "22:00"), timezone="America/New_York")
def a_shift_by_the_schedule(stage: ScriptedSicBo) -> None:
    """The schedule says when a shift begins: the round is finished, then the shift is started and the shaker tested."""
    stage.bet(ANN, "small=10")
    stage.later(hours=8)
    stage.finish()
    stage.refused(ANN, FIVE, Reason.NOT_INSPECTED)
    stage.does(FLOOR, c.StartShift("swing"))
    stage.refused(ANN, FIVE, Reason.NOT_INSPECTED)
    stage.inspect_for_shift()
    stage.bet(ANN, "small=10")
    stage.finish()


@manual()
def the_dice_expire(stage: ScriptedSicBo) -> None:
    """Dice that expire before the shake are exchanged, and the wagers stay; their time never starts again."""
    stage.later(hours=23, minutes=58)
    stage.bet(ANN, "small=10")
    stage.take("close")
    stage.later(minutes=2)
    stage.refused(DEALER, step_of("shake-manual"), Reason.DICE_EXPIRED)
    stage.does(DEALER, c.TakeOutDice("set 1", "24 hours are over"))
    stage.refused(FLOOR, c.PutDice("set 1"), Reason.DICE_EXPIRED)
    stage.does(FLOOR, c.PutDice("set 2", serials=("R-101", "R-102", "R-103")))
    stage.finish()
    stage.later(hours=23, minutes=58)
    stage.bet(ANN, "small=10")
    stage.go("shake-manual")
    stage.later(minutes=2)
    stage.refused(FLOOR, c.PutDice("set 3"), Reason.NOT_NOW)
    stage.finish()
    stage.refused(ANN, FIVE, Reason.DICE_EXPIRED)
    stage.does(FLOOR, c.TakeOutDice("set 2", "24 hours are over", "destroyed"))
    stage.refused(FLOOR, c.PutDice("set 2"), Reason.DICE_REGISTER)


@automated()
def a_shaker_that_was_put_away(stage: ScriptedSicBo) -> None:
    """Its dice are out, and closing and opening the table does not bring it back."""
    stage.does(DEALER, c.PutAwayShaker("removed"))
    stage.refused(FLOOR, c.PutDice("set 2"), Reason.SHAKER)
    stage.does(BOSS, c.CloseTable())
    stage.does(BOSS, c.OpenTable(stage.setup()))
    stage.does(DEALER, c.TakeOver())
    stage.refused(FLOOR, c.PutDice("set 2"), Reason.SHAKER)
    stage.does(DEALER, c.UseShaker("automated", "A-17"))
    stage.does(FLOOR, c.PutDice("set 2"))
    stage.refused(ANN, FIVE, Reason.NOT_INSPECTED)


@manual()
def the_dealer_leaves(stage: ScriptedSicBo) -> None:
    """A manual shaker is never left alone: another dealer takes over first."""
    stage.refused(DEALER, c.LeaveTable(), Reason.UNATTENDED)
    stage.bet(ANN, "small=10")
    stage.refused(RELIEF, step_of("close"), Reason.UNATTENDED)
    stage.does(RELIEF, c.TakeOver())
    stage.refused(DEALER, step_of("close"), Reason.UNATTENDED)
    stage.does(RELIEF, step_of("close"))
    stage.refused(DEALER, c.LeaveTable(), Reason.NOTHING_TO_DO)


@manual()
def the_dice_are_put_right_before_settlement(stage: ScriptedSicBo) -> None:
    """The dealer misreads a die; a supervisor puts it right before anything is settled."""
    stage.bet(ANN, "small=10")
    stage.go("enter-dice", (1, 2, 3))
    stage.refused(DEALER, c.CorrectDice((1, 2, 4), "a 4, not a 3"), Reason.WRONG_ROLE)
    stage.does(FLOOR, c.CorrectDice((1, 2, 4), "a 4, not a 3"))
    stage.finish()


@manual()
def a_misread_found_after_settlement(stage: ScriptedSicBo) -> None:
    """Resettled by the true dice, by two persons; what a player no longer holds is owed to the house."""
    stage.bet(ANN, "small=100")
    stage.bet(BEN, "big=100")
    stage.finish((1, 2, 3))
    stage.does(ANN, c.CashOut(1_050_00))
    stage.does(FLOOR, c.ProposeResettlement(1, (5, 6, 6), "the camera shows 5-6-6"))
    stage.refused(FLOOR, c.ApproveResettlement(1), Reason.OWN_ACT)
    stage.does(SUPERVISOR, c.ApproveResettlement(1))


@manual()
def a_dispute(stage: ScriptedSicBo) -> None:
    """A player disputes a round: its record is frozen until a supervisor rules."""
    stage.bet(ANN, "small=10")
    stage.finish((4, 5, 6))
    stage.does(ANN, c.Dispute(1, "it was 4-5-1"))
    stage.refused(DEALER, c.ProposeResettlement(1, (1, 4, 5), "as ann says"), Reason.FROZEN)
    stage.refused(DEALER, c.SettleDispute(1, "no"), Reason.WRONG_ROLE)
    stage.does(SUPERVISOR, c.SettleDispute(1, "the camera shows 4-5-6"))


@manual()
def the_end_of_the_day(stage: ScriptedSicBo) -> None:
    """Counts, fills, credits and the drop, each by two persons; the set-up changes between rounds only."""
    stage.bet(ANN, "small=10")
    stage.refused(BOSS, c.ChangeSetup(stage.setup(limits={"*": c.Limit(10_00, 500_00)})), Reason.NOT_NOW)
    stage.finish((4, 5, 6))
    stage.does(BOSS, c.ChangeSetup(stage.setup(limits={"*": c.Limit(10_00, 500_00)}, payout_max=5_000_00)))
    stage.refused(FLOOR, c.Count("closing", 98_010_00, person(FLOOR)), Reason.OWN_ACT)
    stage.does(FLOOR, c.Count("closing", 98_000_00, person(SUPERVISOR)))
    stage.does(FLOOR, c.Credit(50_000_00, person(SUPERVISOR)))
    stage.does(FLOOR, c.CollectDrop(person(SUPERVISOR)))
    stage.does(BOSS, c.CloseTable())
