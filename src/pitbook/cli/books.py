"""`pitbook books`: the packaged rulebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.cli.language import head, named, say
from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import Json

if TYPE_CHECKING:
    from pitbook.rulebooks.text import Identity


def books(*, json: Json = False) -> None:
    """List the rulebooks that come with the software."""
    from pitbook.rulebooks.catalogue import SHIPPED, load
    from pitbook.rulebooks.table_needs import missing_for_table

    found = [load(book_id) for book_id in SHIPPED]
    if json:
        print_json(
            [
                {
                    "book": book.id,
                    "title": book.identity.title,
                    "authority": book.identity.authority,
                    "inferred": book.identity.inferred,
                    "version": book.identity.version,
                    "in_force_since": book.identity.in_force_since,
                    "game": book.identity.game,
                    "wagers": len(book.wagers),
                    "clauses": len(book.clauses),
                    "runs_a_table": not missing_for_table(book),
                    "digest": book.digest,
                }
                for book in found
            ]
        )
        return
    print_table(
        say("results.books.title"),
        head("book", "title", "authority", "wagers", "clauses", "odds"),
        [
            (
                book.id,
                named(book.identity.title),
                _authority(book.identity),
                len(book.wagers),
                len(book.clauses),
                say(f"results.basis.{book.odds.basis}"),
            )
            for book in found
        ],
        right=head("wagers", "clauses"),
    )


def _authority(identity: Identity) -> str:
    if "authority" in identity.inferred:
        return say("results.books.inferred", authority=named(identity.authority))
    return named(identity.authority)
