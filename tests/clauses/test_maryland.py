"""Maryland: what wins, what pays, and an area for each wager. One test per clause."""

from __future__ import annotations

from itertools import combinations

import pytest

from pitbook.rulebooks.errors import InvalidBook
from tests.clauses.clause_marks import holds
from tests.clauses.copies import THROWS, Copy, Throw, beyond_the_base, patched, throws

MARYLAND = "maryland-sic-bo"
FACES = range(1, 7)
PAIRS = list(combinations(FACES, 2))


def paid(to_one: int, won: set[Throw]) -> dict[Throw, int]:
    """What a stake of 100 gains on each throw, at so many to one where it has won."""
    return {throw: 100 * to_one if throw in won else -100 for throw in THROWS}


# -- 1: the layout


@holds(MARYLAND, "1.C.2")
def test_md_1C2_the_layout_has_one_area_for_each_authorised_wager(copy: Copy) -> None:
    authorised = (
        {f"three-of-a-kind/{n}" for n in FACES}
        | {f"two-of-a-kind/{n}" for n in FACES}
        | {"any-three-of-a-kind", "small", "big"}
        | {f"total/{total}" for total in range(4, 18)}
        | {f"two-dice-combination/{low}-{high}" for low, high in PAIRS}
        | {f"one-of-a-kind/{n}" for n in FACES}
    )
    (block,) = copy.rules.layout.blocks
    drawn = [area for row in block.rows for area in row]
    assert block.shape == "grid"  # each area has its own cell
    assert len(drawn) == 50
    assert set(drawn) == authorised == set(copy.rules.wagers)


@holds(MARYLAND, "1.C.2")
def test_md_1C2_a_layout_without_an_area_for_an_authorised_wager_is_refused(copy: Copy) -> None:
    for missing in ("small", "total/9", "two-dice-combination/2-5", "one-of-a-kind/6"):
        rows = copy.raw["layout"]["blocks"][0]["rows"]
        without = [[area for area in row if area != missing] for row in rows]
        incomplete = Copy(patched(copy.raw, {"layout.blocks.main.rows": without}))
        with pytest.raises(InvalidBook, match=f"{missing!r} is not drawn"):
            incomplete.under()


# -- 3: wagers


@holds(MARYLAND, "3.A.1")
def test_md_3A1_three_of_a_kind_wins_when_all_three_dice_show_the_number(copy: Copy) -> None:
    for n in FACES:
        assert copy.winning_throws(f"three-of-a-kind/{n}") == {(n, n, n)}


@holds(MARYLAND, "3.A.2")
def test_md_3A2_two_of_a_kind_wins_when_two_or_more_dice_show_the_number(copy: Copy) -> None:
    for n in FACES:
        won = {throw for throw in THROWS if throw.count(n) >= 2}
        assert len(won) == 16
        assert copy.winning_throws(f"two-of-a-kind/{n}") == won


@holds(MARYLAND, "3.A.2")
def test_md_3A2_two_of_a_kind_may_be_read_as_exactly_two_so_that_a_triple_loses(copy: Copy) -> None:
    exactly = Copy(patched(copy.raw, {"reading.double-with-triple.default": "exactly-two"}))
    for n in FACES:
        won = {throw for throw in THROWS if throw.count(n) == 2}
        assert len(won) == 15
        assert exactly.winning_throws(f"two-of-a-kind/{n}") == won


@holds(MARYLAND, "3.A.3")
def test_md_3A3_any_three_of_a_kind_wins_when_all_three_dice_are_alike(copy: Copy) -> None:
    assert copy.winning_throws("any-three-of-a-kind") == {(n, n, n) for n in FACES}


@holds(MARYLAND, "3.A.4")
def test_md_3A4_a_total_wins_when_the_three_dice_add_up_to_it(copy: Copy) -> None:
    for total in range(4, 18):
        won = {(a, b, c) for a, b, c in THROWS if a + b + c == total}
        assert copy.winning_throws(f"total/{total}") == won


