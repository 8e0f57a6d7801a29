"""The compiler of wagers: explores the reachable states of a game and stores them as dense tables of integers.

Equal dice columns are merged while compiling, equivalent states by `minimise`. A number in the table below the number
of states is the next state, otherwise an end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from pitbook.dice import Roll, roll_index, roll_sets, rolls, throws
from pitbook.errors import InputError, quoted
from pitbook.rulebooks.wagers import Collect, Count, Own, Pattern, Phases, Repeat, Spec
from pitbook.wager.collect import CollectBet
from pitbook.wager.count import CountBet
from pitbook.wager.games import End, Game, State, standing
from pitbook.wager.pattern import PatternGame
from pitbook.wager.phases import PhasesGame
from pitbook.wager.repeat import RepeatBet

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    Indices = NDArray[np.int32]


@dataclass(frozen=True, eq=False, repr=False)
class Machine:
    """A compiled wager."""

    dice: int
    ends: tuple[str, ...]
    """The possible end rows."""
    states: tuple[State, ...]
    """The game's states, by number."""
    starts: tuple[int, ...]
    """The start state for every hand, or one if there are no hands."""
    table: Indices
    """[state, column] -> next state, or `len(states)` + end."""
    columns: Indices
    """[roll] -> column; rolls with the same effect in all states share one."""
    idle: frozenset[int] = frozenset()
    """The states in which the wager is off; their rolls do not count."""

    def __post_init__(self) -> None:
        for shared in (self.table, self.columns):  # machines are cached and shared
            shared.setflags(write=False)

    def __repr__(self) -> str:
        states = "1 state" if self.size == 1 else f"{self.size} states"
        return f"<Machine of {self.dice} dice: {states}, {len(self.ends)} ends>"

    @property
    def size(self) -> int:
        """The number of running states."""
        return len(self.states)

    @cached_property
    def ways(self) -> tuple[int, ...]:
        """The number of throws of each column."""
        ways = [0] * self.table.shape[1]
        for roll, column in zip(rolls(self.dice), self.columns.tolist(), strict=True):
            ways[column] += roll.ways
        return tuple(ways)

    @cached_property
    def decided_at_once(self) -> bool:
        """Whether every throw ends the wager."""
        return self.size == 1 and min(self.rows[0]) >= 1

    @cached_property
    def ways_to_end(self) -> tuple[int, ...]:
        """The number of throws that lead to each end of a wager decided at once."""
        ways = [0] * len(self.ends)
        for target, way in zip(self.rows[0], self.ways, strict=True):
            ways[target - 1] += way
        return tuple(ways)

    @property
    def throws(self) -> int:
        """The number of throws, which is the sum of all ways."""
        return throws(self.dice)

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The table as Python integers, for exact arithmetic and single look-ups."""
        return tuple(map(tuple, self.table.tolist()))

    @cached_property
    def _roll_columns(self) -> dict[Roll, int]:
        return {roll: int(self.columns[index]) for roll, index in roll_index(self.dice).items()}

    def start(self, hand: int = 0) -> int:
        """Return the start state of a wager made on a hand, by its index in HANDS."""
        return self.starts[hand if len(self.starts) > 1 else 0]

    def step(self, state: int, roll: Roll) -> int:
        """Return the next state, or `size` + end."""
        return self.rows[state][self._roll_columns[roll]]

    def end(self, target: int) -> str | None:
        """Return the row of an end in the table, or None for a state."""
        return self.ends[target - self.size] if target >= self.size else None

    @cached_property
    def place(self) -> dict[State, int]:
        """The numbers of the states."""
        return {state: index for index, state in enumerate(self.states)}


def compile_game(game: Game, dice: int, most: int | None = None) -> Machine:
    """Explore every state that can be reached, breadth first from the starts; no more than `most` of them."""
    seen_by_roll = [game.sees(roll) for roll in rolls(dice)]
    symbols = list(dict.fromkeys(seen_by_roll))
    ends = {row: -1 - index for index, row in enumerate(game.rows)}
    place: dict[State, int] = {}
    for start in game.starts:
        place.setdefault(start, len(place))
    states = list(place)
    step = game.step
    off = getattr(game, "idle", _never)
    entries: list[list[int]] = []
    for state in states:  # grows during the loop
        row = []
        for symbol in symbols:
            after = step(state, symbol)
            if isinstance(after, End):
                if after.row not in ends:
                    raise InputError("games.other-row", row=quoted(after.row))
                row.append(ends[after.row])
            else:
                found = place.get(after)
                if found is None:
                    found = place[after] = len(states)
                    states.append(after)
                row.append(found)
        entries.append(row)
        if most is not None and len(states) > most:
            raise InputError("games.states", most=f"{most:,}")
    table = np.array(entries, dtype=np.int32)
    table[table < 0] = len(states) - 1 - table[table < 0]
    table, column_of_symbol = _merge_columns(table)
    symbol_place = {symbol: column_of_symbol[index] for index, symbol in enumerate(symbols)}
    columns = np.array([symbol_place[symbol] for symbol in seen_by_roll], dtype=np.int32)
    machine = Machine(
        dice=dice,
        ends=tuple(game.rows),
        states=tuple(states),
        starts=tuple(place[start] for start in game.starts),
        table=table,
        columns=columns,
        idle=frozenset(index for index, state in enumerate(states) if off(state)),
    )
    if machine.decided_at_once:
        _ = machine.ways_to_end  # computed here once, because it is all that such a machine needs
    return machine


STATES_MAX = 100_000


def check_game(game: Game, dice: int) -> None:
    """Raise an error unless a game that someone wrote can be compiled, and every state of it can end."""
    if not game.rows or len(set(game.rows)) < len(game.rows):
        raise InputError("games.rows", rows=quoted(game.rows))
    try:
        hash(game)
        machine = compile_game(game, dice, most=STATES_MAX)
    except TypeError as error:
        if "unhashable" not in str(error):
            raise  # an error of the game itself: its traceback says more
        raise InputError("games.hashable", reason=error) from None
    can_end = machine.table >= machine.size
    ends = set(np.flatnonzero(can_end.any(axis=1)).tolist())
    before = -1
    while before < len(ends):
        before = len(ends)
        ends |= {state for state in range(machine.size) if not ends.isdisjoint(machine.rows[state])}
    stuck = [machine.states[state] for state in range(machine.size) if state not in ends]
    if stuck:
        raise InputError("games.stuck", state=quoted(stuck[0]))


def compile_patterns(specs: Sequence[Pattern], dice: int) -> list[Machine]:
    """Compile wagers that one throw decides, all in one pass over the rolls.

    The same machines as `compile_game` makes of them: the rolls of each row as bits, laid out as one array.
    """
    machines: dict[int, Machine] = {}
    by_rows: dict[int, list[int]] = {}
    for place, spec in enumerate(specs):
        by_rows.setdefault(len(spec.rows), []).append(place)
    every, width = roll_sets(dice).every, len(rolls(dice))
    ways_of = np.array([roll.ways for roll in rolls(dice)], dtype=np.int32)
    for rows, places in by_rows.items():
        packed = bytearray()
        for place in places:
            left = every
            for _, condition in specs[place].rows:
                reached = condition.matching_rolls(dice) & left
                left ^= reached
                packed += reached.to_bytes(8, "little")
            packed += left.to_bytes(8, "little")
        reached_by = np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little")
        reaches = reached_by.reshape(len(places), rows + 1, 64)[:, :, :width]
        end_of_roll = reaches.argmax(axis=1)
        ways = reaches @ ways_of
        # Columns in the order in which the rolls come to them; ends that no roll comes to have none.
        first = np.where(ways > 0, reaches.argmax(axis=2), width)
        order = first.argsort(axis=1, kind="stable").astype(np.int32)
        rank = order.argsort(axis=1).astype(np.int32)
        columns = np.take_along_axis(rank, end_of_roll, axis=1)
        tables = order + np.int32(1)
        used = (ways > 0).sum(axis=1).tolist()
        for at, (place, ends) in enumerate(zip(places, ways.tolist(), strict=True)):
            machine = Machine(
                dice, PatternGame(specs[place]).rows, (None,), (0,), tables[at : at + 1, : used[at]], columns[at]
            )
            vars(machine).update(decided_at_once=True, ways_to_end=tuple(ends))  # counted already
            machines[place] = machine
    return [machines[place] for place in range(len(specs))]


def _never(_state: State) -> bool:
    """Return False: wagers of most families are never off."""
    return False


def _merge_columns(table: Indices) -> tuple[Indices, list[int]]:
    """Return the distinct columns in order of appearance, and the index of each column among them."""
    distinct: dict[bytes, int] = {}
    which = [distinct.setdefault(column.tobytes(), len(distinct)) for column in np.ascontiguousarray(table.T)]
    first = [which.index(column) for column in range(len(distinct))]
    return np.ascontiguousarray(table[:, first]), which


def minimise(machine: Machine, shown: Sequence[Hashable] = ()) -> tuple[Machine, Indices]:
    """Merge states that no sequence of rolls distinguishes; also return which class each old state is in.

    States that show something different on the layout (`shown`, by state) stay apart. Moore's refinement, by 64-bit
    fingerprints of the rows; a final exact comparison proves that no two different states share a fingerprint.
    """
    size, ends = machine.size, len(machine.ends)
    if size == 1:
        return machine, np.zeros(1, np.int32)
    weights = np.random.default_rng(0x51C_B0).integers(1, 2**63, (2, machine.table.shape[1]), dtype=np.uint64)
    looks = [(state in machine.idle, shown[state] if shown else None) for state in range(size)]
    kinds = {look: kind for kind, look in enumerate(dict.fromkeys(looks))}
    count = len(kinds)
    classes = np.concatenate([[kinds[look] for look in looks], np.arange(count, count + ends)])
    while True:
        after = classes[machine.table].astype(np.uint64)
        # The odd multiplier spreads small class numbers over all bits before they are weighted and added.
        mixed = (after + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
        prints = (mixed * weights[0]).sum(axis=1, dtype=np.uint64)
        prints ^= classes[:size].astype(np.uint64) * weights[1, 0]
        _, found = np.unique(prints, return_inverse=True)
        now = int(found.max()) + 1
        classes = np.concatenate([found, np.arange(now, now + ends)])
        if now == count:
            break
        count = now
    # Number the classes by their first state, so that a machine without equivalent states is unchanged.
    _, first, inverse = np.unique(classes[:size], return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty(count, np.int64)
    rank[order] = np.arange(count)
    merged = rank[inverse].astype(np.int32)
    target = np.concatenate([merged, np.arange(count, count + ends, dtype=np.int32)])
    rewritten = target[machine.table]
    representatives = first[order]
    if not np.array_equal(rewritten, rewritten[representatives][merged]):
        raise AssertionError("two different states share a fingerprint")
    table, which = _merge_columns(rewritten[representatives].astype(np.int32))
    smaller = Machine(
        dice=machine.dice,
        ends=machine.ends,
        states=tuple(machine.states[index] for index in representatives.tolist()),
        starts=tuple(int(merged[start]) for start in machine.starts),
        table=table,
        columns=np.array(which, dtype=np.int32)[machine.columns],
        idle=frozenset(merged[state].item() for state in machine.idle),
    )
    return smaller, merged


def game_of(spec: Spec) -> Game:
    """Return the game of a wager's specification."""
    match spec:
        case Pattern():
            return PatternGame(spec)
        case Collect():
            return standing(CollectBet(spec))
        case Repeat():
            return standing(RepeatBet(spec))
        case Count():
            return standing(CountBet(spec))
        case Phases():
            return PhasesGame(spec)
        case Own(game):
            return cast("Game", game)


