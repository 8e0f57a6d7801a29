"""Dice Works: five groups of side bets, worked by hand. One test per clause.

Hands are written as totals. A hand begins on the come-out: "4 6 4" sets the point 4 and makes it; "4 7" sevens out.
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import pytest

from pitbook.dice import parse_rolls
from pitbook.engine.play import Bet, Played, play
from pitbook.engine.progress import lammers
from pitbook.errors import InputError
from pitbook.money import Cents, Odds
from pitbook.rulebooks.catalogue import build
from pitbook.rulebooks.errors import InvalidBook
from pitbook.rulebooks.model import Rulebook
from tests.clauses.clause_marks import holds
from tests.clauses.copies import Copy, patched

DICE_WORKS = "dice-works"

WORKS = ("all-lows", "all-highs", "the-works")
NUMBERS = {
    "all-lows": (2, 3, 4, 5, 6),
    "all-highs": (8, 9, 10, 11, 12),
    "the-works": (2, 3, 4, 5, 6, 8, 9, 10, 11, 12),
}
PARLAY = {
    "2x2": (2, 2),
    "3x3": (3, 3),
    "4x4": (4, 4),
    "5x5": (5, 5),
    "6x6": (6, 6),
    "8x6": (8, 6),
    "9x5": (9, 5),
    "10x4": (10, 4),
    "11x3": (11, 3),
    "12x2": (12, 2),
}
"""Which number, how many times."""
PARLAY_PAYS = {
    "2x2": 40,
    "3x3": 50,
    "4x4": 65,
    "5x5": 80,
    "6x6": 90,
    "8x6": 90,
    "9x5": 80,
    "10x4": 65,
    "11x3": 50,
    "12x2": 40,
}
"""For one: the stake is among it."""
ENVY_PAYS = {**PARLAY_PAYS, "8x8": 450, "9x9": 3000, "10x10": 45000, "2-3-11-12x7": 100}
DEALER_ENVY = {
    "2x2": 2,
    "12x2": 2,
    "3x3": 3,
    "11x3": 3,
    "4x4": 4,
    "10x4": 4,
    "5x5": 5,
    "9x5": 5,
    "6x6": 6,
    "8x6": 6,
    "8x8": 8,
    "9x9": 9,
    "10x10": 10,
    "2-3-11-12x7": 7,
}
WINNING_HANDS = {
    **{name: f"{number} " * times for name, (number, times) in PARLAY.items()},
    "8x8": "8 " * 8,
    "9x9": "9 " * 9,
    "10x10": "10 " * 10,
    "2-3-11-12x7": "2 3 11 12 11 3 2",
}
"""The shortest hand that wins each repeating wager."""


def dice(totals: str) -> str:
    """Rolls that show these totals: "4 12" -> "1-3 6-6"."""
    return " ".join(f"{max(1, total - 6)}-{min(6, total - 1)}" for total in map(int, totals.split()))


def came(copy: Copy, bet: str, totals: str, **choices: Any) -> tuple[str, int | None]:
    """How a bet came out, and on which roll."""
    outcome = copy.outcome(bet, dice(totals), **choices)
    return outcome.result, outcome.decided_by_roll


def gain(copy: Copy, wager: str, totals: str, **choices: Any) -> int | None:
    """What a stake of one unit gains; None while it runs."""
    outcome = copy.outcome(f"{wager}=1", dice(totals), **choices)
    return outcome.net // 100 if outcome.settlement else None


def progress_after(copy: Copy, wager: str, totals: str, **choices: Any) -> dict[str, Any]:
    """What stands on the wager's area after these rolls, with nobody betting."""
    return lammers(*copy.after(dice(totals), **choices))[wager]


def refused(copy: Copy, wager: str, totals: str = "", **choices: Any) -> str | None:
    """On what ground the wager is refused after these rolls; None if it is taken."""
    closed = copy.closed(wager, dice(totals), **choices)
    if closed is None:
        return None
    grounds = {"come-out": "come-out only", "marked": "marked", "won": "paid"}
    return next(ground for word, ground in grounds.items() if word in closed.message.id)


def played(rules: Rulebook, wagers: list[str], totals: str, stake: int = 100) -> Played:
    """The same stake on several wagers."""
    return play(rules, [Bet(wager, Cents(stake)) for wager in wagers], parse_rolls(dice(totals), 2))


def licensee_may_not(copy: Copy, key: str, other: str | list[str]) -> None:
    """A licensee's own book that pays otherwise than the text is refused."""
    with pytest.raises(InvalidBook, match="fixes"):
        build(patched(copy.raw, {key: other}), "licensee.toml", base=copy.raw)


# ---------------------------------------------------------------- general


@holds(DICE_WORKS, "general/names")
def test_dw_general_names_the_side_bets_are_grouped_under_five_names(copy: Copy) -> None:
    rules = copy.rules
    grouped: dict[str, int] = {}
    for wager in rules.wagers.values():
        name = rules.groups[wager.group or ""].name.en
        grouped[name] = grouped.get(name, 0) + 1
    assert grouped == {
        "Dice Works": 3,
        "High Roller": 1,
        "Roll the Line": 1,
        "Parlay Craps": 10,
        "Parlay Craps with Dealer Envy": 14,
    }


@holds(DICE_WORKS, "general/groups")
def test_dw_general_groups_the_licensee_may_offer_any_combination_of_the_groups(copy: Copy) -> None:
    wagers = {
        "dice-works": set(WORKS),
        "high-roller": {"high-roller"},
        "roll-the-line": {"roll-the-line"},
        "parlay": {f"parlay/{name}" for name in PARLAY},
        "parlay-envy": {f"parlay-envy/{name}" for name in ENVY_PAYS},
    }
    for size in range(len(wagers) + 1):
        for chosen in combinations(wagers, size):
            rules = copy.under(options={"groups": ",".join(chosen)})
            assert set(rules.wagers) == {wager for group in chosen for wager in wagers[group]}
    assert set(copy.rules.wagers) == {wager for group in wagers.values() for wager in group}
    with pytest.raises(InputError, match="not offered here"):
        copy.play("all-lows=1", "1-1", options={"groups": "high-roller,parlay"})


# ---------------------------------------------------------------- Dice Works


@holds(DICE_WORKS, "dice-works/all-lows")
def test_dw_dice_works_all_lows_wins_when_2_3_4_5_and_6_are_rolled_before_the_seven(copy: Copy) -> None:
    rules = copy.rules
    for order in permutations((2, 3, 4, 5, 6)):
        outcome = played(rules, ["all-lows"], " ".join(map(str, order))).outcomes[0]
        assert (outcome.result, outcome.decided_by_roll) == ("win", 5)
    assert came(copy, "all-lows=1", "8 2 9 3 12 4 11 5 10 6") == ("win", 10)
    assert came(copy, "all-lows=1", "2 3 4 5 8 9 10 11 12") == ("running", None)
    assert came(copy, "all-lows=1", "2 3 4 5 7") == ("lose", 5)
    assert came(copy, "all-lows=1", "6 6 6 5 5 4 4 3 3 2") == ("win", 10)


