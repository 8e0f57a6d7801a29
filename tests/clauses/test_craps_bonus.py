"""House rules for craps side bets, worked by hand. At least one test per clause.

Hands are written as totals, or as faces where these matter. A hand begins on the come-out.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from pitbook.engine.progress import lammers
from pitbook.errors import InputError
from pitbook.rulebooks.catalogue import build
from tests.clauses.clause_marks import holds
from tests.clauses.copies import Copy, beyond_the_base, patched
from tests.clauses.test_craps import dice

BONUS = "craps-bonus"
NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
POINTS = (4, 5, 6, 8, 9, 10)
DOUBLES = tuple(f"{face}-{face}" for face in range(1, 7))


def came(copy: Copy, wager: str, totals: str, paytable: str = "A") -> tuple[str, float]:
    """How a stake of 10 came out: the result, and what was won or lost in whole units."""
    outcome = copy.outcome(f"{wager}=10", dice(totals), paytable=paytable)
    return outcome.result, outcome.net / 100


def refused(copy: Copy, wager: str, totals: str) -> tuple[str, ...] | None:
    """The clauses by which a wager is refused after these rolls; None if it is taken."""
    closed = copy.closed(wager, dice(totals))
    return closed.clauses if closed else None


def marked(copy: Copy, wager: str, totals: str) -> list[object]:
    """What the lammers of a wager show after these rolls."""
    return list(lammers(*copy.after(dice(totals)))[wager]["marked"])


LOST, RUNS = ("lose", -10), ("running", 0)


@holds(BONUS, "1.2")
def test_craps_bonus_1_2_the_house_offers_any_group_by_one_of_its_pay_tables(copy: Copy) -> None:
    groups = {
        "fire": {"fire-bet"},
        "small-tall-all": {"small", "tall", "all"},
        "repeater": {f"repeater/{number}" for number in NUMBERS},
        "doubles": {"different-doubles"},
        "hot-shooter": {"hot-shooter"},
        "hot-hand": {"hot-hand"},
    }
    assert set(copy.rules.wagers) == set().union(*groups.values())
    assert not copy.under(options={"groups": ""}).wagers
    for size in (1, 2, 5):
        for chosen in combinations(groups, size):
            offered = copy.under(options={"groups": ",".join(chosen)}).wagers
            assert set(offered) == set().union(*(groups[group] for group in chosen))
    for wager in copy.rules.wagers.values():
        with pytest.raises(InputError):
            copy.rules.paytable(wager, "C")


@holds(BONUS, "1.3")
def test_craps_bonus_1_3_odds_are_paid_as_stated_and_for_odds_with_the_stake_in_them(copy: Copy) -> None:
    assert came(copy, "small", "2 3 4 5 6") == ("win", 300)  # 30 to 1
    assert came(copy, "fire-bet", "4 4 5 5 6 6 8 8 4 7") == ("win", 240)  # 25 for 1: 250 with the stake
    for pays in ("29 to 1", "31 to 1"):
        own = build(patched(copy.raw, {"wager.small.pays": [pays, "34 to 1"]}), "own.toml")
        assert beyond_the_base(own, copy.rules)


# ---------------------------------------------------------------- Fire Bet


def made(points: str) -> str:
    """A hand in which these points are set and made."""
    return " ".join(f"{point} {point}" for point in points.split())


FIRE = {"A": {4: 240.0, 5: 2490.0, 6: 9990.0}, "B": {4: 90.0, 5: 1990.0, 6: 19990.0}}
"""What a stake of 10 wins by points made: "for" odds less the stake."""


@holds(BONUS, "2.1")
def test_craps_bonus_2_1_the_fire_bet_counts_different_points_made(copy: Copy) -> None:
    for size in range(1, 6):
        for points in combinations(POINTS, size):
            hand = made(" ".join(map(str, points)))
            assert marked(copy, "fire-bet", hand) == list(points)
            assert came(copy, "fire-bet", f"{hand} {points[0]} 7")[0] == ("win" if size > 3 else "lose")
    # The same point twice counts once; numbers on the way, naturals and craps count for nothing.
    assert marked(copy, "fire-bet", "4 4 4 4") == [4]
    assert marked(copy, "fire-bet", "7 11 2 4 5 6 8 9 10 4") == [4]
    # A seven on the come-out does not end it; the seven-out does.
    assert came(copy, "fire-bet", "4 4 7 5 5 7 6 6") == RUNS
    assert came(copy, "fire-bet", "4 4 5 7") == LOST
    # The sixth ends it.
    assert came(copy, "fire-bet", made("4 5 6 8 9 10"))[0] == "win"
    assert came(copy, "fire-bet", made("4 5 6 8 9")) == RUNS


@holds(BONUS, "2.2")
def test_craps_bonus_2_2_the_fire_bet_pays_by_4_5_and_6_points(copy: Copy) -> None:
    assert copy.rules.groups["fire"].paytables == ["A", "B"]
    for paytable, wins in FIRE.items():
        for count in range(7):
            hand = made(" ".join(map(str, POINTS[:count])))
            ends = hand if count == 6 else f"{hand} 4 7"
            assert came(copy, "fire-bet", ends, paytable) == (("win", wins[count]) if count > 3 else LOST)


@holds(BONUS, "2.3")
def test_craps_bonus_2_3_the_fire_bet_is_made_before_any_point_is_made(copy: Copy) -> None:
    for taken in ("", "7", "11", "2", "4 7", "4 4 5 7"):
        assert refused(copy, "fire-bet", taken) is None
    for closed in ("4", "4 5", "4 4", "4 4 7", "4 4 5"):
        assert refused(copy, "fire-bet", closed) == ("2.3",)


# ---------------------------------------------------------------- Small, Tall and All

SMALL, TALL, ALL = (2, 3, 4, 5, 6), (8, 9, 10, 11, 12), NUMBERS


def check_collects(copy: Copy, wager: str, numbers: tuple[int, ...]) -> None:
    """Each of these numbers once, in any order, before any seven; nothing less and no others."""
    hand = [str(number) for number in numbers]
    others = [str(number) for number in NUMBERS if number not in numbers]
    for order in (hand, hand[::-1], hand[2:] + hand[:2], [*hand[:1], *hand], [*others, *hand]):
        assert came(copy, wager, " ".join(order))[0] == "win"
    for missing in hand:
        rest = " ".join(one for one in hand if one != missing)
        assert came(copy, wager, f"{rest} {rest}") == RUNS
        assert came(copy, wager, f"{rest} 7 {missing}") == LOST
    assert came(copy, wager, "7") == LOST  # a seven on the come-out, too
    for number in NUMBERS:
        assert marked(copy, wager, str(number)) == ([number] if number in numbers else [])


@holds(BONUS, "3.1")
def test_craps_bonus_3_1_small_is_each_of_2_to_6_before_a_seven(copy: Copy) -> None:
    check_collects(copy, "small", SMALL)


@holds(BONUS, "3.2")
def test_craps_bonus_3_2_tall_is_each_of_8_to_12_before_a_seven(copy: Copy) -> None:
    check_collects(copy, "tall", TALL)


@holds(BONUS, "3.3")
def test_craps_bonus_3_3_all_is_all_ten_before_a_seven(copy: Copy) -> None:
    check_collects(copy, "all", ALL)


@holds(BONUS, "3.4")
def test_craps_bonus_3_4_they_pay_30_30_and_150_to_1_or_34_34_and_175(copy: Copy) -> None:
    assert copy.rules.groups["small-tall-all"].paytables == ["A", "B"]
    for paytable, pays in (("A", (30, 30, 150)), ("B", (34, 34, 175))):
        for wager, numbers, wins in zip(("small", "tall", "all"), (SMALL, TALL, ALL), pays, strict=True):
            assert came(copy, wager, " ".join(map(str, numbers)), paytable) == ("win", 10 * wins)


@holds(BONUS, "3.5")
def test_craps_bonus_3_5_they_are_made_before_a_come_out_while_unmarked(copy: Copy) -> None:
    for wager, numbers in (("small", SMALL), ("tall", TALL), ("all", ALL)):
        for taken in ("", "7", "4 7", "8 9 7"):
            assert refused(copy, wager, taken) is None
        for total in (2, 3, 11, 12):  # still a come-out
            assert refused(copy, wager, str(total)) == (("3.5",) if total in numbers else None)
        for point in POINTS:
            assert refused(copy, wager, str(point)) == ("3.5",)
            assert refused(copy, wager, f"{point} {point}") == (("3.5",) if point in numbers else None)


# ---------------------------------------------------------------- Repeater

TIMES = {2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 8: 6, 9: 5, 10: 4, 11: 3, 12: 2}
REPEATED = {2: 40, 3: 50, 4: 65, 5: 80, 6: 90}


@holds(BONUS, "4.1")
def test_craps_bonus_4_1_a_repeater_is_its_number_so_many_times_before_a_seven(copy: Copy) -> None:
    for number, times in TIMES.items():
        wager, other = f"repeater/{number}", 3 if number == 2 else 2
        hand = [str(number)] * times
        assert came(copy, wager, " ".join(hand))[0] == "win"
        assert came(copy, wager, f" {other} ".join(hand))[0] == "win"
        assert came(copy, wager, " ".join(hand[1:])) == RUNS
        assert came(copy, wager, " ".join([*hand[1:], "7"])) == LOST
        assert came(copy, wager, "7") == LOST
        for total in NUMBERS:
            if total != number:
                assert came(copy, wager, " ".join([str(total)] * 7)) == RUNS


@holds(BONUS, "4.2")
def test_craps_bonus_4_2_repeaters_pay_40_50_65_80_and_90_to_1(copy: Copy) -> None:
    assert copy.rules.groups["repeater"].paytables == ["A"]
    for number, times in TIMES.items():
        assert came(copy, f"repeater/{number}", " ".join([str(number)] * times)) == ("win", 10 * REPEATED[times])


@holds(BONUS, "4.3")
def test_craps_bonus_4_3_a_repeater_is_made_on_any_roll_while_unmarked(copy: Copy) -> None:
    for number in NUMBERS:
        for before in ("", "4", "4 5", "4 4", "2", "7", "12 9"):
            came_before = str(number) in before.split()
            assert refused(copy, f"repeater/{number}", before) == (("4.3",) if came_before else None)
        assert refused(copy, f"repeater/{number}", f"{number} 7") is None


# ---------------------------------------------------------------- Different Doubles


@holds(BONUS, "5.1")
def test_craps_bonus_5_1_different_doubles_counts_doubles_before_a_seven(copy: Copy) -> None:
    for size in range(1, 6):
        for chosen in combinations(DOUBLES, size):
            hand = " ".join(chosen)
            assert len(marked(copy, "different-doubles", hand)) == size
            assert came(copy, "different-doubles", f"{hand} 7")[0] == ("win" if size > 2 else "lose")
    # The same double twice counts once, the same totals in another way for nothing.
    assert len(marked(copy, "different-doubles", "3-3 3-3 4 6 8 10")) == 1
    assert came(copy, "different-doubles", " ".join(DOUBLES))[0] == "win"
    assert came(copy, "different-doubles", "7") == LOST
    # A seven on the come-out ends it, too.
    assert came(copy, "different-doubles", "2-2 2-2 7") == LOST


@holds(BONUS, "5.2")
def test_craps_bonus_5_2_3_to_6_doubles_pay_4_8_15_and_100_to_1(copy: Copy) -> None:
    assert copy.rules.groups["doubles"].paytables == ["A"]
    for count, pays in enumerate((None, None, None, 4, 8, 15, 100)):
        hand = " ".join(DOUBLES[:count]) + ("" if count == 6 else " 7")
        assert came(copy, "different-doubles", hand) == (("win", 10 * pays) if pays else LOST)


@holds(BONUS, "5.3")
def test_craps_bonus_5_3_different_doubles_is_made_while_unmarked(copy: Copy) -> None:
    for taken in ("", "7", "11", "3", "4 4", "3-3 7"):
        assert refused(copy, "different-doubles", taken) is None
    for closed in ("4", "3-3", "3-3 6", "2", "12"):
        assert refused(copy, "different-doubles", closed) == ("5.3",)


# ---------------------------------------------------------------- Hot Shooter and Hot Hand


def rolled(count: int) -> str:
    """A hand of so many rolls before its seven-out: naturals and craps, then a point."""
    return " ".join([*(["7", "11", "2"] * 20)[: count - 1], "4", "7"])


@holds(BONUS, "6.1")
def test_craps_bonus_6_1_hot_shooter_counts_the_rolls_before_the_seven_out(copy: Copy) -> None:
    for count in (1, 9, 10, 19, 20, 29, 30, 45):
        assert came(copy, "hot-shooter", rolled(count))[0] == ("win" if count >= 10 else "lose")
        assert came(copy, "hot-shooter", rolled(count).removesuffix(" 7")) == RUNS
    # Sevens on the come-out count as rolls, and end nothing.
    assert came(copy, "hot-shooter", " ".join(["7"] * 9 + ["4", "7"])) == ("win", 10)
    assert came(copy, "hot-shooter", " ".join(["4"] * 10 + ["5", "7"])) == ("win", 10)


@holds(BONUS, "6.2")
def test_craps_bonus_6_2_hot_shooter_pays_1_4_and_15_to_1_by_10_20_and_30_rolls(copy: Copy) -> None:
    assert copy.rules.groups["hot-shooter"].paytables == ["A"]
    for count in range(1, 41):
        pays = 15 if count >= 30 else 4 if count >= 20 else 1 if count >= 10 else 0
        assert came(copy, "hot-shooter", rolled(count)) == (("win", 10 * pays) if pays else LOST)


@holds(BONUS, "6.3")
def test_craps_bonus_6_3_hot_shooter_is_made_before_the_first_roll_of_a_hand(copy: Copy) -> None:
    for taken in ("", "4 7", "7 11 4 5 7"):
        assert refused(copy, "hot-shooter", taken) is None
    for closed in ("7", "11", "2", "4", "4 4", "4 5", "4 7 11"):
        assert refused(copy, "hot-shooter", closed) == ("6.3",)


@holds(BONUS, "7.1")
def test_craps_bonus_7_1_hot_hand_counts_the_ten_numbers_before_a_seven(copy: Copy) -> None:
    for missing in NUMBERS:
        hand = " ".join(str(number) for number in NUMBERS if number != missing)
        assert came(copy, "hot-hand", hand) == RUNS
        assert came(copy, "hot-hand", f"{hand} 7")[0] == "win"
        assert came(copy, "hot-hand", f"{hand} {missing}")[0] == "win"
        assert marked(copy, "hot-hand", str(missing)) == [missing]
        assert len(marked(copy, "hot-hand", f"{missing} {missing}")) == 1
    assert came(copy, "hot-hand", "7") == LOST
    assert came(copy, "hot-hand", "2 3 4 5 6 8 9 10 7") == LOST


@holds(BONUS, "7.2")
def test_craps_bonus_7_2_9_numbers_pay_20_to_1_and_all_ten_80(copy: Copy) -> None:
    assert copy.rules.groups["hot-hand"].paytables == ["A"]
    for count in range(11):
        hand = " ".join(map(str, NUMBERS[:count])) + ("" if count == 10 else " 7")
        assert came(copy, "hot-hand", hand) == (("win", 800) if count == 10 else ("win", 200) if count == 9 else LOST)


@holds(BONUS, "7.3")
def test_craps_bonus_7_3_hot_hand_is_made_before_a_come_out_while_unmarked(copy: Copy) -> None:
    for taken in ("", "7", "4 7", "2 3 7"):
        assert refused(copy, "hot-hand", taken) is None
    for closed in ("2", "11", "4", "4 4", "4 5"):
        assert refused(copy, "hot-hand", closed) == ("7.3",)
