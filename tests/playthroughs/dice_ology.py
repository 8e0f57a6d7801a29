"""Dice-Ology: whole hands with its three wagers, tips and re-bets, and everything that can go wrong."""

from __future__ import annotations

from functools import partial

from pitbook.table import commands as c
from pitbook.table.refusals import Reason
from tests.playthroughs.scripts import ScriptedCraps, hand
from tests.table.craps import BASE, BOSS, BOX, CONFIRMS, DIRECTS, FLOOR, STICK, faces, placed
from tests.table.sic_bo import ANN, BEN

table = partial(hand, "dice-ology")
LITTLE, BIG = "2 3 4 5 6", "8 9 10 11 12"


@table()
def opening_and_a_whole_hand(stage: ScriptedCraps) -> None:
    """From opening the table to the seven-out: each number is marked once, and the seven clears everything."""
    stage.include_opening()
    stage.bet("ann", "little-ones=5 boom-or-bust=1")
    stage.bet("ben", "big-ones=10")
    stage.rolls("11 4 8 8 4 9 7")
    stage.shooter("ben")


@table()
def the_layout_is_not_in_order(stage: ScriptedCraps) -> None:
    """Layout and pay schedule are checked; until both are in order nothing is played."""
    stage.does(BOX, c.CheckEquipment("layout", (True, True, False)))
    stage.not_taken("ann", "little-ones=5", Reason.INSPECTION_FAILED)
    stage.refused(STICK, c.TakeStep("roll", faces(4)), Reason.INSPECTION_FAILED)
    stage.does(BOX, c.CheckEquipment("layout", (True, True, True)))
    stage.bet("ann", "little-ones=5")


@table()
def another_pay_table(stage: ScriptedCraps) -> None:
    """A change of pay table makes the display due again: no bet before that, and no come-out roll."""
    stage.rolls("4")
    stage.does(BOSS, c.ChangeSetup(stage.setup(paytables={"dice-ology": "PT2"})))
    stage.not_taken("ann", "big-ones=5", Reason.NOT_INSPECTED)
    stage.rolls("4")
    stage.refused(STICK, c.TakeStep("roll", faces(6)), Reason.NOT_INSPECTED)
    stage.does(BOX, c.CheckEquipment("sign", (False,)))
    stage.refused(STICK, c.TakeStep("roll", faces(6)), Reason.INSPECTION_FAILED)
    stage.does(BOX, c.CheckEquipment("sign", (True,)))
    stage.bet("ann", "big-ones=5")


@table()
def booked_bets(stage: ScriptedCraps) -> None:
    """What a player or a dealer enters counts once box person or dealer has repeated it aloud; until then no roll."""
    stage.does(ANN, placed("little-ones=5 big-ones=2"))
    stage.does(BEN, placed("boom-or-bust=1"))
    stage.refused(STICK, c.TakeStep("roll", faces(4)), Reason.UNCONFIRMED)
    stage.refused(FLOOR, c.ConfirmBets(), Reason.WRONG_ROLE)
    stage.does(BASE, c.ConfirmBets("ann"))
    stage.refused(STICK, c.TakeStep("roll", faces(4)), Reason.UNCONFIRMED)
    stage.does(BOX, c.ConfirmBets())
    stage.does(BEN, placed("boom-or-bust=1"))
    stage.refused(STICK, c.TakeStep("roll", faces(4)), Reason.UNCONFIRMED)
    stage.does(STICK, c.ConfirmBets())
    stage.does(BASE, placed("big-ones=1", player="ben"))
    stage.refused(STICK, c.TakeStep("roll", faces(4)), Reason.UNCONFIRMED)
    stage.does(BASE, c.ConfirmBets("ben"))
    stage.rolls("4")


@table()
def tips(stage: ScriptedCraps) -> None:
    """In the area a tip is the dealers', stake and win; on top the player keeps the stake. Box or floor confirms."""
    stage.not_taken("ann", "little-ones=1", Reason.NO_SUCH_BET, "tip on top")
    stage.bet("ann", "little-ones=5")
    stage.bet("ann", "little-ones=2", "tip on top")
    stage.bet("ben", "little-ones=1", "tip in the area")
    stage.refused(ANN, c.TakeDown("little-ones"), Reason.NOT_NOW)
    stage.refused(BEN, c.TakeDown("little-ones", kind="tip in the area"), Reason.NO_SUCH_BET)
    stage.rolls("2 3 4 5")
    stage.roll(6)
    stage.finish(1)
    stage.refused(BASE, c.TakeStep("pay", confirmed_by=CONFIRMS), Reason.PRESENCE)
    stage.refused(BASE, c.TakeStep("pay", directed_by=DIRECTS), Reason.PRESENCE)
    stage.finish()