@holds(DICE_WORKS, "dice-works/all-highs")
def test_dw_dice_works_all_highs_wins_when_8_to_12_are_rolled_before_the_seven(copy: Copy) -> None:
    rules = copy.rules
    for order in permutations((8, 9, 10, 11, 12)):
        outcome = played(rules, ["all-highs"], " ".join(map(str, order))).outcomes[0]
        assert (outcome.result, outcome.decided_by_roll) == ("win", 5)
    assert came(copy, "all-highs=1", "2 8 3 9 4 10 5 11 6 12") == ("win", 10)
    assert came(copy, "all-highs=1", "12 11 10 9 2 3 4 5 6") == ("running", None)
    assert came(copy, "all-highs=1", "12 11 10 9 7") == ("lose", 5)
    assert came(copy, "all-highs=1", "8 8 8 9 9 10 10 11 11 12") == ("win", 10)


@holds(DICE_WORKS, "dice-works/the-works")
def test_dw_dice_works_the_works_wins_when_all_ten_numbers_come_before_the_seven(copy: Copy) -> None:
    rules = copy.rules
    ten = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]
    for last in ten:
        nine = " ".join(str(number) for number in ten if number != last)
        running, won, lost = (played(rules, ["the-works"], f"{nine} {end}").outcomes[0] for end in (nine, last, 7))
        assert running.result == "running"
        assert (won.result, won.decided_by_roll) == ("win", 10)
        assert (lost.result, lost.decided_by_roll) == ("lose", 10)


@holds(DICE_WORKS, "dice-works/paytable")
def test_dw_dice_works_paytable_34_34_175_to_one_on_pt1_and_30_30_150_on_pt2(copy: Copy) -> None:
    rules = copy.rules
    for wager, pt1, pt2 in (("all-lows", 34, 30), ("all-highs", 34, 30), ("the-works", 175, 150)):
        assert rules.wagers[wager].paytables == ("PT1", "PT2")
        hand = " ".join(map(str, NUMBERS[wager]))
        assert gain(copy, wager, hand) == pt1
        assert gain(copy, wager, hand, paytable="PT1") == pt1
        assert gain(copy, wager, hand, paytable="PT2") == pt2
        assert rules.printed(copy.odds(wager, "win", "PT2")) == f"{pt2} to 1"
        licensee_may_not(copy, f"wager.{wager}.pays", [f"{pt1 + 5} to 1", f"{pt2} to 1"])
    # `3()` is read as 30 and has no other reading, so it is the same as printed.
    assert copy.under(as_printed=True).wagers["all-highs"].pays["PT2"]["win"] == Odds.to_one(30)


@holds(DICE_WORKS, "dice-works/lammers")
def test_dw_dice_works_lammers_show_which_numbers_have_been_rolled(copy: Copy) -> None:
    for wager, numbers in NUMBERS.items():
        assert progress_after(copy, wager, "") == {"paid": False, "marked": [], "missing": list(numbers)}
        for number in range(2, 13):
            marked = [number] if number in numbers else []
            missing = [other for other in numbers if other != number]
            assert progress_after(copy, wager, str(number)) == {"paid": False, "marked": marked, "missing": missing}
    # Four different numbers, one of them twice: a second lammer is not put down.
    assert progress_after(copy, "all-lows", "2 9 4 4 12")["marked"] == [2, 4]
    assert progress_after(copy, "all-highs", "2 9 4 4 12")["marked"] == [9, 12]
    assert progress_after(copy, "the-works", "2 9 4 4 12")["marked"] == [2, 4, 9, 12]


@holds(DICE_WORKS, "dice-works/paid")
def test_dw_dice_works_paid_once_when_all_numbers_are_rolled_then_waits_for_a_seven(copy: Copy) -> None:
    for wager, pays in (("all-lows", 34), ("all-highs", 34), ("the-works", 175)):
        hand = " ".join(map(str, NUMBERS[wager]))
        settlement = copy.outcome(f"{wager}=5", dice(hand)).settlement
        assert settlement is not None
        assert settlement.net == 500 * pays
        assert {f"dice-works/{wager}", "dice-works/paytable"} <= set(settlement.clauses)
        # All numbers come a second time: the area is paid already, and no one can bet on it.
        assert progress_after(copy, wager, hand) == {"paid": True}
        assert progress_after(copy, wager, f"{hand} {hand}") == {"paid": True}
        assert refused(copy, wager, hand) == "paid"
        with pytest.raises(InputError, match="again after a seven"):
            copy.play(f"{wager}=1@{len(hand.split()) + 1}", dice(hand))
        # The seven opens it again.
        assert progress_after(copy, wager, f"{hand} 7") == {
            "paid": False,
            "marked": [],
            "missing": list(NUMBERS[wager]),
        }
        assert refused(copy, wager, f"{hand} 7") is None


@holds(DICE_WORKS, "dice-works/seven")
def test_dw_dice_works_seven_any_seven_loses_all_three_and_takes_the_lammers_down(copy: Copy) -> None:
    seven_out_only = {"works-seven": "seven-out"}
    for wager in WORKS:
        bet = f"{wager}=1"
        assert came(copy, bet, "7") == ("lose", 1)
        assert came(copy, bet, "4 9 7") == ("lose", 3)
        # Point 9 made, then a seven on the next come-out.
        assert came(copy, bet, "9 4 9 7") == ("lose", 4)
        assert gain(copy, wager, "9 4 9 7") == -1
        assert progress_after(copy, wager, "9 4 9 7")["marked"] == []
        assert progress_after(copy, wager, "4 9 7")["marked"] == []
        # As its definition is printed: only the seven-out.
        assert came(copy, bet, "7", readings=seven_out_only) == ("running", None)
        assert came(copy, bet, "9 4 9 7 7", readings=seven_out_only) == ("running", None)
        assert came(copy, bet, "9 4 9 7 5 7", readings=seven_out_only) == ("lose", 6)
        assert progress_after(copy, wager, "9 4 9 7 5 7", readings=seven_out_only)["marked"] == []
    assert progress_after(copy, "the-works", "9 4 9 7", readings=seven_out_only)["marked"] == [4, 9]
    # 4 is made, a natural 7, craps 2 and 3, point 5, then 6 completes the lows.
    assert came(copy, "all-lows=1", "4 4 7 2 3 5 6", readings=seven_out_only) == ("win", 7)
    assert came(copy, "all-lows=1", "4 4 7 2 3 5 6") == ("lose", 3)
    # A paid area waits for the seven that would have lost: here, for the seven-out.
    lows = "2 3 4 5 6"
    assert progress_after(copy, "all-lows", f"{lows} 4 7", readings=seven_out_only) == {"paid": True}
    assert progress_after(copy, "all-lows", f"{lows} 4 7 8 7", readings=seven_out_only)["paid"] is False
    assert progress_after(copy, "all-lows", f"{lows} 4 7")["paid"] is False


