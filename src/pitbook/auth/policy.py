"""How long sessions last."""

from __future__ import annotations

import msgspec

from pitbook.auth.timestamps import later
from pitbook.errors import InputError

TOUCH_SECONDS = 60.0
INPUT_SECONDS = 15.0


class SessionPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of a session: the time without a request, and the total time."""

    idle_minutes: float = 30
    absolute_hours: float = 12

    def __post_init__(self) -> None:
        if not 0 < self.idle_minutes <= self.absolute_hours * 60:
            raise InputError("auth.session-times", idle=f"{self.idle_minutes:g}", total=f"{self.absolute_hours:g}")

    @property
    def idle_seconds(self) -> float:
        return self.idle_minutes * 60

    def ends(self, created: str) -> str:
        """Return when a session ends in any case."""
        return later(created, self.absolute_hours * 3600)


def idle_until(seen: str, idle_seconds: float, ends: str) -> str:
    """Return when a session ends without further requests."""
    return min(later(seen, idle_seconds), ends)


def is_locked(active: str, locked: str | None, now: str, minutes: int) -> bool:
    """Return whether a session is locked: by hand, or because there was no input for so many minutes (0: never)."""
    return bool(minutes) and (locked is not None or now >= later(active, minutes * 60))


def input_due(active: str, now: str, minutes: int) -> bool:
    """Return whether to record an input: after a twentieth of the time until the lock, at most every 15 seconds."""
    return now >= later(active, min(INPUT_SECONDS, minutes * 3.0))


def touch_due(seen: str, now: str, idle_seconds: float) -> bool:
    """Return whether to record a request: at most once a minute, so that reads seldom write."""
    return now >= later(seen, min(TOUCH_SECONDS, idle_seconds / 10))
