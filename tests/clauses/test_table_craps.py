"""Clauses of the two craps texts that a table obeys: what it takes, refuses and shows."""

from __future__ import annotations

from pitbook.engine.progress import lammers
from pitbook.table import commands as c
from pitbook.table.events import StepTaken
from pitbook.table.refusals import Reason
from tests.clauses.clause_marks import holds
from tests.clauses.copies import Copy
from tests.table.craps import BASE, BOSS, BOX, DIRECTS, FLOOR, STICK, CrapsTable, craps_table, placed

DICE_WORKS, DICE_OLOGY = "dice-works", "dice-ology"


def unchecked(copy: Copy) -> CrapsTable:
    """A table that was opened, and on which nothing has been checked yet; ann has chips and the dice."""
    table = CrapsTable(raw=copy.raw)
    table.does(BOSS, c.OpenTable(table.setup()))
    table.does("ann the player", c.BuyIn(100_00))
    table.shooter()
    return table


@holds(DICE_OLOGY, "(1)")
def test_do_1_no_wager_and_no_roll_until_the_table_shows_the_layout(copy: Copy) -> None:
    table = unchecked(copy)
    table.does(BOX, c.CheckEquipment("sign", (True,)))
    bet = placed("little-ones=1", player="ann")
    assert table.refused(BASE, bet, Reason.NOT_INSPECTED).clauses == ("(1)",)
    assert table.refused(STICK, c.TakeStep("roll", (1, 2)), Reason.NOT_INSPECTED).clauses == ("(1)",)
    # An area or a circle that is missing: still not the layout.
    table.does(BOX, c.CheckEquipment("layout", (True, False, True)))
    assert table.refused(BASE, bet, Reason.INSPECTION_FAILED).clauses == ("(5)",)
    table.does(BOX, c.CheckEquipment("layout", (True, True, True)))
    table.does(BASE, bet)


@holds(DICE_OLOGY, "(10)")
def test_do_10_no_wager_until_the_pay_schedule_is_displayed(copy: Copy) -> None:
    table = unchecked(copy)
    table.does(BOX, c.CheckEquipment("layout", (True, True, True)))
    bet = placed("little-ones=1", player="ann")
    assert table.refused(BASE, bet, Reason.NOT_INSPECTED).clauses == ("(10)",)
    table.does(BOX, c.CheckEquipment("sign", (True,)))
    table.does(BASE, bet)


@holds(DICE_OLOGY, "(5)")
def test_do_5_bets_go_to_a_dealer_and_are_confirmed_aloud_by_box_or_dealer(
    copy: Copy,
) -> None:
    table = craps_table(copy.raw)
    for who, wager in ((STICK, "little-ones"), (BASE, "big-ones")):
        table.does(who, placed(f"{wager}=1", player="ann"))
    for who in (BOX, FLOOR, BOSS):
        table.refused(who, placed("boom-or-bust=1", player="ann"), Reason.WRONG_ROLE)
    assert {bet.wager for bet in table.table.bets.values()} == {"little-ones", "big-ones"}
    # A booked bet is not a bet until it has been repeated aloud, which neither players nor the floor can do.
    for confirming in (BOX, STICK, BASE):
        table.does("ann the player", placed("boom-or-bust=1"))
        assert table.refused(STICK, c.TakeStep("roll", (1, 1)), Reason.UNCONFIRMED).clauses == ("(5)",)
        for who in ("ann the player", "ann the shooter", FLOOR):
            assert table.refused(who, c.ConfirmBets(), Reason.WRONG_ROLE).clauses == ("(5)",)
        table.does(confirming, c.ConfirmBets())
    table.rolls("2")
    # Nothing is confirmed that was not booked.
    assert table.refused(BOX, c.ConfirmBets(), Reason.NOTHING_TO_DO).policy


@holds(DICE_OLOGY, "(6)")
def test_do_6_a_tip_lies_in_the_area_or_on_the_bet_where_the_player_controls_it(copy: Copy) -> None:
    table = craps_table(copy.raw)
    for who in (BASE, STICK, "ann the player"):
        table.does(who, placed("little-ones=1", player="ann"))
        table.does(who, placed("little-ones=1", "tip on top", "ann"))
        table.does(who, placed("big-ones=1", "tip in the area", "ann"))
    for who in (BOX, FLOOR):
        table.refused(who, placed("big-ones=1", "tip in the area", "ann"), Reason.WRONG_ROLE)
    table.not_taken("ben", "little-ones=1", Reason.NO_SUCH_BET, "tip on top")
    # On top, the player may still take it down; in the area it is the dealers'.
    table.does("ann the player", c.TakeDown("little-ones", 1_00, "tip on top"))
    table.refused("ann the player", c.TakeDown("big-ones", 1_00, "tip in the area"), Reason.NO_SUCH_BET)
    table.does(BASE, c.ConfirmBets())
    table.rolls("2 3 4 5 6")
    # 3 of her own at 34 to 1 with the stake; of the tip on top the stake of 2 comes back, the dealers get 68.
    assert (table.holds("ann"), table.dealers) == (1000_00 - 3_00 + 102_00, 68_00)
    table.rolls("8 9 10 11 12")
    # In the area: stake and win are theirs, 3 and 102.
    assert (table.holds("ann"), table.dealers) == (1000_00 - 3_00 + 102_00, 68_00 + 105_00)