@holds(DICE_WORKS, "dice-works/window")
def test_dw_dice_works_window_come_out_or_by_option_any_roll_while_no_number_has_hit(copy: Copy) -> None:
    #  after these rolls     all-lows         all-highs        the-works
    cases: dict[str, tuple[str | None, str | None, str | None]] = {
        "": (None, None, None),
        "7": (None, None, None),
        "8": ("come-out only", "come-out only", "come-out only"),
        "4": ("come-out only", "come-out only", "come-out only"),
        "3": ("marked", None, "marked"),
        "12": (None, "marked", "marked"),
        "8 8": (None, "marked", "marked"),
        "4 4": ("marked", None, "marked"),
        "4 9 4": ("marked", "marked", "marked"),
        "4 9 7": (None, None, None),
        "4 4 7": (None, None, None),
    }
    for rolls, expected in cases.items():
        assert tuple(refused(copy, wager, rolls) for wager in WORKS) == expected, rolls

    any_roll = {"works-window": "any-roll"}
    cases = {
        "": (None, None, None),
        "7": (None, None, None),
        "8": (None, "marked", "marked"),
        "8 9 12": (None, "marked", "marked"),
        "4": ("marked", None, "marked"),
        "4 4": ("marked", None, "marked"),
        "4 9": ("marked", "marked", "marked"),
        "4 9 7": (None, None, None),
    }
    for rolls, expected in cases.items():
        assert tuple(refused(copy, wager, rolls, options=any_roll) for wager in WORKS) == expected, rolls

    # The other reading: none of the ten numbers, whichever wager it is.
    none_of_ten = {"works-window": "none-of-the-ten"}
    for rolls in ("3", "12", "8 8", "4 4"):
        for wager in WORKS:
            assert refused(copy, wager, rolls, readings=none_of_ten) == "marked"
            assert refused(copy, wager, rolls, readings=none_of_ten, options=any_roll) == "marked"
            assert refused(copy, wager, f"{rolls} 7", readings=none_of_ten) is None
    assert [refused(copy, wager, "8", readings=none_of_ten) for wager in WORKS] == ["come-out only"] * 3
    assert [refused(copy, wager, "8", readings=none_of_ten, options=any_roll) for wager in WORKS] == ["marked"] * 3

    # A bet taken behind the point wins like any other: made before roll 2, the point being 8.
    assert came(copy, "all-lows=1@2", "8 2 3 4 5 6", options=any_roll) == ("win", 6)
    with pytest.raises(InputError, match="come-out"):
        copy.play("all-lows=1@2", dice("8 2 3 4 5 6"))


# ---------------------------------------------------------------- High Roller


@holds(DICE_WORKS, "high-roller/award")
def test_dw_high_roller_award_by_the_points_the_shooter_makes_before_a_seven_out(copy: Copy) -> None:
    # 11, 7 and 12 on the come-out make no point; 4, 10 and 5 are made; 9 is not.
    assert gain(copy, "high-roller", "11 7 12 4 6 4 10 10 7 5 8 5 9 7") == 4
    # Each of the six points can be made; the numbers between do not matter.
    assert gain(copy, "high-roller", "4 4 5 5 6 6 8 8 9 9 10 10 4 7") == 29
    assert gain(copy, "high-roller", "4 11 2 3 12 4 5 6 8 9 10 5 6 7") == -1
    # Only naturals: no points at all.
    assert gain(copy, "high-roller", "11 7 11 7 11 4 7") == -1
    # Bets are taken on a come-out roll while no point has been made.
    assert refused(copy, "high-roller") is None
    assert refused(copy, "high-roller", "7 11 2") is None
    assert refused(copy, "high-roller", "4") == "come-out only"
    assert refused(copy, "high-roller", "4 4") == "marked"
    assert refused(copy, "high-roller", "4 4 7 11") == "marked"
    assert refused(copy, "high-roller", "4 7") is None
    assert refused(copy, "high-roller", "4 4 5 7") is None


@holds(DICE_WORKS, "high-roller/paytable")
def test_dw_high_roller_paytable_from_4_to_one_for_3_points_to_299_for_10_or_more(copy: Copy) -> None:
    assert copy.rules.wagers["high-roller"].paytables == ("PT1",)
    column = {0: -1, 1: -1, 2: -1, 3: 4, 4: 9, 5: 19, 6: 29, 7: 49, 8: 99, 9: 190, 10: 299, 11: 299, 14: 299}
    for points, pays in column.items():
        assert gain(copy, "high-roller", f"{'6 6 ' * points}8 7", paytable="PT1") == pays, points

    def read(points: int, **readings: str) -> int | None:
        chosen = {name.replace("_", "-"): choice for name, choice in readings.items()}
        return gain(copy, "high-roller", f"{'6 6 ' * points}8 7", readings=chosen)

    assert read(3, high_roller_three="four-to-one") == 4
    assert read(3, high_roller_three="three-to-one") == 3
    assert read(3, high_roller_three="forty-three-to-one") == 43
    assert read(4, high_roller_three="forty-three-to-one") == 9
    assert read(9, high_roller_nine="one-ninety") == 190
    assert read(9, high_roller_nine="one-ninety-nine") == 199
    assert read(8, high_roller_nine="one-ninety-nine") == 99
    printed = copy.under(as_printed=True).wagers["high-roller"].pays["PT1"]
    assert printed["3"] == Odds.to_one(43)
    assert printed["9"] == Odds.to_one(190)
    licensee_may_not(copy, "wager.high-roller.pays.5", "20 to 1")


@holds(DICE_WORKS, "high-roller/lammers")
def test_dw_high_roller_lammers_the_dealer_marks_each_point_that_is_made(copy: Copy) -> None:
    #          craps, set,  made,      natural,     made,            seven-out
    for rolls, lammer in (
        ("12", None),
        ("12 5", None),
        ("12 5 5", 1),
        ("12 5 5 7", 1),
        ("12 5 5 7 9 4 9", 2),
        ("12 5 5 7 9 4 9 6 7", None),
    ):
        assert progress_after(copy, "high-roller", rolls)["lammer"] == lammer, rolls
    # The tenth lammer stays while the shooter continues.
    assert [progress_after(copy, "high-roller", "6 6 " * made)["lammer"] for made in (9, 10, 11, 12)] == [9, 10, 10, 10]
    assert [progress_after(copy, "high-roller", "6 6 " * made)["or_more"] for made in (9, 10, 11)] == [
        False,
        True,
        True,
    ]
    assert _who(copy, "mark") == {"dealer", "stick-person", "base-dealer"}


