"""The exact result of a craps strategy after a number of rolls, from a bankroll.

A case is a layout and the cash beside it. All amounts are multiples of one unit, so the cash lies on a grid, and all
cases of a layout are the cells of one large integer: a roll shifts, multiplies and adds whole integers. Three passes:

1. Reach: one bit for each case. It finds the layouts and the cash that the rolls can lead to.
2. Merge: layouts with the same future (a point of 4 and one of 10, for example) become one, by partition refinement.
3. Count: how many sequences of rolls lead to each case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING, NamedTuple

from pitbook.dice import throws
from pitbook.engine.bankroll import Session
from pitbook.engine.session import Game
from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pitbook.engine.strategy import Strategy
    from pitbook.rulebooks.model import Rulebook

LAYOUTS_MAX = 20_000
WORK_MAX = 2 * 10**10
"""The most bytes of counts, summed over all rolls: less than a minute, and less than a gigabyte."""
SEGMENT = 16
"""The cells are widened after so many rolls: narrow cells are faster while the counts are small."""


class _Way(NamedTuple):
    """A layout that a roll leads to, the cells of cash gained on the way, and the throws that lead there."""

    target: int
    gained: int
    ways: int


class _Band(NamedTuple):
    """Cells of a layout on which a strategy makes the same bets."""

    low: int
    high: int | None
    """The first cell above the band; None if it has no end."""
    ways: tuple[_Way, ...] | None
    """None if no bet is on the layout and the cash covers none: the session is over."""


class _FinerUnitError(Exception):
    """An amount is not a multiple of the unit."""

    def __init__(self, unit: int) -> None:
        super().__init__(unit)
        self.unit = unit


@dataclass(slots=True)
class _Graph:
    """The layouts that a game comes to, and what a roll does on each, on a grid of cash."""

    game: Game
    unit: int
    least: int
    """The cash of cell 0."""
    bands: dict[int, list[_Band]] = field(default_factory=dict)
    """By layout; only bands that are reached, and only of layouts that are rolled on."""
    cells: dict[int, int] = field(default_factory=dict)
    """By layout: the first cell above all that are reached."""

    def bands_of(self, number: int, reached: int) -> Iterator[tuple[_Band, int]]:
        """Yield the bands of a layout that have reached cells, and these cells as bits from the band's lowest up."""
        known = self.bands.setdefault(number, [])
        while reached:
            top = reached.bit_length() - 1
            band = next((one for one in known if one.low <= top and (one.high is None or top < one.high)), None)
            if band is None:
                band = self._band(number, top)
                known.append(band)
            here = reached >> band.low
            yield band, here
            reached ^= here << band.low

    def _band(self, number: int, cell: int) -> _Band:
        cash = self._cash(cell)
        placed = self.game.place(number, cash)
        low = max(0, self._cell(placed.staked))
        high = None if placed.more_from is None else self._cell(placed.more_from)
        if self.game.is_broke(number, cash):
            return _Band(low, high, None)
        found = []
        for target, left, ways in self.game.ways(number, cash):
            gained, rest = divmod(left - cash, self.unit)
            if rest:
                raise _FinerUnitError(gcd(self.unit, rest))
            found.append(_Way(target, gained, ways))
        if len(self.game.layouts) > LAYOUTS_MAX:
            raise InputError("engine.layouts", most=f"{LAYOUTS_MAX:,}")
        return _Band(low, high, tuple(found))

    def _cash(self, cell: int) -> int:
        return self.least + cell * self.unit

    def _cell(self, cash: int) -> int:
        """Return the first cell with at least so much cash."""
        return -((self.least - cash) // self.unit)

    def owned(self, number: int, cell: int) -> int:
        """Return the cash of a case and the stakes on the layout."""
        return self._cash(cell) + self.game.stakes(number)


def session(book: Rulebook, strategy: Strategy, bankroll: int, count: int) -> Session:
    """Return the distribution of the result after so many rolls; bets that the money does not cover are left out."""
    if bankroll < 1 or count < 1:
        raise InputError("engine.session")
    game = Game(book, strategy)
    graph = _build_graph(game, bankroll, game.place(0, bankroll).staked or bankroll, count)
    merged = _merge(graph)
    _check_work(sum(graph.cells[number] for number in set(merged.values())), count, throws(book.dice))
    return _count(graph, merged, bankroll, count)


def _check_work(cases: int, count: int, all_throws: int) -> None:
    if cases * _bytes(all_throws, count) * count > WORK_MAX:
        raise InputError("engine.rolls-slow", rolls=f"{count:,}", most=f"{cases - 1:,}")


def _build_graph(game: Game, bankroll: int, unit: int, count: int) -> _Graph:
    """Return the layouts that the rolls can lead to; cell 0 is the least cash that they can leave."""
    graph = _Graph(game, unit, bankroll % unit)
    reached = {0: 1 << bankroll // unit}
    ever: dict[int, int] = {}
    try:
        for rolled in range(count + 1):
            _check_work(max(map(int.bit_count, ever.values()), default=0), count, throws(game.dice))
            after: dict[int, int] = {}
            for number, cells in reached.items():
                ever[number] = ever.get(number, 0) | cells
                if rolled == count and game.layouts[number].bets:
                    continue  # no other roll, and nobody is ruined with a bet on the layout
                for band, here in graph.bands_of(number, cells):
                    for way in band.ways or ():
                        after[way.target] = after.get(way.target, 0) | here << band.low + way.gained
            reached = after
    except _FinerUnitError as finer:
        return _build_graph(game, bankroll, finer.unit, count)
    least = min((cells & -cells).bit_length() - 1 for cells in ever.values())
    bands = {
        number: sorted((band._replace(low=max(0, band.low - least), high=None) for band in several), reverse=True)
        for number, several in graph.bands.items()
    }
    tops = {number: several.bit_length() - least for number, several in ever.items()}
    return _Graph(game, unit, bankroll % unit + least * unit, bands, tops)


def _merge(graph: _Graph) -> dict[int, int]:
    """Return for each layout the first one with the same future."""
    merged, kinds = dict.fromkeys(graph.cells, 0), 0
    while True:
        known: dict[object, int] = {}
        finer = {}
        for number, kind in merged.items():
            future = tuple((band.low, _ways_merged(band, merged)) for band in graph.bands.get(number, ()))
            finer[number] = known.setdefault((kind, graph.game.stakes(number), future), number)
        if len(known) == kinds:
            return merged
        merged, kinds = finer, len(known)


def _ways_merged(band: _Band, merged: Mapping[int, int]) -> frozenset[_Way] | None:
    """Return the ways of a band to merged layouts; those that no roll takes any more lead to none."""
    if band.ways is None:
        return None
    cases: dict[tuple[int, int], int] = {}
    for way in band.ways:
        case = merged.get(way.target, -1), way.gained
        cases[case] = cases.get(case, 0) + way.ways
    return frozenset(_Way(*case, ways) for case, ways in cases.items())


def _count(graph: _Graph, merged: Mapping[int, int], bankroll: int, count: int) -> Session:
    """Count the sequences of rolls that lead to each case."""
    all_throws = throws(graph.game.dice)
    bands = {
        number: [(band.low, _ways_merged(band, merged)) for band in graph.bands.get(number, ())]
        for number in set(merged.values())
    }
    width = 8 * _bytes(all_throws, min(SEGMENT, count))
    alive = {merged[0]: 1 << (bankroll - graph.least) // graph.unit * width}
    ruined: dict[int, int] = {}
    ruined_by = []
    for rolled in range(count + 1):
        after: dict[int, int] = {}
        for number, packed in alive.items():
            left = packed
            for low, ways in bands[number]:
                part = left >> low * width
                left ^= part << low * width
                if ways is None:
                    alive[number] ^= part << low * width
                    for cell, times in _cells(part, width):
                        ruined[low + cell] = ruined.get(low + cell, 0) + times
                elif rolled < count:
                    for target, gained, times in ways:
                        moved = (low + gained) * width
                        reached = part * times << moved if moved >= 0 else part * times >> -moved
                        after[target] = after.get(target, 0) + reached
        if rolled:
            ruined_by.append(Fraction(sum(ruined.values()), all_throws**rolled))
        if rolled < count:
            ruined = {cell: times * all_throws for cell, times in ruined.items()}
            alive = after
        if rolled % SEGMENT == SEGMENT - 1 and rolled < count - 1:
            wider = 8 * _bytes(all_throws, min(rolled + 1 + SEGMENT, count))
            alive = {number: _repack(packed, width, wider) for number, packed in alive.items()}
            width = wider
    nets: dict[int, int] = {}
    cases = [(graph.owned(number, cell), times) for number in alive for cell, times in _cells(alive[number], width)]
    for owned, times in [*cases, *((graph.owned(0, cell), times) for cell, times in ruined.items())]:
        nets[owned - bankroll] = nets.get(owned - bankroll, 0) + times
    chances = {net: Fraction(nets[net], all_throws**count) for net in sorted(nets)}
    return Session(count, bankroll, chances, ruined_by)


def _bytes(all_throws: int, count: int) -> int:
    """Return the width of a cell that holds the number of all sequences of so many rolls."""
    return int((all_throws**count).bit_length() + 7) // 8


def _cells(packed: int, width: int) -> Iterator[tuple[int, int]]:
    """Yield the cells that are not empty, with their counts."""
    size = width // 8
    data = packed.to_bytes(-(-packed.bit_length() // width) * size, "little")
    for place in range(0, len(data), size):
        if times := int.from_bytes(data[place : place + size], "little"):
            yield place // size, times


def _repack(packed: int, width: int, wider: int) -> int:
    """Return the same cells with more room in each."""
    size = width // 8
    room = bytes((wider - width) // 8)
    data = packed.to_bytes(-(-packed.bit_length() // width) * size, "little")
    return int.from_bytes(b"".join(data[place : place + size] + room for place in range(0, len(data), size)), "little")
