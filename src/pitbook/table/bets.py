"""The bets on a layout, by number and by player. A new bet copies a few of them, however many lie there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, ValuesView
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitbook.table.state import Bet

SHELF = 64
"""So many bets are kept, and copied, together; and players are spread over so many drawers."""

Own = dict[str, tuple["Bet", ...]]
"""A player's bets by wager."""


class Bets(Mapping[int, "Bet"]):
    """Bets by number, in order. It is never changed: a change gives another that shares what stayed the same."""

    __slots__ = ("_drawers", "_length", "_shelves")

    def __init__(self, bets: Iterable[Bet] = ()) -> None:
        self._shelves: dict[int, dict[int, Bet]] = {}
        self._drawers: list[dict[str, Own]] = [{}] * SHELF
        self._length = 0
        added = self.put(bets)
        self._shelves, self._drawers, self._length = added._shelves, added._drawers, added._length

    def __getitem__(self, number: int) -> Bet:
        return self._shelves[number // SHELF][number]

    def __iter__(self) -> Iterator[int]:
        for shelf in self._shelves.values():
            yield from shelf

    def __len__(self) -> int:
        return self._length

    def values(self) -> ValuesView[Bet]:
        """The bets themselves."""
        return _Values(self)

    def __repr__(self) -> str:
        return f"Bets({list(self.values())})"

    def on(self, player: str, wager: str) -> tuple[Bet, ...]:
        """A player's bets on a wager."""
        own = self._drawers[hash(player) % SHELF].get(player)
        return own.get(wager, ()) if own else ()

    def of(self, player: str) -> list[Bet]:
        """All bets of a player, in order."""
        own = self._drawers[hash(player) % SHELF].get(player, {})
        return sorted((bet for bets in own.values() for bet in bets), key=lambda bet: bet.id)

    def put(self, bets: Iterable[Bet]) -> Bets:
        """With these added, or in the place of those that have their numbers."""
        change = _Change(self)
        for bet in bets:
            change.put(bet)
        return change.bets

    def without(self, numbers: Iterable[int]) -> Bets:
        """Without those of these numbers that there are."""
        change = _Change(self)
        for number in numbers:
            change.take(number)
        return change.bets


class _Values(ValuesView["Bet"]):
    """Shelf by shelf, which is much quicker than number by number."""

    _mapping: Bets

    def __iter__(self) -> Iterator[Bet]:
        for shelf in self._mapping._shelves.values():
            yield from shelf.values()


class _Change:
    """A copy being made: what is touched is copied once, the rest is shared."""

    def __init__(self, old: Bets) -> None:
        self.bets = new = Bets.__new__(Bets)
        new._shelves, new._drawers, new._length = old._shelves.copy(), old._drawers.copy(), old._length
        self._copied: set[int | str] = set()

    def put(self, bet: Bet) -> None:
        shelf = self._shelf(bet.id)
        before = shelf.get(bet.id)
        shelf[bet.id] = bet
        own = self._own(bet.player)
        if before is None:
            self.bets._length += 1
            own[bet.wager] = (*own.get(bet.wager, ()), bet)
        elif before.player == bet.player and before.wager == bet.wager:
            own[bet.wager] = tuple(bet if one.id == bet.id else one for one in own[bet.wager])
        else:
            own[bet.wager] = (*own.get(bet.wager, ()), bet)
            self._forget(before)

    def take(self, number: int) -> None:
        if number not in self.bets._shelves.get(number // SHELF, ()):
            return
        shelf = self._shelf(number)
        self._forget(shelf.pop(number))
        self.bets._length -= 1
        if not shelf:
            del self.bets._shelves[number // SHELF]
            self._copied.discard(number // SHELF)

    def _forget(self, bet: Bet) -> None:
        own = self._own(bet.player)
        own[bet.wager] = tuple(one for one in own[bet.wager] if one.id != bet.id)
        if not own[bet.wager]:
            del own[bet.wager]
        if not own:
            del self.bets._drawers[hash(bet.player) % SHELF][bet.player]
            self._copied.discard(bet.player)

    def _shelf(self, number: int) -> dict[int, Bet]:
        place, shelves = number // SHELF, self.bets._shelves
        if place not in self._copied:
            self._copied.add(place)
            shelves[place] = shelves[place].copy() if place in shelves else {}
        return shelves[place]

    def _own(self, player: str) -> Own:
        place, drawers = hash(player) % SHELF, self.bets._drawers
        if player not in self._copied:
            if -1 - place not in self._copied:
                self._copied.add(-1 - place)
                drawers[place] = drawers[place].copy()
            self._copied.add(player)
            drawers[place][player] = drawers[place].get(player, {}).copy()
        return drawers[place][player]