def _who(copy: Copy, act: str) -> set[str]:
    """The positions whose act it is. A craps dealer is the stick person or a base dealer."""
    return {role for step in copy.rules.procedure.round if step.act == act for role in step.who}


@holds(DICE_WORKS, "high-roller/paid")
def test_dw_high_roller_paid_when_3_or_more_points_have_been_made_and_not_for_2(copy: Copy) -> None:
    # Three points in a row, craps and naturals between them neutral; paid at the seven-out, not before.
    three = "4 4 2 3 12 5 5 7 11 6 6"
    assert came(copy, "high-roller=1", three) == ("running", None)
    assert came(copy, "high-roller=1", f"{three} 8") == ("running", None)
    assert came(copy, "high-roller=1", f"{three} 8 7") == ("win", 13)
    assert gain(copy, "high-roller", f"{three} 8 7") == 4
    assert gain(copy, "high-roller", "4 4 2 3 12 5 5 7 11 6 8 7") == -1
    assert gain(copy, "high-roller", "4 7") == -1


@holds(DICE_WORKS, "high-roller/seven")
def test_dw_high_roller_seven_out_ends_it_and_a_seven_on_the_come_out_does_not(copy: Copy) -> None:
    assert came(copy, "high-roller=1", "7 7 7") == ("running", None)
    assert came(copy, "high-roller=1", "7 7 7 4 7") == ("lose", 5)
    assert came(copy, "high-roller=1", "4 4 7 5 5 7 6 6 7") == ("running", None)
    assert came(copy, "high-roller=1", "4 4 7 5 5 7 6 6 7 8 7") == ("win", 11)
    # The come-out seven leaves the lammers, the seven-out takes them down.
    assert progress_after(copy, "high-roller", "4 4 5 5 7")["count"] == 2
    assert progress_after(copy, "high-roller", "4 4 5 5 7 6 7")["count"] == 0
    # The printed text has no other reading.
    assert copy.under(as_printed=True).wagers["high-roller"].spec == copy.rules.wagers["high-roller"].spec


# ---------------------------------------------------------------- Roll the Line


@holds(DICE_WORKS, "roll-the-line/award")
def test_dw_roll_the_line_award_by_the_pass_line_wins_before_a_seven_out(copy: Copy) -> None:
    # 7, 11, point 4 made, point 6 made: four wins; craps 2, 3 and 12 are neutral.
    assert gain(copy, "roll-the-line", "7 2 11 3 4 4 12 6 5 6 9 7") == 2
    assert gain(copy, "roll-the-line", "4 7") == -1
    # 11 with a point on is not a win.
    assert gain(copy, "roll-the-line", "4 11 11 11 11 7") == -1
    # Bets are taken on a come-out roll while there is no win.
    assert refused(copy, "roll-the-line") is None
    assert refused(copy, "roll-the-line", "2 3 12") is None
    assert refused(copy, "roll-the-line", "8") == "come-out only"
    assert refused(copy, "roll-the-line", "7") == "marked"
    assert refused(copy, "roll-the-line", "11") == "marked"
    assert refused(copy, "roll-the-line", "8 8") == "marked"
    assert refused(copy, "roll-the-line", "8 8 9 7") is None


@holds(DICE_WORKS, "roll-the-line/come-out-win")
def test_dw_roll_the_line_come_out_win_a_seven_or_11_on_the_come_out_roll_counts(copy: Copy) -> None:
    assert progress_after(copy, "roll-the-line", "7")["count"] == 1
    assert progress_after(copy, "roll-the-line", "11")["count"] == 1
    assert progress_after(copy, "roll-the-line", "7 11 7 7 11")["count"] == 5
    assert progress_after(copy, "roll-the-line", "2 3 12")["count"] == 0
    assert progress_after(copy, "roll-the-line", "4 11")["count"] == 0
    assert gain(copy, "roll-the-line", "7 11 7 4 7") == 1


@holds(DICE_WORKS, "roll-the-line/point-win")
def test_dw_roll_the_line_point_win_a_point_made_counts_as_much_as_a_natural(copy: Copy) -> None:
    for point in (4, 5, 6, 8, 9, 10):
        assert progress_after(copy, "roll-the-line", f"{point} {point}")["count"] == 1
        assert progress_after(copy, "roll-the-line", f"11 {point} 2 3 11 12 {point} 7")["count"] == 3
    # Two points and a natural: three wins, even money.
    assert gain(copy, "roll-the-line", "4 4 11 6 6 5 7") == 1


@holds(DICE_WORKS, "roll-the-line/pay-time")
def test_dw_roll_the_line_pay_time_the_pay_is_awarded_at_the_end_of_the_game(copy: Copy) -> None:
    twelve = "7 " * 6 + "4 4 " * 6
    for rolls in ("7", "7 7 7", twelve, f"{twelve} 8", f"{twelve} 8 6 5 11"):
        assert came(copy, "roll-the-line=1", rolls) == ("running", None)
    assert came(copy, "roll-the-line=1", f"{twelve} 8 7") == ("win", 20)
    assert gain(copy, "roll-the-line", f"{twelve} 8 7") == 50


@holds(DICE_WORKS, "roll-the-line/one-pay")
def test_dw_roll_the_line_one_pay_only_one_pay_per_game_is_awarded(copy: Copy) -> None:
    # Four wins (two naturals, two points) pay 2 to 1, not 1 to 1 for the third and 2 to 1 for the fourth.
    rolls = "7 11 4 4 5 5 6 7 11 11 11 11 11 4 7"
    assert came(copy, "roll-the-line=1", rolls) == ("win", 8)
    assert gain(copy, "roll-the-line", rolls) == 2
    # The next game starts at 0, and has its own bet and its own pay: five naturals.
    first, second = copy.play("roll-the-line=1 roll-the-line=1@9", dice(rolls)).outcomes
    assert (first.net, first.decided_by_roll) == (200, 8)
    assert (second.net, second.decided_by_roll) == (400, 15)


ROLL_THE_LINE = {
    #    PT1 PT2 PT3  PT4 PT5 PT6  PT7
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
    1: (-1, -1, -1, -1, -1, -1, -1),
    0: (-1, -1, -1, -1, -1, -1, -1),
}


