"""One holder at a time, among all processes: by the database's clock, with a number that fences off former holders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from pitbook.auth.timestamps import written

if TYPE_CHECKING:
    from pitbook.auth.port import Database

FAR_AHEAD = 60 * 1_000_000
"""Microseconds by which a lease may end later than one that is given now."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to do something alone for a while."""

    name: str
    holder: str
    fence: int
    """It grows each time the lease is given. Who acts under a lower one than was seen before comes too late."""
    until: str
    """By the database's clock. The holder's own clock may differ: it counts the seconds from before it asked."""


class Held(NamedTuple):
    """A lease that was not released, whether or not it has expired."""

    holder: str
    fence: int
    until: int
    """Microseconds of the database's clock."""
    left: float
    """The seconds until it expires; negative once it has."""


class Leases:
    """All leases by name. A holder is one process, by a name that no other process ever has."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def acquire(self, name: str, holder: str, seconds: float) -> Lease | None:
        """The lease, where nobody holds it or it has run out; none while another holds it.

        A holder that asks again, not knowing whether its first request arrived, gets it with a new number. A lease that
        ends far later than it could was given while the clock was wrong, and holds nobody off.
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
        """Hold it for so many seconds from now. False where it has run out: stop, and acquire it anew."""
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
        """Give it back before its time. The number stays, so that the next holder has a higher one."""
        return bool(
            self._database.fetch(
                "UPDATE access_leases SET until = 0 WHERE name = ? AND holder = ? AND fence = ? AND until > 0"
                " RETURNING 1",
                (lease.name, lease.holder, lease.fence),
            )
        )

    def look(self, name: str) -> Lease | None:
        """Who holds it now."""
        rows = self._database.fetch(
            f"SELECT holder, fence, until FROM access_leases WHERE name = ? AND until > {self._database.clock}",
            (name,),
        )
        return next((Lease(name, holder, fence, _moment(until)) for holder, fence, until in rows), None)

    def release_all(self, holder: str, prefix: str) -> None:
        """Release every lease of a holder under a prefix."""
        query = "UPDATE access_leases SET until = 0 WHERE holder = ? AND substr(name, 1, ?) = ?"
        self._database.fetch(query, (holder, len(prefix), prefix))

    def held(self, prefix: str) -> dict[str, Held]:
        """Return the leases under a prefix that were not released, expired or not, by name."""
        query = (
            f"SELECT name, holder, fence, until, until - {self._database.clock} FROM access_leases"
            " WHERE substr(name, 1, ?) = ? AND until > 0"
        )
        rows = self._database.fetch(query, (len(prefix), prefix))
        return {name: Held(holder, fence, until, left / 1_000_000) for name, holder, fence, until, left in rows}

    def remove(self, name: str) -> None:
        """Remove a lease whose name is never used again."""
        self._database.fetch("DELETE FROM access_leases WHERE name = ?", (name,))

    def remove_expired(self, prefix: str) -> None:
        """Remove the leases under a prefix that have run out; their names are never used again."""
        self._database.fetch(
            f"DELETE FROM access_leases WHERE substr(name, 1, ?) = ? AND until <= {self._database.clock}",
            (len(prefix), prefix),
        )


def _microseconds(seconds: float) -> int:
    length = round(seconds * 1_000_000)
    if length <= 0:
        raise ValueError(f"a lease of {seconds} seconds is none")
    return length


def _moment(microseconds: int) -> str:
    return written(EPOCH + timedelta(microseconds=microseconds))
