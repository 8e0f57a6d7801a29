"""The language of the command line, chosen by the locale, and its texts."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

from pitbook.messages.languages import language_of

if TYPE_CHECKING:
    from pitbook.messages import Language, Message
    from pitbook.rulebooks.text import BookText, Label

LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The variables that name a locale, in the order of POSIX; the first that is set decides."""


@cache
def language() -> Language:
    """Return the language of the user's locale; English if Pitbook does not speak it."""
    locale = next(filter(None, map(os.environ.get, LOCALE)), "")
    return language_of(locale.partition(".")[0].partition("@")[0]) or "en"


def say(id: str, /, **params: Any) -> str:  # noqa: A002
    """Return a message of the command line in the user's language."""
    from pitbook.messages import compose

    return compose(f"cli.{id}", **params).text(language())


def phrase(text: str | Message) -> str:
    """Return a text, or a message in the user's language."""
    return text if isinstance(text, str) else text.text(language())


def odds_text(odds: str) -> str:
    """Return printed odds as the user's language writes them."""
    from pitbook.messages.values import written

    return written("odds", odds, language())


def named(text: Label | BookText) -> str:
    """Return a name or a text of a book in the user's language."""
    return text.en if language() == "en" else text.zh if language() == "zh-Hant" else text.zh_hans


def bet_name(name: Label) -> str:
    """Return the name of a bet: in both languages for a reader of English, as layouts print it."""
    return name.both("  ") if language() == "en" else named(name)


def word(id: str, value: str) -> str:  # noqa: A002
    """Return the message for a value of a book; a value that the catalogue doesn't have is returned as it is."""
    from pitbook.messages.catalogue import find

    return say(id) if find(f"cli.{id}") else value


def row_text(row: str) -> str:
    """Return the name of a row in which a bet ends; a book can have its own names."""
    return word(f"results.outcomes.{row}", row)


def id_text(kind: str, id: str) -> str:  # noqa: A002
    """Return an id of a book, in Chinese by its name in `messages/names.toml`."""
    from pitbook.messages.message import name_of

    return id if language() == "en" else name_of(kind, id, language())


def head(*ids: str) -> list[str]:
    """Return column headings."""
    return [say(f"columns.{name}") for name in ids]
