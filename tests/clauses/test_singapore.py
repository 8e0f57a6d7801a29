"""Singapore: what wins, what pays, where the areas lie. One test per clause."""

from __future__ import annotations

from itertools import combinations

import pytest

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.money import Odds
from pitbook.rulebooks.errors import InvalidBook
from tests.clauses.clause_marks import holds
from tests.clauses.copies import THROWS, Copy, Throw, beyond_the_base, patched, throws

SINGAPORE = "singapore-mbs-sic-bo-v6"
FACES = range(1, 7)
PAIRS = list(combinations(FACES, 2))
THREE_SINGLES = [
    *("126", "135", "234", "256", "346"),
    *("123", "136", "145", "235", "356"),
    *("124", "146", "236", "245", "456"),
    *("125", "134", "156", "246", "345"),
]
DOUBLE_AND_SINGLE = [
    *("113", "114", "115", "116"),
    *("221", "223", "224", "225", "226"),
    *("331", "332", "334", "335", "336"),
    *("441", "442", "443", "445", "446"),
    *("551", "552", "553", "554", "556"),
    *("661", "662", "663", "664"),
]
FOURS = ["1234", "2345", "2356", "3456"]


def paid(to_one: int, won: set[Throw]) -> dict[Throw, int]:
    """What a stake of 100 gains on each throw, at so many to one where it has won."""
    return {throw: 100 * to_one if throw in won else -100 for throw in THROWS}


def selections(copy: Copy, family: str) -> list[str | None]:
    """What may be chosen of a family, in the book's order."""
    return [wager.selection for wager in copy.rules.wagers.values() if wager.family == family]


def digits(throw: Throw) -> list[str]:
    """The dice in ascending order, as the layout prints them."""
    return sorted(map(str, throw))


def matching_areas(throw: Throw) -> set[str]:
    """The playing areas that a throw matches, worked out from the dice."""
    low, middle, high = sorted(throw)
    total, numbers = sum(throw), set(throw)
    areas = {f"single-die/{n}" for n in numbers}
    areas |= {f"two-dice-combination/{a}-{b}" for a, b in combinations(sorted(numbers), 2)}
    if 3 < total < 18:
        areas.add(f"total/{total}")
    if low == high:
        return areas | {f"specific-triple/{low}", f"specific-double/{low}", "any-triple"}
    areas |= {"small" if total <= 10 else "big", "odd" if total % 2 else "even"}
    if low < middle < high:
        areas.add(f"three-singles/{low}{middle}{high}")
        return areas | {f"three-from-four/{four}" for four in FOURS if set(digits(throw)) <= set(four)}
    single = low if middle == high else high
    areas.add(f"specific-double/{middle}")
    if f"{middle}{middle}{single}" not in ("112", "665"):
        areas.add(f"double-and-single/{middle}{middle}{single}")
    return areas


# -- 2: the layout


@holds(SINGAPORE, "2.1")
def test_sg_2_1_the_layout_has_one_designated_area_for_each_wager(copy: Copy) -> None:
    rules = copy.rules
    drawn = [area for block in rules.layout.blocks for row in block.rows for area in row]
    assert len(drawn) == 104
    assert set(drawn) == set().union(*map(matching_areas, THROWS)) == set(rules.wagers)
    assert {block.shape for block in rules.layout.blocks} == {"grid"}  # each area has its own cell


@holds(SINGAPORE, "2.1")
def test_sg_2_1_a_layout_without_an_area_for_a_wager_is_refused(copy: Copy) -> None:
    for block, missing in [("main", "odd"), ("double-and-single", "double-and-single/664")]:
        rows = next(entry["rows"] for entry in copy.raw["layout"]["blocks"] if entry["id"] == block)
        without = [[area for area in row if area != missing] for row in rows]
        incomplete = Copy(patched(copy.raw, {f"layout.blocks.{block}.rows": without}))
        with pytest.raises(InvalidBook, match=f"{missing!r} is not drawn"):
            incomplete.under()


# -- 3: what wins


@holds(SINGAPORE, "3.4")
def test_sg_3_4_a_wager_wins_where_the_dice_match_its_area(copy: Copy) -> None:
    rules = copy.rules
    for throw in THROWS:
        assert set(illuminate(rules, Roll.of(*throw))) == matching_areas(throw)


