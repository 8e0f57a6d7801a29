"""The sender's side: channels to the processes that own tables."""

from __future__ import annotations

import asyncio
import logging
import platform
import secrets
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from pitbook.server.addresses import is_loopback
from pitbook.server.ownership.frames import (
    MAGIC,
    NONCE_BYTES,
    Alive,
    Answered,
    Channel,
    Declined,
    Forwarded,
    InvalidFrame,
    channel_secrets,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pitbook.journal.decisions import Outcome
    from pitbook.server.ownership.frames import ChannelKeys, Message

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 0.5
SILENT_SECONDS = 2.0
"""A process that has sent nothing for so long is considered lost."""
RETRY_SECONDS = 0.5
"""The pause before a channel is opened again."""

OnAnswer: TypeAlias = "Callable[[Outcome | None], None]"


def recorded_address(host: str, port: int) -> str:
    """Return an address as recorded for other processes: with the machine, since a loopback address is local."""
    return f"{platform.node() or '-'} {host} {port}"


def address_from(recorded: str) -> tuple[str, int] | None:
    """Return the host and port of a recorded address; None if it is another machine's loopback."""
    machine, host, port = ("", *recorded.rsplit(" ", 2))[-3:]
    if not port.isdigit() or (is_loopback(host) and machine != (platform.node() or "-")):
        return None
    return host, int(port)


class Outgoing(Channel):
    """A channel that this process has opened."""

    greeting_bytes = NONCE_BYTES

    def __init__(self, loop: asyncio.AbstractEventLoop, process: str, key: tuple[str, bytes], length_max: int) -> None:
        super().__init__(loop, length_max)
        self.writes = False
        """Whether the other process can write to the journal, by its last heartbeat."""
        self._process = process
        self._key_id, self._key = key
        self._nonce = secrets.token_bytes(NONCE_BYTES)
        self._numbers = count()
        self._pending: dict[int, OnAnswer] = {}
        self.closed.add_done_callback(lambda _closed: self._decline_all())
        self._heartbeat_timer = loop.call_later(HEARTBEAT_SECONDS, self._heartbeat)

    def forward(self, make: Callable[[int], Forwarded], answered: OnAnswer) -> None:
        """Forward a command; `answered` is called with its outcome, or None if there is none."""
        number = next(self._numbers)
        self._pending[number] = answered
        self.send(make(number))

    def send_greeting(self) -> None:
        self.write(MAGIC + self._key_id.encode() + self._nonce)

    def on_greeting(self, greeting: bytes) -> None:
        to, back = channel_secrets(self._key, self._process, self._nonce + greeting)
        self.authenticate(to, back)
        self.send(Alive())

    def on_message(self, message: Message) -> None:
        match message:
            case Answered():
                self._resolve(message.number, message.outcome)
            case Declined():
                self._resolve(message.number, None)
            case Alive():
                self.writes = message.writes
                if not message.writes:
                    self._decline_all()
            case _:
                raise InvalidFrame

    def _resolve(self, number: int, outcome: Outcome | None) -> None:
        answered = self._pending.pop(number, None)
        if answered is not None:
            answered(outcome)

    def _heartbeat(self) -> None:
        if self._loop.time() - self.heard_at > SILENT_SECONDS:
            self.close()
        elif not self.closed.done():
            if self.ready:
                self.send(Alive())
            self._heartbeat_timer = self._loop.call_later(HEARTBEAT_SECONDS, self._heartbeat)

    def _decline_all(self) -> None:
        """Resolve all pending commands without an outcome, so that they are decided here."""
        while self._pending:
            self._resolve(next(iter(self._pending)), None)


class Peers:
    """The other processes of the house, with channels to those that are reachable."""

    def __init__(self, keys: ChannelKeys, length_max: int, *, on_lost: Callable[[], None]) -> None:
        self._keys = keys
        self._length_max = length_max
        self._on_lost = on_lost
        self._channels: dict[str, Outgoing] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def channel(self, process: str | None) -> Outgoing | None:
        """Return the channel to a process that answers and can write to the journal, or None."""
        channel = self._channels.get(process) if process is not None else None
        return channel if channel is not None and channel.ready and channel.writes else None

    def is_reachable(self, process: str) -> bool:
        """Return whether commands can be forwarded to a process now; from any thread."""
        return self.channel(process) is not None

    @property
    def unreachable(self) -> list[str]:
        """The live processes to which nothing can be forwarded now."""
        return [process for process in self._tasks if not self.is_reachable(process)]

    def follow(self, addresses: Mapping[str, str]) -> None:
        """Keep channels open to these processes and no others; called in the event loop."""
        loop = asyncio.get_running_loop()
        for process in self._tasks.keys() - addresses.keys():
            self._tasks.pop(process).cancel()
        for process in addresses.keys() - self._tasks.keys():
            place = address_from(addresses[process])
            if place is not None:
                self._tasks[process] = loop.create_task(self._maintain(process, *place), name=f"channel to {process}")

    async def close(self) -> None:
        """Close all channels."""
        tasks = list(self._tasks.values())
        self.follow({})
        if tasks:
            await asyncio.wait(tasks)

    async def _maintain(self, process: str, host: str, port: int) -> None:
        """Keep a channel to a process open."""
        for attempt in count():
            await self._keys.read()
            keys = list(self._keys.known.items())
            if keys:
                key = keys[attempt % len(keys)]  # the other process may not know the newest key yet
                await self._run_channel(process, host, port, key)
            await asyncio.sleep(RETRY_SECONDS)

    async def _run_channel(self, process: str, host: str, port: int, key: tuple[str, bytes]) -> None:
        """Open a channel and wait until it is closed."""
        loop = asyncio.get_running_loop()
        channel = Outgoing(loop, process, key, self._length_max)
        try:
            async with asyncio.timeout(SILENT_SECONDS):
                await loop.create_connection(lambda: channel, host, port)
            self._channels[process] = channel
            await channel.closed
        except OSError as error:  # includes TimeoutError
            log.info("%s cannot be reached at %s, port %d: %s", process, host, port, error)
        finally:
            channel.close()
            if self._channels.pop(process, None) is not None:
                self._on_lost()