@holds(DICE_WORKS, "roll-the-line/paytable")
def test_dw_roll_the_line_paytable_seven_tables_for_0_to_11_or_more_wins(copy: Copy) -> None:
    rules = copy.rules
    tables = ("PT1", "PT2", "PT3", "PT4", "PT5", "PT6", "PT7")
    assert rules.wagers["roll-the-line"].paytables == tables
    bets = [Bet("roll-the-line", Cents(100), 1, table) for table in tables]
    for wins, pays in {**ROLL_THE_LINE, 12: ROLL_THE_LINE[11], 17: ROLL_THE_LINE[11]}.items():
        # Every other win is a natural 7, the rest are points.
        hand = " ".join("7" if win % 2 else "6 6" for win in range(wins)) + " 8 7"
        outcomes = play(rules, bets, parse_rolls(dice(hand), 2)).outcomes
        assert tuple(outcome.net / 100 for outcome in outcomes) == pays, wins
    licensee_may_not(copy, "wager.roll-the-line.pays.2 wins", ["push"] * 7)


@holds(DICE_WORKS, "roll-the-line/win")
def test_dw_roll_the_line_win_is_a_pass_line_win_the_come_out_roll_included(copy: Copy) -> None:
    # What the pass line wins on, roll by roll: natural 11, point 8 made, natural 7, point 5 made.
    wins = [progress_after(copy, "roll-the-line", rolls)["count"] for rolls in ("11", "11 8", "11 8 8", "11 8 8 7")]
    assert wins == [1, 1, 2, 3]
    assert progress_after(copy, "roll-the-line", "11 8 8 7 5 11 5")["count"] == 4
    # What it loses on, or does not decide on: craps, and numbers behind the point.
    assert progress_after(copy, "roll-the-line", "2 3 12 5 2 3 11 12 6 8")["count"] == 0


@holds(DICE_WORKS, "roll-the-line/lammers")
def test_dw_roll_the_line_lammers_the_dealer_marks_each_win(copy: Copy) -> None:
    for rolls, lammer in (
        ("2", None),
        ("2 7", 1),
        ("2 7 9", 1),
        ("2 7 9 9", 2),
        ("2 7 9 9 11", 3),
        ("2 7 9 9 11 4 7", None),
    ):
        assert progress_after(copy, "roll-the-line", rolls)["lammer"] == lammer, rolls
    # The tenth lammer stays; the count continues to "11 or more".
    assert [progress_after(copy, "roll-the-line", "7 " * wins)["lammer"] for wins in (9, 10, 11, 12)] == [9, 10, 10, 10]
    assert [progress_after(copy, "roll-the-line", "7 " * wins)["or_more"] for wins in (10, 11, 12)] == [
        False,
        True,
        True,
    ]
    assert _who(copy, "mark") == {"dealer", "stick-person", "base-dealer"}


@holds(DICE_WORKS, "roll-the-line/paid")
def test_dw_roll_the_line_paid_with_3_or_more_wins_by_the_pay_table(copy: Copy) -> None:
    three, two = "7 4 2 4 12 11 8 7", "7 4 2 4 12 8 7"
    results = {table: copy.outcome("roll-the-line=5", dice(three), paytable=table) for table in _tables(7)}
    assert {table: outcome.net for table, outcome in results.items()} == {
        **dict.fromkeys(["PT1", "PT2", "PT3", "PT4", "PT5"], 500),
        **dict.fromkeys(["PT6", "PT7"], 0),
    }
    assert {results["PT6"].result, results["PT7"].result} == {"push"}
    results = {table: copy.outcome("roll-the-line=5", dice(two), paytable=table) for table in _tables(7)}
    assert results["PT1"].result == "push"
    assert {table: outcome.net for table, outcome in results.items()} == {
        "PT1": 0,
        **dict.fromkeys(["PT2", "PT3", "PT4", "PT5", "PT6", "PT7"], -500),
    }
    # Not paid before the seven-out.
    assert came(copy, "roll-the-line=5", "7 4 2 4 12 11 8") == ("running", None)


def _tables(number: int) -> list[str]:
    return [f"PT{table}" for table in range(1, number + 1)]


@holds(DICE_WORKS, "roll-the-line/seven")
def test_dw_roll_the_line_seven_out_ends_it_and_a_come_out_seven_is_a_win(copy: Copy) -> None:
    assert came(copy, "roll-the-line=1", "7") == ("running", None)
    assert came(copy, "roll-the-line=1", "7 4 7") == ("lose", 3)
    assert came(copy, "roll-the-line=1", "7 7 7 4 7") == ("win", 5)
    assert progress_after(copy, "roll-the-line", "7 7 7")["count"] == 3
    assert progress_after(copy, "roll-the-line", "7 7 7 4 7")["count"] == 0
    # As the last sentence is printed: the come-out seven ends it too, and is not counted itself.
    printed = {"roll-the-line-seven": "any-seven"}
    assert came(copy, "roll-the-line=1", "7", readings=printed) == ("lose", 1)
    assert gain(copy, "roll-the-line", "11 4 4 7", readings=printed) == 0
    assert gain(copy, "roll-the-line", "11 4 4 7", readings=printed, paytable="PT2") == -1
    assert came(copy, "roll-the-line=1", "11 4 4 11 7", readings=printed) == ("win", 5)
    assert gain(copy, "roll-the-line", "11 4 4 11 7", readings=printed) == 1
    assert progress_after(copy, "roll-the-line", "11 4 4 7", readings=printed)["count"] == 0


# ---------------------------------------------------------------- Parlay Craps


def wins_on_the_last_repeat(copy: Copy, wager: str, number: int, times: int) -> None:
    """Every other number but seven is rolled before each repeat: ten rolls for one."""
    others = " ".join(str(total) for total in range(2, 13) if total not in (7, number))
    rolls = f"{others} {number} " * times
    assert came(copy, f"{wager}=1", rolls) == ("win", 10 * times), wager
    assert came(copy, f"{wager}=1", rolls.removesuffix(f"{number} ")) == ("running", None), wager


@holds(DICE_WORKS, "parlay/award")
def test_dw_parlay_award_if_the_number_is_rolled_a_predetermined_number_of_times(copy: Copy) -> None:
    for name, (number, times) in PARLAY.items():
        wins_on_the_last_repeat(copy, f"parlay/{name}", number, times)


