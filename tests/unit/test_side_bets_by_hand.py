"""Whole hands with many side bets at once, worked out on paper.

Hands are written as totals, from a new shooter's come-out: "4 6 4" sets the point 4 and makes it; "4 7" sevens out.
"""

from __future__ import annotations

from typing import Any

import pytest

from pitbook.dice import Roll
from pitbook.engine.play import Bet, Played, play
from pitbook.engine.progress import advance, initial_progress, lammers
from pitbook.engine.settle import settle
from pitbook.engine.windows import window_closed
from pitbook.errors import InputError
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import load
from pitbook.rulebooks.model import Rulebook

WORKS = ["all-lows", "all-highs", "the-works"]
COUNTS = ["high-roller", "roll-the-line"]
TEN = ["2x2", "3x3", "4x4", "5x5", "6x6", "8x6", "9x5", "10x4", "11x3", "12x2"]
FOUR_MORE = ["8x8", "9x9", "10x10", "2-3-11-12x7"]
PARLAYS = [f"parlay/{name}" for name in TEN]
ENVIES = [f"parlay-envy/{name}" for name in TEN + FOUR_MORE]
ALL = [*WORKS, *COUNTS, *PARLAYS, *ENVIES]


def rolls(totals: str) -> list[Roll]:
    """Rolls that show these totals."""
    return [Roll.of(max(1, total - 6), min(6, total - 1)) for total in map(int, totals.split())]


def bets(*wagers: str, paytable: str | None = None) -> list[Bet]:
    """One dollar on each; "little-ones@6" before the sixth roll."""
    made = [wager.partition("@") for wager in wagers]
    return [Bet(wager, Cents(100), int(before or 1), paytable) for wager, _, before in made]


