"""The middleware of every request: its id, host check, headers, metrics and log line.

One middleware in pure ASGI for all of it, around the whole application: it sees requests that no route takes, too.
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
from pitbook.server.http.exception_handlers import told_problem
from pitbook.server.http.logs import REQUESTS
from pitbook.server.http.problems import MEDIA_TYPE, Problem, problem_bytes
from pitbook.server.streams.watchers import start_coroutine

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable

    from litestar.types import ASGIApp, Message, Receive, Send

    from pitbook.journal.decisions import Outcome
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
SEEN = "pitbook.seen"
"""The key of a request's scope that holds what `_look` found in it."""

READ_SECONDS = 30
"""Who takes nothing of an answer for so long is cut off."""
SANE_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")
UNROUTED = "(none)"
_ALWAYS = ("/health", "/ready")
"""Answered even when everything else waits."""


class DirectEndpoint(Protocol):
    """An endpoint that answers without the framework and without a task."""

    template: str
    """The template of its paths, for metrics."""

    def takes(self, scope: Any) -> bool:
        """Return whether it answers a request with this scope."""

    def caller(self, scope: Any) -> Any | None:
        """Return who asks, for `submit`; None where that has to be looked up first."""

    def submit(self, scope: Any, caller: Any, body: bytes) -> asyncio.Future[Outcome]:
        """Have done what is asked; the future is done once that is durable."""

    def content(self, outcome: Outcome) -> bytes:
        """Return the JSON of the response, or raise what is answered instead."""


Respond: TypeAlias = Callable[[int, bytes, bytes], None]
"""Sends a status, the lines of the head and the body, all in one write."""


class RequestMiddleware:
    """The middleware around an application, and around an endpoint that bypasses it."""

    def __init__(
        self, app: ASGIApp, settings: Settings, metrics: Metrics, rates: Rates, direct: DirectEndpoint | None = None
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

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008, "reason": "there are no web sockets here"})
            return
        began = perf_counter()
        visit, host, has_body = scope.pop(SEEN, None) or self._look(scope)
        request_context.enter(visit)
        answer = _Answer(send, visit, self, transport_of(scope))
        self._in_flight += 1
        try:
            if host not in self._hosts:
                await answer.refuse(Problem("unknown-host", "this house does not answer to that host name"))
            elif self._in_flight > self._most and visit.path not in _ALWAYS:
                await answer.refuse(Problem("busy", retry_after=1))
            else:
                if visit.path not in _ALWAYS:
                    self._rates.request(visit.address)
                await self._app(scope, _InTime(receive, self) if has_body else receive, answer)
        except Problem as problem:  # of a body that came too late, or of one request too many
            await answer.refuse(problem)
        except Exception as error:
            log.error("a request failed", exc_info=error)
            await answer.refuse(Problem("internal-error"))
        finally:
            if not answer.streaming:
                self._in_flight -= 1
            self._count(visit, answer.status or 499, began, scope.get("path_template"), timed=not answer.streaming)

    def takes(self, scope: Any) -> bool:
        """Return whether a request may be handed to `answer_directly` once its body is complete."""
        return self._direct is not None and self._direct.takes(scope)

    def answer_directly(self, scope: Any, body: bytes, respond: Respond) -> bool:
        """Answer a request without a task; return False where it has to take the common way."""
        direct, began = self._direct, perf_counter()
        assert direct is not None
        seen = visit, host, _ = self._look(scope)
        outside = request_context.enter(visit)
        try:
            caller = direct.caller(scope) if host in self._hosts and self._in_flight < self._most else None
            if caller is None:
                scope[SEEN] = seen
                return False
            self._rates.request(visit.address)
            waiting = direct.submit(scope, caller, body)
        except Exception as error:
            self._respond(respond, visit, began, *told_problem(error))
        else:
            self._in_flight += 1
            waiting.add_done_callback(partial(self._respond_directly, respond, visit, began))
        finally:
            request_context.leave(outside)
        return True

    def _respond_directly(
        self,
        respond: Respond,
        visit: request_context.RequestContext,
        began: float,
        outcome: asyncio.Future[Outcome],
    ) -> None:
        assert self._direct is not None
        self._in_flight -= 1
        try:
            content = self._direct.content(outcome.result())
        except Exception as error:
            self._respond(respond, visit, began, *told_problem(error))
        else:
            headers = (b"content-type", b"application/json"), (b"content-length", b"%d" % len(content))
            self._respond(respond, visit, began, 200, content, headers)

    def _respond(
        self,
        respond: Respond,
        visit: request_context.RequestContext,
        began: float,
        status: int,
        content: bytes,
        headers: Iterable[tuple[bytes, bytes]],
    ) -> None:
        assert self._direct is not None
        lines = [b"%b: %b\r\n" % header for header in headers]
        lines += (HEADER_LINES, b"x-request-id: ", visit.id.encode(), b"\r\n")
        if visit.secure:
            lines.append(b"%b: %b\r\n" % STRICT_TRANSPORT)
        respond(status, b"".join(lines), content)
        self._count(visit, status, began, self._direct.template)

    def _count(
        self, visit: request_context.RequestContext, status: int, began: float, route: str | None, *, timed: bool = True
    ) -> None:
        """Count and log a request that was answered."""
        spent = perf_counter() - began
        self._metrics.answered(visit.method, route or UNROUTED, status, spent if timed else None)
        if REQUESTS.on:
            REQUESTS.write(visit, status, spent, route)

    def awaits(self, more: int) -> float:
        """A body is awaited, or no more: how many seconds it has.

        Meanwhile its request is not one that is being answered. The more bodies are awaited, the less patience there
        is: in the end only those are taken that are here at once, so that nobody keeps others out by being slow.
        """
        self._in_flight -= more
        self._arriving += more
        return self.seconds * max(0.0, 1 - (self._arriving - 1) / self._most)

    def stands_aside(self, more: int = 1) -> None:
        """A stream may stay for hours, and who reads an answer for long: neither counts among those being answered."""
        self._in_flight -= more

    def _look(self, scope: Any) -> tuple[request_context.RequestContext, bytes, bool]:
        """Who asks, whom, and whether a body follows."""
        host = b""
        has_body = False
        forwarded = proto = given = accepts = b""
        for name, value in scope["headers"]:
            if name == b"host":
                host = b"," if host else value  # two of them: whom it was sent to cannot be said
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
            number = given.decode() if SANE_ID.fullmatch(given) else ""
            secure = proto.strip().lower() == b"https" if proto else secure
            address = self._behind(forwarded) or address
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
            ),
            host,
            has_body,
        )

    def _behind(self, forwarded: bytes) -> str:
        """Whom a trusted proxy asks for: the nearest address that is no proxy of ours."""
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


