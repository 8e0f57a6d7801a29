"""`pitbook books`: the packaged rulebooks."""

from __future__ import annotations

from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import Json


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
        "Rulebooks",
        ["book", "title", "authority", "wagers", "clauses", "odds"],
        [
            (
                book.id,
                book.identity.title,
                book.identity.authority + (" (inferred)" if "authority" in book.identity.inferred else ""),
                len(book.wagers),
                len(book.clauses),
                book.odds.basis,
            )
            for book in found
        ],
        right=["wagers", "clauses"],
    )
