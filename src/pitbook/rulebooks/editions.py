"""Editions of books by the hash of their content, so that a table finds the edition it was opened under."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pitbook.errors import InputError, unknown_name
from pitbook.rulebooks.catalogue import SHIPPED, build, digest, load, packaged_raw, read_book
from pitbook.rulebooks.composition import choices_by_book, compose, parts_of
from pitbook.rulebooks.composition import digest_of as composed_digest
from pitbook.rulebooks.patches import Raw
from pitbook.rulebooks.translations import Translation, read_beside

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pitbook.rulebooks.model import Rulebook

BookData = tuple[Raw, str, Raw | None, Sequence[Translation]]
"""A book's data, its file's name, the data of the book that it extends, and translations."""


class _Edition(NamedTuple):
    raw: Raw
    file: str
    base: Raw | None
    """The data of the book that it extends."""
    text: bytes
    """The content as a journal holds it."""
    recorded: bool = False
    """Whether it comes from a journal."""


class Part(NamedTuple):
    """One of several books on one hand, by its edition."""

    id: str
    digest: str
    text: str = ""
    """The SHA-256 of its text in the journal."""


class Editions:
    """The editions known to a house: the packaged books, the files of its own folder, and texts from its journal."""

    def __init__(self, books: Iterable[BookData] = ()) -> None:
        """Start with the packaged books and with these."""
        self._editions: dict[str, _Edition] = {}
        """By digest, so that adding a book twice is adding it once."""
        self._offered: dict[str, str] = {}
        self._compositions: dict[str, tuple[Part, ...]] = {}
        """The books of several on one hand, by their digest together."""
        self._translations: dict[str, list[Translation]] = {}
        """Those of the house's own books, by the books' ids: one for each edition."""
        for data in books:
            self.add(*data)

    def add_file(self, path: str | Path) -> Rulebook:
        """Add a licensee's book and return it under its default readings."""
        load(path)  # raises with everything that is wrong with it
        raw, file, base, _ = read_book(path)
        chinese, _ = read_beside(Path(path), str(raw["book"]["id"]))
        return self.recorded(file, self.add(raw, file, base, [chinese]), {}, {})

    def add(self, raw: Raw, file: str, base: Raw | None = None, chinese: Sequence[Translation] = ()) -> str:
        """Add a book's data, which new tables can use from now on, and its translations; return its digest."""
        found = digest(raw)
        self._editions.setdefault(found, _Edition(raw, file, base, _text(raw, base)))
        book = str(raw["book"]["id"])
        known = self._translations.setdefault(book, [])
        known += [one for one in chinese if one and one not in known]
        if book not in SHIPPED:
            self._offered[book] = found
        return found

    def add_recorded(self, content: bytes, wanted: str) -> bool:
        """Add a book from the text in a journal; return whether it is the book with that digest.

        It replaces an edition with the same digest, which does not depend on the order of keys; the recorded text does.
        """
        try:
            data = json.loads(content)
            raw, base = data["book"], data["extends"]
            if digest(raw) != wanted:
                return False
            file = f"{raw['book']['id']}.toml"
        except (ValueError, KeyError, TypeError, RecursionError):
            return False
        self._editions[wanted] = _Edition(raw, file, base, content, recorded=True)
        return True

    def is_recorded(self, wanted: str) -> bool:
        """Return whether the text of the book with that digest was read from a journal."""
        return wanted in self._editions and self._editions[wanted].recorded

    def text_of(self, book: str, wanted: str) -> bytes | None:
        """Return the text of the book with that digest, as a journal holds it; None if it is not allowed here."""
        if wanted in self._editions:
            return self._editions[wanted].text
        for name in SHIPPED:
            if packaged_digest(name) == wanted:
                return _packaged_text(name)
        try:
            raw, _, base, _ = read_book(book)
        except InputError:
            return None
        return _text(raw, base) if digest(raw) == wanted else None

    def digest_of(self, book: str) -> str:
        """Return the digest of the edition that new tables get; of several books joined by +, theirs together."""
        parts = parts_of(book)
        if len(parts) > 1:
            return composed_digest(self.digest_of(part) for part in parts)
        if book not in SHIPPED and book not in self._offered:
            raise unknown_name("book", book, [*SHIPPED, *self._offered])
        return packaged_digest(book) if book in SHIPPED else self._offered[book]

    @property
    def offered(self) -> dict[str, str]:
        """The digests of the licensees' own books that new tables can use, by id."""
        return dict(self._offered)

    def is_older(self, book: str, wanted: str) -> bool:
        """Return whether new tables get another edition of this book than the one with that digest."""
        try:
            return self.digest_of(book) != wanted
        except InputError:  # a book that is no longer offered
            return False

    def data_of(self, wanted: str) -> BookData | None:
        """Return the data of an edition that was added, as `add` takes it; None of one that was not."""
        found = self._editions.get(wanted)
        return (found.raw, found.file, found.base, self._chinese(found)) if found else None

    def _chinese(self, edition: _Edition) -> Sequence[Translation]:
        """Return the translations that were added with the editions of a book."""
        return self._translations.get(str(edition.raw["book"]["id"]), ())

    def newest(
        self, book: str, *, readings: Mapping[str, str] | None = None, options: Mapping[str, str] | None = None
    ) -> Rulebook:
        """Return a packaged book or one of the house's own; no name leads to a file."""
        return self.recorded(book, self.digest_of(book), readings or {}, options or {})

    def recorded(
        self,
        book: str,
        wanted: str,
        readings: Mapping[str, str],
        options: Mapping[str, str],
        text: str = "",
        parts: Sequence[Part] = (),
    ) -> Rulebook:
        """Return the book with that digest: one that was added, else the packaged one or the file of that name.

        `text` is the SHA-256 of the text in the journal, where an opening recorded it. `parts` are the editions of
        several books on one hand. Raise `ValueError` if there is only a book with other content.
        """
        if len(parts_of(book)) > 1:
            return self._composed(book, wanted, readings, options, parts)
        known = self._editions.get(wanted)
        if known is None:
            found = load(book, readings=readings, options=options)
            if found.digest != wanted:
                raise ValueError(f"{book} has changed: {found.digest} is not the recorded {wanted}")
            content = self.text_of(book, wanted)
        elif book in SHIPPED and known.text == _packaged_text(book):  # which is built already, in most processes
            found, content = load(book, readings=readings, options=options), known.text
        else:
            chinese = self._chinese(known)
            found = build(known.raw, known.file, readings=readings, options=options, base=known.base, chinese=chinese)
            content = known.text
        if text and content is not None and hashlib.sha256(content).hexdigest() != text:
            raise ValueError(f"the text of {book} is not the one recorded: its SHA-256 is not {text}")
        return found

    def is_composed(self, wanted: str) -> bool:
        """Return whether several books were joined under that digest."""
        return wanted in self._compositions

    def parts(self, book: str, wanted: str) -> tuple[Part, ...]:
        """Return the editions of several books on one hand: those recorded under that digest, else the present ones."""
        known = self._compositions.get(wanted)
        return known or tuple(Part(name, self.digest_of(name)) for name in parts_of(book))

    def _composed(
        self, book: str, wanted: str, readings: Mapping[str, str], options: Mapping[str, str], parts: Sequence[Part]
    ) -> Rulebook:
        editions = tuple(parts) or self.parts(book, wanted)
        if composed_digest(part.digest for part in editions) != wanted:
            raise ValueError(f"{book} has changed: its books are not those recorded as {wanted}")
        self._compositions[wanted] = editions
        raws = {part.id: self._raw(part) for part in editions}
        chosen = choices_by_book(raws, readings, options)
        return compose([self.recorded(part.id, part.digest, *chosen[part.id], part.text) for part in editions])

    def _raw(self, part: Part) -> Raw:
        known = self._editions.get(part.digest)
        return known.raw if known else read_book(part.id)[0]


def _text(raw: Raw, base: Raw | None) -> bytes:
    """Return a book's data as JSON, in the order of its file, together with the data of the book that it extends."""
    data = {"book": raw, "extends": base}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str).encode()


@cache
def _packaged_text(book: str) -> bytes:
    return _text(packaged_raw(book), None)


@cache
def packaged_digest(book: str) -> str:
    """Return the digest of a packaged book."""
    return digest(packaged_raw(book))