class _InTime:
    """A body that must arrive in time; after it, waiting for the other side to leave may take as long as it takes."""

    __slots__ = ("_door", "_receive", "_until")

    def __init__(self, receive: Receive, door: RequestMiddleware) -> None:
        self._receive = receive
        self._door = door
        self._until: float | None = perf_counter() + door.seconds

    async def __call__(self) -> Any:
        if self._until is None:
            return await self._receive()
        patience = self._door.awaits(1)
        try:
            async with asyncio.timeout(min(patience, self._until - perf_counter())):
                message = await self._receive()
        except TimeoutError:
            self._until = None
            raise Problem("too-slow", f"the body did not arrive within {patience:.3g} seconds") from None
        finally:
            self._door.awaits(-1)
        if message["type"] != "http.request":
            self._until = None
            raise Problem("bad-request", "the connection ended before the body did")
        if not message.get("more_body"):
            self._until = None
        return message


class _Answer:
    """The way out: headers are added to whatever is answered."""

    __slots__ = ("_door", "_send", "_transport", "_visit", "status", "streaming")

    def __init__(
        self,
        send: Send,
        visit: request_context.RequestContext,
        door: RequestMiddleware,
        transport: asyncio.Transport | None,
    ) -> None:
        self._send = send
        self._visit = visit
        self._door = door
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
                    self._door.stands_aside()
            if not cached:
                headers.append(NO_STORE)
            headers += HEADERS
            if self.status == 408:
                headers.append((b"connection", b"close"))
            headers.append((b"x-request-id", self._visit.id.encode()))
            if self._visit.secure:
                headers.append(STRICT_TRANSPORT)
            message["headers"] = headers
        if self.streaming:  # the hub sees to who does not read
            await self._send(message)
        elif (rest := start_coroutine(self._send(message))) is not None:
            await self._read(rest)

    async def _read(self, rest: Coroutine[Any, Any, None]) -> None:
        """Waits for who has not read what was sent before; who does not read at all is cut off."""
        loop, transport = asyncio.get_running_loop(), self._transport
        timer = loop.call_later(READ_SECONDS, transport.abort) if transport is not None else None
        self._door.stands_aside()
        try:
            await rest
        finally:
            self._door.stands_aside(-1)
            if timer is not None:
                timer.cancel()

    async def refuse(self, problem: Problem) -> None:
        """Answer with a problem, unless an answer is on its way already."""
        if self.status:
            return
        content = problem_bytes(problem.kind, problem.detail)
        headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(content)).encode())]
        if problem.retry_after is not None:
            headers.append((b"retry-after", str(round(problem.retry_after)).encode()))
        start: Any = {"type": "http.response.start", "status": problem.kind.status, "headers": headers}
        await self(start)
        await self._send({"type": "http.response.body", "body": content, "more_body": False})


class Hosts:
    """The names under which this house is asked. A foreign name that leads here (DNS rebinding) is none of them.

    An address in figures cannot be rebound, so any of them may be asked for.
    """

    def __init__(self, settings: Settings) -> None:
        own = [settings.host, *(urlsplit(origin).hostname or "" for origin in settings.public_origins)]
        self._names = frozenset(name.lower() for name in own if name)
        self._known: dict[bytes, bool] = {}

    def __contains__(self, host: object) -> bool:
        known = self._known.get(host)  # type: ignore[call-overload]
        if known is None and isinstance(host, bytes):
            known = self._look(host)
            if known and len(self._known) < 1_000:
                self._known[host] = known
        return bool(known)

    def _look(self, host: bytes) -> bool:
        text = host.decode("latin-1").lower()
        match = re.fullmatch(r"(\[[0-9a-f:.]+\]|[^:\[\]/@]+)(:\d{1,5})?", text)
        if match is None:
            return False
        name = match[1].strip("[]").rstrip(".")
        return name in self._names or is_loopback(name) or parse_address(name) is not None
