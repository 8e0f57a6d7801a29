"""The owner's side: decide the commands that other processes forward, and answer."""

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
    InvalidFrame,
    channel_secrets,
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
"""The time within which a connection must prove that it has the house's key."""
UNAUTHENTICATED_MAX = 64
"""The maximum number of connections that have not proved it yet."""


class _Promise:
    """The promise of a forwarded command, resolved in a journal thread."""

    __slots__ = ("_channel", "_number", "_until")

    def __init__(self, channel: Incoming, number: int, until: float) -> None:
        self._channel = channel
        self._number = number
        self._until = until

    def set_running_or_notify_cancel(self) -> bool:
        """Return False if the sender has stopped waiting."""
        return monotonic() < self._until and not self._channel.closed.done()

    def set_result(self, result: Outcome, /) -> None:
        self._channel.send_from_thread(Answered(self._number, result))

    def set_exception(self, exception: BaseException | None, /) -> None:
        log.info("a forwarded command is declined: %s", exception)
        self._channel.send_from_thread(Declined(self._number))


class Listener:
    """The server for commands that other processes forward."""

    def __init__(self, house: House, owners: Owners, keys: ChannelKeys, process: str, length_max: int) -> None:
        self.keys = keys
        self.process = process
        self.length_max = length_max
        self.channels: set[Incoming] = set()
        self._house = house
        self._owners = owners
        self._server: asyncio.Server | None = None

    async def open(self, listening: socket.socket) -> None:
        """Listen on a bound socket."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: Incoming(loop, self), sock=listening)

    def close(self) -> None:
        """Stop listening and close all channels; the senders then decide their commands themselves."""
        if self._server is not None:
            self._server.close()
        for channel in list(self.channels):
            channel.close()

    def alive(self) -> Alive:
        """Return a heartbeat."""
        return Alive(self._house.failure is None)

    def on_message(self, channel: Incoming, forwarded: Forwarded) -> None:
        """Decide a command if this process owns its table."""
        fence = self._owners.fence(forwarded.request.table)
        if fence is None:
            channel.send(Declined(forwarded.number))
        elif forwarded.people > self._house.people_sequence:
            reading = asyncio.get_running_loop().run_in_executor(None, lambda: self._house.people)
            reading.add_done_callback(lambda read: self._catch_up(channel, forwarded, fence, read))
        else:
            self._decide(channel, forwarded, fence)

    def _catch_up(self, channel: Incoming, forwarded: Forwarded, fence: int, read: asyncio.Future[People]) -> None:
        if read.cancelled() or read.exception() is not None:
            channel.send(Declined(forwarded.number))
        else:
            self._decide(channel, forwarded, fence)

    def _decide(self, channel: Incoming, forwarded: Forwarded, fence: int) -> None:
        promise = _Promise(channel, forwarded.number, monotonic() + forwarded.seconds)
        try:
            forwarded.request.submit_with(self._house, promise, forwarded.key, fence)
        except Exception as error:
            promise.set_exception(error)


class Incoming(Channel):
    """A channel that another process has opened."""

    greeting_bytes = HELLO_BYTES

    def __init__(self, loop: asyncio.AbstractEventLoop, listener: Listener) -> None:
        super().__init__(loop, listener.length_max)
        self._listener = listener

    def send_greeting(self) -> None:
        channels = self._listener.channels
        if sum(not channel.ready for channel in channels) >= UNAUTHENTICATED_MAX:
            self.close()
            return
        channels.add(self)
        self.closed.add_done_callback(lambda _closed: channels.discard(self))
        self._loop.call_later(GREETING_SECONDS, self._expect_ready)

    def _expect_ready(self) -> None:
        if not self.ready:
            self.close()

    def on_greeting(self, greeting: bytes) -> None:
        magic, key_id = greeting[: len(MAGIC)], greeting[len(MAGIC) : len(MAGIC) + KEY_ID_BYTES]
        if magic != MAGIC:
            raise InvalidFrame
        key = self._listener.keys.known.get(key_id.decode("latin-1"))
        if key is None:
            raise InvalidFrame
        own = secrets.token_bytes(NONCE_BYTES)
        to, back = channel_secrets(key, self._listener.process, greeting[-NONCE_BYTES:] + own)
        self.write(own)
        self.authenticate(back, to)

    def on_message(self, message: Message) -> None:
        match message:
            case Forwarded():
                self._listener.on_message(self, message)
            case Alive():
                self.send(self._listener.alive())
            case _:
                raise InvalidFrame
