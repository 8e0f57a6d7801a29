"""Wagers that one throw decides: those of Sic Bo, and the one-roll bets of craps."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pitbook.audit.wagers import row_reached

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.audit.books import Book
    from pitbook.audit.conditions import Throw


@lru_cache(maxsize=4096)
def rows_reached(book: Book, throw: Throw) -> Mapping[str, str]:
    """Return the row that every offered area reaches: the first that the throw, in ascending order, fits, else lost."""
    wagers = (book.every[name] for name in book.offered)
    return {wager.id: row_reached(wager.wins, throw) or "lose" for wager in wagers if wager.kind == "pattern"}
