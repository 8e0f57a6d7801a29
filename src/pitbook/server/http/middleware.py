"""The middleware of every request: id, host check, rate limits, headers, metrics and log line.

A single pure ASGI middleware around the whole application, so that it also sees requests without a route.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias
from urllib.parse import urlsplit

from pitbook.server.addresses import Networks, is_loopback, parse_address
from pitbook.server.http import request_context
from pitbook.server.http.connections import transport_of
from pitbook.server.http.errors import detail
from pitbook.server.http.exception_handlers import problem_parts
from pitbook.server.http.logs import REQUESTS
from pitbook.server.http.problems import MEDIA_TYPE, Problem, problem_bytes
from pitbook.server.streams.watchers import start_coroutine

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable

    from litestar.types import ASGIApp, Message, Receive, Send

    from pitbook.journal.decisions import Outcome
    from pitbook.messages.message import NameTable
    from pitbook.server.http.metrics import Metrics
    from pitbook.server.http.rate_limits import Rates
    from pitbook.server.settings import Settings

log = logging.getLogger(__name__)

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)
STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")
NO_STORE = (b"cache-control", b"no-store")
HEADER_LINES = b"".join(b"%b: %b\r\n" % header for header in (NO_STORE, *HEADERS))
PARSED = "pitbook.seen"
"""The scope key of a request that `_parse` has already parsed."""

READ_SECONDS = 30
"""A client that reads nothing of a response for so long is disconnected."""
REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")
UNROUTED = "(none)"
_ALWAYS_SERVED = ("/health", "/ready")
"""Served even under overload."""


class DirectEndpoint(Protocol):
    """An endpoint that responds without the framework and without a task."""

    template: str
    """The template of its paths, for metrics."""

    def takes(self, scope: Any) -> bool:
        """Return whether it handles a request with this scope."""

    def caller(self, scope: Any) -> Any | None:
        """Return the caller, for `submit`; None if the caller has to be looked up first."""

    def submit(self, scope: Any, caller: Any, body: bytes) -> asyncio.Future[Outcome]:
        """Submit the command; the future is done once it is durable."""

    def content(self, outcome: Outcome) -> bytes:
        """Return the JSON of the response, or raise an error."""


Respond: TypeAlias = Callable[[int, bytes, bytes], None]
"""Sends status, header lines and body in one write."""


class RequestMiddleware:
    """The middleware around an application, and around an endpoint that bypasses it."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        metrics: Metrics,
        rates: Rates,
        direct: DirectEndpoint | None = None,
        name_table: NameTable | None = None,
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._rates = rates
        self._trusted = Networks(settings.trusted_proxies)
        self._proxied = bool(settings.trusted_proxies)
        self._tls = settings.tls
        self._hosts = Hosts(settings)
        self._most = settings.in_flight_max
        self.seconds = settings.body_seconds
        self._in_flight = 0
        self._arriving = 0
        self._metrics.in_flight.set_function(lambda: self._in_flight)
        self._direct = direct
        self._name_table = name_table

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008, "reason": "there are no web sockets here"})
            return
        began = perf_counter()
        context, host, has_body = scope.pop(PARSED, None) or self._parse(scope)
        request_context.enter(context)
        answer = _Responder(send, context, self, transport_of(scope))
        self._in_flight += 1
        try:
            if host not in self._hosts:
                await answer.refuse(Problem("unknown-host"))
            elif self._in_flight > self._most and context.path not in _ALWAYS_SERVED:
                await answer.refuse(Problem("busy", retry_after=1))
            else:
                if context.path not in _ALWAYS_SERVED:
                    self._rates.request(context.address)
                await self._app(scope, _BodyReceiver(receive, self) if has_body else receive, answer)
        except Problem as problem:  # a late body, or a rate limit
            await answer.refuse(problem)
        except Exception as error:
            log.error("a request failed", exc_info=error)
            await answer.refuse(Problem("internal-error"))
        finally:
            if not answer.streaming:
                self._in_flight -= 1
            self._count(context, answer.status or 499, began, scope.get("path_template"), timed=not answer.streaming)

    def takes(self, scope: Any) -> bool:
        """Return whether to call `answer_directly` once the body is complete."""
        return self._direct is not None and self._direct.takes(scope)

    def answer_directly(self, scope: Any, body: bytes, respond: Respond) -> bool:
        """Handle a request without a task; return False if it needs the framework."""
        direct, began = self._direct, perf_counter()
        assert direct is not None
        parsed = context, host, _ = self._parse(scope)
        outside = request_context.enter(context)
        try:
            caller = direct.caller(scope) if host in self._hosts and self._in_flight < self._most else None
            if caller is None:
                scope[PARSED] = parsed
                return False
            self._rates.request(context.address)
            waiting = direct.submit(scope, caller, body)
        except Exception as error:
            self._respond(respond, context, began, *problem_parts(error))
        else:
            self._in_flight += 1
            waiting.add_done_callback(partial(self._respond_directly, respond, context, began))
        finally:
            request_context.leave(outside)
        return True

    def _respond_directly(
        self,
        respond: Respond,
        context: request_context.RequestContext,
        began: float,
        outcome: asyncio.Future[Outcome],
    ) -> None:
        assert self._direct is not None
        self._in_flight -= 1
        try:
            content = self._direct.content(outcome.result())
        except Exception as error:
            self._respond(respond, context, began, *problem_parts(error))
        else:
            headers = (b"content-type", b"application/json"), (b"content-length", b"%d" % len(content))
            self._respond(respond, context, began, 200, content, headers)

    def _respond(
        self,
        respond: Respond,
        context: request_context.RequestContext,
        began: float,
        status: int,
        content: bytes,
        headers: Iterable[tuple[bytes, bytes]],
    ) -> None:
        assert self._direct is not None
        lines = [b"%b: %b\r\n" % header for header in headers]
        lines += (HEADER_LINES, b"x-request-id: ", context.id.encode(), b"\r\n")
        if context.secure:
            lines.append(b"%b: %b\r\n" % STRICT_TRANSPORT)
        respond(status, b"".join(lines), content)
        self._count(context, status, began, self._direct.template)

    def _count(
        self,
        context: request_context.RequestContext,
        status: int,
        began: float,
        route: str | None,
        *,
        timed: bool = True,
    ) -> None:
        """Count and log a completed request."""
        spent = perf_counter() - began
        self._metrics.count_request(context.method, route or UNROUTED, status, spent if timed else None)
        if REQUESTS.on:
            REQUESTS.write(context, status, spent, route)

    def count_arriving(self, more: int) -> float:
        """Count a body that starts (1) or stops (-1) arriving, and return its time limit.

        Meanwhile its request does not count as in flight. The more bodies are arriving, the shorter the limit: in the
        end only bodies that arrive at once are accepted, so that slow clients cannot keep others out.
        """
        self._in_flight -= more
        self._arriving += more
        return self.seconds * max(0.0, 1 - (self._arriving - 1) / self._most)

    def exclude_from_in_flight(self, more: int = 1) -> None:
        """Stop counting a stream or a slowly read response as in flight (-1: count it again)."""
        self._in_flight -= more

    def _parse(self, scope: Any) -> tuple[request_context.RequestContext, bytes, bool]:
        """Return the context of a request, its host, and whether a body follows."""
        host = b""
        has_body = False
        forwarded = proto = given = accepts = b""
        for name, value in scope["headers"]:
            if name == b"host":
                host = b"," if host else value  # several are ambiguous, and "," is no valid host
            elif name == b"content-length":
                has_body = value != b"0"
            elif name == b"transfer-encoding":
                has_body = True
            elif name == b"accept-language":
                accepts = value
            elif self._proxied:
                if name == b"x-forwarded-for":
                    forwarded = forwarded + b"," + value if forwarded else value
                elif name == b"x-forwarded-proto":
                    proto = value
                elif name == b"x-request-id":
                    given = value
        client = scope.get("client")
        address = client[0] if client else ""
        secure = self._tls or scope.get("scheme") == "https"
        number = ""
        if self._proxied and address in self._trusted:
            number = given.decode() if REQUEST_ID.fullmatch(given) else ""
            secure = proto.strip().lower() == b"https" if proto else secure
            address = self._client_behind(forwarded) or address
            scope["client"] = (address, 0)
            scope["scheme"] = "https" if secure else "http"
        method = scope["method"] if scope["method"] in _METHODS else "OTHER"
        return (
            request_context.RequestContext(
                number or request_context.new_id(),
                address,
                method,
                scope["path"],
                secure=secure,
                accepts=accepts.decode("latin-1"),
                query=scope["query_string"].decode("latin-1"),
                name_table=self._name_table,
            ),
            host,
            has_body,
        )

    def _client_behind(self, forwarded: bytes) -> str:
        """Return the client behind trusted proxies: the nearest address that is not one of them."""
        found = ""
        for word in reversed(forwarded.decode("latin-1").split(",")):
            address = parse_address(word.strip().strip("[]"))
            if address is None:
                break
            found = str(address)
            if found not in self._trusted:
                break
        return found


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class _BodyReceiver:
    """A receive callable with a time limit for the body; waiting for a disconnect has none."""

    __slots__ = ("_middleware", "_receive", "_until")

    def __init__(self, receive: Receive, middleware: RequestMiddleware) -> None:
        self._receive = receive
        self._middleware = middleware
        self._until: float | None = perf_counter() + middleware.seconds

    async def __call__(self) -> Any:
        if self._until is None:
            return await self._receive()
        seconds_left = self._middleware.count_arriving(1)
        try:
            async with asyncio.timeout(min(seconds_left, self._until - perf_counter())):
                message = await self._receive()
        except TimeoutError:
            self._until = None
            raise Problem("too-slow", detail("body-late", seconds=f"{seconds_left:.3g}")) from None
        finally:
            self._middleware.count_arriving(-1)
        if message["type"] != "http.request":
            self._until = None
            raise Problem("bad-request", detail("body-cut"))
        if not message.get("more_body"):
            self._until = None
        return message


