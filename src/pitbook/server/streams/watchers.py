"""One open stream: frames are written at once, without waking a task; a watcher that does not read is dropped."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from functools import partial
from types import coroutine
from typing import TYPE_CHECKING, Any, TypeAlias

from pitbook.server.streams.projections import frame

if TYPE_CHECKING:
    from pitbook.server.streams.channels import Channel
    from pitbook.server.streams.projections import Viewer

Send: TypeAlias = Callable[[Any], Awaitable[None]]

LAST_FRAME_SECONDS = 1.0
"""How long a watcher has to read the last frame."""

DROPPED = frame("dropped", {"why": "too slow; resume after the last id"})

log = logging.getLogger(__name__)


class Watcher:
    """A client that watches a table."""

    __slots__ = (
        "_abort",
        "_backlog",
        "_backlog_max",
        "_flushing",
        "_last",
        "_send",
        "_waiting",
        "channel",
        "cursor",
        "over",
        "stalled_at",
        "viewer",
    )

    def __init__(
        self, channel: Channel, viewer: Viewer, send: Send, abort: Callable[[], None], *, backlog_max: int = 1 << 20
    ) -> None:
        self.channel = channel
        self.viewer = viewer
        self.cursor = 0
        """The last entry that was pushed."""
        self.over = False
        """Whether nothing more is pushed."""
        self.stalled_at: float | None = None
        """When the peer stalled, or None."""
        self._send = send
        self._abort = abort
        self._backlog: deque[bytes] = deque()
        self._backlog_max = backlog_max
        self._waiting = 0
        self._flushing: asyncio.Task[None] | None = None
        self._last: bytes | None = None

    def push(self, frames: bytes) -> bool:
        """Write frames, or queue them behind others; return False if too much is queued."""
        if self.over:
            return True
        if self._flushing is None:
            self._write(frames, more=True)
            return True
        self._backlog.append(frames)
        self._waiting += len(frames)
        return self._waiting <= self._backlog_max

    def end(self, last: bytes) -> None:
        """End the stream after a last frame; queued frames are dropped, since the watcher resumes from its last id."""
        if self.over:
            return
        self.over = True
        self._backlog.clear()
        self._last = last
        if self._flushing is None:
            self._write(last, more=False)
        if self._flushing is not None:
            asyncio.get_running_loop().call_later(LAST_FRAME_SECONDS, self._cut_off)

    async def wait_flushed(self, seconds: float) -> bool:
        """Wait until everything is written, up to a time; return whether it is."""
        if self._flushing is not None:
            await asyncio.wait((self._flushing,), timeout=seconds)
        return self._flushing is None

    def disconnected(self) -> None:
        """Stop writing because the connection is closed."""
        self.over = True
        self._backlog.clear()
        if self._flushing is not None:
            self._flushing.cancel()

    def _write(self, frames: bytes, *, more: bool) -> None:
        try:
            rest = start_coroutine(self._send({"type": "http.response.body", "body": frames, "more_body": more}))
        except Exception:
            log.exception("a watcher could not be written to")
            self.over = True
            self._abort()
            return
        if rest is not None:
            loop = asyncio.get_running_loop()
            self.stalled_at = loop.time()
            self._flushing = loop.create_task(self._flush(rest))

    async def _flush(self, rest: Coroutine[Any, Any, None]) -> None:
        try:
            await rest
            while self._backlog:
                frames = b"".join(self._backlog)
                self._backlog.clear()
                self._waiting = 0
                await self._send({"type": "http.response.body", "body": frames, "more_body": True})
            if self.over and self._last is not None:
                await self._send({"type": "http.response.body", "body": self._last, "more_body": False})
        finally:
            self._flushing = None
            self.stalled_at = None

    def _cut_off(self) -> None:
        if self._flushing is not None:
            self._flushing.cancel()
            self._abort()


def start_coroutine(awaitable: Awaitable[None]) -> Coroutine[Any, Any, None] | None:
    """Run a coroutine up to where it has to wait, and return the rest of it, or None if it is done.

    A server's `send` has to wait only if the connection is full, so a thousand of them need no task.
    """
    running = awaitable.__await__()
    try:
        waits_for = next(running)
    except StopIteration:
        return None
    return _rest(running, waits_for)


@coroutine
def _rest(running: Generator[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    while True:
        try:
            value = yield waits_for
        except BaseException as error:
            resume = partial(running.throw, error)
        else:
            resume = partial(running.send, value)
        try:
            waits_for = resume()
        except StopIteration:
            return
