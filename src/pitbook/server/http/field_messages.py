"""Messages for what msgspec finds wrong with a field."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pitbook.messages.catalogue import find
from pitbook.server.http.errors import detail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pitbook.messages import Message

_TYPE = r"expected `(?P<type>[^`]+)`"
_FIXED = {
    "invalid rfc3339 encoded datetime": "time",
    "invalid rfc3339 encoded date": "date",
    "expected `datetime` with a timezone component": "time-zone",
}
_ALIASES = {"list": "array", "dict": "object", "NoneType": "null"}
_PATTERNS: tuple[tuple[str, Callable[[re.Match[str]], Message]], ...] = (
    (
        rf"{_TYPE}, got `(?P<given>[^`]+)`",
        lambda at: detail("field.type", expected=_types(at), given=_type(at["given"])),
    ),
    (_TYPE, lambda at: detail("field.only-type", expected=_types(at))),
    (rf"{_TYPE} >= (?P<limit>\S+)", lambda at: detail("field.at-least", least=at["limit"])),
    (rf"{_TYPE} <= (?P<limit>\S+)", lambda at: detail("field.at-most", most=at["limit"])),
    (rf"{_TYPE} > (?P<limit>\S+)", lambda at: detail("field.more-than", limit=at["limit"])),
    (rf"{_TYPE} < (?P<limit>\S+)", lambda at: detail("field.less-than", limit=at["limit"])),
    (rf"{_TYPE} that's a multiple of (?P<unit>\S+)", lambda at: detail("field.multiple", unit=at["unit"])),
    (r"expected `str` of length >= (\d+)", lambda at: detail("field.min-characters", least=int(at[1]))),
    (r"expected `str` of length <= (\d+)", lambda at: detail("field.max-characters", most=int(at[1]))),
    (rf"{_TYPE} of length >= (?P<n>\d+)", lambda at: detail("field.min-items", least=int(at["n"]))),
    (rf"{_TYPE} of length <= (?P<n>\d+)", lambda at: detail("field.max-items", most=int(at["n"]))),
    (rf"{_TYPE} of length (?P<n>\d+)(?:, got \d+)?", lambda at: detail("field.items", count=int(at["n"]))),
    (r"expected `str` matching regex (.+)", lambda at: detail("field.pattern", pattern=at[1])),
    (r"object missing required field `.*`", lambda _: detail("field.missing")),
    (r"invalid (?:enum )?value (.+)", lambda at: detail("field.value", value=at[1])),
)


def explain(error: str, choices: Sequence[str] = ()) -> Message:
    """Return the message for an error of msgspec; `choices` are the values of a `Literal`.

    >>> str(explain("Expected `int`, got `str` - at `$.amount`")), str(explain("Expected `str` of length <= 1"))
    ('must be a whole number, not text', 'must have at most 1 character')
    >>> str(explain("Invalid enum value 'gold'", ["red", "blue"])), str(explain("Something new"))
    ("must be red or blue, not 'gold'", 'is not valid: something new')
    """
    says = error.partition(" - at `")[0]
    says = says[:1].lower() + says[1:]
    if says.lower() in _FIXED:
        return detail(f"field.{_FIXED[says.lower()]}")
    if choices and (at := re.fullmatch(r"invalid enum value (.+)", says, re.DOTALL)):
        return detail("field.choice", value=at[1], choices=list(choices))
    for pattern, message in _PATTERNS:
        if at := re.fullmatch(pattern, says, re.DOTALL):
            return message(at)
    return detail("field.other", reason=says)


def _types(at: re.Match[str]) -> list[dict[str, str]]:
    return [_type(one) for one in at["type"].split(" | ")]


def _type(name: str) -> dict[str, str]:
    """Return a type of JSON, or of Python, as people call it."""
    entry = find(f"errors.requests.types.{_ALIASES.get(name, name)}")
    return {"en": entry.en, "zh": entry.zh} if entry else {"en": name, "zh": name}
