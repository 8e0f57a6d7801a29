"""The same figures by other methods that share no code with the machines: sums worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest

from pitbook.engine.analyse import analyse, analyse_book
from pitbook.engine.duration import duration
from pitbook.rulebooks.catalogue import load

WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
WORKS = load("dice-works")
POINTS = (4, 5, 6, 8, 9, 10)


def all_before_seven(numbers: set[int]) -> Fraction:
    """Inclusion and exclusion over which of the numbers are still missing when the seven comes."""
    chance = Fraction(0)
    for size in range(len(numbers) + 1):
        for missing in combinations(sorted(numbers), size):
            weight = sum(WAYS[number] for number in missing)
            chance += (-1) ** size * Fraction(6, 6 + weight)
    return chance


@pytest.mark.parametrize(
    ("wager", "numbers"),
    [
        ("all-lows", {2, 3, 4, 5, 6}),
        ("all-highs", {8, 9, 10, 11, 12}),
        ("the-works", {2, 3, 4, 5, 6, 8, 9, 10, 11, 12}),
    ],
)
def test_collecting_agrees_with_inclusion_and_exclusion(wager: str, numbers: set[int]) -> None:
    assert analyse(WORKS, WORKS.wagers[wager]).win_probability == all_before_seven(numbers)


@pytest.mark.parametrize("wager", [wager for wager in WORKS.wagers if wager.startswith("parlay")])
def test_repeating_agrees_with_a_power(wager: str) -> None:
    left, _, times = wager.partition("/")[2].rpartition("x")
    weight = sum(WAYS[int(number)] for number in left.split("-"))
    figures = analyse(WORKS, WORKS.wagers[wager])
    assert figures.win_probability == Fraction(weight, weight + 6) ** int(times)
    # The wager lasts until the seven or the last repeat, whichever of the numbers that matter comes first so often.
    chance = Fraction(weight, weight + 6)
    events = sum((chance**k for k in range(int(times))), Fraction(0))
    assert figures.expected_rolls == events * Fraction(36, weight + 6)


def seven_out_and_win_chances() -> tuple[Fraction, Fraction, Fraction]:
    """On one decision of the pass line: a natural, a point made, a seven-out (craps rolls again)."""
    decided = 36 - sum(WAYS[total] for total in (2, 3, 12))
    natural = Fraction(WAYS[7] + WAYS[11], decided)
    made = sum((Fraction(WAYS[p], decided) * Fraction(WAYS[p], WAYS[p] + 6) for p in POINTS), Fraction(0))
    return natural, made, 1 - natural - made


@pytest.mark.parametrize("paytable", ["PT1", "PT2", "PT3", "PT4", "PT5", "PT6", "PT7"])
def test_roll_the_line_agrees_with_a_geometric_sum(paytable: str) -> None:
    natural, made, out = seven_out_and_win_chances()
    win = natural + made
    figures = analyse(WORKS, WORKS.wagers["roll-the-line"], paytable)
    for end in figures.ends:
        count = int(end.row.split()[0])
        assert end.probability == (win**11 if count == 11 else win**count * out)


def test_high_roller_agrees_with_a_geometric_sum() -> None:
    _, made, out = seven_out_and_win_chances()
    point = made / (made + out)
    figures = analyse(WORKS, WORKS.wagers["high-roller"])
    chances = {end.row: end.probability for end in figures.ends}
    assert chances["2 or less"] == 1 - point**3
    assert chances["10 or more"] == point**10
    for count in range(3, 10):
        assert chances[str(count)] == point**count * (1 - point)


def test_a_hand_lasts_as_long_as_craps_players_know() -> None:
    assert analyse(WORKS, WORKS.wagers["high-roller"]).expected_rolls == Fraction(1671, 196)


@pytest.mark.parametrize("book", ["massachusetts-sic-bo", "maryland-sic-bo", "singapore-mbs-sic-bo-v6"])
def test_one_roll_wagers_agree_with_counting_all_216_throws(book: str) -> None:
    from tests.proofs.test_sic_bo_throws import EXPECTED, FACES

    throws = list(product(FACES, FACES, FACES))
    for figures in analyse_book(load(book)):
        gains = [Fraction(EXPECTED[book][figures.wager.id](throw)) for throw in throws]
        mean = sum(gains) / 216
        assert figures.house_edge == -mean
        assert figures.variance == sum(gain**2 for gain in gains) / 216 - mean**2
        assert figures.third_central_moment == sum((gain - mean) ** 3 for gain in gains) / 216
        assert figures.ways == sum(gain > 0 for gain in gains)


@pytest.mark.parametrize(
    ("wager", "edges"),
    [
        ("roll-the-line", [9.2792, 10.2527, 10.2127, 10.6042, 10.5753, 8.5219, 9.6485]),
        ("all-lows", [7.7613, 18.3029]),
        ("all-highs", [7.7613, 18.3029]),
        ("the-works", [7.4644, 20.6087]),
        ("parlay/2x2", [18.3673]),
        ("parlay/3x3", [21.875]),
        ("parlay/4x4", [19.7531]),
        ("parlay/5x5", [18.08]),
        ("parlay/6x6", [20.6209]),
        ("high-roller", [26.0115]),
    ],
)
def test_the_published_edges_are_met(wager: str, edges: list[float]) -> None:
    found = [figures.house_edge for figures in analyse_book(WORKS, [wager])]
    assert [round(float(edge) * 100, 4) for edge in found] == edges


def test_under_other_readings_the_edges_are_those_that_decided_against_them() -> None:
    printed = load("dice-works", as_printed=True)
    edge = {f.wager.id: float(f.house_edge) for f in analyse_book(printed) if f.paytable == "PT1"}
    assert round(edge["all-lows"], 2) == -0.65
    assert round(edge["high-roller"], 2) == -1.29
    assert round(edge["roll-the-line"], 2) == 0.77
    nine = load("dice-works", readings={"high-roller-nine": "one-ninety-nine"})
    assert round(float(analyse(nine, nine.wagers["high-roller"]).house_edge), 4) == 0.2585
    as_printed = load("massachusetts-sic-bo", as_printed=True)
    assert round(float(analyse(as_printed, as_printed.wagers["one-of-a-kind/1"]).house_edge), 4) == 0.3912


def test_the_length_of_a_parlay_is_a_sum_of_waiting_times() -> None:
    """2x2: it ends on roll n by a seven after at most one 2, or by the second 2."""
    two, seven, other = Fraction(1, 36), Fraction(6, 36), Fraction(29, 36)
    lasting = duration(WORKS, WORKS.wagers["parlay/2x2"], 40)
    for n, chance in enumerate(lasting.ends_on, 1):
        none = other ** (n - 1)
        one = (n - 1) * two * other ** (n - 2) if n > 1 else Fraction(0)
        assert chance == (none + one) * seven + one * two
    assert sum(lasting.ends_on) + lasting.longer == 1


def test_a_die_shown_so_often_is_binomial() -> None:
    book = load("singapore-mbs-sic-bo-v6")
    chances = {end.row: end.probability for end in analyse(book, book.wagers["single-die/4"]).ends}
    expected = {count: Fraction(comb(3, count) * 5 ** (3 - count), 216) for count in range(4)}
    assert sorted(chances.values()) == sorted(expected.values())
