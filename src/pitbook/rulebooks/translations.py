"""A book's sentences in another language: a file beside the book, that binds nothing.

A translation goes by the sentences themselves, not by keys. So it never stands for a sentence that it was not written
for: where a book's sentence changes, its translation is missing, and the book's own words are shown.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from pitbook.errors import InputError, quoted, suggestion
from pitbook.rulebooks.catalogue import SHIPPED, TRANSLATION, load, read_book, read_toml
from pitbook.rulebooks.errors import BookError, InvalidBook
from pitbook.rulebooks.patches import join_key, split_key
from pitbook.rulebooks.text import SENTENCE, Choice, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.patches import Raw

LANGUAGE = "zh"
"""The language beside English that layouts and pages have."""
KEYS = ("of", "language", "sentences")
_WORD = re.compile(r"[^\W\d_]{2}")
"""A garbled figure like `3()` is the same in every language."""
_PARTS = ("identity", "readings", "options", "procedure", "equipment", "inspections", "irregularities", "clauses")
_FIELDS = {
    name for kind in Text.__subclasses__() for name, key in kind.model_fields.items() if SENTENCE in key.metadata
}

Sentences = dict[str, str]
"""Translations by the book's own sentences."""


@dataclass(frozen=True, slots=True)
class Translated:
    """How far a book is translated."""

    file: str | None
    """Its translation's name; None where it has none of its own."""
    problems: list[BookError] = field(default_factory=list)
    sentences: int = 0
    """How many the book has."""
    missing: list[str] = field(default_factory=list)
    """Those that are shown in English only."""


def sentences(book: Rulebook) -> dict[str, str]:
    """Every sentence of a book that people read, and every name without a label, with the key where it first stands."""
    found = {name: join_key([part, name]) for part in ("options", "readings") for name in getattr(book, part)}
    for part in _PARTS:
        for key, sentence in _sentences(getattr(book, part), [part]):
            if _WORD.search(sentence):
                found.setdefault(sentence, join_key(key))
    return found


def _sentences(part: Any, key: list[str]) -> Iterator[tuple[list[str], str]]:
    if isinstance(part, BaseModel):
        for name, one in type(part).model_fields.items():
            value = getattr(part, name)
            if SENTENCE in one.metadata:
                if value is not None:
                    yield [*key, name], value
            elif isinstance(part, Choice) and name == "set":
                yield from _set(value, [*key, name])
            else:
                yield from _sentences(value, [*key, name])
    elif isinstance(part, list):
        for index, one in enumerate(part):
            yield from _sentences(one, [*key, str(index)])
    elif hasattr(part, "items"):
        for name, one in part.items():
            yield from _sentences(one, [*key, name])


def _set(changes: Mapping[str, Any], key: list[str]) -> Iterator[tuple[list[str], str]]:
    """Yield the sentences of a choice, which can change a sentence, too."""
    for changed, value in changes.items():
        if isinstance(value, str) and split_key(changed)[-1] in _FIELDS:
            yield [*key, changed], value


def is_translation(path: Path) -> bool:
    """Return whether a file is a translation beside a book."""
    return path.name.endswith(TRANSLATION)


def beside(path: Path) -> Path:
    """Return where a book's translation is: `harbour.zh.toml` beside `harbour.toml`."""
    return path.with_name(path.name.removesuffix(".toml") + TRANSLATION)


@cache
def packaged(book: str) -> Sentences:
    """Return the translation of a packaged book."""
    file = resources.files("pitbook.books") / f"{book}{TRANSLATION}"
    found: Sentences = tomllib.loads(file.read_text(encoding="utf-8"))["sentences"]
    return found


def read_translation(path: Path, book: str) -> tuple[Sentences, list[BookError]]:
    """Return the usable translation in a file, and its problems."""
    try:
        raw = read_toml(path)
    except InvalidBook as broken:
        return {}, list(broken.problems)
    except InputError as mistake:
        return {}, [BookError(str(path), "file", str(mistake), "make it readable, or take it away")]
    return _read(raw, str(path), book)


def _read(raw: Raw, file: str, book: str) -> tuple[Sentences, list[BookError]]:
    wrong = [BookError(file, key, "no such key", suggestion(key, KEYS)) for key in raw if key not in KEYS]
    for key, right in (("of", book), ("language", LANGUAGE)):
        if raw.get(key) != right:
            told = f"{quoted(raw[key])} does not fit" if key in raw else "missing"
            wrong.append(BookError(file, key, told, f'write {key} = "{right}"'))
    if wrong:
        return {}, wrong
    entries = raw.get("sentences", {})
    if not isinstance(entries, dict):
        return {}, [BookError(file, "sentences", "not a table", "write [sentences]")]
    kept: Sentences = {}
    for sentence, said in entries.items():
        if isinstance(said, str) and said.strip():
            kept[sentence] = said
        else:
            wrong.append(BookError(file, _place(sentence), "not a sentence", "write its translation as a text"))
    return kept, wrong


def translated(source: str | Path) -> Translated:
    """Return how far a sound book is translated, and what is wrong with its translation."""
    book = load(source)
    said = sentences(book)
    file: str | None = f"{book.id}{TRANSLATION}"
    own: Sentences = {}
    known: Sentences = {}
    problems: list[BookError] = []
    if book.id in SHIPPED:
        own = packaged(book.id)
    else:
        path = beside(Path(source))
        file = str(path) if path.is_file() else None
        if file is not None:
            own, problems = read_translation(path, book.id)
        known = house()
    for sentence, translation in own.items():
        if sentence not in said:
            right = suggestion(sentence, list(said)) if said else "take it out"
            problems.append(BookError(str(file), _place(sentence), "the book does not say this", right))
        elif known.get(sentence, translation) != translation:
            shown = f"a packaged book has it as {quoted(known[sentence])}, and that is shown"
            problems.append(BookError(str(file), _place(sentence), shown, "say the same, or leave it out"))
    missing = [sentence for sentence in said if sentence not in own and sentence not in known]
    return Translated(file, problems, len(said), missing)


def _place(sentence: str) -> str:
    return f"sentences.{quoted(sentence)}"


def translation_beside(path: str | Path) -> tuple[str, Sentences, list[BookError]]:
    """Return a licensee's book's id, the translation beside its file if there is one, and what is wrong with that."""
    raw, *_ = read_book(path)
    book, file = str(raw["book"]["id"]), beside(Path(path))
    return (book, *read_translation(file, book)) if file.is_file() else (book, {}, [])


def house(own: Mapping[str, Sentences] | None = None) -> Sentences:
    """Merge the packaged translations and a house's own. Of two for one sentence, a packaged book's is shown."""
    merged: Sentences = {}
    for one in (own or {}).values():
        merged |= one
    for book in reversed(SHIPPED):
        merged |= packaged(book)
    return merged
