"""Which process owns which table: by leases in the database, shared out evenly among the processes that live."""

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

    from pitbook.auth.leases import Held, Leases
    from pitbook.server.liveness import Liveness

log = logging.getLogger(__name__)

TABLES = "owner "
"""Before the name of a table in the name of its lease."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """The owners as they were last read."""

    own: Mapping[str, int] = field(default_factory=dict)
    """The tables of this process, each with its fence."""
    others: Mapping[str, str] = field(default_factory=dict)
    """The tables of other processes, each with the name of its owner."""
    addresses: Mapping[str, str] = field(default_factory=dict)
    """The other processes that live, each with the address that it recorded."""
    until: float = 0.0
    """When the leases of this process expire, by its own clock."""


class Owners:
    """The tables that this process owns, and the owners of all others.

    A process owns no more than its share of the tables. It acquires tables that nobody owns, and passes on those that
    it has beyond its share, as when another process has started.
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
        self._seen = _Seen()
        self._open = False
        self.takeovers = 0
        """How many tables this process has taken over from owners that did not release them."""
        self.is_reachable: Callable[[str], bool] = lambda _process: True
        """Whether tables may be passed on to a process."""
        self.on_read: list[Callable[[], None]] = []
        """Called after the owners were read, in any thread."""

    # -- from any thread, without waiting

    def fence(self, table: str) -> int | None:
        """Return the fence under which this process owns a table, or None."""
        seen = self._seen
        return seen.own.get(table) if self._clock() < seen.until else None

    def other(self, table: str) -> str | None:
        """Return the other process that owns a table, or None."""
        return self._seen.others.get(table)

    @property
    def expired(self) -> bool:
        """Whether the owners were read so long ago that they may have changed."""
        return self._open and self._clock() >= self._seen.until

    @property
    def own(self) -> tuple[str, ...]:
        """The tables that this process owns."""
        seen = self._seen
        return tuple(sorted(seen.own)) if self._clock() < seen.until else ()

    @property
    def addresses(self) -> Mapping[str, str]:
        """The other processes that can own tables, each with its address."""
        return self._seen.addresses

    def hurry(self) -> None:
        """Have the owners read soon: they have changed."""
        if self._open:
            self._liveness.hurry()

    # -- in threads that may wait for the database

    def start(self, address: str) -> None:
        """Take part under an address at which other processes reach this one."""
        self._liveness.announce(address)
        self._open = True
        self._liveness.on_renewed.append(self._try_to_read)
        self.read()

    def close(self) -> None:
        """Release all tables; this process takes part no more."""
        with self._reading:
            self._open = False
            self._seen = _Seen()
            self._leases.release_all(self._liveness.name, TABLES)

    def read(self) -> None:
        """Renew the leases of this process, read those of the others, and take or pass on tables."""
        with self._reading:
            if self._open:
                self._read()
        for call in self.on_read:
            call()

    def _try_to_read(self) -> None:
        try:
            self.read()
        except Exception as error:  # the owners that were last read count until their leases expire
            log.warning("the owners of tables cannot be read: %s", error)

    def _read(self) -> None:
        asked, me = self._clock(), self._liveness.name
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
        given = self._given(own, tables, share, Counter(others.values()), addresses)
        kept = {table: fence for table, fence in own.items() if table not in given}
        self._seen = _Seen(kept, others, addresses, asked + self._seconds)  # before anybody else can own what is given
        for table, target in given.items():
            lease = Lease(TABLES + table, me, own[table], "")
            if target is None:
                self._leases.release(lease)
            elif self._leases.transfer(lease, target, self._seconds) is not None:
                others = {**others, table: target}
        self._seen = replace(self._seen, others=others)

    def _acquire(self, table: str, before: Held | None, own: dict[str, int]) -> None:
        lease = self._leases.acquire(TABLES + table, self._liveness.name, self._seconds)
        if lease is None:
            return
        own[table] = lease.fence
        if before is not None and before.holder != self._liveness.name:
            self.takeovers += 1
            log.warning("table %s is taken over from %s", table, before.holder)

    def _given(
        self, own: Iterable[str], tables: Sequence[str], share: int, counts: Counter[str], addresses: Iterable[str]
    ) -> dict[str, str | None]:
        """Return the tables to give up, each with its next owner.

        A table that does not run here is released. Those beyond the share go to the process that owns the fewest.
        """
        given: dict[str, str | None] = {table: None for table in own if table not in tables}
        for table in [table for table in tables if table in own][share:]:
            target = min(filter(self.is_reachable, sorted(addresses)), key=lambda name: counts[name], default=None)
            if target is not None and counts[target] < share:
                counts[target] += 1
                given[table] = target
        return given
