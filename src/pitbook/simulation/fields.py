"""Constants shared by the loops and their callers."""

from __future__ import annotations

import numpy as np

LANES = 8
"""Hands that are played side by side."""
STEPS = 160
"""Steps of each lane between two fillings of the buffer: 1,280 cells, which stay in the nearest cache."""
PER_DRAW = 5
"""Cells from one draw: five pairs of rolls of two dice, or five rolls."""

(
    TABLE,
    WIDTH,
    SIZE,
    STARTS,
    COLUMNS,
    UNMARKED,
    WIN,
    LOSE,
    WAITS,
    AT_COME_OUT,
    WATCHED,
    WATCHED_COUNT,
    GAINS,
    FOR_PLAYER,
    CAP,
    ENDS,
    ENVY_FIXED,
    ENVY_TIMES,
) = range(18)
"""An area's row: where its tables are in the data, how it wins, when it is open, what it pays."""
AREA = 18
START_MONEY, STOP_LOW, STOP_HIGH, FIRST_BET, LAST_BET = range(5)
"""A player's row."""
PLAYER = 5
(
    ON_AREA,
    PLAN,
    STAKES,
    STAKES_COUNT,
    FACTOR_ABOVE,
    FACTOR_BELOW,
    LIMIT,
    UP_AFTER_WIN,
) = range(8)
"""A plan's row."""
BET = 8
PLAN_FLAT, PLAN_LIST, PLAN_UNTIL_WON, PLAN_PROGRESSION = range(4)


def rest_min(bound: int) -> int:
    """Return the least rest with which a draw of `streams.fill` is accepted."""
    return int(2**64 % bound**PER_DRAW)


def allocate_buffers() -> tuple[
    np.ndarray[tuple[int], np.dtype[np.uint64]], np.ndarray[tuple[int], np.dtype[np.uint16]]
]:
    """Return a stream and a buffer of cells; the last draw may write a few too many."""
    return np.empty(4, np.uint64), np.empty(LANES * STEPS + PER_DRAW, np.uint16)
