"""`pitbook analyse`: exact figures of every wager."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pitbook.cli.language import head, named, say
from pitbook.cli.output import check_new_file, format_percent, format_span, print_json, print_table
from pitbook.cli.parameters import (
    AsPrinted,
    BookName,
    Force,
    Json,
    Options,
    Paytables,
    Readings,
    find_paytables,
    open_book,
    parse_options,
)
from pitbook.errors import InputError, quoted
from pitbook.reports.volatility import SheetForm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.analysis.variants import Variant
    from pitbook.rulebooks.model import Rulebook


def analyse(
    book: BookName,
    wagers: Annotated[list[str] | None, Parameter(help=say("help.analyse.wagers"))] = None,
    /,
    *,
    paytable: Paytables = None,
    reading: Readings = None,
    option: Options = None,
    as_printed: AsPrinted = False,
    all_readings: Annotated[
        bool, Parameter(name="--all-readings", negative="", help=say("help.analyse.all-readings"))
    ] = False,
    after: Annotated[str | None, Parameter(help=say("help.analyse.after"))] = None,
    duration: Annotated[int | None, Parameter(help=say("help.analyse.duration"))] = None,
    covariance: Annotated[bool, Parameter(negative="", help=say("help.analyse.covariance"))] = False,
    json: Json = False,
    csv: Annotated[bool, Parameter(negative="", help=say("help.analyse.csv"))] = False,
    html: Annotated[Path | None, Parameter(help=say("help.analyse.html"))] = None,
    pdf: Annotated[Path | None, Parameter(help=say("help.analyse.pdf"))] = None,
    form: Annotated[SheetForm | None, Parameter(name="--format", help=say("help.analyse.format"))] = None,
    output: Annotated[Path | None, Parameter(name="--output", help=say("help.analyse.output"))] = None,
    prepared_by: Annotated[str, Parameter(name="--prepared-by", help=say("help.analyse.prepared-by"))] = "",
    approved_by: Annotated[str, Parameter(name="--approved-by", help=say("help.analyse.approved-by"))] = "",
    rounds_per_hour: Annotated[int, Parameter(name="--rounds-per-hour", help=say("help.analyse.rounds-per-hour"))] = 60,
    shift_hours: Annotated[int, Parameter(name="--shift-hours", help=say("help.analyse.shift-hours"))] = 8,
    force: Force = False,
) -> None:
    """Exact chance, house edge, variance and duration of every wager, under any pay table and reading."""
    from pitbook.analysis.variants import reloader, variants
    from pitbook.reports.figures import figures_csv, figures_data

    if form and not output:
        output = Path(f"{Path(book).stem}.{form}")
    files = [path for path in (html, pdf, output) if path]
    if files and (json or csv or covariance or duration is not None):
        raise InputError("cli.report-alone")
    if all_readings and (covariance or after is not None):
        raise InputError("cli.one-reading")
    for path in files:
        check_new_file(path, force=force)
    rules = open_book(book, reading, option, as_printed=as_printed)
    ids = find_wagers(rules, wagers)
    tables = find_paytables(rules, paytable)
    reload = reloader(book, parse_options(option)) if all_readings else None
    found = variants(rules, ids, tables, reload=reload) if after is None else _variants_after(rules, ids, tables, after)
    if files:
        from pitbook.reports.contents import Filing
        from pitbook.reports.sheet import form_of, write_sheets
        from pitbook.reports.volatility import Pace

        forms: dict[Path, SheetForm] = {path: "html" if path == html else "pdf" for path in files if path != output}
        if output:
            forms[output] = form or form_of(output)
        today = date.today()  # noqa: DTZ011 - the day where it is made
        write_sheets(rules, found, forms, Filing(today, prepared_by, approved_by, Pace(rounds_per_hour, shift_hours)))
        for path in files:
            print(say("results.analyse.written", file=path, count=len(found)))
        return
    extra = _extra_figures(rules, found, duration, covariance=covariance)
    if json:
        print_json(figures_data(rules, found) | extra)
    elif csv:
        sys.stdout.write(figures_csv(found))
    else:
        print_figures(rules, found)
        _print_extra(extra)


def find_wagers(rules: Rulebook, words: Sequence[str] | None) -> list[str] | None:
    """Return the wagers meant by ids and families; None for all."""
    if not words:
        return None
    ids: list[str] = []
    for word in words:
        family = [wager.id for wager in rules.wagers.values() if word in (wager.family, wager.group)]
        ids += family or [rules.wager(word).id]
    return list(dict.fromkeys(ids))


def _variants_after(rules: Rulebook, ids: list[str] | None, tables: dict[str, str], after: str) -> list[Variant]:
    from pitbook.analysis.variants import Variant
    from pitbook.dice import parse_rolls
    from pitbook.engine.analyse import analyse as figures
    from pitbook.engine.progress import PAID, advance, initial_progress

    progress = initial_progress(rules)
    for roll in parse_rolls(after, rules.dice):
        progress = advance(rules, progress, roll).progress
    found: list[Variant] = []
    for wager_id in ids or rules.wagers:
        wager, area = rules.wagers[wager_id], progress.areas[wager_id]
        if area.state != PAID:
            found += [
                Variant(rules, figures(rules, wager, table, state=area.state), rules.readings_of(wager))
                for table in ([tables[wager_id]] if wager_id in tables else wager.paytables)
            ]
    if not found:
        raise InputError("cli.none-running", rolls=quoted(after))
    return found


def print_figures(rules: Rulebook, found: Sequence[Variant]) -> None:
    """Print a table of figures."""
    many = any(len(variant.analysis.wager.paytables) > 1 for variant in found)
    readings = any(variant.readings for variant in found)
    columns = head("wager", *(["table"] if many else []), "pays", "chance", "house-edge", "deviation", "rolls")
    columns += head("readings") if readings else []
    rows = []
    for variant in found:
        figures = variant.analysis
        row: list[str] = [figures.wager.id]
        row += [str(figures.paytable or "")] if many else []
        row += [
            format_span(variant.book, (end.odds for end in figures.ends)),
            format_percent(figures.win_probability),
            format_percent(figures.house_edge),
            f"{figures.standard_deviation:.4f}",
            f"{float(figures.expected_rolls):.3f}",
        ]
        row += [" ".join(f"{name}={choice}" for name, choice in variant.readings.items())] if readings else []
        rows.append(row)
    right = head("chance", "house-edge", "deviation", "rolls")
    print_table(say("results.analyse.title", book=named(rules.identity.title)), columns, rows, right=right)
    print(say("results.analyse.fractions"))


def _extra_figures(rules: Rulebook, found: Sequence[Variant], rolls: int | None, *, covariance: bool) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    if rolls is not None:
        from pitbook.engine.duration import duration

        extra["durations"] = []
        data = set()
        for variant in found:
            figures = variant.analysis
            case = figures.wager.id, tuple(variant.readings.items())
            if case in data:
                continue  # pays do not change how long it lasts
            data.add(case)
            lasting = duration(variant.book, figures.wager, rolls, state=figures.state)
            extra["durations"].append(
                {
                    "wager": figures.wager.id,
                    "readings": dict(variant.readings),
                    "ends_on": [str(chance) for chance in lasting.ends_on],
                    "longer": str(lasting.longer),
                }
            )
    if covariance:
        from pitbook.engine.covariance import covariance as together

        if len(found) < 2:
            raise InputError("cli.covariance-few")
        if len(found) > 12:
            raise InputError("cli.covariance-many", count=len(found))
        extra["covariances"] = []
        for place, a in enumerate(found):
            for b in found[place + 1 :]:
                first, second = a.analysis, b.analysis
                tables, states = (first.paytable, second.paytable), (first.state, second.state)
                both = together(rules, first.wager, second.wager, tables, states)
                extra["covariances"].append(
                    {
                        "wagers": [first.wager.id, second.wager.id],
                        "paytables": [first.paytable, second.paytable],
                        "covariance": str(both.covariance),
                        "correlation": both.correlation,
                    }
                )
    return extra


def _print_extra(extra: dict[str, Any]) -> None:
    from fractions import Fraction

    for lasting in extra.get("durations", ()):
        chances = [Fraction(chance) for chance in lasting["ends_on"]]
        rows: list[tuple[object, ...]] = []
        so_far = Fraction(0)
        for number, chance in enumerate(chances, 1):
            so_far += chance
            rows.append((number, format_percent(chance), format_percent(so_far)))
        rows.append((f"> {len(chances)}", format_percent(Fraction(lasting["longer"])), format_percent(1)))
        under = " ".join(f"{name}={choice}" for name, choice in lasting["readings"].items())
        title = say("results.analyse.ends-on", wager=lasting["wager"])
        if under:
            title = say("results.analyse.ends-on-under", wager=lasting["wager"], readings=under)
        columns = head("roll", "chance", "by-then")
        print_table(title, columns, rows, right=columns)
    if "covariances" in extra:
        rows = [
            (*pair["wagers"], f"{float(Fraction(pair['covariance'])):.6f}", f"{pair['correlation']:.4f}")
            for pair in extra["covariances"]
        ]
        columns = head("wager", "wager", "covariance", "correlation")
        print_table(say("results.analyse.together"), columns, rows)
