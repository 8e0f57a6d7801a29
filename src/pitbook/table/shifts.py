"""The house's schedule of shifts: local times at which a new shift begins at every table."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pitbook.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

SHIFTS_MAX = 12
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")


def schedule_problem(shifts: Sequence[str], timezone: str) -> Message | None:
    """Return what is wrong with a schedule; None if it can be used.

    >>> schedule_problem(("06:00", "14:00", "22:00"), "America/New_York")
    >>> schedule_problem(("6:00",), "UTC").text()
    '6:00 is not a time of day. Write it like 06:00.'
    >>> schedule_problem(("06:00",), "Boston").text()
    'Boston is not a time zone. Write it like America/New_York.'
    """
    for one in shifts:
        if not _TIME.fullmatch(one):
            return Message("refusals.tables.schedule.time", {"time": one})
    if len(shifts) > SHIFTS_MAX:
        return Message("refusals.tables.schedule.too-many", {"most": SHIFTS_MAX})
    if list(shifts) != sorted(set(shifts)):
        return Message("refusals.tables.schedule.order")
    try:
        ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return Message("refusals.tables.schedule.zone", {"zone": timezone})
    return None


def last_scheduled(shifts: Sequence[str], timezone: str, at: datetime) -> datetime | None:
    """Return when the last scheduled shift before a moment began, in UTC; None without a schedule.

    >>> last_scheduled(("06:00", "22:00"), "America/New_York", datetime(2026, 3, 1, 10, tzinfo=UTC)).isoformat()
    '2026-03-01T03:00:00+00:00'
    """
    return max((moment for moment in _starts_around(shifts, timezone, at) if moment <= at), default=None)


def next_scheduled(shifts: Sequence[str], timezone: str, at: datetime) -> datetime | None:
    """Return when the next scheduled shift after a moment begins, in UTC; None without a schedule."""
    return min((moment for moment in _starts_around(shifts, timezone, at) if moment > at), default=None)


def _starts_around(shifts: Sequence[str], timezone: str, at: datetime) -> list[datetime]:
    """Return when shifts begin on the local day of a moment, the day before and the day after."""
    zone = ZoneInfo(timezone)
    today = at.astimezone(zone).date()
    return [
        datetime.combine(today + timedelta(days=days), time.fromisoformat(one), zone).astimezone(UTC)
        for days in (-1, 0, 1)
        for one in shifts
    ]