@holds(MARYLAND, "3.A.5")
def test_md_3A5_two_dice_combination_wins_when_both_numbers_show(copy: Copy) -> None:
    assert len(PAIRS) == 15
    for low, high in PAIRS:
        won = {throw for throw in THROWS if low in throw and high in throw}
        assert len(won) == 30
        assert copy.winning_throws(f"two-dice-combination/{low}-{high}") == won


@holds(MARYLAND, "3.A.6")
def test_md_3A6_small_wins_on_4_to_10_and_never_on_a_triple(copy: Copy) -> None:
    won = throws(lambda a, b, c: a + b + c in (4, 5, 6, 7, 8, 9, 10) and not a == b == c)
    assert copy.winning_throws("small") == won
    assert len(won) == 105


@holds(MARYLAND, "3.A.7")
def test_md_3A7_big_wins_on_11_to_17_and_never_on_a_triple(copy: Copy) -> None:
    won = throws(lambda a, b, c: a + b + c in (11, 12, 13, 14, 15, 16, 17) and not a == b == c)
    assert copy.winning_throws("big") == won
    assert len(won) == 105


@holds(MARYLAND, "3.A.8")
def test_md_3A8_one_of_a_kind_wins_when_one_or_more_dice_show_the_number(copy: Copy) -> None:
    for n in FACES:
        won = {throw for throw in THROWS if n in throw}
        assert len(won) == 91
        assert copy.winning_throws(f"one-of-a-kind/{n}") == won


# -- 6: payout odds


@holds(MARYLAND, "6.A")
def test_md_6A_an_operator_may_pay_more_than_the_odds_listed_but_never_less(copy: Copy) -> None:
    more = Copy(patched(copy.raw, {"wager.small.pays": "2 to 1", "wager.total.pays.4": "60 to 1"}))
    assert beyond_the_base(more.rules, copy.rules) == []
    less = Copy(patched(copy.raw, {"wager.small.pays": "9 to 10", "wager.total.pays.4": "49 to 1"}))
    refused = beyond_the_base(less.rules, copy.rules)
    assert [problem.key for problem in refused] == ["wager.total.pays", "wager.small.pays"]
    assert "6.A.4 requires at least 50 to 1" in refused[0].problem_text
    assert "6.A.19 requires at least 1 to 1" in refused[1].problem_text


@holds(MARYLAND, "6.A.1")
def test_md_6A1_three_of_a_kind_pays_150_to_1(copy: Copy) -> None:
    for n in FACES:
        assert copy.nets(f"three-of-a-kind/{n}") == paid(150, {(n, n, n)})


@holds(MARYLAND, "6.A.2")
def test_md_6A2_two_of_a_kind_pays_8_to_1(copy: Copy) -> None:
    for n in FACES:
        assert copy.nets(f"two-of-a-kind/{n}") == paid(8, {throw for throw in THROWS if throw.count(n) >= 2})


@holds(MARYLAND, "6.A.3")
def test_md_6A3_any_three_of_a_kind_pays_24_to_1(copy: Copy) -> None:
    assert copy.nets("any-three-of-a-kind") == paid(24, {(n, n, n) for n in FACES})


@holds(MARYLAND, "6.A.4")
def test_md_6A4_total_4_pays_50_to_1(copy: Copy) -> None:
    assert copy.nets("total/4") == paid(50, throws(lambda a, b, c: a + b + c == 4))


@holds(MARYLAND, "6.A.5")
def test_md_6A5_total_5_pays_18_to_1(copy: Copy) -> None:
    assert copy.nets("total/5") == paid(18, throws(lambda a, b, c: a + b + c == 5))


@holds(MARYLAND, "6.A.6")
def test_md_6A6_total_6_pays_14_to_1(copy: Copy) -> None:
    assert copy.nets("total/6") == paid(14, throws(lambda a, b, c: a + b + c == 6))


@holds(MARYLAND, "6.A.7")
def test_md_6A7_total_7_pays_12_to_1(copy: Copy) -> None:
    assert copy.nets("total/7") == paid(12, throws(lambda a, b, c: a + b + c == 7))


@holds(MARYLAND, "6.A.8")
def test_md_6A8_total_8_pays_8_to_1(copy: Copy) -> None:
    assert copy.nets("total/8") == paid(8, throws(lambda a, b, c: a + b + c == 8))


