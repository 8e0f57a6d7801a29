"""Changes to the data of a book: what a licensee, a reading or a house option sets."""

from __future__ import annotations

import re
from typing import Any

Data = dict[str, Any]


def merge(base: Data, own: Data) -> Data:
    """Return the data of a book over that of the book it extends."""
    result = dict(base)
    for key, value in own.items():
        below = base.get(key)
        result[key] = merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return result


def set_value(data: Any, key: str, value: Any) -> None:
    """Set the value at a dotted key; parts with dots are quoted, list items go by id or number."""
    parts = _parts(key)
    for part in parts[:-1]:
        data = data[_place(data, part)]
    data[_place(data, parts[-1])] = value


def same_at(key: str, raw: Any, base: Any) -> bool:
    """Return whether the licensee's book equals the regulator's at this key."""
    try:
        for part in _parts(key):
            raw, base = raw[_place(raw, part)], base[_place(base, part)]
    except (KeyError, TypeError, IndexError, ValueError):
        return False
    return bool(raw == base)


def _parts(key: str) -> list[str]:
    return [quoted or plain for quoted, plain in re.findall(r'"([^"]+)"|([^."]+)', key)]


def _place(holder: Any, part: str) -> Any:
    if isinstance(holder, list):
        ids = [item.get("id") if isinstance(item, dict) else None for item in holder]
        return ids.index(part) if part in ids else int(part)
    return part
