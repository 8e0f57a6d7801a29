"""Present figures of a book as JSON; runs in a worker process."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.analysis import compare as comparing
from pitbook.analysis import design as designing
from pitbook.analysis import lint as linting
from pitbook.analysis.variants import Variant, variants
from pitbook.engine.analyse import analyse
from pitbook.money import Odds, parse_share
from pitbook.reports.figures import variant_data
from pitbook.rulebooks.text import Label
from pitbook.server.presenters.books import figure
from pitbook.server.schemas import figures as wire
from pitbook.server.schemas.wagers import Figure, encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pitbook.messages import Language
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager
    from pitbook.server.books.library import ChosenBook, Library
    from pitbook.server.books.selection import PaytableChoices, TrialOdds
    from pitbook.server.schemas.play import Target

_FRACTIONS = (
    "win_probability",
    "push_probability",
    "house_edge",
    "edge_per_resolved",
    "return",
    "variance",
    "expected_rolls",
    "rolls_variance",
    "edge_per_roll",
    "hit_frequency",
)
_DESIGN_FRACTIONS = ("target_edge", "house_edge_now", "house_edge", "off_by", "hit_frequency", "variance")


def find_variants(
    library: Library, chosen: ChosenBook, ids: Sequence[str], tables: PaytableChoices, *, all_readings: bool
) -> list[Variant]:
    """Return the figures of wagers under their pay tables, and optionally under every reading that matters."""

    def reload(readings: Mapping[str, str]) -> Rulebook:
        return library.load_book(
            replace(chosen, readings=tuple(sorted((dict(chosen.readings) | dict(readings)).items())))
        )

    return variants(library.load_book(chosen), ids, tables, reload=reload if all_readings else None)


def book_figures(
    library: Library, chosen: ChosenBook, ids: Sequence[str], tables: PaytableChoices, all_readings: bool
) -> bytes:
    """Return the exact figures of a book's wagers."""
    found = find_variants(library, chosen, ids, tables, all_readings=all_readings)
    payload = wire.BookFigures(chosen.book, chosen.digest, [wager_figures(variant) for variant in found])
    return msgspec.json.encode(payload)


def wager_figures(variant: Variant) -> wire.WagerFigures:
    """Return one wager's figures: those of `pitbook analyse --json`, every fraction with its value."""
    data = variant_data(variant)
    data |= {name: _parse_figure(data[name]) for name in _FRACTIONS}
    data["ends"] = [{**end, "probability": _parse_figure(end["probability"])} for end in data["ends"]]
    data["break_even"] = {row: _parse_figure(odds) for row, odds in data["break_even"].items()}
    if "envy" in data:
        data["envy"] = {
            key: _parse_figure(value) if key not in ("pays", "unit") else value for key, value in data["envy"].items()
        }
    return msgspec.convert(data, wire.WagerFigures)


def _parse_figure(exact: str) -> Figure:
    return Figure(exact, float(Fraction(exact)))


def trial_figures(
    library: Library, chosen: ChosenBook, ids: Sequence[str], tables: PaytableChoices, tries: TrialOdds
) -> bytes:
    """Return what other pays would do, beside what the book pays and the regulator requires."""
    rules = library.load_book(chosen)
    text = library.load_base_book(chosen) or rules
    trials: list[wire.Tried] = []
    for wager_id in ids:
        wager = rules.wager(wager_id)
        odds = {row: Odds.parse(words) for row, words in tries.get(wager_id, {}).items()}
        names = [tables[wager_id]] if wager_id in tables else wager.paytables
        trials += [_trial(rules, text, wager, table, odds) for table in names]
    keeps = all(one.keeps for one in trials)
    return msgspec.json.encode(wire.TriedBook(rules.id, rules.digest, text.odds.basis, keeps, trials))


def _trial(rules: Rulebook, text: Rulebook, wager: Wager, table: str | None, odds: dict[str, Odds]) -> wire.Tried:
    printed, after = analyse(rules, wager, table), analyse(rules, wager, table, pays=odds)
    required = text.every[wager.id].pays[table]
    rows = [
        wire.TriedRow(
            row=row,
            pays=rules.printed(tried),
            printed=rules.printed(wager.pays[table][row]),
            more=figure(tried.gain - wager.pays[table][row].gain),
            asked=text.printed(required[row]),
            keeps=tried.gain >= required[row].gain if text.odds.basis == "minimum" else tried == required[row],
            clause=wager.row_clauses[table][row],
        )
        for row, tried in odds.items()
    ]
    return wire.Tried(
        figures=wager_figures(Variant(rules, after, rules.readings_of(wager))),
        rows=rows,
        house_edge_printed=figure(printed.house_edge),
        house_edge_change=figure(after.house_edge - printed.house_edge),
        keeps=all(row.keeps for row in rows),
    )


def design_result(library: Library, chosen: ChosenBook, target: Target, language: Language) -> bytes:
    """Return the pays that come closest to the targets, with the proof."""
    rules = library.load_book(chosen)
    targets = designing.Targets.read(
        target.target_edge, target.hit_frequency, target.variance, names=("target_edge", "hit_frequency")
    )
    wager = rules.wager(target.wager)
    found = designing.design(
        rules, wager, targets, target.paytable, denominators=target.denominators, rising=target.rising
    )
    data = found.to_dict(language)
    data |= {name: figure(Fraction(data[name])) for name in _DESIGN_FRACTIONS}
    data["steps"] = [step | {"house_edge": figure(Fraction(step["house_edge"]))} for step in data["steps"]]
    return msgspec.json.encode(msgspec.convert(data, wire.Designed))


def lint_result(library: Library, chosen: ChosenBook, min_return: str | None, language: Language) -> bytes:
    """Return what is questionable about a book's pays."""
    rules = library.load_book(chosen)
    floor = parse_share(min_return, "min_return") if min_return is not None else None
    findings = [
        wire.LintFinding(
            severity=_severity(finding),
            rule=finding.rule,
            wager=finding.wager or None,
            paytable=finding.paytable,
            says=finding.message.text(language),
            clauses=list(finding.clauses),
            suspects=list(finding.suspects),
        )
        for finding in linting.lint(rules, floor)
    ]
    return msgspec.json.encode(wire.Linted(rules.id, findings))


def _severity(finding: linting.Finding) -> Any:
    return str(finding.severity)


def comparison_result(library: Library, chosen: Sequence[ChosenBook], wagers: Sequence[str]) -> bytes:
    """Return equal bets under different books, or under the pay tables of one."""
    books = [library.load_book(one) for one in chosen]
    by_id = {book.id: book for book in books}
    rows = comparing.compare(books, list(wagers) or None)
    bets = [
        wire.ComparedBet(
            bet=row.name,
            name=Label(en=row.name, zh=row.chinese),
            found={
                book_id: [
                    wire.ComparedWager(
                        wager=figures.wager.id,
                        paytable=figures.paytable,
                        pays=[by_id[book_id].printed(end.odds) for end in figures.ends if end.odds.wins],
                        win_probability=figure(figures.win_probability),
                        house_edge=figure(figures.house_edge),
                    )
                    for figures in several
                ]
                for book_id, several in row.found.items()
            },
        )
        for row in rows
    ]
    alone = {} if wagers else comparing.only_in(books, rows)
    groups = {} if wagers else comparing.alone_in(books, rows)
    named = {
        book: [
            wire.AloneBets(several[0].name, several[-1].name if len(several) > 1 else None, len(several))
            for several in found
        ]
        for book, found in groups.items()
    }
    return encode(wire.Compared([book.id for book in books], bets, alone, named))
