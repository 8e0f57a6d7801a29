"""How a check says that something is wrong."""

from __future__ import annotations


class Fault(Exception):
    """What is wrong; the caller knows where."""


class Unreadable(Exception):
    """The journal or the checkpoint cannot be read at all, so that nothing can be said about it."""


def ensure(holds: object, why: str) -> None:
    """Says why, unless it holds."""
    if not holds:
        raise Fault(why)
