"""Many wagers of many machines on one roll: every machine of a book in one table, settled by NumPy gathers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pitbook.dice import Roll, roll_index, rolls
from pitbook.errors import InputError, unknown_name
from pitbook.money import Favour
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from pitbook.rulebooks.model import Rulebook

    Money = NDArray[np.int64]
    Places = NDArray[np.int32]


@dataclass(frozen=True)
class Settled:
    """The effect of one roll on an array of wagers."""

    places: Places
    """The current state of each wager; for those that ended, the end."""
    nets: Money
    """Each player's gain; 0 while running and on a push."""
    running: NDArray[np.bool_]


class Bank:
    """All states and ends of a book's machines, numbered consecutively: a *place* is a state or an end of one wager.

    >>> from pitbook.rulebooks.catalogue import load
    >>> bank = Bank(load("massachusetts-sic-bo"))
    >>> places, stakes = bank.seat(["small", "total/6", "big"]), np.array([500, 250, 100])
    >>> bank.settle(places, stakes, Roll.of(1, 2, 3)).nets.tolist()
    [500, 3500, -100]
    """

    def __init__(self, book: Rulebook, paytables: Mapping[str, str] | None = None) -> None:
        """Compile a book's wagers under the pay tables named by wager id, or their first ones."""
        if not book.wagers:
            raise InputError("engine.no-wager", book=book.id)
        self.book = book
        self._starts: dict[str, int] = {}
        self._first: dict[str, int] = {}
        labels: list[tuple[str, str | None]] = []
        numerators, denominators, caps, tables = [], [], [], []
        for wager in book.wagers.values():
            machine = machine_of(wager.spec, book.dice)
            pays = wager.pays[book.paytable(wager, (paytables or {}).get(wager.id))]
            first = len(labels)
            self._first[wager.id] = first
            self._starts[wager.id] = first + machine.start()
            labels += [(wager.id, None)] * machine.size
            labels += [(wager.id, row) for row in machine.ends]
            gains = [pays[row].gain for row in machine.ends]
            numerators += [0] * machine.size + [gain.numerator for gain in gains]
            denominators += [1] * machine.size + [gain.denominator for gain in gains]
            cap = book.cents(wager.limits.payoff_max) if wager.limits and wager.limits.payoff_max else 2**63 - 1
            caps += [cap] * (machine.size + len(machine.ends))
            ends = np.arange(machine.size, machine.size + len(machine.ends), dtype=np.int32)
            by_roll = machine.table[:, machine.columns].T
            stay = np.broadcast_to(ends, (by_roll.shape[0], len(ends)))
            tables.append(np.concatenate([by_roll, stay], axis=1) + np.int32(first))
        self.labels = tuple(labels)
        """The meaning of each place: the wager, and the row it ended in (None while running)."""
        self.table: Places = np.ascontiguousarray(np.concatenate(tables, axis=1))
        """[roll, place] -> the place after it."""
        self._numerators: Money = np.array(numerators, dtype=np.int64)
        self._denominators: Money = np.array(denominators, dtype=np.int64)
        self._caps: Money = np.array(caps, dtype=np.int64)
        self._runs = np.array([row is None for _, row in labels])
        self._largest = int(np.abs(self._numerators).max())

    @cached_property
    def _whole(self) -> bool:
        return bool((self._denominators == 1).all())

    @cached_property
    def _capped(self) -> bool:
        return bool((self._caps < 2**63 - 1).any())

    def seat(self, wager_ids: Sequence[str]) -> Places:
        """Return the places in which new wagers on a clear layout start."""
        for wager_id in wager_ids:
            if wager_id not in self._starts:
                raise unknown_name("wager", wager_id, self._starts, self.book.id)
        return np.array([self._starts[wager_id] for wager_id in wager_ids], dtype=np.int32)

    def place(self, wager_id: str, state: int) -> int:
        """Return the place of a state of a wager's machine."""
        return self._first[wager_id] + state

    def settle(self, places: Places, stakes: Money, roll: Roll) -> Settled:
        """Advance every wager by one roll and settle those that end; leave out wagers that have ended before."""
        self._check(stakes)
        # take with indices of the machine's own width: a gather by 32-bit ones converts them in small pieces each time
        after = self.table[roll_index(self.book.dice)[roll]].take(places.astype(np.intp))
        index = after.astype(np.intp)
        return Settled(after, self._nets(index, stakes), self._runs.take(index))

    def nets(self, places: NDArray[np.intp], stakes: Money) -> Money:
        """[roll, wager]: what each player would gain on each roll."""
        self._check(stakes)
        return self._nets(self.table.take(places, axis=1).astype(np.intp), stakes)

    def _nets(self, index: NDArray[np.intp], stakes: Money) -> Money:
        nets: Money = stakes * self._numerators.take(index)
        if not self._whole:
            below = self._denominators.take(index)
            nets = -(-nets // below) if self.book.favour is Favour.PLAYER else nets // below
        return np.minimum(nets, self._caps.take(index)) if self._capped else nets

    def _check(self, stakes: Money) -> None:
        if stakes.size and int(stakes.max()) * self._largest >= 2**63:
            raise InputError("engine.stake-too-large", stake=int(stakes.max()), odds=self._largest)

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The rolls in the order of the table."""
        return rolls(self.book.dice)
