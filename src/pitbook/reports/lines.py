"""The lines of a sheet: areas with equal figures share one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitbook.reports.figures import variant_clauses
from pitbook.reports.formats import Figure, break_even, decimal, percentage
from pitbook.reports.volatility import Band, Pace, Shift, build_bands, build_shift
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pitbook.analysis.variants import Variant
    from pitbook.engine.analyse import EndFigures
    from pitbook.rulebooks.model import Rulebook

NONE = Figure("—")


@dataclass(frozen=True, slots=True)
class Mark:
    """A reading behind a figure."""

    label: str
    reading: str
    choice: str
    in_force: bool


@dataclass(frozen=True, slots=True)
class Line:
    """Areas of one family with the same figures, under one pay table and its readings."""

    name: str
    name_zh: str
    which: str
    """The selections, or how many there are; empty if the name is enough."""
    id: str
    """The ids in short: `total/{4, 17}`."""
    ids: tuple[str, ...]
    family: str
    family_name: str
    paytable: str
    marks: tuple[Mark, ...]
    running: bool
    """Whether the figures are from a state other than the start."""
    ways: Figure
    pays: Figure
    chance: Figure
    edge: Figure
    deviation: Figure
    rolls: Figure
    edge_per_roll: Figure
    break_even: Figure
    volatility: Figure
    bands: tuple[Band, ...]
    shift: Shift
    clauses: str

    @property
    def favours_player(self) -> bool:
        """Whether the house loses on average."""
        return self.edge.value < 0

    @property
    def in_force(self) -> bool:
        """Whether all its readings are those in force."""
        return all(mark.in_force for mark in self.marks)

    @property
    def full_name(self) -> str:
        """The name with the selections."""
        return f"{self.name} {self.which}".strip()


@dataclass(frozen=True, slots=True)
class Section:
    """Lines that the book groups together; without a title if it has no groups."""

    title: str
    title_zh: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Area:
    """One area's exact figures under one pay table."""

    id: str
    name: str
    name_zh: str
    paytable: str
    marks: tuple[Mark, ...]
    chance: Figure
    edge: Figure
    rolls: Figure


def build_lines(
    rules: Rulebook, found: Sequence[Variant], labels: Mapping[str, str], pace: Pace
) -> dict[Line, Variant]:
    """Return a line for all areas that share its figures, with the first of them; `labels` names the readings."""
    alike: dict[object, list[Variant]] = {}
    for variant in found:
        alike.setdefault(_figures_key(variant), []).append(variant)
    return {_line(rules, same, labels, pace): same[0] for same in alike.values()}


def _figures_key(variant: Variant) -> object:
    figures, wager = variant.analysis, variant.analysis.wager
    ends = tuple((end.row, variant.book.printed(end.odds), end.probability) for end in figures.ends)
    readings = tuple(variant.readings.items())
    return wager.family, figures.paytable, readings, ends, figures.expected_rolls, wager.envy_pays, _running(variant)


def _running(variant: Variant) -> bool:
    figures = variant.analysis
    return figures.state != machine_of(figures.wager.spec, figures.dice).start()


def _line(rules: Rulebook, same: Sequence[Variant], labels: Mapping[str, str], pace: Pace) -> Line:
    first = same[0]
    figures, wager = first.analysis, first.analysis.wager
    name, name_zh = wager.name.en, wager.name.zh
    which, ways = "", figures.ways
    if len(same) > 1:
        name, name_zh = rules.family_name(wager.family).en, rules.family_name(wager.family).zh
        selections = [str(variant.analysis.wager.selection) for variant in same]
        which = " · ".join(selections) if len(same) <= 4 else f"· {len(same)} areas"
    return Line(
        name=name,
        name_zh=name_zh,
        which=which,
        id=join_ids(variant.analysis.wager.id for variant in same),
        ids=tuple(variant.analysis.wager.id for variant in same),
        family=wager.family,
        family_name=rules.family_name(wager.family).en,
        paytable=figures.paytable or "",
        marks=_marks(rules, first, labels),
        running=_running(first),
        ways=NONE if ways is None else Figure(str(ways), f"{ways} of {figures.throws}", ways),
        pays=_pays(first),
        chance=percentage(figures.win_probability),
        edge=percentage(figures.house_edge),
        deviation=Figure(
            decimal(figures.standard_deviation, 4).text, f"√({figures.variance})", figures.standard_deviation
        ),
        rolls=decimal(figures.expected_rolls, 3),
        edge_per_roll=percentage(figures.edge_per_roll),
        break_even=_break_even(first),
        volatility=decimal(figures.volatility_index, 4),
        bands=build_bands(figures),
        shift=build_shift(figures, pace),
        clauses=join_ids(dict.fromkeys(clause for variant in same for clause in variant_clauses(variant))),
    )


def join_ids(names: Iterable[str]) -> str:
    """Return ids or clauses with the common part before a slash written once.

    >>> join_ids(["parlay/2x2", "parlay/seven", "4(b)"])
    'parlay/{2x2, seven}, 4(b)'
    """
    parts: dict[str, list[str]] = {}
    for name in names:
        before, slash, after = name.partition("/")
        parts.setdefault(before + slash, []).append(after)
    return ", ".join(start + (f"{{{', '.join(ends)}}}" if len(ends) > 1 else ends[0]) for start, ends in parts.items())


def _marks(rules: Rulebook, variant: Variant, labels: Mapping[str, str]) -> tuple[Mark, ...]:
    return tuple(
        Mark(labels[name], name, choice, rules.readings_chosen[name] == choice)
        for name, choice in variant.readings.items()
    )


def _pays(variant: Variant) -> Figure:
    paid = [end.odds for end in variant.analysis.ends if end.odds.wins]
    if not paid:
        return NONE
    low, high = min(paid, key=lambda odds: odds.gain), max(paid, key=lambda odds: odds.gain)
    words = [variant.book.printed(odds) for odds in dict.fromkeys((low, high))]
    return Figure(" … ".join(words), value=float(high.gain))


def _break_even(variant: Variant) -> Figure:
    """Return the break-even odds of a wager with one winning row; a ladder has its own table."""
    winning = [end for end in variant.analysis.ends if end.odds.wins]
    return even_odds(variant, winning[0]) if len(winning) == 1 else NONE


def even_odds(variant: Variant, end: EndFigures) -> Figure:
    """Return the odds of one end at which the edge would be zero."""
    gain = variant.analysis.break_even.get(end.row)
    return NONE if gain is None else break_even(gain, end.odds, variant.book.odds.wording)


def build_sections(rules: Rulebook, lines: Iterable[Line]) -> Iterable[Section]:
    """Yield lines under the headings of the book's groups."""
    grouped: dict[str | None, list[Line]] = {}
    for line in lines:
        grouped.setdefault(rules.wager(line.ids[0]).group, []).append(line)
    for group, members in grouped.items():
        name = rules.groups[group].name if group else None
        yield Section(name.en if name else "", name.zh if name else "", tuple(members))


def build_area(rules: Rulebook, variant: Variant, labels: Mapping[str, str]) -> Area:
    """Return one area's exact figures."""
    figures, wager = variant.analysis, variant.analysis.wager
    return Area(
        id=wager.id,
        name=wager.name.en,
        name_zh=wager.name.zh,
        paytable=figures.paytable or "",
        marks=_marks(rules, variant, labels),
        chance=percentage(figures.win_probability),
        edge=percentage(figures.house_edge),
        rolls=decimal(figures.expected_rolls, 3),
    )
