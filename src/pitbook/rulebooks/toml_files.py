"""TOML files from people: rulebooks, their translations and strategies."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from pitbook.errors import InputError, quoted, toml_error
from pitbook.rulebooks.errors import BookError, InvalidBook, problem, solution

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pitbook.messages import Message
    from pitbook.rulebooks.patches import Raw

BYTES_MAX = 1_000_000
"""The maximum size of a book."""
DEPTH_MAX = 20
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def read_toml(path: Path) -> Raw:
    """Return a file's data; raise an error if it is not the text of a book."""

    def broken(key: str, wrong: Message, right: str) -> InvalidBook:
        return InvalidBook([BookError(str(path), key, wrong, solution(right))])

    try:
        with path.open("rb") as file:
            content = file.read(BYTES_MAX + 1)  # never all of a device or pipe that does not end
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError("rulebooks.not-read", file=quoted(str(path)), reason=reason) from None
    if len(content) > BYTES_MAX:
        raise broken("size", problem("too-large", count=BYTES_MAX), "small")
    try:
        raw = tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        raise broken(f"byte {error.start}", problem("not-utf-8"), "utf-8") from None
    except tomllib.TOMLDecodeError as error:
        raise broken("syntax", problem("syntax", reason=toml_error(error)), "toml") from None
    except (ValueError, RecursionError):
        raise broken("syntax", problem("too-long"), "no-more") from None
    for key, wrong in _unreadable(raw):
        raise broken(key, wrong, "no-more")
    return raw


def _unreadable(raw: Raw) -> Iterator[tuple[str, Message]]:
    """Yield tables deeper than any book's, and text that would reach the reader's terminal as a command."""
    left: list[tuple[str, Any, int]] = [("", raw, 0)]
    while left:
        key, value, depth = left.pop()
        if depth > DEPTH_MAX:
            yield key[:60], problem("too-deep", count=DEPTH_MAX)
        elif isinstance(value, dict):
            left += [(f"{key}.{name}" if key else name, inner, depth + 1) for name, inner in value.items()]
            left += [(key, name, depth) for name in value]
        elif isinstance(value, list):
            left += [(key, inner, depth + 1) for inner in value]
        elif isinstance(value, str) and _CONTROL.search(value):
            yield key, problem("control-character")
