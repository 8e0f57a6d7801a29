"""Small changes to single values of a book, which the clause's test must detect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pitbook.rulebooks.patches import get_key, join_key, split_key
from pitbook.rulebooks.text import Text

ALTERNATIVES: dict[str, list[Any]] = {
    "any seven": ["seven-out"],
    "seven-out": ["any seven"],
    "come-out": ["any roll"],
    "any roll": ["come-out"],
    "own": ["none"],
    "none": ["own"],
    "wait for a seven": ["open again"],
    "open again": ["wait for a seven"],
    "points made": ["pass line wins"],
    "pass line wins": ["points made"],
    "pay winners": ["collect losers"],
    "minimum": ["fixed"],
    "fixed": ["minimum"],
    "currency": ["multiple of the wager"],
    "push": ["1 to 1"],
    "lose": ["1 to 1", "push"],
    "rolls": ["points made"],
    "pass-line": ["dont-pass"],
    "dont-pass": ["pass-line"],
    "come": ["dont-come"],
    "dont-come": ["come"],
}
"""Words with a fixed choice of others."""


def leaves(raw: dict[str, Any], key: str) -> Iterator[str]:
    """Yield the keys of the single values below a key, including values that only name their clause."""
    value = get_key(raw, key)
    if isinstance(value, dict) and set(value) != {"clause"}:
        for name in value:
            yield from leaves(raw, join_key([*split_key(key), name]))
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for index in range(len(value)):
            yield from leaves(raw, f"{key}.{index}")
    else:
        yield key


def changed(value: Any, key: str) -> Iterator[Any]:
    """Yield other values for this key; the first one that the book still loads with is used."""
    match value:
        case dict():
            yield None
        case bool():
            yield not value
        case int():
            yield value + 1
            yield value - 1
        case list() if all(isinstance(item, str) and re.match(r"[\d,]+ |push|lose", item) for item in value):
            for place, item in enumerate(value):
                for other in changed(item, key):
                    yield [*value[:place], other, *value[place + 1 :]]
                    break
        case list():
            if len(value) > 1:
                yield value[:-1]
            yield from ([*value, extra] for extra in (2, 12, "for", "player", "the-works", "two"))
            yield from ([*value[:-1], extra] for extra in (2, 12, 3, "player", "shooter", "exactly 5 6"))
            yield []
        case str() if value in ALTERNATIVES:
            yield from ALTERNATIVES[value]
        case str() if found := re.fullmatch(r"(\d[\d,]*) (to|for) (\d+)", value):
            yield f"{int(found[1].replace(',', '')) + 1} {found[2]} {found[3]}"
        case str() if re.match(r"total|count|triple|shows|exactly|three of|not ", value):
            yield f"not ({value})"
            if re.fullmatch("total 7( or total 11)?", value):  # odd anyway
                yield f"({value}) and not exactly 1 6"
            yield f"({value}) and total odd"  # where rows must not overlap
        case str() if found := re.fullmatch(r"(\d*)\.\.(\d*)|\d+", value):
            yield from ("..3", "3", "12..", "4..")
        case str():
            yield from _other_words(value, key)


def _other_words(value: str, key: str) -> Iterator[str]:
    """Return another word that the format allows here, or another text."""
    for kind in Text.__subclasses__():
        field = kind.model_fields.get(split_key(key)[-1])
        words = getattr(field.annotation, "__args__", ()) if field else ()
        yield from (word for word in words if isinstance(word, str) and word != value)
    yield f"{value}, changed"
