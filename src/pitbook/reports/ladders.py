"""Tables beside a sheet's lines: the ends of ladders, and what envy costs the house."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitbook.reports.formats import Figure, percentage
from pitbook.reports.lines import Line, Mark, even_odds
from pitbook.rulebooks.wagers import ladder_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pitbook.analysis.variants import Variant
    from pitbook.engine.analyse import EndFigures

ENVY_STAKES = (1, 5, 25, 100)
"""The stakes at which a fixed envy is shown, in whole units of the currency."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The pay of one end under one pay table, and its contribution to the return."""

    pays: str
    adds: Figure
    break_even: Figure


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One end of a ladder."""

    row: str
    probability: Figure
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Ladder:
    """A wager with several paying rows: its ends, under each pay table and reading with equal chances."""

    title: str
    title_zh: str
    id: str
    counts: str
    """The unit that the rows count."""
    marks: tuple[Mark, ...]
    """The readings not in force that all columns share."""
    columns: tuple[Line, ...]
    rows: tuple[LadderRow, ...]
    returns: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class EnvyLine:
    """The house edge of a wager before and after envy."""

    line: Line
    dealers: str
    after: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class EnvyTable:
    """Envy in one unit; `stakes` is empty if the cost does not depend on the stake."""

    unit: str
    stakes: tuple[int, ...]
    lines: tuple[EnvyLine, ...]


def build_ladders(lines: Mapping[Line, Variant]) -> Iterable[Ladder]:
    """Yield tables of ladders; those whose ends are equally likely share one, whatever they pay."""
    alike: dict[object, list[Line]] = {}
    for line, variant in lines.items():
        ends = variant.analysis.ends
        if sum(end.odds.wins for end in ends) > 1 or any(end.odds.gain == 0 for end in ends):
            likely = tuple((end.row, end.probability) for end in ends)
            alike.setdefault((line.family, line.ids, likely), []).append(line)
    for columns in alike.values():
        visible = [lines[line] for line in columns]
        rows = []
        for place, end in enumerate(visible[0].analysis.ends):
            cells = tuple(_cell(variant, variant.analysis.ends[place]) for variant in visible)
            rows.append(LadderRow(end.row, percentage(end.probability), cells))
        returns = tuple(percentage(variant.analysis.return_to_player) for variant in visible)
        first, spec = columns[0], visible[0].analysis.wager.spec
        counts = ladder_of(spec)
        shared = tuple(
            mark for mark in first.marks if not mark.in_force and all(mark in line.marks for line in columns)
        )
        yield Ladder(
            title=first.full_name,
            title_zh=first.name_zh,
            id=first.id,
            counts=counts,
            marks=shared,
            columns=tuple(columns),
            rows=tuple(rows),
            returns=returns,
        )


def _cell(variant: Variant, end: EndFigures) -> Cell:
    adds = percentage(end.probability * (1 + end.odds.gain))
    return Cell(variant.book.printed(end.odds), adds, even_odds(variant, end))


def build_envy_tables(lines: Mapping[Line, Variant]) -> Iterable[EnvyTable]:
    """Yield what envy leaves of the house edge, by the unit it is paid in."""
    by_unit: dict[str, list[EnvyLine]] = {}
    for line, variant in lines.items():
        envy, pays = variant.analysis.envy, variant.analysis.wager.envy_pays
        if envy and pays:
            flat = envy.unit == "currency"
            after = [percentage(variant.analysis.edge_after_envy(stake)) for stake in (ENVY_STAKES if flat else (1,))]
            dealers = f"{pays} {variant.book.identity.currency}" if flat else f"{pays} × the wager"
            by_unit.setdefault(envy.unit, []).append(EnvyLine(line, dealers, tuple(after)))
    for unit, members in by_unit.items():
        yield EnvyTable(unit, ENVY_STAKES if unit == "currency" else (), tuple(members))
