"""Several machines on the same dice as one: explored together, and prepared for the loops of `kernels`."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from pitbook.dice import Roll, roll_index

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from pitbook.wager.machine import Machine

    Indices = NDArray[np.int64]

STATES_MAX = 4096
"""Larger joint machines would not fit the processor's near caches."""
ENDS_MAX = 1024
CODES_MAX = 2**62
"""The states of several machines as one number."""
FUSED_MAX = 1 << 17
"""Entries of a table that does two rolls at once."""
ENTRIES_MAX, EVENTS_MAX = 1 << 20, 1 << 12
"""The values that the two halves of an entry can name."""


@dataclass(frozen=True, eq=False)
class Joint:
    """One or several machines moved by the same rolls; it ends when all have ended."""

    members: tuple[int, ...]
    """Which of the given machines are in it."""
    dice: int
    table: Indices
    """[state, column] -> next state, or the number of states + end."""
    cells: Indices
    """[cell] -> column, for each ordered throw of the dice."""
    start: int
    ends: Indices
    """[end, member] -> the end of that machine."""

    @property
    def size(self) -> int:
        """The number of running states."""
        return len(self.table)


def throw_columns(machine: Machine) -> Indices:
    """Return the column of each ordered throw of the dice."""
    index = roll_index(machine.dice)
    faces = np.indices((6,) * machine.dice).reshape(machine.dice, -1).T + 1
    return machine.columns[[index[Roll.of(*throw)] for throw in faces.tolist()]].astype(np.int64)


