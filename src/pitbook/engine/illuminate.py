"""Which areas of the layout win on these dice: what the electrical device lights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.engine.progress import advance, fresh

if TYPE_CHECKING:
    from pitbook.dice import Roll
    from pitbook.engine.progress import Progress
    from pitbook.rulebooks.model import Rulebook


def illuminate(book: Rulebook, roll: Roll, progress: Progress | None = None) -> tuple[str, ...]:
    """The areas that win on this roll, in the book's order; from a clear layout unless told how far it has come."""
    ended = advance(book, progress or fresh(book), roll).ended
    return tuple(
        wager_id
        for wager_id, row in ended.items()
        if book.wagers[wager_id].pays[book.paytable(book.wagers[wager_id])][row].wins
    )