@holds(SINGAPORE, "3.5.1.1")
def test_sg_3_5_1_1_small_wins_on_4_to_10_and_never_on_a_triple(copy: Copy) -> None:
    won = throws(lambda a, b, c: a + b + c in (4, 5, 6, 7, 8, 9, 10) and not a == b == c)
    assert copy.winning_throws("small") == won
    assert len(won) == 105


@holds(SINGAPORE, "3.5.2.1")
def test_sg_3_5_2_1_big_wins_on_11_to_17_and_never_on_a_triple(copy: Copy) -> None:
    won = throws(lambda a, b, c: a + b + c in (11, 12, 13, 14, 15, 16, 17) and not a == b == c)
    assert copy.winning_throws("big") == won
    assert len(won) == 105


@holds(SINGAPORE, "3.5.3.1")
def test_sg_3_5_3_1_odd_wins_on_odd_totals_and_never_on_a_triple(copy: Copy) -> None:
    won = throws(lambda a, b, c: a + b + c in (5, 7, 9, 11, 13, 15, 17) and not a == b == c)
    assert copy.winning_throws("odd") == won
    assert len(won) == 105


@holds(SINGAPORE, "3.5.4.1")
def test_sg_3_5_4_1_even_wins_on_even_totals_and_never_on_a_triple(copy: Copy) -> None:
    won = throws(lambda a, b, c: a + b + c in (4, 6, 8, 10, 12, 14, 16) and not a == b == c)
    assert copy.winning_throws("even") == won
    assert len(won) == 105


@holds(SINGAPORE, "3.5.5.1")
def test_sg_3_5_5_1_a_specific_triple_wins_when_all_three_dice_show_the_number(copy: Copy) -> None:
    assert selections(copy, "specific-triple") == ["1", "2", "3", "4", "5", "6"]
    for n in FACES:
        assert copy.winning_throws(f"specific-triple/{n}") == {(n, n, n)}


@holds(SINGAPORE, "3.5.6.1")
def test_sg_3_5_6_1_a_specific_double_wins_when_two_or_three_dice_show_the_number(copy: Copy) -> None:
    assert selections(copy, "specific-double") == ["1", "2", "3", "4", "5", "6"]
    for n in FACES:
        won = {throw for throw in THROWS if throw.count(n) in (2, 3)}
        assert len(won) == 16
        assert copy.winning_throws(f"specific-double/{n}") == won


@holds(SINGAPORE, "3.5.7.1")
def test_sg_3_5_7_1_any_triple_wins_when_all_three_dice_are_alike(copy: Copy) -> None:
    assert copy.winning_throws("any-triple") == {(n, n, n) for n in FACES}


@holds(SINGAPORE, "3.5.8.1")
def test_sg_3_5_8_1_a_total_of_4_to_17_wins_when_the_three_dice_add_up_to_it(copy: Copy) -> None:
    assert selections(copy, "total") == [str(total) for total in range(4, 18)]
    for total in range(4, 18):
        won = {(a, b, c) for a, b, c in THROWS if a + b + c == total}
        assert copy.winning_throws(f"total/{total}") == won


@holds(SINGAPORE, "3.5.9.1")
def test_sg_3_5_9_1_two_dice_combination_wins_when_both_numbers_show(copy: Copy) -> None:
    for low, high in PAIRS:
        won = {throw for throw in THROWS if low in throw and high in throw}
        assert len(won) == 30
        assert copy.winning_throws(f"two-dice-combination/{low}-{high}") == won


@holds(SINGAPORE, "3.5.10.1")
def test_sg_3_5_10_1_three_singles_win_when_the_dice_show_just_these_numbers(copy: Copy) -> None:
    for numbers in THREE_SINGLES:
        won = {throw for throw in THROWS if digits(throw) == sorted(numbers)}
        assert len(won) == 6
        assert copy.winning_throws(f"three-singles/{numbers}") == won


@holds(SINGAPORE, "3.5.11.1")
def test_sg_3_5_11_1_double_and_single_win_when_the_dice_show_just_these_numbers(copy: Copy) -> None:
    for numbers in DOUBLE_AND_SINGLE:
        won = {throw for throw in THROWS if digits(throw) == sorted(numbers)}
        assert len(won) == 3
        assert copy.winning_throws(f"double-and-single/{numbers}") == won


