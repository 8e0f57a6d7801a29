"""Bets made together, hand after hand, on the same dice, prepared for the loops.

A hand of craps begins with a new shooter's come-out on a clear layout and lasts until the last of the bets has ended; a
round of Sic Bo is one throw. The work is cut into blocks of a fixed number of hands, each with its own random stream,
so that the result depends on the seed alone: not on threads, chunks or machines.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from pitbook.dice import rolls as rolls_of
from pitbook.dice import throws
from pitbook.engine.settle import settle
from pitbook.engine.spread import check_new_bet
from pitbook.errors import InputError
from pitbook.simulation.compiled import load_kernel
from pitbook.simulation.fields import LANES, allocate_buffers, rest_min
from pitbook.simulation.joint import Joint, Lanes, Several, build_lanes, build_several, group
from pitbook.simulation.tally import Tally
from pitbook.wager.machine import Machine, machine_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from pitbook.money import Cents
    from pitbook.rulebooks.model import Rulebook

BLOCK = 1 << 16
"""Hands of a block that are played roll by roll."""
DRAW = 1 << 24
"""Rounds of a block that one multinomial draw decides."""
HANDS_MAX = 10**15
SCHEME = 1
"""The version of the scheme, changed whenever the same seed gives other numbers."""
_VALUE_MAX = 2**62

Method = Literal["roll by roll", "multinomial"]


@dataclass(frozen=True)
class Placed:
    """One of the bets, with the net result of each of its ends."""

    wager: str
    stake: int
    paytable: str | None
    rows: tuple[str, ...]
    nets: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Bets:
    """Bets to simulate: everything that another process needs, without the book."""

    book: str
    digest: str
    bets: tuple[Placed, ...]
    machines: tuple[Machine, ...]
    hands: int
    seed: int
    method: Method

    @property
    def block(self) -> int:
        """The hands of a block; the last may have fewer."""
        return DRAW if self.method == "multinomial" else BLOCK

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return -(-self.hands // self.block)

    @property
    def units(self) -> int:
        """The unit of progress: hands."""
        return self.hands

    def units_of(self, first: int, count: int) -> int:
        """Return the hands of some blocks."""
        return min((first + count) * self.block, self.hands) - first * self.block

    @property
    def chunk(self) -> int:
        """The blocks of a chunk, worth a fraction of a second."""
        if self.method == "multinomial":
            return 1
        return 32 if self.lanes is not None else 4

    @property
    def stake(self) -> int:
        """The stake of all bets on a hand."""
        return sum(bet.stake for bet in self.bets)

    @property
    def empty(self) -> Tally:
        """An empty tally."""
        return Tally()

    def restored(self, arrays: Mapping[str, NDArray[np.int64]]) -> Tally:
        """Return the tally of a checkpoint."""
        return Tally.from_arrays(arrays)

    @cached_property
    def identity(self) -> str:
        """A fingerprint of everything that the result depends on."""
        parts = (SCHEME, self.book, self.digest, self.bets, self.hands, self.seed, self.method)
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """The bets' machines, as few as stay small."""
        return group(self.machines)

    @cached_property
    def lanes(self) -> Lanes | None:
        """The only joint machine for the quick loop; None if there are several, or a large one."""
        return build_lanes(self.joints[0]) if len(self.joints) == 1 else None

    @cached_property
    def several(self) -> Several:
        """The joint machines for the general loop."""
        return build_several(self.joints)

    @cached_property
    def joint_nets(self) -> tuple[NDArray[np.int64], ...]:
        """The net result of each end of each joint machine."""
        return tuple(
            np.array(
                [
                    sum(self.bets[member].nets[end] for member, end in zip(joint.members, ends, strict=True))
                    for ends in joint.ends.tolist()
                ],
                dtype=np.int64,
            )
            for joint in self.joints
        )

    def run(self, first: int, count: int) -> Tally:
        """Play a number of blocks, starting with a given one."""
        sizes = np.array([self.units_of(block, 1) for block in range(first, first + count)], dtype=np.int64)
        if self.method == "multinomial":
            return sum((self._draw(first + at, size) for at, size in enumerate(sizes.tolist())), Tally())
        return self._play(first, sizes) if self.lanes is not None else self._play_together(first, sizes)

    def warm_up(self) -> None:
        """Compile what `run` needs, so that threads do not each do it."""
        if self.method != "multinomial":
            self.run(0, 0)

    def _play(self, first: int, sizes: NDArray[np.int64]) -> Tally:
        joint, lanes = self.joints[0], self.lanes
        assert lanes is not None
        ends = np.zeros(len(joint.ends), np.int64)
        bound, events = throws(joint.dice), len(lanes.events)
        numbers = [len(sizes), events, lanes.rolls_a_step, lanes.stride, joint.start, *joint.table.shape]
        numbers += [lanes.bound, rest_min(lanes.bound), bound, rest_min(bound)]
        rolled = load_kernel("play_machine")(
            self.seed,
            first,
            np.array(numbers),
            sizes,
            lanes.table,
            lanes.columns,
            lanes.events,
            joint.table,
            joint.cells,
            ends,
            *allocate_buffers(),
            np.empty(LANES, np.uint32),
            np.empty(LANES * events, np.int64),
        )
        totals: dict[int, int] = {}
        for net, count in zip(self.joint_nets[0].tolist(), ends.tolist(), strict=True):
            if count:
                totals[net] = totals.get(net, 0) + count
        return Tally(int(sizes.sum()), rolled, self._by_bet([ends]), dict(sorted(totals.items())))

    def _play_together(self, first: int, sizes: NDArray[np.int64]) -> Tally:
        several, most = self.several, max(len(joint.ends) for joint in self.joints)
        nets = np.zeros((len(self.joints), most), np.int64)
        for place, values in enumerate(self.joint_nets):
            nets[place, : len(values)] = values
        bound, slots = throws(self.joints[0].dice), 1 << 12
        while True:
            ends = np.zeros((len(self.joints), most), np.int64)
            totals, counts = np.zeros(slots, np.int64), np.zeros(slots, np.int64)
            rolled = load_kernel("play_several")(
                self.seed,
                first,
                np.array([len(sizes), len(self.joints), most, slots, bound, rest_min(bound)]),
                sizes,
                several.table,
                several.columns,
                several.starts,
                several.firsts,
                several.widths,
                nets,
                ends,
                totals,
                counts,
                *allocate_buffers(),
                np.empty(len(self.joints), np.int64),
            )
            if rolled >= 0:
                break
            slots *= 4  # run the blocks again with room for more distinct results
        found = sorted((int(totals[at]), int(counts[at])) for at in np.flatnonzero(counts))
        per_joint = [ends[place, : len(joint.ends)] for place, joint in enumerate(self.joints)]
        return Tally(int(sizes.sum()), rolled, self._by_bet(per_joint), dict(found))

    def _by_bet(self, per_joint: list[NDArray[np.int64]]) -> tuple[tuple[int, ...], ...]:
        """Return how often each bet reached each end, from the joint ends."""
        found: dict[int, tuple[int, ...]] = {}
        for joint, counts in zip(self.joints, per_joint, strict=True):
            for column, member in enumerate(joint.members):
                ends = np.zeros(len(self.bets[member].rows), np.int64)
                np.add.at(ends, joint.ends[:, column], counts)
                found[member] = tuple(ends.tolist())
        return tuple(found[member] for member in range(len(self.bets)))

    def _draw(self, block: int, hands: int) -> Tally:
        """Return one multinomial draw: how often each roll came in so many rounds."""
        dice = self.machines[0].dice
        rolls = rolls_of(dice)
        chances = np.array([roll.ways for roll in rolls]) / throws(dice)
        generator = np.random.Generator(np.random.PCG64DXSM([self.seed, block]))
        came = generator.multinomial(hands, chances).tolist()
        ends = [[0] * len(bet.rows) for bet in self.bets]
        totals: dict[int, int] = {}
        for roll, count in zip(rolls, came, strict=True):
            net = 0
            for bet, machine, reached in zip(self.bets, self.machines, ends, strict=True):
                end = machine.step(machine.start(), roll) - machine.size
                reached[end] += count
                net += bet.nets[end]
            if count:
                totals[net] = totals.get(net, 0) + count
        return Tally(hands, hands, tuple(map(tuple, ends)), dict(sorted(totals.items())))