COMPILED_MAX = 4096
_COMPILED: dict[tuple[Spec, int], Machine] = {}


def machine_of(spec: Spec, dice: int) -> Machine:
    """Return the compiled machine of a book's wager, equal states merged; made once."""
    found = _COMPILED.get((spec, dice))
    return found if found is not None else machines_of([spec], dice)[0]


def machines_of(specs: Sequence[Spec], dice: int) -> list[Machine]:
    """Return the compiled machines of several wagers; those that one throw decides are made in one pass."""
    patterns = [spec for spec in specs if isinstance(spec, Pattern)]
    at_once = iter(compile_patterns(patterns, dice))
    found = []
    for spec in specs:
        if isinstance(spec, Pattern):
            found.append(_COMPILED.setdefault((spec, dice), next(at_once)))
            continue
        known = _COMPILED.get((spec, dice))
        if known is None:
            game = game_of(spec)
            machine = compile_game(game, dice)
            smaller, _ = minimise(machine, [repr(game.lammers(state)) for state in machine.states])
            known = _COMPILED.setdefault((spec, dice), smaller)
        found.append(known)
    while len(_COMPILED) > COMPILED_MAX:  # many own books of a long-lived server: the oldest go first
        _COMPILED.pop(next(iter(_COMPILED)), None)
    return found


def lammers_of(spec: Spec, machine: Machine, state: int) -> Mapping[str, Any]:
    """Return the lammers on the layout in a state of a wager."""
    return game_of(spec).lammers(machine.states[state])
