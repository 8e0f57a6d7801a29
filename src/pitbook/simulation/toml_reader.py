"""Read a scenario's TOML from an untrusted source, within limits on depth and size."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

DEPTH_MOST = 16
WHOLE_MOST = 2**63
"""What TOML promises of whole numbers, and no more."""
TOO_DEEP = f"is nested too deeply; no scenario is deeper than {DEPTH_MOST}"
TOO_LARGE = "has a whole number of more than 64 bits"

_PART = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)"""
_LONG_KEY = re.compile(rf"(?:\.[ \t]*{_PART}[ \t]*){{{DEPTH_MOST}}}")
"""A key of many parts: time and memory of its reading grow with their square."""


def read_toml(content: str, name: str) -> dict[str, Any]:
    """What a text says; an `InputError` where it is no TOML, or deeper or larger than a scenario can be."""
    if _LONG_KEY.search(content):
        raise InputError(f"{name} has a key of more than {DEPTH_MOST} parts; no key of a scenario has so many")
    try:
        raw = tomllib.loads(content)
    except RecursionError:
        raise InputError(f"{name} is not TOML: {TOO_DEEP}") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name} is not TOML: {error}") from None
    except ValueError:  # of thousands of digits
        raise InputError(f"{name} {TOO_LARGE}") from None
    for trouble in _troubles(raw):
        raise InputError(f"{name} {trouble}")
    return raw


def _troubles(value: Any, depth: int = 0) -> Iterator[str]:
    if depth > DEPTH_MOST:
        yield TOO_DEEP
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _troubles(part, depth + 1)
    elif isinstance(value, int) and not -WHOLE_MOST <= value < WHOLE_MOST:
        yield TOO_LARGE
