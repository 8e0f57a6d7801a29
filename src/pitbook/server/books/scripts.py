"""The languages in which texts of a response are written, as requests name them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pitbook.messages import Language

SentLanguage = Literal["en", "zh", "zh-Hans"]


def message_language(language: SentLanguage) -> Language:
    """Return the language of messages."""
    return "zh-Hant" if language == "zh" else language
