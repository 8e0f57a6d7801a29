"""Pays for targets: the odds, or the whole ladder of odds, that come closest, with a proof that none comes closer.

A ladder keeps its shape: it is scaled (and, for a variance, raised to a power) until the targets are met exactly, by
pays that nobody could print. Around these exact pays every ladder of printable odds is examined: first those within one
step of the exact pay on each row, then within two, and so on, until one meets the targets within their tolerance. It is
the closest of all that were examined, and no ladder nearer to the shape meets them; `Proof` says how many were examined
and between which odds. Sums are compared in floating point with a bound on the error; the closest ones in fractions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from pitbook.engine.analyse import Analysis, analyse
from pitbook.errors import InputError
from pitbook.money import LOSE, Odds, parse_share
from pitbook.results import Result, Row, bars
from pitbook.rulebooks.wagers import Collect, Count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager

    Sums = NDArray[np.float64]

EDGE_TOLERANCE = Fraction(1, 1_000_000)
"""A house edge within 0.0001 % of the target meets it."""
VARIANCE_TOLERANCE = Fraction(1, 200)
"""A variance within half a per cent of the target meets it."""
LADDERS_MOST = 4_000_000
"""Half a ladder may be this many; a ladder of which all targets depend on all rows may be, too."""
RADIUS_MOST = 60
DENOMINATOR_MOST = 100


@dataclass(frozen=True, slots=True)
class Targets:
    """What a design should come close to."""

    edge: Fraction
    hit_frequency: Fraction | None = None
    """The chance to gain: rows are made to pay, or not, from the rarest down."""
    variance: Fraction | None = None
    """Of the gain on one unit."""


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """What the next odds above, or below, on a row would do."""

    row: str
    pays: Odds
    house_edge: Fraction

    def __repr__(self) -> str:
        return f"<{self.row}: {self.pays}, house edge {float(self.house_edge):.4%}>"


@dataclass(frozen=True, slots=True, repr=False)
class Proof:
    """What was examined, so that nothing closer was missed."""

    examined: int
    """How many pay tables: all combinations of the odds between the bounds."""
    steps: int
    """How many steps of printable odds each row was moved from its exact pay, at most."""
    lowest: Mapping[str, Odds]
    highest: Mapping[str, Odds]
    met: bool
    """Whether the targets are met within their tolerance; otherwise this is the closest that was found."""
    hits: tuple[tuple[str, Fraction], ...] = ()
    """The hit frequency with each row as the lowest that pays, where one was asked for."""

    def __repr__(self) -> str:
        return f"<Proof: {self.examined:,} pay tables examined, {'met' if self.met else 'not met'}>"

    def __str__(self) -> str:
        if len(self.lowest) == 1:
            (low,), (high,) = self.lowest.values(), self.highest.values()
            return (
                f"The edge falls as the pay rises, and no printable odds lie between {low} and {high}: none is closer."
            )
        bounds = "; ".join(f"{row} between {low} and {self.highest[row]}" for row, low in self.lowest.items())
        within = f"All {self.examined:,} pay tables within {self.steps} {'step' if self.steps == 1 else 'steps'}"
        fewer = " Within fewer steps none meets the targets." if self.met and self.steps > 1 else ""
        return f"{within} of the exact pays were examined ({bounds}): none is closer.{fewer}"


@dataclass(frozen=True, slots=True, repr=False)
class Design(Result):
    """A proposal."""

    wager: Wager
    targets: Targets
    now: Analysis
    proposal: Analysis
    steps: tuple[Step, ...]
    below_minimum: tuple[str, ...]
    """Rows that would pay less than the book asks for at least, each with the clause."""
    proof: Proof

    @property
    def target(self) -> Fraction:
        """The house edge that was asked for."""
        return self.targets.edge

    @property
    def off_by(self) -> Fraction:
        """The proposal's edge less the target."""
        return self.proposal.house_edge - self.target

    def __repr__(self) -> str:
        pays = " / ".join(str(end.odds) for end in self.proposal.ends if end.odds.wins)
        return f"<Design of {self.wager.id}: {pays}, house edge {float(self.proposal.house_edge):.4%}>"

    def rows(self) -> list[Row]:
        """Return one row for each way to win."""
        now = {end.row: end.odds for end in self.now.ends}
        return [
            {"row": end.row, "pays_now": str(now[end.row]), "proposed": str(end.odds), "probability": end.probability}
            for end in self.proposal.ends
            if end.odds.wins or now[end.row].wins
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the proposal as plain data."""
        return {
            "wager": self.wager.id,
            "house_edge": str(self.proposal.house_edge),
            "off_by": str(self.off_by),
            "pays": {end.row: str(end.odds) for end in self.proposal.ends if end.odds.wins},
            "proof": proof_data(self.proof),
        }

    def picture(self) -> str:
        """Return the edge now and as proposed as bars."""
        edges = {"now": self.now, "proposed": self.proposal}
        return bars({name: float(one.house_edge) for name, one in edges.items()}, "house edge", percent=True)


def proof_data(proof: Proof) -> dict[str, Any]:
    """Return a proof as plain data."""
    return {
        "examined": proof.examined,
        "steps": proof.steps,
        "met": proof.met,
        "between": {row: [str(low), str(proof.highest[row])] for row, low in proof.lowest.items()},
        "hit_frequencies": {row: str(chance) for row, chance in proof.hits},
        "says": str(proof),
    }


def share(value: Fraction | float | str) -> Fraction:
    """Return a share from "8%" or a number; floats as they are written."""
    return parse_share(value, "target") if isinstance(value, str) else Fraction(str(value))


def design(
    book: Rulebook,
    wager: Wager,
    targets: Targets | Fraction,
    paytable: str | None = None,
    *,
    denominators: int = 1,
) -> Design:
    """Return the pays closest to the targets: odds `x to y` with y up to `denominators`.

    >>> from pitbook.rulebooks.catalogue import load
    >>> craps = load("craps")
    >>> found = design(craps, craps.wager("place/6"), Fraction(1, 66), denominators=6)
    >>> [str(end.odds) for end in found.proposal.ends if end.odds.wins], found.off_by
    (['7 to 6'], Fraction(0, 1))
    """
    wanted = targets if isinstance(targets, Targets) else Targets(targets)
    _check(wanted, denominators)
    now = analyse(book, wager, paytable)
    shape, hits = _paying_rows(wager, now, wanted)
    chances = {end.row: end.probability for end in now.ends}
    fixed = -sum(
        (chances[end.row] * end.odds.gain for end in now.ends if end.row not in shape and not end.odds.wins),
        Fraction(0),
    )
    fixed += sum((chances[end.row] for end in now.ends if end.row not in shape and end.odds.wins), Fraction(0))
    mean = fixed - wanted.edge
    if mean <= 0:
        raise InputError(
            f"{wager.id} cannot reach a house edge of {float(wanted.edge):.2%}: nothing would be left to pay"
        )
    square = _square(now, shape, wanted)
    exact = _bent(shape, chances, mean, square, Fraction(1, denominators))
    search = _Search(wager, {row: chances[row] for row in shape}, mean, square, denominators)
    gains, proof = search.run(exact)
    losing = {end.row: LOSE for end in now.ends if end.odds.wins and end.row not in shape}
    pays = {row: Odds(gain) for row, gain in gains.items()} | losing
    proposal = analyse(book, wager, paytable, pays=pays)
    return Design(
        wager,
        wanted,
        now,
        proposal,
        tuple(_neighbours(gains, chances, proposal.house_edge, denominators)),
        tuple(_below_minimum(book, now, pays)),
        replace(proof, hits=hits),
    )


def _check(wanted: Targets, denominators: int) -> None:
    if not -1 < wanted.edge < 1:
        raise InputError(
            f"a target edge of {float(wanted.edge):.2%} cannot be met; ask for one between -100 % and 100 %"
        )
    if wanted.hit_frequency is not None and not 0 < wanted.hit_frequency < 1:
        raise InputError(f"a hit frequency of {float(wanted.hit_frequency):.2%} cannot be met; ask for one below 100 %")
    if wanted.variance is not None and wanted.variance <= 0:
        raise InputError("a variance must be more than 0")
    if not 1 <= denominators <= DENOMINATOR_MOST:
        raise InputError(f"odds to {denominators}: ask for denominators from 1 to {DENOMINATOR_MOST}")


def _paying_rows(
    wager: Wager, now: Analysis, wanted: Targets
) -> tuple[dict[str, Fraction], tuple[tuple[str, Fraction], ...]]:
    """Return the rows that shall pay, least pay first, with their shape; and the hit frequency of each choice."""
    ends = {end.row: end for end in now.ends if end.probability}
    spec = wager.spec
    if isinstance(spec, Count | Collect) and spec.rows:
        names = [row for row in dict.fromkeys(spec.rows) if row in ends]
    else:
        names = [row for row in sorted(ends, key=lambda row: ends[row].odds.gain) if ends[row].odds.wins]
    paid = {row: ends[row].odds.gain for row in names if ends[row].odds.wins}
    if not paid:
        raise InputError(f"{wager.id} has no row that can come and wins: there is no pay to design")
    if wanted.hit_frequency is None:
        return paid, ()
    hits = [
        (row, sum((ends[one].probability for one in names[place:]), Fraction(0))) for place, row in enumerate(names)
    ]
    first = min(hits, key=lambda one: abs(one[1] - (wanted.hit_frequency or 0)))[0]
    chosen = names[names.index(first) :]
    lowest = min(paid.values())
    # Rows that did not pay before continue the ladder downwards, each at half of the one above it.
    shape: dict[str, Fraction] = {}
    below = lowest
    for row in reversed(chosen):
        below = paid.get(row, below / 2)
        shape[row] = below
    return dict(reversed(shape.items())), tuple(hits)


def _square(now: Analysis, shape: Mapping[str, Fraction], wanted: Targets) -> Fraction | None:
    """Return the mean square of the winning pays that gives the variance asked for."""
    if wanted.variance is None:
        return None
    rest = sum(
        (end.probability * (1 if end.odds.wins else end.odds.gain**2) for end in now.ends if end.row not in shape),
        Fraction(0),
    )
    return wanted.variance + wanted.edge**2 - rest


def _bent(
    shape: Mapping[str, Fraction],
    chances: Mapping[str, Fraction],
    mean: Fraction,
    square: Fraction | None,
    least: Fraction,
) -> dict[str, Fraction]:
    """Return exact pays of the same shape, none below the least: scaled to the mean and, for a mean square, bent."""

    def scaled(power: float) -> dict[str, Fraction]:
        raised = dict(shape) if power == 1 else {row: Fraction(float(gain) ** power) for row, gain in shape.items()}
        floored: set[str] = set()
        while len(floored) < len(raised):
            left = mean - sum((chances[row] * least for row in floored), Fraction(0))
            free = {row: gain for row, gain in raised.items() if row not in floored}
            factor = left / sum((chances[row] * gain for row, gain in free.items()), Fraction(0))
            low = {row for row, gain in free.items() if gain * factor < least}
            if not low:
                return {row: least if row in floored else raised[row] * factor for row in raised}
            floored |= low
        return dict.fromkeys(raised, least)

    if square is None or len(shape) == 1:
        return scaled(1)
    low, high = 0.0, 4.0
    for _ in range(50):
        middle = (low + high) / 2
        squares = sum(float(chances[row]) * float(gain) ** 2 for row, gain in scaled(middle).items())
        low, high = (middle, high) if squares < square else (low, middle)
    return scaled(low)


@dataclass(frozen=True)
class _Search:
    """The search for printable odds around exact pays."""

    wager: Wager
    chances: Mapping[str, Fraction]
    mean: Fraction
    square: Fraction | None
    denominators: int

    def run(self, exact: Mapping[str, Fraction]) -> tuple[dict[str, Fraction], Proof]:
        """Widen the ranges step by step until the targets are met; return the closest pays, and what was examined."""
        best: tuple[Fraction, dict[str, Fraction], Proof] | None = None
        for steps in range(1, RADIUS_MOST + 1):
            ranges = self._ranges(exact, steps)
            if best and (self._cost(ranges) > LADDERS_MOST or len(ranges) == 1):
                break
            gains = self._closest(ranges)
            off = self._off(gains)
            proof = Proof(
                prod(map(len, ranges.values())),
                steps,
                {row: Odds(several[0]) for row, several in ranges.items()},
                {row: Odds(several[-1]) for row, several in ranges.items()},
                off <= 1,
            )
            if best is None or off < best[0]:
                best = off, gains, proof
            else:
                best = best[0], best[1], replace(proof, met=best[2].met)
            if off <= 1:
                break
        assert best is not None
        return best[1], best[2]

    def _ranges(self, exact: Mapping[str, Fraction], steps: int) -> dict[str, list[Fraction]]:
        """Return the odds to examine on each row: so many steps to each side, and never past those of the next row."""
        rows = list(exact)
        found: dict[str, list[Fraction]] = {}
        least = Fraction(1, self.denominators)
        for place, row in enumerate(rows):
            low = (exact[rows[place - 1]] + exact[row]) / 2 if place else least
            high = (exact[row] + exact[rows[place + 1]]) / 2 if place + 1 < len(rows) else None
            near = around(exact[row], steps, self.denominators)
            inside = [gain for gain in near if gain >= max(low, least) and (high is None or gain <= high)]
            found[row] = inside or [min(near, key=lambda gain: (gain < least, abs(gain - exact[row])))]
        for below, above in pairwise(rows):  # rows of nearly the same pay
            found[above] = [gain for gain in found[above] if gain >= found[below][-1]] or [found[below][-1]]
        return found

    def _cost(self, ranges: Mapping[str, Sequence[Fraction]]) -> int:
        sizes = list(map(len, ranges.values()))
        if self.square is not None:
            return prod(sizes)
        middle = _middle(sizes)
        return max(prod(sizes[:middle]), prod(sizes[middle:]))

    def _off(self, gains: Mapping[str, Fraction]) -> Fraction:
        """Return how far pays are from the targets, in tolerances."""
        mean = sum((self.chances[row] * gain for row, gain in gains.items()), Fraction(0))
        off = abs(mean - self.mean) / EDGE_TOLERANCE
        if self.square is None:
            return off
        square = sum((self.chances[row] * gain**2 for row, gain in gains.items()), Fraction(0))
        return max(off / 100, abs(square - self.square) / (self.square * VARIANCE_TOLERANCE))

    def _closest(self, ranges: Mapping[str, Sequence[Fraction]]) -> dict[str, Fraction]:
        nearly = self._halves(ranges) if self.square is None else self._both(ranges)
        return min((dict(zip(ranges, gains, strict=True)) for gains in nearly), key=self._off)

    def _halves(self, ranges: Mapping[str, Sequence[Fraction]]) -> Iterator[tuple[Fraction, ...]]:
        """Yield the ladders whose mean is closest: each lower half with the upper halves that complete it best."""
        rows = list(ranges)
        middle = _middle([len(several) for several in ranges.values()])
        lower, upper = (self._sums({row: ranges[row] for row in part}) for part in (rows[:middle], rows[middle:]))
        order = np.argsort(upper)
        ascending = upper[order]
        place = np.searchsorted(ascending, float(self.mean) - lower)
        after = np.minimum(place, len(upper) - 1)
        before = np.maximum(place - 1, 0)
        offs = np.abs(np.stack([lower + ascending[before], lower + ascending[after]]) - float(self.mean))
        bound = _error(len(rows)) * (float(self.mean) + float(np.max(lower) + np.max(upper)))
        for side, index in zip(*np.nonzero(offs <= offs.min() + 2 * bound), strict=True):
            which = order[(before, after)[side][index]]
            yield (
                *_combination([ranges[row] for row in rows[:middle]], int(index)),
                *_combination([ranges[row] for row in rows[middle:]], int(which)),
            )

    def _both(self, ranges: Mapping[str, Sequence[Fraction]]) -> Iterator[tuple[Fraction, ...]]:
        """Yield the ladders that are closest to both targets: every combination is compared."""
        assert self.square is not None
        means, squares = self._sums(ranges), self._sums(ranges, 2)
        offs = np.maximum(
            np.abs(means - float(self.mean)) / float(100 * EDGE_TOLERANCE),
            np.abs(squares - float(self.square)) / float(self.square * VARIANCE_TOLERANCE),
        )
        bound = _error(len(ranges)) * (
            float(np.max(means)) / float(100 * EDGE_TOLERANCE)
            + float(np.max(squares) / float(self.square * VARIANCE_TOLERANCE))
        )
        for index in np.flatnonzero(offs <= offs.min() + 2 * bound)[:1000].tolist():
            yield _combination(list(ranges.values()), index)

    def _sums(self, ranges: Mapping[str, Sequence[Fraction]], power: int = 1) -> Sums:
        """Return the mean of the pays (or of their powers) of every combination, in the order of `product`."""
        sums: Sums = np.zeros(1)
        for row, several in ranges.items():
            each = np.array([float(self.chances[row] * gain**power) for gain in several])
            sums = (sums[:, None] + each[None, :]).ravel()
        return sums


def _error(rows: int) -> float:
    """Return the relative error of a sum of so many products of floats, generously."""
    return (rows + 4) * 2.0**-52


def _middle(sizes: Sequence[int]) -> int:
    """Return where to cut a ladder so that the larger part is as small as possible."""
    return min(range(len(sizes)), key=lambda place: max(prod(sizes[:place]), prod(sizes[place:])))


def _combination(several: Sequence[Sequence[Fraction]], index: int) -> tuple[Fraction, ...]:
    """Return one element of `product(*several)` by its place."""
    found = []
    for one in reversed(several):
        index, place = divmod(index, len(one))
        found.append(one[place])
    return tuple(reversed(found))


def around(exact: Fraction, steps: int, denominators: int) -> list[Fraction]:
    """Return the printable odds nearest to an exact pay, so many below it and as many above, ascending.

    >>> [str(gain) for gain in around(Fraction(13, 12), 2, 6)]
    ['5/6', '1', '7/6', '6/5']
    """
    near = {
        Fraction(numerator, denominator)
        for denominator in range(1, denominators + 1)
        for numerator in range(
            max(1, floor(exact * denominator) - steps), max(1, ceil(exact * denominator) + steps) + 1
        )
    }
    below = sorted(gain for gain in near if gain <= exact)[-steps:]
    above = sorted(gain for gain in near if gain > exact)[:steps]
    return below + above


def _neighbours(
    gains: Mapping[str, Fraction], chances: Mapping[str, Fraction], edge: Fraction, denominators: int
) -> Iterator[Step]:
    """Yield what the next odds on each row would do: two to each side where there is one row only."""
    far = 2 if len(gains) == 1 else 1
    for row, gain in gains.items():
        near = around(gain, far + 1, denominators)
        below, above = [one for one in near if one < gain][-far:], [one for one in near if one > gain][:far]
        for other in (*below, *above):
            yield Step(row, Odds(other), edge - (other - gain) * chances[row])


def _below_minimum(book: Rulebook, now: Analysis, pays: Mapping[str, Odds]) -> Iterator[str]:
    if book.odds.basis != "minimum":
        return
    for end in now.ends:
        if end.row in pays and pays[end.row].gain < end.odds.gain:
            clause = now.wager.row_clauses[now.paytable][end.row]
            yield f"{end.row}: {book.printed(pays[end.row])}, and {clause} asks for {book.printed(end.odds)}"
