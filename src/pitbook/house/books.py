"""The rulebooks of tables, found among the editions that this process has loaded."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pitbook.journal.errors import Damaged
from pitbook.rulebooks.editions import Editions, Part
from pitbook.table.state import Books, Table

if TYPE_CHECKING:
    from pitbook.journal.port import Reader
    from pitbook.rulebooks.model import Rulebook
    from pitbook.table.commands import Setup

KNOWN_MAX = 256


class HouseBooks(Books):
    """Rulebooks by the digests that set-ups record; each is built once."""

    def __init__(self, editions: Editions | None = None) -> None:
        self.editions = editions or Editions()
        self._together: set[str] = set()
        """Digests under which the journal has no text."""
        self._built: dict[tuple[object, ...], Rulebook] = {}
        self._known: dict[int, tuple[Setup, Rulebook]] = {}
        """By identity, as set-ups hold dictionaries; holding the set-up keeps its identity from being used again."""

    def new_table(self, name: str) -> Table:
        """Return a table before its first event, with these books."""
        return Table(name, books=self)

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
        parts = tuple(Part(part.id, part.digest, part.text) for part in setup.books)
        key = setup.book, setup.digest, readings, options, setup.text, parts
        found = self._built.get(key)
        if found is None:
            chosen = setup.readings, setup.options
            found = self.editions.recorded(setup.book, setup.digest, *chosen, setup.text, parts)
            if len(self._built) >= KNOWN_MAX:
                self._built.clear()
            self._built[key] = found
        return found

    def read_text(self, digest: str, reader: Reader) -> None:
        """Take the text of a book from the journal, if it is there and was not read before.

        If it cannot be read, the same text may still come from a file.
        """
        if digest and not self.editions.is_recorded(digest) and digest not in self._together:
            with suppress(Damaged):
                if (content := reader.attachment(digest)) is not None:
                    self.editions.add_recorded(content, digest)
                else:  # of several books on one hand: each has its own text
                    self._together.add(digest)
                    self.read_texts(reader)

    def read_texts(self, reader: Reader) -> None:
        """Take the texts of all books from the journal: a record may go through several editions."""
        with suppress(Damaged):
            for digest in reader.attachments():
                self.read_text(digest, reader)
