"""Clients of a real server: visitors with a cookie or a token, stream clients, and raw connections for races."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from socket import SHUT_RDWR
from threading import Condition, Thread
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import httpx

from pitbook.server.demo import PASSWORD
from tests import loopback
from tests.server.authenticators import code_of
from tests.server.streams.stream_helpers import Frame, frames
from tests.waiting import HANG, until

SCOPES = ("play", "deal", "manage", "read")


class Visitor:
    """Someone who asks over HTTP: by a browser's session with its CSRF token, or by a token."""

    def __init__(self, address: str, *, token: str | None = None, name: str = "") -> None:
        self.address = address
        self.token = token
        self.name = name
        self.csrf: str | None = None
        self.http = loopback.client(f"{address}/api/v1")

    def sign_in(self, name: str, password: str = PASSWORD) -> Visitor:
        """Sign in by name and password; the session is stored as a cookie."""
        response = self.post("/sign-in", {"name": name, "password": password})
        assert response.status_code == 200, response.text
        self.name = name
        return self

    def set_up_factor(self, name: str = "phone") -> Visitor:
        """Set up an authenticator app, as required for managers and auditors outside the demo."""
        assert self.get_json("/me")["second_factor"] == "enrol"
        self.add_app(name)
        return self

    def add_app(self, name: str) -> Any:
        """Set up an authenticator app; retry with the next code if one expires on a busy machine."""
        secret = done(self.post("/me/factors/totp"))["secret"]

        def confirmed() -> httpx.Response | None:
            code = code_of(secret, datetime.now(UTC))
            response = self.post("/me/factors/totp/confirmation", {"code": code, "name": name})
            return response if response.status_code == 200 else None

        return done(until(confirmed, "a code that fits"))

    def with_token(self, *scopes: str) -> Visitor:
        """Return a client for the same person with a new API token."""
        response = self.post("/me/tokens", {"name": "a test", "scopes": list(scopes or SCOPES)})
        assert response.status_code == 201, response.text
        return Visitor(self.address, token=response.json()["token"], name=self.name)

    def at(self, address: str) -> Visitor:
        """Return a client with the same credentials for another process."""
        other = Visitor(address, token=self.token, name=self.name)
        other.http.cookies.update(self.http.cookies)
        other.csrf = self.csrf
        return other

    # -- asking

    def ask(self, method: str, path: str, *, key: str | None = None, **more: Any) -> httpx.Response:
        headers: dict[str, str] = {}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        elif self.csrf is not None:
            headers["X-CSRF-Token"] = self.csrf
        if key is not None:
            headers["Idempotency-Key"] = key
        response = self.http.request(method, path, headers=headers, **more)
        assert response.status_code < 500, response.text
        if response.is_success and response.content:
            body = response.json()
            who = body.get("me", body) if isinstance(body, dict) else {}
            if isinstance(who, dict) and who.get("csrf"):
                self.csrf = who["csrf"]
        return response

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.ask("GET", path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> httpx.Response:
        return self.ask("POST", path, json=body, **more)

    def get_json(self, path: str) -> Any:
        """Return the body of a successful GET."""
        response = self.get(path)
        assert response.status_code == 200, response.text
        return response.json()

    def table(self, name: str) -> dict[str, Any]:
        """Return a table as this visitor sees it."""
        found: dict[str, Any] = self.get_json(f"/tables/{name}")
        return found

    def balance(self, table: str) -> int:
        return int(self.table(table)["mine"]["balance"])

    def now(self, table: str) -> dict[str, int]:
        """Return the round and step that the visitor sees."""
        view = self.table(table)["view"]
        return {"round": view["round"], "step": view["step"]}

    # -- asking tables

    def bets(self, table: str, *bets: str, key: str | None = None) -> httpx.Response:
        """Place bets such as "small=500", in minor units."""
        return self.post(f"/tables/{table}/bets", {"bets": wanted(*bets)}, key=key)

    def command(
        self,
        table: str,
        kind: str,
        *,
        role: str | None = None,
        expected: dict[str, int] | None = None,
        key: str | None = None,
        **fields: Any,
    ) -> httpx.Response:
        """Send a command, in a role if one is given."""
        body = {"command": {"type": kind, **fields}, "role": role, "expected": expected}
        return self.post(f"/tables/{table}/commands", body, key=key)

    def step(self, table: str, step: str, *, expected: dict[str, int] | None = None, **fields: Any) -> httpx.Response:
        """Take a step of the procedure."""
        return self.command(table, "TakeStep", step=step, expected=expected, **fields)

    def approve(self, approval: str, **body: Any) -> httpx.Response:
        """Approve another person's act as the second person."""
        return self.post(f"/approvals/{approval}/approve", body)

    # -- watching

    def watch(self, table: str, after: int | None = None) -> StreamClient:
        """Open the table's stream as this visitor sees it."""
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        elif self.http.cookies:
            headers["Cookie"] = "; ".join(f"{one.name}={one.value}" for one in self.http.cookies.jar)
        return StreamClient(self.address, f"/api/v1/tables/{table}/stream", headers)

    def close(self) -> None:
        self.http.close()

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def wanted(*bets: str) -> list[dict[str, Any]]:
    """Convert bets such as "small=500" to the API's format."""
    pairs = [bet.split("=") for bet in bets]
    return [{"wager": wager, "amount": int(amount)} for wager, amount in pairs]


def consented(staff: Visitor, player: Visitor, table: str, kind: str, **fields: Any) -> Any:
    """Send a command by staff for a player, who consents; return the result."""
    waiting = done(staff.command(table, kind, player=player.name, **fields), 202)["approval"]
    return done(player.approve(waiting))


def done(answer: httpx.Response, status: int = 200) -> Any:
    """Return the body of a response that must have this status."""
    assert answer.status_code == status, f"{answer.status_code} {answer.text}"
    return answer.json()


def refused(answer: httpx.Response, refusal: str, status: int) -> dict[str, Any]:
    """Return the problem of a response that must be this refusal."""
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, problem.get("refusal")) == (status, refusal), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    return problem


