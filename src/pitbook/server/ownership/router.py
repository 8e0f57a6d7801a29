"""Routing of commands: to the table's owner if it is another reachable process, else to this process's journal.

The owner decides fastest, since no other process writes to its tables. If it returns no outcome (it died, is paused, is
unreachable, cannot reach the database or lost the table), the command is decided here with the same key: if the owner
has recorded it after all, the journal returns that outcome, and nothing is recorded twice.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Unpack

from pitbook.journal.errors import Fenced
from pitbook.server.ownership.frames import Forwarded, Request
from pitbook.server.tables.reply_queue import ANSWER_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.house.house import CommandOptions, House
    from pitbook.journal.decisions import Outcome
    from pitbook.journal.runner import Promise
    from pitbook.server.ownership.owners import Owners
    from pitbook.server.ownership.peers import Outgoing, Peers
    from pitbook.table.commands import Command
    from pitbook.table.people import Person

log = logging.getLogger(__name__)

TRIES = 3
"""How often a command is routed to an owner before it is decided here without a fence."""


class _Routed:
    """A request and its promise, which is resolved unless the journal reports that the writer was replaced."""

    __slots__ = ("_fenced", "key", "promise", "request", "tries", "until")

    def __init__(
        self, promise: Promise, request: Request, key: str | None, until: float, fenced: Callable[[_Routed], None]
    ) -> None:
        self.promise = promise
        self.request = request
        self.key = key
        self.until = until
        self.tries = 0
        self._fenced = fenced

    def set_running_or_notify_cancel(self) -> bool:
        return self.promise.set_running_or_notify_cancel()

    def set_result(self, result: Outcome, /) -> None:
        self.promise.set_result(result)

    def set_exception(self, exception: BaseException | None, /) -> None:
        if isinstance(exception, Fenced):
            self._fenced(self)
        else:
            self.promise.set_exception(exception)


class Router:
    """A substitute for `House.submit_with` in a house with several processes."""

    def __init__(self, house: House, owners: Owners, peers: Peers, *, count_outcome: Callable[[str], None]) -> None:
        self._house = house
        self._owners = owners
        self._peers = peers
        self._count_outcome = count_outcome
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reading: asyncio.Task[None] | None = None

    def submit_with(
        self, promise: Promise, table: str, person: Person, command: Command, **options: Unpack[CommandOptions]
    ) -> None:
        """Have a command decided by the owner of its table, or here; called in the event loop."""
        loop = self._loop = asyncio.get_running_loop()
        request = Request(
            table,
            person,
            command,
            options.get("expected"),
            options.get("remote", False),
            options.get("confirmed", frozenset()),
            options.get("consent"),
        )
        routed = _Routed(promise, request, options.get("key"), loop.time() + ANSWER_SECONDS, self._fenced)
        if self._owners.expired:
            self._route_later(routed)
        else:
            self._route(routed)

    def _route(self, routed: _Routed) -> None:
        fence = None
        if routed.tries < TRIES:
            fence = self._owners.fence(routed.request.table)
            if fence is None and (channel := self._peers.channel(self._owners.other(routed.request.table))) is not None:
                self._forward(routed, channel)
                return
        routed.request.submit_with(self._house, routed, routed.key, fence)

    def _forward(self, routed: _Routed, channel: Outgoing) -> None:
        routed.tries += 1
        routed.key = key = routed.key or f"forwarded {secrets.token_hex(16)}"  # so that it can be repeated
        assert self._loop is not None
        people, seconds = self._house.people_sequence, routed.until - self._loop.time()
        channel.forward(
            lambda number: Forwarded(number, routed.request, key, people, seconds),
            lambda outcome: self._answered(routed, outcome),
        )

    def _answered(self, routed: _Routed, outcome: Outcome | None) -> None:
        if outcome is not None:
            self._count_outcome("answered")
            routed.promise.set_result(outcome)
            return
        self._count_outcome("decided here")
        self._owners.refresh_soon()
        if routed.promise.set_running_or_notify_cancel():
            self._try(routed, lambda: routed.request.submit_with(self._house, routed, routed.key, None))

    # -- the owners have changed

    def _fenced(self, routed: _Routed) -> None:
        """Route a command to the new owner; called in a journal thread."""
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._route_later, routed)

    def _route_later(self, routed: _Routed) -> None:
        """Route a command after the next reading of the owners, which many commands share."""
        assert self._loop is not None
        routed.tries += 1
        if self._reading is None or self._reading.done():
            self._reading = self._loop.create_task(self._read())
        self._reading.add_done_callback(lambda _read: self._try(routed, lambda: self._route(routed)))

    async def _read(self) -> None:
        try:
            await asyncio.to_thread(self._owners.read)
        except Exception as error:  # the journal reports it to each command
            log.warning("the owners of tables cannot be read: %s", error)

    def _try(self, routed: _Routed, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:
            routed.promise.set_exception(error)
