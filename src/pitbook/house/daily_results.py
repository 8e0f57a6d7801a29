"""Actual and theoretical results of a table by gaming day and by family of wagers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pitbook.fairness.bands import Drift

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

DAYS_MAX = 92
"""How many gaming days are kept; older ones count in the whole only."""
MARKS = 64
"""How many points of a curve are kept; then every second one is dropped, and the stride doubles."""


class Tally:
    """Settled wagers beside their expected result."""

    __slots__ = ("drift", "theory", "wagered", "won")

    def __init__(self) -> None:
        self.wagered = 0
        self.won = 0
        """The house's win, less the dealers' envy."""
        self.theory = 0.0
        """The mean win on such stakes."""
        self.drift = Drift()
        """The effect of the throws on all stakes, including those still running."""

    def count(self, wagered: int, won: int, theory: float) -> None:
        """Count wagers that have ended, or negative ones that have not after all."""
        self.wagered += wagered
        self.won += won
        self.theory += theory


class Mark(NamedTuple):
    """The results of all wagers together after a throw."""

    throws: int
    wagered: int
    won: int
    theory: float
    drift: Drift


class DayBook:
    """A gaming day, or the whole record."""

    def __init__(self, day: str) -> None:
        self.day = day
        self.drop = 0
        self.throws = 0
        """Throws on which there were wagers."""
        self.whole = Tally()
        self.families: dict[str, Tally] = {}
        self._marks: list[Mark] = []
        self._stride = 1

    def curve(self) -> list[Mark]:
        """Return the points of a chart in order, the current one last."""
        now = self._now()
        earlier = self._marks[:-1] if self._marks and self._marks[-1].throws == now.throws else self._marks
        return [*earlier, now] if now.throws else []

    def thrown(self) -> None:
        """Count one more throw."""
        self.throws += 1
        if self.throws % self._stride:
            return
        self._marks.append(self._now())
        if len(self._marks) > MARKS:
            self._marks, self._stride = self._marks[1::2], 2 * self._stride

    def take_back(self) -> None:
        """Remove the last throw."""
        self.throws -= 1
        while self._marks and self._marks[-1].throws > self.throws:
            self._marks.pop()

    def _now(self) -> Mark:
        whole = self.whole
        return Mark(self.throws, whole.wagered, whole.won, whole.theory, whole.drift)

    def tallies(self, family: str) -> tuple[Tally, Tally]:
        """Return the tallies in which a wager of a family counts."""
        return self.whole, self.families.setdefault(family, Tally())


class Thrown:
    """The effect of a throw on the stakes, by family and in total: its distribution, and the outcome."""

    def __init__(self, chances: Numbers) -> None:
        self.chances = chances
        self.laws: dict[str, Numbers] = {}
        """By family: the result of each roll beyond the mean."""
        self.results: dict[str, float] = {}
        self._before: list[tuple[Tally, Drift]] = []
        self._books: tuple[DayBook, ...] = ()

    def stake(self, family: str, law: Numbers, result: float) -> None:
        """Add a stake, and its result beyond the mean."""
        self.laws[family] = self.laws[family] + law if family in self.laws else law
        self.results[family] = self.results.get(family, 0.0) + result

    def count(self, *books: DayBook) -> None:
        """Count the throw in these books."""
        if not self.laws:
            return
        whole = sum(self.laws.values())
        self._books = books
        for book in books:
            self._move(book.whole, whole, sum(self.results.values()))  # type: ignore[arg-type]
            for family, law in self.laws.items():
                self._move(book.tallies(family)[1], law, self.results[family])
            book.thrown()

    def _move(self, tally: Tally, law: Numbers, result: float) -> None:
        self._before.append((tally, tally.drift))
        tally.drift = tally.drift.add_result(law, self.chances, result)

    def take_back(self) -> None:
        """Remove the throw from the books."""
        for tally, drift in reversed(self._before):
            tally.drift = drift
        self._before.clear()
        for book in self._books:
            book.take_back()
        self._books = ()
