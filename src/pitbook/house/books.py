"""The rulebooks that tables run under, found among the editions that are at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.rulebooks import editions
from pitbook.table.state import Books, Table

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook
    from pitbook.table.commands import Setup

KNOWN_MAX = 256


class EditionBooks(Books):
    """Rulebooks by the digests that set-ups record; each is built once."""

    def __init__(self) -> None:
        self._built: dict[tuple[object, ...], Rulebook] = {}
        self._known: dict[int, tuple[Setup, Rulebook]] = {}
        """By identity, as set-ups hold dictionaries; holding the set-up keeps its identity from being used again."""

    def rules(self, setup: Setup) -> Rulebook:
        """Return the book of a set-up; found at once for one seen before, as every bet asks for it a dozen times."""
        known = self._known.get(id(setup))
        if known is None or known[0] is not setup:
            known = setup, self._found(setup)
            if len(self._known) >= KNOWN_MAX:
                self._known.clear()
            self._known[id(setup)] = known
        return known[1]

    def _found(self, setup: Setup) -> Rulebook:
        readings, options = tuple(sorted(setup.readings.items())), tuple(sorted(setup.options.items()))
        key = setup.book, setup.digest, readings, options, setup.text
        found = self._built.get(key)
        if found is None:
            found = editions.recorded(setup.book, setup.digest, setup.readings, setup.options, setup.text)
            if len(self._built) >= KNOWN_MAX:
                self._built.clear()
            self._built[key] = found
        return found


BOOKS = EditionBooks()
"""For all tables of this process: the editions that it has read."""


def new_table(name: str) -> Table:
    """Return a table before its first event, with the books of this process."""
    return Table(name, books=BOOKS)