@holds(DICE_WORKS, "parlay/ends")
def test_dw_parlay_ends_with_the_last_repeat_in_a_row_or_not_or_with_the_seven(copy: Copy) -> None:
    assert came(copy, "parlay/4x4=1", "4 4 4 4") == ("win", 4)
    assert came(copy, "parlay/4x4=1", "4 5 4 6 8 4 2 4") == ("win", 8)
    assert came(copy, "parlay/4x4=1", "4 5 4 6 8 4 2") == ("running", None)
    # 4 is the point and made; 4 is the point again; seven-out.
    assert came(copy, "parlay/4x4=1", "4 4 4 7") == ("lose", 4)
    # Made once more, with one repeat to go; a seven on the come-out.
    assert came(copy, "parlay/5x5=1", "5 5 5 5 7 5") == ("lose", 5)
    seven_out_only = {"parlay-seven": "seven-out"}
    assert came(copy, "parlay/5x5=1", "5 5 5 5 7 5", readings=seven_out_only) == ("win", 6)
    assert came(copy, "parlay/5x5=1", "5 5 5 5 7 6 7", readings=seven_out_only) == ("lose", 7)


@holds(DICE_WORKS, "parlay/any-time")
def test_dw_parlay_any_time_as_long_as_the_number_has_not_been_rolled(copy: Copy) -> None:
    # The point is 8; 6 has come too.
    for name, (number, _) in PARLAY.items():
        assert refused(copy, f"parlay/{name}") is None
        assert refused(copy, f"parlay/{name}", "8 6") == ("marked" if number in (6, 8) else None), name
        assert refused(copy, f"parlay/{name}", "8 6 8") == ("marked" if number in (6, 8) else None), name
        assert refused(copy, f"parlay/{name}", "8 6 7") is None
    assert came(copy, "parlay/2x2=1@3", "8 6 2 5 2") == ("win", 5)
    with pytest.raises(InputError, match="already marked"):
        copy.play("parlay/6x6=1@3", dice("8 6 2 5 2"))


@holds(DICE_WORKS, "parlay/2x2")
def test_dw_parlay_2x2_a_two_is_rolled_two_times(copy: Copy) -> None:
    assert came(copy, "parlay/2x2=1", "12 2 3 12 11 4") == ("running", None)
    assert came(copy, "parlay/2x2=1", "12 2 3 12 11 4 2") == ("win", 7)


@holds(DICE_WORKS, "parlay/3x3")
def test_dw_parlay_3x3_a_three_is_rolled_three_times(copy: Copy) -> None:
    assert came(copy, "parlay/3x3=1", "3 2 12 3 2 12 9") == ("running", None)
    assert came(copy, "parlay/3x3=1", "3 2 12 3 2 12 9 3") == ("win", 8)


@holds(DICE_WORKS, "parlay/4x4")
def test_dw_parlay_4x4_a_four_is_rolled_four_times(copy: Copy) -> None:
    assert came(copy, "parlay/4x4=1", "4 2 12 4 3 4 10") == ("running", None)
    # The hard way and the easy way are the same four.
    assert copy.outcome("parlay/4x4=1", "2-2 1-1 6-6 1-3 1-2 2-2 4-6 3-1").decided_by_roll == 8


@holds(DICE_WORKS, "parlay/5x5")
def test_dw_parlay_5x5_a_five_is_rolled_five_times(copy: Copy) -> None:
    assert came(copy, "parlay/5x5=1", "2 5 12 5 3 5 9 5") == ("running", None)
    assert came(copy, "parlay/5x5=1", "2 5 12 5 3 5 9 5 5") == ("win", 9)


@holds(DICE_WORKS, "parlay/6x6")
def test_dw_parlay_6x6_a_six_is_rolled_six_times(copy: Copy) -> None:
    assert came(copy, "parlay/6x6=1", "6 2 6 12 6 3 6 8 6") == ("running", None)
    assert came(copy, "parlay/6x6=1", "6 2 6 12 6 3 6 8 6 6") == ("win", 10)


@holds(DICE_WORKS, "parlay/8x6")
def test_dw_parlay_8x6_an_eight_is_rolled_six_times(copy: Copy) -> None:
    assert came(copy, "parlay/8x6=1", "8 2 8 12 8 3 8 6 8") == ("running", None)
    assert came(copy, "parlay/8x6=1", "8 2 8 12 8 3 8 6 8 8") == ("win", 10)


@holds(DICE_WORKS, "parlay/9x5")
def test_dw_parlay_9x5_a_nine_is_rolled_five_times(copy: Copy) -> None:
    assert came(copy, "parlay/9x5=1", "2 9 12 9 3 9 5 9") == ("running", None)
    assert came(copy, "parlay/9x5=1", "2 9 12 9 3 9 5 9 9") == ("win", 9)


@holds(DICE_WORKS, "parlay/10x4")
def test_dw_parlay_10x4_a_ten_is_rolled_four_times(copy: Copy) -> None:
    assert came(copy, "parlay/10x4=1", "10 2 12 10 3 10 4") == ("running", None)
    assert came(copy, "parlay/10x4=1", "10 2 12 10 3 10 4 10") == ("win", 8)


@holds(DICE_WORKS, "parlay/11x3")
def test_dw_parlay_11x3_an_eleven_is_rolled_three_times(copy: Copy) -> None:
    assert came(copy, "parlay/11x3=1", "11 2 12 3 11 2 12") == ("running", None)
    assert came(copy, "parlay/11x3=1", "11 2 12 3 11 2 12 11") == ("win", 8)


@holds(DICE_WORKS, "parlay/12x2")
def test_dw_parlay_12x2_a_twelve_is_rolled_two_times(copy: Copy) -> None:
    assert came(copy, "parlay/12x2=1", "2 12 3 2 11 10") == ("running", None)
    assert came(copy, "parlay/12x2=1", "2 12 3 2 11 10 12") == ("win", 7)


@holds(DICE_WORKS, "parlay/lammers")
def test_dw_parlay_lammers_show_how_many_times_each_number_has_been_rolled(copy: Copy) -> None:
    for name, (number, times) in PARLAY.items():
        rolls = "2 3 4 5 6 8 9 10 11 12" + (f" {number}" if times > 2 else "")
        standing = {"paid": False, "numbers": [number], "count": 2 if times > 2 else 1, "of": times}
        assert progress_after(copy, f"parlay/{name}", rolls) == standing
        assert progress_after(copy, f"parlay/{name}", "")["count"] == 0
    counts = [
        progress_after(copy, "parlay/6x6", rolls)["count"] for rolls in ("6", "6 8", "6 8 6", "6 8 6 6", "6 8 6 6 7")
    ]
    assert counts == [1, 1, 2, 3, 0]


