"""What journal threads tell the event loop, many at a time: waking it once for each command would cost more than it."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitbook.journal.decisions import Outcome


class Reply:
    """Told in a journal's thread, awaited in the loop: `await reply.waiting`."""

    __slots__ = ("_replies", "waiting")

    def __init__(self, replies: Replies, waiting: asyncio.Future[Outcome]) -> None:
        self._replies = replies
        self.waiting = waiting

    def set_running_or_notify_cancel(self) -> bool:
        """A command that was handed in is carried out, even where nobody waits for the answer any more."""
        return True

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

    def reply(self) -> Reply:
        """A new one; called in the loop."""
        return Reply(self, asyncio.get_running_loop().create_future())

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
            if waiting.done():
                continue
            if isinstance(told, BaseException):
                waiting.set_exception(told)
            else:
                waiting.set_result(told)
