"""How long sessions last."""

from __future__ import annotations

import msgspec

from pitbook.auth.timestamps import later
from pitbook.errors import InputError

TOUCH_SECONDS = 60.0


class SessionPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """A session ends after so long without a request, and after so long in any case."""

    idle_minutes: float = 30
    absolute_hours: float = 12

    def __post_init__(self) -> None:
        if not 0 < self.idle_minutes <= self.absolute_hours * 60:
            raise InputError(
                f"a session that ends after {self.idle_minutes:g} idle minutes and {self.absolute_hours:g} hours in any"
                " case cannot be; let the idle minutes be more than none and not more than the hours"
            )

    @property
    def idle_seconds(self) -> float:
        return self.idle_minutes * 60

    def ends(self, created: str) -> str:
        """When a session ends whatever happens."""
        return later(created, self.absolute_hours * 3600)


def idle_until(seen: str, idle_seconds: float, ends: str) -> str:
    """When a session ends if nothing more is asked."""
    return min(later(seen, idle_seconds), ends)


def touch_due(seen: str, now: str, idle_seconds: float) -> bool:
    """Whether a request is to be noted: at most once a minute, so that reading seldom writes."""
    return now >= later(seen, min(TOUCH_SECONDS, idle_seconds / 10))
