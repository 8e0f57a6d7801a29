"""Checks for values that look wrong, found by a book's figures and not by knowing its misprints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from pitbook.analysis.signatures import signature
from pitbook.engine.analyse import Analysis, analyse, analyse_book
from pitbook.results import Result, Row
from pitbook.rulebooks.wagers import Collect, Count, Phases
from pitbook.wager.hand import hands
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitbook.rulebooks.model import Rulebook


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, repr=False)
class Finding(Result):
    """Something questionable."""

    severity: Severity
    rule: str
    wager: str
    paytable: str | None
    says: str
    clauses: tuple[str, ...]
    suspects: tuple[str, ...] = ()
    """Readings in force that are not the default and touch this wager: ID=CHOICE."""
    house_edge: Fraction | None = None

    def __repr__(self) -> str:
        where = f" {self.paytable}" if self.paytable else ""
        return f"<{self.severity} {self.rule}: {self.wager}{where}, {self.says}>"

    def rows(self) -> list[Row]:
        """Return one row."""
        return [
            {
                "severity": str(self.severity),
                "rule": self.rule,
                "wager": self.wager,
                "paytable": self.paytable,
                "says": self.says,
                "clauses": ", ".join(self.clauses),
                "suspects": ", ".join(self.suspects),
                "house_edge": self.house_edge,
            }
        ]


def lint(book: Rulebook, min_return: Fraction | None = None) -> list[Finding]:
    """Return everything questionable about a book's pays, worst first."""
    analyses = analyse_book(book)
    found: list[Finding] = []
    for figures in analyses:
        for where, apart in _by_point(book, figures):
            found += _one(book, apart, min_return, where)
    found += _siblings(book, analyses)
    found += _mirrors(book, analyses)
    found += _wording(book)
    order = list(Severity)
    return sorted(found, key=lambda finding: order.index(finding.severity))


def _finding(book: Rulebook, severity: Severity, rule: str, figures: Analysis, says: str) -> Finding:
    wager = figures.wager
    suspects = tuple(
        f"{name}={choice}" for name, choice in book.readings_of(wager).items() if choice != book.readings[name].default
    )
    clauses = tuple(dict.fromkeys([*wager.clauses, *wager.row_clauses[figures.paytable].values()]))
    return Finding(severity, rule, wager.id, figures.paytable, says, clauses, suspects, figures.house_edge)


def _percent(value: Fraction) -> str:
    return f"{float(value) * 100:.2f} %"


def _by_point(book: Rulebook, figures: Analysis) -> Iterator[tuple[str, Analysis]]:
    """Yield figures; those of a bet that is made once there is a point for each point apart, as it pays each apart."""
    spec, wager = figures.wager.spec, figures.wager
    if not isinstance(spec, Phases) or spec.parent is None or spec.parent.point is not None:
        yield "", figures
        return
    machine = machine_of(spec, book.dice)
    for place, hand in enumerate(hands(spec.hand)):
        if hand.point is not None:
            apart = analyse(book, wager, figures.paytable, state=machine.start(place))
            ends = tuple(end for end in apart.ends if end.probability)
            yield f" on a point of {hand.point}", replace(apart, ends=ends)


def _one(book: Rulebook, figures: Analysis, min_return: Fraction | None, where: str = "") -> Iterator[Finding]:
    edge = figures.house_edge
    if edge < 0:
        says = f"the player has an edge of {_percent(-edge)}{where}"
        yield _finding(book, Severity.ERROR, "player-edge", figures, says)
    if edge == 0 and figures.wager.tied is None:
        yield _finding(book, Severity.WARNING, "no-house-edge", figures, "the house has no edge on it")
    if edge > Fraction(1, 2):
        says = f"the house keeps {_percent(edge)}, more than it gives back"
        yield _finding(book, Severity.WARNING, "keeps-more-than-half", figures, says)
    if min_return is not None and figures.return_to_player < min_return:
        says = f"returns {_percent(figures.return_to_player)}, under the floor of {_percent(min_return)}"
        yield _finding(book, Severity.WARNING, "return-under-floor", figures, says)
    for end in figures.ends:
        if end.odds.wins and end.odds.gain < 1 and end.probability < Fraction(1, 2):
            pays, chance = book.printed(end.odds), _percent(end.probability)
            says = f"{end.row!r} pays {pays}, less than the stake, on a chance of {chance}"
            yield _finding(book, Severity.WARNING, "pays-less-than-it-risks", figures, says)
        if not end.probability:
            yield _finding(book, Severity.WARNING, "row-never-reached", figures, f"{end.row!r} can never come")
    yield from _ladder(book, figures)


