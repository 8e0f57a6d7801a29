"""Clauses of the house rules for craps that a table obeys: its crew, the dice, the procedure, irregularities."""

from __future__ import annotations

from pitbook.server.presenters.tables import build_view
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.refusals import Reason
from tests.clauses.clause_marks import holds
from tests.clauses.copies import Copy
from tests.table.craps import BASE, BOSS, BOX, FLOOR, STICK, CrapsTable, craps_table, faces, lines_of

CRAPS, BONUS = "craps", "craps-bonus"
ANN, BEN = "ann the player", "ben the player"


def lying(table: CrapsTable) -> dict[str, int]:
    """Return what lies on the layout, by wager."""
    return {bet.wager: bet.amount for bet in table.table.bets.values()}


@holds(CRAPS, "1.1")
def test_craps_1_1_a_bet_that_is_not_named_is_refused_with_the_clause(copy: Copy) -> None:
    table = craps_table(copy.raw)
    assert table.not_taken("ann", "over-7=10", Reason.UNKNOWN_WAGER).clauses == ("1.1",)
    assert table.refused(ANN, c.TakeDown("over-7"), Reason.UNKNOWN_WAGER).clauses == ("1.1",)


@holds(CRAPS, "1.4")
def test_craps_1_4_a_seven_out_ends_the_hand_and_a_come_out_seven_does_not(copy: Copy) -> None:
    table = craps_table(copy.raw)
    table.rolls("7 11 2")
    assert table.table.shooter == "ann"
    table.rolls("6 6")
    assert (table.table.shooter, table.table.point) == ("ann", None)
    table.rolls("6 7")
    assert not build_view(table.table, table.now).has_shooter
    assert table.due == "roll"


@holds(CRAPS, "2.2")
def test_craps_2_2_a_pass_line_bet_is_reduced_and_moved_before_a_point_only(copy: Copy) -> None:
    table = craps_table(copy.raw)
    table.bet("ann", "pass-line=10")
    table.does(ANN, c.TakeDown("pass-line", 5_00))
    table.rolls("6")
    for command in (c.TakeDown("pass-line", 1_00), c.TakeDown("pass-line"), c.MoveBet("pass-line", "place/6")):
        assert table.refused(ANN, command, Reason.RUNNING).clauses == ("2.2",)
    assert table.not_taken("ann", "pass-line=5", Reason.WINDOW_CLOSED).clauses == ("2.2",)
    assert lying(table) == {"pass-line": 5_00}


@holds(CRAPS, "2.6")
def test_craps_2_6_with_a_point_a_dont_pass_bet_is_reduced_not_increased(copy: Copy) -> None:
    table = craps_table(copy.raw)
    table.bet("ann", "dont-pass=20")
    table.rolls("6")
    assert table.not_taken("ann", "dont-pass=5", Reason.WINDOW_CLOSED).clauses == ("2.6",)
    table.does(ANN, c.TakeDown("dont-pass", 5_00))
    assert lying(table) == {"dont-pass": 15_00}
    assert table.not_taken("ann", "dont-pass=5", Reason.WINDOW_CLOSED).clauses == ("2.6",)
    table.does(ANN, c.TakeDown("dont-pass"))
    assert lying(table) == {}


@holds(CRAPS, "3.2")
def test_craps_3_2_a_come_bet_that_travels_is_on_record_and_shown_on_its_number(copy: Copy) -> None:
    table = craps_table(copy.raw)
    table.rolls("6")
    table.bet("ann", "come=10")
    table.rolls("5")
    table.bet("ann", "come=20")
    table.rolls("9")
    table.bet("ann", "dont-come=40")
    table.rolls("8")
    assert {(bet.wager, bet.point): bet.amount for bet in table.table.bets.values()} == {
        ("come", 5): 10_00,
        ("come", 9): 20_00,
        ("dont-come", 8): 40_00,
    }
    travelled = [one.point for event in table.events if isinstance(event, e.Rolled) for one in event.bets]
    assert travelled == [5, 9, 8]


