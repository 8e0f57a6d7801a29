"""Exact solutions along a machine: one level of strongly connected parts after another, in integers.

A machine's questions (how often is each state visited, what is a state worth) are systems x(36 - self) = b + sum(w x).
Solving follows the parts in dependency order, so the cost grows with the number of transitions. All values of one level
share a common denominator, which keeps the arithmetic in plain integers and the greatest common divisors few. Of a
large machine, states that no probability distinguishes (the same ways into the same states) are first made one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from math import gcd, lcm
from operator import mul
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from pitbook.wager.machine import Machine

BY_HAND_BELOW = 100
LUMPED_ABOVE = 200
"""Joining states pays off in machines larger than this."""


@dataclass(frozen=True)
class Edges:
    """A machine's transitions, those with the same source and target joined, with their weights."""

    size: int
    throws: int
    inner: list[tuple[int, int, int]]
    """(state, next state, ways), staying put left out."""
    staying: list[int]
    """The ways in which each state stays put."""
    ending: list[tuple[int, int, int]]
    """(state, end, ways)."""
    lumps: list[int] | None = None
    """Which of these states each state of the machine has become, where some were made one."""

    @cached_property
    def forward(self) -> Parts:
        """The states on which each state's visits depend: those before it."""
        return _parts(self, [(target, source, ways) for source, target, ways in self.inner])

    @cached_property
    def backward(self) -> Parts:
        """The states on which each state's value depends: those after it."""
        return _parts(self, self.inner)


@dataclass(frozen=True)
class Parts:
    """The strongly connected parts, level by level, each after all that it depends on."""

    levels: list[list[list[int]]]
    level_of: list[int]
    depends: list[list[tuple[int, int]]]
    """For each state what it depends on: (other state, ways), staying put left out."""


