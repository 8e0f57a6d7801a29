"""`pitbook compare`: the same bets under different books or pay tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pitbook.cli.language import bet_name, head, say
from pitbook.cli.output import format_percent, format_span, print_json, print_table, print_words
from pitbook.cli.parameters import AsPrinted, Json, open_book

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook


def compare(
    books: Annotated[list[str], Parameter(help=say("help.compare.books"))],
    /,
    *,
    wager: Annotated[list[str] | None, Parameter(name="--wager", negative="", help=say("help.compare.wager"))] = None,
    as_printed: AsPrinted = False,
    json: Json = False,
) -> None:
    """Show the same bet under different books or pay tables side by side, matched by what decides it."""
    from pitbook.analysis.compare import compare as compared
    from pitbook.analysis.compare import only_in
    from pitbook.errors import InputError, unknown_name
    from pitbook.rulebooks.text import Label

    opened: dict[str, Rulebook] = {}
    for word in books:
        found = open_book(word, None, None, as_printed=as_printed)
        name = f"{found.id}@{word.partition('@')[2]}" if "@" in word else found.id
        if name in opened:
            raise InputError("cli.book-twice")
        opened[name] = found
    for word in wager or ():
        if not any(word in book.wagers for book in opened.values()):
            raise unknown_name("wager", word, [w for book in opened.values() for w in book.wagers], ", ".join(books))
    rows = compared(list(opened.values()), wager, list(opened))
    if not rows:
        raise InputError("cli.nothing-shared", books=", ".join(books))
    alone = {} if wager else only_in(list(opened.values()), rows, list(opened))
    if json:
        data: list[dict[str, Any]] = [
            {
                "bet": row.name,
                "in": {
                    book_id: [
                        {
                            "wager": figures.wager.id,
                            "paytable": figures.paytable,
                            "pays": [opened[book_id].printed(end.odds) for end in figures.ends if end.odds.wins],
                            "win_probability": str(figures.win_probability),
                            "house_edge": str(figures.house_edge),
                        }
                        for figures in several
                    ]
                    for book_id, several in row.found.items()
                },
            }
            for row in rows
        ]
        print_json({"books": list(opened), "bets": data, "only_in": alone})
        return
    table = []
    for row in rows:
        cells = []
        for book_id, book in opened.items():
            lines = []
            for figures in row.found.get(book_id, ()):
                several = len({other.wager.id for other in row.found[book_id]}) > 1
                words = [
                    figures.wager.id if several else "",
                    figures.paytable or "",
                    format_span(book, (end.odds for end in figures.ends)),
                    format_percent(figures.house_edge),
                ]
                lines.append("  ".join(filter(None, words)))
            cells.append("\n".join(lines) or "—")
        table.append((bet_name(Label(en=row.name, zh=row.chinese)), *cells))
    print_table(say("results.compare.title"), [*head("bet"), *opened], table)
    for book_id, names in alone.items():
        if len(opened) > 1:
            print_words(say("results.compare.only-in", book=book_id, bets=names))
        else:
            print_words(say("results.compare.one-table", bets=names))
