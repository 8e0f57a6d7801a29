"""Every area on all 216 throws, against rules written out here a second time in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

import pytest

from pitbook.dice import Roll
from pitbook.engine.play import Bet, play
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import load

FACES = range(1, 7)
Throw = tuple[int, int, int]
Wins = Callable[[Throw], bool]
Gain = Callable[[Throw], int]
"""What one unit staked gains on a throw; -1 is a loss."""


def flat(pays: int, wins: Wins) -> Gain:
    return lambda dice: pays if wins(dice) else -1


def ladder(number: int, pays: tuple[int, int, int]) -> Gain:
    return lambda dice: (-1, *pays)[dice.count(number)]


def mixed(dice: Throw) -> bool:
    return len(set(dice)) > 1


def at_least(times: int, number: int) -> Wins:
    return lambda dice: dice.count(number) >= times


def adds_up_to(total: int) -> Wins:
    return lambda dice: sum(dice) == total


def shows(*numbers: int) -> Wins:
    return lambda dice: all(number in dice for number in numbers)


def shows_exactly(*numbers: int) -> Wins:
    return lambda dice: sorted(dice) == sorted(numbers)


def three_of(numbers: set[int]) -> Wins:
    return lambda dice: len(set(dice)) == 3 and set(dice) <= numbers


def american() -> dict[str, Gain]:
    """Massachusetts and Maryland: 50 areas."""
    totals = dict(zip(range(4, 18), [50, 18, 14, 12, 8, 6, 6, 6, 6, 8, 12, 14, 18, 50], strict=True))
    areas: dict[str, Gain] = {
        "small": flat(1, lambda d: sum(d) in range(4, 11) and len(set(d)) > 1),
        "big": flat(1, lambda d: sum(d) in range(11, 18) and len(set(d)) > 1),
        "any-three-of-a-kind": flat(24, lambda d: len(set(d)) == 1),
    }
    for n in range(1, 7):
        areas[f"three-of-a-kind/{n}"] = flat(150, shows_exactly(n, n, n))
        areas[f"two-of-a-kind/{n}"] = flat(8, at_least(2, n))
        areas[f"one-of-a-kind/{n}"] = ladder(n, (1, 2, 3))
    for total, pays in totals.items():
        areas[f"total/{total}"] = flat(pays, adds_up_to(total))
    for a, b in combinations(range(1, 7), 2):
        areas[f"two-dice-combination/{a}-{b}"] = flat(5, shows(a, b))
    return areas


def singapore() -> dict[str, Gain]:
    """Marina Bay Sands: 104 areas."""
    areas: dict[str, Gain] = {
        "small": flat(1, lambda d: sum(d) <= 10 and mixed(d)),
        "big": flat(1, lambda d: sum(d) >= 11 and mixed(d)),
        "odd": flat(1, lambda d: sum(d) % 2 == 1 and mixed(d)),
        "even": flat(1, lambda d: sum(d) % 2 == 0 and mixed(d)),
        "any-triple": flat(31, lambda d: not mixed(d)),
    }
    for n in range(1, 7):
        areas[f"specific-triple/{n}"] = flat(180, at_least(3, n))
        areas[f"specific-double/{n}"] = flat(11, at_least(2, n))
        areas[f"single-die/{n}"] = ladder(n, (1, 2, 12))
    for low, pays in zip(range(4, 11), [62, 31, 18, 12, 8, 7, 6], strict=True):
        for total in (low, 21 - low):
            areas[f"total/{total}"] = flat(pays, adds_up_to(total))
    for a, b in combinations(range(1, 7), 2):
        areas[f"two-dice-combination/{a}-{b}"] = flat(6, shows(a, b))
    for three in combinations(range(1, 7), 3):
        areas["three-singles/" + "".join(map(str, three))] = flat(30, shows_exactly(*three))
    for double in range(1, 7):
        for single in range(1, 7):
            if double != single and (double, single) not in ((1, 2), (6, 5)):
                areas[f"double-and-single/{double}{double}{single}"] = flat(50, shows_exactly(double, double, single))
    for four in ("1234", "2345", "2356", "3456"):
        areas[f"three-from-four/{four}"] = flat(7, three_of(set(map(int, four))))
    return areas


EXPECTED = {
    "massachusetts-sic-bo": american(),
    "maryland-sic-bo": american(),
    "singapore-mbs-sic-bo-v6": singapore(),
}


@pytest.mark.parametrize("book", EXPECTED)
def test_the_areas_are_exactly_those_of_the_text(book: str) -> None:
    assert set(load(book).wagers) == set(EXPECTED[book])


@pytest.mark.parametrize("book", EXPECTED)
def test_every_area_gains_what_the_text_says_on_all_216_throws(book: str) -> None:
    rules = load(book)
    bets = [Bet(wager, Cents(100)) for wager in rules.wagers]
    for throw in product(FACES, FACES, FACES):
        played = play(rules, bets, [Roll.of(*throw)])
        gained = {outcome.bet.wager: outcome.net for outcome in played.outcomes}
        assert gained == {wager: 100 * gain(throw) for wager, gain in EXPECTED[book].items()}, throw
