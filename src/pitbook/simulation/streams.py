"""Random dice inside compiled loops: xoshiro256++, one stream for every block, several rolls from each 64 bits.

Streams. The state of stream `i` is the outputs 4i to 4i + 3 of one SplitMix64 sequence. Its output function is a
bijection of a counter that never repeats within 2^64, so no two streams of a seed start alike and none starts in the
forbidden state of zeros. xoshiro256++ goes through all 2^256 - 1 states in one cycle: that any two of 2^40 streams of
2^40 draws overlap has a chance below 2^-130.

Dice. A word x of 64 bits times b^k is floor(x b^k / 2^64), whose k digits to base b are k rolls, and a rest. Taken
when the rest is at least 2^64 mod b^k, every one of the b^k results comes from equally many words: unbiased, by
rejection of at most 2 words in 10,000. (Lemire's method, for k rolls at once.)
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import njit, types, uint64
from numba.extending import intrinsic

GAMMA = 0x9E3779B97F4A7C15


@intrinsic
def _upper_half(_context: Any, _a: Any, _b: Any) -> Any:
    """Return the upper 64 bits of a product of two 64-bit numbers: one instruction, which Numba has no name for."""

    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), emit


upper_half: Any = _upper_half


@njit(error_model="numpy")
def mixed(word: Any) -> Any:
    """Return SplitMix64's output, a bijection."""
    word = (word ^ (word >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> uint64(27))) * uint64(0x94D049BB133111EB)
    return word ^ (word >> uint64(31))


@njit(error_model="numpy")
def turned(word: Any, by: Any) -> Any:
    """Return a word rotated to the left."""
    return (word << uint64(by)) | (word >> uint64(64 - by))


@njit(error_model="numpy")
def begin(stream: Any, seed: Any, index: Any) -> None:
    """Set a stream to its first state."""
    origin = mixed(seed ^ uint64(0x6A09E667F3BCC909))
    for word in range(4):
        counter = uint64(4) * uint64(index) + uint64(word + 1)
        stream[word] = mixed(origin + counter * uint64(GAMMA))


@njit(error_model="numpy")
def fill(stream: Any, cells: Any, count: Any, bound: Any, rest_min: Any) -> None:
    """Write at least `count` cells, each uniform below `bound`: the count rounded up to whole draws."""
    s0, s1, s2, s3 = stream[0], stream[1], stream[2], stream[3]
    at = 0
    while at < count:
        rest = turned(s0 + s3, 23) + s0
        shifted = s1 << uint64(17)
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = turned(s3, 45)
        a = upper_half(rest, bound)
        rest *= bound
        b = upper_half(rest, bound)
        rest *= bound
        c = upper_half(rest, bound)
        rest *= bound
        d = upper_half(rest, bound)
        rest *= bound
        e = upper_half(rest, bound)
        rest *= bound
        cells[at], cells[at + 1], cells[at + 2], cells[at + 3], cells[at + 4] = a, b, c, d, e
        at += 5 if rest >= rest_min else 0  # a rejected draw is overwritten by the next
    stream[0], stream[1], stream[2], stream[3] = s0, s1, s2, s3
