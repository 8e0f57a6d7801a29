"""The languages of words that are made for a response: written in English or Traditional Chinese, then converted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pitbook.messages.simplified import simplified

if TYPE_CHECKING:
    from pitbook.server.books.wording import Language

SentLanguage = Literal["en", "zh", "zh-Hans"]


def written_in(language: SentLanguage) -> Language:
    """Return the language in which a text is first written."""
    return "en" if language == "en" else "zh"


def in_script(text: str, language: SentLanguage) -> str:
    """Return a text in the script of its language."""
    return simplified(text) if language == "zh-Hans" else text
