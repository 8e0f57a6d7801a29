"""The bets on a layout, by number and by player. A new bet copies a few of them, however many lie there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, ValuesView
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitbook.table.state import Bet

SHELF = 64
"""The number of bets that are stored and copied together, and the number of drawers over which players are spread."""

Own = dict[str, tuple["Bet", ...]]
"""A player's bets by wager."""


class Bets(Mapping[int, "Bet"]):
    """Bets by number, in order. Immutable: a change returns a new one that shares the unchanged parts."""

    __slots__ = ("_drawers", "_found", "_length", "_running", "_shelves")

    def __init__(self, bets: Iterable[Bet] = ()) -> None:
        self._shelves: dict[int, dict[int, Bet]] = {}
        self._drawers: list[dict[str, Own]] = [{}] * SHELF
        self._length = self._running = self._found = 0
        _Change(self, self).put(bets)

    def __getitem__(self, number: int) -> Bet:
        return self._shelves[number // SHELF][number]

    def __iter__(self) -> Iterator[int]:
        for shelf in self._shelves.values():
            yield from shelf

    def __len__(self) -> int:
        return self._length

    def values(self) -> ValuesView[Bet]:
        """Return the bets themselves."""
        return _Values(self)

    def __repr__(self) -> str:
        return f"Bets({list(self.values())})"

    @property
    def fresh(self) -> bool:
        """Whether there is a bet on which no roll has been made."""
        return self._running < self._length

    @property
    def found(self) -> int:
        """How many of them staff found on the layout: the part of such a bet that counts depends on others."""
        return self._found

    def since(self, old: Bets) -> tuple[list[Bet], list[Bet]]:
        """Return the bets that were removed or replaced, and the new ones; unchanged shelves are skipped."""
        gone: list[Bet] = []
        come: list[Bet] = []
        for place in {**old._shelves, **self._shelves}:
            before, after = old._shelves.get(place, {}), self._shelves.get(place, {})
            if before is not after:
                gone += (bet for number, bet in before.items() if after.get(number) is not bet)
                come += (bet for number, bet in after.items() if before.get(number) is not bet)
        return gone, come

    def on(self, player: str, wager: str) -> tuple[Bet, ...]:
        """Return a player's bets on a wager."""
        own = self._drawers[hash(player) % SHELF].get(player)
        return own.get(wager, ()) if own else ()

    def of(self, player: str) -> list[Bet]:
        """Return all bets of a player, in order."""
        own = self._drawers[hash(player) % SHELF].get(player, {})
        return sorted((bet for bets in own.values() for bet in bets), key=lambda bet: bet.id)

    def put(self, bets: Iterable[Bet]) -> Bets:
        """Return a copy with these added, or in place of those with the same numbers."""
        new = Bets.__new__(Bets)
        _Change(self, new).put(bets)
        return new

    def without(self, numbers: Iterable[int]) -> Bets:
        """Return a copy without the bets of these numbers."""
        new = Bets.__new__(Bets)
        _Change(self, new).take(numbers)
        return new


class _Values(ValuesView["Bet"]):
    """Shelf by shelf, which is much quicker than number by number."""

    _mapping: Bets

    def __iter__(self) -> Iterator[Bet]:
        for shelf in self._mapping._shelves.values():
            yield from shelf.values()


class _Change:
    """A copy being made: what is touched is copied once, the rest is shared."""

    __slots__ = ("_copied", "_drawers", "_new", "_shelves")

    def __init__(self, old: Bets, new: Bets) -> None:
        self._new = new
        self._shelves = new._shelves = old._shelves.copy()
        self._drawers = new._drawers = old._drawers.copy()
        new._length, new._running, new._found = old._length, old._running, old._found
        self._copied: set[int | str] = set()
        """The shelves (by number) and players that the copy owns; drawers by negative numbers."""

    def put(self, bets: Iterable[Bet]) -> None:
        new = self._new
        for bet in bets:
            shelf, own = self._shelf(bet.id), self._own(bet.player)
            before = shelf.get(bet.id)
            shelf[bet.id] = bet
            new._running += bet.running
            new._found += bet.found
            if before is None:
                new._length += 1
                there = own.get(bet.wager)
                own[bet.wager] = (*there, bet) if there else (bet,)
                continue
            new._running -= before.running
            new._found -= before.found
            there = own.get(bet.wager, ())
            if before.player == bet.player and before.wager == bet.wager:
                own[bet.wager] = tuple(bet if one.id == bet.id else one for one in there)
            else:
                own[bet.wager] = (*there, bet)
                self._forget(before)

    def take(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            place = number // SHELF
            if number not in self._shelves.get(place, ()):
                continue
            shelf = self._shelf(number)
            bet = shelf.pop(number)
            self._forget(bet)
            self._new._length -= 1
            self._new._running -= bet.running
            self._new._found -= bet.found
            if not shelf:
                del self._shelves[place]
                self._copied.discard(place)

    def _forget(self, bet: Bet) -> None:
        own = self._own(bet.player)
        own[bet.wager] = tuple(one for one in own[bet.wager] if one.id != bet.id)
        if not own[bet.wager]:
            del own[bet.wager]
        if not own:
            del self._drawers[hash(bet.player) % SHELF][bet.player]
            self._copied.discard(bet.player)

    def _shelf(self, number: int) -> dict[int, Bet]:
        place = number // SHELF
        if place not in self._copied:
            self._copied.add(place)
            self._shelves[place] = self._shelves[place].copy() if place in self._shelves else {}
        return self._shelves[place]

    def _own(self, player: str) -> Own:
        place = hash(player) % SHELF
        if player not in self._copied:
            if -1 - place not in self._copied:
                self._copied.add(-1 - place)
                self._drawers[place] = self._drawers[place].copy()
            self._copied.add(player)
            self._drawers[place][player] = self._drawers[place].get(player, {}).copy()
        return self._drawers[place][player]
