"""The ownership service of a process: owners, channels to and from other processes, and the router."""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

from pitbook.errors import InputError
from pitbook.messages import compose
from pitbook.server.ownership.frames import ChannelKeys
from pitbook.server.ownership.listener import Listener
from pitbook.server.ownership.owners import Owners
from pitbook.server.ownership.peers import Peers, recorded_address
from pitbook.server.ownership.router import Router
from pitbook.tumbler.seals import SealingKeys

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.auth.leases import Leases
    from pitbook.house.house import House
    from pitbook.server.http.metrics import Metrics
    from pitbook.server.liveness import Liveness
    from pitbook.server.settings import Settings

log = logging.getLogger(__name__)

EXTRA_BYTES = 65_536
"""The allowance for a forwarded command beyond the largest request."""


class Ownership:
    """A process that shares a house with others."""

    def __init__(self, settings: Settings, house: House, leases: Leases, liveness: Liveness) -> None:
        length_max = 4 * settings.body_max + EXTRA_BYTES
        self._settings = settings
        self._keys = ChannelKeys(self._channel_keys)
        self._metrics: Metrics | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.owners = Owners(leases, liveness, house.tables, seconds=settings.owner_lease)
        self._listener = Listener(house, self.owners, self._keys, liveness.name, length_max)
        self._peers = Peers(self._keys, length_max, on_lost=self.owners.refresh_soon)
        self.router = Router(house, self.owners, self._peers, count_outcome=self._count_outcome)
        self.owners.is_reachable = self._peers.is_reachable
        self.owners.on_read.append(self._follow)

    def _channel_keys(self) -> Mapping[str, bytes]:
        return SealingKeys.load(self._settings.sealing_key_path).channel_keys

    def report(self, metrics: Metrics) -> None:
        """Report the owned tables and forwarded commands as metrics."""
        self._metrics = metrics
        metrics.owned.set_function(lambda: len(self.owners.own))
        metrics.takeovers.read = lambda: self.owners.takeovers

    def _count_outcome(self, outcome: str) -> None:
        if self._metrics is not None:
            self._metrics.count_forwarded(outcome)

    def should_drive(self, table: str) -> bool:
        """Return whether this process should drive an automatic table: as its owner, or if it has none."""
        return self.owners.other(table) is None

    @property
    def unreachable(self) -> list[str]:
        """The processes of this house to which nothing can be forwarded now."""
        return self._peers.unreachable

    # -- lifecycle, in the loop

    async def start(self) -> None:
        """Listen for other processes and join the ownership of tables."""
        self._loop = asyncio.get_running_loop()
        await self._keys.read()
        listening = listen_at(self._settings.internal_address)
        await self._listener.open(listening)
        host, port = listening.getsockname()[:2]
        await asyncio.to_thread(self.owners.start, recorded_address(host, port))

    async def release(self) -> None:
        """Release all tables; commands that are still forwarded are declined."""
        try:
            await asyncio.to_thread(self.owners.close)
        except Exception as error:
            log.warning("tables were not released and have no owner until their leases expire: %s", error)

    async def close(self) -> None:
        """Close the channels to and from other processes."""
        self._loop = None
        self._listener.close()
        await self._peers.close()

    def _follow(self) -> None:
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._follow_in_loop)

    def _follow_in_loop(self) -> None:
        if self._loop is not None:
            self._peers.follow(self.owners.addresses)


def listen_at(address: str) -> socket.socket:
    """Return a socket that listens at an internal address, by default at any port of the loopback."""
    host, _, port = (address or "127.0.0.1:0").rpartition(":")
    host = host.strip("[]")
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, int(port)))
        made.listen()
        made.setblocking(False)
    except OSError as error:
        made.close()
        problem = compose("errors.server.internal-listening", host=host, port=port, reason=error.strerror)
        raise InputError("server.internal-address", reason=problem) from None
    return made