@holds(CRAPS, "4.6")
def test_craps_4_6_odds_come_down_with_the_part_of_the_bet_that_allowed_them(copy: Copy) -> None:
    table = craps_table(copy.raw)
    table.bet("ann", "dont-pass=20")
    table.rolls("6")
    table.bet("ann", "dont-pass-odds=120")
    table.does(ANN, c.TakeDown("dont-pass-odds", 20_00))
    assert lying(table) == {"dont-pass": 20_00, "dont-pass-odds": 100_00}
    table.does(ANN, c.TakeDown("dont-pass", 10_00))
    assert lying(table) == {"dont-pass": 10_00, "dont-pass-odds": 60_00}
    table.does(ANN, c.TakeDown("dont-pass"))
    assert lying(table) == {}
    assert table.holds("ann") == 1000_00


@holds(CRAPS, "5.2")
def test_craps_5_2_place_buy_lay_and_big_bets_are_moved_on_any_roll(copy: Copy) -> None:
    table = craps_table(copy.raw)
    table.bet("ann", "place/6=12")
    for totals, source, target in (
        ("", "place/6", "place/8"),
        ("4", "place/8", "buy/10"),
        ("5", "buy/10", "lay/4"),
        ("9", "lay/4", "big/6"),
        ("3", "big/6", "place/5"),
    ):
        table.rolls(totals)
        table.does(ANN, c.MoveBet(source, target))
        assert lying(table) == {target: 12_00}


@holds(CRAPS, "5.6")
def test_craps_5_6_commission_paid_with_a_bet_stays_until_the_bet_goes(copy: Copy) -> None:
    table = craps_table(copy.raw, options={"commission": "when-bet"})
    table.rolls("6")
    table.bet("ann", "buy/4=20 lay/10=40")
    assert table.holds("ann") == 1000_00 - 21_00 - 41_00
    table.does(ANN, c.TakeDown("lay/10"))
    assert table.holds("ann") == 1000_00 - 21_00
    table.rolls("7")
    assert table.holds("ann") == 1000_00 - 21_00
    usual = craps_table(copy.raw)
    usual.rolls("6")
    usual.bet("ann", "buy/4=20")
    assert usual.holds("ann") == 1000_00 - 20_00
    usual.rolls("4")
    assert usual.holds("ann") == 1000_00 - 20_00 + 39_00


@holds(CRAPS, "10.1")
def test_craps_10_1_a_box_person_a_stick_person_and_base_dealers_under_a_floorperson(copy: Copy) -> None:
    ranks = {name: role.rank for name, role in copy.rules.roles.items()}
    assert ranks == {
        "player": 0, "shooter": 0, "stick-person": 1, "base-dealer": 1, "box-person": 2, "floorperson": 3,
    }  # fmt: skip
    table = craps_table(copy.raw)
    table.bet("ann", "field=5")
    table.roll(7)
    # The dealers collect and pay; a supervisor does not do their work.
    for who in (BOX, FLOOR, BOSS, ANN, "ann the shooter"):
        assert table.refused(who, c.TakeStep("collect"), Reason.WRONG_ROLE).clauses == ("10.4",)
    table.does(STICK, c.TakeStep("collect"))


@holds(CRAPS, "10.2")
def test_craps_10_2_two_dice_of_at_least_five_are_in_play(copy: Copy) -> None:
    assert copy.rules.equipment["dice"].count == 2
    assert "five" in copy.rules.equipment["dice"].says
    table = craps_table(copy.raw)
    for dice in ((), (3,), (1, 2, 3), (0, 3), (3, 7)):
        table.refused(STICK, c.TakeStep("roll", dice), Reason.BAD_DICE)


@holds(CRAPS, "10.3")
def test_craps_10_3_the_puck_is_off_before_a_come_out_else_on_the_point(copy: Copy) -> None:
    table = craps_table(copy.raw)
    view = [build_view(table.table, table.now).point]
    for total in ("7", "6", "5", "6", "9", "7"):
        table.rolls(total)
        view.append(build_view(table.table, table.now).point)
    assert view == [None, None, 6, 6, None, 9, None]


