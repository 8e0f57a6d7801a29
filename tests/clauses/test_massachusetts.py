"""Massachusetts: what wins, what pays, how odds are worded. One test per clause."""

from __future__ import annotations

import pytest

from pitbook.money import Odds, Wording
from pitbook.rulebooks.problems import BrokenBook
from pitbook.rulebooks.patches import patched
from tests.clauses.copies import THROWS, Copy, throws
from tests.clauses.holding import holds

MASSACHUSETTS = "massachusetts-sic-bo"


@holds(MASSACHUSETTS, "2(a)(1)")
def test_ma_2a1_three_of_a_kind_wins_when_all_three_dice_show_the_number(copy: Copy) -> None:
    for n in range(1, 7):
        assert copy.winning_throws(f"three-of-a-kind/{n}") == {(n, n, n)}


@holds(MASSACHUSETTS, "2(a)(2)")
def test_ma_2a2_two_of_a_kind_wins_when_two_or_more_dice_show_the_number(copy: Copy) -> None:
    for n in range(1, 7):
        assert copy.winning_throws(f"two-of-a-kind/{n}") == throws(lambda *d, n=n: d.count(n) >= 2)


@holds(MASSACHUSETTS, "4(a)")
def test_ma_4a_odds_are_never_worded_with_for(copy: Copy) -> None:
    rules = copy.rules
    for wager in rules.wagers.values():
        for odds in wager.pays[None].values():
            assert " for " not in rules.printed(odds)
    assert rules.printed(Odds.for_one(35)) == "34 to 1"
    assert rules.printed(Odds.parse("1 wins 34")) == "1 wins 34"
    with pytest.raises(BrokenBook, match=r"4\(a\)"):
        Copy(patched(copy.raw, {"wager.small.pays": "2 for 1"})).rules
