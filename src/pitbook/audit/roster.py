"""Roles over time, from the house's own record; tables' records are compared with it."""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from pitbook.audit.people import PLAYING, fold_name, holds

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.audit.people import Body

GRACE = timedelta(minutes=1)
"""Other processes learn of a revoked role or an exclusion a little later."""


class Roster:
    """The accounts of the house with their changes in order, and the approvals that were given."""

    def __init__(self) -> None:
        self.since = ""
        """When the first account was made; nobody is known before."""
        self.given: dict[str, Body] = {}
        """By id: approvals that were given and not used yet, with `given_at`."""
        self.pins: set[str] = set()
        """Everyone who has ever set a PIN."""
        self._times: dict[str, list[str]] = {}
        self._states: dict[str, list[Body]] = {}
        self._past: list[dict[str, tuple[list[str], list[Body]]]] = []
        """Times and states as they were before each correction of the clock."""

    def note(self, account: Body, at: str) -> None:
        """Add an account as it is from now on."""
        self.since = self.since or at
        name = fold_name(account["name"])
        state = {key: account[key] for key in ("active", "excluded_until")}
        self._times.setdefault(name, []).append(at)
        self._states.setdefault(name, []).append({**state, "roles": list(account["roles"])})

    def restart(self, at: str) -> None:
        """Continue at an earlier time after a manager corrected the clock; later notes apply from then on.

        Entries of tables from before the correction are still compared with the times as they were.
        """
        self._past.append({name: (list(times), list(self._states[name])) for name, times in self._times.items()})
        self.since = min(self.since, at)
        for times in self._times.values():
            times[:] = [min(time, at) for time in times]
        for approval in self.given.values():
            approval["given_at"] = min(approval["given_at"], at)

    def holds(self, person: str, role: str, table: str, at: str) -> bool:
        """Return whether someone held a role at a table at a time or just before it, or nobody was known yet."""
        if not self.since or at < self.since:
            return True
        return self._held(person, at, lambda state: state["active"] and holds(state, role, table))

    def has_account(self, person: str, at: str) -> bool:
        """Return whether someone had an account at a time, and for a little while before it."""
        times = self._times.get(fold_name(person))
        return times is not None and times[0] <= _earlier(at)

    def excluded(self, person: str, at: str) -> bool:
        """Return whether someone was excluded from play at a time, and for a little while before it."""

        def plays(state: Body) -> bool:
            until = state["excluded_until"]
            return until is None or datetime.fromisoformat(until) <= datetime.fromisoformat(at)

        return self.has_account(person, at) and not self._held(person, at, plays)

    def works_at(self, person: str, table: str, at: str) -> bool:
        """Return whether someone held a staff role at a table at a time, and for a little while before it."""

        def patron(state: Body) -> bool:
            roles = (one["role"] for one in state["roles"] if one["table"] in (None, table))
            return all(role in (*PLAYING, "auditor") for role in roles)

        return self.has_account(person, at) and not self._held(person, at, patron)

    def _held(self, person: str, at: str, rule: Callable[[Body], Any]) -> bool:
        """Whether a rule holds for someone's account at a time, or did until just before it."""
        name = fold_name(person)
        now = {name: (self._times.get(name, []), self._states.get(name, []))}
        for times, states in (era.get(name, ([], [])) for era in (*self._past, now)):
            first, last = max(bisect_right(times, _earlier(at)) - 1, 0), bisect_right(times, at)
            if any(rule(state) for state in states[first:last]):
                return True
        return False


def _earlier(at: str) -> str:
    return (datetime.fromisoformat(at) - GRACE).isoformat(timespec="microseconds")
