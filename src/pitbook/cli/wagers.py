"""`pitbook wagers`: list every wager of a book with its pays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.cli.language import bet_name, head, named, odds_text, row_text, say
from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import AsPrinted, BookName, Json, Options, Readings, open_book

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager


def wagers(
    book: BookName,
    *,
    reading: Readings = None,
    option: Options = None,
    as_printed: AsPrinted = False,
    json: Json = False,
) -> None:
    """List every wager of a book: its name, what its rows pay, its clauses."""
    rules = open_book(book, reading, option, as_printed=as_printed)
    if json:
        print_json({"book": rules.id, "wagers": [wager_data(rules, wager) for wager in rules.wagers.values()]})
        return
    print_table(
        say("results.wagers.title", book=named(rules.identity.title), count=len(rules.wagers)),
        head("wager", "name", "pays", "clauses"),
        [
            (wager.id, bet_name(wager.name), format_pays(rules, wager), format_clauses(wager))
            for wager in rules.wagers.values()
        ],
    )


def wager_data(rules: Rulebook, wager: Wager) -> dict[str, object]:
    """Return a wager as JSON."""
    return {
        "wager": wager.id,
        "family": wager.family,
        "selection": wager.selection,
        "group": wager.group,
        "name": wager.name.model_dump(),
        "rows": list(wager.rows),
        "paytables": [
            {"paytable": table, "pays": {row: rules.printed(odds) for row, odds in rows.items()}}
            for table, rows in wager.pays.items()
        ],
        "dealers_get": wager.envy_pays,
        "window": wager.window.model_dump() if wager.window else None,
        "limits": wager.limits.model_dump() if wager.limits else None,
        "clauses": _clauses(wager),
    }


def _clauses(wager: Wager) -> list[str]:
    tables = wager.row_clauses.values()
    return list(dict.fromkeys([*wager.clauses, *(clause for rows in tables for clause in rows.values())]))


def format_clauses(wager: Wager) -> str:
    """Return the clauses that define a wager and set its pays."""
    return ", ".join(_clauses(wager))


def format_pays(rules: Rulebook, wager: Wager) -> str:
    """Return what the winning rows pay, by pay table if there are several."""
    parts = []
    for table, rows in wager.pays.items():
        paid = {row: odds for row, odds in rows.items() if odds.result != "lose"}
        if len(paid) == 1:
            text = odds_text(rules.printed(next(iter(paid.values()))))
        else:
            text = ", ".join(f"{row_text(row)}: {odds_text(rules.printed(odds))}" for row, odds in paid.items())
        parts.append(f"{table}: {text}" if len(wager.pays) > 1 else text)
    return ("\n" if any("," in part for part in parts) else "; ").join(parts)