@holds(SINGAPORE, "3.5.12.1")
def test_sg_3_5_12_1_a_single_die_wins_when_one_or_more_dice_show_the_number(copy: Copy) -> None:
    assert selections(copy, "single-die") == ["1", "2", "3", "4", "5", "6"]
    for n in FACES:
        won = {throw for throw in THROWS if n in throw}
        assert len(won) == 91
        assert copy.winning_throws(f"single-die/{n}") == won


@holds(SINGAPORE, "3.5.13.1")
def test_sg_3_5_13_1_three_from_four_win_when_the_dice_show_three_of_the_four(copy: Copy) -> None:
    for four in FOURS:
        won = {throw for throw in THROWS if len(set(throw)) == 3 and set(digits(throw)) <= set(four)}
        assert len(won) == 24
        assert copy.winning_throws(f"three-from-four/{four}") == won


# -- 4: what pays


@holds(SINGAPORE, "4.1")
def test_sg_4_1_wagers_are_settled_at_these_odds_neither_more_nor_less(copy: Copy) -> None:
    for pays in ("2 to 1", "9 to 10"):
        other = Copy(patched(copy.raw, {"wager.small.pays": pays}))
        (refused,) = beyond_the_base(other.rules, copy.rules)
        assert refused.key == "wager.small.pays"
        assert "4.1.1 fixes 1 to 1" in refused.problem_text
    assert beyond_the_base(copy.rules, copy.rules) == []


@holds(SINGAPORE, "4.1")
def test_sg_4_1_odds_are_worded_so_many_to_one(copy: Copy) -> None:
    rules = copy.rules
    assert rules.printed(Odds.for_one(51)) == "50 to 1"
    assert rules.printed(Odds.parse("1 wins 50")) == "50 to 1"
    for pays in ("2 for 1", "1 wins 1"):
        reworded = Copy(patched(copy.raw, {"wager.small.pays": pays}))
        with pytest.raises(InvalidBook, match=r"4\.1"):
            reworded.under()


@holds(SINGAPORE, "4.1.1")
def test_sg_4_1_1_small_big_odd_and_even_pay_1_to_1_triples_180_and_31_doubles_11(copy: Copy) -> None:
    triples: set[Throw] = {(n, n, n) for n in FACES}
    assert copy.nets("small") == paid(1, throws(lambda a, b, c: 4 <= a + b + c <= 10) - triples)
    assert copy.nets("big") == paid(1, throws(lambda a, b, c: 11 <= a + b + c <= 17) - triples)
    assert copy.nets("odd") == paid(1, throws(lambda a, b, c: (a + b + c) % 2 == 1) - triples)
    assert copy.nets("even") == paid(1, throws(lambda a, b, c: (a + b + c) % 2 == 0) - triples)
    assert copy.nets("any-triple") == paid(31, triples)
    for n in FACES:
        assert copy.nets(f"specific-triple/{n}") == paid(180, {(n, n, n)})
        doubles = {throw for throw in THROWS if throw.count(n) >= 2}
        assert copy.nets(f"specific-double/{n}") == paid(11, doubles)


@holds(SINGAPORE, "4.1.2")
def test_sg_4_1_2_totals_pay_from_62_to_1_at_the_ends_down_to_6_to_1_in_the_middle(copy: Copy) -> None:
    for low, to_one in {4: 62, 5: 31, 6: 18, 7: 12, 8: 8, 9: 7, 10: 6}.items():
        for total in (low, 21 - low):
            nets = copy.nets(f"total/{total}")
            assert nets == paid(to_one, {throw for throw in THROWS if sum(throw) == total})


@holds(SINGAPORE, "4.1.3")
def test_sg_4_1_3_fifteen_two_dice_combinations_pay_6_to_1(copy: Copy) -> None:
    assert len(PAIRS) == 15
    assert selections(copy, "two-dice-combination") == [f"{low}-{high}" for low, high in PAIRS]
    for low, high in PAIRS:
        nets = copy.nets(f"two-dice-combination/{low}-{high}")
        assert nets == paid(6, {throw for throw in THROWS if {low, high} <= set(throw)})


@holds(SINGAPORE, "4.1.4")
def test_sg_4_1_4_twenty_combinations_of_three_singles_pay_30_to_1(copy: Copy) -> None:
    assert len(THREE_SINGLES) == 20
    assert selections(copy, "three-singles") == THREE_SINGLES
    for numbers in THREE_SINGLES:
        nets = copy.nets(f"three-singles/{numbers}")
        assert nets == paid(30, {throw for throw in THROWS if digits(throw) == sorted(numbers)})