def place_bets(
    book: Rulebook,
    stakes: Mapping[str, Cents],
    *,
    hands: int,
    seed: int = 1,
    paytables: Mapping[str, str] | None = None,
    method: Method | None = None,
) -> Bets:
    """Return bets to simulate, checked against the text's limits and windows on a come-out.

    Wagers that are all decided by one roll take one multinomial draw for each block, unless the method is roll by roll.
    """
    if not stakes:
        raise InputError("simulation.no-bets")
    if not 1 <= hands <= HANDS_MAX:
        raise InputError("simulation.hands", hands=f"{hands:,}", most=f"{HANDS_MAX:,}")
    if not 0 <= seed < 2**64:
        raise InputError("simulation.seed", seed=seed)
    placed, machines = [], []
    for wager_id, stake in stakes.items():
        wager = book.wager(wager_id)
        table = book.paytable(wager, (paytables or {}).get(wager_id))
        check_new_bet(book, wager, stake)
        machine = machine_of(wager.spec, book.dice)
        nets = tuple(int(settle(book, wager, stake, row, table).net) for row in machine.ends)
        placed.append(Placed(wager_id, int(stake), table, machine.ends, nets))
        machines.append(machine)
    if sum(max(map(abs, bet.nets)) for bet in placed) >= _VALUE_MAX:
        raise InputError("simulation.stakes-too-large")
    at_once = all(machine.decided_at_once for machine in machines)
    if method == "multinomial" and not at_once:
        raise InputError("simulation.method")
    chosen: Method = method or ("multinomial" if at_once else "roll by roll")
    return Bets(book.id, book.digest, tuple(placed), tuple(machines), hands, seed, chosen)