@table()
def tips_that_lose(stage: ScriptedCraps) -> None:
    """They lose like any bet."""
    stage.bet("ann", "boom-or-bust=1")
    stage.bet("ann", "boom-or-bust=2", "tip on top")
    stage.bet("ann", "boom-or-bust=3", "tip in the area")
    stage.rolls("7")


@table()
def little_ones_won_and_bet_again(stage: ScriptedCraps) -> None:
    """Its lammers come off, those of the others stay; anyone can bet it again until its next number is marked."""
    stage.bet("ann", "little-ones=10 boom-or-bust=1")
    stage.rolls("2 9 3 4 5 6")
    stage.bet("ann", "little-ones=5")
    stage.not_taken("ben", "big-ones=5", Reason.WINDOW_CLOSED)
    stage.rolls("12")
    stage.not_taken("ann", "little-ones=5", Reason.RUNNING)
    stage.bet("ben", "little-ones=3")
    stage.rolls("3 7")


@table(options={"rebet": "off"})
def without_re_bets(stage: ScriptedCraps) -> None:
    """The area is paid and waits for a seven."""
    stage.bet("ann", "big-ones=5")
    stage.rolls(BIG)
    stage.not_taken("ann", "big-ones=5", Reason.WINDOW_CLOSED)
    stage.rolls("7")
    stage.shooter("ben")
    stage.bet("ann", "big-ones=5")


@table()
def boom(stage: ScriptedCraps) -> None:
    """All ten numbers at the highest stakes: 340 and 1,750 are the most that is paid."""
    stage.bet("ann", "little-ones=10 big-ones=10 boom-or-bust=10")
    stage.rolls(f"{LITTLE} {BIG}")


@table()
def limits(stage: ScriptedCraps) -> None:
    """Stakes from 1 to 10, apart for the player's bet and each kind of tip; a house may set narrower limits only."""
    stage.refused(BOSS, c.ChangeSetup(stage.setup(limits={"*": c.Limit(1_00, 20_00)})), Reason.CONFIGURATION)
    stage.not_taken("ann", "little-ones=0.50", Reason.UNDER_MINIMUM)
    stage.not_taken("ann", "little-ones=11", Reason.OVER_MAXIMUM)
    stage.bet("ann", "little-ones=10")
    stage.not_taken("ann", "little-ones=1", Reason.OVER_MAXIMUM)
    stage.bet("ann", "little-ones=10", "tip on top")


@table()
def windows(stage: ScriptedCraps) -> None:
    """On a come-out roll, while none of the wager's own lammers stands."""
    stage.rolls("4")
    stage.not_taken("ben", "big-ones=5", Reason.WINDOW_CLOSED)
    stage.rolls("4")
    stage.not_taken("ben", "little-ones=5", Reason.WINDOW_CLOSED)
    stage.bet("ben", "big-ones=5")


@table(readings={"dice-ology-window": "may-stand"})
def windows_by_the_other_reading(stage: ScriptedCraps) -> None:
    """Lammers may stand, and count for the newcomer."""
    stage.rolls("2 3 4 5 4")
    stage.bet("ben", "little-ones=10")
    stage.rolls("6")


@table()
def running_bets(stage: ScriptedCraps) -> None:
    """Once a roll has been made on it a bet can be neither taken down nor moved nor raised."""
    stage.bet("ann", "little-ones=5")
    stage.does(ANN, c.TakeDown("little-ones", 2_00))
    stage.rolls("11")
    stage.refused(ANN, c.TakeDown("little-ones"), Reason.RUNNING)
    stage.refused(ANN, c.MoveBet("little-ones", "big-ones"), Reason.RUNNING)
    stage.not_taken("ann", "little-ones=1", Reason.RUNNING)


@table()
def a_come_out_seven(stage: ScriptedCraps) -> None:
    """It clears everything too; ann keeps the dice."""
    stage.bet("ann", "little-ones=5 big-ones=5 boom-or-bust=5")
    stage.rolls("12 7")
    stage.bet("ann", "big-ones=5")


@table()
def passing_the_dice(stage: ScriptedCraps) -> None:
    """Before a come-out roll; lammers and wagers remain for the next shooter."""
    stage.bet("ben", "little-ones=5")
    stage.rolls("2 3")
    stage.does(ANN, c.PassDice())
    stage.refused(STICK, c.TakeStep("roll", faces(4)), Reason.NOT_NOW)
    stage.shooter("ben")
    stage.rolls("4")
    stage.refused(BEN, c.PassDice(), Reason.NOT_NOW)
    stage.rolls("5 6")