class StreamClient:
    """Someone who watches a stream; its own thread reads it."""

    def __init__(self, address: str, path: str, headers: dict[str, str]) -> None:
        place = urlsplit(address)
        assert place.hostname is not None
        self._connection = HTTPConnection(place.hostname, place.port, timeout=HANG)
        self._connection.request("GET", path, headers={"Accept": "text/event-stream", **headers})
        self._socket = self._connection.sock
        self._answer = self._connection.getresponse()
        self.status = self._answer.status
        self._changed = Condition()
        self._stream = b""
        self.ended = False
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            while more := self._answer.read1(1 << 16):
                with self._changed:
                    self._stream += more
                    self._changed.notify_all()
        except (OSError, HTTPException, ValueError, AttributeError):
            pass  # cut off: by the server's death, or by our own leaving
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    @property
    def frames(self) -> list[Frame]:
        """Return the frames received so far."""
        with self._changed:
            return frames(self._stream)

    @property
    def text(self) -> str:
        with self._changed:
            return self._stream.decode()

    @property
    def entries(self) -> list[Frame]:
        """Return the frames that are entries."""
        return [frame for frame in self.frames if frame.id is not None]

    @property
    def ids(self) -> list[int]:
        return [frame.id for frame in self.frames if frame.id is not None]

    def until(self, enough: Callable[[list[Frame]], object], seconds: float = HANG) -> list[Frame]:
        """Wait until the condition holds; return the frames."""
        with self._changed:
            come = self._changed.wait_for(lambda: enough(frames(self._stream)), seconds)
            assert come, f"it never came: {self._stream[-2000:].decode()}"
            return frames(self._stream)

    def until_kind(self, kind: str, seconds: float = HANG) -> Frame:
        """Wait for the first frame of a kind."""
        found = self.until(lambda come: any(frame.kind == kind for frame in come), seconds)
        return next(frame for frame in found if frame.kind == kind)

    def until_id(self, number: int, seconds: float = HANG) -> None:
        """Wait for an entry."""
        self.until(lambda come: any(frame.id is not None and frame.id >= number for frame in come), seconds)

    def until_ended(self, seconds: float = HANG) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.ended, seconds), "the stream continues"

    def close(self) -> None:
        with suppress(OSError):  # it was cut off before
            self._socket.shutdown(SHUT_RDWR)
        self._thread.join(5)
        self._answer.close()
        self._connection.close()

    def __enter__(self) -> StreamClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass
class RawResponse:
    """The response to a raw request; status 0 if none came."""

    status: int
    body: Any = None


@dataclass
class RawConnection:
    """A keep-alive connection that sends one request after another."""

    address: str
    token: str
    _reader: asyncio.StreamReader | None = field(default=None, repr=False)
    _writer: asyncio.StreamWriter | None = field(default=None, repr=False)

    async def __aenter__(self) -> RawConnection:
        place = urlsplit(self.address)
        self._reader, self._writer = await asyncio.open_connection(place.hostname, place.port)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if self._writer is not None:
            self._writer.close()
            with suppress(OSError):  # the other side was quicker
                await self._writer.wait_closed()

    async def post(self, path: str, body: Any, key: str | None = None) -> RawResponse:
        """Send a request; status 0 if the connection broke before the response was complete."""
        assert self._reader is not None
        assert self._writer is not None
        content = json.dumps(body).encode()
        head = [
            f"POST /api/v1{path} HTTP/1.1",
            f"Host: {urlsplit(self.address).netloc}",
            "Content-Type: application/json",
            f"Authorization: Bearer {self.token}",
            f"Content-Length: {len(content)}",
            *([f"Idempotency-Key: {key}"] if key else []),
        ]
        try:
            self._writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + content)
            await self._writer.drain()
            answer = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(answer.partition("content-length:")[2].split("\r\n", 1)[0])
            return RawResponse(int(answer[9:12]), json.loads(await self._reader.readexactly(length)))
        except (asyncio.IncompleteReadError, OSError):
            return RawResponse(0)

    async def bet(self, table: str, *bets: str, key: str) -> RawResponse:
        return await self.post(f"/tables/{table}/bets", {"bets": wanted(*bets)}, key)

    async def command(self, table: str, kind: str, *, expected: Any = None, **more: Any) -> RawResponse:
        return await self.post(f"/tables/{table}/commands", {"command": {"type": kind, **more}, "expected": expected})
