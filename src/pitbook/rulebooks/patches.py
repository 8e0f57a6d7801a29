"""Changes to a book's raw data: by a reading, a house option, or a licensee's own book that extends it."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from pitbook.errors import InputError, quoted, suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Raw = dict[str, Any]


def copied(data: Any) -> Any:
    """Return a copy of data as TOML has it: tables, lists and values that never change."""
    if isinstance(data, dict):
        return {key: copied(value) for key, value in data.items()}
    if isinstance(data, list):
        return [copied(value) for value in data]
    return data


def get_key(data: Any, key: str) -> Any:
    """Return the value at a dotted key; items of lists are named by number or by their `id`."""
    parts = split_key(key)
    if not parts:
        raise InputError("rulebooks.empty-key")
    return _value_at(data, parts, key)


def set_key(data: Raw, key: str, new: Any) -> None:
    """Replace the value at a dotted key in place; the key must exist."""
    *path, last = split_key(key) or ("",)
    holder = _value_at(data, path, key)
    holder[_place(holder, last, key)] = new


def patch_existing(data: Raw, changes: Mapping[str, Any]) -> Raw:
    """Return a copy of the data with the changes whose key exists; the checks of a book report the others."""
    copy = copied(data) if changes else data
    for key, new in changes.items():
        with suppress(InputError):
            set_key(copy, key, new)
    return copy


def same_at(key: str, data: Raw, other: Raw) -> bool:
    """Return whether two books have a key, and the same value there."""
    try:
        return bool(get_key(data, key) == get_key(other, key))
    except InputError:
        return False


def merged(base: Raw, over: Mapping[str, Any]) -> Raw:
    """Return a copy of one book's data merged with another's, table by table."""
    result = dict(base)
    for key, value in over.items():
        below = base.get(key)
        result[key] = merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return result


@cache
def split_key(key: str) -> tuple[str, ...]:
    """Return the parts of a dotted key; a part with dots in it is in quotation marks."""
    pieces = enumerate(key.split('"'))
    return tuple(part for index, piece in pieces for part in ([piece] if index % 2 else piece.split(".")) if part)


def join_key(parts: Sequence[str]) -> str:
    """Return a dotted key from its parts."""
    return ".".join(f'"{part}"' if "." in part else part for part in parts)


def _value_at(data: Any, parts: Sequence[str], key: str) -> Any:
    for part in parts:
        data = data[_place(data, part, key)]
    return data


def _place(holder: Any, part: str, key: str) -> Any:
    if isinstance(holder, dict):
        if part in holder:
            return part
        raise InputError("rulebooks.no-key", part=quoted(part), key=quoted(key), nearest=suggestion(part, holder))
    if isinstance(holder, list):
        names = [item.get("id") if isinstance(item, dict) else None for item in holder]
        if part in names:
            return names.index(part)
        if part.isdecimal() and len(part) < 6 and int(part) < len(holder):
            return int(part)
        raise InputError(
            "rulebooks.no-item",
            part=quoted(part),
            key=quoted(key),
            nearest=suggestion(part, [n for n in names if isinstance(n, str)]),
        )
    raise InputError("rulebooks.nothing-below", part=quoted(part), key=quoted(key))
