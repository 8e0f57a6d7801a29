"""The channel between two processes of a house: framed messages, authenticated with a key of the house.

The process that opens a channel sends a key id and a nonce; the other side answers with its own nonce. Both derive a
secret for each direction from the key, the two nonces and the name of the process that was called. A frame carries a
MAC over its number and content, so that nobody without the key can forge, change, repeat or reorder a message. A
process of another house at the same address has another name and another key. Nothing is encrypted.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections import deque
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, ClassVar

import msgspec

from pitbook.journal.decisions import Outcome
from pitbook.table import commands as c
from pitbook.table.people import Consent, Person

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pitbook.house.house import House
    from pitbook.journal.runner import Promise

log = logging.getLogger(__name__)

MAGIC = b"pitbook channel 1\n"
KEY_ID_BYTES, NONCE_BYTES, MAC_BYTES, LENGTH_BYTES = 16, 32, 16, 4
HELLO_BYTES = len(MAGIC) + KEY_ID_BYTES + NONCE_BYTES
FIRST_MAX = 64
"""The maximum length of the first message, a heartbeat that proves possession of the key."""


class Alive(msgspec.Struct, frozen=True, array_like=True, tag=0):
    """A heartbeat, and whether its sender can write to the journal."""

    writes: bool = True


class Request(msgspec.Struct, frozen=True, array_like=True):
    """A command and its person, checked by the process that received it: the arguments of `House.submit_with`."""

    table: str
    person: Person
    command: c.AnyCommand
    expected: tuple[int, int] | None
    remote: bool
    confirmed: frozenset[str]
    consent: Consent | None

    def submit_with(self, house: House, promise: Promise, key: str | None, fence: int | None) -> None:
        """Submit the command to the journal of this process."""
        house.submit_with(
            promise,
            self.table,
            self.person,
            self.command,
            key=key,
            expected=self.expected,
            remote=self.remote,
            confirmed=self.confirmed,
            consent=self.consent,
            fence=fence,
        )


class Forwarded(msgspec.Struct, frozen=True, array_like=True, tag=1):
    """A request for the owner of its table."""

    number: int
    """The number that the answer refers to."""
    request: Request
    key: str
    people: int
    """The sequence number up to which the sender has read the people's record; the owner must be as far."""
    seconds: float
    """How long the sender waits for an answer."""


class Answered(msgspec.Struct, frozen=True, array_like=True, tag=2):
    """The durable outcome of a command."""

    number: int
    outcome: Outcome


class Declined(msgspec.Struct, frozen=True, array_like=True, tag=3):
    """A refusal to decide a command; its sender decides it itself, with the same key."""

    number: int


Message = Alive | Forwarded | Answered | Declined

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Message).decode


class ChannelKeys:
    """The keys of the house by id, newest first, derived from the sealing keys."""

    def __init__(self, load: Callable[[], Mapping[str, bytes]]) -> None:
        self.known: Mapping[str, bytes] = {}
        self._load = load

    async def read(self) -> None:
        """Read the keys again; if that fails, keep the known ones."""
        try:
            self.known = await asyncio.to_thread(self._load)
        except Exception as error:  # the tumbler reports the cause
            log.warning("the house's keys cannot be read; new ones are not used to forward commands: %s", error)


def channel_secrets(key: bytes, process: str, nonces: bytes) -> tuple[bytes, bytes]:
    """Return the secrets of a channel, to and from the process that was called."""
    shared = hmac.digest(key, MAGIC + nonces + process.encode(), "sha256")
    return hmac.digest(shared, b"to", "sha256"), hmac.digest(shared, b"from", "sha256")


class InvalidFrame(Exception):
    """A frame has a wrong MAC or no valid message."""


class Channel(asyncio.Protocol):
    """One side of a channel."""

    greeting_bytes: ClassVar[int]
    """The length of the other side's greeting."""

    def __init__(self, loop: asyncio.AbstractEventLoop, length_max: int) -> None:
        self._loop = loop
        self._length_max = length_max
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self._sending = self._receiving = b""
        self._sent = self._received = 0
        self._outbox: deque[Message] = deque()
        self._flush_scheduled = False
        self.closed: asyncio.Future[None] = loop.create_future()
        self.heard_at = loop.time()

    @property
    def ready(self) -> bool:
        """Whether the other side has proved that it has the key."""
        return self._received > 0 and not self.closed.done()

    def send(self, message: Message) -> None:
        """Send a message from the event loop, in one write with all others of this iteration."""
        self._outbox.append(message)
        if not self._flush_scheduled:
            self._flush_scheduled = True
            self._loop.call_soon(self._flush)

    def send_from_thread(self, message: Message) -> None:
        """Like `send`, from any thread."""
        self._outbox.append(message)
        if not self._flush_scheduled:
            self._flush_scheduled = True
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._flush)

    def close(self) -> None:
        """Close the channel at once."""
        if self._transport is not None:
            self._transport.abort()

    # -- where the two sides differ

    def send_greeting(self) -> None:
        """Send the greeting once the connection is made."""
        raise NotImplementedError

    def on_greeting(self, greeting: bytes) -> None:
        """Handle the other side's greeting and call `authenticate`."""
        raise NotImplementedError

    def on_message(self, message: Message) -> None:
        """Handle a message."""
        raise NotImplementedError

    def authenticate(self, sending: bytes, receiving: bytes) -> None:
        """Authenticate all further frames with these secrets."""
        self._sending, self._receiving = sending, receiving

    # -- the loop's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment] # uvloop has classes of its own
        self.send_greeting()

    def connection_lost(self, _error: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(None)

    def write(self, data: bytes) -> None:
        """Write raw bytes."""
        assert self._transport is not None
        self._transport.write(data)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self.heard_at = self._loop.time()
        try:
            while not self.closed.done() and self._next():
                pass
        except InvalidFrame:
            self.close()

    def _next(self) -> bool:
        """Handle one message from the buffer; return False if it is not complete yet."""
        buffer = self._buffer
        if not self._receiving:
            if len(buffer) < self.greeting_bytes:
                return False
            greeting = bytes(buffer[: self.greeting_bytes])
            del buffer[: self.greeting_bytes]
            self.on_greeting(greeting)
            return True
        if len(buffer) < LENGTH_BYTES:
            return False
        length = int.from_bytes(buffer[:LENGTH_BYTES], "big")
        if length > (self._length_max if self._received else FIRST_MAX):
            raise InvalidFrame
        start = LENGTH_BYTES + MAC_BYTES
        if len(buffer) < start + length:
            return False
        content = bytes(buffer[start : start + length])
        expected = _mac(self._receiving, self._received, content)
        if not hmac.compare_digest(expected, bytes(buffer[LENGTH_BYTES:start])):
            raise InvalidFrame
        del buffer[: start + length]
        self._received += 1
        try:
            message = _decode(content)
        except (msgspec.MsgspecError, RecursionError):
            raise InvalidFrame from None
        self.on_message(message)
        return True

    def _flush(self) -> None:
        self._flush_scheduled = False  # first, so that later messages schedule another flush
        if self._transport is None or self.closed.done() or not self._sending:
            return
        frames: list[bytes] = []
        while self._outbox:
            content = _encode(self._outbox.popleft())
            frames += (len(content).to_bytes(LENGTH_BYTES, "big"), _mac(self._sending, self._sent, content), content)
            self._sent += 1
        self._transport.write(b"".join(frames))


def _mac(secret: bytes, number: int, content: bytes) -> bytes:
    return blake2b(number.to_bytes(8, "big") + content, key=secret, digest_size=MAC_BYTES).digest()