@holds(SINGAPORE, "4.1.5")
def test_sg_4_1_5_28_combinations_of_a_double_and_a_single_pay_50_to_1(copy: Copy) -> None:
    assert len(DOUBLE_AND_SINGLE) == 28
    assert selections(copy, "double-and-single") == DOUBLE_AND_SINGLE
    for numbers in DOUBLE_AND_SINGLE:
        nets = copy.nets(f"double-and-single/{numbers}")
        assert nets == paid(50, {throw for throw in THROWS if digits(throw) == sorted(numbers)})


@holds(SINGAPORE, "4.1.6")
def test_sg_4_1_6_a_single_die_pays_1_to_1_on_one_die_2_on_two_12_on_three(copy: Copy) -> None:
    for n in FACES:
        nets = copy.nets(f"single-die/{n}")
        gains = {0: -100, 1: 100, 2: 200, 3: 1200}
        assert nets == {throw: gains[throw.count(n)] for throw in THROWS}


@holds(SINGAPORE, "4.1.7")
def test_sg_4_1_7_four_sets_of_four_numbers_pay_7_to_1(copy: Copy) -> None:
    assert selections(copy, "three-from-four") == FOURS
    for four in FOURS:
        won = {throw for throw in THROWS if len(set(throw)) == 3 and set(digits(throw)) <= set(four)}
        assert copy.nets(f"three-from-four/{four}") == paid(7, won)


# -- appendix A: the drawing


@holds(SINGAPORE, "appendix-a")
def test_sg_appendix_a_doubles_with_singles_and_three_singles_in_the_printed_rows(copy: Copy) -> None:
    blocks = {block.id: block for block in copy.rules.layout.blocks}
    assert list(blocks) == ["double-and-single", "three-singles", "main", "single-dice"]
    assert [block.shape for block in blocks.values()] == ["grid"] * 4
    doubles = [[area.partition("/")[2] for area in row] for row in blocks["double-and-single"].rows]
    assert [len(row) for row in doubles] == [4, 5, 5, 5, 5, 4]
    assert [numbers for row in doubles for numbers in row] == DOUBLE_AND_SINGLE
    singles = [[area.partition("/")[2] for area in row] for row in blocks["three-singles"].rows]
    assert [len(row) for row in singles] == [5, 5, 5, 5]
    assert [numbers for row in singles for numbers in row] == THREE_SINGLES


@holds(SINGAPORE, "appendix-a")
def test_sg_appendix_a_even_and_big_on_the_left_odd_and_small_on_the_right(copy: Copy) -> None:
    blocks = {block.id: block for block in copy.rules.layout.blocks}
    doubles, triples, totals, pairs, fours = blocks["main"].rows
    downwards = (6, 5, 4, 3, 2, 1)
    assert doubles == ["even", *(f"specific-double/{n}" for n in downwards), "any-triple", "odd"]
    assert triples == ["big", *(f"specific-triple/{n}" for n in downwards), "small"]
    assert totals == [f"total/{total}" for total in range(17, 3, -1)]
    assert pairs == [f"two-dice-combination/{low}-{high}" for low, high in reversed(PAIRS)]
    assert fours == [f"three-from-four/{four}" for four in ("3456", "2356", "2345", "1234")]
    assert blocks["single-dice"].rows == [[f"single-die/{n}" for n in downwards]]


@holds(SINGAPORE, "appendix-a")
def test_sg_appendix_a_the_notes_beside_the_areas_say_what_the_body_pays(copy: Copy) -> None:
    notes = {block.id: block.note for block in copy.rules.layout.blocks}
    assert {name: note.en for name, note in notes.items() if note} == {
        "double-and-single": f"Pays {copy.odds('double-and-single/113')}",
        "three-singles": f"Pays {copy.odds('three-singles/126')}",
        "main": "Small, big, odd and even lose on any triple",
        "single-dice": "1 to 1 on one die, 2 to 1 on two dice, 12 to 1 on three dice",
    }
    assert {name: note.zh for name, note in notes.items() if note} == {
        "double-and-single": "1賠50",
        "three-singles": "1賠30",
        "main": "大小單雙遇圍骰通殺",
        "single-dice": "一骰1賠1，二骰1賠2，三骰1賠12",
    }
