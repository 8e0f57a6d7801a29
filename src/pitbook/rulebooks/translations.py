"""Chinese for a book's texts: a file beside the book, in the book's shape, that is not binding.

Each text is found by its key in the book. The file repeats its English, so that no translation is shown for a text that
has changed since: then the book's own words are.
"""

from __future__ import annotations

import tomllib
from contextlib import suppress
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.errors import InputError, quoted, suggestion
from pitbook.rulebooks.errors import BookError, InvalidBook, problem, solution
from pitbook.rulebooks.patches import copied, get_key, join_key, set_key
from pitbook.rulebooks.text import BookText
from pitbook.rulebooks.toml_files import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pitbook.rulebooks.patches import Raw

ENDING = ".zh.toml"
"""The suffix of a translation, which is beside its book and not a book itself."""
LANGUAGE = "zh"
SECTIONS = (
    "book", "group", "wager", "reading", "option", "procedure", "equipment", "inspection", "irregularity", "role",
    "layout", "clauses",
)  # fmt: skip
"""The parts of a book with texts and names. A name has its Chinese in the book; a translation can correct it."""
NAMED = ("reading", "option")
"""The parts whose entries can have a name; its id, unless stated."""


class Translated(NamedTuple):
    """A text in English and Chinese."""

    en: str
    zh: str


SHORT = "book.short"
"""The short name of a book, which a translation can give where the book has none: no rule depends on it."""
Translation = dict[str, Translated]
"""The texts of a book by their keys, like `procedure.round.shake.says`."""


def translate(raw: Raw, translations: Iterable[Translation]) -> Raw:
    """Return a copy of a book's data with translated texts; of several translations of one text, the last counts."""
    copy: Raw = copied(raw)
    for section in NAMED:
        entries = copy.get(section)
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            if isinstance(entry, dict):
                entry.setdefault("name", name)
    for translation in translations:
        _shorten(copy.get("book"), translation)
        for key, text in translation.items():
            with suppress(InputError):
                found = get_key(copy, key)
                if english_of(found) != text.en:
                    continue
                set_key(copy, key, BookText(*text) if isinstance(found, str) else text._asdict())
    return copy


def _shorten(book: Any, translation: Translation) -> None:
    """Give a book without a short name the one of its translation, if that is of a book with this title."""
    short, title = translation.get(SHORT), translation.get("book.title")
    if not isinstance(book, dict) or "short" in book or short is None:
        return
    if title is None or title.en == english_of(book.get("title")):
        book["short"] = BookText(*short)


def english_of(value: Any) -> str | None:
    """Return the English of a text or a name in a book's data; None for anything else.

    >>> english_of("roll"), english_of({"en": "Small", "zh": "小"}), english_of(3)
    ('roll', 'Small', None)
    """
    if isinstance(value, dict) and value.keys() == {"en", "zh"}:
        value = value["en"]
    return value if isinstance(value, str) else None


def is_translation(path: Path) -> bool:
    """Return whether a file is a translation beside a book."""
    return path.name.endswith(ENDING)


def translation_path(path: Path) -> Path:
    """Return where a book's translation is: `harbour.zh.toml` beside `harbour.toml`."""
    return path.with_name(path.name.removesuffix(".toml") + ENDING)


@cache
def packaged(book: str) -> Translation:
    """Return the translation of a packaged book."""
    name = f"{book}{ENDING}"
    raw = tomllib.loads((resources.files("pitbook.books") / name).read_text(encoding="utf-8"))
    found, problems = _read(raw, name, book)
    if problems:
        raise InvalidBook(problems)
    return found


def read_beside(path: Path, book: str) -> tuple[Translation, list[BookError]]:
    """Return the translation beside a book's file, none if there is no such file, and what is wrong with it."""
    file = translation_path(path)
    if not file.is_file():
        return {}, []
    try:
        raw = read_toml(file)
    except InvalidBook as broken:
        return {}, list(broken.problems)
    except InputError as mistake:
        return {}, [BookError(str(file), "file", mistake.message, solution("readable"))]
    return _read(raw, str(file), book)


def _read(raw: Raw, file: str, book: str) -> tuple[Translation, list[BookError]]:
    head = {"of": book, "language": LANGUAGE}
    keys = [*head, *SECTIONS]
    wrong = [BookError(file, key, problem("no-key"), suggestion(key, keys)) for key in raw if key not in keys]
    for key, right in head.items():
        if raw.get(key) != right:
            found = problem("unfit-value", value=quoted(raw[key])) if key in raw else problem("missing")
            wrong.append(BookError(file, key, found, solution("write", text=f'{key} = "{right}"')))
    if wrong:
        return {}, wrong
    valid: Translation = {}
    for parts, value in _texts({section: raw[section] for section in SECTIONS if section in raw}, []):
        key = join_key(parts)
        if _is_text(value):
            valid[key] = Translated(value["en"], value["zh"])
        else:
            wrong.append(BookError(file, key, problem("not-two-languages"), solution("both-languages")))
    return valid, wrong


def _texts(part: Any, key: list[str]) -> Iterator[tuple[list[str], Any]]:
    if isinstance(part, dict) and not part.keys() & {"en", "zh"}:
        for name, value in part.items():
            yield from _texts(value, [*key, name])
    else:
        yield key, part


def _is_text(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"en", "zh"}
        and all(isinstance(one, str) and one.strip() for one in value.values())
    )
