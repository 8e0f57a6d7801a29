"""The loops over compiled machines. All integers; nothing is allocated for a roll, a hand or a block.

Hands are independent and every one that is started runs to its end. Eight lanes play hand after hand of a block side by
side, so that the processor always has work while a table answers; where it pays, one look-up does two rolls. Lanes
start hands only as long as the block still has hands to start; the last few are played one by one. Which hands count
is so decided before they begin: cutting hands off, or counting those that end first, would favour short ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, uint32, uint64

from pitbook.simulation.streams import begin, fill

LANES = 8
STEPS = 160
"""Steps of each lane between two fillings of the buffer: 1,280 cells, which stay in the nearest cache."""
EVENT_SHIFT = 20
"""An entry of a lane table: what ended in the upper bits, the row that follows in the lower."""


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def play_machine(
    seed: Any,
    first_block: Any,
    sizes: Any,
    table: Any,
    columns: Any,
    bound: Any,
    rest_min: Any,
    rolls_a_step: Any,
    stride: Any,
    start: Any,
    events: Any,
    single: Any,
    single_columns: Any,
    single_bound: Any,
    single_rest_min: Any,
    ends: Any,
) -> Any:
    """Plays blocks of hands of one machine; adds each end to `ends` and gives the number of rolls."""
    stream = np.empty(4, np.uint64)
    cells = np.empty(STEPS * LANES + 8, np.uint16)
    lanes = np.empty(LANES, np.uint32)
    counts = np.zeros((LANES, events.shape[0]), np.int64)
    size = single.shape[0]
    rolls = 0
    for block in range(sizes.shape[0]):
        hands = sizes[block]
        begin(stream, seed, first_block + block)
        started = 0
        if hands > 16 * LANES:
            lanes[:] = uint32(start * stride)
            counts[:] = 0
            started = LANES
            while True:
                steps = (hands - started) // (LANES * rolls_a_step)  # so many cannot start too many hands
                if steps < 4:
                    break
                while steps > 0:
                    now = min(steps, STEPS)
                    fill(stream, cells, now * LANES, bound, rest_min)
                    _walk(table, columns, cells, now, lanes, counts)
                    rolls += now * LANES * rolls_a_step
                    steps -= now
                started = LANES
                for event in range(events.shape[0]):
                    ended = 0
                    for lane in range(LANES):
                        ended += counts[lane, event]
                    started += ended * events[event, 2]
            for event in range(events.shape[0]):
                for lane in range(LANES):
                    for part in range(2):
                        if events[event, part] >= 0:
                            ends[events[event, part]] += counts[lane, event]
        left = hands - started
        at, have = 0, 0
        for hand in range(min(started, LANES) + left):
            state = np.int64(lanes[hand]) // stride if hand < started else start
            while state < size:
                if at == have:
                    have = STEPS
                    fill(stream, cells, have, single_bound, single_rest_min)
                    at = 0
                state = single[state, single_columns[cells[at]]]
                at += 1
                rolls += 1
            ends[state - size] += 1
    return rolls


@njit(cache=True, nogil=True, inline="always")  # type: ignore[untyped-decorator]
def _walk(table: Any, columns: Any, cells: Any, steps: Any, lanes: Any, counts: Any) -> None:
    """Moves the eight lanes on, written out so that their rows stay in registers."""
    row, shift, one = uint32(0xFFFFF), uint32(20), uint64(1)
    a, b, c, d = lanes[0], lanes[1], lanes[2], lanes[3]
    e, f, g, h = lanes[4], lanes[5], lanes[6], lanes[7]
    at = uint64(0)
    for _ in range(steps):
        entry = table[a + columns[cells[at]]]
        a = entry & row
        counts[0, entry >> shift] += 1
        at += one
        entry = table[b + columns[cells[at]]]
        b = entry & row
        counts[1, entry >> shift] += 1
        at += one
        entry = table[c + columns[cells[at]]]
        c = entry & row
        counts[2, entry >> shift] += 1
        at += one
        entry = table[d + columns[cells[at]]]
        d = entry & row
        counts[3, entry >> shift] += 1
        at += one
        entry = table[e + columns[cells[at]]]
        e = entry & row
        counts[4, entry >> shift] += 1
        at += one
        entry = table[f + columns[cells[at]]]
        f = entry & row
        counts[5, entry >> shift] += 1
        at += one
        entry = table[g + columns[cells[at]]]
        g = entry & row
        counts[6, entry >> shift] += 1
        at += one
        entry = table[h + columns[cells[at]]]
        h = entry & row
        counts[7, entry >> shift] += 1
        at += one
    lanes[0], lanes[1], lanes[2], lanes[3] = a, b, c, d
    lanes[4], lanes[5], lanes[6], lanes[7] = e, f, g, h


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def play_several(
    seed: Any,
    first_block: Any,
    sizes: Any,
    table: Any,
    columns: Any,
    starts: Any,
    firsts: Any,
    widths: Any,
    bound: Any,
    rest_min: Any,
    nets: Any,
    ends: Any,
    totals: Any,
    counts: Any,
) -> Any:
    """Plays blocks of hands on which several machines see the same dice; -1 if `totals` has no room left.

    Rows of `table` stand for states and, from `firsts` on, for ends, which no roll leaves. `totals` and `counts` are an
    open hash table of what the hands came to.
    """
    stream = np.empty(4, np.uint64)
    cells = np.empty(STEPS + 8, np.uint16)
    machines = starts.shape[0]
    rows = np.empty(machines, np.int64)
    mask = uint64(totals.shape[0] - 1)
    room = totals.shape[0] // 4 * 3
    rolls = 0
    for block in range(sizes.shape[0]):
        begin(stream, seed, first_block + block)
        at, have = 0, 0
        for _ in range(sizes[block]):
            for machine in range(machines):
                rows[machine] = starts[machine]
            running = True
            while running:
                if at == have:
                    have = STEPS
                    fill(stream, cells, have, bound, rest_min)
                    at = 0
                cell = cells[at]
                at += 1
                rolls += 1
                running = False
                for machine in range(machines):
                    row = np.int64(table[rows[machine] + columns[machine, cell]])
                    rows[machine] = row
                    running |= row < firsts[machine]
            total = 0
            for machine in range(machines):
                end = (rows[machine] - firsts[machine]) // widths[machine]
                ends[machine, end] += 1
                total += nets[machine, end]
            place = (uint64(total) * uint64(0x9E3779B97F4A7C15)) >> uint64(20) & mask
            while counts[place] and totals[place] != total:
                place = (place + uint64(1)) & mask
            if not counts[place]:
                totals[place] = total
                room -= 1
                if room < 0:
                    return -1
            counts[place] += 1
    return rolls


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def throw(seed: Any, block: Any, cells: Any, bound: Any, rest_min: Any, counts: Any, turns: Any) -> None:
    """Throws as the loops do, and counts the cells; for tests of the dice themselves."""
    stream = np.empty(4, np.uint64)
    begin(stream, seed, block)
    for _ in range(turns):
        fill(stream, cells, cells.shape[0] - 8, bound, rest_min)
        for at in range(cells.shape[0] - 8):
            counts[cells[at]] += 1
