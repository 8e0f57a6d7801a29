"""The dice inside the loops: the same as an independent account of them, uniform, and independent between streams.

Bounds were set before the first run: four deviations of a normal variable, on either side; seeds are fixed.
"""

from __future__ import annotations

from itertools import islice, pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from pitbook.simulation.compiled import load_kernel
from pitbook.simulation.fields import LANES, STEPS, allocate_buffers, rest_min
from tests.simulation.reference import cells, deviations, first_state

BOUND = 4.0
BATCH = LANES * STEPS


def thrown(seed: int, first: int, blocks: int, turns: int, bound: int) -> NDArray[np.int64]:
    counts = np.zeros(bound, np.int64)
    load_kernel("throw")(seed, first, np.array([blocks, turns, bound, rest_min(bound)]), counts, *allocate_buffers())
    return counts


def stream(seed: int, index: int, bound: int) -> NDArray[np.uint16]:
    """A batch of a stream, as it lies in the buffer."""
    room = allocate_buffers()
    load_kernel("throw")(seed, index, np.array([1, 1, bound, rest_min(bound)]), np.zeros(bound, np.int64), *room)
    return room[1][:BATCH].copy()


@pytest.mark.parametrize("bound", [36, 216, 1296])
def test_the_loops_throw_what_an_independent_account_of_the_generator_throws(bound: int) -> None:
    for seed, index in ((7, 0), (7, 1), (2**64 - 1, 123_456_789)):
        assert stream(seed, index, bound).tolist() == list(islice(cells(seed, index, bound), BATCH))


@pytest.mark.parametrize("bound", [36, 216, 1296])
def test_ten_million_throws_are_uniform_over_all_cells(bound: int) -> None:
    counts = thrown(2024, 0, 1, 10**7 // BATCH + 1, bound)
    assert counts.sum() >= 10**7
    assert abs(deviations(counts, np.full(bound, counts.sum() / bound))) < BOUND


@pytest.mark.parametrize("bound", [36, 216])
def test_throws_are_uniform_over_many_short_streams_too(bound: int) -> None:
    counts = thrown(2025, 10**6, 8000, 1, bound)
    assert abs(deviations(counts, np.full(bound, counts.sum() / bound))) < BOUND


def pairs(first: NDArray[np.uint16], second: NDArray[np.uint16]) -> NDArray[np.int64]:
    return np.bincount(first.astype(np.int64) * 36 + second, minlength=36 * 36)


def test_neighbouring_streams_are_independent() -> None:
    streams = [stream(11, index, 36) for index in range(800)]
    counts = sum((pairs(a, b) for a, b in pairwise(streams)), np.zeros(1296, np.int64))
    assert abs(deviations(counts, np.full(1296, counts.sum() / 1296))) < BOUND


def test_streams_of_neighbouring_seeds_are_independent() -> None:
    neighbours = ((stream(seed, 0, 36), stream(seed + 1, 0, 36)) for seed in range(0, 1600, 2))
    counts = sum((pairs(a, b) for a, b in neighbours), np.zeros(1296, np.int64))
    assert abs(deviations(counts, np.full(1296, counts.sum() / 1296))) < BOUND


@pytest.mark.parametrize("apart", [1, 2, 5])
def test_throws_of_one_stream_are_independent(apart: int) -> None:
    streams = [stream(13, index, 36) for index in range(800)]
    counts = sum((pairs(one[:-apart], one[apart:]) for one in streams), np.zeros(1296, np.int64))
    assert abs(deviations(counts, np.full(1296, counts.sum() / 1296))) < BOUND


def test_no_two_streams_of_a_seed_start_alike() -> None:
    words = [word for index in range(20_000) for word in first_state(7, index)]
    assert len(set(words)) == len(words)  # of a bijection: all words differ, so all states do, and none is all zeros
