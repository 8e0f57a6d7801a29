"""Dice Works: whole hands with the five groups of side bets, and what is refused on the way."""

from __future__ import annotations

from functools import partial

from pitbook.table import commands as c
from pitbook.table.refusals import Reason
from tests.playthroughs.scripts import ScriptedCraps, hand
from tests.table.craps import BASE, BOSS, BOX, CONFIRMS, DIRECTS, FLOOR, STICK, faces, placed
from tests.table.sic_bo import ANN, BEN

table = partial(hand, "dice-works")


@table()
def opening_and_a_whole_hand(stage: ScriptedCraps) -> None:
    """From opening the table over a natural, craps and a point to the seven-out, with bets in all five groups."""
    stage.include_opening()
    stage.bet("ann", "all-highs=5 high-roller=5 roll-the-line=10 parlay/11x3=1")
    stage.bet("ben", "the-works=1 parlay-envy/12x2=2")
    stage.rolls("11 12 8 9 8 12 4 7")
    stage.shooter("ben")


@table()
def all_lows_completed(stage: ScriptedCraps) -> None:
    """Paid when its last number comes; then the area waits for a seven, which takes the lammers down."""
    stage.bet("ann", "all-lows=5 the-works=1")
    stage.rolls("2 3 4 5 6")
    stage.rolls("4")
    stage.not_taken("ann", "all-lows=5", Reason.WINDOW_CLOSED)
    stage.rolls("7")
    stage.bet("ann", "all-lows=5")


@table(options={"groups": "dice-works, high-roller, roll-the-line"})
def the_works_completed(stage: ScriptedCraps) -> None:
    """All ten numbers come before a seven."""
    stage.bet("ann", "all-lows=1 all-highs=1 the-works=5")
    stage.rolls("2 12 3 11 4 10 5 9 6 8")


@table(options={"groups": "parlay, parlay-envy"})
def a_parlay_with_dealer_envy(stage: ScriptedCraps) -> None:
    """It is paid to the player, and the envy to the dealers; box or floor confirms what the dealers get."""
    stage.bet("ann", "parlay-envy/12x2=5")
    stage.bet("ben", "parlay/12x2=5")
    stage.rolls("12")
    stage.roll(12)
    stage.finish(1)
    stage.refused(BASE, c.TakeStep("pay", directed_by=DIRECTS), Reason.PRESENCE)
    stage.does(BASE, c.TakeStep("pay", confirmed_by=CONFIRMS))


@table(options={"groups": "parlay, parlay-envy"}, readings={"dealer-envy-unit": "multiple"})
def envy_by_the_other_reading(stage: ScriptedCraps) -> None:
    """Taken as a multiple of the winning wager, the dealers get ten for a stake of five."""
    stage.bet("ann", "parlay-envy/12x2=5")
    stage.rolls("12 12")


@table()
def windows(stage: ScriptedCraps) -> None:
    """On a come-out roll, while the wager's own numbers are clear; a parlay on any roll until its number comes."""
    stage.rolls("4")
    stage.not_taken("ben", "all-highs=5", Reason.WINDOW_CLOSED)
    stage.not_taken("ben", "high-roller=5", Reason.WINDOW_CLOSED)
    stage.not_taken("ben", "roll-the-line=5", Reason.WINDOW_CLOSED)
    stage.not_taken("ben", "parlay/4x4=5", Reason.WINDOW_CLOSED)
    stage.not_taken("ben", "parlay-envy/4x4=5", Reason.WINDOW_CLOSED)
    stage.bet("ben", "parlay/8x6=5")
    stage.rolls("4")
    stage.not_taken("ben", "all-lows=5", Reason.WINDOW_CLOSED)
    stage.not_taken("ben", "high-roller=5", Reason.WINDOW_CLOSED)
    stage.bet("ben", "all-highs=5")


@table(options={"works-window": "any-roll", "groups": "dice-works"}, readings={"works-window": "none-of-the-ten"})
def windows_as_the_house_may_set_them(stage: ScriptedCraps) -> None:
    """On any roll, and by the other reading only while none of the ten numbers is marked."""
    stage.bet("ben", "all-highs=5")
    stage.rolls("4")
    stage.not_taken("ann", "all-highs=5", Reason.WINDOW_CLOSED)


