"""The languages that Pitbook speaks, and how one is chosen."""

from __future__ import annotations

from typing import Literal, TypeGuard, get_args

Language = Literal["en", "zh-Hant", "zh-Hans"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
_TRADITIONAL = {"hant", "tw", "hk", "mo"}


def is_language(tag: str) -> TypeGuard[Language]:
    """Return whether a tag is exactly one of the languages."""
    return tag in LANGUAGES


def language_of(tag: str) -> Language | None:
    """Return the language for a BCP 47 tag, or None for a language that Pitbook does not speak.

    >>> [language_of(tag) for tag in ("en-SG", "zh", "zh-CN", "zh-SG", "zh-TW", "zh-HK", "zh-Hant-MY", "fr")]
    ['en', 'zh-Hans', 'zh-Hans', 'zh-Hans', 'zh-Hant', 'zh-Hant', 'zh-Hant', None]
    """
    primary, *rest = tag.lower().replace("_", "-").split("-")
    if primary == "en":
        return "en"
    if primary != "zh":
        return None
    if "hans" in rest:
        return "zh-Hans"
    return "zh-Hant" if _TRADITIONAL.intersection(rest) else "zh-Hans"


def negotiate(header: str | None) -> Language:
    """Return the language that an `Accept-Language` header prefers; English if it names none of ours.

    >>> negotiate("fr, zh-TW;q=0.8, en;q=0.5"), negotiate("zh-TW;q=0.2, en;q=0.5"), negotiate(None)
    ('zh-Hant', 'en', 'en')
    """
    best: tuple[float, Language] = (0.0, "en")
    for item in (header or "").split(","):
        tag, _, parameter = item.partition(";")
        language = language_of(tag.strip())
        weight = _weight(parameter)
        if language is not None and weight > best[0]:
            best = (weight, language)
    return best[1]


def _weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
