"""An HTTP protocol that limits the time and size of request heads, so that nobody can hold connections.

Requests that are not valid HTTP get a problem response, too, with all headers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from pitbook.server.http import request_context
from pitbook.server.http.connections import Connection
from pitbook.server.http.errors import detail
from pitbook.server.http.middleware import HEADERS, NO_STORE
from pitbook.server.http.problems import MEDIA_TYPE, kind_of, problem_bytes

if TYPE_CHECKING:
    import asyncio

    from uvicorn._types import ASGI3Application
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

    from pitbook.server.http.middleware import Respond

HEAD_MAX = 65_536
"""The maximum size of the request line and headers in bytes."""


class DirectAnswers(Protocol):
    """A handler of some requests without a task."""

    def takes(self, scope: Any) -> bool:
        """Return whether to call `answer_directly` once the body is complete."""

    def answer_directly(self, scope: Any, body: bytes, respond: Respond) -> bool:
        """Handle a request without a task; return False if it needs the framework."""


class BoundedHttpProtocol(Connection):
    """uvicorn's protocol with limits, which handles the most frequent requests without a task."""

    direct: DirectAnswers | None = None
    seconds = 10.0
    most = 10_000
    """The maximum number of open connections."""
    idle: dict[BoundedHttpProtocol, None]
    """The connections without a pending request, longest idle first."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._timer: asyncio.TimerHandle | None = None
        self._in_head = True
        self._head = 0
        self._trailers = 0
        self._answering: RequestResponseCycle | None = None
        self._parsing = False
        self._held: tuple[DirectAnswers, RequestResponseCycle, ASGI3Application] | None = None
        """A request that is handled directly if its body arrives together with its head."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.idle[self] = None
        self._start_timer()
        if len(self.connections) > self.most:
            self._make_room()

    def _make_room(self) -> None:
        """Close the connection that has been idle for longest, or this one if none is."""
        idle = next(iter(self.idle))
        del self.idle[idle]
        idle.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self.idle.pop(self, None)
        if self._answering is not None:  # uvicorn notifies only the last of several requests
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._held is not None:
            self._answer_held(*self._held)
        if not self._in_head and self.headers:
            self._drop_trailers(len(data))
        if self._in_head and not self.transport.is_closing():
            if self._head > HEAD_MAX:
                self.send_400_response("The head of the request is too large.")
            elif self._timer is None:  # most heads arrive in one piece and need no timer
                self._start_timer()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        self.idle.pop(self, None)
        direct = self.direct if self._parsing and not self.flow.write_paused else None
        if direct is not None and direct.takes(cycle.scope):
            self._held = direct, cycle, app
        else:
            super()._start_asgi_task(cycle, app)

    def _answer_held(self, direct: DirectAnswers, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._held = None
        respond = partial(self._respond, cycle)
        if cycle.more_body or not direct.answer_directly(cycle.scope, bytes(cycle.body), respond):
            super()._start_asgi_task(cycle, app)

    def _respond(self, cycle: RequestResponseCycle, status: int, lines: bytes, content: bytes) -> None:
        """Send a whole response in one write, and finish the request as uvicorn does."""
        if cycle.disconnected:
            return
        cycle.response_started = cycle.response_complete = True
        own = b"".join([b"%b: %b\r\n" % header for header in cycle.default_headers])
        close = b"" if cycle.keep_alive else b"connection: close\r\n"
        self.transport.write(b"".join((STATUS_LINE[status], own, lines, close, b"\r\n", content)))
        cycle.message_event.set()
        if not cycle.keep_alive:
            self.transport.close()
        cycle.on_response()

    def on_message_begin(self) -> None:
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._head = 0
        self._trailers = 0
        if self._timer is not None:
            self._stop_timer()
        self._parsing = True
        try:
            super().on_headers_complete()
        finally:
            self._parsing = False
        self.headers = []  # trailers of a chunked body must not be taken for headers

    def send_400_response(self, msg: str) -> None:
        cycle: Any = self.cycle  # none before the first request
        if cycle is not None and not cycle.response_complete and (cycle.response_started or not cycle.more_body):
            cycle.keep_alive = False  # the next response belongs to the previous request; then close
            return
        request_context.enter(request_context.RequestContext(request_context.new_id(), "", "", "", secure=False))
        content = problem_bytes(kind_of("bad-request"), detail("not-http", reason=msg))
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
            self.transport.abort()  # an unread response would stay in memory
        else:
            super().timeout_keep_alive_handler()

    def _drop_trailers(self, length: int) -> None:
        self.headers.clear()
        self._trailers += length
        if self._trailers > HEAD_MAX:
            self.transport.abort()

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(self.seconds, self._on_timeout)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_timeout(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self.transport.close()


def bounded(seconds: float, most: int, direct: DirectAnswers | None) -> type[BoundedHttpProtocol]:
    """Return the protocol class with these limits."""
    fields = {"seconds": seconds, "most": most, "idle": {}, "direct": direct}
    return type("BoundedHttpProtocol", (BoundedHttpProtocol,), fields)