@table(options={"groups": "dice-works, parlay"})
def running_bets(stage: ScriptedCraps) -> None:
    """Once a roll has been made on it a bet can be neither taken down nor moved nor raised."""
    stage.bet("ann", "all-lows=5 parlay/9x5=2")
    stage.does(ANN, c.TakeDown("all-lows", 2_00))
    stage.does(ANN, c.MoveBet("parlay/9x5", "parlay/5x5"))
    stage.rolls("12")
    stage.refused(ANN, c.TakeDown("all-lows"), Reason.RUNNING)
    stage.refused(ANN, c.MoveBet("parlay/5x5", "parlay/9x5"), Reason.RUNNING)
    stage.not_taken("ann", "all-lows=1", Reason.RUNNING)


@table(options={"groups": "high-roller, roll-the-line"})
def points_made(stage: ScriptedCraps) -> None:
    """Each point moves both counts on, a natural only Roll the Line; craps neither. Both are paid at the seven-out."""
    stage.bet("ann", "high-roller=5 roll-the-line=5")
    stage.rolls("6 6 11 12 8 8 10 10 5 7")


@table(options={"groups": "high-roller, roll-the-line"}, paytables={"roll-the-line": "PT4"})
def eleven_wins(stage: ScriptedCraps) -> None:
    """Naturals alone: the tenth lammer stays and the count continues to "11 or more wins". High Roller has no point."""
    stage.bet("ann", "roll-the-line=5 high-roller=5")
    stage.rolls("7 11 " * 5 + "11 4 7")


@table(options={"groups": "roll-the-line"}, paytables={"roll-the-line": "PT6"})
def a_push(stage: ScriptedCraps) -> None:
    """Three wins on pay table 6: the stake goes back."""
    stage.bet("ann", "roll-the-line=7")
    stage.rolls("7 7 7 4 7")


@table(options={"groups": "dice-works, roll-the-line"})
def a_come_out_seven(stage: ScriptedCraps) -> None:
    """It takes the Dice Works bets and their lammers, and is a pass line win; ann keeps the dice."""
    stage.bet("ann", "all-lows=5 roll-the-line=5")
    stage.rolls("3 7")
    stage.bet("ann", "all-lows=5")


@table(options={"groups": "dice-works, roll-the-line"})
def passing_the_dice(stage: ScriptedCraps) -> None:
    """Before a come-out roll; marks, counts and wagers remain for the next shooter."""
    stage.refused(STICK, c.NewShooter("ben"), Reason.NOT_NOW)
    stage.bet("ben", "all-lows=5 roll-the-line=5")
    stage.rolls("11 3")
    stage.refused(BEN, c.PassDice(), Reason.NOT_NOW)
    stage.does(ANN, c.PassDice())
    stage.refused(STICK, c.TakeStep("roll", faces(4)), Reason.NOT_NOW)
    stage.shooter("ben")
    stage.does(BEN, c.TakeStep("roll", faces(4)))
    stage.finish()
    stage.refused(BEN, c.PassDice(), Reason.NOT_NOW)
    stage.rolls("4 2 5 6")


@table(options={"groups": "dice-works"})
def no_roll(stage: ScriptedCraps) -> None:
    """A roll that does not count changes nothing."""
    stage.bet("ann", "all-lows=5")
    stage.rolls("4")
    stage.does(STICK, c.CallNoRoll("a die left the table"))
    stage.roll(5)
    stage.refused(STICK, c.CallNoRoll("a die was leaning"), Reason.NOT_NOW)
    stage.finish()


@table(options={"groups": "dice-works, parlay"})
def the_power_fails(stage: ScriptedCraps) -> None:
    """Each player withdraws all wagers made since the last roll, or none; running ones keep their lammers."""
    stage.bet("ann", "all-lows=5")
    stage.rolls("3")
    stage.bet("ann", "all-highs=5 parlay/8x6=1")
    stage.bet("ben", "all-highs=5")
    stage.does(BOX, c.Call("power-failure", "the whole pit is dark"))
    stage.refused(ANN, c.TakeDown("all-highs"), Reason.SUSPENDED)
    stage.refused(STICK, c.TakeStep("roll", faces(4)), Reason.SUSPENDED)
    stage.does(ANN, c.Withdraw())
    stage.refused(ANN, c.Withdraw(), Reason.NO_SUCH_BET)
    stage.does(BASE, c.Resume())
    stage.rolls("4 7")


