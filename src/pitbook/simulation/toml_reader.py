"""Read a scenario's TOML from an untrusted source, within limits on depth and size."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from pitbook.errors import InputError, toml_error
from pitbook.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

DEPTH_MAX = 16
INTEGER_MAX = 2**63
"""The range of integers that TOML guarantees."""
TOO_DEEP = Message("errors.simulation.too-deep", {"most": str(DEPTH_MAX)})
TOO_LARGE = Message("errors.simulation.too-large")

_PART = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)"""
_LONG_KEY = re.compile(rf"(?:\.[ \t]*{_PART}[ \t]*){{{DEPTH_MAX}}}")
"""A key of many parts: reading takes time and memory that grow with their square."""


def read_toml(content: str, name: str) -> dict[str, Any]:
    """Return the data of a text; raise an `InputError` if it is not TOML, or too deep or large for a scenario."""
    if _LONG_KEY.search(content):
        raise InputError("simulation.key-too-deep", name=name, most=DEPTH_MAX)
    try:
        raw = tomllib.loads(content)
    except RecursionError:
        raise InputError("simulation.not-toml", name=name, reason=TOO_DEEP) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError("simulation.not-toml", name=name, reason=toml_error(error)) from None
    except ValueError:  # of thousands of digits
        raise InputError("simulation.toml-problem", name=name, reason=TOO_LARGE) from None
    for problem in _find_errors(raw):
        raise InputError("simulation.toml-problem", name=name, reason=problem)
    return raw


def _find_errors(value: Any, depth: int = 0) -> Iterator[Message]:
    if depth > DEPTH_MAX:
        yield TOO_DEEP
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _find_errors(part, depth + 1)
    elif isinstance(value, int) and not -INTEGER_MAX <= value < INTEGER_MAX:
        yield TOO_LARGE