@holds(CRAPS, "10.4")
def test_craps_10_4_bets_then_the_roll_then_losers_then_winners(copy: Copy) -> None:
    table = craps_table(copy.raw)
    for who in (BOX, FLOOR):
        refusal = table.refused(who, c.PlaceBets((c.BetRequest("field", 5_00),), "ann"), Reason.WRONG_ROLE)
        assert refusal.clauses == ("10.4",)
    for who, player in ((ANN, None), (STICK, "ann"), (BASE, "ann"), ("ann the shooter", None)):
        table.does(who, c.PlaceBets((c.BetRequest("field", 5_00),), player))
    table.bet("ann", "any-seven=5 place/6=12")
    for step in ("collect", "pay"):
        assert table.refused(BASE, c.TakeStep(step), Reason.NOT_DUE).clauses == ("10.4",)
    # Only the shooter rolls, or staff who record it.
    for who in (BEN, "ben the shooter"):
        assert table.refused(who, c.TakeStep("roll", (3, 4)), Reason.WRONG_ROLE).clauses == ("10.4",)
    table.refused(BOSS, c.TakeStep("roll", (3, 4)), Reason.WRONG_ROLE)
    table.does("ann the shooter", c.TakeStep("roll", (3, 4)))
    assert table.due == "collect"
    table.refused(BASE, c.PlaceBets((c.BetRequest("field", 5_00),), "ann"), Reason.BETTING_CLOSED)
    for command in (c.TakeDown("place/6"), c.MoveBet("place/6", "place/8"), c.CallBets("off")):
        table.refused(ANN, command, Reason.BETTING_CLOSED)
    assert table.refused(BASE, c.TakeStep("pay"), Reason.NOT_DUE).clauses == ("10.4",)
    for who in (BOX, FLOOR, BOSS, ANN):
        table.refused(who, c.TakeStep("collect"), Reason.WRONG_ROLE)
    (collected,) = [x for x in table.does(BASE, c.TakeStep("collect")).events if isinstance(x, e.LosersCollected)]
    assert [(line.wager, line.net) for line in collected.lines] == [("field", -20_00)]
    assert table.due == "pay"
    for who in (BOX, FLOOR, BOSS, ANN):
        assert table.refused(who, c.TakeStep("pay"), Reason.WRONG_ROLE).clauses == ("10.4",)
    paid = lines_of(list(table.does(STICK, c.TakeStep("pay")).events))
    assert [(line.wager, line.net) for line in paid] == [("any-seven", 20_00)]
    assert lying(table) == {"place/6": 12_00}


@holds(CRAPS, "10.5")
def test_craps_10_5_stick_or_box_call_no_roll_and_the_dice_roll_again(copy: Copy) -> None:
    table = craps_table(copy.raw)
    table.bet("ann", "pass-line=10 place/6=12 field=5")
    table.rolls("4")
    table.bet("ann", "come=10 pass-line-odds=30 field=5")
    before, chips = table.table, dict(table.balances)
    for who in (BASE, FLOOR, BOSS, ANN, BEN, "ann the shooter"):
        table.refused(who, c.Call("no-roll", "off the table"), Reason.WRONG_ROLE)
    assert table.refused(BASE, c.Call("no-roll", "off the table"), Reason.WRONG_ROLE).clauses == ("10.5",)
    for who in (STICK, BOX):
        called = table.does(who, c.Call("no-roll", "off the table")).events
        assert [type(event) for event in called] == [e.IrregularityCalled, e.RollCancelled]
        assert (table.table.bets, table.table.point, table.table.shooter) == (before.bets, 4, "ann")
        assert (table.table.areas, dict(table.balances)) == (before.areas, chips)
        assert table.due == "roll"
    table.rolls("4")
    assert {bet.wager for bet in table.table.bets.values()} == {"come", "place/6"}
    # A roll that has been read counts: it is corrected, not called off.
    table.roll(7)
    table.refused(STICK, c.Call("no-roll", "in the bowl"), Reason.NOT_NOW)


@holds(CRAPS, "10.6")
def test_craps_10_6_dice_go_clockwise_and_are_passed_before_a_come_out(copy: Copy) -> None:
    table = craps_table(copy.raw, "ann", "ben", "cam")
    for name in ("ann", "ben", "cam"):
        table.does(f"{name} the player", c.JoinRail())
    table.bet("ann", "pass-line=10")
    assert table.refused(BEN, c.PassDice(), Reason.NOT_NOW).clauses == ("10.6",)
    table.rolls("6")
    assert table.refused(ANN, c.PassDice(), Reason.NOT_NOW).clauses == ("10.6",)
    assert table.refused(STICK, c.NewShooter("ben"), Reason.NOT_NOW).clauses == ("10.6",)
    table.rolls("6")
    table.bet("ann", "pass-line=10")
    table.does(ANN, c.PassDice())
    # To the next at the rail, who may refuse them.
    assert table.refused(STICK, c.NewShooter("cam"), Reason.NOT_NOW).clauses == ("10.6",)
    assert table.refused("cam the player", c.RefuseDice(), Reason.NOT_NOW).clauses == ("10.6",)
    table.does(BEN, c.RefuseDice())
    assert table.refused(STICK, c.NewShooter("ben"), Reason.NOT_NOW).clauses == ("10.6",)
    table.shooter("cam")
    # The bets of the player who passed stay, and the new hand decides them.
    assert lying(table) == {"pass-line": 10_00}
    assert [line.net for line in table.lines("11")] == [10_00]
    table.rolls("4 7")
    assert table.refused(STICK, c.NewShooter("ben"), Reason.NOT_NOW).clauses == ("10.6",)
    table.shooter("ann")