@table()
def no_roll(stage: ScriptedCraps) -> None:
    """A roll that does not count changes nothing."""
    stage.bet("ann", "little-ones=5")
    stage.rolls("4")
    stage.refused(ANN, c.CallNoRoll("I was not ready"), Reason.WRONG_ROLE)
    stage.does(STICK, c.CallNoRoll("a die left the table"))
    stage.rolls("5")


@table()
def the_power_fails(stage: ScriptedCraps) -> None:
    """Each player withdraws all wagers made since the last roll, or none; running ones keep their lammers."""
    stage.bet("ann", "little-ones=5")
    stage.rolls("3")
    stage.bet("ann", "big-ones=5")
    stage.bet("ann", "big-ones=1", "tip on top")
    stage.bet("ben", "big-ones=5")
    stage.does(BASE, c.Call("power-failure"))
    stage.refused(ANN, c.TakeDown("big-ones", kind="tip on top"), Reason.SUSPENDED)
    stage.does(ANN, c.Withdraw())
    stage.refused(ANN, c.Withdraw(), Reason.NO_SUCH_BET)
    stage.does(BASE, c.Resume())
    stage.rolls("4 7")


@table()
def a_roll_entered_wrongly(stage: ScriptedCraps) -> None:
    """A six was entered as a seven: the box person puts it right before the bets are taken away."""
    stage.bet("ann", "little-ones=5")
    stage.rolls("4 5")
    stage.roll(7)
    stage.does(BOX, c.CorrectDice(faces(6), "the stick called six"))
    stage.finish()


@table()
def a_disputed_roll(stage: ScriptedCraps) -> None:
    """Its record is frozen until a supervisor rules, and is not resettled before."""
    stage.bet("ann", "little-ones=5")
    stage.rolls("4 7")
    stage.does(ANN, c.Dispute(2, "it was a six"))
    stage.refused(BASE, c.ProposeResettlement(2, faces(6), "as ann says"), Reason.FROZEN)
    stage.refused(ANN, c.SettleDispute(2, "yes, a six"), Reason.WRONG_ROLE)
    stage.does(FLOOR, c.SettleDispute(2, "the tape shows a seven"))


@table()
def the_set_up_changes(stage: ScriptedCraps) -> None:
    """Between rolls: limits at any time, leaving running bets whole; the pay table only while no wager runs."""
    stage.bet("ann", "little-ones=10")
    stage.rolls("2")
    other = stage.setup(paytables={"dice-ology": "PT2"}, limits={"*": c.Limit(1_00, 5_00)})
    stage.refused(BOSS, c.ChangeSetup(other), Reason.NOT_NOW)
    stage.refused(BOX, c.ChangeSetup(other), Reason.WRONG_ROLE)
    stage.does(BOSS, c.ChangeSetup(stage.setup(limits={"*": c.Limit(1_00, 5_00)})))
    stage.rolls("3 4 5 6")
    stage.not_taken("ann", "little-ones=10", Reason.OVER_MAXIMUM)
    stage.does(BOSS, c.ChangeSetup(other))
    stage.does(BOX, c.CheckEquipment("sign", (True,)))
    stage.bet("ann", "little-ones=5")
    stage.rolls(LITTLE)


@table()
def steps_out_of_order(stage: ScriptedCraps) -> None:
    """A step that is not due is refused, with the clause and with what is due."""
    stage.bet("ann", "little-ones=5")
    stage.refused(BASE, c.TakeStep("mark"), Reason.NOT_DUE)
    stage.refused(BEN, c.TakeStep("roll", faces(3)), Reason.WRONG_ROLE)
    stage.rolls("2 3 4 5")
    stage.roll(6)
    stage.refused(BASE, c.TakeStep("pay", directed_by=DIRECTS), Reason.NOT_DUE)
    stage.not_taken("ben", "little-ones=5", Reason.BETTING_CLOSED)
    stage.finish(1)
    stage.refused(STICK, c.TakeStep("pay", directed_by=DIRECTS), Reason.WRONG_ROLE)
    stage.refused(STICK, c.TakeStep("roll", faces(3)), Reason.NOT_DUE)
    stage.finish()


@table()
def closing(stage: ScriptedCraps) -> None:
    """Between rolls, when no wager runs."""
    stage.bet("ann", "little-ones=5")
    stage.rolls("4")
    stage.refused(BOSS, c.CloseTable(), Reason.NOT_NOW)
    stage.rolls("7")
    stage.does(ANN, c.CashOut(995_00))
    stage.does(BOSS, c.CloseTable())
    stage.not_taken("ben", "little-ones=5", Reason.TABLE_NOT_OPEN)
