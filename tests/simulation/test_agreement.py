"""Simulation and exact analysis agree for every wager of every book: fixed seeds, bounds set beforehand."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from pitbook.engine.analyse import analyse
from pitbook.engine.covariance import covariance
from pitbook.engine.spread import spread
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.simulation.bets import Bets, Method, place_bets
from pitbook.simulation.estimates import Estimate, estimate
from pitbook.simulation.tally import Tally

BOUND = 5.0
"""Among some 2,000 figures one beyond it would come once in 800 suites."""
EXPECTED_LEAST = 25
"""Rarer ends are not normal enough for a z-score."""
SIC_BO = [book for book in PACKAGED if "sic-bo" in book]


def simulated(bets: Bets) -> Tally:
    return bets.run(0, bets.blocks)


def within(found: Estimate, hands: int) -> bool:
    assert found.exact is not None
    rare = hands * min(found.exact, 1 - found.exact) < EXPECTED_LEAST
    return rare or found.z is None or abs(found.z) < BOUND


@pytest.mark.parametrize(
    ("book_id", "method"),
    [*((book, "roll by roll") for book in PACKAGED), *((book, "multinomial") for book in SIC_BO)],
)
def test_every_end_of_every_wager_comes_as_often_as_it_should(book_id: str, method: Method) -> None:
    book = load(book_id)
    for number, wager in enumerate(book.wagers):
        bets = place_bets(book, {wager: Cents(100)}, hands=300_000, seed=500 + number, method=method)
        tally = simulated(bets)
        figures = estimate(book, bets, tally)
        assert tally.hands == sum(tally.ends[0]) == sum(tally.totals.values()) == 300_000
        for end in figures.bets[0].ends:
            assert within(end.chance, tally.hands), (wager, end)
        assert figures.rolls_a_hand.z is None or abs(figures.rolls_a_hand.z) < BOUND, wager


def test_the_exact_value_is_the_one_of_analysis_where_nothing_is_rounded() -> None:
    book = load("dice-ology")
    bets = place_bets(book, {"boom-or-bust": Cents(1000)}, hands=1000, seed=1)
    exact = estimate(book, bets, simulated(bets)).bets[0].house_edge.exact
    assert exact == analyse(book, book.wager("boom-or-bust")).house_edge


def test_hands_that_are_under_way_when_a_block_ends_are_played_on() -> None:
    book = load("dice-works")  # in blocks this small they are a good part of all
    for wager in ("roll-the-line", "all-lows"):
        bets = place_bets(book, {wager: Cents(100)}, hands=1, seed=6)
        tally = bets._play(0, np.full(20_000, 150))
        figures = estimate(book, bets, tally)
        assert tally.hands == sum(tally.ends[0]) == 3_000_000
        assert all(within(end.chance, tally.hands) for end in figures.bets[0].ends)
        assert figures.rolls_a_hand.z is not None
        assert abs(figures.rolls_a_hand.z) < BOUND


def fourth_moment_error(tally: Tally) -> float:
    """The standard error of the variance found."""
    mean, variance = tally.mean, tally.variance
    fourth = sum((net - mean) ** 4 * count for net, count in tally.totals.items()) / tally.hands
    return sqrt((fourth - variance**2) / tally.hands)


@pytest.mark.parametrize(
    ("first", "second"), [("all-lows", "all-highs"), ("parlay/6x6", "parlay/8x6"), ("all-lows", "parlay/4x4")]
)
def test_two_bets_on_the_same_dice_vary_together_as_they_exactly_should(first: str, second: str) -> None:
    book = load("dice-works")
    tally = simulated(place_bets(book, {first: Cents(100), second: Cents(100)}, hands=2_000_000, seed=3))
    exact = covariance(book, book.wager(first), book.wager(second))
    variance = 10_000 * (exact.first.variance + exact.second.variance + 2 * exact.covariance)
    assert abs(float(tally.variance - variance)) < BOUND * fourth_moment_error(tally)


def test_a_spread_of_sic_bo_bets_comes_as_its_exact_distribution() -> None:
    book = load("singapore-mbs-sic-bo-v6")
    stakes = {"small": Cents(500), "total/9": Cents(100), "single-die/6": Cents(200), "any-triple": Cents(100)}
    exact = spread(book, stakes).nets
    methods: list[Method] = ["multinomial", "roll by roll"]
    for method in methods:
        tally = simulated(place_bets(book, stakes, hands=400_000, seed=9, method=method))
        assert set(tally.totals) <= set(exact)
        for net, chance in exact.items():
            error = float(chance * (1 - chance) / tally.hands) ** 0.5
            assert abs(float(Fraction(tally.totals.get(net, 0), tally.hands) - chance)) < BOUND * error


def test_many_bets_in_several_machines_come_as_each_alone_and_as_one_sum() -> None:
    book = load("dice-works")
    stakes = {wager: Cents(100) for wager in list(book.wagers)[:12]}
    bets = place_bets(book, stakes, hands=200_000, seed=4)
    assert len(bets.joints) > 1
    tally = simulated(bets)
    for one in estimate(book, bets, tally).bets:
        assert all(within(end.chance, tally.hands) for end in one.ends), one.bet.wager
    by_bet = sum(
        net * count
        for placed, ends in zip(bets.bets, tally.ends, strict=True)
        for net, count in zip(placed.nets, ends, strict=True)
    )
    assert by_bet == tally.net


def test_bets_that_always_end_together_are_never_seen_apart() -> None:
    book = load("dice-works")  # the works are won only after all lows and all highs
    tally = simulated(
        place_bets(
            book, {"all-lows": Cents(1), "all-highs": Cents(100), "the-works": Cents(10_000)}, hands=10**6, seed=5
        )
    )
    odds = [book.wager(wager).pays["PT1"]["win"].gain for wager in ("all-lows", "all-highs", "the-works")]
    lows, highs, works = odds[0] * 1, odds[1] * 100, odds[2] * 10_000
    assert set(tally.totals) == {-10_101, lows - 10_100, highs - 10_001, lows + highs + works}


def test_intervals_hold_the_exact_value_about_as_often_as_they_say() -> None:
    book = load("dice-ology")
    inside = 0
    for seed in range(400):
        bets = place_bets(book, {"little-ones": Cents(100)}, hands=20_000, seed=seed)
        edge = estimate(book, bets, simulated(bets)).bets[0].house_edge
        assert edge.exact is not None
        inside += edge.low <= edge.exact <= edge.high
    assert 360 <= inside <= 397  # 380 of 400 on average, with a deviation of 4.4
