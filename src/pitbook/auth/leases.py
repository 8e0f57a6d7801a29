"""Leases with one holder among all processes, timed by the database's clock and fenced against former holders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from pitbook.auth.timestamps import format_timestamp

if TYPE_CHECKING:
    from pitbook.auth.port import Database

FAR_AHEAD = 60 * 1_000_000
"""The tolerance in microseconds by which a lease may end later than one granted now."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Lease:
    """An exclusive right for a limited time."""

    name: str
    holder: str
    fence: int
    """Increases each time the lease is granted; a holder with a lower fence is out of date."""
    until: str
    """By the database's clock. A holder counts its seconds from before the request, since its clock may differ."""


class HeldLease(NamedTuple):
    """A lease that was not released, whether or not it has expired."""

    holder: str
    fence: int
    until: int
    """Microseconds of the database's clock."""
    left: float
    """The seconds until it expires; negative once it has."""


class Leases:
    """All leases by name. A holder is a process, identified by a unique name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def acquire(self, name: str, holder: str, seconds: float) -> Lease | None:
        """Acquire a free or expired lease; return None while another process holds it.

        The current holder gets the lease again with a new fence, in case it does not know whether its first request
        succeeded. A lease that ends too far in the future was granted while the clock was wrong, and is ignored.
        """
        clock, length = self._database.clock, _microseconds(seconds)
        rows = self._database.fetch(
            f"INSERT INTO access_leases (name, holder, fence, until) VALUES (?, ?, 1, {clock} + ?)"
            " ON CONFLICT (name) DO UPDATE"
            f" SET holder = excluded.holder, fence = access_leases.fence + 1, until = {clock} + ?"
            f" WHERE access_leases.until <= {clock} OR access_leases.until > {clock} + ?"
            " OR access_leases.holder = excluded.holder RETURNING fence, until",
            (name, holder, length, length, length + FAR_AHEAD),
        )
        return next((Lease(name, holder, fence, _moment(until)) for fence, until in rows), None)

    def renew(self, lease: Lease, seconds: float) -> bool:
        """Extend a lease to so many seconds from now; return False if it has expired."""
        clock = self._database.clock
        return bool(
            self._database.fetch(
                f"UPDATE access_leases SET until = {clock} + ?"
                f" WHERE name = ? AND holder = ? AND fence = ? AND until > {clock} RETURNING 1",
                (_microseconds(seconds), lease.name, lease.holder, lease.fence),
            )
        )

    def renew_all(self, holder: str, prefix: str, seconds: float) -> dict[str, int]:
        """Renew every lease of a holder under a prefix that has not expired; return their names and fences."""
        clock = self._database.clock
        rows = self._database.fetch(
            f"UPDATE access_leases SET until = {clock} + ?"
            f" WHERE holder = ? AND substr(name, 1, ?) = ? AND until > {clock} RETURNING name, fence",
            (_microseconds(seconds), holder, len(prefix), prefix),
        )
        return {str(name): int(fence) for name, fence in rows}

    def transfer(self, lease: Lease, holder: str, seconds: float) -> Lease | None:
        """Pass a lease on to another holder, under a new fence; None if it has expired."""
        clock = self._database.clock
        rows = self._database.fetch(
            f"UPDATE access_leases SET holder = ?, fence = fence + 1, until = {clock} + ?"
            f" WHERE name = ? AND holder = ? AND fence = ? AND until > {clock} RETURNING fence, until",
            (holder, _microseconds(seconds), lease.name, lease.holder, lease.fence),
        )
        return next((Lease(lease.name, holder, fence, _moment(until)) for fence, until in rows), None)

    def release(self, lease: Lease) -> bool:
        """Release a lease early; its fence is kept, so that the next holder gets a higher one."""
        return bool(
            self._database.fetch(
                "UPDATE access_leases SET until = 0 WHERE name = ? AND holder = ? AND fence = ? AND until > 0"
                " RETURNING 1",
                (lease.name, lease.holder, lease.fence),
            )
        )

    def current(self, name: str) -> Lease | None:
        """Return the lease if it is held now."""
        rows = self._database.fetch(
            f"SELECT holder, fence, until FROM access_leases WHERE name = ? AND until > {self._database.clock}",
            (name,),
        )
        return next((Lease(name, holder, fence, _moment(until)) for holder, fence, until in rows), None)

    def release_all(self, holder: str, prefix: str) -> None:
        """Release every lease of a holder under a prefix."""
        query = "UPDATE access_leases SET until = 0 WHERE holder = ? AND substr(name, 1, ?) = ?"
        self._database.fetch(query, (holder, len(prefix), prefix))

    def held(self, prefix: str) -> dict[str, HeldLease]:
        """Return the leases under a prefix that were not released, expired or not, by name."""
        query = (
            f"SELECT name, holder, fence, until, until - {self._database.clock} FROM access_leases"
            " WHERE substr(name, 1, ?) = ? AND until > 0"
        )
        rows = self._database.fetch(query, (len(prefix), prefix))
        return {name: HeldLease(holder, fence, until, left / 1_000_000) for name, holder, fence, until, left in rows}

    def remove(self, name: str) -> None:
        """Remove a lease whose name is never used again."""
        self._database.fetch("DELETE FROM access_leases WHERE name = ?", (name,))

    def remove_expired(self, prefix: str) -> None:
        """Remove the expired leases under a prefix, whose names are never used again."""
        self._database.fetch(
            f"DELETE FROM access_leases WHERE substr(name, 1, ?) = ? AND until <= {self._database.clock}",
            (len(prefix), prefix),
        )


def _microseconds(seconds: float) -> int:
    length = round(seconds * 1_000_000)
    if length <= 0:
        raise ValueError(f"a lease lasts more than 0 seconds, not {seconds}")
    return length


def _moment(microseconds: int) -> str:
    return format_timestamp(EPOCH + timedelta(microseconds=microseconds))
