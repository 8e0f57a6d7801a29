"""Who held which role when, as the house's own record says: what tables say of other persons is held against it."""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.audit.people import folded, holds

if TYPE_CHECKING:
    from pitbook.audit.people import Body

GRACE = timedelta(minutes=1)
"""Other processes learn a little later that a role was taken away."""


class Roster:
    """The accounts of the house, each with its changes in order."""

    def __init__(self) -> None:
        self.since = ""
        """When the first account was made; nobody is known before."""
        self._times: dict[str, list[str]] = {}
        self._states: dict[str, list[Body]] = {}
        self._past: list[dict[str, tuple[list[str], list[Body]]]] = []
        """Times and states as they were before each correction of the clock."""

    def note(self, account: Body, at: str) -> None:
        """Add an account as it is from now on."""
        self.since = self.since or at
        name = folded(account["name"])
        self._times.setdefault(name, []).append(at)
        self._states.setdefault(name, []).append({"active": account["active"], "roles": list(account["roles"])})

    def restart(self, at: str) -> None:
        """Let time continue earlier, after a manager corrected the clock: what was noted later holds from then on.

        Entries of tables from before the correction are still held against the times as they were.
        """
        self._past.append({name: (list(times), list(self._states[name])) for name, times in self._times.items()})
        self.since = min(self.since, at)
        for times in self._times.values():
            times[:] = [min(time, at) for time in times]

    def holds(self, person: str, role: str, table: str, at: str) -> bool:
        """Whether somebody held a role at a table at a time, or until just before it. True before anybody is known."""
        if not self.since or at < self.since:
            return True
        name = folded(person)
        now = {name: (self._times.get(name, []), self._states.get(name, []))}
        earliest = (datetime.fromisoformat(at) - GRACE).isoformat(timespec="microseconds")
        for times, states in (era.get(name, ([], [])) for era in (*self._past, now)):
            first, last = max(bisect_right(times, earliest) - 1, 0), bisect_right(times, at)
            if any(state["active"] and holds(state, role, table) for state in states[first:last]):
                return True
        return False
