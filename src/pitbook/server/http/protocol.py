"""An HTTP protocol that limits the time and size of request heads, so that nobody can hold connections.

What is no HTTP is told so as everything else is: as a problem, with all its headers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitbook.server.http import request_context
from pitbook.server.http.connections import Connection
from pitbook.server.http.middleware import HEADERS, NO_STORE
from pitbook.server.http.problems import MEDIA_TYPE, kind_of, problem_bytes

if TYPE_CHECKING:
    import asyncio

    from uvicorn._types import ASGI3Application
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

HEAD_MAX = 65_536
"""The largest head: the request's line and its headers, in bytes."""


class BoundedHttpProtocol(Connection):
    """uvicorn's, with an end to its patience."""

    seconds = 10.0
    most = 10_000
    """How many connections may be open."""
    idle: dict[BoundedHttpProtocol, None]
    """Those on which nothing is being answered, the longest first."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._waiting: asyncio.TimerHandle | None = None
        self._in_head = True
        self._head = 0
        self._trailers = 0
        self._answering: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.idle[self] = None
        self._wait()
        if len(self.connections) > self.most:
            self._make_room()

    def _make_room(self) -> None:
        """Close what has been idle for longest, so that whoever comes now can ask; this one if nothing is."""
        idle = next(iter(self.idle))
        del self.idle[idle]
        idle.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self.idle.pop(self, None)
        if self._answering is not None:  # uvicorn tells the last of several requests only
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if not self._in_head and self.headers:
            self._drop_trailers(len(data))
        if self._in_head and not self.transport.is_closing():
            if self._head > HEAD_MAX:
                self.send_400_response("The head of the request is too large.")
            elif self._waiting is None:  # most heads come in one piece and need no timer
                self._wait()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        self.idle.pop(self, None)
        super()._start_asgi_task(cycle, app)

    def on_message_begin(self) -> None:
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._head = 0
        self._trailers = 0
        if self._waiting is not None:
            self._stop_waiting()
        super().on_headers_complete()
        self.headers = []  # what follows a body in pieces (trailers) must not get among the headers

    def send_400_response(self, msg: str) -> None:
        cycle: Any = self.cycle  # none before the first request
        if cycle is not None and not cycle.response_complete and (cycle.response_started or not cycle.more_body):
            cycle.keep_alive = False  # the next answer belongs to the request before this one; then it is over
            return
        request_context.enter(request_context.RequestContext(request_context.new_id(), "", "", "", secure=False))
        content = problem_bytes(kind_of("bad-request"), msg)
        length, kind = (b"content-length", b"%d" % len(content)), (b"content-type", MEDIA_TYPE.encode())
        number = b"x-request-id", request_context.current().id.encode()
        lines = [b"%b: %b\r\n" % one for one in (kind, length, NO_STORE, *HEADERS, number, (b"connection", b"close"))]
        self.transport.write(b"HTTP/1.1 400 Bad Request\r\n" + b"".join(lines) + b"\r\n" + content)
        self.transport.close()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._answering is not None and self._answering.response_complete and not self.transport.is_closing():
            self.idle[self] = None

    def timeout_keep_alive_handler(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()  # an answer that nobody reads would stay in memory
        else:
            super().timeout_keep_alive_handler()

    def _drop_trailers(self, length: int) -> None:
        self.headers.clear()
        self._trailers += length
        if self._trailers > HEAD_MAX:
            self.transport.abort()

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


def patient(seconds: float, most: int) -> type[BoundedHttpProtocol]:
    """The protocol with this much patience, for so many connections."""
    return type("BoundedHttpProtocol", (BoundedHttpProtocol,), {"seconds": seconds, "most": most, "idle": {}})