@holds(DICE_WORKS, "parlay/paid")
def test_dw_parlay_paid_by_the_pay_table_once_the_last_repeat_is_rolled(copy: Copy) -> None:
    for name, pays in PARLAY_PAYS.items():
        wager, (number, times) = f"parlay/{name}", PARLAY[name]
        hand = WINNING_HANDS[name]
        settlement = copy.outcome(f"{wager}=5", dice(hand)).settlement
        assert settlement is not None
        # "For one": 5 at 40 for 1 brings 200, the stake among them.
        assert settlement.net + settlement.stake == 500 * pays
        assert settlement.envy == 0
        assert {wager, "parlay/paytable"} <= set(settlement.clauses)
        # Paid once: further repeats pay nothing, and the area waits for a seven.
        assert progress_after(copy, wager, hand) == {"paid": True}
        assert progress_after(copy, wager, f"{hand} {hand}") == {"paid": True}
        assert refused(copy, wager, hand) == "paid"
        after = {"paid": False, "numbers": [number], "count": 0, "of": times}
        assert progress_after(copy, wager, f"{hand} 7") == after
        assert refused(copy, wager, f"{hand} 7") is None


@holds(DICE_WORKS, "parlay/seven")
def test_dw_parlay_seven_loses_all_ten_and_clears_the_lammers_on_the_come_out_too(copy: Copy) -> None:
    wagers = [f"parlay/{name}" for name in PARLAY]
    # All ten numbers but one repeat each; seven on the first roll; behind the point 4; after the point 4 was made.
    for rolls in ("7", "2 3 4 5 6 8 9 10 11 12 7", "2 3 4 5 6 8 9 10 11 12 4 7"):
        result = played(copy.rules, wagers, rolls)
        assert {outcome.result for outcome in result.outcomes} == {"lose"}
        assert {outcome.decided_by_roll for outcome in result.outcomes} == {len(rolls.split())}
        assert [result.lammers[wager]["count"] for wager in wagers] == [0] * 10
    # As the definitions are printed: a come-out seven leaves bets and lammers alone.
    rules = copy.under(readings={"parlay-seven": "seven-out"})
    for rolls, result_of_all in (("7", "running"), ("4 7", "lose"), ("4 4 7", "running"), ("4 4 7 5 7", "lose")):
        assert {outcome.result for outcome in played(rules, wagers, rolls).outcomes} == {result_of_all}
    assert played(rules, wagers, "4 4 7").lammers["parlay/4x4"]["count"] == 2
    assert played(rules, wagers, "4 4 7 5 7").lammers["parlay/4x4"]["count"] == 0


@holds(DICE_WORKS, "parlay/window")
def test_dw_parlay_window_come_out_only_or_any_time_unless_the_number_was_rolled(copy: Copy) -> None:
    any_roll, come_out = {"parlay-window": "any-roll"}, {"parlay-window": "come-out"}
    for rolls, default, on_come_out in (
        ("", None, None),
        ("8", None, "come-out only"),
        ("8 8", None, None),
        ("8 5 8", "marked", "marked"),
        ("8 5", "marked", "come-out only"),
        ("8 5 7", None, None),
        ("7", None, None),
    ):
        assert refused(copy, "parlay/5x5", rolls) == default, rolls
        assert refused(copy, "parlay/5x5", rolls, options=any_roll) == default, rolls
        assert refused(copy, "parlay/5x5", rolls, options=come_out) == on_come_out, rolls
    # A separate option: the wagers with Dealer Envy have theirs.
    assert refused(copy, "parlay-envy/5x5", "8", options=come_out) is None


@holds(DICE_WORKS, "parlay/paytable")
def test_dw_parlay_paytable_from_40_to_90_for_one(copy: Copy) -> None:
    rules = copy.rules
    for name, pays in PARLAY_PAYS.items():
        wager = f"parlay/{name}"
        assert rules.wagers[wager].paytables == ("PT1",)
        assert copy.odds(wager, "win", "PT1") == Odds.to_one(pays - 1)
        assert rules.printed(copy.odds(wager)) == f"{pays} for 1"
        assert gain(copy, wager, WINNING_HANDS[name], paytable="PT1") == pays - 1
    licensee_may_not(copy, "wager.parlay.pays.6x6", "90 to 1")


# ---------------------------------------------------------------- Parlay Craps with Dealer Envy


@holds(DICE_WORKS, "parlay-envy/wagers")
def test_dw_parlay_envy_wagers_are_the_ten_of_parlay_craps_and_four_more(copy: Copy) -> None:
    for name, (number, times) in PARLAY.items():
        wins_on_the_last_repeat(copy, f"parlay-envy/{name}", number, times)
    offered = {wager.selection for wager in copy.rules.wagers.values() if wager.family == "parlay-envy"}
    assert offered - set(PARLAY) == {"8x8", "9x9", "10x10", "2-3-11-12x7"}


@holds(DICE_WORKS, "parlay-envy/8x8")
def test_dw_parlay_envy_8x8_an_eight_is_rolled_eight_times(copy: Copy) -> None:
    assert came(copy, "parlay-envy/8x8=1", "8 2 8 12 8 3 8 6 8 8 8 9") == ("running", None)
    assert came(copy, "parlay-envy/8x8=1", "8 2 8 12 8 3 8 6 8 8 8 9 8") == ("win", 13)
    # Side by side with 8x6: one eight moves both.
    six, eight = copy.play("parlay-envy/8x6=1 parlay-envy/8x8=1", dice("8 8 8 8 8 8 8 8")).outcomes
    assert (six.decided_by_roll, eight.decided_by_roll) == (6, 8)


@holds(DICE_WORKS, "parlay-envy/9x9")
def test_dw_parlay_envy_9x9_a_nine_is_rolled_nine_times(copy: Copy) -> None:
    assert came(copy, "parlay-envy/9x9=1", "9 2 9 12 9 3 9 9 9 9 9 5") == ("running", None)
    assert came(copy, "parlay-envy/9x9=1", "9 2 9 12 9 3 9 9 9 9 9 5 9") == ("win", 13)


@holds(DICE_WORKS, "parlay-envy/10x10")
def test_dw_parlay_envy_10x10_a_ten_is_rolled_ten_times(copy: Copy) -> None:
    assert came(copy, "parlay-envy/10x10=1", "10 2 10 12 10 3 10 10 10 10 10 10 4") == ("running", None)
    assert came(copy, "parlay-envy/10x10=1", "10 2 10 12 10 3 10 10 10 10 10 10 4 10") == ("win", 14)


