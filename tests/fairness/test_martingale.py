"""The wealth is a martingale with fair dice: worked out over all throws, not sampled."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import exp, fsum, log, prod
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitbook.dice import Roll, rolls
from pitbook.fairness import alternatives
from pitbook.fairness.tables import compiled_tables, released_share, reserved_share
from pitbook.fairness.watch import Watch

SMALL = 1e-12


def throws_of(dice: int) -> list[tuple[int, ...]]:
    return list(product(range(1, 7), repeat=dice))


def pasts(dice: int) -> list[list[tuple[int, ...]]]:
    chance = Random(dice)
    fair = [tuple(chance.choices(range(1, 7), k=dice)) for _ in range(400)]
    loaded = [(6, *chance.choices(range(1, 7), k=dice - 1)) for _ in range(150)]
    return [[], [(1,) * dice], fair[:7], fair, [(6,) * dice] * 60, loaded, [(2, 5, 3)[:dice]] * 40]


@pytest.mark.parametrize("dice", [2, 3])
def test_whatever_was_thrown_the_next_throw_of_fair_dice_changes_nothing_on_average(dice: int) -> None:
    for past in pasts(dice):
        watch = Watch.start(dice).add_throws(past)
        nexts = [watch.add_throw(faces) for faces in throws_of(dice)]
        growth = fsum(exp(after.log_wealth - watch.log_wealth) for after in nexts) / len(nexts)
        assert growth == pytest.approx(1, abs=SMALL)
        for name, before in watch.parts.items():
            part = fsum(exp(after.parts[name] - before) for after in nexts) / len(nexts)
            assert part == pytest.approx(1, abs=SMALL), name


@pytest.mark.parametrize("dice", [2, 3])
@settings(deadline=None, max_examples=10)
@given(data=st.data())
def test_no_past_gives_an_advantage(dice: int, data: st.DataObject) -> None:
    past = data.draw(st.lists(st.tuples(*[st.integers(1, 6)] * dice), max_size=30))
    watch = Watch.start(dice).add_throws(past)
    wealth = fsum(exp(watch.add_throw(roll.faces).log_wealth) * roll.ways for roll in rolls(dice)) / 6**dice
    assert wealth == pytest.approx(exp(watch.log_wealth), rel=SMALL)


@pytest.mark.parametrize("dice", [2, 3])
def test_every_alternative_is_a_law_of_its_own(dice: int) -> None:
    fair = alternatives.fair_chances(dice)
    assert fair.sum() == pytest.approx(1, abs=SMALL)
    for alternative in (alternatives.one_loaded_die, alternatives.excess_of_same, alternatives.serial_dependence):
        found = alternative(dice)
        assert np.allclose(found.ratios @ fair, 1, rtol=0, atol=SMALL)
        assert found.ratios.min() > 0
        assert found.shares.sum() == pytest.approx(1, abs=SMALL)
        assert len(found.shares) == len(found.ratios)


@pytest.mark.parametrize("dice", [2, 3])
def test_the_stake_of_one_is_staked_and_no_more(dice: int) -> None:
    table = compiled_tables(dice)
    assert np.exp(table.stakes).sum() == pytest.approx(1, abs=SMALL)
    assert np.exp(table.first).sum() + 0.75 * reserved_share(0) == pytest.approx(1, abs=SMALL)
    for part in table.parts:
        assert np.exp(table.stakes[part]).sum() == pytest.approx(1 / 4, abs=SMALL)
    assert sum(map(released_share, range(5000))) + reserved_share(5000) == pytest.approx(reserved_share(0), abs=SMALL)


def test_the_common_law_is_the_dirichlet_mixture_worked_out_in_fractions() -> None:
    """By hand: 6^N times the Dirichlet-multinomial chance of the faces, averaged over the concentrations."""
    past = [(6, 6, 1), (6, 2, 6), (3, 6, 6), (6, 1, 1)]
    counts = [sum(faces.count(face) for faces in past) for face in range(1, 7)]

    def rising(start: Fraction, steps: int) -> Fraction:
        return prod((start + step for step in range(steps)), start=Fraction(1))

    def wealth(prior: Fraction) -> Fraction:
        throws = sum(counts)
        return Fraction(6) ** throws * prod(rising(prior, count) for count in counts) / rising(6 * prior, throws)

    by_hand = sum(wealth(Fraction(prior)) for prior in (2, 10, 50, 250, 1250)) / 5
    found = Watch.start(3).add_throws(past).parts["common face law"]
    assert found == pytest.approx(log(by_hand), abs=SMALL)


@pytest.mark.parametrize("dice", [2, 3])
def test_one_loaded_die_is_counted_over_ordered_throws(dice: int) -> None:
    law = alternatives.favour_faces(0.30, 6)
    chances = dict.fromkeys(rolls(dice), 0.0)
    for throw in throws_of(dice):
        chances[Roll.of(*throw)] += law[throw[0] - 1] / 6 ** (dice - 1)
    place = [tuple(one) for kind in alternatives.loaded_distributions() for one in kind].index(
        alternatives.favour_faces(0.28, 6)
    )
    nearest = alternatives.one_loaded_die(dice).ratios[place] * alternatives.fair_chances(dice)
    by_hand = np.array(list(chances.values()))
    fair = alternatives.fair_chances(dice)
    # 0.28 lies on the line from fair to 0.30: so do the chances of the rolls
    share = (0.28 - 1 / 6) / (0.30 - 1 / 6)
    assert np.allclose(nearest, fair + share * (by_hand - fair), rtol=0, atol=SMALL)


@pytest.mark.parametrize("dice", [2, 3])
def test_dice_that_stay_are_counted_over_ordered_throws(dice: int) -> None:
    chance = alternatives.STAYING[3]
    ratios = alternatives.serial_dependence(dice).ratios[3]
    for before in (rolls(dice)[0], rolls(dice)[4], rolls(dice)[-3]):
        chances = dict.fromkeys(rolls(dice), 0.0)
        for throw in throws_of(dice):
            each = [(1 - chance) / 6 + chance * (was == came) for was, came in zip(before.faces, throw, strict=True)]
            chances[Roll.of(*throw)] += prod(each)
        laws = ratios[rolls(dice).index(before)] * alternatives.fair_chances(dice)
        assert np.allclose(laws, list(chances.values()), rtol=0, atol=SMALL)


@pytest.mark.parametrize("dice", [2, 3])
def test_the_order_in_which_dice_are_entered_means_nothing(dice: int) -> None:
    chance = Random(11)
    throws = [chance.choices(range(1, 7), k=dice) for _ in range(50)]
    sorted_in = Watch.start(dice).add_throws([sorted(faces) for faces in throws])
    shuffled_in = Watch.start(dice).add_throws([chance.sample(faces, dice) for faces in throws])
    assert sorted_in == shuffled_in
    assert len({Watch.start(dice).add_throw(order) for order in permutations((1, 4, 6)[:dice])}) == 1


@pytest.mark.parametrize("dice", [2, 3])
def test_no_face_is_preferred(dice: int) -> None:
    """Every face exchanged for its opposite, or 2 with 3 and 4 with 5: the wealth is the same."""
    chance = Random(12)
    throws = [[6, *chance.choices(range(1, 7), k=dice - 1)] for _ in range(80)]
    plain = Watch.start(dice).add_throws(throws)
    for turned in ([6, 5, 4, 3, 2, 1], [1, 3, 2, 5, 4, 6]):
        other = Watch.start(dice).add_throws([[turned[face - 1] for face in faces] for faces in throws])
        assert other.log_wealth == pytest.approx(plain.log_wealth, abs=1e-9)
