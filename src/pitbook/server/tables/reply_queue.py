"""Hand replies from the journal's threads to the event loop in batches, to wake it once for many."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from pitbook.journal.errors import Unavailable
from pitbook.messages import Message

if TYPE_CHECKING:
    from pitbook.journal.decisions import Outcome

ANSWER_SECONDS = 10.0
"""The longest that a caller waits for an answer."""
SWEEP_SECONDS = 0.5
OVERDUE = Message("errors.requests.not-in-time")


class Reply:
    """A future that is resolved in a journal's thread and awaited in the loop: `await reply.waiting`."""

    __slots__ = ("_replies", "waiting")

    def __init__(self, replies: Replies, waiting: asyncio.Future[Outcome]) -> None:
        self._replies = replies
        self.waiting = waiting

    def set_running_or_notify_cancel(self) -> bool:
        """Return whether to execute the command: its caller has not timed out yet."""
        return not self.waiting.done()

    def set_result(self, result: Outcome, /) -> None:
        self._replies.put(self.waiting, result)

    def set_exception(self, exception: BaseException | None, /) -> None:
        assert exception is not None
        self._replies.put(self.waiting, exception)


class Replies:
    """The replies of one event loop."""

    def __init__(self) -> None:
        self._resolved: deque[tuple[asyncio.Future[Outcome], Outcome | BaseException]] = deque()
        self._woken = False
        self._pending: dict[asyncio.Future[Outcome], float] = {}
        """Those without an answer, oldest first, and since when."""
        self._sweeping = False

    def create(self) -> Reply:
        """Return a new reply; call this in the loop."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[Outcome] = loop.create_future()
        self._pending[waiting] = loop.time()
        if not self._sweeping:
            self._sweeping = True
            loop.call_later(SWEEP_SECONDS, self._sweep, loop)
        return Reply(self, waiting)

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """Time out callers who have waited too long; one timer for all costs less than one for each command."""
        before = loop.time() - ANSWER_SECONDS
        for waiting, since in list(self._pending.items()):
            if since > before:
                break
            del self._pending[waiting]
            if not waiting.done():
                waiting.set_exception(Unavailable(OVERDUE))
        self._sweeping = bool(self._pending)
        if self._sweeping:
            loop.call_later(SWEEP_SECONDS, self._sweep, loop)

    def put(self, waiting: asyncio.Future[Outcome], outcome: Outcome | BaseException) -> None:
        """Resolve a future. Thread-safe: the first wakes the loop, which finds the others with it."""
        self._resolved.append((waiting, outcome))
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):  # the loop is closed, and nobody waits
                waiting.get_loop().call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        self._woken = False  # before looking: what is put from now on wakes the loop again
        while self._resolved:
            waiting, outcome = self._resolved.popleft()
            self._pending.pop(waiting, None)
            if waiting.done():
                continue
            if isinstance(outcome, BaseException):
                waiting.set_exception(outcome)
            else:
                waiting.set_result(outcome)
