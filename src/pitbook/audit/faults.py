"""How a check says that something is wrong."""

from __future__ import annotations


class Fault(Exception):
    """What is wrong; the caller knows where, unless it is told."""

    def __init__(self, why: str, sequence: int | None = None) -> None:
        super().__init__(why)
        self.sequence = sequence


class Unreadable(Exception):
    """The journal or the checkpoint cannot be read at all, so that nothing can be said about it."""


def ensure(holds: object, why: str) -> None:
    """Says why, unless it holds."""
    if not holds:
        raise Fault(why)