@table(options={"groups": "parlay"})
def the_power_fails_after_the_roll(stage: ScriptedCraps) -> None:
    """Nothing is withdrawn: the roll is settled when play resumes."""
    stage.bet("ann", "parlay/2x2=5")
    stage.rolls("2")
    stage.roll(2)
    stage.does(FLOOR, c.Call("power-failure"))
    stage.refused(BASE, c.TakeStep("mark"), Reason.SUSPENDED)
    stage.refused(ANN, c.Withdraw(), Reason.NO_SUCH_BET)
    stage.does(BASE, c.Resume())
    stage.finish()


@table(options={"groups": "dice-works, high-roller"})
def steps_out_of_order(stage: ScriptedCraps) -> None:
    """A step that is not due is refused, with the clause and with what is due; no bet is taken meanwhile."""
    stage.bet("ann", "all-lows=5 high-roller=5")
    stage.refused(BASE, c.TakeStep("mark"), Reason.NOT_DUE)
    stage.refused(BEN, c.TakeStep("roll", faces(3)), Reason.WRONG_ROLE)
    stage.rolls("4")
    stage.roll(7)
    stage.not_taken("ben", "all-highs=5", Reason.BETTING_CLOSED)
    stage.refused(STICK, c.NewShooter("ben"), Reason.NOT_NOW)
    stage.refused(BASE, c.TakeStep("remove-lammers"), Reason.NOT_DUE)
    stage.finish()
    stage.shooter("ben")


@table(options={"groups": "dice-works, parlay"})
def a_roll_entered_wrongly(stage: ScriptedCraps) -> None:
    """The box person puts it right before anything was settled; a bet made since goes back."""
    stage.rolls("12")
    stage.bet("ben", "parlay/3x3=5")
    stage.refused(BASE, c.CorrectDice(faces(3), "it was a three"), Reason.WRONG_ROLE)
    stage.does(BOX, c.CorrectDice(faces(3), "it was a three"))
    stage.finish()
    stage.bet("ben", "all-highs=5")


@table(readings={"works-seven": "seven-out", "parlay-seven": "seven-out"}, options={"groups": "dice-works, parlay"})
def as_printed(stage: ScriptedCraps) -> None:
    """By the definitions as they are printed only a seven-out loses; a come-out seven changes nothing."""
    stage.bet("ann", "all-lows=5 parlay/9x5=1")
    stage.rolls("3 7 4 7")


@table(options={"groups": "high-roller"})
def a_group_that_is_not_offered(stage: ScriptedCraps) -> None:
    """A house offers any combination of the groups; what it offers changes between rolls, while no wager runs."""
    stage.not_taken("ann", "all-lows=5", Reason.UNKNOWN_WAGER)
    stage.bet("ann", "high-roller=5")
    more = stage.setup(options={"groups": "dice-works, high-roller"})
    stage.refused(BOSS, c.ChangeSetup(more), Reason.NOT_NOW)
    stage.rolls("4 7")
    stage.does(BOSS, c.ChangeSetup(more))
    stage.not_taken("ann", "all-lows=5", Reason.NOT_INSPECTED)
    stage.does(BOX, c.CheckEquipment("layout", (False, True)))
    stage.not_taken("ann", "all-lows=5", Reason.INSPECTION_FAILED)
    stage.does(BOX, c.CheckEquipment("layout", (True, True)))
    stage.bet("ann", "all-lows=5")


@table(payout_max=1_000_00)
def the_most_that_the_hand_may_cost(stage: ScriptedCraps) -> None:
    """The house's own limit counts everything that could still be paid over the rest of the hand."""
    stage.bet("ann", "the-works=5")
    stage.not_taken("ben", "all-lows=4", Reason.PAYOUT_LIMIT)
    stage.bet("ben", "all-lows=3")


@table(options={"groups": "dice-works"})
def a_bet_of_cash_in_words(stage: ScriptedCraps) -> None:
    """Chips lie on the layout, and they must be there; a tip has no place in this text."""
    stage.refused(ANN, c.PlaceBets((c.BetRequest("all-lows", 5_00),), verbal_cash=True), Reason.CASH_BET)
    stage.refused(ANN, placed("all-lows=999 all-highs=2"), Reason.NO_FUNDS)
    stage.not_taken("ann", "all-lows=5", Reason.NOT_IN_THE_BOOK, "tip in the area")
