"""The channel between two processes of a house: messages in frames, each sealed with a key that only the house has.

Whoever opens a channel names one of the house's keys and sends a nonce; the other side answers with a nonce of its own.
Both derive from the key, the two nonces and the name of the process that was meant a secret for each direction. A frame
carries a MAC over its number and its content, so that nobody without the key can forge, change, repeat or reorder a
message. A process of another house at the same address has another name, and understands nothing. Nothing is encrypted.
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
"""The longest first message: a sign of life, which shows that the other side has the key."""


class Alive(msgspec.Struct, frozen=True, array_like=True, tag=0):
    """A sign of life, and whether its sender can write to the journal."""

    writes: bool = True


class Request(msgspec.Struct, frozen=True, array_like=True):
    """A command and who gives it, as checked by the process that took it: the arguments of `House.hand_in`."""

    table: str
    person: Person
    command: c.AnyCommand
    expected: tuple[int, int] | None
    remote: bool
    confirmed: frozenset[str]
    consent: Consent | None

    def hand_in(self, house: House, promise: Promise, key: str | None, fence: int | None) -> None:
        """Hand it in to the journal of this process."""
        house.hand_in(
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
    """By which it is answered."""
    request: Request
    key: str
    people: int
    """How far the sender has read the record of people: it is decided with nothing older."""
    seconds: float
    """How long the sender waits for the answer."""


class Answered(msgspec.Struct, frozen=True, array_like=True, tag=2):
    """What a command came to, durably."""

    number: int
    outcome: Outcome


class Declined(msgspec.Struct, frozen=True, array_like=True, tag=3):
    """A command has no outcome here: whoever sent it decides it, under the same key."""

    number: int


Message = Alive | Forwarded | Answered | Declined

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Message).decode


class ChannelKeys:
    """The keys of the house by their ids, the newest first: derived from those that seal seeds."""

    def __init__(self, load: Callable[[], Mapping[str, bytes]]) -> None:
        self.known: Mapping[str, bytes] = {}
        self._load = load

    async def read(self) -> None:
        """Read the keys again; keep those that are known where they cannot be read."""
        try:
            self.known = await asyncio.to_thread(self._load)
        except Exception as error:  # the tumbler says what is wrong with them
            log.warning("the house's keys cannot be read, and commands are not forwarded under new ones: %s", error)


def secrets_of(key: bytes, process: str, nonces: bytes) -> tuple[bytes, bytes]:
    """Return the secrets of a channel: to the process that was called, and from it."""
    shared = hmac.digest(key, MAGIC + nonces + process.encode(), "sha256")
    return hmac.digest(shared, b"to", "sha256"), hmac.digest(shared, b"from", "sha256")


class Unsealed(Exception):
    """What arrived was not sealed by the other side, or is no message."""


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
        self._waiting: deque[Message] = deque()
        self._woken = False
        self.closed: asyncio.Future[None] = loop.create_future()
        self.heard_at = loop.time()

    @property
    def ready(self) -> bool:
        """Whether the other side has shown that it has the key."""
        return self._received > 0 and not self.closed.done()

    def send(self, message: Message) -> None:
        """Send a message, in one write with all others of this turn of the loop; called in the loop."""
        self._waiting.append(message)
        if not self._woken:
            self._woken = True
            self._loop.call_soon(self._flush)

    def send_from_thread(self, message: Message) -> None:
        """Like `send`, from any thread."""
        self._waiting.append(message)
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._flush)

    def close(self) -> None:
        """Close the channel at once."""
        if self._transport is not None:
            self._transport.abort()

    # -- where the two sides differ

    def greet(self) -> None:
        """Greet the other side, as soon as there is a connection."""
        raise NotImplementedError

    def take_greeting(self, greeting: bytes) -> None:
        """Take the other side's greeting, and call `seal`."""
        raise NotImplementedError

    def take(self, message: Message) -> None:
        """Take a message."""
        raise NotImplementedError

    def seal(self, sending: bytes, receiving: bytes) -> None:
        """Seal what is sent, and open what arrives, with these secrets from now on."""
        self._sending, self._receiving = sending, receiving

    # -- the loop's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment] # uvloop has classes of its own
        self.greet()

    def connection_lost(self, _error: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(None)

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self._transport is not None
        self._transport.write(data)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self.heard_at = self._loop.time()
        try:
            while not self.closed.done() and self._next():
                pass
        except Unsealed:
            self.close()

    def _next(self) -> bool:
        """Take one message from what has arrived; False where it is not whole yet."""
        buffer = self._buffer
        if not self._receiving:
            if len(buffer) < self.greeting_bytes:
                return False
            greeting = bytes(buffer[: self.greeting_bytes])
            del buffer[: self.greeting_bytes]
            self.take_greeting(greeting)
            return True
        if len(buffer) < LENGTH_BYTES:
            return False
        length = int.from_bytes(buffer[:LENGTH_BYTES], "big")
        if length > (self._length_max if self._received else FIRST_MAX):
            raise Unsealed
        start = LENGTH_BYTES + MAC_BYTES
        if len(buffer) < start + length:
            return False
        content = bytes(buffer[start : start + length])
        expected = _mac(self._receiving, self._received, content)
        if not hmac.compare_digest(expected, bytes(buffer[LENGTH_BYTES:start])):
            raise Unsealed
        del buffer[: start + length]
        self._received += 1
        try:
            message = _decode(content)
        except (msgspec.MsgspecError, RecursionError):
            raise Unsealed from None
        self.take(message)
        return True

    def _flush(self) -> None:
        self._woken = False  # before looking: what is sent from now on wakes the loop again
        if self._transport is None or self.closed.done() or not self._sending:
            return
        frames: list[bytes] = []
        while self._waiting:
            content = _encode(self._waiting.popleft())
            frames += (len(content).to_bytes(LENGTH_BYTES, "big"), _mac(self._sending, self._sent, content), content)
            self._sent += 1
        self._transport.write(b"".join(frames))


def _mac(secret: bytes, number: int, content: bytes) -> bytes:
    return blake2b(number.to_bytes(8, "big") + content, key=secret, digest_size=MAC_BYTES).digest()