def check_labels(copy: Copy, wager: str) -> None:
    """Lammers labelled 1 to 10 stand for the first ten counts; the tenth stays while the count continues."""
    table = craps_table(copy.raw, options={"groups": wager})
    displayed = [lammers(table.table.rules, table.table.progress)[wager]]
    for _ in range(12):
        table.rolls("6 6")
        displayed.append(lammers(table.table.rules, table.table.progress)[wager])
    assert [one["lammer"] for one in displayed] == [None, *range(1, 11), 10, 10]
    assert {one["labels"] for one in displayed} == {10}
    table.rolls("6 7")
    assert lammers(table.table.rules, table.table.progress)[wager]["lammer"] is None


@holds(DICE_WORKS, "high-roller/labels")
def test_dw_high_roller_has_lammers_labelled_1_to_10(copy: Copy) -> None:
    check_labels(copy, "high-roller")


@holds(DICE_WORKS, "roll-the-line/labels")
def test_dw_roll_the_line_has_lammers_labelled_1_to_10(copy: Copy) -> None:
    check_labels(copy, "roll-the-line")


def at_mark(copy: Copy) -> CrapsTable:
    """Ann's Little Ones has just been completed, and the last number is to be marked."""
    table = craps_table(copy.raw)
    table.bet("ann", "little-ones=1")
    table.rolls("2 3 4 5")
    table.roll(6)
    return table


@holds(DICE_OLOGY, "(7)")
def test_do_7_box_or_dealer_mark_the_number_and_clear_bets_and_lammers_at_a_seven(copy: Copy) -> None:
    for who in (BOX, STICK, BASE):
        table = at_mark(copy)
        for other in (FLOOR, BOSS, "ann the player", "ann the shooter"):
            table.refused(other, c.TakeStep("mark"), Reason.WRONG_ROLE)
        table.does(who, c.TakeStep("mark"))
        table.finish()
        # A repeated number has no effect: there is no lammer to place.
        table.rolls("6")
        table.roll(6)
        assert table.due == "roll"
        table.roll(7)
        for other in (FLOOR, BOSS, "ann the player", "ann the shooter"):
            table.refused(other, c.TakeStep("collect"), Reason.WRONG_ROLE)
        table.does(who, c.TakeStep("collect"))
        assert all(not marked for marked in table.standing().values())


@holds(DICE_OLOGY, "(8)")
def test_do_8_the_base_dealer_pays_as_the_stick_directs_then_the_lammers_come_off(copy: Copy) -> None:
    check_paid_by_the_base_dealer(copy, "little-ones", "2 3 4 5 6")


@holds(DICE_OLOGY, "(9)(a)")
def test_do_9a_the_base_dealer_pays_as_the_stick_directs_then_the_lammers_come_off(copy: Copy) -> None:
    check_paid_by_the_base_dealer(copy, "big-ones", "8 9 10 11 12")


@holds(DICE_OLOGY, "(9)(b)")
def test_do_9b_the_base_dealer_pays_as_the_stick_directs_then_the_lammers_come_off(copy: Copy) -> None:
    check_paid_by_the_base_dealer(copy, "boom-or-bust", "2 3 4 5 6 8 9 10 11 12")


def check_paid_by_the_base_dealer(copy: Copy, wager: str, hand: str) -> None:
    """Nobody else pays, nobody pays undirected, and only then are this wager's lammers removed."""
    table = craps_table(copy.raw)
    table.bet("ann", f"{wager}=1")
    *first, last = hand.split()
    table.rolls(" ".join(first))
    table.roll(int(last))
    table.step(BOX, "mark")
    for who in (STICK, BOX, FLOOR, BOSS, "ann the player"):
        table.refused(who, c.TakeStep("pay", directed_by=DIRECTS), Reason.WRONG_ROLE)
    table.refused(BASE, c.TakeStep("pay"), Reason.PRESENCE)
    table.refused(BOX, c.TakeStep("remove-lammers"), Reason.NOT_DUE)
    table.does(BASE, c.TakeStep("pay", directed_by=DIRECTS))
    (removed,) = table.does(BOX, c.TakeStep("remove-lammers")).events[:1]
    assert isinstance(removed, StepTaken)
    assert wager in removed.areas


@holds(DICE_WORKS, "high-roller/lammers")
def test_dw_the_dealer_marks_each_point_made(copy: Copy) -> None:
    check_marked_by_the_dealer(copy, "high-roller")


@holds(DICE_WORKS, "roll-the-line/lammers")
def test_dw_the_dealer_marks_each_win(copy: Copy) -> None:
    check_marked_by_the_dealer(copy, "roll-the-line")


def check_marked_by_the_dealer(copy: Copy, wager: str) -> None:
    """One of the dealers places the lammer, and nobody else."""
    table = craps_table(copy.raw, options={"groups": wager})
    for who in ("dan the dealer", STICK, BASE):
        table.rolls("6")
        table.roll(6)
        for other in (BOX, FLOOR, BOSS, "ann the player"):
            table.refused(other, c.TakeStep("mark"), Reason.WRONG_ROLE)
        (marked, *_) = table.does(who, c.TakeStep("mark")).events
        assert isinstance(marked, StepTaken)
        assert marked.areas == (wager,)
