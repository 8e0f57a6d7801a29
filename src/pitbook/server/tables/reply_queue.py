"""Hand replies from the journal's threads to the event loop in batches, to wake it once for many."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from pitbook.journal.errors import Unavailable

if TYPE_CHECKING:
    from pitbook.journal.decisions import Outcome

ANSWER_SECONDS = 10.0
"""The longest that anybody waits for an answer."""
SWEEP_SECONDS = 0.5
OVERDUE = "the journal did not answer in time; send the same request with the same key again to learn what it came to"


class Reply:
    """Told in a journal's thread, awaited in the loop: `await reply.waiting`."""

    __slots__ = ("_replies", "waiting")

    def __init__(self, replies: Replies, waiting: asyncio.Future[Outcome]) -> None:
        self._replies = replies
        self.waiting = waiting

    def set_running_or_notify_cancel(self) -> bool:
        """Carry out what was handed in, unless its caller has been told that there was no answer in time."""
        return not self.waiting.done()

    def set_result(self, result: Outcome, /) -> None:
        self._replies.put(self.waiting, result)

    def set_exception(self, exception: BaseException | None, /) -> None:
        assert exception is not None
        self._replies.put(self.waiting, exception)


class Replies:
    """The replies of one event loop."""

    def __init__(self) -> None:
        self._told: deque[tuple[asyncio.Future[Outcome], Outcome | BaseException]] = deque()
        self._woken = False
        self._pending: dict[asyncio.Future[Outcome], float] = {}
        """Those without an answer, oldest first, and since when."""
        self._sweeping = False

    def reply(self) -> Reply:
        """A new one; called in the loop."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[Outcome] = loop.create_future()
        self._pending[waiting] = loop.time()
        if not self._sweeping:
            self._sweeping = True
            loop.call_later(SWEEP_SECONDS, self._sweep, loop)
        return Reply(self, waiting)

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """Answer those who have waited too long; one timer for all costs less than one for each command."""
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

    def put(self, waiting: asyncio.Future[Outcome], told: Outcome | BaseException) -> None:
        """From any thread. The loop is woken by the first, and finds the others with it."""
        self._told.append((waiting, told))
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):  # the loop has ended, and nobody waits
                waiting.get_loop().call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        self._woken = False  # before looking: what is put from now on wakes the loop again
        while self._told:
            waiting, told = self._told.popleft()
            self._pending.pop(waiting, None)
            if waiting.done():
                continue
            if isinstance(told, BaseException):
                waiting.set_exception(told)
            else:
                waiting.set_result(told)