class _Responder:
    """A send callable that adds headers to every response."""

    __slots__ = ("_context", "_middleware", "_send", "_transport", "status", "streaming")

    def __init__(
        self,
        send: Send,
        context: request_context.RequestContext,
        middleware: RequestMiddleware,
        transport: asyncio.Transport | None,
    ) -> None:
        self._send = send
        self._context = context
        self._middleware = middleware
        self._transport = transport
        self.status = 0
        self.streaming = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = list(message["headers"])
            cached = False
            for name, value in headers:
                name = name.lower()
                if name == b"cache-control":
                    cached = True
                elif name == b"content-type" and value.startswith(b"text/event-stream"):
                    self.streaming = True
                    self._middleware.exclude_from_in_flight()
            if not cached:
                headers.append(NO_STORE)
            headers += HEADERS
            headers += self._context.headers
            if self.status == 408:
                headers.append((b"connection", b"close"))
            headers.append((b"x-request-id", self._context.id.encode()))
            if self._context.secure:
                headers.append(STRICT_TRANSPORT)
            message["headers"] = headers
        if self.streaming:  # the hub handles slow watchers
            await self._send(message)
        elif (rest := start_coroutine(self._send(message))) is not None:
            await self._read(rest)

    async def _read(self, rest: Coroutine[Any, Any, None]) -> None:
        """Wait for a slow client; disconnect one that does not read at all."""
        loop, transport = asyncio.get_running_loop(), self._transport
        timer = loop.call_later(READ_SECONDS, transport.abort) if transport is not None else None
        self._middleware.exclude_from_in_flight()
        try:
            await rest
        finally:
            self._middleware.exclude_from_in_flight(-1)
            if timer is not None:
                timer.cancel()

    async def refuse(self, problem: Problem) -> None:
        """Respond with a problem, unless a response has started."""
        if self.status:
            return
        content = problem_bytes(problem.kind, problem.message)
        headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(content)).encode())]
        if problem.retry_after is not None:
            headers.append((b"retry-after", str(round(problem.retry_after)).encode()))
        start: Any = {"type": "http.response.start", "status": problem.kind.status, "headers": headers}
        await self(start)
        await self._send({"type": "http.response.body", "body": content, "more_body": False})


class Hosts:
    """The host names of this server, against DNS rebinding.

    IP addresses cannot be rebound, so all of them are allowed.
    """

    def __init__(self, settings: Settings) -> None:
        own = [settings.host, *(urlsplit(origin).hostname or "" for origin in settings.public_origins)]
        self._names = frozenset(name.lower() for name in own if name)
        self._known: dict[bytes, bool] = {}

    def __contains__(self, host: object) -> bool:
        known = self._known.get(host)  # type: ignore[call-overload]
        if known is None and isinstance(host, bytes):
            known = self._parse(host)
            if known and len(self._known) < 1_000:
                self._known[host] = known
        return bool(known)

    def _parse(self, host: bytes) -> bool:
        text = host.decode("latin-1").lower()
        match = re.fullmatch(r"(\[[0-9a-f:.]+\]|[^:\[\]/@]+)(:\d{1,5})?", text)
        if match is None:
            return False
        name = match[1].strip("[]").rstrip(".")
        return name in self._names or is_loopback(name) or parse_address(name) is not None
