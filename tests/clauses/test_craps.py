"""House rules for craps: the base game, worked by hand. At least one test per clause.

Hands are written as totals, or as faces where these matter: "4 6 3-3". A hand begins on the come-out.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import pytest

from pitbook.dice import parse_rolls
from pitbook.engine import standing
from pitbook.engine.progress import advance
from pitbook.engine.settle import check_stake
from pitbook.errors import InputError
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import build
from tests.clauses.clause_marks import holds
from tests.clauses.copies import Copy, beyond_the_base, patched

CRAPS = "craps"
TOTALS = range(2, 13)
POINTS = (4, 5, 6, 8, 9, 10)
OUTER = (2, 3, 11, 12)
TRUE = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5), 8: Fraction(6, 5), 9: Fraction(3, 2), 10: Fraction(2)}
"""What a number pays at true odds before a seven."""
CRAPLESS = {"crapless": "on"}


def dice(totals: str) -> str:
    """Rolls that show these totals, none of them a pair but 2 and 12: "4 12 3-3" -> "1-3 6-6 3-3"."""
    words = (word if "-" in word else int(word) for word in totals.split())
    return " ".join(word if isinstance(word, str) else f"{max(1, word - 6)}-{min(6, word - 1)}" for word in words)


def nets(copy: Copy, bets: str, totals: str, acts: str = "", **options: str) -> list[tuple[str, float]]:
    """How bets came out, in the order given: the result, and what was won or lost in whole units."""
    chosen = {name.replace("_", "-"): choice for name, choice in options.items()}
    found = copy.play(bets, dice(totals), options=chosen, acts=acts)
    return [(one.result, one.net / 100) for one in found.outcomes]


def net(copy: Copy, bet: str, totals: str, acts: str = "", **options: str) -> tuple[str, float]:
    """How one bet came out."""
    (found,) = nets(copy, bet, totals, acts, **options)
    return found


def last(copy: Copy, bets: str, totals: str, acts: str = "", **options: str) -> tuple[str, float]:
    """How the last of several bets came out."""
    return nets(copy, bets, totals, acts, **options)[-1]


def refused(copy: Copy, bets: str, totals: str, acts: str = "", **options: str) -> str:
    """The clause, of several the first, by which bets or acts are refused."""
    with pytest.raises(InputError) as stopped:
        nets(copy, bets, totals, acts, **options)
    return str(stopped.value).rpartition("(")[2].rstrip(")").split(", ")[0]


def won(units: float | Fraction) -> tuple[str, float]:
    return "win", float(units)


def lost(units: float) -> tuple[str, float]:
    return "lose", -units


RUNS = "running", 0
PUSH = "push", 0


# ---------------------------------------------------------------- 1. the game


@holds(CRAPS, "1.1")
def test_craps_1_1_two_dice_and_only_the_bets_named_here(copy: Copy) -> None:
    assert copy.rules.dice == 2
    for rolls in ("1-2-3", "4", "0-3", "3-7"):
        with pytest.raises(InputError):
            copy.play("field=5", rolls)
    for bet in ("over-7=5", "place/7=5", "hop/7-7=5", "hard/5=5", "big/4=5", "come-odds=5", "fire-bet=5"):
        with pytest.raises(InputError):
            copy.play(bet, "1-2")
    assert {wager.family for wager in copy.rules.wagers.values()} == {
        *(
            "pass-line",
            "dont-pass",
            "come",
            "dont-come",
            "pass-line-odds",
            "dont-pass-odds",
            "come-odds",
            "dont-come-odds",
        ),
        *("place", "buy", "lay", "big", "hard", "field", "any-seven", "any-craps", "two", "three", "eleven", "twelve"),
        *("horn", "world", "c-and-e", "hop"),
    }


def call(copy: Copy, before: str, total: int) -> str:
    """What a roll is to the hand after others."""
    rules, progress = copy.after(dice(before))
    return str(advance(rules, progress, parse_rolls(dice(str(total)), 2)[0]).call)


@holds(CRAPS, "1.2")
def test_craps_1_2_on_the_come_out_7_and_11_are_naturals_and_2_3_12_craps(copy: Copy) -> None:
    # A roll that begins a hand; one that follows a natural, craps, a point that was made, a seven-out.
    for before in ("", "7", "3", "4 4", "4 7"):
        assert {total: call(copy, before, total) for total in TOTALS if total not in POINTS} == {
            7: "natural", 11: "natural", 2: "craps", 3: "craps", 12: "craps",
        }  # fmt: skip
    assert call(copy, "4", 7) == "seven-out"
    assert {call(copy, "4", total) for total in OUTER} == {"no decision"}


@holds(CRAPS, "1.3")
def test_craps_1_3_any_other_total_becomes_the_point(copy: Copy) -> None:
    for total in TOTALS:
        _, progress = copy.after(dice(str(total)))
        assert progress.hand.point == (total if total in POINTS else None)


@holds(CRAPS, "1.4")
def test_craps_1_4_the_point_is_on_until_it_is_made_or_a_seven(copy: Copy) -> None:
    for point in POINTS:
        for total in TOTALS:
            _, progress = copy.after(dice(f"{point} {total}"))
            assert progress.hand.point == (None if total in (point, 7) else point)
            expected = "point made" if total == point else "seven-out" if total == 7 else "no decision"
            assert call(copy, str(point), total) == expected


# ---------------------------------------------------------------- 2. line bets


@holds(CRAPS, "2.1")
def test_craps_2_1_pass_line_wins_on_a_natural_then_if_the_point_is_made(copy: Copy) -> None:
    for first in TOTALS:
        expected = won(10) if first in (7, 11) else lost(10) if first in (2, 3, 12) else RUNS
        assert net(copy, "pass-line=10", str(first)) == expected
    for point in POINTS:
        for total in TOTALS:
            expected = won(10) if total == point else lost(10) if total == 7 else RUNS
            assert net(copy, "pass-line=10", f"{point} {total}") == expected


@holds(CRAPS, "2.2")
def test_craps_2_2_pass_line_is_made_before_a_come_out_and_stays_with_a_point(copy: Copy) -> None:
    for point in POINTS:
        assert refused(copy, "pass-line=10@2", f"{point} 3") == "2.2"
        assert refused(copy, "pass-line=10 pass-line=5@2", f"{point} 3") == "2.2"
        assert refused(copy, "pass-line=10", f"{point} 3", "take down pass-line@2") == "2.2"
        # Made before the next come-out roll.
        assert nets(copy, "pass-line=10 pass-line=10@3", f"{point} {point} 7") == [won(10), won(10)]
        assert taken_down(copy, "pass-line", str(point)) == "2.2"
    for before in ("", "7", "3", "4 4", "4 7"):
        assert taken_down(copy, "pass-line", before) is None


def taken_down(copy: Copy, wager: str, totals: str) -> str | None:
    """The clause by which a bet made earlier is not taken down after these rolls; None if it is."""
    rules, progress = copy.after(dice(totals))
    closed = standing.take_down_refused(
        rules, progress, standing.new_standing(progress, rules.wagers[wager], Cents(100))
    )
    return closed.clauses[0] if closed else None


@holds(CRAPS, "2.3")
def test_craps_2_3_with_the_option_put_it_is_made_or_increased_with_a_point_on(copy: Copy) -> None:
    for point in POINTS:
        made = nets(copy, "pass-line=10 pass-line=5@2", f"{point} {point}", put="on")
        assert made == [won(10), won(5)]
        assert net(copy, "pass-line=5@2", f"{point} 7", put="on") == lost(5)
        assert refused(copy, "pass-line=10@2", f"{point} 3", "take down pass-line@3", put="on") == "2.2"
        assert refused(copy, "pass-line=5@2", f"{point} 3", put="off") == "2.2"


@holds(CRAPS, "2.4")
def test_craps_2_4_dont_pass_is_against_the_shooter(copy: Copy) -> None:
    for first in TOTALS:
        expected = won(10) if first in (2, 3) else lost(10) if first in (7, 11) else PUSH if first == 12 else RUNS
        assert net(copy, "dont-pass=10", str(first)) == expected
    for point in POINTS:
        for total in TOTALS:
            expected = won(10) if total == 7 else lost(10) if total == point else RUNS
            assert net(copy, "dont-pass=10", f"{point} {total}") == expected


@holds(CRAPS, "2.5")
def test_craps_2_5_12_pushes_or_2_where_the_house_bars_it(copy: Copy) -> None:
    for bar, other in (("12", 2), ("2", 12)):
        for wager, before, roll in (("dont-pass", "", 1), ("dont-come", "6 ", 2)):
            found = {total: net(copy, f"{wager}=10@{roll}", f"{before}{total}", bar=bar) for total in (*OUTER, 7)}
            assert found == {int(bar): PUSH, other: won(10), 3: won(10), 11: lost(10), 7: lost(10)}
            for total in (point for point in POINTS if point != 6):
                assert net(copy, f"{wager}=10@{roll}", f"{before}{total}", bar=bar) == RUNS


@holds(CRAPS, "2.6")
def test_craps_2_6_dont_pass_is_made_before_a_come_out_and_removed_at_any_time(copy: Copy) -> None:
    for point in POINTS:
        assert refused(copy, "dont-pass=10@2", f"{point} 3") == "2.6"
        assert refused(copy, "dont-pass=10 dont-pass=5@2", f"{point} 3") == "2.6"
        assert net(copy, "dont-pass=10", f"{point} 3 {point}", "take down dont-pass@3") == ("taken-down", 0)
        assert net(copy, "dont-pass=10", f"{point} {point}", "take down dont-pass@2") == ("taken-down", 0)


# ---------------------------------------------------------------- 3. come bets


@holds(CRAPS, "3.1")
def test_craps_3_1_come_is_made_with_a_point_on_and_decided_like_the_pass_line(copy: Copy) -> None:
    for before in ("", "7 ", "4 4 "):
        roll = len(before.split()) + 1
        assert refused(copy, f"come=10@{roll}", f"{before}3") == "3.1"
    for first in TOTALS:
        expected = won(10) if first in (7, 11) else lost(10) if first in (2, 3, 12) else RUNS
        assert last(copy, "come=10@2", f"6 {first}") == expected
    for point in POINTS:
        for total in TOTALS:
            expected = won(10) if total == point else lost(10) if total == 7 else RUNS
            assert last(copy, "come=10@2", f"{4 if point == 6 else 6} {point} {total}") == expected


@holds(CRAPS, "3.2")
def test_craps_3_2_come_bets_travel_and_several_stand_on_different_numbers(copy: Copy) -> None:
    bets = "pass-line=10 come=10@2 come=20@3 dont-come=40@4"
    # The point is 6; the come bets go to 5 and 8, the don't come bet to 10.
    assert nets(copy, bets, "6 5 8 10") == [RUNS] * 4
    assert nets(copy, bets, "6 5 8 10 5") == [RUNS, won(10), RUNS, RUNS]
    assert nets(copy, bets, "6 5 8 10 8") == [RUNS, RUNS, won(20), RUNS]
    assert nets(copy, bets, "6 5 8 10 10") == [RUNS, RUNS, RUNS, lost(40)]
    assert nets(copy, bets, "6 5 8 10 6") == [won(10), RUNS, RUNS, RUNS]
    assert nets(copy, bets, "6 5 8 10 7") == [lost(10), lost(10), lost(20), won(40)]
    # The shooter's point is made and a new one set: theirs stay.
    assert nets(copy, bets, "6 5 8 10 6 9 5 8 7") == [won(10), won(10), won(20), won(40)]


@holds(CRAPS, "3.3")
def test_craps_3_3_dont_come_is_the_same_against_the_shooter(copy: Copy) -> None:
    for before in ("", "7 ", "4 4 "):
        roll = len(before.split()) + 1
        assert refused(copy, f"dont-come=10@{roll}", f"{before}3") == "3.3"
    for first in TOTALS:
        expected = won(10) if first in (2, 3) else lost(10) if first in (7, 11) else PUSH if first == 12 else RUNS
        assert last(copy, "dont-come=10@2", f"6 {first}") == expected
    for point in POINTS:
        for total in TOTALS:
            expected = won(10) if total == 7 else lost(10) if total == point else RUNS
            assert last(copy, "dont-come=10@2", f"{4 if point == 6 else 6} {point} {total}") == expected


@holds(CRAPS, "3.4")
def test_craps_3_4_a_come_bet_stays_on_its_number_and_a_dont_come_bet_may_go(copy: Copy) -> None:
    for point in POINTS:
        shooters = 4 if point == 6 else 6
        assert refused(copy, "come=10@2", f"{shooters} {point} 3", "take down come@3") == "3.4"
        # On a come-out roll too: the shooter's point is made, the bet's own is not.
        assert refused(copy, "come=10@2", f"{shooters} {point} {shooters} 3", "take down come@4") == "3.4"
        for roll in (3, 4):
            taken = net(copy, "dont-come=10@2", f"{shooters} {point} {shooters} 3", f"take down dont-come@{roll}")
            assert taken == ("taken-down", 0)


# ---------------------------------------------------------------- 4. odds


@holds(CRAPS, "4.1")
def test_craps_4_1_odds_behind_the_pass_line_win_and_lose_with_it(copy: Copy) -> None:
    assert refused(copy, "pass-line=10 pass-line-odds=10", "4") == "4.1"
    assert refused(copy, "pass-line=10 pass-line-odds=10@3", "4 4 4") == "4.1"
    for point in POINTS:
        bets = "pass-line=60 pass-line-odds=60@2"
        for total in TOTALS:
            expected = won(60 * TRUE[point]) if total == point else lost(60) if total == 7 else RUNS
            assert last(copy, bets, f"{point} {total}") == expected
        for other in ("", "dont-pass=60 ", "come=60@2 "):
            assert refused(copy, f"{other}pass-line-odds=10@2", f"{point} 3") == "4.1"


@holds(CRAPS, "4.2")
def test_craps_4_2_the_same_odds_behind_a_come_bet_on_its_number(copy: Copy) -> None:
    for number in POINTS:
        shooters = 4 if number == 6 else 6
        bets = f"come=60@2 come-odds/{number}=60@3"
        for total in TOTALS:
            expected = won(60 * TRUE[number]) if total == number else lost(60) if total == 7 else RUNS
            assert last(copy, bets, f"{shooters} {number} {total}") == expected
        for other in POINTS:
            if other != number:
                assert refused(copy, f"come=60@2 come-odds/{other}=10@3", f"{shooters} {number} 3") == "4.2"
        assert refused(copy, f"come=60@2 come-odds/{number}=10@2", f"{shooters} {number}") == "4.2"
        assert refused(copy, f"pass-line=60 come-odds/{number}=10@2", f"{number} 3") == "4.2"
        assert refused(copy, f"dont-come=60@2 come-odds/{number}=10@3", f"{shooters} {number} 3") == "4.2"


@holds(CRAPS, "4.3")
def test_craps_4_3_come_odds_are_off_on_a_come_out_unless_called_on(copy: Copy) -> None:
    for number in POINTS:
        shooters = 4 if number == 6 else 6
        bets = f"come=10@2 come-odds/{number}=30@3"
        off = f"{shooters} {number} {shooters}"
        # Off by rule: the bet is decided, its odds come back; another number does nothing to either.
        assert nets(copy, bets, f"{off} {number}") == [won(10), PUSH]
        assert nets(copy, bets, f"{off} 7") == [lost(10), PUSH]
        assert nets(copy, bets, f"{off} 3") == [RUNS, RUNS]
        called = f"on come-odds/{number}@4"
        assert nets(copy, bets, f"{off} {number}", called) == [won(10), won(30 * TRUE[number])]
        assert nets(copy, bets, f"{off} 7", called) == [lost(10), lost(30)]
        # With a point on they work, unless they are called off.
        called = f"off come-odds/{number}@3"
        assert nets(copy, bets, f"{shooters} {number} 7", called) == [lost(10), PUSH]
        assert nets(copy, bets, f"{shooters} {number} {number}", called) == [won(10), PUSH]


@holds(CRAPS, "4.4")
def test_craps_4_4_odds_laid_behind_dont_bets_always_work(copy: Copy) -> None:
    for point in POINTS:
        shooters = 4 if point == 6 else 6
        for total in TOTALS:
            expected = won(60 / TRUE[point]) if total == 7 else lost(60) if total == point else RUNS
            assert last(copy, "dont-pass=60 dont-pass-odds=60@2", f"{point} {total}") == expected
            bets = f"dont-come=60@2 dont-come-odds/{point}=60@3"
            assert last(copy, bets, f"{shooters} {point} {total}") == expected
            # On a come-out roll, too.
            assert last(copy, bets, f"{shooters} {point} {shooters} {total}") == expected
        for wager, act in ((f"dont-come-odds/{point}", "off"), (f"dont-come-odds/{point}", "on")):
            acts = f"{act} {wager}@3"
            assert refused(copy, f"dont-come=60@2 {wager}=60@3", f"{shooters} {point} 3", acts) == "4.4"
        assert refused(copy, "pass-line=60 dont-pass-odds=10@2", f"{point} 3") == "4.4"
        assert refused(copy, f"dont-pass=60 dont-come-odds/{point}=10@2", f"{point} 3") == "4.4"
    assert refused(copy, "dont-pass=10 dont-pass-odds=10", "4") == "4.4"


MULTIPLES = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}


@holds(CRAPS, "4.5")
def test_craps_4_5_odds_are_limited_by_a_multiple_of_the_bet(copy: Copy) -> None:
    for choice, times in {"3-4-5x": 0, "1x": 1, "2x": 2, "5x": 5, "10x": 10, "20x": 20, "100x": 100}.items():
        for point in POINTS:
            shooters = 4 if point == 6 else 6
            most = 60 * (times or MULTIPLES[point])
            laid = most * TRUE[point]
            for flat, odds, limit, totals in (
                ("pass-line=60", "pass-line-odds={}@2", most, f"{point} 3"),
                ("dont-pass=60", "dont-pass-odds={}@2", laid, f"{point} 3"),
                ("come=60@2", f"come-odds/{point}={{}}@3", most, f"{shooters} {point} 3"),
                ("dont-come=60@2", f"dont-come-odds/{point}={{}}@3", laid, f"{shooters} {point} 3"),
            ):
                assert last(copy, f"{flat} {odds.format(limit)}", totals, odds=choice) == RUNS
                over = float(limit) + 0.01 if limit == most else float(limit) + 0.02
                with pytest.raises(InputError, match=r"4\.5"):
                    nets(copy, f"{flat} {odds.format(over)}", totals, odds=choice)
    with pytest.raises(InputError, match=r"4\.5"):  # nor in two parts
        nets(copy, "pass-line=10 pass-line-odds=20@2 pass-line-odds=11@2", "4 3")


@holds(CRAPS, "4.6")
def test_craps_4_6_odds_may_go_at_any_time_and_never_stay_alone(copy: Copy) -> None:
    for point in POINTS:
        shooters = 4 if point == 6 else 6
        dont = f"dont-come-odds/{point}"
        for bets, odds, totals in (
            ("pass-line=60 pass-line-odds=60@2", "pass-line-odds@3", f"{point} 3 7"),
            ("dont-pass=60 dont-pass-odds=60@2", "dont-pass-odds@3", f"{point} 3 {point}"),
            (f"come=60@2 come-odds/{point}=60@3", f"come-odds/{point}@4", f"{shooters} {point} 3 7"),
            (f"dont-come=60@2 {dont}=60@3", f"{dont}@4", f"{shooters} {point} 3 {point}"),
            # On a come-out roll, too.
            (f"come=60@2 come-odds/{point}=60@3", f"come-odds/{point}@4", f"{shooters} {point} {shooters} 7"),
        ):
            assert last(copy, bets, totals, f"take down {odds}") == ("taken-down", 0)
        for bets, taken, totals in (
            ("dont-pass=60 dont-pass-odds=60@2", "dont-pass@3", f"{point} 3 7"),
            (f"dont-come=60@2 dont-come-odds/{point}=60@3", "dont-come@4", f"{shooters} {point} 3 7"),
        ):
            assert nets(copy, bets, totals, f"take down {taken}") == [("taken-down", 0)] * 2
        # Whatever decides the bet ends its odds.
        for total in (point, 7):
            for bets, totals in (
                ("pass-line=10 pass-line-odds=10@2", f"{point} {total} 3"),
                ("dont-pass=10 dont-pass-odds=10@2", f"{point} {total} 3"),
                (f"come=10@2 come-odds/{point}=10@3", f"{shooters} {point} {total} 3"),
                (f"dont-come=10@2 dont-come-odds/{point}=10@3", f"{shooters} {point} {total} 3"),
            ):
                assert all(result in ("win", "lose") for result, _ in nets(copy, bets, totals))


# ---------------------------------------------------------------- 5. a number before a seven

PLACED = {
    4: Fraction(9, 5),
    5: Fraction(7, 5),
    6: Fraction(7, 6),
    8: Fraction(7, 6),
    9: Fraction(7, 5),
    10: Fraction(9, 5),
}


def other_point(number: int) -> int:
    """A point that is not this number."""
    return 4 if number == 6 else 6


@holds(CRAPS, "5.1")
def test_craps_5_1_place_pays_9_to_5_7_to_5_and_7_to_6(copy: Copy) -> None:
    for number in POINTS:
        for total in TOTALS:
            expected = ("running", float(30 * PLACED[number])) if total == number else lost(30) if total == 7 else RUNS
            assert net(copy, f"place/{number}=30@2", f"{other_point(number)} {total}") == expected
        # The number may be the shooter's point.
        assert net(copy, f"place/{number}=30@2", f"{number} {number}") == ("running", float(30 * PLACED[number]))


@holds(CRAPS, "5.2")
def test_craps_5_2_these_bets_stay_up_and_are_made_and_removed_on_any_roll(copy: Copy) -> None:
    for wager, roll, point, wins in (
        ("place/6", 6, 4, Fraction(7)),
        ("buy/5", 5, 6, Fraction("8.70")),
        ("lay/4", 7, 6, Fraction("2.85")),
        ("big/8", 8, 6, Fraction(6)),
    ):
        bet, again = f"{wager}=6@2", f"{point} {roll} {point if roll == 7 else 3} {roll}"
        assert net(copy, bet, again) == ("running", float(2 * wins))
        assert net(copy, bet, f"{again} 3", f"take down {wager}@5") == ("taken-down", float(2 * wins))
        # Made on a come-out roll or with a point on, and removed on either.
        for made, taken in ((1, 2), (1, 3), (2, 3), (3, 4)):
            found = net(copy, f"{wager}=6@{made}", f"{point} 12 {point} 12", f"take down {wager}@{taken}")
            assert found == ("taken-down", 0)
    # Moved: taken down and made elsewhere before the same roll.
    assert nets(copy, "place/6=6@2 place/9=5@3", "4 3 9", "take down place/6@3") == [("taken-down", 0), ("running", 7)]


@holds(CRAPS, "5.3")
def test_craps_5_3_place_and_buy_are_off_on_a_come_out_unless_called_on(copy: Copy) -> None:
    for kind, pays in (("place", PLACED), ("buy", {number: odds - Fraction(1, 20) for number, odds in TRUE.items()})):
        for number in POINTS:
            wager, point = f"{kind}/{number}", other_point(number)
            wins = float(60 * pays[number])
            for totals in (str(number), "7"):
                assert net(copy, f"{wager}=60", totals) == RUNS
            assert net(copy, f"{wager}=60", str(number), f"on {wager}@1") == ("running", wins)
            assert net(copy, f"{wager}=60", "7", f"on {wager}@1") == lost(60)
            assert net(copy, f"{wager}=60@2", f"{point} {point} 7") == RUNS
            for totals in (f"{point} {number}", f"{point} 7"):
                assert net(copy, f"{wager}=60@2", totals, f"off {wager}@2") == RUNS
            assert net(copy, f"{wager}=60@2", f"{point} 7 7", f"off {wager}@2, on {wager}@3") == lost(60)


@holds(CRAPS, "5.4")
def test_craps_5_4_buy_pays_true_odds_less_5_percent_of_the_bet(copy: Copy) -> None:
    for number in POINTS:
        for total in TOTALS:
            wins = ("running", float(100 * TRUE[number] - 5))
            expected = wins if total == number else lost(100) if total == 7 else RUNS
            assert net(copy, f"buy/{number}=100@2", f"{other_point(number)} {total}") == expected


@holds(CRAPS, "5.5")
def test_craps_5_5_lay_pays_true_odds_less_5_percent_of_the_win_and_always_works(copy: Copy) -> None:
    for number in POINTS:
        for before in ("", f"{other_point(number)} "):
            roll = len(before.split()) + 1
            for total in TOTALS:
                wins = ("running", float(120 / TRUE[number] * Fraction(95, 100)))
                expected = wins if total == 7 else lost(120) if total == number else RUNS
                assert net(copy, f"lay/{number}=120@{roll}", f"{before}{total}") == expected
        for act in ("on", "off"):
            assert refused(copy, f"lay/{number}=10", "3", f"{act} lay/{number}@1") == "5.5"


@holds(CRAPS, "5.6")
def test_craps_5_6_commission_is_taken_from_a_win_or_with_the_bet(copy: Copy) -> None:
    for charged, lay, buy in (("on-a-win", 20, 20), ("when-bet", 21, 21)):
        choice = {"commission": charged}
        # Bets of 20: buying 4 wins 40, less 1; laying 4 at 40 wins 20, less 1.
        assert net(copy, "buy/4=20@2", "6 4", **choice) == ("running", 39)
        assert net(copy, "lay/4=40@2", "6 7", **choice) == ("running", 19)
        assert net(copy, "buy/4=20@2", "6 7", **choice) == lost(buy)
        assert net(copy, "lay/4=40@2", "6 4", **choice) == lost(20 + lay)
        # Taken down, all of it comes back.
        assert net(copy, "buy/4=20@2", "6 3 3", "take down buy/4@3", **choice) == ("taken-down", 0)
        assert net(copy, "lay/4=40@2", "6 3 3", "take down lay/4@3", **choice) == ("taken-down", 0)


@holds(CRAPS, "5.7")
def test_craps_5_7_big_6_and_8_pay_even_money_and_always_work(copy: Copy) -> None:
    for number in (6, 8):
        for before in ("", "4 "):
            for total in TOTALS:
                expected = ("running", 10) if total == number else lost(10) if total == 7 else RUNS
                assert net(copy, f"big/{number}=10@{len(before.split()) + 1}", f"{before}{total}") == expected
        for act in ("on", "off"):
            assert refused(copy, f"big/{number}=10", "3", f"{act} big/{number}@1") == "5.7"
    assert {wager for wager in copy.rules.wagers if wager.startswith("big/")} == {"big/6", "big/8"}


# ---------------------------------------------------------------- 6. hardways

HARD = {4: 7, 6: 9, 8: 9, 10: 7}
FACES = range(1, 7)


def hard_net(number: int, one: int, two: int) -> tuple[str, float]:
    """How a hardway of 10 comes out on two faces while it works."""
    if one + two == number and one == two:
        return "running", 10 * HARD[number]
    return lost(10) if one + two in (number, 7) else RUNS


@holds(CRAPS, "6.1")
def test_craps_6_1_the_pair_before_a_seven_and_before_the_total_in_another_way(copy: Copy) -> None:
    for number in HARD:
        for one in FACES:
            for two in FACES:
                assert net(copy, f"hard/{number}=10@2", f"5 {one}-{two}") == hard_net(number, one, two)
    assert {wager for wager in copy.rules.wagers if wager.startswith("hard/")} == {f"hard/{n}" for n in HARD}


@holds(CRAPS, "6.2")
def test_craps_6_2_hardways_stay_up_and_are_made_and_removed_on_any_roll(copy: Copy) -> None:
    for number, pays in HARD.items():
        pair = f"{number // 2}-{number // 2}"
        assert net(copy, f"hard/{number}=10@2", f"5 {pair} {pair}") == ("running", 20 * pays)
        taken = net(copy, f"hard/{number}=10@2", f"5 {pair} 7", f"take down hard/{number}@3")
        assert taken == ("taken-down", 10 * pays)
        for made, down in ((1, 2), (2, 3), (3, 4)):
            found = net(copy, f"hard/{number}=10@{made}", "5 12 5 12", f"take down hard/{number}@{down}")
            assert found == ("taken-down", 0)


@holds(CRAPS, "6.3")
def test_craps_6_3_hardways_are_off_on_a_come_out_unless_called_on(copy: Copy) -> None:
    for number in HARD:
        for one in FACES:
            for two in FACES:
                bet, rolls, works = f"hard/{number}=10", f"{one}-{two}", hard_net(number, one, two)
                assert net(copy, bet, rolls) == RUNS
                assert net(copy, bet, rolls, f"on hard/{number}@1") == works
                assert net(copy, bet, rolls, hardways="working") == works
                assert net(copy, bet, rolls, f"off hard/{number}@1", hardways="working") == RUNS
                assert net(copy, f"{bet}@2", f"5 {rolls}", hardways="working") == works


# ---------------------------------------------------------------- 7. one-roll bets


def check_one_roll(copy: Copy, wager: str, stake: int, wins: dict[tuple[int, int], float], **options: str) -> None:
    """On each pair of faces, on a come-out roll and with a point on, it wins this or loses the stake."""
    for one in FACES:
        for two in FACES:
            found = wins.get((min(one, two), max(one, two)), -stake)
            expected = "win" if found > 0 else "push" if found == 0 else "lose", found
            assert net(copy, f"{wager}={stake}", f"{one}-{two}", **options) == expected
            assert net(copy, f"{wager}={stake}@2", f"5 {one}-{two}", **options) == expected


def on_totals(wins: dict[int, float]) -> dict[tuple[int, int], float]:
    """What is won on totals, by faces."""
    return {(one, two): wins[one + two] for one in FACES for two in FACES if one <= two and one + two in wins}


@holds(CRAPS, "7.1")
def test_craps_7_1_the_field_doubles_2_and_12_or_triples_12(copy: Copy) -> None:
    wins = {2: 20.0, 3: 10.0, 4: 10.0, 9: 10.0, 10: 10.0, 11: 10.0, 12: 20.0}
    check_one_roll(copy, "field", 10, on_totals(wins))
    check_one_roll(copy, "field", 10, on_totals(wins | {12: 30.0}), field_12="triple")


@holds(CRAPS, "7.2")
def test_craps_7_2_any_seven_pays_4_to_1_and_any_craps_7_to_1(copy: Copy) -> None:
    check_one_roll(copy, "any-seven", 10, on_totals({7: 40.0}))
    check_one_roll(copy, "any-craps", 10, on_totals({2: 70.0, 3: 70.0, 12: 70.0}))


@holds(CRAPS, "7.3")
def test_craps_7_3_two_and_twelve_pay_30_to_1_three_and_eleven_15_to_1(copy: Copy) -> None:
    for wager, total, pays in (("two", 2, 30), ("three", 3, 15), ("eleven", 11, 15), ("twelve", 12, 30)):
        check_one_roll(copy, wager, 10, on_totals({total: 10.0 * pays}))


@holds(CRAPS, "7.4")
def test_craps_7_4_horn_world_and_c_and_e_are_bets_in_equal_parts(copy: Copy) -> None:
    # Of a horn of 4, three parts lose; of a world of 5, four; of C and E of 2, one.
    check_one_roll(copy, "horn", 4, on_totals({2: 27.0, 12: 27.0, 3: 12.0, 11: 12.0}))
    check_one_roll(copy, "world", 5, on_totals({2: 26.0, 12: 26.0, 3: 11.0, 11: 11.0, 7: 0.0}))
    check_one_roll(copy, "c-and-e", 2, on_totals({2: 6.0, 3: 6.0, 12: 6.0, 11: 14.0}))


@holds(CRAPS, "7.5")
def test_craps_7_5_a_hop_is_these_two_faces(copy: Copy) -> None:
    hops = [wager for wager in copy.rules.wagers if wager.startswith("hop/")]
    assert set(hops) == {f"hop/{one}-{two}" for one in FACES for two in FACES if one <= two}
    for one in FACES:
        for two in FACES:
            hit = f"hop/{min(one, two)}-{max(one, two)}"
            expected = [won(30 if one == two else 15) if hop == hit else lost(1) for hop in hops]
            for before in ("", "5 "):
                roll = len(before.split()) + 1
                assert nets(copy, " ".join(f"{hop}=1@{roll}" for hop in hops), f"{before}{one}-{two}") == expected


@holds(CRAPS, "7.6")
def test_craps_7_6_one_roll_bets_may_be_removed_before_the_roll(copy: Copy) -> None:
    one_roll = [wager.id for wager in copy.rules.wagers.values() if wager.clauses[0].startswith("7.")]
    assert len(one_roll) == 10 + 21
    for wager in one_roll:
        assert [taken_down(copy, wager, totals) for totals in ("", "5")] == [None, None]


# ---------------------------------------------------------------- 8. payment


@holds(CRAPS, "8.1")
def test_craps_8_1_odds_are_paid_as_stated_with_the_stake_beside(copy: Copy) -> None:
    assert {word.value for word in copy.rules.odds.wording} == {"to"}
    assert not any("for" in copy.rules.printed(odds).split() for odds in all_odds(copy) if odds.wins)
    # A house pays neither less nor more than is stated.
    for pays in ("3 to 1", "5 to 1"):
        own = build(patched(copy.raw, {"wager.any-seven.pays": pays}), "own.toml")
        assert beyond_the_base(own, copy.rules)
    assert net(copy, "any-seven=10", "7") == won(40)


def all_odds(copy: Copy) -> list[Any]:
    """Every odds that any bet pays."""
    wagers = copy.rules.wagers.values()
    return [odds for wager in wagers for rows in wager.pays.values() for odds in rows.values()]


@holds(CRAPS, "8.2")
def test_craps_8_2_each_payment_is_rounded_once_and_down(copy: Copy) -> None:
    for cents in (1, 2, 3, 5, 7, 11, 33, 59, 99, 100, 101, 129):
        for wager, before, total, exact in (
            ("place/6", "4", 6, Fraction(cents * 7, 6)),
            ("buy/5", "4", 5, cents * Fraction(3, 2) - cents * Fraction(5, 100)),
            ("lay/6", "4", 7, cents * Fraction(5, 6) * Fraction(95, 100)),
            ("horn", "4", 3, Fraction(cents, 4) * 15 - Fraction(3 * cents, 4)),
        ):
            bet = f"{wager}={cents / 100}@2"
            assert round(net(copy, bet, f"{before} {total}")[1] * 100) == floor(exact)
            chip = round(net(copy, bet, f"{before} {total}", rounding="chip")[1] * 100)
            assert chip == floor(exact / 100) * 100
    assert net(copy, "place/6=5@2", "4 6") == ("running", 5.83)
    assert net(copy, "place/6=5@2", "4 6", rounding="chip") == ("running", 5)


# ---------------------------------------------------------------- 9. crapless craps


@holds(CRAPS, "9.1")
def test_craps_9_1_crapless_makes_points_of_2_3_11_and_12(copy: Copy) -> None:
    every = [total for total in TOTALS if total != 7]
    for total in TOTALS:
        _, progress = copy.after(dice(str(total)), options=CRAPLESS)
        assert progress.hand.point == (None if total == 7 else total)
        assert net(copy, "pass-line=10", str(total), **CRAPLESS) == (won(10) if total == 7 else RUNS)
        assert last(copy, "come=10@2", f"6 {total}", **CRAPLESS) == (won(10) if total == 7 else RUNS)
    for point in every:
        for total in TOTALS:
            expected = won(10) if total == point else lost(10) if total == 7 else RUNS
            assert net(copy, "pass-line=10", f"{point} {total}", **CRAPLESS) == expected
            assert last(copy, "come=10@2", f"{other_point(point)} {point} {total}", **CRAPLESS) == expected


@holds(CRAPS, "9.2")
def test_craps_9_2_crapless_pays_the_outer_numbers(copy: Copy) -> None:
    for number in OUTER:
        place, true = (Fraction(11, 2), Fraction(6)) if number in (2, 12) else (Fraction(11, 4), Fraction(3))
        point = other_point(number)
        assert net(copy, f"place/{number}=20@2", f"{point} {number}", **CRAPLESS) == ("running", float(20 * place))
        line = "pass-line=10 pass-line-odds={}@2", f"{number} {number}"
        come = f"come=10@2 come-odds/{number}={{}}@3", f"{point} {number} {number}"
        for bets, totals in (line, come):
            assert last(copy, bets.format(30), totals, **CRAPLESS) == won(30 * true)
            with pytest.raises(InputError, match=r"4\.5"):
                nets(copy, bets.format(30.01), totals, **CRAPLESS)
            wide = {"crapless": "on", "odds": "10x"}
            assert last(copy, bets.format(100), totals, **wide) == won(100 * true)


@holds(CRAPS, "9.3")
def test_craps_9_3_crapless_takes_no_dont_bets(copy: Copy) -> None:
    usual, crapless = copy.rules, copy.under(options=CRAPLESS)
    outer = {f"{kind}/{number}" for kind in ("place", "buy", "come-odds", "dont-come-odds") for number in OUTER}
    dont = {"dont-pass", "dont-pass-odds", "dont-come", *(f"dont-come-odds/{n}" for n in TOTALS if n != 7)}
    assert set(usual.wagers).isdisjoint(outer)
    assert set(crapless.wagers).isdisjoint(dont)
    assert set(usual.wagers) | outer == set(crapless.wagers) | dont
    for book, wagers in ((usual, outer), (crapless, dont)):
        for wager in wagers:
            with pytest.raises(InputError, match=r"not offered here: the rules exclude it \(9\.3\)"):
                book.wager(wager)
            assert book.not_offered(wager) == ["9.3"]
    check_stake(crapless, crapless.wagers["buy/12"], Cents(100))
    assert net(copy, "buy/12=20@2", "6 12", **CRAPLESS) == ("running", 119)
    assert net(copy, "buy/11=20@2", "6 11", **CRAPLESS) == ("running", 59)
