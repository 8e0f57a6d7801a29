"""Which areas of the layout win on these dice: what the electrical device lights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.engine.progress import advance, initial_progress

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.dice import Roll
    from pitbook.engine.progress import Progress
    from pitbook.rulebooks.model import Rulebook


def illuminate(
    book: Rulebook,
    roll: Roll,
    progress: Progress | None = None,
    paytables: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """Return the areas that win on this roll, in the book's order.

    From a clear layout unless progress is given; by the pay tables named for wagers, the first otherwise.
    """
    ended = advance(book, progress or initial_progress(book), roll).ended
    lit = []
    for wager_id, row in ended.items():
        wager = book.wagers[wager_id]
        if wager.pays[book.paytable(wager, (paytables or {}).get(wager_id))][row].wins:
            lit.append(wager_id)
    return tuple(lit)
