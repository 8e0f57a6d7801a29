"""Pays for targets: the odds, or the whole ladder of odds, that come closest, with a proof that none comes closer.

A ladder keeps its shape: it is scaled (and, for a variance, raised to a power) until the targets are met exactly, by
pays that nobody could print. `ladder_search` finds the printable odds: of all ladders that meet the targets the one
nearest to these exact pays, or else the one that comes closest to the targets.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from pitbook.analysis.ladder_search import LadderTargets, Reason, around, closest_ladder
from pitbook.engine.analyse import Analysis, analyse
from pitbook.errors import InputError
from pitbook.messages import Message, compose
from pitbook.money import LOSE, Odds, read_share
from pitbook.results import Result, Row, bars
from pitbook.rulebooks.wagers import Collect, Count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pitbook.messages import Language
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager

DENOMINATOR_MAX = 100
VARIANCE_MAX = 10**9

Number = Fraction | float | str


@dataclass(frozen=True, slots=True)
class Targets:
    """Targets of a design."""

    edge: Fraction
    hit_frequency: Fraction | None = None
    """The chance to gain: rows are made to pay, or not, from the rarest down."""
    variance: Fraction | None = None
    """Of the gain on one unit."""

    @classmethod
    def read(
        cls,
        edge: Number,
        hit_frequency: Number | None = None,
        variance: Number | None = None,
        *,
        names: tuple[str, str] = ("edge", "hit_frequency"),
    ) -> Targets:
        """Return targets as people write them: shares like "8%", or numbers, of which floats count as written."""
        return cls(
            read_share(edge, names[0]),
            None if hit_frequency is None else read_share(hit_frequency, names[1]),
            None if variance is None else read_share(variance, "variance"),
        )


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """The effect of the next higher or lower odds on a row."""

    row: str
    pays: Odds
    house_edge: Fraction

    def __repr__(self) -> str:
        return f"<{self.row}: {self.pays}, house edge {float(self.house_edge):.4%}>"


@dataclass(frozen=True, slots=True, repr=False)
class Proof:
    """Why no pay table comes closer; `ladder_search` says what is proved and how."""

    reason: Reason
    met: bool
    """Whether the targets are met within their tolerance; if not, no pay table meets them, and this is the closest."""
    examined: int
    """How many pay tables: all combinations of the odds between the bounds."""
    steps: int
    """How many steps of printable odds a row is from its exact pay, at most; with fewer no pay table does as well."""
    lowest: Mapping[str, Odds]
    highest: Mapping[str, Odds]
    denominators: int
    rising: bool
    """Whether only pay tables count that never fall from row to row."""
    edge_step: Fraction
    """All house edges of such odds are multiples of this apart."""
    hits: tuple[tuple[str, Fraction], ...] = ()
    """The hit frequency with each row as the lowest that pays, if one was requested."""

    def __repr__(self) -> str:
        return f"<Proof: {self.examined:,} pay tables compared, {'met' if self.met else 'not met'}>"

    @property
    def message(self) -> Message:
        """The proof in words."""
        if self.reason == "neighbours":
            (low,), (high,) = self.lowest.values(), self.highest.values()
            return compose("designs.neighbours", low=str(low), high=str(high))
        between = tuple(
            compose("designs.next-row" if number else "designs.row", row=row, low=str(low), high=str(self.highest[row]))
            for number, (row, low) in enumerate(self.lowest.items())
        )
        odds = {"whole": "yes" if self.denominators == 1 else "no", "most": self.denominators}
        tables = compose("designs.tables", rising="yes" if self.rising else "no", **odds)
        if self.reason == "all":
            return compose("designs.all", tables=tables, examined=self.examined, between=between)
        fewer = (compose("designs.fewer", steps=self.steps - 1),) if self.steps > 1 else ()
        if self.reason == "met":
            why = compose("designs.met", tables=tables, fewer=fewer)
        else:
            why = compose("designs.lattice", tables=tables, step=self.edge_step, fewer=fewer)
        return compose("designs.within", why=why, examined=self.examined, steps=self.steps, between=between)

    def __str__(self) -> str:
        return self.message.text()

    def to_dict(self, language: Language = "en") -> dict[str, Any]:
        """Return the proof as plain data."""
        return {
            "reason": self.reason,
            "examined": self.examined,
            "steps": self.steps,
            "met": self.met,
            "rising": self.rising,
            "denominators": self.denominators,
            "edge_step": str(self.edge_step),
            "between": {row: [str(low), str(self.highest[row])] for row, low in self.lowest.items()},
            "hit_frequencies": {row: str(chance) for row, chance in self.hits},
            "says": self.message.text(language),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Design(Result):
    """A proposal."""

    book: Rulebook
    wager: Wager
    targets: Targets
    now: Analysis
    proposal: Analysis
    steps: tuple[Step, ...]
    below_minimum: tuple[Message, ...]
    """Rows that would pay less than the book asks for at least, each with the clause."""
    proof: Proof

    @property
    def target(self) -> Fraction:
        """The house edge that was requested."""
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
            {
                "row": end.row,
                "pays_now": self.book.printed(now[end.row]),
                "proposed": self.book.printed(end.odds),
                "probability": end.probability,
            }
            for end in self.proposal.ends
            if end.odds.wins or now[end.row].wins
        ]

    def to_dict(self, language: Language = "en") -> dict[str, Any]:
        """Return the proposal as plain data, in fractions: what the command line prints as JSON and the API returns."""
        return {
            "book": self.book.id,
            "wager": self.wager.id,
            "paytable": self.now.paytable,
            "target_edge": str(self.target),
            "house_edge_now": str(self.now.house_edge),
            "house_edge": str(self.proposal.house_edge),
            "off_by": str(self.off_by),
            "pays": {end.row: self.book.printed(end.odds) for end in self.proposal.ends if end.odds.wins},
            "steps": [
                {"row": step.row, "pays": self.book.printed(step.pays), "house_edge": str(step.house_edge)}
                for step in self.steps
            ],
            "below_minimum": [line.text(language) for line in self.below_minimum],
            "hit_frequency": str(self.proposal.win_probability),
            "variance": str(self.proposal.variance),
            "proof": self.proof.to_dict(language),
        }

    def picture(self) -> str:
        """Return the edge now and as proposed as bars."""
        edges = {"now": self.now, "proposed": self.proposal}
        return bars({name: float(one.house_edge) for name, one in edges.items()}, "house edge", percent=True)


def design(
    book: Rulebook,
    wager: Wager,
    targets: Targets | Fraction,
    paytable: str | None = None,
    *,
    denominators: int = 1,
    rising: bool = True,
) -> Design:
    """Return the pays closest to the targets: odds `x to y` with y up to `denominators`, rising or in any order.

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
    others = [(end.probability, -1 if end.odds.wins else end.odds.gain) for end in now.ends if end.row not in shape]
    ladder = LadderTargets(
        tuple(chances[row] for row in shape),
        -sum((chance * gain for chance, gain in others), Fraction(0)),
        sum((chance * gain**2 for chance, gain in others), Fraction(0)),
        wanted.edge,
        wanted.variance,
        denominators,
        rising,
    )
    if ladder.mean <= 0:
        raise InputError("analysis.edge-out-of-reach", wager=wager.id, edge=f"{float(wanted.edge):.2%}")
    exact = _bent(ladder, list(shape.values()))
    found = closest_ladder(ladder, tuple(accumulate(exact, max)) if rising else tuple(exact))
    gains = dict(zip(shape, found.gains, strict=True))
    losing = {end.row: LOSE for end in now.ends if end.odds.wins and end.row not in shape}
    pays = {row: Odds(gain) for row, gain in gains.items()} | losing
    proposal = analyse(book, wager, paytable, pays=pays)
    proof = Proof(
        found.reason,
        found.miss <= 1,
        found.ladders,
        found.steps,
        {row: Odds(gain) for row, gain in zip(shape, found.lowest, strict=True)},
        {row: Odds(gain) for row, gain in zip(shape, found.highest, strict=True)},
        denominators,
        rising,
        ladder.edge_step,
        hits,
    )
    return Design(
        book,
        wager,
        wanted,
        now,
        proposal,
        tuple(_neighbours(gains, chances, proposal.house_edge, denominators)),
        tuple(_below_minimum(book, now, pays)),
        proof,
    )