@holds(DICE_WORKS, "parlay-envy/2-3-11-12x7")
def test_dw_parlay_envy_2_3_11_12x7_any_of_2_3_11_or_12_is_rolled_seven_times(copy: Copy) -> None:
    wager = "parlay-envy/2-3-11-12x7"
    assert came(copy, f"{wager}=1", "2 3 11 12 4 5 6 8 9 10 11 2") == ("running", None)
    assert came(copy, f"{wager}=1", "2 3 11 12 4 5 6 8 9 10 11 2 3") == ("win", 13)
    # One of them alone is enough.
    for number in (2, 3, 11, 12):
        assert came(copy, f"{wager}=1", f"{number} " * 6) == ("running", None)
        assert came(copy, f"{wager}=1", f"{number} " * 7) == ("win", 7)
    assert came(copy, f"{wager}=1", "2 3 11 12 2 3 7") == ("lose", 7)


@holds(DICE_WORKS, "parlay-envy/dealer-pay")
def test_dw_parlay_envy_dealer_pay_the_dealer_is_paid_too_if_the_player_wins(copy: Copy) -> None:
    for name, envy in DEALER_ENVY.items():
        bet, hand = f"parlay-envy/{name}=5", dice(WINNING_HANDS[name])
        flat = copy.outcome(bet, hand).settlement
        multiple = copy.outcome(bet, hand, readings={"dealer-envy-unit": "multiple"}).settlement
        assert flat is not None
        assert multiple is not None
        # Whole dollars whatever the stake; or so many times the five dollars staked.
        assert flat.envy == envy * 100
        assert multiple.envy == envy * 500
        # It is the house's money: the player has the same either way.
        assert flat.net == multiple.net == 500 * (ENVY_PAYS[name] - 1)
        assert "parlay-envy/dealer-pay" in flat.clauses
        lost = copy.outcome(bet, dice("7")).settlement
        assert lost is not None
        assert lost.envy == 0
    # Once per winning wager: two players on the same number, two envies.
    both = copy.play("parlay-envy/2x2=1 parlay-envy/2x2=25", dice("2 2")).outcomes
    assert [outcome.settlement and outcome.settlement.envy for outcome in both] == [200, 200]


@holds(DICE_WORKS, "parlay-envy/lammers")
def test_dw_parlay_envy_lammers_show_how_many_times_each_number_has_been_rolled(copy: Copy) -> None:
    # Every number once, 8 three times: no sevens.
    rolls = "8 2 3 4 5 6 8 9 10 11 12 8"
    counts = {name: (1, [number], times) for name, (number, times) in PARLAY.items()} | {
        "8x6": (3, [8], 6),
        "8x8": (3, [8], 8),
        "9x9": (1, [9], 9),
        "10x10": (1, [10], 10),
        "2-3-11-12x7": (4, [2, 3, 11, 12], 7),
    }
    for name, (count, numbers, times) in counts.items():
        wager = f"parlay-envy/{name}"
        assert progress_after(copy, wager, rolls) == {"paid": False, "numbers": numbers, "count": count, "of": times}


@holds(DICE_WORKS, "parlay-envy/paid")
def test_dw_parlay_envy_paid_by_the_pay_table_once_the_last_repeat_is_rolled(copy: Copy) -> None:
    for name, pays in ENVY_PAYS.items():
        wager, hand = f"parlay-envy/{name}", WINNING_HANDS[name]
        settlement = copy.outcome(f"{wager}=2", dice(hand)).settlement
        assert settlement is not None
        assert settlement.net + settlement.stake == 200 * pays
        assert {"parlay-envy/paid", "parlay-envy/paytable"} <= set(settlement.clauses)
        assert progress_after(copy, wager, hand) == {"paid": True}
        assert progress_after(copy, wager, f"{hand} {hand}") == {"paid": True}
        assert refused(copy, wager, hand) == "paid"
        assert progress_after(copy, wager, f"{hand} 7")["count"] == 0
        assert refused(copy, wager, f"{hand} 7") is None


@holds(DICE_WORKS, "parlay-envy/seven")
def test_dw_parlay_envy_seven_loses_all_fourteen_on_the_come_out_too(copy: Copy) -> None:
    wagers = [f"parlay-envy/{name}" for name in ENVY_PAYS]
    for rolls in ("7", "2 3 4 5 6 8 9 10 11 12 7", "2 3 4 5 6 8 9 10 11 12 4 7"):
        result = played(copy.rules, wagers, rolls)
        assert {outcome.result for outcome in result.outcomes} == {"lose"}
        assert {outcome.decided_by_roll for outcome in result.outcomes} == {len(rolls.split())}
        assert [result.lammers[wager]["count"] for wager in wagers] == [0] * 14
    rules = copy.under(readings={"parlay-seven": "seven-out"})
    for rolls, result_of_all in (("7", "running"), ("4 7", "lose"), ("4 4 7", "running"), ("4 4 7 5 7", "lose")):
        assert {outcome.result for outcome in played(rules, wagers, rolls).outcomes} == {result_of_all}


@holds(DICE_WORKS, "parlay-envy/window")
def test_dw_parlay_envy_window_outside_the_come_out_while_the_number_has_not_hit(copy: Copy) -> None:
    any_roll, come_out = {"parlay-envy-window": "any-roll"}, {"parlay-envy-window": "come-out"}
    for rolls, default, on_come_out in (
        ("", None, None),
        ("8", None, "come-out only"),
        ("8 8", None, None),
        ("8 10 8", "marked", "marked"),
        ("8 10", "marked", "come-out only"),
        ("8 10 7", None, None),
    ):
        for wager in ("parlay-envy/10x4", "parlay-envy/10x10"):
            assert refused(copy, wager, rolls) == default, rolls
            assert refused(copy, wager, rolls, options=any_roll) == default, rolls
            assert refused(copy, wager, rolls, options=come_out) == on_come_out, rolls
    # Any of its four numbers shuts the wager on all four.
    for number in (2, 3, 11, 12):
        assert refused(copy, "parlay-envy/2-3-11-12x7", f"8 {number}") == "marked"
    assert refused(copy, "parlay-envy/2-3-11-12x7", "8 4 5 6 9 10") is None
    assert refused(copy, "parlay/10x4", "8", options=come_out) is None


@holds(DICE_WORKS, "parlay-envy/paytable")
def test_dw_parlay_envy_paytable_40_to_45000_for_one_and_2_to_10_for_the_dealers(copy: Copy) -> None:
    rules = copy.rules
    for name, pays in ENVY_PAYS.items():
        wager = f"parlay-envy/{name}"
        assert rules.wagers[wager].paytables == ("PT1",)
        assert rules.printed(copy.odds(wager, "win", "PT1")) == f"{pays:,} for 1"
        settlement = copy.outcome(f"{wager}=1", dice(WINNING_HANDS[name]), paytable="PT1").settlement
        assert settlement is not None
        assert (settlement.net, settlement.envy) == (100 * (pays - 1), 100 * DEALER_ENVY[name]), name
    licensee_may_not(copy, "wager.parlay-envy.pays.8x8", "500 for 1")
