"""The outcome of a throw of Sic Bo."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitbook.audit.books import Book
    from pitbook.audit.conditions import Throw


def rows_reached(book: Book, dice: Throw) -> dict[str, str]:
    """Return the row that every offered area reaches: the first that the throw fits, else lost."""
    throw = tuple(sorted(dice))
    return {
        name: next((row for row, throws in book.every[name].wins if throw in throws), "lose") for name in book.offered
    }