@holds(MARYLAND, "6.A.9")
def test_md_6A9_total_9_pays_6_to_1(copy: Copy) -> None:
    assert copy.nets("total/9") == paid(6, throws(lambda a, b, c: a + b + c == 9))


@holds(MARYLAND, "6.A.10")
def test_md_6A10_total_10_pays_6_to_1(copy: Copy) -> None:
    assert copy.nets("total/10") == paid(6, throws(lambda a, b, c: a + b + c == 10))


@holds(MARYLAND, "6.A.11")
def test_md_6A11_total_11_pays_6_to_1(copy: Copy) -> None:
    assert copy.nets("total/11") == paid(6, throws(lambda a, b, c: a + b + c == 11))


@holds(MARYLAND, "6.A.12")
def test_md_6A12_total_12_pays_6_to_1(copy: Copy) -> None:
    assert copy.nets("total/12") == paid(6, throws(lambda a, b, c: a + b + c == 12))


@holds(MARYLAND, "6.A.13")
def test_md_6A13_total_13_pays_8_to_1(copy: Copy) -> None:
    assert copy.nets("total/13") == paid(8, throws(lambda a, b, c: a + b + c == 13))


@holds(MARYLAND, "6.A.14")
def test_md_6A14_total_14_pays_12_to_1(copy: Copy) -> None:
    assert copy.nets("total/14") == paid(12, throws(lambda a, b, c: a + b + c == 14))


@holds(MARYLAND, "6.A.15")
def test_md_6A15_total_15_pays_14_to_1(copy: Copy) -> None:
    assert copy.nets("total/15") == paid(14, throws(lambda a, b, c: a + b + c == 15))


@holds(MARYLAND, "6.A.16")
def test_md_6A16_total_16_pays_18_to_1(copy: Copy) -> None:
    assert copy.nets("total/16") == paid(18, throws(lambda a, b, c: a + b + c == 16))


@holds(MARYLAND, "6.A.17")
def test_md_6A17_total_17_pays_50_to_1(copy: Copy) -> None:
    assert copy.nets("total/17") == paid(50, throws(lambda a, b, c: a + b + c == 17))


@holds(MARYLAND, "6.A.18")
def test_md_6A18_any_two_dice_combination_pays_5_to_1(copy: Copy) -> None:
    for low, high in PAIRS:
        nets = copy.nets(f"two-dice-combination/{low}-{high}")
        assert nets == paid(5, {throw for throw in THROWS if {low, high} <= set(throw)})


@holds(MARYLAND, "6.A.19")
def test_md_6A19_small_pays_1_to_1(copy: Copy) -> None:
    assert copy.nets("small") == paid(1, throws(lambda a, b, c: 4 <= a + b + c <= 10 and not a == b == c))


@holds(MARYLAND, "6.A.20")
def test_md_6A20_big_pays_1_to_1(copy: Copy) -> None:
    assert copy.nets("big") == paid(1, throws(lambda a, b, c: 11 <= a + b + c <= 17 and not a == b == c))


@holds(MARYLAND, "6.A.21.a")
def test_md_6A21a_one_of_a_kind_pays_one_to_one_on_one_die(copy: Copy) -> None:
    for n in FACES:
        nets = copy.nets(f"one-of-a-kind/{n}")
        assert {nets[throw] for throw in THROWS if throw.count(n) == 1} == {100}
        assert {nets[throw] for throw in THROWS if throw.count(n) == 0} == {-100}


@holds(MARYLAND, "6.A.21.b")
def test_md_6A21b_one_of_a_kind_pays_two_to_one_on_two_dice(copy: Copy) -> None:
    for n in FACES:
        nets = copy.nets(f"one-of-a-kind/{n}")
        assert {nets[throw] for throw in THROWS if throw.count(n) == 2} == {200}


@holds(MARYLAND, "6.A.21.c")
def test_md_6A21c_one_of_a_kind_pays_three_to_one_on_three_dice(copy: Copy) -> None:
    for n in FACES:
        assert copy.nets(f"one-of-a-kind/{n}")[n, n, n] == 300
