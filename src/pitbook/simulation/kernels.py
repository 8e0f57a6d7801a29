"""The loops over compiled machines: integers only, without allocation, exceptions or Python objects.

Hands are independent, and every one that is started runs to its end. Eight lanes play hand after hand of a block side
by side, so that the processor has work while it waits for memory; where it pays, one look-up does two rolls. Lanes
start hands only as long as the block still has hands to start; the last few are played one by one. Which hands count is
thus decided before they begin: cutting hands off, or counting those that end first, would favour short ones.

Each loop takes the seed, the first block, its numbers as one array, and its tables and buffers as flat arrays;
`compiled` makes machine code of it.
"""

from __future__ import annotations

from typing import Any

from numba import int64, njit, uint32, uint64
from numba.np.numpy_support import carray

from pitbook.simulation.fields import LANES, STEPS
from pitbook.simulation.nights import play_nights
from pitbook.simulation.streams import begin, fill


@njit(error_model="numpy")
def play_machine(
    seed: Any,
    first_block: Any,
    numbers: Any,
    sizes: Any,
    table: Any,
    columns: Any,
    events: Any,
    single: Any,
    single_columns: Any,
    ends: Any,
    stream: Any,
    cells: Any,
    lanes: Any,
    counts: Any,
) -> Any:
    """Play blocks of hands of one machine; add each end to `ends` and return the number of rolls."""
    blocks, event_count, rolls_a_step, stride = numbers[0], numbers[1], numbers[2], numbers[3]
    start, size, width = numbers[4], numbers[5], numbers[6]
    bound, rest_min = uint64(numbers[7]), uint64(numbers[8])
    single_bound, single_rest_min = uint64(numbers[9]), uint64(numbers[10])
    rolls = 0
    for block in range(blocks):
        hands = sizes[block]
        begin(stream, seed, first_block + block)
        started = 0
        if hands > 16 * LANES:
            for lane in range(LANES):
                lanes[lane] = uint32(start * stride)
            for at in range(LANES * event_count):
                counts[at] = 0
            started = LANES
            while True:
                steps = (hands - started) // (LANES * rolls_a_step)  # this many steps cannot start too many hands
                if steps < 4:
                    break
                while steps > 0:
                    now = min(steps, STEPS)
                    fill(stream, cells, now * LANES, bound, rest_min)
                    walk(table, columns, cells, now, lanes, counts, event_count)
                    rolls += now * LANES * rolls_a_step
                    steps -= now
                started = LANES
                for at in range(LANES * event_count):
                    started += counts[at] * events[3 * (at % event_count) + 2]
            for at in range(LANES * event_count):
                for part in range(2):
                    end = events[3 * (at % event_count) + part]
                    if end >= 0:
                        ends[end] += counts[at]
        under_way = min(started, LANES)
        at, have = 0, 0
        for hand in range(under_way + hands - started):
            state = int64(lanes[hand]) // stride if hand < under_way else start
            while state < size:
                if at == have:
                    have = STEPS
                    fill(stream, cells, have, single_bound, single_rest_min)
                    at = 0
                state = single[state * width + single_columns[cells[at]]]
                at += 1
                rolls += 1
            ends[state - size] += 1
    return rolls


@njit(error_model="numpy")
def walk(table: Any, columns: Any, cells: Any, steps: Any, lanes: Any, counts: Any, event_count: Any) -> None:
    """Move the eight lanes, written out so that their rows stay in registers.

    An entry holds what ended in its upper 12 bits and the next row in the lower 20.
    """
    row, shift, one, events = uint32(0xFFFFF), uint32(20), uint64(1), uint64(event_count)
    a, b, c, d = lanes[0], lanes[1], lanes[2], lanes[3]
    e, f, g, h = lanes[4], lanes[5], lanes[6], lanes[7]
    at = uint64(0)
    for _ in range(steps):
        entry = table[a + columns[cells[at]]]
        a = entry & row
        counts[entry >> shift] += 1
        at += one
        entry = table[b + columns[cells[at]]]
        b = entry & row
        counts[events + (entry >> shift)] += 1
        at += one
        entry = table[c + columns[cells[at]]]
        c = entry & row
        counts[uint64(2) * events + (entry >> shift)] += 1
        at += one
        entry = table[d + columns[cells[at]]]
        d = entry & row
        counts[uint64(3) * events + (entry >> shift)] += 1
        at += one
        entry = table[e + columns[cells[at]]]
        e = entry & row
        counts[uint64(4) * events + (entry >> shift)] += 1
        at += one
        entry = table[f + columns[cells[at]]]
        f = entry & row
        counts[uint64(5) * events + (entry >> shift)] += 1
        at += one
        entry = table[g + columns[cells[at]]]
        g = entry & row
        counts[uint64(6) * events + (entry >> shift)] += 1
        at += one
        entry = table[h + columns[cells[at]]]
        h = entry & row
        counts[uint64(7) * events + (entry >> shift)] += 1
        at += one
    lanes[0], lanes[1], lanes[2], lanes[3] = a, b, c, d
    lanes[4], lanes[5], lanes[6], lanes[7] = e, f, g, h


