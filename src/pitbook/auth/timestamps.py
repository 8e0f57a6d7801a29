"""Timestamps as they are stored: ISO 8601 in UTC with microseconds, so that they sort as text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EXAMPLE = "2026-01-31T18:00:00.000000+00:00"


def format_timestamp(moment: datetime) -> str:
    """Format a time as it is stored."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def check_timestamp(at: str) -> str:
    """Return a timestamp unchanged if it has the stored format; others would not sort correctly.

    >>> check_timestamp("2026-01-31T18:00:00Z")
    Traceback (most recent call last):
    ValueError: a timestamp is written 2026-01-31T18:00:00.000000+00:00, not 2026-01-31T18:00:00Z
    """
    if len(at) != len(EXAMPLE) or format_timestamp(datetime.fromisoformat(at)) != at:
        raise ValueError(f"a timestamp is written {EXAMPLE}, not {at[:40]}")
    return at


def later(at: str, seconds: float) -> str:
    """Return the timestamp a number of seconds later (or earlier).

    >>> later("2026-01-31T23:59:59.500000+00:00", 1)
    '2026-02-01T00:00:00.500000+00:00'
    """
    return format_timestamp(datetime.fromisoformat(check_timestamp(at)) + timedelta(seconds=seconds))
