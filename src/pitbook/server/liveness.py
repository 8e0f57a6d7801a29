"""A record in the database that this process lives, so that others can tell whether all processes died together."""

from __future__ import annotations

import logging
import secrets
import time
from threading import Event, Thread
from typing import TYPE_CHECKING

from pitbook.auth.errors import Unavailable

if TYPE_CHECKING:
    from pitbook.auth.leases import Lease, Leases

log = logging.getLogger(__name__)

PREFIX = "process "
LIVE_SECONDS = 6.0
"""A process whose record has not changed for so long is considered dead."""
RENEW_SECONDS = 1.0
POLL_SECONDS = 0.1


class Liveness:
    """The record of one process, renewed until it ends and removed by an orderly stop."""

    def __init__(self, leases: Leases, process: str) -> None:
        self._leases = leases
        self._name = f"{PREFIX}{process} {secrets.token_hex(8)}"  # process ids are reused
        self._lease: Lease | None = None
        self._others_known = Event()
        self._ended = Event()
        self._thread = Thread(target=self._renew_always, name="liveness", daemon=True)

    def start(self) -> None:
        """Write the record, and keep it up to date from now on."""
        self._renew()
        self._thread.start()

    def all_others_died(self) -> bool:
        """Return whether there are records of other processes, and none of them changes.

        An expired record alone proves nothing: its process cannot renew it while the database is unavailable.
        """
        died = self._none_changes()
        self._others_known.set()
        return died

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
        if self._thread.ident is not None:
            self._thread.join()
        self._leases.remove(self._name)

    def _others(self) -> dict[str, int]:
        return {name: until for name, until in self._leases.held(PREFIX).items() if name != self._name}

    def _renew_always(self) -> None:
        while not self._ended.wait(RENEW_SECONDS):
            try:
                self._renew()
                if self._others_known.is_set():  # those that expire while this process lives died alone
                    self._leases.remove_expired(PREFIX)
            except Unavailable as error:
                log.warning("the record that this process lives is not renewed: %s", error)

    def _renew(self) -> None:
        if self._lease is None or not self._leases.renew(self._lease, LIVE_SECONDS):
            self._lease = self._leases.acquire(self._name, self._name, LIVE_SECONDS)