@holds(CRAPS, "10.7")
def test_craps_10_7_by_option_a_come_out_is_shot_only_with_a_line_bet(copy: Copy) -> None:
    free = craps_table(copy.raw)
    free.rolls("4")
    for line in ("pass-line", "dont-pass"):
        table = craps_table(copy.raw, options={"line-bet": "on"})
        table.bet("ben", f"{line}=10")
        table.bet("ann", "field=10 place/6=12 two=1")
        refusal = table.refused(STICK, c.TakeStep("roll", (1, 3)), Reason.NOT_NOW)
        assert refusal.clauses == ("10.7",)
        table.bet("ann", f"{line}=10")
        # With a point on: it is needed on come-out rolls only.
        table.rolls("4 5 4")
        assert table.refused(STICK, c.TakeStep("roll", (1, 3)), Reason.NOT_NOW).clauses == ("10.7",)
    without = craps_table(copy.raw, options={"line-bet": "on", "crapless": "on"})
    assert without.refused(STICK, c.TakeStep("roll", (1, 3)), Reason.NOT_NOW).clauses == ("10.7",)
    without.bet("ann", "pass-line=10")
    without.rolls("4")


@holds(CRAPS, "10.8")
def test_craps_10_8_after_a_power_failure_all_new_bets_or_none_are_withdrawn(copy: Copy) -> None:
    table = craps_table(copy.raw)
    table.bet("ann", "pass-line=10 place/8=12")
    table.rolls("6")
    table.bet("ann", "pass-line-odds=20 place/8=6 come=10")
    table.bet("ben", "come=10")
    for who in (BOSS, ANN):
        table.refused(who, c.Call("power-failure"), Reason.WRONG_ROLE)
    for who in (STICK, BASE, FLOOR):
        table.does(who, c.Call("power-failure"))
        table.does(BOX, c.Resume())
    table.does(BOX, c.Call("power-failure"))
    # All of it or none: no single bet is made, changed or taken down, and no one rolls.
    for who, command in (
        (ANN, c.TakeDown("come")),
        (ANN, c.MoveBet("place/8", "place/6")),
        (ANN, c.CallBets("off")),
        (ANN, c.PassDice()),
        (BASE, c.PlaceBets((c.BetRequest("field", 5_00),), "ann")),
        (STICK, c.TakeStep("roll", (1, 1))),
    ):
        assert table.refused(who, command, Reason.SUSPENDED).clauses == ("10.8",)
    table.does(ANN, c.Withdraw())
    assert lying(table) == {"pass-line": 10_00, "place/8": 12_00, "come": 10_00}
    assert table.holds("ann") == 1000_00 - 22_00
    table.does(BOX, c.Resume())
    assert [(line.player, line.wager, line.net) for line in table.lines("11")] == [("ben", "come", 10_00)]


@holds(CRAPS, "10.9")
def test_craps_10_9_a_misread_roll_is_reversed_by_two_persons_before_the_next_one(copy: Copy) -> None:
    table = craps_table(copy.raw)
    table.bet("ann", "pass-line=10 place/6=12")
    table.rolls("4")
    table.bet("ann", "field=5 pass-line-odds=30")
    before, bets = dict(table.balances), table.table.bets
    table.rolls("7")  # it was a six
    assert lying(table) == {}
    table.shooter("ben")
    table.bet("ann", "pass-line=25")
    table.refused(BOX, c.CorrectDice(faces(6), "a six"), Reason.NOT_NOW)
    table.does(STICK, c.ProposeResettlement(2, faces(6), "a six"))
    table.refused(STICK, c.ApproveResettlement(2), Reason.WRONG_ROLE)
    table.refused("sam the box-person", c.ApproveResettlement(2), Reason.OWN_ACT)
    table.does(BOX, c.ApproveResettlement(2))
    assert dict(table.balances) == before
    assert lying(table) == {bet.wager: bet.amount for bet in bets.values()}
    assert (table.table.shooter, table.table.point) == ("ann", 4)
    assert {line.wager: line.net for line in lines_of(table.finish())} == {"field": -5_00, "place/6": 14_00}
    table.rolls("5")
    table.refused(STICK, c.ProposeResettlement(2, faces(8), "an eight"), Reason.NOT_NOW)


