"""A connection whose request's head must arrive in time and stay small, so that nobody can hold one for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitbook.server.connections import Connection

if TYPE_CHECKING:
    import asyncio

HEAD_MAX = 65_536
"""The largest head: the request's line and its headers, in bytes."""


class PatientProtocol(Connection):
    """uvicorn's, with an end to its patience."""

    seconds = 10.0

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._waiting: asyncio.TimerHandle | None = None
        self._in_head = True
        self._head = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            if self._head > HEAD_MAX:
                self.send_400_response("The head of the request is too large.")
            elif self._waiting is None:  # most heads come in one piece and need no timer
                self._wait()

    def on_message_begin(self) -> None:
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._head = 0
        if self._waiting is not None:
            self._stop_waiting()
        super().on_headers_complete()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        if not self.transport.is_closing():
            self.transport.close()


def patient(seconds: float) -> type[PatientProtocol]:
    """The protocol with this much patience."""
    return type("PatientProtocol", (PatientProtocol,), {"seconds": seconds})