def join(machines: Sequence[Machine], members: Sequence[int]) -> Joint | None:
    """Return the machines as one with the reachable states, or None if there are too many."""
    chosen = [machines[member] for member in members]
    throws = [throw_columns(machine) for machine in chosen]
    columns, cells = np.unique(np.stack(throws), axis=1, return_inverse=True)
    places = [machine.size + len(machine.ends) for machine in chosen]
    if prod(places) > CODES_MAX:
        return None
    weights = [prod(places[index + 1 :]) for index in range(len(places))]
    moves = []
    for machine, weight, column in zip(chosen, weights, columns, strict=True):
        stay = np.arange(machine.size, machine.size + len(machine.ends))
        moves.append(np.concatenate([machine.table[:, column], np.repeat(stay[:, None], len(column), 1)]) * weight)

    def after(codes: Indices) -> Indices:
        parts = [move[codes // weight % place] for move, weight, place in zip(moves, weights, places, strict=True)]
        return np.asarray(sum(parts[1:], start=parts[0]), dtype=np.int64)

    def over(codes: Indices) -> NDArray[np.bool_]:
        parts = [
            codes // weight % place >= machine.size
            for machine, weight, place in zip(chosen, weights, places, strict=True)
        ]
        return np.asarray(np.logical_and.reduce(parts), dtype=np.bool_)

    start = sum(machine.start() * weight for machine, weight in zip(chosen, weights, strict=True))
    states = fresh = np.array([start], dtype=np.int64)
    ended = np.empty(0, dtype=np.int64)
    while len(fresh):
        reached = after(fresh).reshape(-1)
        done = over(reached)
        ended = _distinct(np.concatenate([ended, reached[done]]))
        running = _distinct(reached[~done])
        fresh = running[~np.isin(running, states)]
        states = np.concatenate([states, fresh])
        if len(members) > 1 and (len(states) > STATES_MAX or len(ended) > ENDS_MAX):
            return None
    codes = np.concatenate([states, ended])
    order = np.argsort(codes)
    table = order[np.searchsorted(codes[order], after(states))]
    ends = np.stack(
        [ended // weight % place - m.size for m, weight, place in zip(chosen, weights, places, strict=True)], axis=1
    )
    return Joint(tuple(members), chosen[0].dice, table, cells.reshape(-1).astype(np.int64), 0, ends)


def _distinct(codes: Indices) -> Indices:
    """Return distinct codes in ascending order; `np.unique` would import masked arrays, which is slow."""
    ordered = np.sort(codes)
    new = np.concatenate([np.ones(min(1, len(ordered)), np.bool_), ordered[1:] != ordered[:-1]])
    return np.asarray(ordered[new], dtype=np.int64)


def group(machines: Sequence[Machine]) -> tuple[Joint, ...]:
    """Return as few joint machines as stay small, joining the smallest first."""
    order = sorted(range(len(machines)), key=lambda member: (machines[member].size, member))
    found: list[Joint] = []
    current: Joint | None = None
    for member in order:
        grown = join(machines, [*current.members, member]) if current is not None else None
        if current is not None and grown is None:
            found.append(current)
        current = grown or join(machines, [member])
    return (*found, current) if current is not None else ()


@dataclass(frozen=True, eq=False)
class Lanes:
    """A joint machine as `play_machine` reads it: hands follow each other without a pause."""

    table: NDArray[np.uint32]
    columns: NDArray[np.uint16]
    bound: int
    rolls_a_step: int
    stride: int
    events: Indices
    """[event] -> the end of the first roll, of the second (-1: none), and how many there are."""


def build_lanes(joint: Joint) -> Lanes | None:
    """Return two rolls of two dice at once if the table stays small, else one; None if even that is too large."""
    throws, width = len(joint.cells), joint.table.shape[1]
    if joint.dice == 2 and joint.size * width**2 <= FUSED_MAX:
        lanes = _two_at_once(joint, width)
        if len(lanes.events) <= EVENTS_MAX:
            return lanes
    if joint.table.size > ENTRIES_MAX or len(joint.ends) >= EVENTS_MAX:
        return None
    after, ended = _restart_ends(joint, joint.table)
    return _lay_out(after, ended, np.full_like(ended, -1), joint.cells, throws, 1)


def _two_at_once(joint: Joint, width: int) -> Lanes:
    first, first_end = _restart_ends(joint, joint.table)
    second, second_end = _restart_ends(joint, joint.table[first])
    pairs = (joint.cells[:, None] * width + joint.cells[None, :]).reshape(-1)
    size = joint.size
    first_ends = np.repeat(first_end, width, axis=1)
    return _lay_out(second.reshape(size, -1), first_ends, second_end.reshape(size, -1), pairs, len(joint.cells) ** 2, 2)


def _restart_ends(joint: Joint, targets: Indices) -> tuple[Indices, Indices]:
    """Return where a lane continues, at the start after an end, and which end it was, or -1."""
    ended = targets >= joint.size
    return np.where(ended, joint.start, targets), np.where(ended, targets - joint.size, -1)


def _lay_out(after: Indices, first: Indices, second: Indices, columns: Indices, bound: int, rolls_a_step: int) -> Lanes:
    stride = after.shape[1]
    both = (first + 1) * (int(second.max()) + 2) + second + 1
    _, at, event = np.unique(both, return_index=True, return_inverse=True)
    kinds = np.stack([first.reshape(-1)[at], second.reshape(-1)[at]], axis=1)
    events = np.concatenate([kinds, (kinds >= 0).sum(axis=1, keepdims=True)], axis=1)
    table = (event.reshape(-1) << 20) | (after.reshape(-1) * stride)
    return Lanes(table.astype(np.uint32), columns.astype(np.uint16), bound, rolls_a_step, stride, events)


@dataclass(frozen=True, eq=False)
class Several:
    """Joint machines as `play_several` reads them: one table, rows by their first entry, ends as rows of their own."""

    table: NDArray[np.int32]
    columns: NDArray[np.uint16]
    starts: Indices
    firsts: Indices
    widths: Indices


def build_several(joints: Sequence[Joint]) -> Several:
    """Return all joint machines one after the other."""
    laid_out = list(_rows(joints))
    widths = [joint.table.shape[1] for joint in joints]
    starts = [base + joint.start * width for joint, (_, base, _), width in zip(joints, laid_out, widths, strict=True)]
    return Several(
        np.concatenate([rows for rows, _, _ in laid_out]).astype(np.int32),
        np.stack([joint.cells for joint in joints]).astype(np.uint16),
        np.array(starts),
        np.array([first for _, _, first in laid_out]),
        np.array(widths),
    )


def _rows(joints: Sequence[Joint]) -> Iterator[tuple[Indices, int, int]]:
    base = 0
    for joint in joints:
        width = joint.table.shape[1]
        stay = np.repeat(np.arange(joint.size, joint.size + len(joint.ends))[:, None], width, axis=1)
        rows = base + np.concatenate([joint.table, stay]) * width
        yield rows.reshape(-1), base, base + joint.size * width
        base += rows.size
