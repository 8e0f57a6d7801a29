"""False alarms and power, by simulation with fixed seeds.

The bounds for fair dice follow from the level alone and were set before any run. Those for power leave room below a
first measurement with other seeds.

`benchmarks/fairness.py` measures the same with more sets; docs/guides/fairness.md has its table.
"""

from __future__ import annotations

import numpy as np
import pytest

from pitbook.errors import InputError
from pitbook.fairness.alternatives import FAIR, favour_faces
from pitbook.fairness.simulate import DiceDistribution, fair_dice, one_loaded, simulate, throw_dice

DAY = 1440
RUNS = 200


@pytest.mark.thorough
@pytest.mark.parametrize("dice", [2, 3])
def test_of_two_thousand_fair_sets_no_more_cause_an_alarm_than_chance_allows(dice: int) -> None:
    """With a chance of 0.001 for each set, 8 or more of 2,000 come in about 1 of 1,000 such tests."""
    assert len(simulate(fair_dice(dice), DAY, 2000, seed=20_001).found_at) < 8


@pytest.mark.thorough
@pytest.mark.parametrize("dice", [2, 3])
def test_at_a_level_of_a_twentieth_fair_sets_alarm_no_more_often(dice: int) -> None:
    """A sharper look at the same promise: 1,000 sets, 50 at most on average, three deviations of 7 more."""
    assert len(simulate(fair_dice(dice), DAY, 1000, seed=20_002, level=0.05).found_at) <= 71


@pytest.mark.parametrize(
    ("law", "least"),
    [
        pytest.param(one_loaded(3, favour_faces(0.30, 6)), 0.7, id="one die of three, p(6) = 0.30"),
        pytest.param(one_loaded(2, favour_faces(0.30, 1)), 0.7, id="one die of two, p(1) = 0.30"),
        pytest.param(one_loaded(3, favour_faces(0.24, 3, 4)), 0.5, id="one flat die of three"),
        pytest.param(DiceDistribution((favour_faces(0.22, 6),) * 3), 0.9, id="all three dice, p(6) = 0.22"),
        pytest.param(DiceDistribution((favour_faces(0.22, 6),) * 2), 0.7, id="both dice, p(6) = 0.22"),
        pytest.param(DiceDistribution((FAIR,) * 3, agree=0.05), 0.9, id="triples nearly three times as often"),
        pytest.param(DiceDistribution((FAIR,) * 2, agree=0.15), 0.9, id="doubles nearly twice as often"),
        pytest.param(
            DiceDistribution((FAIR,) * 3, stay=0.10), 0.9, id="each of three dice stays in a tenth of the throws"
        ),
        pytest.param(
            DiceDistribution((FAIR,) * 2, stay=0.15), 0.9, id="each of two dice stays in a seventh of the throws"
        ),
        pytest.param(one_loaded(3, favour_faces(0.40, 6), since=720), 0.9, id="a loaded die put in half way"),
    ],
)
def test_unfair_dice_are_found_within_a_day(law: DiceDistribution, least: float) -> None:
    found = simulate(law, DAY, RUNS, seed=20_003)
    assert found.rate >= least
    assert found.median_throws is not None
    assert law.since < found.median_throws <= DAY


def test_a_slight_load_is_not_claimed_to_be_found() -> None:
    assert simulate(one_loaded(3, favour_faces(0.20, 6)), DAY, RUNS, seed=20_004).rate < 0.2


def test_the_same_seed_finds_the_same_and_another_does_not() -> None:
    law = one_loaded(3, favour_faces(0.35, 2))
    assert simulate(law, 600, 50, seed=1) == simulate(law, 600, 50, seed=1) != simulate(law, 600, 50, seed=2)


def test_simulated_dice_fall_by_their_law() -> None:
    law = DiceDistribution((favour_faces(0.30, 6), FAIR, FAIR), agree=0.1, since=100)
    faces = np.array(list(throw_dice(law, 300, 400, np.random.default_rng(5))))
    fair_part, loaded_part = faces[:100], faces[100:]
    assert (fair_part == 5).mean() == pytest.approx(1 / 6, abs=0.005)
    assert (loaded_part[..., 0] == 5).mean() == pytest.approx(0.30, abs=0.01)
    assert (loaded_part[..., 1] == loaded_part[..., 0]).mean() == pytest.approx(0.1 + 0.9 / 6, abs=0.01)
    sticky = np.array(list(throw_dice(DiceDistribution((FAIR,) * 2, stay=0.2), 300, 400, np.random.default_rng(6))))
    assert (sticky[1:] == sticky[:-1]).mean() == pytest.approx(0.2 + 0.8 / 6, abs=0.005)


def test_an_invalid_distribution_of_dice_is_refused() -> None:
    with pytest.raises(InputError, match="give six chances that sum to 1"):
        DiceDistribution((FAIR, (0.5,) * 6))
    with pytest.raises(InputError, match="show nothing"):
        simulate(fair_dice(2), 0, 10, seed=1)
