"""Numbers that the loops and those who call them agree on."""

from __future__ import annotations

import numpy as np

LANES = 8
"""Hands that are played side by side."""
STEPS = 160
"""Steps of each lane between two fillings of the buffer: 1,280 cells, which stay in the nearest cache."""
PER_DRAW = 5
"""Cells from one draw: five pairs of rolls of two dice, or five rolls."""


def rest_min(bound: int) -> int:
    """The least rest with which a draw of `streams.fill` is taken."""
    return int(2**64 % bound**PER_DRAW)


def room_to_work() -> tuple[np.ndarray[tuple[int], np.dtype[np.uint64]], np.ndarray[tuple[int], np.dtype[np.uint16]]]:
    """A stream and a buffer of cells; a last draw may write a few too many."""
    return np.empty(4, np.uint64), np.empty(LANES * STEPS + PER_DRAW, np.uint16)