def ends(result: Played) -> dict[str, tuple[int | None, int]]:
    """The roll that decided each bet (None: it runs), and what the dollar gained in dollars."""
    return {outcome.bet.wager: (outcome.decided_by_roll, outcome.net // 100) for outcome in result.outcomes}


def table_after(book: Rulebook, totals: str) -> dict[str, dict[str, Any]]:
    """The lammers after these rolls."""
    progress = initial_progress(book)
    for roll in rolls(totals):
        progress = advance(book, progress, roll).progress
    return lammers(book, progress)


def taken(book: Rulebook, totals: str) -> set[str]:
    """The wagers that may be made after these rolls."""
    progress = initial_progress(book)
    for roll in rolls(totals):
        progress = advance(book, progress, roll).progress
    return {wager.id for wager in book.wagers.values() if window_closed(book, progress, wager) is None}


# ---------------------------------------------------------------- sevens


def test_a_come_out_seven_is_neutral_wins_or_loses_by_the_side_bet() -> None:
    book = load("dice-works")
    result = play(book, bets(*ALL), rolls("7"))
    assert ends(result) == {
        **dict.fromkeys(ALL, (1, -1)),
        "high-roller": (None, 0),
        "roll-the-line": (None, 0),
    }
    assert result.lammers["high-roller"]["count"] == 0
    assert result.lammers["roll-the-line"]["count"] == 1


def test_a_seven_out_ends_every_side_bet() -> None:
    book = load("dice-works")
    assert ends(play(book, bets(*ALL), rolls("4 7"))) == dict.fromkeys(ALL, (2, -1))


def test_a_later_come_out_seven_with_marks_standing() -> None:
    # Point 6, an 8, 6 made; then the seven comes on the come-out roll.
    book = load("dice-works")
    result = play(book, bets(*ALL), rolls("6 8 6 7"))
    assert ends(result) == {**dict.fromkeys(ALL, (4, -1)), "high-roller": (None, 0), "roll-the-line": (None, 0)}
    assert result.lammers["high-roller"]["lammer"] == 1
    assert result.lammers["roll-the-line"]["lammer"] == 2
    assert all(result.lammers[wager]["marked"] == [] for wager in WORKS)
    assert all(result.lammers[wager]["count"] == 0 for wager in PARLAYS + ENVIES)


def test_as_printed_the_definitions_hold_and_the_last_sentence_of_roll_the_line() -> None:
    book = load("dice-works", as_printed=True)
    assert {name: choice for name, choice in book.readings_chosen.items() if choice != book.readings[name].default} == {
        "high-roller-three": "forty-three-to-one",
        "roll-the-line-seven": "any-seven",
        "works-seven": "seven-out",
        "parlay-seven": "seven-out",
    }
    # A come-out seven: only Roll the Line ends, without a win.
    assert ends(play(book, bets(*ALL), rolls("7"))) == {**dict.fromkeys(ALL, (None, 0)), "roll-the-line": (1, -1)}
    # A seven-out: everything ends.
    assert ends(play(book, bets(*ALL), rolls("4 7"))) == dict.fromkeys(ALL, (2, -1))
    # 4, 5 and 6 are made, a seven, then seven-out on the point 8: three points pay 43, three wins even money.
    result = ends(play(book, bets(*ALL), rolls("4 4 5 5 6 6 7 2 3 8 7")))
    assert result["high-roller"] == (11, 43)
    assert result["roll-the-line"] == (7, 1)
    # The seven did not clear the lows, which 2 and 3 complete.
    assert result["all-lows"] == (9, 34)
    assert result["all-highs"] == (11, -1)
    # By default the same hand loses the lows at the seven, pays 4 and counts the seven.
    result = ends(play(load("dice-works"), bets(*ALL), rolls("4 4 5 5 6 6 7 2 3 8 7")))
    assert (result["high-roller"], result["roll-the-line"], result["all-lows"]) == ((11, 4), (11, 2), (7, -1))


def test_as_printed_changes_nothing_in_dice_ology() -> None:
    assert load("dice-ology", as_printed=True).wagers == load("dice-ology").wagers


# ---------------------------------------------------------------- one long hand


LONG_HAND = "11 3 6 8 2 6 7 5 12 9 5 10 4 11 10 8 8 7"
"""
roll   1  11  natural            high 11                        line 1
       2   3  craps              low 3
       3   6  point 6            low 6
       4   8                     high 8
       5   2                     low 2
       6   6  point made         (6 again)        points 1      line 2
       7   7  natural            all marks down                 line 3
       8   5  point 5            low 5
       9  12                     high 12
      10   9                     high 9
      11   5  point made         (5 again)        points 2      line 4
      12  10  point 10           high 10
      13   4                     low 4
      14  11                     high 11
      15  10  point made         (10 again)       points 3      line 5
      16   8  point 8            high 8: the highs are complete
      17   8  point made                          points 4      line 6
      18   7  natural                                           line 7
"""


def test_a_long_hand_roll_by_roll() -> None:
    book = load("dice-works")
    result = play(book, bets("all-lows", "all-lows@8", "all-highs@8", "the-works@8", *COUNTS), rolls(LONG_HAND))
    first_lows, lows, highs, works, points, line = result.outcomes
    assert (first_lows.decided_by_roll, first_lows.net) == (7, -100)
    assert (lows.decided_by_roll, lows.net) == (18, -100)
    assert (highs.decided_by_roll, highs.net) == (16, 3400)
    assert (works.decided_by_roll, works.net) == (18, -100)
    assert (points.result, line.result) == ("running", "running")

    assert table_after(book, "11 3 6 8 2")["the-works"]["marked"] == [2, 3, 6, 8, 11]
    before_the_last = table_after(book, LONG_HAND.removesuffix(" 7"))
    assert before_the_last["all-lows"]["marked"] == [4, 5]
    assert before_the_last["all-highs"] == {"paid": True}
    assert before_the_last["the-works"]["missing"] == [2, 3, 6]
    assert before_the_last["high-roller"]["count"] == 4
    assert before_the_last["roll-the-line"]["count"] == 6
    assert table_after(book, LONG_HAND)["roll-the-line"]["count"] == 7

    # The shooter continues: point 9, seven-out. Four points pay 9, seven wins by the table.
    ended = f"{LONG_HAND} 9 7"
    assert ends(play(book, bets("high-roller"), rolls(ended)))["high-roller"] == (20, 9)
    by_table = {"PT1": 8, "PT2": 12, "PT3": 10, "PT4": 10, "PT5": 10, "PT6": 12, "PT7": 10}
    for table, pays in by_table.items():
        line_bet = bets("roll-the-line", paytable=table)
        assert ends(play(book, line_bet, rolls(ended)))["roll-the-line"] == (20, pays)


# ---------------------------------------------------------------- completing, repeating


@pytest.mark.parametrize("last", [2, 3, 4, 5, 6, 8, 9, 10, 11, 12])
def test_the_works_is_completed_by_whichever_number_comes_last(last: int) -> None:
    nine = [number for number in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12) if number != last]
    totals = " ".join(f"{number} {number}" for number in nine)
    result = play(load("dice-works"), bets(*WORKS), rolls(f"{totals} {last}"))
    decided = ends(result)
    # Each number comes twice; the wager on the other half is complete with the first of its last number.
    half, other = ("all-lows", "all-highs") if last < 7 else ("all-highs", "all-lows")
    assert decided["the-works"] == (19, 175)
    assert decided[half] == (19, 34)
    assert decided[other] == (17 if other == "all-highs" else 9, 34)
    assert [result.lammers[wager] for wager in WORKS] == [{"paid": True}] * 3


def test_parlay_envy_8x6_and_8x8_run_side_by_side() -> None:
    book = load("dice-works")
    wagers = ("parlay/8x6", "parlay-envy/8x6", "parlay-envy/8x8")
    eights = "8 3 8 8 6 8 8 8"  # six eights, the sixth on roll 8
    result = play(book, bets(*wagers), rolls(eights))
    assert ends(result) == {"parlay/8x6": (8, 89), "parlay-envy/8x6": (8, 89), "parlay-envy/8x8": (None, 0)}
    assert result.lammers["parlay-envy/8x6"] == {"paid": True}
    assert result.lammers["parlay-envy/8x8"] == {"paid": False, "numbers": [8], "count": 6, "of": 8}
    # Two more: the eighth eight pays 450 for 1, and 8x6 pays nothing again.
    result = play(book, bets(*wagers), rolls(f"{eights} 8 8"))
    assert ends(result) == {"parlay/8x6": (8, 89), "parlay-envy/8x6": (8, 89), "parlay-envy/8x8": (10, 449)}
    envy = [outcome.settlement.envy if outcome.settlement else 0 for outcome in result.outcomes]
    assert envy == [0, 600, 800]
    # A seven after the seventh: 8x6 keeps what it won, 8x8 loses, and both areas are clear.
    result = play(book, bets(*wagers), rolls(f"{eights} 8 7"))
    assert ends(result) == {"parlay/8x6": (8, 89), "parlay-envy/8x6": (8, 89), "parlay-envy/8x8": (10, -1)}
    assert [result.lammers[wager]["count"] for wager in wagers] == [0, 0, 0]


def test_one_roll_moves_every_wager_that_watches_for_it() -> None:
    # 12 and 12: the repeat in both groups, and two of the seven.
    book = load("dice-works")
    result = play(book, bets("parlay/12x2", "parlay-envy/12x2", "parlay-envy/2-3-11-12x7"), rolls("12 12"))
    assert ends(result) == {
        "parlay/12x2": (2, 39),
        "parlay-envy/12x2": (2, 39),
        "parlay-envy/2-3-11-12x7": (None, 0),
    }
    assert result.lammers["parlay-envy/2-3-11-12x7"]["count"] == 2
    # The 12 on roll 11 is the last high and the last of all ten; the third 11 follows.
    result = play(book, bets(*WORKS, "parlay/11x3"), rolls("2 3 4 5 6 8 9 10 11 11 12 11"))
    assert ends(result) == {
        "all-lows": (5, 34),
        "all-highs": (11, 34),
        "the-works": (11, 175),
        "parlay/11x3": (12, 49),
    }


# ---------------------------------------------------------------- counts


@pytest.mark.parametrize(
    ("wins", "pays"),
    [
        (1, {"PT1": -1, "PT2": -1, "PT6": -1, "PT7": -1}),
        (2, {"PT1": 0, "PT2": -1, "PT6": -1, "PT7": -1}),
        (3, {"PT1": 1, "PT2": 1, "PT6": 0, "PT7": 0}),
        (4, {"PT1": 2, "PT2": 2, "PT6": 3, "PT7": 2}),
        (10, {"PT1": 25, "PT2": 40, "PT6": 30, "PT7": 40}),
        (11, {"PT1": 50, "PT2": 75, "PT6": 100, "PT7": 150}),
        (12, {"PT1": 50, "PT2": 75, "PT6": 100, "PT7": 150}),
        (25, {"PT1": 50, "PT2": 75, "PT6": 100, "PT7": 150}),
    ],
)
@pytest.mark.parametrize("win", ["7", "11", "5 5", "2 7", "9 4 11 9"], ids=lambda win: f"by {win}")
def test_roll_the_line_pays_pushes_or_loses_by_the_wins_however_they_were_made(
    wins: int, pays: dict[str, int], win: str
) -> None:
    book = load("dice-works")
    hand = rolls(f"{win} " * wins + "6 7")
    for table, dollars in pays.items():
        outcome = play(book, bets("roll-the-line", paytable=table), hand).outcomes[0]
        assert outcome.net == 100 * dollars, table
        assert outcome.result == ("win" if dollars > 0 else "push" if dollars == 0 else "lose")
        assert outcome.decided_by_roll == len(hand)


@pytest.mark.parametrize(
    ("points", "pays"), [(0, -1), (1, -1), (2, -1), (3, 4), (9, 190), (10, 299), (11, 299), (23, 299)]
)
@pytest.mark.parametrize("between", ["", "7 ", "11 2 3 12 7 "], ids=lambda between: f"between {between}")
def test_high_roller_pays_by_the_points_whatever_comes_between_them(points: int, pays: int, between: str) -> None:
    hand = rolls(f"10 6 10 {between}" * points + "6 7")
    assert ends(play(load("dice-works"), bets("high-roller"), hand))["high-roller"] == (len(hand), pays)


def test_a_new_game_of_the_counting_bets_starts_from_nothing() -> None:
    # Two points and seven-out; three points and seven-out, with their own bets.
    hand = rolls("4 4 5 5 6 7 8 8 9 9 10 10 4 7")
    first, second = play(load("dice-works"), bets("high-roller", "high-roller@7"), hand).outcomes
    assert (first.decided_by_roll, first.net) == (6, -100)
    assert (second.decided_by_roll, second.net) == (14, 400)


# ---------------------------------------------------------------- envy


@pytest.mark.parametrize(
    ("name", "hand", "envy"),
    [
        ("2x2", "2 2", 2),
        ("3x3", "3 3 3", 3),
        ("4x4", "4 4 4 4", 4),
        ("5x5", "5 5 5 5 5", 5),
        ("6x6", "6 6 6 6 6 6", 6),
        ("8x6", "8 8 8 8 8 8", 6),
        ("9x5", "9 9 9 9 9", 5),
        ("10x4", "10 10 10 10", 4),
        ("11x3", "11 11 11", 3),
        ("12x2", "12 12", 2),
        ("8x8", "8 8 8 8 8 8 8 8", 8),
        ("9x9", "9 9 9 9 9 9 9 9 9", 9),
        ("10x10", "10 10 10 10 10 10 10 10 10 10", 10),
        ("2-3-11-12x7", "12 11 3 2 2 3 11", 7),
    ],
)
def test_dealer_envy_is_a_sum_or_by_the_other_reading_a_multiple_of_the_wager(name: str, hand: str, envy: int) -> None:
    flat, multiple = load("dice-works"), load("dice-works", readings={"dealer-envy-unit": "multiple"})
    for stake in (100, 250, 2500):
        for book, cents in ((flat, envy * 100), (multiple, envy * stake)):
            bet = Bet(f"parlay-envy/{name}", Cents(stake))
            won = play(book, [bet], rolls(hand)).outcomes[0].settlement
            lost = play(book, [bet], rolls("7")).outcomes[0].settlement
            assert won is not None
            assert lost is not None
            assert (won.envy, lost.envy) == (cents, 0)
            assert (won.result, lost.net) == ("win", -stake)


# ---------------------------------------------------------------- windows


def test_what_may_be_bet_by_default_at_each_moment_of_a_hand() -> None:
    book = load("dice-works")
    clear = set(ALL)
    eights = {"parlay/8x6", "parlay-envy/8x6", "parlay-envy/8x8"}
    craps = {"parlay/3x3", "parlay-envy/3x3", "parlay-envy/2-3-11-12x7"}
    assert taken(book, "") == clear
    # Point 8: only the parlays, but for the eight.
    assert taken(book, "8") == {*PARLAYS, *ENVIES} - eights
    # And a 3: the threes are shut too.
    assert taken(book, "8 3") == {*PARLAYS, *ENVIES} - eights - craps
    # 8 made: come-out with 8 and 3 marked on both halves and one point counted.
    assert taken(book, "8 3 8") == {*PARLAYS, *ENVIES} - eights - craps
    # 8 made without the 3: the lows are clear.
    assert taken(book, "8 8") == {"all-lows", *PARLAYS, *ENVIES} - eights
    # A come-out seven clears everything but the counts: High Roller has a point, Roll the Line two wins.
    assert taken(book, "8 8 7") == clear - {"high-roller", "roll-the-line"}
    assert taken(book, "7") == clear - {"roll-the-line"}
    # A seven-out clears everything.
    assert taken(book, "8 3 7") == clear


@pytest.mark.parametrize(
    ("options", "readings", "open_at_8", "open_at_8_8"),
    [
        ({}, {}, set(), {"all-lows"}),
        ({"works-window": "come-out"}, {}, set(), {"all-lows"}),
        ({"works-window": "any-roll"}, {}, {"all-lows"}, {"all-lows"}),
        ({"works-window": "come-out"}, {"works-window": "none-of-the-ten"}, set(), set()),
        ({"works-window": "any-roll"}, {"works-window": "none-of-the-ten"}, set(), set()),
        ({"works-window": "any-roll"}, {"works-window": "own-numbers"}, {"all-lows"}, {"all-lows"}),
    ],
)
def test_dice_works_windows_under_every_option_and_reading(
    options: dict[str, str], readings: dict[str, str], open_at_8: set[str], open_at_8_8: set[str]
) -> None:
    book = load("dice-works", options=options, readings=readings)
    assert taken(book, "") & set(WORKS) == set(WORKS)
    assert taken(book, "8") & set(WORKS) == open_at_8
    assert taken(book, "8 8") & set(WORKS) == open_at_8_8
    assert taken(book, "8 8 7") & set(WORKS) == set(WORKS)


def test_parlay_windows_under_each_option() -> None:
    none: set[str] = set()
    for parlay, envy in (("any-roll", "any-roll"), ("come-out", "any-roll"), ("any-roll", "come-out")):
        book = load("dice-works", options={"parlay-window": parlay, "parlay-envy-window": envy})
        parlays = {*PARLAYS} - {"parlay/8x6"}
        envies = {*ENVIES} - {"parlay-envy/8x6", "parlay-envy/8x8"}
        behind_the_point = (parlays if parlay == "any-roll" else none) | (envies if envy == "any-roll" else none)
        assert taken(book, "8") & {*PARLAYS, *ENVIES} == behind_the_point
        assert taken(book, "8 8") & {*PARLAYS, *ENVIES} == parlays | envies
        assert taken(book, "8 7") & {*PARLAYS, *ENVIES} == {*PARLAYS, *ENVIES}


def test_two_players_who_bet_at_different_times_share_one_progress() -> None:
    # The second bet on the 5 comes behind the point, before any 5; both win with the fifth.
    result = play(load("dice-works"), bets("parlay/5x5", "parlay/5x5@3"), rolls("6 8 5 5 5 5 5"))
    assert [outcome.decided_by_roll for outcome in result.outcomes] == [7, 7]
    with pytest.raises(InputError, match="before roll 4: Repeating 5x5 can't be bet now"):
        play(load("dice-works"), bets("parlay/5x5@4"), rolls("6 8 5 5 5 5 5"))


# ---------------------------------------------------------------- Dice-Ology


DICE_OLOGY = ["little-ones", "big-ones", "boom-or-bust"]
LITTLE, BIG = "2 3 4 5 6", "8 9 10 11 12"


def test_dice_ology_with_re_bets_a_win_clears_only_its_own_lammers() -> None:
    book = load("dice-ology")
    # 9 first; the lows are complete on roll 6; the point is 9.
    totals = f"9 {LITTLE}"
    result = play(book, bets(*DICE_OLOGY), rolls(totals))
    assert ends(result) == {"little-ones": (6, 34), "big-ones": (None, 0), "boom-or-bust": (None, 0)}
    assert [result.lammers[wager]["marked"] for wager in DICE_OLOGY] == [[], [9], [2, 3, 4, 5, 6, 9]]
    # Open behind the point while no little number comes, 8 and 10 notwithstanding; a 3 shuts it.
    assert taken(book, totals) == {"little-ones"}
    assert taken(book, f"{totals} 8 10") == {"little-ones"}
    assert taken(book, f"{totals} 8 3") == set()
    # Not even on the next come-out, until a seven.
    assert taken(book, f"{totals} 3 9") == set()
    assert taken(book, f"{totals} 3 9 7") == set(DICE_OLOGY)
    # After a seven the re-bet is over: the new point shuts it like the others.
    assert taken(book, f"{totals} 7 9") == set()
    # Bet again before roll 7, and won again on roll 16; Big Ones and Boom or Bust are won on the way.
    again = play(book, bets(*DICE_OLOGY, "little-ones@7"), rolls(f"{totals} {BIG} {LITTLE}"))
    decided = [(outcome.decided_by_roll, outcome.net) for outcome in again.outcomes]
    assert decided == [(6, 3400), (11, 3400), (11, 17500), (16, 3400)]


def test_dice_ology_without_re_bets_a_won_area_waits_for_a_seven() -> None:
    book = load("dice-ology", options={"rebet": "off"})
    totals = f"9 {LITTLE}"
    result = play(book, bets(*DICE_OLOGY), rolls(totals))
    assert result.lammers["little-ones"] == {"paid": True}
    assert [result.lammers[wager]["marked"] for wager in DICE_OLOGY[1:]] == [[9], [2, 3, 4, 5, 6, 9]]
    assert taken(book, totals) == set()
    # 9 is made: a come-out roll, and still it waits; so does a whole second set of little numbers.
    assert taken(book, f"{totals} 9") == set()
    assert table_after(book, f"{totals} 9 {LITTLE}")["little-ones"] == {"paid": True}
    with pytest.raises(InputError, match="again after a seven"):
        play(book, bets("little-ones@8"), rolls(f"{totals} 9"))
    # The come-out seven sets it free, and so does a seven-out.
    assert taken(book, f"{totals} 9 7") == set(DICE_OLOGY)
    assert taken(book, f"{totals} 7") == set(DICE_OLOGY)


def test_dice_ology_may_stand_gives_the_newcomer_what_is_marked() -> None:
    book = load("dice-ology", readings={"dice-ology-window": "may-stand"})
    # 4 and 3 are marked when the second player comes in, on the come-out.
    result = play(book, bets("little-ones", "little-ones@4"), rolls("4 3 4 2 5 6"))
    assert [(outcome.decided_by_roll, outcome.net) for outcome in result.outcomes] == [(6, 3400), (6, 3400)]
    assert taken(book, "4 3") == set()
    assert taken(book, "4 3 4") == set(DICE_OLOGY)


@pytest.mark.parametrize(
    ("wager", "paytable", "stake", "net", "capped"),
    [
        ("little-ones", "PT1", 1, 34, 0),
        ("little-ones", "PT1", 10, 340, 0),
        ("little-ones", "PT1", 12, 340, 68),
        ("little-ones", "PT2", 10, 300, 0),
        ("little-ones", "PT2", 12, 340, 20),
        ("big-ones", "PT1", 10, 340, 0),
        ("big-ones", "PT1", 11, 340, 34),
        ("big-ones", "PT2", 11, 330, 0),
        ("boom-or-bust", "PT1", 10, 1750, 0),
        ("boom-or-bust", "PT1", 11, 1750, 175),
        ("boom-or-bust", "PT2", 10, 1500, 0),
        ("boom-or-bust", "PT2", 12, 1750, 50),
    ],
)
def test_dice_ology_payoffs_end_at_the_cap(wager: str, paytable: str, stake: int, net: int, capped: int) -> None:
    book = load("dice-ology")
    settlement = settle(book, book.wagers[wager], book.cents(stake), "win", paytable)
    assert (settlement.net, settlement.capped) == (book.cents(net), book.cents(capped))
    assert ("(3)" in settlement.clauses) == bool(capped)


@pytest.mark.parametrize(("cents", "refusal"), [(99, "under"), (100, None), (1000, None), (1001, "over")])
@pytest.mark.parametrize("wager", DICE_OLOGY)
def test_dice_ology_takes_one_to_ten_dollars(wager: str, cents: int, refusal: str | None) -> None:
    made = [Bet(wager, Cents(cents))]
    if refusal:
        with pytest.raises(InputError, match=refusal):
            play(load("dice-ology"), made, rolls("7"))
    else:
        assert play(load("dice-ology"), made, rolls("7")).net == -cents
