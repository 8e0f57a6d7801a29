"""Analysis: moments, running states, envy, spreads, many rounds, covariance, duration."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitbook.dice import parse_rolls, rolls
from pitbook.engine import rounds as rounds_module
from pitbook.engine.analyse import analyse, analyse_book
from pitbook.engine.covariance import covariance
from pitbook.engine.duration import duration
from pitbook.engine.progress import advance, initial_progress
from pitbook.engine.rounds import after_rounds
from pitbook.engine.solve import expected_values, visits
from pitbook.engine.spread import spread
from pitbook.errors import InputError
from pitbook.money import Cents, Odds
from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.rulebooks.wagers import Collect, Count, Repeat, Spec
from pitbook.wager.machine import machine_of

WORKS = load("dice-works")
SIC_BO = load("massachusetts-sic-bo")
numbers = st.frozensets(st.sampled_from([2, 3, 4, 5, 6, 8, 9, 10, 11, 12]), min_size=1, max_size=4)
sevens = st.sampled_from(["any seven", "seven-out"])
specs: st.SearchStrategy[Spec] = st.one_of(
    st.builds(Collect, numbers, sevens),
    st.builds(Repeat, numbers, st.integers(1, 4), sevens),
    st.builds(
        Count,
        st.sampled_from(["points made", "pass line wins"]),
        sevens,
        st.lists(st.sampled_from("abc"), min_size=1, max_size=5).map(tuple),
    ),
)


@settings(max_examples=60)
@given(specs, st.data())
def test_exact_solutions_fulfil_the_equations_they_solve(spec: Spec, data: st.DataObject) -> None:
    machine = machine_of(spec, 2)
    values = [Fraction(data.draw(st.integers(-5, 5)), data.draw(st.integers(1, 4))) for _ in machine.ends]
    solved = expected_values(machine, values, per_roll=1)
    for state in range(machine.size):
        after = sum(
            (ways * (values[t - machine.size] if t >= machine.size else solved[t]))
            for t, ways in zip(machine.rows[state], machine.ways, strict=True)
        )
        assert solved[state] == 1 + Fraction(after) / 36
    start = data.draw(st.sampled_from(machine.starts))
    visited = visits(machine, start)
    for state in range(machine.size):
        into = sum(
            visited[source] * ways
            for source in range(machine.size)
            for t, ways in zip(machine.rows[source], machine.ways, strict=True)
            if t == state
        )
        assert visited[state] == (state == start) + Fraction(into) / 36
    assert (
        sum(visited[state] for state in range(machine.size))
        == expected_values(machine, [Fraction(0)] * len(machine.ends), per_roll=1)[start]
    )


@pytest.mark.parametrize("book", PACKAGED)
def test_the_ends_of_every_wager_are_certain_together(book: str) -> None:
    rules = load(book)
    for figures in analyse_book(rules):
        assert sum(end.probability for end in figures.ends) == 1
        assert figures.return_to_player == 1 - figures.house_edge
        assert figures.variance >= 0
        for row, odds in figures.break_even.items():
            changed = analyse(rules, figures.wager, figures.paytable, pays={row: Odds(odds)}) if odds else None
            assert changed is None or changed.house_edge == 0


def test_the_figures_of_a_running_wager_are_those_from_its_state() -> None:
    progress = initial_progress(WORKS)
    for roll in parse_rolls("1-1 2-1 2-2 3-2", 2):
        progress = advance(WORKS, progress, roll).progress
    figures = analyse(WORKS, WORKS.wagers["all-lows"], state=progress.areas["all-lows"].state)
    assert figures.win_probability == Fraction(5, 11)
    assert figures.expected_rolls == Fraction(36, 11)


def test_the_mean_and_variance_of_the_length_agree_with_its_distribution() -> None:
    wager = WORKS.wagers["parlay/4x4"]
    figures, lasting = analyse(WORKS, wager), duration(WORKS, wager, 600)
    mean = sum(n * float(chance) for n, chance in enumerate(lasting.ends_on, 1))
    square = sum(n * n * float(chance) for n, chance in enumerate(lasting.ends_on, 1))
    assert abs(mean - float(figures.expected_rolls)) < 1e-9
    assert abs(square - mean**2 - float(figures.rolls_variance)) < 1e-9
    assert float(lasting.longer) < 1e-30
    assert sum(lasting.ends_on) == 1 - lasting.longer
    with pytest.raises(InputError, match="1 to 10000"):
        duration(WORKS, wager, 0)


def test_envy_under_the_flat_reading_depends_on_the_stake() -> None:
    figures = analyse(WORKS, WORKS.wagers["parlay-envy/2x2"])
    assert figures.envy_cost(1) == Fraction(2, 49)
    assert figures.edge_after_envy(10) == figures.house_edge - Fraction(2, 490)
    multiple = load("dice-works", readings={"dealer-envy-unit": "multiple"})
    costs = [
        float(analyse(multiple, wager).envy_cost(25))
        for wager in multiple.wagers.values()
        if wager.family == "parlay-envy"
    ]
    assert round(max(costs), 3) == 0.055
    assert round(min(costs), 4) == 0.0002
    assert analyse(WORKS, WORKS.wagers["parlay/2x2"]).edge_after_envy(1) == figures.house_edge


def test_a_spread_is_the_sum_over_all_throws() -> None:
    stakes = {"small": Cents(500), "total/6": Cents(250), "one-of-a-kind/2": Cents(100)}
    found = spread(SIC_BO, stakes)
    nets: dict[int, int] = {}
    for dice in product(range(1, 7), repeat=3):
        small = 500 if 4 <= sum(dice) <= 10 and len(set(dice)) > 1 else -500
        six = 250 * 14 if sum(dice) == 6 else -250
        two = 100 * (dice.count(2) or -1)
        nets[small + six + two] = nets.get(small + six + two, 0) + 1
    assert found.nets == {net: Fraction(ways, 216) for net, ways in sorted(nets.items())}
    assert found.house_edge == -sum(net * Fraction(w, 216) for net, w in nets.items()) / 850
    alone = [analyse(SIC_BO, SIC_BO.wagers[wager]) for wager in stakes]
    together = sum(
        2 * covariance(SIC_BO, a.wager, b.wager).covariance * stakes[a.wager.id] * stakes[b.wager.id]
        for place, a in enumerate(alone)
        for b in alone[place + 1 :]
    )
    assert found.variance == sum(a.variance * stakes[a.wager.id] ** 2 for a in alone) + together


@pytest.mark.parametrize("ids", [["all-lows", "all-highs"], ["parlay/4x4", "all-lows", "roll-the-line"]])
def test_a_spread_of_bets_that_last_agrees_with_their_covariances(ids: list[str]) -> None:
    found = spread(WORKS, {wager_id: Cents(100) for wager_id in ids})
    alone = [analyse(WORKS, WORKS.wager(wager_id)) for wager_id in ids]
    pairs = [covariance(WORKS, a.wager, b.wager).covariance for a, b in combinations(alone, 2)]
    assert sum(found.nets.values()) == 1
    assert found.mean == 100 * sum(one.moment(1) for one in alone)
    assert found.variance == 100**2 * (sum(one.variance for one in alone) + 2 * sum(pairs))
    assert max(one.expected_rolls for one in alone) <= found.expected_rolls


def test_a_spread_of_one_bet_is_the_bet() -> None:
    found, alone = spread(WORKS, {"the-works": Cents(100)}), analyse(WORKS, WORKS.wager("the-works"))
    assert found.nets == {-100: 1 - alone.win_probability, 17500: alone.win_probability}
    assert found.expected_rolls == alone.expected_rolls


def test_a_spread_needs_a_bet_that_can_be_made() -> None:
    with pytest.raises(InputError, match="at least one"):
        spread(SIC_BO, {})
    with pytest.raises(InputError, match="at the start of a hand"):
        spread(load("craps"), {"pass-line-odds": Cents(100)})


@pytest.mark.parametrize("rounds", [1, 2, 7, 100])
def test_many_rounds_of_an_even_bet_are_binomial(rounds: int) -> None:
    result = after_rounds(spread(SIC_BO, {"small": Cents(100)}).nets, rounds)
    assert result.method == "exact"
    chance = Fraction(105, 216)
    expected = sum(
        (comb(rounds, k) * chance**k * (1 - chance) ** (rounds - k) for k in range(rounds + 1) if 2 * k > rounds),
        Fraction(0),
    )
    assert result.ahead == expected
    assert result.ahead + result.even + result.behind == 1


@pytest.mark.parametrize("rounds", [3, 40, 90])
def test_the_certified_error_covers_the_difference_from_the_exact(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    nets = spread(SIC_BO, {"small": Cents(500), "total/6": Cents(250), "one-of-a-kind/2": Cents(100)}).nets
    monkeypatch.setattr(rounds_module, "EXACT_BITS", 10**12)
    exact = after_rounds(nets, rounds)
    monkeypatch.setattr(rounds_module, "EXACT_BITS", 0)
    close = after_rounds(nets, rounds)
    assert (exact.method, close.method) == ("exact", "certified")
    assert 0 < close.error < 1e-8
    for low, high in [(None, -1), (0, 0), (1, None), (-5000, 5000), (None, None)]:
        assert abs(float(exact.chance(low, high)) - close.chance(low, high)) <= close.error
    for percent in (1, 25, 50, 99):
        assert exact.percentile(percent) == close.percentile(percent)


def test_the_whole_distribution_differs_by_no_more_than_the_certified_error(monkeypatch: pytest.MonkeyPatch) -> None:
    nets = spread(SIC_BO, {"big": Cents(300), "total/4": Cents(100)}).nets
    monkeypatch.setattr(rounds_module, "EXACT_BITS", 10**12)
    exact = np.array([float(chance) for chance in after_rounds(nets, 64)._chances])
    monkeypatch.setattr(rounds_module, "EXACT_BITS", 0)
    close = after_rounds(nets, 64)
    assert np.abs(exact - np.asarray(close._chances)).sum() <= close.error


def test_too_many_rounds_are_refused_with_what_to_do() -> None:
    nets = {-1: Fraction(1, 2), 10**7: Fraction(1, 2), 3: Fraction(0)}
    with pytest.raises(InputError, match="fewer rounds"):
        after_rounds(nets, 100)
    with pytest.raises(InputError, match="at least one"):
        after_rounds(nets, 0)
    with pytest.raises(InputError, match="percentile"):
        after_rounds({0: Fraction(1)}, 1).percentile(100)


@pytest.mark.parametrize(
    ("first", "second"), [("all-lows", "all-highs"), ("high-roller", "roll-the-line"), ("parlay/2x2", "all-lows")]
)
def test_covariance_agrees_with_playing_out_every_short_hand(first: str, second: str) -> None:
    """Enumerates sequences up to a length; what lasts longer has little weight, and is bounded."""
    both = covariance(WORKS, WORKS.wagers[first], WORKS.wagers[second])
    machines = [machine_of(WORKS.wagers[wager].spec, 2) for wager in (first, second)]
    gains = [
        {row: float(odds.gain) for row, odds in WORKS.wagers[wager].pays["PT1"].items()} for wager in (first, second)
    ]
    weights = [roll.ways / 36 for roll in rolls(2)]

    @cache
    def ways(side: int, value: float, over: bool) -> list[tuple[float, bool]]:
        """Where each roll leads: to a state, or once it is over to what was gained."""
        if over:
            return [(value, True)] * len(weights)
        targets = [machines[side].step(int(value), roll) for roll in rolls(2)]
        rows = [machines[side].end(target) for target in targets]
        return [
            (target, False) if row is None else (gains[side][row], True)
            for target, row in zip(targets, rows, strict=True)
        ]

    layer: dict[tuple[float, float, bool, bool], float] = {
        (machines[0].start(), machines[1].start(), False, False): 1.0
    }
    product_mean, means = 0.0, [0.0, 0.0]
    for _ in range(250):
        following: dict[tuple[float, float, bool, bool], float] = {}
        for (a, b, over_a, over_b), mass in layer.items():
            both_ways = zip(weights, ways(0, a, over_a), ways(1, b, over_b), strict=True)
            for weight, (to_a, ended_a), (to_b, ended_b) in both_ways:
                if ended_a and ended_b:
                    product_mean += mass * weight * to_a * to_b
                    means[0] += mass * weight * to_a
                    means[1] += mass * weight * to_b
                else:
                    key = (to_a, to_b, ended_a, ended_b)
                    following[key] = following.get(key, 0.0) + mass * weight
        layer = following
        if sum(layer.values()) < 1e-11:
            break
    assert abs(product_mean - means[0] * means[1] - float(both.covariance)) < 1e-6
    assert -1 <= both.correlation <= 1


def test_the_covariance_of_a_wager_with_itself_is_its_variance() -> None:
    for wager in ("all-lows", "roll-the-line", "parlay/3x3"):
        found = covariance(WORKS, WORKS.wagers[wager], WORKS.wagers[wager])
        assert found.covariance == analyse(WORKS, WORKS.wagers[wager]).variance
        assert abs(found.correlation - 1) < 1e-12


def test_duration_and_covariance_from_a_state_of_a_large_machine() -> None:
    progress = initial_progress(WORKS)
    for roll in parse_rolls("1-1 6-6 1-2 5-6 2-2 4-6", 2):
        progress = advance(WORKS, progress, roll).progress
    state = progress.areas["the-works"].state
    lasting = duration(WORKS, WORKS.wagers["the-works"], 1, state=state)
    assert lasting.ends_on == (Fraction(1, 6),)
    low = progress.areas["all-lows"].state
    found = covariance(WORKS, WORKS.wagers["all-lows"], WORKS.wagers["all-lows"], states=(low, low))
    assert found.covariance == analyse(WORKS, WORKS.wagers["all-lows"], state=low).variance
