"""An HTTP protocol that limits the time and size of request heads, so that nobody can hold connections.

What is no HTTP is told so as everything else is: as a problem, with all its headers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from pitbook.server.http import request_context
from pitbook.server.http.connections import Connection
from pitbook.server.http.middleware import HEADERS, NO_STORE
from pitbook.server.http.problems import MEDIA_TYPE, kind_of, problem_bytes

if TYPE_CHECKING:
    import asyncio

    from uvicorn._types import ASGI3Application
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

    from pitbook.server.http.middleware import Respond

HEAD_MAX = 65_536
"""The largest head: the request's line and its headers, in bytes."""


class DirectAnswers(Protocol):
    """What answers some requests without a task."""

    def takes(self, scope: Any) -> bool:
        """Return whether a request may be handed to `answer_directly` once its body is complete."""

    def answer_directly(self, scope: Any, body: bytes, respond: Respond) -> bool:
        """Answer a request without a task; return False where it has to take the common way."""


class BoundedHttpProtocol(Connection):
    """uvicorn's protocol with limits, which answers the most frequent requests without a task."""

    direct: DirectAnswers | None = None
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
        self._parsing = False
        self._held: tuple[DirectAnswers, RequestResponseCycle, ASGI3Application] | None = None
        """A request that is answered directly if its body arrives together with its head."""

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
        if self._held is not None:
            self._answer_held(*self._held)
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
        if self._waiting is not None:
            self._stop_waiting()
        self._parsing = True
        try:
            super().on_headers_complete()
        finally:
            self._parsing = False
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


def bounded(seconds: float, most: int, direct: DirectAnswers | None) -> type[BoundedHttpProtocol]:
    """Return the protocol with these limits of time and connections."""
    fields = {"seconds": seconds, "most": most, "idle": {}, "direct": direct}
    return type("BoundedHttpProtocol", (BoundedHttpProtocol,), fields)
