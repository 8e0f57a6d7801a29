"""The other side: channels to the processes that own tables, by which commands are forwarded."""

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
    Unsealed,
    secrets_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pitbook.journal.decisions import Outcome
    from pitbook.server.ownership.frames import ChannelKeys, Message

log = logging.getLogger(__name__)

BEAT_SECONDS = 0.5
SILENT_SECONDS = 2.0
"""A process that has not been heard for so long is not asked any more."""
AGAIN_SECONDS = 0.5
"""How long to wait before a channel is opened again."""

OnAnswer: TypeAlias = "Callable[[Outcome | None], None]"


def recorded_address(host: str, port: int) -> str:
    """Return an address as it is recorded for other processes: with the machine, as each has a loopback of its own."""
    return f"{platform.node() or '-'} {host} {port}"


def address_from(recorded: str) -> tuple[str, int] | None:
    """Return the host and port of a recorded address; None where it does not lead here from another machine."""
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
        """Whether the other process can write to the journal, as it last said."""
        self._process = process
        self._key_id, self._key = key
        self._nonce = secrets.token_bytes(NONCE_BYTES)
        self._numbers = count()
        self._asked: dict[int, OnAnswer] = {}
        self.closed.add_done_callback(lambda _closed: self._give_up())
        self._beating = loop.call_later(BEAT_SECONDS, self._beat)

    def ask(self, make: Callable[[int], Forwarded], answered: OnAnswer) -> None:
        """Forward a command; `answered` is called with its outcome, or with None where there is none."""
        number = next(self._numbers)
        self._asked[number] = answered
        self.send(make(number))

    def greet(self) -> None:
        self.write(MAGIC + self._key_id.encode() + self._nonce)

    def take_greeting(self, greeting: bytes) -> None:
        to, back = secrets_of(self._key, self._process, self._nonce + greeting)
        self.seal(to, back)
        self.send(Alive())

    def take(self, message: Message) -> None:
        match message:
            case Answered():
                self._tell(message.number, message.outcome)
            case Declined():
                self._tell(message.number, None)
            case Alive():
                self.writes = message.writes
                if not message.writes:
                    self._give_up()
            case _:
                raise Unsealed

    def _tell(self, number: int, outcome: Outcome | None) -> None:
        answered = self._asked.pop(number, None)
        if answered is not None:
            answered(outcome)

    def _beat(self) -> None:
        if self._loop.time() - self.heard_at > SILENT_SECONDS:
            self.close()
        elif not self.closed.done():
            if self.ready:
                self.send(Alive())
            self._beating = self._loop.call_later(BEAT_SECONDS, self._beat)

    def _give_up(self) -> None:
        """Let those who wait decide by themselves."""
        while self._asked:
            self._tell(next(iter(self._asked)), None)


class Peers:
    """The other processes of the house, with a channel to each that can be reached."""

    def __init__(self, keys: ChannelKeys, length_max: int, *, on_lost: Callable[[], None]) -> None:
        self._keys = keys
        self._length_max = length_max
        self._on_lost = on_lost
        self._channels: dict[str, Outgoing] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def channel(self, process: str | None) -> Outgoing | None:
        """Return the channel to a process that is heard and can write to the journal, or None."""
        channel = self._channels.get(process) if process is not None else None
        return channel if channel is not None and channel.ready and channel.writes else None

    def is_reachable(self, process: str) -> bool:
        """Return whether commands can be forwarded to a process now; from any thread."""
        return self.channel(process) is not None

    @property
    def unreachable(self) -> list[str]:
        """The processes that live, and to which nothing can be forwarded now."""
        return [process for process in self._tasks if not self.is_reachable(process)]

    def follow(self, addresses: Mapping[str, str]) -> None:
        """Keep channels open to these processes, and to no others; called in the loop."""
        loop = asyncio.get_running_loop()
        for process in self._tasks.keys() - addresses.keys():
            self._tasks.pop(process).cancel()
        for process in addresses.keys() - self._tasks.keys():
            place = address_from(addresses[process])
            if place is not None:
                self._tasks[process] = loop.create_task(self._keep(process, *place), name=f"channel to {process}")

    async def close(self) -> None:
        """Close all channels."""
        tasks = list(self._tasks.values())
        self.follow({})
        if tasks:
            await asyncio.wait(tasks)

    async def _keep(self, process: str, host: str, port: int) -> None:
        """Keep a channel to one process open."""
        for attempt in count():
            await self._keys.read()
            keys = list(self._keys.known.items())
            if keys:
                key = keys[attempt % len(keys)]  # the other process may not have read the newest yet
                await self._hold(process, host, port, key)
            await asyncio.sleep(AGAIN_SECONDS)

    async def _hold(self, process: str, host: str, port: int, key: tuple[str, bytes]) -> None:
        """Open a channel, and wait until it is closed."""
        loop = asyncio.get_running_loop()
        channel = Outgoing(loop, process, key, self._length_max)
        try:
            async with asyncio.timeout(SILENT_SECONDS):
                await loop.create_connection(lambda: channel, host, port)
            self._channels[process] = channel
            await channel.closed
        except OSError as error:  # a time-out is one
            log.info("%s cannot be reached at %s, port %d: %s", process, host, port, error)
        finally:
            channel.close()
            if self._channels.pop(process, None) is not None:
                self._on_lost()
