"""Read a scenario's TOML from an untrusted source, within limits on depth and size."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

DEPTH_MOST = 16
INTEGER_MAX = 2**63
"""The range of integers that TOML guarantees."""
TOO_DEEP = f"is nested too deeply; no scenario is deeper than {DEPTH_MOST}"
TOO_LARGE = "has a whole number of more than 64 bits"

_PART = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)"""
_LONG_KEY = re.compile(rf"(?:\.[ \t]*{_PART}[ \t]*){{{DEPTH_MOST}}}")
"""A key of many parts: reading takes time and memory that grow with their square."""


def read_toml(content: str, name: str) -> dict[str, Any]:
    """Return the data of a text; raise an `InputError` if it is not TOML, or too deep or large for a scenario."""
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
    for trouble in _find_errors(raw):
        raise InputError(f"{name} {trouble}")
    return raw


def _find_errors(value: Any, depth: int = 0) -> Iterator[str]:
    if depth > DEPTH_MOST:
        yield TOO_DEEP
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _find_errors(part, depth + 1)
    elif isinstance(value, int) and not -INTEGER_MAX <= value < INTEGER_MAX:
        yield TOO_LARGE
