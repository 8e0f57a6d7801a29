"""A record in the database that this process is alive, so that others know whether all processes died together."""

from __future__ import annotations

import logging
import secrets
import time
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from pitbook.auth.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.auth.leases import Lease, Leases

log = logging.getLogger(__name__)

PREFIX = "process "
LIVE_SECONDS = 6.0
"""A process whose record has not changed for so long is considered dead."""
RENEW_SECONDS = 1.0
POLL_SECONDS = 0.1


class Liveness:
    """The record of one process, renewed until it ends and removed by an orderly stop.

    The record is a lease, whose holder is the process itself, or the address at which other processes reach it.
    """

    def __init__(self, leases: Leases, process: str, *, renew_seconds: float = RENEW_SECONDS) -> None:
        self.name: Final = f"{PREFIX}{process} {secrets.token_hex(8)}"  # process ids are reused
        self.on_renewed: Final[list[Callable[[], None]]] = []
        """Called in the thread that renews the record, each time it is renewed and when `hurry` is called."""
        self._leases = leases
        self._renew_seconds = renew_seconds
        self._lease: Lease | None = None
        self._holder = self.name
        self._others_known = Event()
        self._ended = Event()
        self._hurried = Event()
        self._thread = Thread(target=self._renew_always, name="liveness", daemon=True)

    def start(self) -> None:
        """Write the record, and keep it up to date from now on."""
        self._renew()
        self._thread.start()

    def announce(self, holder: str) -> None:
        """Record the address at which other processes reach this one."""
        self._holder = holder
        self._renew()

    def refresh_soon(self) -> None:
        """Renew the record now, and call `on_renewed`."""
        self._hurried.set()

    def all_others_died(self) -> bool:
        """Return whether there are records of other processes, and none of them changes.

        An expired record alone proves nothing: its process cannot renew it while the database is unavailable.
        """
        died = self._none_changes()
        self._others_known.set()
        return died

    def has_others(self) -> bool:
        """Return whether other processes serve this database; those that died together are not counted."""
        return bool(self._others())

    def _none_changes(self) -> bool:
        first = self._others()
        ends = time.monotonic() + LIVE_SECONDS
        while first and time.monotonic() < ends:
            now = self._others()
            if any(first.get(name) != until for name, until in now.items()):
                return False
            if not now:  # the last of them has just stopped
                return False
            time.sleep(POLL_SECONDS)
        for name in first:
            self._leases.remove(name)
        return bool(first)

    def stop(self) -> None:
        """Remove the record in an orderly stop."""
        self._ended.set()
        self._hurried.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._leases.remove(self.name)

    def _others(self) -> dict[str, int]:
        return {name: found.until for name, found in self._leases.held(PREFIX).items() if name != self.name}

    def _renew_always(self) -> None:
        while True:
            self._hurried.wait(self._renew_seconds)
            self._hurried.clear()
            if self._ended.is_set():
                return
            try:
                self._renew()
                if self._others_known.is_set():  # those that expire while this process lives died alone
                    self._leases.remove_expired(PREFIX)
            except Unavailable as error:
                log.warning("the heartbeat of this process was not renewed: %s", error)
                continue
            for call in self.on_renewed:
                call()

    def _renew(self) -> None:
        lease, holder = self._lease, self._holder
        if lease is not None and lease.holder != holder:
            lease = self._leases.transfer(lease, holder, LIVE_SECONDS)
        elif lease is not None and not self._leases.renew(lease, LIVE_SECONDS):
            lease = None
        self._lease = lease or self._leases.acquire(self.name, holder, LIVE_SECONDS)
