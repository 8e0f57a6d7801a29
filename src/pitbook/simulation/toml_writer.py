"""Write a scenario as TOML, in the order of the guide."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

FIRST = ("book", "seed", "nights", "hours", "rolls_per_hour", "tables")
TABLES = ("readings", "options", "paytables")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def write_scenario(data: Mapping[str, Any]) -> str:
    """Return the file without None values and without checks, which reading it does."""
    lines = [*_pairs({key: data.get(key) for key in FIRST})]
    for name in TABLES:
        pairs = list(_pairs(data.get(name) or {}))
        if pairs:
            lines += ["", f"[{name}]", *pairs]
    for wager, limit in (data.get("limits") or {}).items():
        pairs = list(_pairs(limit))
        if pairs:
            lines += ["", f"[limits.{_key(wager)}]", *pairs]
    for players in data.get("players") or ():
        bets = players.get("bets")
        lines += ["", "[[players]]", *_pairs({key: value for key, value in players.items() if key != "bets"})]
        if bets is not None:
            lines += ["bets = [", *(f"  {_value(bet)}," for bet in bets), "]"] if bets else ["bets = []"]
    return "\n".join(lines) + "\n"


def _pairs(values: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in values.items() if value is not None]


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _text(words: str) -> str:
    return json.dumps(words, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    """Return a value on one line.

    >>> _value({"wager": "parlay/6x6", "stakes": [1, "2.50"], "factor": 2.0, "after": None})
    '{ wager = "parlay/6x6", stakes = [1, "2.50"], factor = 2 }'
    """
    if value is None:  # in a list, where it cannot be omitted
        return '""'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return f"{{ {', '.join(_pairs(value))} }}"
