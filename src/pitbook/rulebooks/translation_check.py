"""The state of a book's translation: missing texts and errors."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel

from pitbook.errors import InputError, quoted
from pitbook.rulebooks.catalogue import SHIPPED, load, read_book
from pitbook.rulebooks.errors import BookError, problem, solution
from pitbook.rulebooks.patches import get_key, join_key, split_key
from pitbook.rulebooks.text import BookText, Choice, Text
from pitbook.rulebooks.translations import ENDING, SHORT, english_of, packaged, read_beside, translate, translation_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.translations import Translation

_WORD = re.compile(r"[^\W\d_]{2}")
"""A garbled figure like `3()` is the same in every language."""
_PARTS = {
    "book": "identity",
    "reading": "readings",
    "option": "options",
    "procedure": "procedure",
    "equipment": "equipment",
    "inspection": "inspections",
    "irregularity": "irregularities",
    "clauses": "clauses",
}
_TEXT_FIELDS = {
    name
    for kind in Text.__subclasses__()
    for name, key in kind.model_fields.items()
    if BookText in (key.annotation, *get_args(key.annotation))
}


@dataclass(frozen=True, slots=True)
class Coverage:
    """The state of a book's translation."""

    file: str | None
    """Its translation's name; None if it has none."""
    problems: list[BookError] = field(default_factory=list)
    texts: int = 0
    """How many the book has."""
    missing: list[str] = field(default_factory=list)
    """The keys of those that are shown in English only."""


def texts(book: Rulebook) -> dict[str, BookText]:
    """Return every text of a book that people read, by its key in the book."""
    found = {}
    for section, part in _PARTS.items():
        for key, text in _texts(getattr(book, part), [section]):
            if _WORD.search(text):
                found[join_key(key)] = text
    return found


def _texts(part: Any, key: list[str]) -> Iterator[tuple[list[str], BookText]]:
    if isinstance(part, BookText):
        yield key, part
    elif isinstance(part, BaseModel):
        for name in type(part).model_fields:
            value = getattr(part, name)
            yield from (
                _set(value, [*key, name]) if isinstance(part, Choice) and name == "set" else _texts(value, [*key, name])
            )
    elif isinstance(part, list):
        for index, one in enumerate(part):
            yield from _texts(one, [*key, getattr(one, "id", str(index))])
    elif hasattr(part, "items"):
        for name, one in part.items():
            yield from _texts(one, [*key, name])


def _set(changes: Mapping[str, Any], key: list[str]) -> Iterator[tuple[list[str], BookText]]:
    """Yield the texts of a choice, which can change a text, too."""
    for changed, value in changes.items():
        if isinstance(value, str) and split_key(changed)[-1] in _TEXT_FIELDS:
            yield [*key, changed], value if isinstance(value, BookText) else BookText(value)


def check_translation(source: str | Path) -> Coverage:
    """Return the state of a valid book's translation, and its errors."""
    book = load(source)
    translatable = texts(book)
    missing = [key for key, text in translatable.items() if text.zh == text.en]
    if book.id in SHIPPED:
        file = f"{book.id}{ENDING}"
        return Coverage(file, list(_find_stale(packaged(book.id), source, file)), len(translatable), missing)
    path = translation_path(Path(source))
    if not path.is_file():
        return Coverage(None, [], len(translatable), missing)
    own, problems = read_beside(Path(source), book.id)
    return Coverage(str(path), [*problems, *_find_stale(own, source, str(path))], len(translatable), missing)


def _find_stale(translation: Translation, source: str | Path, file: str) -> Iterator[BookError]:
    """Yield what a translation has and the book doesn't, and what the extended book translates itself."""
    raw, _, base, _ = read_book(source)
    known = packaged(base["book"]["id"]) if base else {}
    named = translate(raw, [])
    for key, text in translation.items():
        if key == SHORT and "short" not in raw["book"]:
            continue
        try:
            says = english_of(get_key(named, key))
        except InputError as unknown:
            yield BookError(file, key, problem("no-text"), unknown.message)
            continue
        if says != text.en:
            wrong = problem("no-text") if says is None else problem("other-text", text=quoted(says))
            yield BookError(file, key, wrong, solution("translate"))
        elif known.get(key, text) != text and known[key].en == text.en:
            yield BookError(file, key, problem("translated", text=quoted(known[key].zh)), solution("leave-out"))