@njit(error_model="numpy")
def play_several(
    seed: Any,
    first_block: Any,
    numbers: Any,
    sizes: Any,
    table: Any,
    columns: Any,
    starts: Any,
    firsts: Any,
    widths: Any,
    nets: Any,
    ends: Any,
    totals: Any,
    counts: Any,
    stream: Any,
    cells: Any,
    rows: Any,
) -> Any:
    """Play blocks of hands on which several machines see the same dice; return -1 if `totals` is full.

    Rows of `table` are states and, from `firsts` on, ends, which no roll leaves. `totals` and `counts` are an open hash
    table of the hands' results.
    """
    blocks, machines, most_ends, slots = numbers[0], numbers[1], numbers[2], numbers[3]
    bound, rest_min = uint64(numbers[4]), uint64(numbers[5])
    throws = numbers[4]
    mask = uint64(slots - 1)
    room = slots // 4 * 3
    rolls = 0
    for block in range(blocks):
        begin(stream, seed, first_block + block)
        at, have = 0, 0
        for _ in range(sizes[block]):
            for machine in range(machines):
                rows[machine] = starts[machine]
            running = True
            while running:
                if at == have:
                    have = STEPS * LANES
                    fill(stream, cells, have, bound, rest_min)
                    at = 0
                cell = int64(cells[at])
                at += 1
                rolls += 1
                running = False
                for machine in range(machines):
                    row = int64(table[rows[machine] + columns[machine * throws + cell]])
                    rows[machine] = row
                    running |= row < firsts[machine]
            total = 0
            for machine in range(machines):
                end = machine * most_ends + (rows[machine] - firsts[machine]) // widths[machine]
                ends[end] += 1
                total += nets[end]
            place = (uint64(total) * uint64(0x9E3779B97F4A7C15)) >> uint64(20) & mask
            while counts[place] != 0 and totals[place] != total:
                place = (place + uint64(1)) & mask
            if counts[place] == 0:
                totals[place] = total
                room -= 1
                if room < 0:
                    return -1
            counts[place] += 1
    return rolls


@njit(error_model="numpy")
def throw(seed: Any, first_block: Any, numbers: Any, counts: Any, stream: Any, cells: Any) -> Any:
    """Throw as the loops do and count the cells, to test the dice and to measure the speed of bare dice."""
    for block in range(numbers[0]):
        begin(stream, seed, first_block + block)
        for _ in range(numbers[1]):
            fill(stream, cells, STEPS * LANES, uint64(numbers[2]), uint64(numbers[3]))
            for at in range(STEPS * LANES):
                counts[cells[at]] += 1
    return numbers[0] * numbers[1] * STEPS * LANES


def _machine(seed, first, a, b, c, d, e, f, g, h, i, j, k, m):  # type: ignore[no-untyped-def]
    return play_machine(
        seed,
        first,
        carray(a, 1),
        carray(b, 1),
        carray(c, 1),
        carray(d, 1),
        carray(e, 1),
        carray(f, 1),
        carray(g, 1),
        carray(h, 1),
        carray(i, 1),
        carray(j, 1),
        carray(k, 1),
        carray(m, 1),
    )


def _several(seed, first, a, b, c, d, e, f, g, h, i, j, k, m, n, o):  # type: ignore[no-untyped-def]
    return play_several(
        seed,
        first,
        carray(a, 1),
        carray(b, 1),
        carray(c, 1),
        carray(d, 1),
        carray(e, 1),
        carray(f, 1),
        carray(g, 1),
        carray(h, 1),
        carray(i, 1),
        carray(j, 1),
        carray(k, 1),
        carray(m, 1),
        carray(n, 1),
        carray(o, 1),
    )


def _throw(seed, first, a, b, c, d):  # type: ignore[no-untyped-def]
    return throw(seed, first, carray(a, 1), carray(b, 1), carray(c, 1), carray(d, 1))


def _nights(seed, first, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r):  # type: ignore[no-untyped-def]
    return play_nights(
        seed,
        first,
        carray(a, 1),
        carray(b, 1),
        carray(c, 1),
        carray(d, 1),
        carray(e, 1),
        carray(f, 1),
        carray(g, 1),
        carray(h, 1),
        carray(i, 1),
        carray(j, 1),
        carray(k, 1),
        carray(m, 1),
        carray(n, 1),
        carray(o, 1),
        carray(p, 1),
        carray(q, 1),
        carray(r, 1),
    )


ENTRIES = {"play_machine": _machine, "play_several": _several, "throw": _throw, "play_nights": _nights}
"""The loops with plain pointers in place of arrays."""
