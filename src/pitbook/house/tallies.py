"""What a table took of wagers, and what it should have taken: by gaming day, and by family of wagers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.fairness.bands import Drift

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

DAYS_MAX = 92
"""So many gaming days are kept; what is older counts in the whole only."""


class Tally:
    """Wagers that were settled, beside what they bring on average."""

    __slots__ = ("drift", "theory", "wagered", "won")

    def __init__(self) -> None:
        self.wagered = 0
        self.won = 0
        """What the house won, the dealers' envy taken off."""
        self.theory = 0.0
        """What it wins of such stakes on average."""
        self.drift = Drift()
        """What the throws did to all stakes, those that still run among them."""

    def count(self, wagered: int, won: int, theory: float) -> None:
        """More wagers have ended (or, with minus signs, have not)."""
        self.wagered += wagered
        self.won += won
        self.theory += theory


class DayBook:
    """A gaming day, or the whole record."""

    def __init__(self, day: str) -> None:
        self.day = day
        self.drop = 0
        self.throws = 0
        """Throws on which there were wagers."""
        self.whole = Tally()
        self.families: dict[str, Tally] = {}

    def tallies(self, family: str) -> tuple[Tally, Tally]:
        """Those that a wager of a family counts in."""
        return self.whole, self.families.setdefault(family, Tally())


class Thrown:
    """What a throw did to the stakes, by family and all together: its law, and how it came out."""

    def __init__(self, chances: Numbers) -> None:
        self.chances = chances
        self.laws: dict[str, Numbers] = {}
        """By family what each roll brings beyond the mean."""
        self.results: dict[str, float] = {}
        self._before: list[tuple[Tally, Drift]] = []

    def stake(self, family: str, law: Numbers, result: float) -> None:
        """One more stake, and what came of it beyond its mean."""
        self.laws[family] = self.laws[family] + law if family in self.laws else law
        self.results[family] = self.results.get(family, 0.0) + result

    def count(self, *books: DayBook) -> None:
        """Count it in these books."""
        if not self.laws:
            return
        whole = sum(self.laws.values())
        for book in books:
            book.throws += 1
            self._move(book.whole, whole, sum(self.results.values()))  # type: ignore[arg-type]
            for family, law in self.laws.items():
                self._move(book.tallies(family)[1], law, self.results[family])

    def _move(self, tally: Tally, law: Numbers, result: float) -> None:
        self._before.append((tally, tally.drift))
        tally.drift = tally.drift.seen(law, self.chances, result)

    def take_back(self) -> None:
        """The throw does not count after all."""
        for tally, drift in reversed(self._before):
            tally.drift = drift
        self._before.clear()
