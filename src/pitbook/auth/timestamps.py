"""Timestamps as they are stored: ISO 8601 in UTC with microseconds, so that they sort as text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

SHAPE = "2026-01-31T18:00:00.000000+00:00"


def written(moment: datetime) -> str:
    """A moment as text."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def checked(at: str) -> str:
    """The same text, if it has the shape that sorts; another one would let sessions live too long.

    >>> checked("2026-01-31T18:00:00Z")
    Traceback (most recent call last):
    ValueError: a moment is written 2026-01-31T18:00:00.000000+00:00, not 2026-01-31T18:00:00Z
    """
    if len(at) != len(SHAPE) or written(datetime.fromisoformat(at)) != at:
        raise ValueError(f"a moment is written {SHAPE}, not {at[:40]}")
    return at


def later(at: str, seconds: float) -> str:
    """So many seconds after a moment (or before it).

    >>> later("2026-01-31T23:59:59.500000+00:00", 1)
    '2026-02-01T00:00:00.500000+00:00'
    """
    return written(datetime.fromisoformat(checked(at)) + timedelta(seconds=seconds))
