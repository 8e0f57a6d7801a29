"""The base game of craps: whole hands with bets that travel, odds, calls, take-downs, and what can go wrong."""

from __future__ import annotations

from functools import partial

from pitbook.table import commands as c
from pitbook.table.refusals import Reason
from tests.playthroughs.scripts import ScriptedCraps, hand
from tests.table.craps import BASE, BOX, STICK, faces
from tests.table.sic_bo import ANN, BEN

table = partial(hand, "craps")
together = partial(hand, "craps+dice-works+dice-ology")


@table()
def opening_and_a_whole_hand(stage: ScriptedCraps) -> None:
    """Line, come, odds and place bets, a no roll, a take-down and the seven-out."""
    stage.include_opening()
    stage.bet("ann", "pass-line=10 field=5")
    stage.bet("ben", "dont-pass=10")
    stage.rolls("6")
    stage.bet("ann", "pass-line-odds=50 come=10 place/8=12")
    stage.bet("ben", "dont-pass-odds=60 hard/6=1 horn=4")
    stage.does(STICK, c.CallNoRoll("a die fell into the bowl"))
    stage.rolls("5")
    stage.bet("ann", "come-odds/5=40 come=10")
    stage.rolls("8")
    stage.does(ANN, c.TakeDown("place/8"))
    stage.rolls("5")
    stage.rolls("7")
    stage.shooter("ben")


@table()
def bets_out_of_their_phase(stage: ScriptedCraps) -> None:
    """Each is refused with its clause, and nothing moves."""
    stage.not_taken("ann", "come=10", Reason.WINDOW_CLOSED)
    stage.not_taken("ann", "pass-line-odds=10", Reason.WINDOW_CLOSED)
    stage.not_taken("ann", "come-odds/6=10", Reason.WINDOW_CLOSED)
    stage.bet("ann", "pass-line=10")
    stage.rolls("4")
    stage.not_taken("ann", "pass-line=10", Reason.WINDOW_CLOSED)
    stage.not_taken("ann", "pass-line-odds=31", Reason.WINDOW_CLOSED)
    stage.not_taken("ben", "pass-line-odds=10", Reason.WINDOW_CLOSED)
    stage.refused(ANN, c.TakeDown("pass-line"), Reason.RUNNING)
    stage.refused(ANN, c.CallBets("off", ("pass-line",)), Reason.NOT_IN_THE_BOOK)


@table()
def odds_come_down_with_their_bet(stage: ScriptedCraps) -> None:
    """A don't pass bet is reduced and removed: odds that it no longer allows come down with it."""
    stage.bet("ben", "dont-pass=20")
    stage.rolls("6")
    stage.bet("ben", "dont-pass-odds=120")
    stage.does(BEN, c.TakeDown("dont-pass", 10_00))
    stage.does(BEN, c.TakeDown("dont-pass"))


@table()
def called_on_and_off(stage: ScriptedCraps) -> None:
    """Place bets rest on a come-out roll unless they are called on; come odds are returned when they are off."""
    stage.bet("ann", "place/6=12 place/8=12")
    stage.does(ANN, c.CallBets("on", ("place/6",)))
    stage.rolls("6 5")
    stage.bet("ann", "come=10")
    stage.rolls("9")
    stage.bet("ann", "come-odds/9=20")
    stage.does(BASE, c.CallBets("off", ("place/8",), "ann"))
    stage.rolls("8 5 7")


@table(options={"commission": "when-bet"})
def commission_paid_with_the_bet(stage: ScriptedCraps) -> None:
    """It is held with the bet, given back with what is taken down, and lost with the bet."""
    stage.rolls("6")
    stage.bet("ann", "buy/4=20 lay/10=41")
    stage.does(ANN, c.TakeDown("buy/4", 10_00))
    stage.rolls("4 7")


@table()
def a_misread_roll(stage: ScriptedCraps) -> None:
    """A six that was a seven: what was paid is reversed, and the roll is settled again by its true dice."""
    stage.bet("ann", "pass-line=10 place/6=12")
    stage.rolls("4 6")
    stage.bet("ann", "come=5")
    stage.does(STICK, c.ProposeResettlement(2, faces(7), "the tape shows a seven"))
    stage.refused(BASE, c.ApproveResettlement(2), Reason.WRONG_ROLE)
    stage.does(BOX, c.ApproveResettlement(2))
    stage.finish()


@table()
def a_power_failure(stage: ScriptedCraps) -> None:
    """What was bet since the last roll may be withdrawn; what ran stays."""
    stage.rolls("6")
    stage.bet("ann", "place/8=12")
    stage.rolls("5")
    stage.bet("ann", "place/8=6 come=10")
    stage.does(BASE, c.Call("power-failure"))
    stage.does(ANN, c.Withdraw())
    stage.does(BASE, c.Resume())
    stage.rolls("8")


@together()
def three_books_on_one_hand(stage: ScriptedCraps) -> None:
    """One roll is marked, collected and paid for every book, each by its own clauses."""
    stage.include_opening()
    stage.bet("ann", "pass-line=10 all-lows=5 little-ones=5")
    stage.bet("ben", "boom-or-bust=1 place/6=12")
    stage.rolls("4 2 6")
    stage.refused(ANN, c.TakeDown("all-lows"), Reason.RUNNING)
    stage.does(BEN, c.TakeDown("place/6"))
    stage.rolls("3 5")
    stage.rolls("7")
