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
from pitbook.errors import quoted
from pitbook.messages import Message, compose
from pitbook.messages.values import ODDS
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
    message: Message
    clauses: tuple[str, ...]
    suspects: tuple[str, ...] = ()
    """Readings in force that are not the default and touch this wager: ID=CHOICE."""
    house_edge: Fraction | None = None

    @property
    def says(self) -> str:
        """The finding in English."""
        return self.message.text()

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
        for point, apart in _by_point(book, figures):
            found += _one(book, apart, min_return, point)
    found += _siblings(book, analyses)
    found += _mirrors(book, analyses)
    found += _wording(book)
    order = list(Severity)
    return sorted(found, key=lambda finding: order.index(finding.severity))


def _finding(book: Rulebook, severity: Severity, rule: str, figures: Analysis, message: Message) -> Finding:
    wager = figures.wager
    suspects = tuple(
        f"{name}={choice}" for name, choice in book.readings_of(wager).items() if choice != book.readings[name].default
    )
    clauses = tuple(dict.fromkeys([*wager.clauses, *wager.row_clauses[figures.paytable].values()]))
    return Finding(severity, rule, wager.id, figures.paytable, message, clauses, suspects, figures.house_edge)


def _percent(value: Fraction) -> str:
    return f"{float(value) * 100:.2f}%"


def _by_point(book: Rulebook, figures: Analysis) -> Iterator[tuple[int | None, Analysis]]:
    """Yield figures; those of a bet that is made once there is a point for each point apart, as it pays each apart."""
    spec, wager = figures.wager.spec, figures.wager
    if not isinstance(spec, Phases) or spec.parent is None or spec.parent.point is not None:
        yield None, figures
        return
    machine = machine_of(spec, book.dice)
    for place, hand in enumerate(hands(spec.hand)):
        if hand.point is not None:
            apart = analyse(book, wager, figures.paytable, state=machine.start(place))
            ends = tuple(end for end in apart.ends if end.probability)
            yield hand.point, replace(apart, ends=ends)


def _one(book: Rulebook, figures: Analysis, min_return: Fraction | None, point: int | None = None) -> Iterator[Finding]:
    edge = figures.house_edge
    if edge < 0:
        found = compose("findings.lint.player-edge", edge=_percent(-edge))
        if point is not None:
            found = compose("findings.lint.player-edge-point", edge=_percent(-edge), point=point)
        yield _finding(book, Severity.ERROR, "player-edge", figures, found)
    if edge == 0 and figures.wager.tied is None:
        yield _finding(book, Severity.WARNING, "no-house-edge", figures, compose("findings.lint.no-house-edge"))
    if edge > Fraction(1, 2):
        found = compose("findings.lint.keeps-more-than-half", edge=_percent(edge))
        yield _finding(book, Severity.WARNING, "keeps-more-than-half", figures, found)
    if min_return is not None and figures.return_to_player < min_return:
        share, floor = _percent(figures.return_to_player), _percent(min_return)
        found = compose("findings.lint.return-under-floor", share=share, floor=floor)
        yield _finding(book, Severity.WARNING, "return-under-floor", figures, found)
    for end in figures.ends:
        if end.odds.wins and end.odds.gain < 1 and end.probability < Fraction(1, 2):
            pays, chance = book.printed(end.odds), _percent(end.probability)
            found = compose("findings.lint.pays-less-than-it-risks", row=quoted(end.row), pays=pays, chance=chance)
            yield _finding(book, Severity.WARNING, "pays-less-than-it-risks", figures, found)
        if not end.probability:
            found = compose("findings.lint.row-never-reached", row=quoted(end.row))
            yield _finding(book, Severity.WARNING, "row-never-reached", figures, found)
    yield from _ladder(book, figures)


def _ladder(book: Rulebook, figures: Analysis) -> Iterator[Finding]:
    """Yield pays that fall, or leap out of line, along the counts or from the likeliest row to the rarest."""
    ends = {end.row: end for end in figures.ends}
    spec = figures.wager.spec
    if isinstance(spec, Count | Collect) and spec.rows:
        ladder = [ends[row] for row in dict.fromkeys(spec.rows)]
    else:
        ladder = sorted(figures.ends, key=lambda end: end.probability, reverse=True)
        ladder = [end for end in ladder if end.odds.wins]
    for below, above in pairwise(ladder):
        if above.odds.gain < below.odds.gain:
            rows = {"above": quoted(above.row), "below": quoted(below.row)}
            pays = {"pays": book.printed(above.odds), "less": book.printed(below.odds)}
            yield _finding(
                book, Severity.ERROR, "ladder-falls", figures, compose("findings.lint.ladder-falls", **rows, **pays)
            )


def _siblings(book: Rulebook, analyses: list[Analysis]) -> Iterator[Finding]:
    """Yield edges far from those of the same family, or of the same wager's other pay tables."""
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
                own, usual = _percent(figures.house_edge), _percent(Fraction(middle))
                found = compose("findings.lint.far-from-siblings", edge=own, middle=usual)
                yield _finding(book, Severity.NOTE, "far-from-siblings", figures, found)


def _mirrors(book: Rulebook, analyses: list[Analysis]) -> Iterator[Finding]:
    """Yield bets that pay otherwise than their mirror image (every die turned over), which is as likely."""
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
        edges = {"theirs": _percent(other.house_edge), "edge": _percent(figures.house_edge)}
        found = compose("findings.lint.mirror-pays-differently", other=other.wager.id, **edges)
        yield _finding(book, Severity.WARNING, "mirror-pays-differently", figures, found)


def _wording(book: Rulebook) -> Iterator[Finding]:
    used: dict[str, str] = {}
    for wager in book.wagers.values():
        for rows in wager.pays.values():
            for odds in rows.values():
                if odds.wins:
                    used.setdefault(str(odds.wording), wager.id)
    if len(used) > 1:
        wordings = [{"en": f'"{word}" ({wager})', "zh": f"「{ODDS[word]}」（{wager}）"} for word, wager in used.items()]
        found = compose("findings.lint.mixed-wording", wordings=wordings)
        yield Finding(Severity.NOTE, "mixed-wording", "", None, found, tuple(book.odds.clause))
