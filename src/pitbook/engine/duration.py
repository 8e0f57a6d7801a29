"""How long a wager lasts: the exact chance that it ends on the first, second, third … roll."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pitbook.engine.progress import check_state
from pitbook.engine.solve import edges_of
from pitbook.errors import InputError
from pitbook.results import Result, Row, columns
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager

ROLLS_MAX = 10_000


@dataclass(frozen=True, slots=True, repr=False)
class Duration(Result):
    """The number of rolls until a wager ends, up to some number."""

    ends_on: tuple[Fraction, ...]
    """The chance to end on roll 1, 2, 3 …"""
    longer: Fraction
    """The chance to last longer than that."""

    def __repr__(self) -> str:
        return f"<Duration: {float(1 - self.longer):.2%} end within {len(self.ends_on)} rolls>"

    def rows(self) -> list[Row]:
        """Return one row for each roll."""
        return [{"roll": roll, "ends": chance} for roll, chance in enumerate(self.ends_on, 1)]

    def picture(self) -> str:
        """Return the chance to end on each roll as columns."""
        return columns({row["roll"]: float(row["ends"]) for row in self.rows()}, "chance to end on each roll")


def duration(book: Rulebook, wager: Wager, rolls: int, *, state: int | None = None) -> Duration:
    """Return the distribution of a wager's length, exact up to so many rolls.

    >>> from pitbook.rulebooks.catalogue import load
    >>> book = load("dice-works")
    >>> duration(book, book.wager("parlay/2x2"), 2).ends_on
    (Fraction(1, 6), Fraction(181, 1296))
    """
    if not 1 <= rolls <= ROLLS_MAX:
        raise InputError("engine.rolls", rolls=rolls, most=ROLLS_MAX)
    machine = machine_of(wager.spec, book.dice)
    edges = edges_of(machine)
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(edges.size)]
    ending = [0] * edges.size
    for source, target, ways in edges.inner:
        leaving[source].append((target, ways))
    for source, _, ways in edges.ending:
        ending[source] += ways
    # Counts of roll sequences, so that all arithmetic stays in integers: 36 or 216 times as many after each roll.
    place = machine.start() if state is None else state
    check_state(book, wager, place)
    running = {edges.lumps[place] if edges.lumps else place: 1}
    sequences = 1
    ends_on = []
    for _ in range(rolls):
        sequences *= edges.throws
        ends_on.append(Fraction(sum(count * ending[place] for place, count in running.items()), sequences))
        after: dict[int, int] = {}
        for place, count in running.items():
            if edges.staying[place]:
                after[place] = after.get(place, 0) + count * edges.staying[place]
            for target, ways in leaving[place]:
                after[target] = after.get(target, 0) + count * ways
        running = after
    return Duration(tuple(ends_on), Fraction(sum(running.values()), sequences))
