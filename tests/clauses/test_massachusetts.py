"""Massachusetts: what wins, what pays, how odds are worded. One test per clause, and one per open reading."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from pitbook.dice import Roll
from pitbook.engine.play import Bet, play
from pitbook.money import Cents, Odds
from pitbook.rulebooks.errors import InvalidBook
from tests.clauses.clause_marks import holds
from tests.clauses.copies import THROWS, Copy, beyond_the_base, patched, throws

MASSACHUSETTS = "massachusetts-sic-bo"
FACES = range(1, 7)
PAIRS = list(combinations(FACES, 2))


def edge(copy: Copy, wager: str) -> Fraction:
    """What the house keeps of each unit staked, over the 216 throws."""
    return Fraction(-sum(copy.nets(wager).values()), 216 * 100)


def read_as(copy: Copy, reading: str, choice: str) -> Copy:
    """The book with another choice of a reading for its default."""
    return Copy(patched(copy.raw, {f"reading.{reading}.default": choice}))


# -- 2: permissible wagers


@holds(MASSACHUSETTS, "2(a)(1)")
def test_ma_2a1_three_of_a_kind_wins_when_all_three_dice_show_the_number(copy: Copy) -> None:
    for n in FACES:
        assert copy.winning_throws(f"three-of-a-kind/{n}") == {(n, n, n)}


@holds(MASSACHUSETTS, "2(a)(2)")
def test_ma_2a2_two_of_a_kind_wins_when_two_or_more_dice_show_the_number(copy: Copy) -> None:
    for n in FACES:
        won = {throw for throw in THROWS if throw.count(n) >= 2}
        assert len(won) == 16
        assert copy.winning_throws(f"two-of-a-kind/{n}") == won
        assert edge(copy, f"two-of-a-kind/{n}") == Fraction(1, 3)


@holds(MASSACHUSETTS, "2(a)(2)")
def test_ma_2a2_two_of_a_kind_may_be_read_as_exactly_two_so_that_a_triple_loses(copy: Copy) -> None:
    exactly = read_as(copy, "double-with-triple", "exactly-two")
    for n in FACES:
        won = {throw for throw in THROWS if throw.count(n) == 2}
        assert len(won) == 15
        assert exactly.winning_throws(f"two-of-a-kind/{n}") == won
        assert edge(exactly, f"two-of-a-kind/{n}") == Fraction(3, 8)


@holds(MASSACHUSETTS, "2(a)(3)")
def test_ma_2a3_any_three_of_a_kind_wins_when_all_three_dice_are_alike(copy: Copy) -> None:
    assert copy.winning_throws("any-three-of-a-kind") == {(n, n, n) for n in FACES}


@holds(MASSACHUSETTS, "2(a)(4)")
def test_ma_2a4_a_total_wins_when_the_three_dice_add_up_to_it(copy: Copy) -> None:
    for total in range(4, 18):
        won = {(a, b, c) for a, b, c in THROWS if a + b + c == total}
        assert copy.winning_throws(f"total/{total}") == won


@holds(MASSACHUSETTS, "2(a)(5)")
def test_ma_2a5_two_dice_combination_wins_when_both_numbers_show(copy: Copy) -> None:
    assert len(PAIRS) == 15
    for low, high in PAIRS:
        won = {throw for throw in THROWS if low in throw and high in throw}
        assert len(won) == 30
        assert copy.winning_throws(f"two-dice-combination/{low}-{high}") == won


@holds(MASSACHUSETTS, "2(a)(6)")
def test_ma_2a6_small_wins_on_4_to_10_and_never_on_a_triple(copy: Copy) -> None:
    won = throws(lambda a, b, c: a + b + c in (4, 5, 6, 7, 8, 9, 10) and not a == b == c)
    assert copy.winning_throws("small") == won
    assert len(won) == 105


@holds(MASSACHUSETTS, "2(a)(7)")
def test_ma_2a7_big_wins_on_11_to_17_and_loses_on_any_other_total_and_on_a_triple(copy: Copy) -> None:
    won = throws(lambda a, b, c: a + b + c in (11, 12, 13, 14, 15, 16, 17) and not a == b == c)
    assert copy.winning_throws("big") == won
    assert len(won) == 105
    assert {throw for throw, net in copy.nets("big").items() if net < 0} == set(THROWS) - won


@holds(MASSACHUSETTS, "2(a)(8)")
def test_ma_2a8_one_of_a_kind_wins_when_one_or_more_dice_show_the_number(copy: Copy) -> None:
    for n in FACES:
        won = {throw for throw in THROWS if n in throw}
        assert len(won) == 91
        assert copy.winning_throws(f"one-of-a-kind/{n}") == won


# -- 4: payout odds


@holds(MASSACHUSETTS, "4(a)")
def test_ma_4a_odds_are_never_worded_with_for(copy: Copy) -> None:
    rules = copy.rules
    for wager in rules.wagers.values():
        for odds in wager.pays[None].values():
            assert " for " not in rules.printed(odds)
    assert rules.printed(Odds.for_one(35)) == "34 to 1"
    assert rules.printed(Odds.parse("1 wins 34")) == "1 wins 34"
    worded_with_for = Copy(patched(copy.raw, {"wager.small.pays": "2 for 1"}))
    with pytest.raises(InvalidBook, match=r"4\(a\)"):
        worded_with_for.under()


LISTED_TO_ONE = (
    {f"three-of-a-kind/{n}": 150 for n in FACES}
    | {f"two-of-a-kind/{n}": 8 for n in FACES}
    | {"any-three-of-a-kind": 24}
    | {"total/4": 50, "total/5": 18, "total/6": 14, "total/7": 12, "total/8": 8, "total/9": 6}
    | {"total/10": 6, "total/11": 6, "total/12": 6, "total/13": 8}
    | {"total/14": 12, "total/15": 14, "total/16": 18, "total/17": 50}
    | {f"two-dice-combination/{low}-{high}": 5 for low, high in PAIRS}
    | {"small": 1, "big": 1}
)


@holds(MASSACHUSETTS, "4(b)")
def test_ma_4b_winning_wagers_are_paid_at_the_odds_listed(copy: Copy) -> None:
    for wager, to_one in LISTED_TO_ONE.items():
        assert set(copy.nets(wager).values()) == {100 * to_one, -100}, wager
    for n in FACES:
        nets = copy.nets(f"one-of-a-kind/{n}")
        assert {nets[throw] for throw in THROWS if throw.count(n) == 1} == {100}
        assert edge(copy, f"one-of-a-kind/{n}") == Fraction(17, 216)


@holds(MASSACHUSETTS, "4(b)")
def test_ma_4b_one_of_a_kind_on_one_die_may_be_read_as_printed_at_1_to_10(copy: Copy) -> None:
    printed = read_as(copy, "one-of-a-kind-single", "one-to-ten")
    nets = printed.nets("one-of-a-kind/3")
    assert {nets[throw] for throw in THROWS if throw.count(3) == 1} == {10}
    assert edge(printed, "one-of-a-kind/3") == Fraction(169, 432)
    assert copy.under(as_printed=True).wager("one-of-a-kind/3").pays[None]["one die"] == Odds.parse("1 to 10")


@holds(MASSACHUSETTS, "4(b)")
def test_ma_4b_a_licensee_may_pay_more_than_the_odds_listed_but_never_less(copy: Copy) -> None:
    more = Copy(patched(copy.raw, {"wager.small.pays": "2 to 1", "wager.total.pays.4": "60 to 1"}))
    assert beyond_the_base(more.rules, copy.rules) == []
    less = Copy(patched(copy.raw, {"wager.small.pays": "9 to 10", "wager.total.pays.4": "49 to 1"}))
    refused = beyond_the_base(less.rules, copy.rules)
    assert [problem.key for problem in refused] == ["wager.total.pays", "wager.small.pays"]
    assert all("4(b)" in problem.problem_text for problem in refused)


@holds(MASSACHUSETTS, "4(b)")
def test_ma_4b_less_than_the_odds_is_not_paid_by_rounding_either(copy: Copy) -> None:
    printed = copy.under(as_printed=True)
    assert play(printed, [Bet("one-of-a-kind/1", Cents(25))], [Roll.of(1, 2, 3)]).net == 3


@holds(MASSACHUSETTS, "4(c)")
def test_ma_4c_one_of_a_kind_pays_two_to_one_on_two_dice_and_three_to_one_on_three(copy: Copy) -> None:
    for n in FACES:
        nets = copy.nets(f"one-of-a-kind/{n}")
        assert {nets[throw] for throw in THROWS if throw.count(n) == 2} == {200}
        assert nets[n, n, n] == 300


# -- 6: irregularities


@holds(MASSACHUSETTS, "6(a)")
def test_ma_6a_wagers_of_a_no_roll_are_returned_or_by_another_reading_stand(copy: Copy) -> None:
    assert copy.rules.irregularities["no-roll"].remedy == "return wagers"
    standing = copy.under(readings={"no-roll-wagers": "stand"})
    assert standing.irregularities["no-roll"].remedy == "wagers stand"
