"""Values of parameters: their types, and how each language writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

import msgspec

from pitbook.currencies import find_decimals, format_amount

if TYPE_CHECKING:
    from pitbook.messages.languages import Language

Type = Literal[
    "text",
    "count",
    "number",
    "money",
    "gain",
    "odds",
    "time",
    "label",
    "list",
    "either",
    "name",
    "person",
    "table",
    "message",
    "parts",
]
"""The types of parameters; `README.md` beside this file explains them."""
Named = Literal[
    "role", "act", "phase", "colour", "standing", "way", "kind", "call", "remedy", "shaker", "sign-in", "alarm"
]
"""Types of parameters that are ids: `names.toml` has their names. With an `s`, several of them."""
NAMED: tuple[str, ...] = get_args(Named)
TYPES: tuple[str, ...] = (*get_args(Type), *NAMED, *(f"{kind}s" for kind in NAMED))
NO_CURRENCY = "XXX"
"""The currency of amounts at a table that was never open."""
_PLAY = "play-"
_SIGNS = {
    "USD": "US$",
    "SGD": "S$",
    "AUD": "A$",
    "CAD": "CA$",
    "HKD": "HK$",
    "NZD": "NZ$",
    "TWD": "NT$",
    "MOP": "MOP$",
    "XXX": "¤",
}
ODDS = {"to": "賠", "for": "得", "win": "贏", "wins": "贏"}
"""The words of odds in Chinese."""
_RESULTS = {"push": "和局", "lose": "輸"}
QUOTES: dict[Language, str] = {"en": "", "zh-Hant": "「」", "zh-Hans": "“”"}
"""The quotation marks of languages that write no space around them."""
_ONE_QUOTED = re.compile(r"'([^'\\]*)'")
_QUOTED = re.compile(rf"{_ONE_QUOTED.pattern}(?:, {_ONE_QUOTED.pattern})*")


class Actor(Protocol):
    """Someone who acts, in a role: a value of the type `person`."""

    @property
    def name(self) -> str:
        """The name of the account."""

    @property
    def role(self) -> str:
        """The id of the role."""


class Money(msgspec.Struct, frozen=True):
    """An amount in minor units, with its currency: `SGD`, or `play-SGD` for play money."""

    amount: int
    currency: str


def check(name: str, kind: str, value: Any) -> Any:
    """Return a value as messages store it; raise `TypeError` if it is not of the type."""
    match kind, value:
        case (("text" | "odds" | "time" | "name" | "table"), str()):
            return value
        case (("count" | "number"), int()) if not isinstance(value, bool):
            return value
        case (("money" | "gain"), Money()):
            return value
        case (("money" | "gain"), Mapping()):
            return msgspec.convert(value, Money)
        case "label", Mapping() if {"en", "zh"} <= set(value):
            return {"en": value["en"], "zh": value["zh"]}
        case "label", _ if hasattr(value, "en") and hasattr(value, "zh"):
            return {"en": value.en, "zh": value.zh}
        case "person", Mapping() if {"name", "role"} <= set(value):
            return {"name": value["name"], "role": value["role"]}
        case "person", _ if hasattr(value, "name") and hasattr(value, "role"):
            return {"name": value.name, "role": value.role}
        case _, str() if kind in NAMED:
            return value
        case _, Sequence() if kind.removesuffix("s") in NAMED and not isinstance(value, str):
            return tuple(value)
        case (("list" | "either"), Sequence()) if not isinstance(value, str):
            return tuple(check(name, "text" if isinstance(one, str) else "label", one) for one in value)
    raise TypeError(f"{name} is {value!r}, which is not of the type {kind}")


def written(kind: str, value: Any, language: Language) -> str:
    """Return a value as a language writes it.

    >>> written("money", Money(50_000, "SGD"), "en"), written("money", Money(-50, "play-SGD"), "en")
    ('S$500', '−◇0.50')
    >>> written("text", "'smal'", "en"), written("text", "'smal'", "zh-Hant"), written("text", "'smal'", "zh-Hans")
    ("'smal'", '「smal」', '“smal”')
    >>> written("odds", "34 to 1", "zh-Hant"), written("count", 1500, "zh-Hans")
    ('1賠34', '1,500')
    >>> written("time", "2026-03-01T12:05:00+08:00", "en"), written("time", "2026-03-01T12:05:00+08:00", "zh-Hant")
    ('1 Mar 2026, 12:05 UTC+08:00', '2026年3月1日 12:05 UTC+08:00')
    """
    match kind:
        case "text" if language != "en":
            return _chinese_quotes(str(value), language)
        case "count":
            return f"{value:,}".replace("-", "−")
        case "money":
            return _money(value)
        case "gain":
            return f"{'+' if value.amount > 0 else ''}{_money(value)}"
        case "odds":
            return value if language == "en" else in_language(_chinese_odds(value), language)
        case "time":
            return _time(datetime.fromisoformat(value), language)
        case "label":
            return value["en"] if language == "en" else in_language(value["zh"], language)
        case "list":
            texts = (written("text" if isinstance(one, str) else "label", one, language) for one in value)
            return (", " if language == "en" else "、").join(texts)
        case "either":
            return any_of(
                [written("text" if isinstance(one, str) else "label", one, language) for one in value], language
            )
    return str(value)


def _chinese_quotes(text: str, language: Language) -> str:
    """Return quoted values, such as names of things that don't exist, in the quotation marks of the language."""
    if not _QUOTED.fullmatch(text):
        return text
    marks = QUOTES[language]
    return "、".join(f"{marks[0]}{one}{marks[1]}" for one in _ONE_QUOTED.findall(text))


def any_of(names: Sequence[str], language: Language) -> str:
    """Return names as alternatives.

    >>> any_of(["dealer", "box person", "floorperson"], "en"), any_of(["荷官", "經理"], "zh-Hant")
    ('dealer, box person or floorperson', '荷官或經理')
    """
    *first, last = names
    if not first:
        return last
    comma, or_ = (", ", " or ") if language == "en" else ("、", "或")
    return f"{comma.join(first)}{or_}{last}"


def in_language(chinese: str, language: Language) -> str:
    """Return Traditional Chinese in the script of a language."""
    from pitbook.messages.simplified import simplified  # loads dictionaries

    return simplified(chinese) if language == "zh-Hans" else chinese


def _money(money: Money) -> str:
    currency = money.currency.removeprefix(_PLAY)
    found = None if currency == NO_CURRENCY else find_decimals(currency)
    decimals = 2 if found is None else found
    text = format_amount(abs(money.amount), decimals)
    if money.amount % 10**decimals == 0:
        text = text.partition(".")[0]
    sign = "◇" if money.currency.startswith(_PLAY) else _SIGNS.get(currency, f"{currency} ")
    return f"{'−' if money.amount < 0 else ''}{sign}{text}"


def _chinese_odds(odds: str) -> str:
    words = odds.split()
    if len(words) != 3 or words[1] not in ODDS:
        return _RESULTS.get(odds, odds)
    first, verb, last = words
    return f"{last}{ODDS[verb]}{first}" if verb in ("to", "for") else f"{first}{ODDS[verb]}{last}"


def _time(at: datetime, language: Language) -> str:
    if language == "en":
        return f"{at.day} {at:%b %Y, %H:%M} {at.tzname() or ''}".rstrip()
    return f"{at.year}年{at.month}月{at.day}日 {at:%H:%M} {at.tzname() or ''}".rstrip()
