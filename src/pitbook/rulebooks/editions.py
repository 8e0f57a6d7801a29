"""Editions of books by the hash of their content, so that a table finds the edition it was opened under.

Every edition that this process knows is here: the files of the house's folder, and the texts that a journal holds.
Packaged books need no keeping; an older edition of one comes from the journal or from a file.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pitbook.errors import InputError
from pitbook.rulebooks.catalogue import PACKAGED, build, digest, load, packaged_raw, read_book

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.patches import Raw


class _Kept(NamedTuple):
    raw: Raw
    file: str
    base: Raw | None
    text: bytes
    """The content as a journal holds it."""
    recorded: bool = False
    """Whether it comes from a journal."""


_SHELF: dict[str, _Kept] = {}
"""By content, so that an entry never changes: keeping a book twice is keeping it once."""
_OFFERED: dict[str, str] = {}
"""The digests of the licensees' own books that new tables can use, by id."""


def keep_file(path: str | Path) -> Rulebook:
    """Reads a licensee's book, keeps it, and gives it as it stands."""
    load(path)  # says all that is wrong with it
    raw, file, base, _ = read_book(path)
    return recorded(file, keep(raw, file, base), {}, {})


def keep(raw: Raw, file: str, base: Raw | None = None) -> str:
    """Keeps a book's data, with that of the book it extends; its digest. New tables can use it from now on."""
    found = digest(raw)
    _SHELF.setdefault(found, _Kept(raw, file, base, _text(raw, base)))
    book = str(raw["book"]["id"])
    if book not in PACKAGED:
        _OFFERED[book] = found
    return found


def keep_text(content: bytes, wanted: str) -> bool:
    """Keep a book from the text that a journal holds; whether it is the book with that digest.

    It replaces what is here under the digest, which does not depend on the order of keys; the recorded text has one.
    """
    try:
        data = json.loads(content)
        raw, base = data["book"], data["extends"]
        if digest(raw) != wanted:
            return False
        file = f"{raw['book']['id']}.toml"
    except (ValueError, KeyError, TypeError, RecursionError):
        return False
    _SHELF[wanted] = _Kept(raw, file, base, content, recorded=True)
    return True


def is_recorded(wanted: str) -> bool:
    """Whether the text of the book with that digest was read from a journal."""
    return wanted in _SHELF and _SHELF[wanted].recorded


def text_of(book: str, wanted: str) -> bytes | None:
    """The text of the book with that digest, as a journal holds it; None where it is not here."""
    if wanted in _SHELF:
        return _SHELF[wanted].text
    for name in PACKAGED:
        if packaged_digest(name) == wanted:
            return _packaged_text(name)
    try:
        raw, _, base, _ = read_book(book)
    except InputError:
        return None
    return _text(raw, base) if digest(raw) == wanted else None


def _text(raw: Raw, base: Raw | None) -> bytes:
    """A book's data as JSON, in the order of its file, together with the data of the book that it extends."""
    data = {"book": raw, "extends": base}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str).encode()


@lru_cache(maxsize=32)
def _packaged_text(book: str) -> bytes:
    return _text(packaged_raw(book), None)


@lru_cache(maxsize=32)
def packaged_digest(book: str) -> str:
    """The digest of a packaged book."""
    return digest(packaged_raw(book))


def kept() -> dict[str, str]:
    """The digests of the licensees' own books that new tables can use, by id."""
    return dict(_OFFERED)


def is_older_edition(book: str, wanted: str) -> bool:
    """Whether new tables get another edition of this book than the one with that digest."""
    current = packaged_digest(book) if book in PACKAGED else _OFFERED.get(book, wanted)
    return current != wanted


def kept_data(wanted: str) -> tuple[Raw, str, Raw | None] | None:
    """A kept book's data, its file's name and the data of the book it extends: what `keep` takes elsewhere."""
    found = _SHELF.get(wanted)
    return (found.raw, found.file, found.base) if found else None


def recorded(
    book: str, wanted: str, readings: Mapping[str, str], options: Mapping[str, str], text: str = ""
) -> Rulebook:
    """The book with that digest: one that was kept, else the packaged one or the file of that name.

    `text` is the SHA-256 of the text in the journal, where an opening recorded it. Raises `ValueError` if there is
    only a book with other content.
    """
    kept = _SHELF.get(wanted)
    if kept is None:
        found = load(book, readings=readings, options=options)
        if found.digest != wanted:
            raise ValueError(f"{book} has changed: {found.digest} is not the recorded {wanted}")
        content = text_of(book, wanted)
    else:
        found = build(kept.raw, kept.file, readings=readings, options=options, base=kept.base)
        content = kept.text
    if text and content is not None and hashlib.sha256(content).hexdigest() != text:
        raise ValueError(f"the text of {book} is not the one recorded: its SHA-256 is not {text}")
    return found