def _check(wanted: Targets, denominators: int) -> None:
    if not -1 < wanted.edge < 1:
        raise InputError("analysis.target-edge", edge=f"{float(wanted.edge):.2%}")
    if wanted.hit_frequency is not None and not 0 < wanted.hit_frequency < 1:
        raise InputError("analysis.hit-frequency", frequency=f"{float(wanted.hit_frequency):.2%}")
    if wanted.variance is not None and not 0 < wanted.variance <= VARIANCE_MAX:
        raise InputError("analysis.variance", most=f"{VARIANCE_MAX:,}")
    if not 1 <= denominators <= DENOMINATOR_MAX:
        raise InputError("analysis.denominators", given=denominators, most=DENOMINATOR_MAX)


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
        raise InputError("analysis.no-row", wager=wager.id)
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


def _bent(ladder: LadderTargets, shape: list[Fraction]) -> list[Fraction]:
    """Return pays of a shape, scaled to the target edge and, for a variance, bent; none below the least odds."""
    least = Fraction(1, ladder.denominators)
    chances = ladder.chances

    def scaled(power: float) -> list[Fraction]:
        raised = shape if power == 1 else [Fraction(float(gain) ** power) for gain in shape]
        at_least: set[int] = set()
        while len(at_least) < len(raised):
            free = [row for row in range(len(raised)) if row not in at_least]
            left = ladder.mean - sum((chances[row] * least for row in at_least), Fraction(0))
            factor = left / sum((chances[row] * raised[row] for row in free), Fraction(0))
            low = {row for row in free if raised[row] * factor < least}
            if not low:
                return [least if row in at_least else raised[row] * factor for row in range(len(raised))]
            at_least |= low
        return [least] * len(raised)

    if ladder.variance is None or len(shape) == 1:
        return scaled(1)
    square = float(ladder.variance + ladder.edge**2 - ladder.others_square)
    low, high = 0.0, 4.0
    for _ in range(50):
        middle = (low + high) / 2
        squares = sum(float(chance) * float(gain) ** 2 for chance, gain in zip(chances, scaled(middle), strict=True))
        low, high = (middle, high) if squares < square else (low, middle)
    return scaled(low)


def _neighbours(
    gains: Mapping[str, Fraction], chances: Mapping[str, Fraction], edge: Fraction, denominators: int
) -> Iterator[Step]:
    """Yield what the next odds on each row would do: two to each side where there is one row only."""
    far = 2 if len(gains) == 1 else 1
    for row, gain in gains.items():
        near = list(around(gain, far + 1, denominators))
        below, above = [one for one in near if one < gain][-far:], [one for one in near if one > gain][:far]
        for other in (*below, *above):
            yield Step(row, Odds(other), edge - (other - gain) * chances[row])


def _below_minimum(book: Rulebook, now: Analysis, pays: Mapping[str, Odds]) -> Iterator[Message]:
    if book.odds.basis != "minimum":
        return
    for end in now.ends:
        if end.row in pays and pays[end.row].gain < end.odds.gain:
            clause = now.wager.row_clauses[now.paytable][end.row]
            less, minimum = book.printed(pays[end.row]), book.printed(end.odds)
            yield compose("designs.below-minimum", row=end.row, less=less, clause=clause, minimum=minimum)
