"""Patterns of messages: a subset of ICU MessageFormat with arguments, `plural` and `select`.

>>> rolls = parse("{count, plural, one {# roll} other {# rolls}} by {name}")
>>> [fill(rolls, {"count": count, "name": "Ann"}, lambda _, value: str(value)) for count in (1, 2)]
['1 roll by Ann', '2 rolls by Ann']
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pyicumessageformat import Parser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Argument:
    """A place for a parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Patterns for the values of a parameter: by count, or by the value itself."""

    name: str
    plural: bool
    cases: Mapping[str, Pattern]
    """By `=1`, `one` and `other`, or by value and `other`."""

    def pick(self, value: Any) -> Pattern:
        """Return the pattern for a value."""
        if not self.plural:
            return self.cases.get(str(value), self.cases["other"])
        exact = self.cases.get(f"={value}")
        if exact is not None:
            return exact
        return self.cases["one"] if value == 1 and "one" in self.cases else self.cases["other"]


Pattern = tuple[str | Argument | Choice, ...]


class InvalidPattern(ValueError):
    """A pattern that is not part of the subset."""


@cache
def parse(text: str) -> Pattern:
    """Return the parsed pattern; raise `InvalidPattern` if it cannot be parsed."""
    try:
        return _built(_parser().parse(text))
    except (SyntaxError, ValueError) as wrong:
        raise InvalidPattern(f"{text!r}: {wrong}") from wrong


@cache
def _parser() -> Parser:
    return Parser()


def _built(parts: list[Any]) -> Pattern:
    return tuple(part if isinstance(part, str) else _placeholder(part) for part in parts)


def _placeholder(part: dict[str, Any]) -> Argument | Choice:
    kind = part.get("type")
    if kind in ("plural", "select"):
        if "other" not in part["options"]:
            raise ValueError(f"{part['name']} has no case for other")
        cases = {name: _built(nested) for name, nested in part["options"].items()}
        return Choice(part["name"], kind == "plural", cases)
    if kind is None or part.get("hash"):
        return Argument(part["name"])
    raise ValueError(f"formats are given by the type of a parameter, not by {kind!r} in the pattern")


def walk(pattern: Pattern) -> Iterator[Argument | Choice]:
    """Yield every place of a pattern, nested ones too."""
    for part in pattern:
        if isinstance(part, Argument):
            yield part
        elif isinstance(part, Choice):
            yield part
            for case in part.cases.values():
                yield from walk(case)


def fill(pattern: Pattern, values: Mapping[str, Any], format_value: Callable[[str, Any], str], quotes: str = "") -> str:
    """Return the text of a pattern; `format_value` writes a parameter. Values in `quotes` lose the spaces around them.

    >>> fill(parse("沒有 {name} 之檯"), {"name": "「t9」"}, lambda _, value: value, "「」")
    '沒有「t9」之檯'
    """
    text, closed = "", False
    for part in pattern:
        if isinstance(part, str):
            text += part.removeprefix(" ") if closed else part
            closed = False
            continue
        if isinstance(part, Argument):
            value = format_value(part.name, values[part.name])
        else:
            value = fill(part.pick(values[part.name]), values, format_value, quotes)
        closed = bool(quotes) and value.startswith(quotes[0]) and value.endswith(quotes[1])
        text = (text.removesuffix(" ") if closed else text) + value
    return text