@holds(BONUS, "1.1")
def test_craps_bonus_1_1_a_bet_that_is_not_named_is_refused_with_the_clause(copy: Copy) -> None:
    table = craps_table(copy.raw)
    assert table.not_taken("ann", "pass-line=10", Reason.UNKNOWN_WAGER).clauses == ("1.1",)
    assert set(copy.rules.wagers) == {
        *("fire-bet", "small", "tall", "all", "different-doubles", "hot-shooter", "hot-hand"),
        *(f"repeater/{number}" for number in range(2, 13) if number != 7),
    }


@holds(BONUS, "1.2")
def test_craps_bonus_1_2_a_group_that_is_not_offered_is_refused_with_the_clause(copy: Copy) -> None:
    table = craps_table(copy.raw, options={"groups": "fire"})
    assert table.not_taken("ann", "small=10", Reason.UNKNOWN_WAGER).clauses == ("1.2",)
    table.bet("ann", "fire-bet=10")


@holds(BONUS, "8.1")
def test_craps_bonus_8_1_the_crew_is_that_of_the_base_game(copy: Copy) -> None:
    base = Copy.packaged(CRAPS).rules
    assert {name: role.rank for name, role in copy.rules.roles.items()} == {
        name: role.rank for name, role in base.roles.items()
    }


@holds(BONUS, "8.2")
def test_craps_bonus_8_2_lammers_then_losers_then_winners(copy: Copy) -> None:
    table = craps_table(copy.raw)
    table.bet("ann", "repeater/2=1 small=1")
    table.bet("ben", "tall=1")
    table.roll(2)
    for who in (BOX, FLOOR, BOSS, ANN):
        assert table.refused(who, c.TakeStep("mark"), Reason.WRONG_ROLE).clauses == ("8.2",)
    for early in ("collect", "pay"):
        assert table.refused(BASE, c.TakeStep(early), Reason.NOT_DUE).clauses == ("8.2",)
    (marked, *_) = table.does(STICK, c.TakeStep("mark")).events
    assert isinstance(marked, e.StepTaken)
    assert {"repeater/2", "small", "all", "hot-hand"} <= set(marked.areas)
    assert "tall" not in marked.areas
    table.finish()
    table.roll(2)
    table.does(BASE, c.TakeStep("mark"))
    for who in (BOX, FLOOR, BOSS, ANN):
        assert table.refused(who, c.TakeStep("pay"), Reason.WRONG_ROLE).clauses == ("8.2",)
    assert [(line.wager, line.net) for line in lines_of(table.finish())] == [("repeater/2", 40_00)]
    table.roll(7)
    for who in (BOX, FLOOR, BOSS, ANN):
        assert table.refused(who, c.TakeStep("collect"), Reason.WRONG_ROLE).clauses == ("8.2",)
    assert {(line.player, line.wager, line.net) for line in lines_of(table.finish())} == {
        ("ann", "small", -1_00),
        ("ben", "tall", -1_00),
    }


@holds(BONUS, "8.3")
def test_craps_bonus_8_3_no_roll_marks_nothing_and_moves_nothing(copy: Copy) -> None:
    table = craps_table(copy.raw)
    table.bet("ann", "small=1 hot-shooter=1")
    table.rolls("2")
    table.bet("ann", "tall=1")
    before, marks = dict(table.balances), table.standing()
    for who in (STICK, BOX):
        called = table.does(who, c.Call("no-roll", "off the table")).events
        assert [type(event) for event in called] == [e.IrregularityCalled, e.RollCancelled]
        assert (dict(table.balances), table.standing()) == (before, marks)
        assert table.due == "roll"
    for who in (BASE, FLOOR, ANN):
        table.refused(who, c.Call("no-roll", "off the table"), Reason.WRONG_ROLE)
