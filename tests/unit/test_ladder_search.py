"""The closest ladder of printable odds is the closest of all, and its proof can be checked without the search."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import floor, prod

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pitbook.analysis.ladder_search import (
    EDGE_TOLERANCE,
    EDGE_TOLERANCE_BESIDE,
    VARIANCE_TOLERANCE,
    Found,
    LadderTargets,
    TooManyLaddersError,
    closest_ladder,
)

F = Fraction
Gains = tuple[Fraction, ...]


def odds_up_to(most: Fraction, denominators: int) -> list[Fraction]:
    """All printable odds up to a pay, and at least one above it."""
    last = floor(most) + 2
    return sorted({F(x, y) for y in range(1, denominators + 1) for x in range(1, last * y + 1)})


def miss(
    chances: Gains, others: tuple[Fraction, Fraction], edge: Fraction, variance: Fraction | None, gains: Gains
) -> Fraction:
    """How far pays are from the targets, from the definition of edge and variance."""
    mean = sum(p * g for p, g in zip(chances, gains, strict=True)) - others[0]
    off = abs(-mean - edge)
    if variance is None:
        return off / EDGE_TOLERANCE
    square = sum(p * g * g for p, g in zip(chances, gains, strict=True)) + others[1]
    return max(off / EDGE_TOLERANCE_BESIDE, abs(square - mean * mean - variance) / (variance * VARIANCE_TOLERANCE))


def steps_from(exact: Fraction, gain: Fraction, odds: list[Fraction]) -> int:
    """How many printable odds lie from an exact pay to a pay, that pay included: above it, or up to it."""
    if gain > exact:
        return sum(exact < one <= gain for one in odds)
    return sum(gain <= one <= exact for one in odds)


@st.composite
def problems(draw: st.DrawFn) -> tuple[LadderTargets, Gains]:
    rows = draw(st.integers(1, 3))
    weights = draw(st.lists(st.integers(1, 6), min_size=rows, max_size=rows))
    losing = draw(st.integers(3, 25))
    whole = sum(weights) + losing
    variance = draw(st.none() | st.fractions(F(1, 100), F(12), max_denominator=100))
    denominators = draw(st.integers(1, 3 if rows < 3 else 2))
    edge = draw(st.fractions(F(-1, 5), F(3, 5), max_denominator=50))
    chances = tuple(F(weight, whole) for weight in weights)
    targets = LadderTargets(
        chances, F(losing, whole), F(losing, whole), edge, variance, denominators, rising=draw(st.booleans())
    )
    assume(targets.mean > 0)
    scale = draw(st.lists(st.integers(1, 4), min_size=rows, max_size=rows))
    if targets.rising:
        scale.sort()
    factor = targets.mean / sum(p * s for p, s in zip(chances, scale, strict=True))
    return targets, tuple(max(F(1, denominators), s * factor) for s in scale)


def cost(targets: LadderTargets, exact: Gains, gains: Gains, odds: list[Fraction]) -> tuple[Fraction, int, Fraction]:
    """The order in which ladders are preferred."""
    off = miss(targets.chances, (targets.others_edge, targets.others_square), targets.edge, targets.variance, gains)
    steps = max(steps_from(one, gain, odds) for one, gain in zip(exact, gains, strict=True))
    return max(off, F(1)), steps, off


def all_that_could_be_closer(targets: LadderTargets, found: Found) -> list[Gains]:
    """Every ladder in which no row alone pays more than the edge allows: plain nested loops."""
    far = found.miss * targets.edge_tolerance
    rows = [
        [
            gain
            for gain in odds_up_to(min((targets.mean + far) / chance, F(200)), targets.denominators)
            if not varies_too_much(targets, chance, gain, found.miss)
        ]
        for chance in targets.chances
    ]
    assume(prod(map(len, rows)) < 30_000)
    return [one for one in product(*rows) if not targets.rising or list(one) == sorted(one)]


def varies_too_much(targets: LadderTargets, chance: Fraction, gain: Fraction, miss: Fraction) -> bool:
    """Whether this row and the rows that lose vary more than a variance as far off as this, whatever else pays."""
    if targets.variance is None:
        return False
    losing = targets.others_edge
    either = chance + losing
    variance = (chance * gain**2 + losing) - (chance * gain - losing) ** 2 / either
    return variance > targets.variance * (1 + miss * VARIANCE_TOLERANCE)


@pytest.mark.thorough
@settings(max_examples=150, deadline=None)
@given(problems())
def test_no_ladder_of_all_is_closer(problem: tuple[LadderTargets, Gains]) -> None:
    targets, exact = problem
    found = closest_ladder(targets, exact)
    ladders = all_that_could_be_closer(targets, found)
    assert found.gains in ladders
    odds = odds_up_to(max(*map(max, ladders), *exact), targets.denominators)
    ours = cost(targets, exact, found.gains, odds)
    assert found.miss == ours[2]
    assert found.steps == ours[1]
    for ladder in ladders:
        off = miss(
            targets.chances, (targets.others_edge, targets.others_square), targets.edge, targets.variance, ladder
        )
        if max(off, F(1)) <= ours[0]:
            assert cost(targets, exact, ladder, odds) >= ours


@pytest.mark.thorough
@settings(max_examples=100, deadline=None)
@given(problems())
def test_the_proof_holds_when_it_is_checked_alone(problem: tuple[LadderTargets, Gains]) -> None:
    """What is claimed for each reason, from the bounds in the answer and plain arithmetic."""
    targets, exact = problem
    found = closest_ladder(targets, exact)
    step = F(1, targets.denominators)
    match found.reason:
        case "met":
            assert found.miss <= 1
        case "lattice":
            assert found.miss > 1
            edge = targets.others_edge - sum(p * g for p, g in zip(targets.chances, found.gains, strict=True))
            nearest = round((targets.edge - targets.others_edge) / targets.edge_step) * targets.edge_step
            assert abs(edge - targets.edge) == abs(nearest + targets.others_edge - targets.edge)
            for chance, y in product(targets.chances, range(1, targets.denominators + 1)):
                assert (chance / y / targets.edge_step).denominator == 1
        case "neighbours":
            (low,), (high,) = found.lowest, found.highest
            assert not [one for one in odds_up_to(high, targets.denominators) if low < one < high]
            assert low <= exact[0] <= high or low == high == step
        case "all":
            assert found.miss > 1
            far = found.miss * targets.edge_tolerance
            for row, (low, high) in enumerate(zip(found.lowest, found.highest, strict=True)):
                more = min(odds for odds in odds_up_to(high + 1, targets.denominators) if odds > high)
                least = [more if targets.rising and other >= row else step for other in range(len(exact))]
                least[row] = more
                assert sum(
                    p * g for p, g in zip(targets.chances, least, strict=True)
                ) > targets.mean + far or varies_too_much(targets, targets.chances[row], more, found.miss)
                fewer = max((odds for odds in odds_up_to(low, targets.denominators) if odds < low), default=None)
                if fewer is not None:
                    most = [
                        fewer if other == row or (targets.rising and other < row) else found.highest[other]
                        for other in range(len(exact))
                    ]
                    assert sum(p * g for p, g in zip(targets.chances, most, strict=True)) < targets.mean - far
    between = [
        [odds for odds in odds_up_to(high, targets.denominators) if low <= odds <= high]
        for low, high in zip(found.lowest, found.highest, strict=True)
    ]
    if len(exact) < 3:
        ladders = [one for one in product(*between) if not targets.rising or list(one) == sorted(one)]
        assert found.ladders == len(ladders)


def test_ladders_beyond_counting_are_ruled_out_by_bounds() -> None:
    chances = tuple(F(1, 8 * 2**row) for row in range(8))
    losing = 1 - sum(chances, F(0))
    found = closest_ladder(LadderTargets(chances, losing, losing, F(1, 10), F(10_000)), (F(2),) * 8)
    assert found.reason == "all"
    assert found.ladders > 10**9
    assert found.gains[:-1] == (F(1),) * 7, "everything is on the rarest row"


def test_a_search_that_would_take_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitbook.analysis.ladder_search.LADDERS_MAX", 1)
    targets = LadderTargets((F(1, 4), F(1, 8)), F(5, 8), F(5, 8), F(1, 10))
    with pytest.raises(TooManyLaddersError, match="ask for smaller denominators"):
        closest_ladder(targets, (F(1), F(2)))
