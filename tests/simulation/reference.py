"""The generator and its dice once more, in NumPy and plain Python: an independent account of what the loops throw."""

from __future__ import annotations

from collections.abc import Iterator
from math import cbrt, sqrt

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15


def mixed(word: int) -> int:
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & MASK
    return word ^ (word >> 31)


def first_state(seed: int, index: int) -> list[int]:
    origin = mixed(seed ^ 0x6A09E667F3BCC909)
    return [mixed((origin + (4 * index + word + 1) * GAMMA) & MASK) for word in range(4)]


def turned(word: int, by: int) -> int:
    return (word << by | word >> (64 - by)) & MASK


def cells(seed: int, index: int, bound: int) -> Iterator[int]:
    """Yield one stream's cells forever: five of each draw that is taken."""
    s0, s1, s2, s3 = first_state(seed, index)
    most = 2**64 - 2**64 % bound**5
    while True:
        word = turned((s0 + s3) & MASK, 23) + s0 & MASK
        shifted = s1 << 17 & MASK
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = turned(s3, 45)
        product = word * bound**5
        if product & MASK < 2**64 - most:
            continue
        number = product >> 64
        digits = []
        for _ in range(5):
            number, digit = divmod(number, bound)
            digits.append(digit)
        yield from reversed(digits)


def deviations(counts: NDArray[np.int64], expected: NDArray[np.float64]) -> float:
    """Chi-square of counts against what is expected, as deviations of a normal variable (Wilson and Hilferty)."""
    free = counts.size - 1
    chi = float(((counts - expected) ** 2 / expected).sum())
    return (cbrt(chi / free) - (1 - 2 / (9 * free))) / sqrt(2 / (9 * free))
