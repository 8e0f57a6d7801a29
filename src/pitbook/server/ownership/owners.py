"""Ownership of tables by leases in the database, distributed evenly among the live processes."""

from __future__ import annotations

import logging
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING

from pitbook.auth.leases import Lease
from pitbook.server.liveness import LIVE_SECONDS
from pitbook.server.liveness import PREFIX as PROCESSES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pitbook.auth.leases import HeldLease, Leases
    from pitbook.server.liveness import Liveness

log = logging.getLogger(__name__)

TABLES = "owner "
"""The prefix of leases of tables."""


@dataclass(frozen=True, slots=True)
class _Owners:
    """The owners as last read."""

    own: Mapping[str, int] = field(default_factory=dict)
    """The fences of this process's tables."""
    others: Mapping[str, str] = field(default_factory=dict)
    """The owners of the other tables."""
    addresses: Mapping[str, str] = field(default_factory=dict)
    """The recorded addresses of the other live processes."""
    until: float = 0.0
    """When this process's leases expire, by its own clock."""


class Owners:
    """The tables that this process owns, and the owners of all others.

    A process acquires tables without an owner up to its share, and transfers those above its share, for example after
    another process has started.
    """

    def __init__(
        self,
        leases: Leases,
        liveness: Liveness,
        tables: Callable[[], Iterable[str]],
        *,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._leases = leases
        self._liveness = liveness
        self._tables = tables
        self._seconds = seconds
        self._clock = clock
        self._reading = Lock()
        self._known = _Owners()
        self._open = False
        self.takeovers = 0
        """The number of tables taken over from owners that did not release them."""
        self.is_reachable: Callable[[str], bool] = lambda _process: True
        """Returns whether tables may be transferred to a process."""
        self.on_read: list[Callable[[], None]] = []
        """Called after each reading, in any thread."""

    # -- from any thread, without blocking

    def fence(self, table: str) -> int | None:
        """Return the fence if this process owns a table, or None."""
        seen = self._known
        return seen.own.get(table) if self._clock() < seen.until else None

    def other(self, table: str) -> str | None:
        """Return the other process that owns a table, or None."""
        return self._known.others.get(table)

    @property
    def expired(self) -> bool:
        """Whether the last reading is too old to rely on."""
        return self._open and self._clock() >= self._known.until

    @property
    def own(self) -> tuple[str, ...]:
        """The tables that this process owns."""
        seen = self._known
        return tuple(sorted(seen.own)) if self._clock() < seen.until else ()

    @property
    def addresses(self) -> Mapping[str, str]:
        """The addresses of the other processes that can own tables."""
        return self._known.addresses

    def refresh_soon(self) -> None:
        """Request a reading soon, because owners have changed."""
        if self._open:
            self._liveness.refresh_soon()

    # -- in threads that may block

    def start(self, address: str) -> None:
        """Join under an address at which other processes reach this one."""
        self._liveness.announce(address)
        self._open = True
        self._liveness.on_renewed.append(self._try_to_read)
        self.read()

    def close(self) -> None:
        """Release all tables and leave."""
        with self._reading:
            self._open = False
            self._known = _Owners()
            self._leases.release_all(self._liveness.name, TABLES)

    def read(self) -> None:
        """Renew the leases of this process, read those of the others, and acquire or transfer tables."""
        with self._reading:
            if self._open:
                self._read()
        for call in self.on_read:
            call()

    def _try_to_read(self) -> None:
        try:
            self.read()
        except Exception as error:  # the last reading is valid until the leases expire
            log.warning("the owners of tables cannot be read: %s", error)

    def _read(self) -> None:
        started, me = self._clock(), self._liveness.name
        renewed = self._leases.renew_all(me, TABLES, self._seconds)
        own = {name.removeprefix(TABLES): fence for name, fence in renewed.items()}
        held = {name.removeprefix(TABLES): found for name, found in self._leases.held(TABLES).items()}
        others = {table: found.holder for table, found in held.items() if found.left > 0 and found.holder != me}
        addresses = {
            name: found.holder
            for name, found in self._leases.held(PROCESSES).items()
            if name not in (me, found.holder) and found.left > LIVE_SECONDS - self._seconds
        }
        tables = sorted(self._tables())
        share = -(-len(tables) // (1 + len(addresses)))
        for table in tables:
            if len(own) < share and table not in own and table not in others:
                self._acquire(table, held.get(table), own)
        transfers = self._transfers(own, tables, share, Counter(others.values()), addresses)
        remaining = {table: fence for table, fence in own.items() if table not in transfers}
        self._known = _Owners(
            remaining, others, addresses, started + self._seconds
        )  # before the others can own the rest
        for table, target in transfers.items():
            lease = Lease(TABLES + table, me, own[table], "")
            if target is None:
                self._leases.release(lease)
            elif self._leases.transfer(lease, target, self._seconds) is not None:
                others = {**others, table: target}
        self._known = replace(self._known, others=others)

    def _acquire(self, table: str, before: HeldLease | None, own: dict[str, int]) -> None:
        lease = self._leases.acquire(TABLES + table, self._liveness.name, self._seconds)
        if lease is None:
            return
        own[table] = lease.fence
        if before is not None and before.holder != self._liveness.name:
            self.takeovers += 1
            log.warning("table %s is taken over from %s", table, before.holder)

    def _transfers(
        self, own: Iterable[str], tables: Sequence[str], share: int, counts: Counter[str], addresses: Iterable[str]
    ) -> dict[str, str | None]:
        """Return the tables to give up, each with its next owner or None.

        A table that does not run here is released. Tables above the share go to the process that owns the fewest.
        """
        transfers: dict[str, str | None] = {table: None for table in own if table not in tables}
        for table in [table for table in tables if table in own][share:]:
            target = min(filter(self.is_reachable, sorted(addresses)), key=lambda name: counts[name], default=None)
            if target is not None and counts[target] < share:
                counts[target] += 1
                transfers[table] = target
        return transfers
