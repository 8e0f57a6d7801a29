"""Craps tables with the side bets of both texts, hands played command by command; amounts were worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.settlement import line_of
from pitbook.table.people import Person
from pitbook.table.refusals import Reason, Refusal
from pitbook.table.state import phase
from tests.table.craps import (
    BASE,
    BOSS,
    BOX,
    CONFIRMS,
    DIRECTS,
    FLOOR,
    STICK,
    CrapsTable,
    craps_table,
    faces,
    lines_of,
    placed,
)
from tests.table.driving import SHARED_BOOKS

WORKS, OLOGY = "dice-works", "dice-ology"
LITTLE, BIG = "2 3 4 5 6", "8 9 10 11 12"


def calls(happened: list[e.Event]) -> list[str]:
    return [event.call for event in happened if isinstance(event, e.Rolled)]


# ---------------------------------------------------------------- the shooter's hand


def test_a_hand_runs_from_the_come_out_to_the_seven_out_and_the_next_shooter() -> None:
    table = craps_table(OLOGY)
    happened = table.rolls("11 12 7 6 8 6 4 7")
    assert calls(happened) == [
        "natural", "craps", "natural", "point set", "no decision", "point made", "point set", "seven-out",
    ]  # fmt: skip
    assert (table.table.shooter, table.table.point) == (None, None)
    refusal = table.refused(STICK, c.TakeStep("roll", (1, 1)), Reason.NOT_NOW)
    assert "Nobody has the dice. Name the shooter." in refusal.says
    table.shooter("ben")
    assert calls(table.rolls("5")) == ["point set"]
    assert (table.table.shooter, table.table.point) == ("ben", 5)


def test_a_come_out_seven_leaves_the_dice_with_the_shooter() -> None:
    table = craps_table(WORKS)
    table.rolls("7")
    assert table.table.shooter == "ann"


def test_the_shooter_rolls_and_nobody_else_does_but_staff_who_record_it() -> None:
    table = craps_table(OLOGY)
    for who in ("ben the player", "ben the shooter", BOSS, "una the auditor"):
        table.refused(who, c.TakeStep("roll", (1, 1)), Reason.WRONG_ROLE)
    table.does("ann the player", c.TakeStep("roll", (1, 1)))
    table.finish()
    table.does("ann the shooter", c.TakeStep("roll", (1, 1)))
    table.finish()
    table.does(FLOOR, c.TakeStep("roll", (1, 1)))


def test_two_dice_are_rolled_each_from_one_to_six() -> None:
    table = craps_table(OLOGY)
    for dice in ((), (1,), (1, 2, 3), (0, 3), (3, 7)):
        assert table.refused(STICK, c.TakeStep("roll", dice), Reason.BAD_DICE).clauses == ()


def test_the_dice_are_passed_before_a_come_out_roll_and_marks_go_on() -> None:
    table = craps_table(OLOGY)
    table.bet("ben", "little-ones=5")
    table.rolls("2 3 3")
    table.refused("ben the player", c.PassDice(), Reason.NOT_NOW)
    table.does("ann the player", c.PassDice())
    assert table.table.shooter is None
    table.shooter("ben")
    assert table.standing()["little-ones"] == [2, 3]
    table.rolls("4")
    refusal = table.refused("ben the player", c.PassDice(), Reason.NOT_NOW)
    assert refusal.reading == "pass-the-dice"
    (line,) = table.lines("5 6")
    assert (line.net, line.player) == (170_00, "ben")


def test_who_has_the_dice_keeps_them_until_passed_or_sevened_out() -> None:
    table = craps_table(WORKS)
    assert table.refused(STICK, c.NewShooter("ben"), Reason.NOT_NOW).reading == "pass-the-dice"
    table.does(BASE, c.PassDice())
    table.refused(STICK, c.NewShooter(" "), Reason.NOTHING_TO_DO)
    table.shooter("ben")


def test_the_next_shooter_gets_the_dice_when_the_seven_out_is_settled() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "big-ones=1")
    table.rolls("4")
    table.roll(7)
    table.refused(STICK, c.NewShooter("ben"), Reason.NOT_NOW)
    table.finish()
    table.shooter("ben")


def test_only_craps_has_a_shooter() -> None:
    from tests.table.driving import DrivenTable, setup

    table = DrivenTable()
    table.does(BOSS, c.OpenTable(setup("maryland-sic-bo")))
    table.refused("dan the dealer", c.NewShooter("ann"), Reason.NOT_IN_THE_BOOK)
    table.refused("dan the dealer", c.CallNoRoll("a die is leaning"), Reason.NOT_IN_THE_BOOK)


def test_a_step_out_of_order_is_refused_with_the_one_that_is_due_and_its_clause() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "little-ones=1")
    refusal = table.refused(BASE, c.TakeStep("mark"), Reason.NOT_DUE)
    assert "Not yet. The next step is: roll the dice." in refusal.says
    assert refusal.clauses == ("(7)",)
    table.rolls("2 3 4 5")
    table.roll(6)
    for early in ("pay", "remove-lammers", "collect"):
        assert "The next step is: place the lammers." in table.refused(BASE, c.TakeStep(early), Reason.NOT_DUE).says
    table.refused(STICK, c.TakeStep("roll", (1, 1)), Reason.NOT_DUE)
    table.refused(STICK, c.TakeStep("confirm"), Reason.NOT_DUE)
    table.refused(STICK, c.TakeStep("uncover"), Reason.NOT_IN_THE_BOOK)


def test_no_bet_is_taken_moved_or_taken_down_between_a_roll_and_its_settlement() -> None:
    table = craps_table(WORKS)
    table.bet("ann", "parlay/2x2=1")
    table.roll(12)
    assert table.due == "mark"
    assert table.not_taken("ben", "parlay/3x3=1", Reason.BETTING_CLOSED).policy
    table.refused(BASE, c.TakeDown("parlay/2x2", player="ann"), Reason.BETTING_CLOSED)
    table.refused(BASE, c.MoveBet("parlay/2x2", "parlay/3x3", player="ann"), Reason.BETTING_CLOSED)
    table.finish()
    table.bet("ben", "parlay/3x3=1")


# ---------------------------------------------------------------- windows


def test_dice_ology_wagers_are_made_on_a_come_out_roll_without_lammers_of_their_own() -> None:
    table = craps_table(OLOGY)
    table.rolls("4")
    for wager in ("little-ones", "big-ones", "boom-or-bust"):
        refusal = table.not_taken("ben", f"{wager}=1", Reason.WINDOW_CLOSED)
        assert "can only be bet before a come-out roll. The point is 4." in refusal.says
        assert refusal.clauses == ("(4)",)
    table.rolls("4")
    for wager in ("little-ones", "boom-or-bust"):
        assert "already marked" in table.not_taken("ben", f"{wager}=1", Reason.WINDOW_CLOSED).says
    table.bet("ben", "big-ones=1")


def test_under_the_other_reading_dice_ology_lammers_count_for_the_newcomer() -> None:
    table = craps_table(OLOGY, readings={"dice-ology-window": "may-stand"})
    table.rolls("2 3 4 5 4")
    table.bet("ben", "little-ones=10")
    (line,) = table.lines("6")
    assert line.net == 340_00


def test_dice_works_wagers_are_made_on_the_come_out_or_by_house_option_on_any_roll() -> None:
    come_out, any_roll = craps_table(WORKS), craps_table(WORKS, options={"works-window": "any-roll"})
    for table in (come_out, any_roll):
        table.rolls("4")
    assert come_out.not_taken("ben", "all-highs=1", Reason.WINDOW_CLOSED).clauses == ("dice-works/window",)
    any_roll.bet("ben", "all-highs=1")
    for wager in ("all-lows", "the-works"):
        assert "already marked" in any_roll.not_taken("ben", f"{wager}=1", Reason.WINDOW_CLOSED).says


def test_under_the_other_reading_any_number_closes_all_three_dice_works_wagers() -> None:
    table = craps_table(WORKS, readings={"works-window": "none-of-the-ten"}, options={"works-window": "any-roll"})
    table.bet("ben", "all-highs=1")
    table.rolls("4")
    assert (
        "All Highs can't be bet now: numbers of The Works are already marked."
        in table.not_taken("ann", "all-highs=1", Reason.WINDOW_CLOSED).says
    )


@pytest.mark.parametrize("wager", ["high-roller", "roll-the-line"])
def test_counts_are_bet_on_a_come_out_roll_while_they_stand_at_nothing(wager: str) -> None:
    table = craps_table(WORKS)
    table.rolls("12 3 6")
    assert table.not_taken("ben", f"{wager}=1", Reason.WINDOW_CLOSED).reading == "count-window"
    table.rolls("6")
    assert "already marked" in table.not_taken("ben", f"{wager}=1", Reason.WINDOW_CLOSED).says
    table.rolls("4 7")
    table.shooter("ben")
    table.bet("ben", f"{wager}=1")


def test_a_parlay_is_bet_on_any_roll_until_its_number_comes_or_on_the_come_out_only() -> None:
    table = craps_table(WORKS)
    table.rolls("4")
    table.bet("ben", "parlay/8x6=1")
    refusal = table.not_taken("ben", "parlay/4x4=1", Reason.WINDOW_CLOSED)
    assert refusal.clauses == ("parlay/any-time", "parlay/window")
    assert table.not_taken("ben", "parlay-envy/4x4=1", Reason.WINDOW_CLOSED).clauses == ("parlay-envy/window",)
    strict = craps_table(WORKS, options={"parlay-window": "come-out", "parlay-envy-window": "come-out"})
    strict.rolls("4")
    for wager in ("parlay/8x6", "parlay-envy/8x6"):
        assert "come-out" in strict.not_taken("ben", f"{wager}=1", Reason.WINDOW_CLOSED).says
    strict.rolls("4")
    strict.bet("ben", "parlay/8x6=1 parlay-envy/8x6=1")


def test_a_wager_that_has_been_won_waits_for_a_seven_at_dice_works() -> None:
    table = craps_table(WORKS)
    table.rolls("2 2")
    assert (
        "has won and can be bet again after a seven."
        in table.not_taken("ben", "parlay/2x2=1", Reason.WINDOW_CLOSED).says
    )
    table.rolls("7")
    table.bet("ben", "parlay/2x2=1")


# ---------------------------------------------------------------- lammers


def steps_of(happened: list[e.Event]) -> list[tuple[str, set[str]]]:
    """The steps that were taken, each with the areas where lammers were placed or removed."""
    return [(event.step, set(event.areas)) for event in happened if isinstance(event, e.StepTaken)]


def test_each_number_is_marked_once_on_every_wager_it_counts_for_even_without_a_bet() -> None:
    table = craps_table(OLOGY)
    assert steps_of(table.rolls("4")) == [("roll", set()), ("mark", {"little-ones", "boom-or-bust"})]
    assert steps_of(table.rolls("9")) == [("roll", set()), ("mark", {"big-ones", "boom-or-bust"})]
    # A repeated number changes nothing: there is nothing to mark.
    assert steps_of(table.rolls("9")) == [("roll", set())]
    assert table.standing() == {"little-ones": [4], "big-ones": [9], "boom-or-bust": [4, 9]}


def test_a_dice_ology_win_takes_off_its_own_lammers_and_no_others() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "little-ones=1")
    table.rolls("2 3 9 4 5")
    steps = steps_of(table.rolls("6"))
    assert steps == [
        ("roll", set()),
        ("mark", {"little-ones", "boom-or-bust"}),
        ("pay", set()),
        ("remove-lammers", {"little-ones"}),
    ]
    assert table.standing() == {"little-ones": [], "big-ones": [9], "boom-or-bust": [2, 3, 4, 5, 6, 9]}


def test_dice_ology_lammers_come_off_with_the_losing_bets_at_a_seven() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "big-ones=1")
    table.rolls("4")
    assert steps_of(table.rolls("7")) == [("roll", set()), ("collect", {"little-ones", "boom-or-bust"})]
    assert table.standing() == {"little-ones": [], "big-ones": [], "boom-or-bust": []}
    # With neither a bet nor a lammer on the layout there is nothing to clear off.
    table.shooter("ben")
    assert steps_of(table.rolls("7")) == [("roll", set())]


def test_paid_dice_ology_lammers_are_gone_before_the_seven_that_frees_the_area() -> None:
    table = craps_table(OLOGY, options={"rebet": "off"})
    table.rolls(f"{LITTLE}")
    assert table.standing()["little-ones"] == "paid"
    assert steps_of(table.rolls("7"))[1:] == [("collect", {"boom-or-bust"})]


def test_dice_works_lammers_stay_after_a_win_until_the_seven() -> None:
    table = craps_table(WORKS, options={"groups": "dice-works"})
    table.bet("ann", "all-lows=1")
    steps = steps_of(table.rolls(LITTLE))
    assert steps[-3:] == [("roll", set()), ("mark", {"all-lows", "the-works"}), ("pay", set())]
    assert table.standing()["all-lows"] == "paid"
    assert steps_of(table.rolls("7")) == [("roll", set()), ("remove-lammers", {"all-lows", "the-works"})]


def test_a_come_out_seven_marks_a_pass_line_win_while_it_clears_the_numbers() -> None:
    table = craps_table(WORKS, options={"groups": "dice-works, high-roller, roll-the-line"})
    table.rolls("3")
    steps = steps_of(table.rolls("7"))
    assert steps == [("roll", set()), ("mark", {"roll-the-line"}), ("remove-lammers", {"all-lows", "the-works"})]
    assert table.standing()["roll-the-line"] == 1
    assert table.standing()["high-roller"] == 0


def test_points_and_pass_line_wins_get_numbered_lammers_and_the_tenth_stays() -> None:
    table = craps_table(WORKS, options={"groups": "high-roller, roll-the-line"})
    assert steps_of(table.rolls("6")) == [("roll", set())]
    assert steps_of(table.rolls("6")) == [("roll", set()), ("mark", {"high-roller", "roll-the-line"})]
    assert steps_of(table.rolls("11")) == [("roll", set()), ("mark", {"roll-the-line"})]
    table.rolls("6 6 " * 9)
    # Ten points and eleven wins: both areas show the tenth lammer, and another point moves neither.
    assert table.standing() == {"high-roller": 10, "roll-the-line": 11}
    assert steps_of(table.rolls("6 6")) == [("roll", set()), ("roll", set())]


def test_a_parlay_shows_how_often_its_number_has_come() -> None:
    table = craps_table(WORKS, options={"groups": "parlay"})
    table.rolls("5 5 9")
    counts = table.standing()
    assert (counts["parlay/5x5"], counts["parlay/9x5"], counts["parlay/2x2"]) == (2, 1, 0)


# ---------------------------------------------------------------- what is paid, and when


def outcomes(table: CrapsTable, totals: str) -> dict[str, list[tuple[int, str, int]]]:
    """Per wager: on which roll, by which row, with what net in cents."""
    found: dict[str, list[tuple[int, str, int]]] = {}
    for number, total in enumerate(totals.split(), 1):
        for line in table.lines(total):
            found.setdefault(line.wager, []).append((number, str(line.row), line.net))
    return found


@pytest.mark.parametrize(("paytable", "little", "boom"), [("PT1", 34, 175), ("PT2", 30, 150)])
def test_dice_ology_is_paid_when_complete_by_the_pay_table_in_use(paytable: str, little: int, boom: int) -> None:
    table = craps_table(OLOGY, paytables={"dice-ology": paytable})
    table.bet("ann", "little-ones=10 big-ones=3 boom-or-bust=2.50")
    assert outcomes(table, "12 2 11 3 8 4 9 5 8 6 10") == {
        "little-ones": [(10, "win", little * 10_00)],
        "big-ones": [(11, "win", little * 3_00)],
        "boom-or-bust": [(11, "win", boom * 2_50)],
    }
    won = little * 13_00 + boom * 2_50
    assert table.holds("ann") == 1000_00 + won
    assert table.house == -won


@pytest.mark.parametrize(("paytable", "lows", "works"), [("PT1", 34, 175), ("PT2", 30, 150)])
def test_dice_works_is_paid_when_complete_by_the_pay_table_in_use(paytable: str, lows: int, works: int) -> None:
    table = craps_table(WORKS, paytables={"dice-works": paytable})
    table.bet("ann", "all-lows=5 all-highs=2 the-works=1")
    # The last number makes both All Highs and The Works.
    assert outcomes(table, "2 12 3 11 4 10 5 9 6 8") == {
        "all-lows": [(9, "win", lows * 5_00)],
        "all-highs": [(10, "win", lows * 2_00)],
        "the-works": [(10, "win", works * 1_00)],
    }


@pytest.mark.parametrize("totals", ["7", "11 7", "4 7", "4 4 7"])
def test_any_seven_takes_dice_works_parlays_and_dice_ology(totals: str) -> None:
    table = craps_table(WORKS)
    table.bet("ann", "all-lows=1 the-works=1 parlay/9x5=1 parlay-envy/9x5=1")
    assert {line.net for line in table.lines(totals)} == {-1_00}
    assert table.holds("ann") == 996_00
    table = craps_table(OLOGY)
    table.bet("ann", "little-ones=1 big-ones=1 boom-or-bust=1")
    assert [line.net for line in table.lines(totals)] == [-1_00] * 3


def test_as_printed_only_a_seven_out_takes_dice_works_and_parlays() -> None:
    table = craps_table(WORKS, readings={"works-seven": "seven-out", "parlay-seven": "seven-out"})
    table.bet("ann", "all-lows=1 parlay/9x5=1")
    assert table.lines("7 11 7 4") == []
    assert {line.net for line in table.lines("7")} == {-1_00}


PARLAYS = {
    "2x2": 40, "12x2": 40, "3x3": 50, "11x3": 50, "4x4": 65, "10x4": 65, "5x5": 80, "9x5": 80, "6x6": 90, "8x6": 90,
    "8x8": 450, "9x9": 3000, "10x10": 45000, "2-3-11-12x7": 100,
}  # fmt: skip
"""Of the text: the selections, and what each pays for one."""
TEN = list(PARLAYS)[:10]


def repeats(selection: str) -> list[str]:
    """The shortest hand that wins a parlay."""
    numbers, _, times = selection.partition("x")
    return (numbers.split("-") * int(times))[: int(times)]


@pytest.mark.parametrize("selection", PARLAYS)
def test_a_parlay_is_paid_for_one_once_its_number_has_come_often_enough(selection: str) -> None:
    *first, last = repeats(selection)
    between = "10" if selection.startswith("5") else "5"
    groups = ["parlay-envy"] if selection not in TEN else ["parlay", "parlay-envy"]
    table = craps_table(WORKS)
    for group in groups:
        table.bet("ann", f"{group}/{selection}=2")
    # Other numbers between do not matter; the last repeat pays, stake among it.
    assert table.lines(" ".join(f"{number} {between}" for number in first)) == []
    lines = table.lines(last)
    assert {line.wager: line.net for line in lines} == {
        f"{group}/{selection}": (PARLAYS[selection] - 1) * 2_00 for group in groups
    }


HIGH_ROLLER = {0: -1, 1: -1, 2: -1, 3: 4, 4: 9, 5: 19, 6: 29, 7: 49, 8: 99, 9: 190, 10: 299, 12: 299}


@pytest.mark.parametrize("points", HIGH_ROLLER)
def test_high_roller_is_paid_at_the_seven_out_for_the_points_made(points: int) -> None:
    table = craps_table(WORKS)
    table.bet("ann", "high-roller=3")
    assert table.lines("7 12 11 " + "8 8 " * points + "7 5") == [], "a come-out roll ends nothing"
    (line,) = table.lines("7")
    assert line.net == HIGH_ROLLER[points] * 3_00
    assert line.row == ("2 or less" if points < 3 else "10 or more" if points >= 10 else str(points))


ROLL_THE_LINE = {
    11: (50, 75, 100, 150, 50, 100, 150),
    10: (25, 40, 40, 30, 40, 30, 40),
    9: (20, 30, 30, 20, 30, 25, 25),
    8: (15, 20, 20, 15, 20, 20, 15),
    7: (8, 12, 10, 10, 10, 12, 10),
    6: (6, 6, 6, 4, 8, 7, 7),
    5: (4, 4, 3, 3, 5, 5, 4),
    4: (2, 2, 2, 2, 2, 3, 2),
    3: (1, 1, 1, 1, 1, 0, 0),
    2: (0, -1, -1, -1, -1, -1, -1),
    1: (-1,) * 7,
    0: (-1,) * 7,
}


@pytest.mark.parametrize("column", range(7))
def test_roll_the_line_is_paid_once_at_the_seven_out_by_each_of_seven_pay_tables(column: int) -> None:
    table = craps_table(WORKS, paytables={"roll-the-line": f"PT{column + 1}"})
    for wins, pays in ROLL_THE_LINE.items():
        table.bet("ben", "roll-the-line=2")
        before = table.holds("ben")
        # Naturals, sevens and points made all count; craps does not.
        hand = (["7", "11", "6 6", "2 7", "12 11", "9 5 9"] * 2)[:wins]
        assert table.lines(" ".join([*hand, "8"])) == []
        (line,) = table.lines("7")
        assert line.net == pays[column] * 2_00, (wins, line)
        assert table.holds("ben") == before + (pays[column] + 1) * 2_00
        table.shooter("ann")


def test_a_push_gives_the_stake_back_and_the_layout_is_clear() -> None:
    table = craps_table(WORKS, paytables={"roll-the-line": "PT6"})
    table.bet("ann", "roll-the-line=7")
    table.rolls("7 7 7 4")
    table.roll(7)
    assert table.due == "pay", "nothing is collected"
    (line,) = lines_of(table.finish())
    assert (line.net, line.pays) == (0, "push")
    assert table.holds("ann") == 1000_00
    assert not table.table.bets


def test_losers_are_collected_before_winners_are_paid() -> None:
    table = craps_table(WORKS)
    table.bet("ann", "roll-the-line=1 all-lows=1")
    table.rolls("11 11 11 4")
    table.roll(7)
    assert table.due == "collect"
    happened = table.finish()
    kinds = [type(event) for event in happened if isinstance(event, e.LosersCollected | e.WinnersPaid)]
    assert kinds == [e.LosersCollected, e.WinnersPaid]


def test_the_as_printed_roll_the_line_ends_with_any_seven() -> None:
    table = craps_table(WORKS, readings={"roll-the-line-seven": "any-seven"})
    table.bet("ann", "roll-the-line=1")
    table.rolls("11 11 11")
    (line,) = table.lines("7")
    assert (line.row, line.net) == ("3 wins", 1_00)


@pytest.mark.parametrize(("choice", "pays"), [("three-to-one", 3), ("forty-three-to-one", 43)])
def test_a_table_settles_by_the_readings_that_it_was_opened_with(choice: str, pays: int) -> None:
    table = craps_table(WORKS, readings={"high-roller-three": choice})
    table.bet("ann", "high-roller=1")
    (line,) = table.lines("8 8 8 8 8 8 4 7")
    assert line.net == pays * 1_00


def test_every_payment_names_its_clauses() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "little-ones=10")
    (line,) = table.lines(LITTLE)
    assert {"(8)", "(10)"} <= set(line.clauses)


# ---------------------------------------------------------------- re-bet after a win


def test_with_re_bets_players_bet_again_on_any_roll_until_the_next_number_is_marked() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "little-ones=1")
    table.rolls(LITTLE)
    assert table.table.point == 4
    table.bet("ann", "little-ones=2")
    table.rolls("12")
    table.not_taken("ann", "little-ones=1", Reason.RUNNING)
    table.bet("ben", "little-ones=3")
    table.rolls("3")
    table.seat("cyd")
    assert table.not_taken("cyd", "little-ones=3", Reason.WINDOW_CLOSED).clauses == ("(4)",)
    assert table.not_taken("cyd", "big-ones=1", Reason.WINDOW_CLOSED).clauses == ("(4)",)
    lines = table.lines("2 4 5 6")
    assert [(line.player, line.net) for line in lines] == [("ann", 68_00), ("ben", 102_00)]


def test_without_re_bets_the_area_is_paid_and_waits_for_a_seven() -> None:
    table = craps_table(OLOGY, options={"rebet": "off"})
    table.bet("ann", "big-ones=1")
    table.rolls(BIG)
    assert table.standing()["big-ones"] == "paid"
    assert (
        "has won and can be bet again after a seven." in table.not_taken("ann", "big-ones=1", Reason.WINDOW_CLOSED).says
    )
    assert table.lines("8 9 10 11 12") == [], "won once"
    table.rolls("7")
    table.shooter("ben")
    table.bet("ann", "big-ones=1")


def test_at_dice_works_a_win_is_not_bet_again_before_a_seven() -> None:
    table = craps_table(WORKS, options={"works-window": "any-roll"})
    table.rolls(LITTLE)
    assert table.not_taken("ann", "all-lows=1", Reason.WINDOW_CLOSED).reading == "marks"


# ---------------------------------------------------------------- tips, and the dealers' envy


def test_a_tip_in_the_area_is_the_dealers_stake_and_win() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "little-ones=2", "tip in the area")
    assert table.holds("ann") == 998_00
    (line,) = table.lines(LITTLE)
    assert line.net == 68_00
    assert (table.holds("ann"), table.dealers, table.house) == (998_00, 70_00, -68_00)


def test_a_tip_on_top_is_the_players_stake_and_the_dealers_win() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "little-ones=5")
    table.bet("ann", "little-ones=2", "tip on top")
    table.rolls(LITTLE)
    assert (table.holds("ann"), table.dealers) == (1000_00 + 170_00, 68_00)


def test_tips_lose_like_any_bet() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "boom-or-bust=1")
    table.bet("ann", "boom-or-bust=2", "tip on top")
    table.bet("ann", "boom-or-bust=3", "tip in the area")
    table.rolls("7")
    assert (table.holds("ann"), table.dealers, table.house) == (994_00, 0, 6_00)


def test_each_kind_of_bet_has_limits_and_caps_of_its_own() -> None:
    table = craps_table(OLOGY)
    kinds: tuple[c.Kind, ...] = ("cash", "tip in the area", "tip on top")
    for kind in kinds:
        assert table.not_taken("ann", "boom-or-bust=10.01", Reason.OVER_MAXIMUM, kind).clauses == ("(3)",)
        table.not_taken("ann", "boom-or-bust=0.99", Reason.UNDER_MINIMUM, kind)
        table.bet("ann", "boom-or-bust=10", kind)
        table.not_taken("ann", "boom-or-bust=1", Reason.OVER_MAXIMUM, kind)
    lines = table.lines("2 3 4 5 6 8 9 10 11 12")
    assert [line.net for line in lines] == [1750_00] * 3
    assert (table.holds("ann"), table.dealers) == (970_00 + 10_00 + 1750_00 + 10_00, 10_00 + 2 * 1750_00)


def test_a_tip_on_top_needs_the_players_own_bet_and_comes_off_before_it() -> None:
    table = craps_table(OLOGY)
    assert table.not_taken("ann", "little-ones=1", Reason.NO_SUCH_BET, "tip on top").clauses == ("(6)",)
    table.bet("ben", "little-ones=1")
    table.not_taken("ann", "little-ones=1", Reason.NO_SUCH_BET, "tip on top")
    table.bet("ann", "little-ones=1")
    table.bet("ann", "little-ones=1", "tip on top")
    assert table.refused(BASE, c.TakeDown("little-ones", player="ann"), Reason.NOT_NOW).policy
    table.refused(BASE, c.MoveBet("little-ones", "big-ones", player="ann"), Reason.NOT_NOW)
    table.does("ann the player", c.TakeDown("little-ones", kind="tip on top"))
    table.does("ann the player", c.TakeDown("little-ones"))
    assert table.holds("ann") == 1000_00


def test_a_tip_in_the_area_is_out_of_the_players_control() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "little-ones=1", "tip in the area")
    commands: tuple[c.Command, ...] = (
        c.TakeDown("little-ones", kind="tip in the area"),
        c.MoveBet("little-ones", "big-ones", kind="tip in the area"),
    )
    for command in commands:
        assert table.refused("ann the player", command, Reason.NO_SUCH_BET).clauses == ("(6)",)
    table.does(BOX, c.Call("power-failure"))
    table.refused("ann the player", c.Withdraw(), Reason.NO_SUCH_BET)


def test_dice_works_takes_no_bets_for_the_dealers() -> None:
    table = craps_table(WORKS)
    table.not_taken("ann", "all-lows=1", Reason.NOT_IN_THE_BOOK, "tip in the area")


@pytest.mark.parametrize("selection", PARLAYS)
@pytest.mark.parametrize("unit", ["currency", "multiple"])
def test_dealer_envy_is_paid_by_the_house_to_the_dealers_under_both_readings(selection: str, unit: str) -> None:
    table = craps_table(WORKS, readings={"dealer-envy-unit": unit})
    hand = repeats(selection)
    table.bet("ann", f"parlay-envy/{selection}=3")
    (line,) = table.lines(" ".join(hand))
    # The envy of each row is the number of its repeats.
    envy = len(hand) * (1_00 if unit == "currency" else 3_00)
    net = (PARLAYS[selection] - 1) * 3_00
    assert (line.net, line.envy) == (net, envy)
    assert (table.holds("ann"), table.dealers, table.house) == (1000_00 + net, envy, -net - envy)


def test_envy_is_paid_once_for_each_winning_wager_and_for_no_parlay_without_it() -> None:
    table = craps_table(WORKS)
    table.bet("ann", "parlay-envy/2x2=1 parlay/2x2=1")
    table.bet("ben", "parlay-envy/2x2=5")
    table.rolls("2 2")
    assert table.dealers == 2 * 2_00
    table = craps_table(WORKS)
    table.bet("ann", "parlay-envy/2x2=1")
    table.rolls("2 7")
    assert table.dealers == 0


@pytest.mark.parametrize(("kind", "envy"), [("cash", 2_00), ("tip in the area", 0), ("tip on top", 0)])
def test_envy_is_for_players_bets_and_not_for_tips(kind: c.Kind, envy: int) -> None:
    # Dice Works has envy and no tips, Dice-ology tips and no envy: a house's own book may have both.
    table = craps_table(WORKS)
    table.bet("ann", "parlay-envy/2x2=1")
    (bet,) = table.table.bets.values()
    assert line_of(table.table, replace(bet, kind=kind), "win").envy == envy


# ---------------------------------------------------------------- booking, confirming, directing


def test_a_booked_bet_counts_once_it_has_been_confirmed_aloud() -> None:
    table = craps_table(OLOGY)
    table.does("ann the player", placed("little-ones=1"))
    table.does("ben the player", placed("little-ones=1"))
    refusal = table.refused(STICK, c.TakeStep("roll", (1, 1)), Reason.UNCONFIRMED)
    assert refusal.clauses == ("(5)",)
    table.does(BASE, c.ConfirmBets("ann"))
    table.refused(BASE, c.ConfirmBets("ann"), Reason.NOTHING_TO_DO)
    table.refused(STICK, c.TakeStep("roll", (1, 1)), Reason.UNCONFIRMED)
    table.does(BOX, c.ConfirmBets())
    table.rolls("2")


def test_a_raised_bet_is_confirmed_again() -> None:
    table = craps_table(OLOGY)
    table.does("ann the player", placed("boom-or-bust=1"))
    table.does(BASE, c.ConfirmBets())
    table.does("ann the player", placed("boom-or-bust=1"))
    table.refused(STICK, c.TakeStep("roll", (1, 1)), Reason.UNCONFIRMED)


def test_who_takes_and_who_confirms_bets() -> None:
    table = craps_table(OLOGY)
    for who in (BOX, FLOOR):
        assert table.refused(who, placed("little-ones=1", player="ann"), Reason.WRONG_ROLE).clauses == ("(5)",)
    table.does("ann the player", placed("little-ones=1"))
    for who in ("ann the player", "ann the shooter", FLOOR):
        assert table.refused(who, c.ConfirmBets(), Reason.WRONG_ROLE).clauses == ("(5)",)
    table.refused(BASE, placed("little-ones=1"), Reason.WRONG_ROLE)
    table.refused("ben the player", placed("little-ones=1", player="ann"), Reason.WRONG_ROLE)


def test_dice_works_bets_need_no_confirmation() -> None:
    table = craps_table(WORKS)
    table.does("ann the player", placed("all-lows=1"))
    table.rolls("2")
    table.refused(BASE, c.ConfirmBets(), Reason.NOT_IN_THE_BOOK)


def test_the_base_dealer_pays_as_the_stick_directs() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "little-ones=1")
    table.rolls("2 3 4 5")
    table.roll(6)
    table.step(BOX, "mark")
    for who in (STICK, BOX, FLOOR, "ann the player"):
        table.refused(who, c.TakeStep("pay", directed_by=DIRECTS), Reason.WRONG_ROLE)
    assert table.refused(BASE, c.TakeStep("pay"), Reason.PRESENCE).clauses == ("(8)", "(9)(a)", "(9)(b)")
    table.refused(BASE, c.TakeStep("pay", directed_by=CONFIRMS), Reason.PRESENCE)
    table.refused(BASE, c.TakeStep("pay", directed_by=Person("bea", "stick-person")), Reason.OWN_ACT)
    happened = table.does(BASE, c.TakeStep("pay", directed_by=DIRECTS)).events
    taken = next(event for event in happened if isinstance(event, e.StepTaken))
    assert taken.directed_by == DIRECTS


@pytest.mark.parametrize(("book", "bet", "kind", "hand"), [
    (OLOGY, "little-ones=1", "tip in the area", LITTLE),
    (WORKS, "parlay-envy/2x2=1", "cash", "2 2"),
])  # fmt: skip
def test_box_or_floor_confirms_what_the_dealers_get(book: str, bet: str, kind: c.Kind, hand: str) -> None:
    table = craps_table(book)
    table.bet("ann", bet, kind)
    *before, last = hand.split()
    table.rolls(" ".join(before))
    table.roll(int(last))
    table.step(BASE, "mark")

    def pay(confirms: Person | None) -> c.TakeStep:
        return c.TakeStep("pay", directed_by=DIRECTS, confirmed_by=confirms)

    assert (
        "The box person or the floorperson must confirm what the dealers receive."
        in table.refused(BASE, pay(None), Reason.PRESENCE).says
    )
    table.refused(BASE, pay(Person("bea", "box-person")), Reason.OWN_ACT)
    for role in ("stick-person", "base-dealer", "player", "manager", "auditor"):
        table.refused(BASE, pay(Person("eve", role)), Reason.WRONG_ROLE)
    happened = table.does(BASE, pay(Person("flo", "floorperson"))).events
    taken = next(event for event in happened if isinstance(event, e.StepTaken))
    assert taken.confirmed_by == Person("flo", "floorperson")


# ---------------------------------------------------------------- running bets, no roll, a roll corrected


def test_a_running_bet_can_be_neither_taken_down_nor_moved_nor_raised() -> None:
    for book, area, other in ((OLOGY, "little-ones", "big-ones"), (WORKS, "all-lows", "all-highs")):
        table = craps_table(book)
        table.bet("ann", f"{area}=2")
        table.does("ann the player", c.TakeDown(area, 50))
        table.does(BASE, c.MoveBet(area, other, player="ann"))
        table.does(BASE, c.MoveBet(other, area, player="ann"))
        table.rolls("11" if book == OLOGY else "12")
        for command in (c.TakeDown(area), c.TakeDown(area, 50), c.MoveBet(area, other), placed(f"{area}=1")):
            assert table.refused("ann the player", command, Reason.RUNNING).reading == "running-bets"


def test_a_roll_called_no_roll_changes_nothing() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "little-ones=1")
    table.rolls("2 4")
    before = (table.table.areas, table.table.bets, table.table.point, table.table.shooter, dict(table.balances))
    table.refused(STICK, c.CallNoRoll(""), Reason.NOTHING_TO_DO)
    for who in ("ann the player", BOSS):
        table.refused(who, c.CallNoRoll("a die left the table"), Reason.WRONG_ROLE)
    table.does(STICK, c.CallNoRoll("a die left the table"))
    assert (table.table.areas, table.table.bets, table.table.point, table.table.shooter, table.balances) == before
    assert table.due == "roll"
    table.roll(5)
    assert table.refused(STICK, c.CallNoRoll("too late"), Reason.NOT_NOW).policy


def test_without_a_shooter_there_is_no_roll_to_call_off() -> None:
    table = craps_table(WORKS)
    table.rolls("4 7")
    table.refused(STICK, c.CallNoRoll("a die left the table"), Reason.NOT_NOW)


def test_a_supervisor_corrects_a_wrongly_entered_roll_before_it_is_settled() -> None:
    table, right = craps_table(OLOGY), craps_table(OLOGY)
    for one in (table, right):
        one.bet("ann", "little-ones=1")
        one.rolls("4 5")
        one.does(STICK, c.TakeStep("roll", faces(7 if one is table else 6)))
    assert table.table.shooter is None
    table.refused(BASE, c.CorrectDice(faces(6), "a six"), Reason.WRONG_ROLE)
    table.refused(BOX, c.CorrectDice((6,), "a six"), Reason.BAD_DICE)
    table.does(BOX, c.CorrectDice(faces(6), "the stick called six"))
    for one in (table, right):
        one.finish()
    for what in ("areas", "bets", "point", "shooter", "round", "history"):
        assert getattr(table.table, what) == getattr(right.table, what), what
    assert [record.dice for record in table.table.history] == [faces(4), faces(5), faces(6)]


def test_putting_a_roll_right_gives_back_the_bets_made_since() -> None:
    table = craps_table(WORKS)
    table.rolls("12")
    table.bet("ann", "parlay/3x3=5")
    happened = table.does(BOX, c.CorrectDice(faces(3), "a three")).events
    corrected = next(event for event in happened if isinstance(event, e.DiceCorrected))
    assert corrected.returned == (1,)
    assert table.holds("ann") == 1000_00
    table.finish()
    assert table.standing()["parlay/3x3"] == 1
    assert table.standing()["parlay/12x2"] == 0


def test_a_roll_that_was_settled_or_followed_by_another_stands() -> None:
    table = craps_table(WORKS)
    table.refused(BOX, c.CorrectDice(faces(3), "a three"), Reason.NOT_NOW)
    table.bet("ann", "all-lows=1")
    table.rolls("4 7")
    table.refused(BOX, c.CorrectDice(faces(8), "an eight"), Reason.NOT_NOW)
    table.rolls("5")
    table.does(STICK, c.TakeStep("roll", faces(7)))
    table.finish()
    table.shooter("ben")
    assert (
        "A roll can be corrected only before it is settled. Dispute the round instead."
        in table.refused(BOX, c.CorrectDice(faces(8), "an eight"), Reason.NOT_NOW).says
    )


def test_any_roll_can_be_disputed() -> None:
    table = craps_table(OLOGY)
    table.rolls("4 4")
    table.does("ann the player", c.Dispute(1, "it was a five"))
    table.refused("ann the player", c.Dispute(3, "not rolled yet"), Reason.NO_SUCH_ROUND)
    table.refused(BASE, c.ProposeResettlement(2, faces(5), "a five"), Reason.NOT_NOW)
    table.refused("ann the player", c.SettleDispute(1, "yes"), Reason.WRONG_ROLE)
    table.does(FLOOR, c.SettleDispute(1, "the tape shows a four"))


# ---------------------------------------------------------------- power failure


def test_after_a_power_failure_bets_since_the_last_roll_are_withdrawn_all_or_none() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "little-ones=1")
    table.rolls("3")
    table.bet("ann", "big-ones=2")
    table.bet("ann", "big-ones=1", "tip on top")
    table.bet("ben", "big-ones=5")
    table.refused("ann the player", c.Withdraw(), Reason.NOT_NOW)
    table.does(BASE, c.Call("power-failure"))
    table.refused(BASE, c.Call("power-failure"), Reason.NOTHING_TO_DO)
    for command in (placed("big-ones=1"), c.TakeDown("big-ones", 100), c.MoveBet("big-ones", "little-ones")):
        table.refused("ann the player", command, Reason.SUSPENDED)
    assert table.refused(STICK, c.TakeStep("roll", (1, 1)), Reason.SUSPENDED).reading == "power-failure-craps"
    happened = table.does("ann the player", c.Withdraw()).events
    assert [event.bets for event in happened if isinstance(event, e.PlayerWithdrew)] == [(2, 3)]
    assert table.refused("ann the player", c.Withdraw(), Reason.NO_SUCH_BET).clauses == ()
    assert table.holds("ann") == 999_00
    table.refused("ben the player", c.Resume(), Reason.WRONG_ROLE)
    table.does(BASE, c.Resume())
    table.refused(BASE, c.Resume(), Reason.NOTHING_TO_DO)
    # The running wager kept its lammer, and ben's, who stayed, is in play.
    assert table.standing()["little-ones"] == [3]
    assert {(bet.player, bet.wager) for bet in table.table.bets.values()} == {
        ("ann", "little-ones"),
        ("ben", "big-ones"),
    }
    assert [line.net for line in table.lines("8 9 10 11 12")] == [170_00]


def test_a_power_failure_between_roll_and_payment_withdraws_nothing() -> None:
    table = craps_table(WORKS)
    table.bet("ann", "parlay/2x2=1")
    table.rolls("2")
    table.roll(2)
    table.does(FLOOR, c.Call("power-failure"))
    table.refused(BASE, c.TakeStep("mark"), Reason.SUSPENDED)
    assert table.refused("ann the player", c.Withdraw(), Reason.NO_SUCH_BET).clauses == ()
    table.does(BASE, c.Resume())
    assert [line.net for line in lines_of(table.finish())] == [39_00]


# ---------------------------------------------------------------- set-up


def test_dice_ology_is_played_once_its_layout_and_pay_schedule_have_been_checked() -> None:
    table = CrapsTable(raw=craps_table(OLOGY).raw)
    table.does(BOSS, c.OpenTable(table.setup()))
    table.does("ann the player", c.BuyIn(100_00))
    table.shooter()
    assert table.refused(BASE, placed("little-ones=1", player="ann"), Reason.NOT_INSPECTED).clauses == ("(1)",)
    for thing in ("dice", "ceiling"):  # nothing is required of the dice, and no text knows a ceiling
        table.refused(BOX, c.CheckEquipment(thing, ()), Reason.NOT_IN_THE_BOOK)
    table.does(BOX, c.CheckEquipment("layout", (True, True, False)))
    assert table.refused(STICK, c.TakeStep("roll", (1, 1)), Reason.INSPECTION_FAILED).clauses == ("(7)",)
    table.does(BOX, c.CheckEquipment("layout", (True, True, True)))
    assert table.refused(BASE, placed("little-ones=1", player="ann"), Reason.NOT_INSPECTED).clauses == ("(10)",)
    table.does(FLOOR, c.CheckEquipment("sign", (True,)))
    table.bet("ann", "little-ones=1")


@pytest.mark.parametrize(("low", "high"), [(50, 10_00), (1_00, 10_01), (2_00, 1_00), (0, 5_00)])
def test_limits_are_set_inside_the_texts(low: int, high: int) -> None:
    table = CrapsTable(raw=craps_table(OLOGY).raw)
    limits = {"little-ones": c.Limit(low, high)}
    table.refused(BOSS, c.OpenTable(table.setup(limits=limits)), Reason.CONFIGURATION)


def test_a_limit_wider_than_the_texts_names_the_clause_and_what_it_allows() -> None:
    table = CrapsTable(raw=craps_table(OLOGY).raw)
    wide = table.setup(limits={"*": c.Limit(1_00, 20_00)})
    refusal = table.refused(BOSS, c.OpenTable(wide), Reason.CONFIGURATION)
    assert refusal.clauses == ("(3)",)
    assert refusal.says.endswith(": the book allows stakes from US$1 to US$10, not from US$1 to US$20.")


def test_the_houses_limits_hold_at_the_table() -> None:
    table = craps_table(OLOGY, limits={"dice-ology": c.Limit(2_00, 8_00), "boom-or-bust": c.Limit(1_00, 5_00)})
    own = table.not_taken("ann", "little-ones=1.99", Reason.UNDER_MINIMUM)
    assert (own.says, own.clauses) == ("The minimum on Little Ones is US$2.", ("(2)",))
    assert craps_table(OLOGY).not_taken("ann", "little-ones=0.99", Reason.UNDER_MINIMUM).clauses == ("(3)",)
    table.not_taken("ann", "little-ones=8.01", Reason.OVER_MAXIMUM)
    table.not_taken("ann", "boom-or-bust=5.01", Reason.OVER_MAXIMUM)
    table.bet("ann", "little-ones=8 boom-or-bust=1")
    table.refused(BASE, c.TakeDown("little-ones", 7_00, player="ann"), Reason.UNDER_MINIMUM)
    works = craps_table(WORKS, limits={"parlay": c.Limit(5_00, 25_00), "*": c.Limit(1_00, 100_00)})
    works.not_taken("ann", "parlay/2x2=4", Reason.UNDER_MINIMUM)
    works.bet("ann", "parlay/2x2=5 all-lows=1")


def test_limits_that_narrow_while_a_bet_runs_leave_it_whole() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "little-ones=10")
    table.rolls("2")
    table.does(BOSS, c.ChangeSetup(table.setup(limits={"*": c.Limit(1_00, 5_00)})))
    assert [line.net for line in table.lines("3 4 5 6")] == [340_00]
    table.not_taken("ann", "little-ones=5.01", Reason.OVER_MAXIMUM)


def test_a_licensees_lower_cap_is_obeyed_and_on_record(tmp_path: Path) -> None:
    own = tmp_path / "house.toml"
    own.write_text(
        '[book]\nextends = "dice-ology"\nid = "house-ology"\n[wager.little-ones.limits]\npayoff_max = 100\n',
        encoding="utf-8",
    )
    rules = SHARED_BOOKS.editions.add_file(own)
    table = CrapsTable()
    table.does(BOSS, c.OpenTable(c.Setup("house-ology", rules.digest, "Test House", "USD")))
    table.check_all(BOX)
    table.seat("ann")
    table.bet("ann", "little-ones=10 big-ones=10")
    lines = {line.wager: line for line in table.lines(f"{LITTLE} {BIG}")}
    assert (lines["little-ones"].net, lines["little-ones"].capped) == (100_00, 240_00)
    assert (lines["big-ones"].net, lines["big-ones"].capped) == (340_00, 0)
    assert "(3)" in lines["little-ones"].clauses
    assert table.holds("ann") == 1000_00 + 440_00


def test_a_house_offers_any_combination_of_the_groups() -> None:
    table = craps_table(WORKS, options={"groups": "high-roller, parlay-envy"})
    for wager in ("all-lows", "roll-the-line", "parlay/2x2"):
        assert "This table doesn't offer the bet " in table.not_taken("ann", f"{wager}=1", Reason.UNKNOWN_WAGER).says
    table.bet("ann", "high-roller=1 parlay-envy/8x8=1")
    assert "doesn't offer the bet field" in table.not_taken("ann", "field=1", Reason.UNKNOWN_WAGER).says
    unknown = CrapsTable(raw=table.raw)
    unknown.refused(BOSS, c.OpenTable(unknown.setup(options={"groups": "fire-bet"})), Reason.CONFIGURATION)


def test_pay_tables_are_chosen_by_wager_family_or_group_and_must_exist() -> None:
    table = craps_table(WORKS, paytables={"dice-works": "PT2", "all-lows": "PT1"})
    table.bet("ann", "all-lows=1 all-highs=1")
    nets = {line.wager: line.net for line in table.lines(f"{LITTLE} {BIG}")}
    assert nets == {"all-lows": 34_00, "all-highs": 30_00}
    for wrong in ({"dice-works": "PT3"}, {"high-roller": "PT2"}, {"field": "PT1"}):
        other = CrapsTable(raw=table.raw)
        other.refused(BOSS, c.OpenTable(other.setup(paytables=wrong)), Reason.CONFIGURATION)


def test_the_set_up_changes_between_rolls_and_what_bets_rest_on_only_while_none_runs() -> None:
    table = craps_table(OLOGY)
    other_table = table.setup(paytables={"dice-ology": "PT2"})
    table.bet("ann", "little-ones=1")
    table.refused(BOSS, c.ChangeSetup(other_table), Reason.NOT_NOW)
    table.rolls("2")
    assert (
        "Readings, options and pay tables can be changed only while no bet is in play."
        in table.refused(BOSS, c.ChangeSetup(other_table), Reason.NOT_NOW).says
    )
    table.roll(3)
    table.refused(BOSS, c.ChangeSetup(table.setup(limits={"*": c.Limit(1_00, 5_00)})), Reason.NOT_NOW)
    table.finish()
    table.does(BOSS, c.ChangeSetup(table.setup(limits={"*": c.Limit(1_00, 5_00)})))
    table.rolls("7")
    for who in (BOX, FLOOR, STICK, "ann the player"):
        table.refused(who, c.ChangeSetup(other_table), Reason.WRONG_ROLE)
    table.does(BOSS, c.ChangeSetup(other_table))
    table.does(BOX, c.CheckEquipment("sign", (True,)))
    table.bet("ann", "little-ones=1")
    assert [line.net for line in table.lines(LITTLE)] == [30_00]


def test_readings_and_options_change_only_on_a_clear_layout() -> None:
    table = craps_table(WORKS)
    as_printed = table.setup(readings={"works-seven": "seven-out"})
    table.rolls("4")
    assert (
        "Readings and options can be changed only before a come-out roll, with no lammer on the layout."
        in table.refused(BOSS, c.ChangeSetup(as_printed), Reason.NOT_NOW).says
    )
    table.does(BOSS, c.ChangeSetup(table.setup(paytables={"dice-works": "PT2"})))
    table.rolls("7")
    table.does(BOSS, c.ChangeSetup(as_printed))
    table.shooter("ann")
    table.bet("ann", "all-lows=1")
    assert table.lines("7 2 3 4 5") == []
    assert [line.net for line in table.lines("6")] == [34_00]


def test_book_and_currency_stay_while_a_table_is_open() -> None:
    table = craps_table(WORKS)
    table.refused(BOSS, c.ChangeSetup(CrapsTable(raw=craps_table(OLOGY).raw).setup()), Reason.CONFIGURATION)
    closed = CrapsTable(raw=table.raw)
    euros = closed.setup()
    wrong = c.Setup(euros.book, euros.digest, "Test House", "EUR")
    assert "USD" in closed.refused(BOSS, c.OpenTable(wrong), Reason.CONFIGURATION).says


def test_the_tables_payout_limit_counts_everything_that_the_hand_could_still_pay() -> None:
    table = craps_table(WORKS, payout_max=1000_00)
    table.bet("ann", "the-works=5")  # 875
    says = table.not_taken("ben", "all-lows=4", Reason.PAYOUT_LIMIT).says  # 136 more
    assert "rest of the hand" in says
    table.bet("ben", "all-lows=3")  # 102
    table.not_taken("ann", "parlay-envy/2x2=1", Reason.PAYOUT_LIMIT)  # 39, and 2 for the dealers
    table.rolls("2 7")
    table.bet("ann", "parlay-envy/2x2=1")


def test_booked_bets_count_towards_the_payout_limit_before_they_are_confirmed() -> None:
    table = craps_table(OLOGY, payout_max=500_00)
    table.does("ann the player", placed("little-ones=10"))
    table.refused("ben the player", placed("big-ones=10"), Reason.PAYOUT_LIMIT)
    table.does("ben the player", placed("big-ones=4"))


def test_a_craps_table_closes_between_rolls_when_no_wager_runs() -> None:
    table = craps_table(OLOGY)
    table.bet("ann", "little-ones=1")
    table.refused(BOSS, c.CloseTable(), Reason.NOT_NOW)
    table.rolls("4")
    table.refused(BOSS, c.CloseTable(), Reason.NOT_NOW)
    table.rolls("7")
    table.does(BOSS, c.CloseTable())
    table.refused(BASE, placed("little-ones=1", player="ann"), Reason.TABLE_NOT_OPEN)
    table.does(BOSS, c.OpenTable(table.setup()))
    assert phase(table.table) == "betting"
    assert table.table.round.number == 3


def test_stakes_need_funds_and_bets_come_all_or_none() -> None:
    table = craps_table(WORKS)
    table.not_taken("ann", "all-lows=999 all-highs=2", Reason.NO_FUNDS)
    table.not_taken("ann", "all-lows=1 no-such=1", Reason.UNKNOWN_WAGER)
    table.not_taken("ann", "all-lows=0", Reason.BAD_AMOUNT)
    table.refused("ann the player", c.PlaceBets(()), Reason.NOTHING_TO_DO)
    table.refused("ann the player", c.PlaceBets((c.BetRequest("all-lows", 100),), verbal_cash=True), Reason.CASH_BET)
    table.refused("ann the player", c.PlaceBets((c.BetRequest("all-lows", 100, "colour"),)), Reason.COLOUR_CHIPS)
    assert not table.table.bets


def test_a_bet_found_on_a_craps_layout_is_in_neither_text() -> None:
    for book, area in ((OLOGY, "little-ones"), (WORKS, "all-lows")):
        table = craps_table(book)
        table.roll(4)
        table.refused(BASE, c.RecordFound("ann", area, 5_00, late=True), Reason.NOT_IN_THE_BOOK)


def test_players_cannot_make_a_dealers_command_stale() -> None:
    table = craps_table(OLOGY)
    table.rolls("12")
    seen = (table.table.round.number, table.table.step)
    for name in ("ann", "ben"):
        table.does(f"{name} the player", placed("little-ones=1"))
        table.does(f"{name} the player", c.TakeDown("little-ones"))
        table.does(f"{name} the player", c.BuyIn(1_00))
    table.does("ann the player", c.Dispute(1, "it was an eleven"))
    outcome = table.ask(STICK, c.TakeStep("roll", (1, 1)), expected=seen)
    assert not isinstance(outcome, Refusal)
    stale = table.ask(STICK, c.TakeStep("mark"), expected=seen)
    assert isinstance(stale, Refusal)
    assert stale.why is Reason.STALE_STEP
