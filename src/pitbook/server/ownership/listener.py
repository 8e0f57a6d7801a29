"""The owner's side: take commands that other processes forward, have them decided, and answer."""

from __future__ import annotations

import asyncio
import logging
import secrets
from time import monotonic
from typing import TYPE_CHECKING

from pitbook.server.ownership.frames import (
    HELLO_BYTES,
    KEY_ID_BYTES,
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
    import socket

    from pitbook.house.house import House
    from pitbook.journal.decisions import Outcome
    from pitbook.people.state import People
    from pitbook.server.ownership.frames import ChannelKeys, Message
    from pitbook.server.ownership.owners import Owners

log = logging.getLogger(__name__)

GREETING_SECONDS = 2.0
"""A connection that has not shown by then that it has the house's key is closed."""
STRANGERS_MAX = 64
"""Connections that have not shown it yet."""


class _Promise:
    """The outcome of a forwarded command, told in a journal's thread."""

    __slots__ = ("_channel", "_number", "_until")

    def __init__(self, channel: Incoming, number: int, until: float) -> None:
        self._channel = channel
        self._number = number
        self._until = until

    def set_running_or_notify_cancel(self) -> bool:
        """Carry it out, unless the process that sent it has stopped waiting."""
        return monotonic() < self._until and not self._channel.closed.done()

    def set_result(self, result: Outcome, /) -> None:
        self._channel.send_from_thread(Answered(self._number, result))

    def set_exception(self, exception: BaseException | None, /) -> None:
        log.info("a forwarded command is declined: %s", exception)
        self._channel.send_from_thread(Declined(self._number))


class Listener:
    """The commands that other processes forward to this one."""

    def __init__(self, house: House, owners: Owners, keys: ChannelKeys, process: str, length_max: int) -> None:
        self.keys = keys
        self.process = process
        self.length_max = length_max
        self.channels: set[Incoming] = set()
        self._house = house
        self._owners = owners
        self._server: asyncio.Server | None = None

    async def open(self, listening: socket.socket) -> None:
        """Listen on a socket that is bound."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: Incoming(loop, self), sock=listening)

    def close(self) -> None:
        """Listen no more, and close all channels; whoever waits for an answer decides by itself."""
        if self._server is not None:
            self._server.close()
        for channel in list(self.channels):
            channel.close()

    def alive(self) -> Alive:
        """Return a sign of life."""
        return Alive(self._house.trouble is None)

    def take(self, channel: Incoming, forwarded: Forwarded) -> None:
        """Have a command decided, if this process owns its table."""
        fence = self._owners.fence(forwarded.request.table)
        if fence is None:
            channel.send(Declined(forwarded.number))
        elif forwarded.people > self._house.people_sequence:
            reading = asyncio.get_running_loop().run_in_executor(None, lambda: self._house.people)
            reading.add_done_callback(lambda read: self._caught_up(channel, forwarded, fence, read))
        else:
            self._decide(channel, forwarded, fence)

    def _caught_up(self, channel: Incoming, forwarded: Forwarded, fence: int, read: asyncio.Future[People]) -> None:
        if read.cancelled() or read.exception() is not None:
            channel.send(Declined(forwarded.number))
        else:
            self._decide(channel, forwarded, fence)

    def _decide(self, channel: Incoming, forwarded: Forwarded, fence: int) -> None:
        promise = _Promise(channel, forwarded.number, monotonic() + forwarded.seconds)
        try:
            forwarded.request.hand_in(self._house, promise, forwarded.key, fence)
        except Exception as error:
            promise.set_exception(error)


class Incoming(Channel):
    """A channel that another process has opened."""

    greeting_bytes = HELLO_BYTES

    def __init__(self, loop: asyncio.AbstractEventLoop, listener: Listener) -> None:
        super().__init__(loop, listener.length_max)
        self._listener = listener

    def greet(self) -> None:
        channels = self._listener.channels
        if sum(not channel.ready for channel in channels) >= STRANGERS_MAX:
            self.close()
            return
        channels.add(self)
        self.closed.add_done_callback(lambda _closed: channels.discard(self))
        self._loop.call_later(GREETING_SECONDS, self._expect_ready)

    def _expect_ready(self) -> None:
        if not self.ready:
            self.close()

    def take_greeting(self, greeting: bytes) -> None:
        magic, key_id = greeting[: len(MAGIC)], greeting[len(MAGIC) : len(MAGIC) + KEY_ID_BYTES]
        if magic != MAGIC:
            raise Unsealed
        key = self._listener.keys.known.get(key_id.decode("latin-1"))
        if key is None:
            raise Unsealed
        own = secrets.token_bytes(NONCE_BYTES)
        to, back = secrets_of(key, self._listener.process, greeting[-NONCE_BYTES:] + own)
        self.write(own)
        self.seal(back, to)

    def take(self, message: Message) -> None:
        match message:
            case Forwarded():
                self._listener.take(self, message)
            case Alive():
                self.send(self._listener.alive())
            case _:
                raise Unsealed