@dataclass(frozen=True)
class Solution:
    """A value for every state, those of one level over one common denominator."""

    numerators: list[int]
    denominators: list[int]
    """One per level."""
    level_of: list[int]
    lumps: list[int] | None = None

    def __getitem__(self, state: int) -> Fraction:
        """Return the value of a state of the machine."""
        if self.lumps is not None:
            state = self.lumps[state]
        return Fraction(self.numerators[state], self.denominators[self.level_of[state]])

    def total(self, terms: Iterable[tuple[int, int]]) -> Fraction:
        """Return the sum of value times weight over (state, weight), added level by level."""
        sums = [0] * len(self.denominators)
        numerators, level_of = self.numerators, self.level_of
        for state, weight in terms:
            sums[level_of[state]] += numerators[state] * weight
        common = lcm(*self.denominators)
        return Fraction(
            sum(part * (common // below) for part, below in zip(sums, self.denominators, strict=True)), common
        )

    def product(self, other: Solution) -> Fraction:
        """Return the sum over all states of one value times the other, added by pairs of levels."""
        sums: dict[tuple[int, int], int] = {}
        for state, value in enumerate(self.numerators):
            pair = self.level_of[state], other.level_of[state]
            sums[pair] = sums.get(pair, 0) + value * other.numerators[state]
        return sum(
            (Fraction(part, self.denominators[a] * other.denominators[b]) for (a, b), part in sums.items()),
            Fraction(0),
        )


_EDGES: WeakKeyDictionary[Machine, Edges] = WeakKeyDictionary()


def edges_of(machine: Machine) -> Edges:
    """Return a machine's transitions; cached."""
    if machine not in _EDGES:
        _EDGES[machine] = _edges(machine)
    return _EDGES[machine]


def _edges(machine: Machine) -> Edges:
    if machine.size <= BY_HAND_BELOW:
        return _edges_by_hand(machine)
    lump = machine.size > LUMPED_ABOVE and not machine.idle  # a roll counts in some states and not in others
    table, lumps = _lumped(machine) if lump else (machine.table, None)
    size, width = len(table), len(table) + len(machine.ends)
    keys = (np.arange(size, dtype=np.int64)[:, None] * width + table).ravel()
    weights = np.broadcast_to(np.array(machine.ways, dtype=np.int64), table.shape).ravel()
    distinct, place = np.unique(keys, return_inverse=True)
    ways = np.bincount(place, weights=weights).astype(np.int64)
    source, target = np.divmod(distinct, width)
    stays, ends = source == target, target >= size
    staying = np.zeros(size, np.int64)
    staying[source[stays]] = ways[stays]
    inner = ~stays & ~ends
    return Edges(
        size=size,
        throws=machine.throws,
        inner=list(zip(source[inner].tolist(), target[inner].tolist(), ways[inner].tolist(), strict=True)),
        staying=staying.tolist(),
        ending=list(zip(source[ends].tolist(), (target[ends] - size).tolist(), ways[ends].tolist(), strict=True)),
        lumps=lumps,
    )


def _edges_by_hand(machine: Machine) -> Edges:
    """Return the same edges for a machine so small that arrays would cost more than they save."""
    size, ways_of = machine.size, machine.ways
    inner: list[tuple[int, int, int]] = []
    ending: list[tuple[int, int, int]] = []
    staying = [0] * size
    for source, row in enumerate(machine.rows):
        joined: dict[int, int] = {}
        for target, ways in zip(row, ways_of, strict=True):
            if target in joined:
                joined[target] += ways
            else:
                joined[target] = ways
        staying[source] = joined.pop(source, 0)
        for target, ways in joined.items():
            if target >= size:
                ending.append((source, target - size, ways))
            else:
                inner.append((source, target, ways))
    return Edges(size, machine.throws, inner, staying, ending)


def _lumped(machine: Machine) -> tuple[NDArray[np.int64], list[int]]:
    """Merge states with the same transitions; return one row for each merged state, and which state is in which row.

    Refinement by 64-bit fingerprints, as in minimising; equal fingerprints are then proved equal by comparing, for
    every state and its representative, the sorted targets with their ways.
    """
    size, ends = machine.size, len(machine.ends)
    ways = np.array(machine.ways, dtype=np.uint64)
    marks = np.random.default_rng(0xD1CE).integers(1, 2**63, size + ends, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    classes = np.concatenate([np.zeros(size, np.int64), np.arange(1, ends + 1)])
    count = 1
    while True:
        prints = (marks[classes][machine.table] * ways).sum(axis=1, dtype=np.uint64)
        _, first, found = np.unique(prints, return_index=True, return_inverse=True)
        now = len(first)
        # Number the classes by their first state, which keeps a breadth-first order topological.
        order = np.argsort(first, kind="stable")
        rank = np.empty(now, np.int64)
        rank[order] = np.arange(now)
        classes = np.concatenate([rank[found], np.arange(now, now + ends)])
        if now == count:
            break
        count = now
    targets = classes[machine.table]
    places = np.argsort(targets, axis=1, kind="stable")
    sorted_targets = np.take_along_axis(targets, places, axis=1)
    # Running sums of the ways, compared where one target's run ends: equal runs mean equal ways into each target.
    sums = np.cumsum(np.take_along_axis(np.broadcast_to(ways, targets.shape), places, axis=1), axis=1)
    last = np.ones_like(sorted_targets, dtype=bool)
    last[:, :-1] = sorted_targets[:, 1:] != sorted_targets[:, :-1]
    proof = np.where(last, sums.astype(np.int64) * (count + ends) + sorted_targets, 0)
    proof.sort(axis=1)
    representatives = first[order]
    if not np.array_equal(proof, proof[representatives][classes[:size]]):
        raise AssertionError("two different states share a fingerprint")
    return targets[representatives], classes[:size].tolist()


def visits(machine: Machine, start: int) -> Solution:
    """Return how often each state is visited, on average, by a wager that starts in one."""
    edges = edges_of(machine)
    return solve_visits(edges, edges.lumps[start] if edges.lumps else start)


def solve_visits(edges: Edges, start: int = 0) -> Solution:
    """Return how often each state is visited, on average, from a first one."""
    source = [0] * edges.size
    source[start] = edges.throws
    return _solve(edges, edges.forward, source)


def expected_values(machine: Machine, end_values: Sequence[Fraction], per_roll: int = 0) -> Solution:
    """Return each state's value: the mean of its ends' values, plus `per_roll` for each roll at which it works."""
    edges = edges_of(machine)
    common = lcm(*(value.denominator for value in end_values)) if end_values else 1
    scaled = [int(value * common) for value in end_values]
    source = [edges.throws * per_roll * common] * edges.size
    for state in machine.idle:
        source[state] = 0
    for state, end, ways in edges.ending:
        source[state] += ways * scaled[end]
    return _over(_solve(edges, edges.backward, source), common)


def solve_expected_values(edges: Edges, settled: Sequence[Fraction]) -> Solution:
    """Return the value of each state, given the value of its own ends summed over their ways."""
    common = lcm(*(value.denominator for value in settled))
    return _over(_solve(edges, edges.backward, [int(value * common) for value in settled]), common)


def _over(solution: Solution, common: int) -> Solution:
    if common == 1:
        return solution
    return replace(solution, denominators=[below * common for below in solution.denominators])


def _solve(edges: Edges, parts: Parts, source: Sequence[int]) -> Solution:
    values = [0] * edges.size
    scales: list[int] = []
    reached = 1
    level_of, depends, staying, throws = parts.level_of, parts.depends, edges.staying, edges.throws
    for level in parts.levels:
        factors = [reached // scale for scale in scales]
        states: list[int] = []
        divisors: list[int] = []
        for part in level:
            if len(part) == 1:
                (state,) = part
                total = source[state] * reached
                for other, ways in depends[state]:
                    total += ways * values[other] * factors[level_of[other]]
                values[state] = total
                states.append(state)
                divisors.append(throws - staying[state])
                continue
            inside = set(part)
            inflow = [
                source[state] * reached
                + sum(
                    ways * values[other] * factors[level_of[other]]
                    for other, ways in depends[state]
                    if other not in inside
                )
                for state in part
            ]
            adjugate, determinant = _inverse(_matrix(part, edges, depends))
            for state, row in zip(part, adjugate, strict=True):
                values[state] = sum(map(mul, row, inflow))
            states += part
            divisors += [determinant] * len(part)
        common = lcm(*divisors)
        for state, divisor in zip(states, divisors, strict=True):
            if divisor != common:
                values[state] *= common // divisor
        shared = reached * common
        spare = gcd(shared, *[values[state] for state in states])
        if spare > 1:
            for state in states:
                values[state] //= spare
        scales.append(shared // spare)
        reached = lcm(reached, scales[-1])
    return Solution(values, scales, level_of, edges.lumps)


def _matrix(part: list[int], edges: Edges, depends: list[list[tuple[int, int]]]) -> tuple[tuple[int, ...], ...]:
    place = {state: index for index, state in enumerate(part)}
    rows = [[0] * len(part) for _ in part]
    for state, index in place.items():
        rows[index][index] = edges.throws - edges.staying[state]
        for other, ways in depends[state]:
            if other in place:
                rows[index][place[other]] -= ways
    return tuple(map(tuple, rows))


@cache
def _inverse(matrix: tuple[tuple[int, ...], ...]) -> tuple[list[list[int]], int]:
    """Return the adjugate and the determinant, by fraction-free elimination (Bareiss)."""
    size = len(matrix)
    rows = [[*row, *(int(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    before = 1
    for pivot in range(size):
        # The matrix is diagonally dominant (every state can end), so the pivot is never zero.
        head = rows[pivot]
        for other, row in enumerate(rows):
            if other != pivot:
                factor = row[pivot]
                rows[other] = [(head[pivot] * x - factor * y) // before for x, y in zip(row, head, strict=True)]
        before = head[pivot]
    return [row[size:] for row in rows], before


def _parts(edges: Edges, depends_on: list[tuple[int, int, int]]) -> Parts:
    depends: list[list[tuple[int, int]]] = [[] for _ in range(edges.size)]
    for state, other, ways in depends_on:
        depends[state].append((other, ways))
    if all(source < target for source, target, _ in edges.inner):
        # Breadth-first numbering is already a topological order: every part is one state.
        descending = bool(depends_on) and depends_on[0][0] < depends_on[0][1]
        order = [[state] for state in (reversed(range(edges.size)) if descending else range(edges.size))]
    else:
        order = _strongly_connected([[other for other, _ in row] for row in depends])
    level_of = [0] * edges.size
    levels: list[list[list[int]]] = []
    for part in order:
        inside = set(part) if len(part) > 1 else ()
        level = 0
        for state in part:
            for other, _ in depends[state]:
                if level_of[other] >= level and other not in inside:
                    level = level_of[other] + 1
        for state in part:
            level_of[state] = level
        while len(levels) <= level:
            levels.append([])
        levels[level].append(part)
    return Parts(levels, level_of, depends)


def closed_part(targets: list[list[int]]) -> list[int]:
    """Return the states that a chain stays among once it has come to one of them, in ascending order."""
    return sorted(_strongly_connected(targets)[0])


def _strongly_connected(depends: list[list[int]]) -> list[list[int]]:
    """Tarjan's algorithm without recursion; a part comes after all parts that it depends on."""
    number = [-1] * len(depends)
    low = [0] * len(depends)
    on_stack = [False] * len(depends)
    stack: list[int] = []
    parts: list[list[int]] = []
    counter = 0
    for root in range(len(depends)):
        if number[root] >= 0:
            continue
        work = [(root, 0)]
        while work:
            state, at = work.pop()
            if at == 0:
                number[state] = low[state] = counter
                counter += 1
                stack.append(state)
                on_stack[state] = True
            for index in range(at, len(depends[state])):
                other = depends[state][index]
                if number[other] < 0:
                    work += [(state, index + 1), (other, 0)]
                    break
                if on_stack[other]:
                    low[state] = min(low[state], number[other])
            else:
                if low[state] == number[state]:
                    part: list[int] = []
                    while not part or part[-1] != state:
                        part.append(stack.pop())
                        on_stack[part[-1]] = False
                    parts.append(part)
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[state])
    return parts
