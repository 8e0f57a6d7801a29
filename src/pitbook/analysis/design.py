"""The pay, or the ladder of pays, in whole odds, whose house edge comes closest to a target."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from pitbook.engine.analyse import Analysis, analyse
from pitbook.errors import InputError
from pitbook.money import Odds
from pitbook.rulebooks.wagers import Collect, Count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager


@dataclass(frozen=True, slots=True)
class Step:
    """What one more, or one less, to one on a row would do."""

    row: str
    pays: Odds
    house_edge: Fraction


@dataclass(frozen=True, slots=True)
class Design:
    """A proposal."""

    wager: Wager
    target: Fraction
    now: Analysis
    proposal: Analysis
    steps: tuple[Step, ...]
    below_minimum: tuple[str, ...]
    """Rows that would pay less than the book asks for at least, each with the clause."""

    @property
    def off_by(self) -> Fraction:
        """The proposal's edge less the target."""
        return self.proposal.house_edge - self.target


def design(book: Rulebook, wager: Wager, target: Fraction, paytable: str | None = None) -> Design:
    """The pay in whole odds closest to a house edge; of a ladder, pays that no step on one row would bring closer.

    A ladder is scaled as a whole first, so that it keeps its shape; what rounding lost is then given back one step at
    a time, on the rows where it fits best, and never so that a higher row pays less than a lower one.
    """
    if not -1 < target < 1:
        raise InputError(f"a target edge of {float(target):.2%} cannot be met; ask for one between -100 % and 100 %")
    now = analyse(book, wager, paytable)
    rows = _paid_rows(now)
    chances = {end.row: end.probability for end in now.ends}
    if not any(chances[row] for row in rows):
        raise InputError(f"{wager.id} has no row that can come and wins: there is no pay to design")
    wanted = now.house_edge + sum((chances[row] * gain for row, gain in rows.items()), Fraction(0)) - target
    if wanted <= 0:
        raise InputError(f"{wager.id} cannot reach a house edge of {float(target):.2%}: nothing would be left to pay")
    best = _closest(rows, chances, wanted)
    pays = {row: Odds(Fraction(gain)) for row, gain in best.items()}
    proposal = analyse(book, wager, paytable, pays=pays)
    steps = [
        Step(row, Odds(Fraction(gain + change)), proposal.house_edge - change * chances[row])
        for row, gain in best.items()
        for change in (-2, -1, 1, 2)
        if gain + change >= 1 and (len(best) == 1 or abs(change) == 1)
    ]
    below = tuple(
        f"{row}: {book.printed(pays[row])}, and {clause} asks for {book.printed(end.odds)}"
        for row in best
        for end in now.ends
        if end.row == row and pays[row].gain < end.odds.gain
        for clause in [wager.row_clauses[now.paytable][row]]
        if book.odds.basis == "minimum"
    )
    return Design(wager, target, now, proposal, tuple(steps), below)


def _paid_rows(figures: Analysis) -> dict[str, Fraction]:
    """The winning rows from the least pay to the greatest, with what they pay now."""
    ends = {end.row: end for end in figures.ends}
    spec = figures.wager.spec
    if isinstance(spec, Count | Collect) and spec.rows:
        names = list(dict.fromkeys(spec.rows))
    else:
        names = sorted(ends, key=lambda row: ends[row].odds.gain)
    return {row: ends[row].odds.gain for row in names if ends[row].odds.wins}


def _closest(rows: Mapping[str, Fraction], chances: Mapping[str, Fraction], wanted: Fraction) -> dict[str, int]:
    """Whole pays, at least 1 and never falling, whose mean is as close to the wanted one as steps can bring it."""
    names = list(rows)
    scale = wanted / sum(chances[row] * gain for row, gain in rows.items())
    gains = [max(1, floor(rows[row] * scale)) for row in names]

    def missing() -> Fraction:
        return wanted - sum((chances[row] * gain for row, gain in zip(names, gains, strict=True)), Fraction(0))

    def may(place: int, change: int) -> bool:
        after = gains[place] + change
        low = gains[place - 1] if place else 1
        high = gains[place + 1] if place + 1 < len(gains) else after
        return low <= after <= high

    # As change is given: the largest coins first, a row's chance being the worth of one step on it.
    for place in sorted(range(len(names)), key=lambda place: -chances[names[place]]):
        worth = chances[names[place]]
        for change in (1, -1):
            while (
                may(place, change) and abs(missing() - change * worth) < abs(missing()) and missing() * change >= worth
            ):
                gains[place] += change
    while True:
        left = missing()
        moves = [
            (abs(left - change * chances[row]), place, change)
            for place, row in enumerate(names)
            for change in (1, -1)
            if may(place, change)
        ]
        nearest = min(moves, default=None)
        if nearest is None or nearest[0] >= abs(left):
            return dict(zip(names, gains, strict=True))
        gains[nearest[1]] += nearest[2]
