"""Books in Simplified Chinese. They are written in English and Traditional Chinese, and converted as they are sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel

from pitbook.messages.simplified import simplified
from pitbook.rulebooks.text import Label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitbook.server.books.library import Library
    from pitbook.server.books.wording import Language

SentLanguage = Literal["en", "zh", "zh-Hans"]


def written_in(language: SentLanguage) -> Language:
    """Return the language in which a text is first written."""
    return "en" if language == "en" else "zh"


def in_script(content: bytes, language: SentLanguage) -> bytes:
    """Return a response in the script of its language."""
    return simplified(content.decode()).encode() if language == "zh-Hans" else content


def labels_in_simplified(library: Library) -> dict[str, str]:
    """Return every name in the house's books by its Traditional Chinese, where Simplified differs."""
    names = {label.zh for chosen in library.list_books() for label in _labels(library.load_book(chosen))}
    found = {name: simplified(name) for name in sorted(names)}
    return {name: converted for name, converted in found.items() if converted != name}


def _labels(part: Any) -> Iterator[Label]:
    if isinstance(part, Label):
        yield part
    elif isinstance(part, BaseModel):
        for name in type(part).model_fields:
            yield from _labels(getattr(part, name))
    elif isinstance(part, (list, tuple)):
        for one in part:
            yield from _labels(one)
    elif hasattr(part, "values"):
        for one in part.values():
            yield from _labels(one)
    elif hasattr(part, "__dataclass_fields__"):
        for name in part.__dataclass_fields__:
            yield from _labels(getattr(part, name))