def _ladder(book: Rulebook, figures: Analysis) -> Iterator[Finding]:
    """Along the counts, or from the likeliest row to the rarest, pays must not fall; nor leap out of line."""
    ends = {end.row: end for end in figures.ends}
    spec = figures.wager.spec
    if isinstance(spec, Count | Collect) and spec.rows:
        ladder = [ends[row] for row in dict.fromkeys(spec.rows)]
    else:
        ladder = sorted(figures.ends, key=lambda end: end.probability, reverse=True)
        ladder = [end for end in ladder if end.odds.wins]
    for below, above in pairwise(ladder):
        if above.odds.gain < below.odds.gain:
            says = (
                f"{above.row!r} pays {book.printed(above.odds)}, less than {below.row!r} "
                f"with {book.printed(below.odds)}"
            )
            yield _finding(book, Severity.ERROR, "ladder-falls", figures, says)


def _siblings(book: Rulebook, analyses: list[Analysis]) -> Iterator[Finding]:
    """Edges far from those of the same family, or of the same wager's other pay tables."""
    groups: dict[tuple[str, str], list[Analysis]] = {}
    for figures in analyses:
        groups.setdefault(("selections", figures.wager.family), []).append(figures)
    for family in groups.values():
        edges = sorted({figures.house_edge for figures in family})
        if len(edges) < 4:
            continue
        middle = median(figures.house_edge for figures in family)
        spread = median(abs(figures.house_edge - middle) for figures in family)
        for figures in family:
            distance = abs(figures.house_edge - middle)
            if distance > Fraction(15, 100) and distance > 3 * spread:
                says = f"house edge {_percent(figures.house_edge)}, far from its siblings' {_percent(Fraction(middle))}"
                yield _finding(book, Severity.NOTE, "far-from-siblings", figures, says)


def _mirrors(book: Rulebook, analyses: list[Analysis]) -> Iterator[Finding]:
    """Bets that are each other's mirror image (every die turned over) are as likely, and should pay alike."""
    by_signature: dict[tuple[object, str | None, str | None], list[Analysis]] = {}
    for figures in analyses:
        key = signature(figures.wager.spec, book.dice), figures.paytable, figures.wager.group
        by_signature.setdefault(key, []).append(figures)
    reported: set[frozenset[str]] = set()
    for figures in sorted(analyses, key=lambda figures: figures.wager.id):
        wager = figures.wager
        key = signature(wager.spec, book.dice, mirror=True), figures.paytable, wager.group
        alike = by_signature.get(key, [])
        # The mirror of a buy bet is a buy bet, although a place bet is decided by the same rolls.
        other = next((one for one in alike if one.wager.family == wager.family), alike[0] if alike else None)
        if other is None or other.house_edge == figures.house_edge:
            continue
        pair = frozenset((wager.id, other.wager.id, str(figures.paytable)))
        if pair in reported:
            continue
        reported.add(pair)
        says = (
            f"its mirror image {other.wager.id} has a house edge of {_percent(other.house_edge)}, "
            f"this one {_percent(figures.house_edge)}"
        )
        yield _finding(book, Severity.WARNING, "mirror-pays-differently", figures, says)


def _wording(book: Rulebook) -> Iterator[Finding]:
    used: dict[str, str] = {}
    for wager in book.wagers.values():
        for rows in wager.pays.values():
            for odds in rows.values():
                if odds.wins:
                    used.setdefault(str(odds.wording), wager.id)
    if len(used) > 1:
        says = "odds are worded in more than one way: " + ", ".join(f'"{w}" ({who})' for w, who in used.items())
        yield Finding(Severity.NOTE, "mixed-wording", "", None, says, tuple(book.odds.clause))
