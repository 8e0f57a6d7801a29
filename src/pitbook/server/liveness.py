"""A record in the database that this process lives, by which others learn whether all processes died together."""

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
"""A process whose record has not moved for so long is taken for dead."""
RENEW_SECONDS = 1.0
LOOK_SECONDS = 0.1


class Liveness:
    """The record of one process; it is renewed until the process ends, and removed by an orderly stop."""

    def __init__(self, leases: Leases, process: str) -> None:
        self._leases = leases
        self._name = f"{PREFIX}{process} {secrets.token_hex(8)}"  # process numbers come again
        self._lease: Lease | None = None
        self._others_known = Event()
        self._ended = Event()
        self._thread = Thread(target=self._keep, name="liveness", daemon=True)

    def begin(self) -> None:
        """Write the record, and keep it up to date from now on."""
        self._renew()
        self._thread.start()

    def all_others_died(self) -> bool:
        """Whether there are records of other processes, and none of them moves.

        A record that has run out proves nothing by itself: its process could not renew it while the database was away.
        """
        died = self._none_moves()
        self._others_known.set()
        return died

    def _none_moves(self) -> bool:
        first = self._others()
        ends = time.monotonic() + LIVE_SECONDS
        while first and time.monotonic() < ends:
            now = self._others()
            if any(first.get(name) != until for name, until in now.items()):
                return False
            if not now:  # the last of them has just stopped in order
                return False
            time.sleep(LOOK_SECONDS)
        for name in first:
            self._leases.remove(name)
        return bool(first)

    def end(self) -> None:
        """Remove the record: the process stops in order."""
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._leases.remove(self._name)

    def _others(self) -> dict[str, int]:
        return {name: until for name, until in self._leases.held(PREFIX).items() if name != self._name}

    def _keep(self) -> None:
        while not self._ended.wait(RENEW_SECONDS):
            try:
                self._renew()
                if self._others_known.is_set():  # who ran out while this process lives died alone
                    self._leases.remove_expired(PREFIX)
            except Unavailable as trouble:
                log.warning("the record that this process lives is not renewed: %s", trouble)

    def _renew(self) -> None:
        if self._lease is None or not self._leases.renew(self._lease, LIVE_SECONDS):
            self._lease = self._leases.acquire(self._name, self._name, LIVE_SECONDS)
