"""Bytes on a bare connection: what no library would send."""

from __future__ import annotations

import json
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tests.server.whole.deployment import Deployment

SECURITY = (
    "content-security-policy",
    "x-content-type-options",
    "referrer-policy",
    "permissions-policy",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "x-frame-options",
)


@dataclass
class Reply:
    """One answer as it came."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        """The value of a header that comes once at most."""
        found = [value for key, value in self.headers if key == name]
        assert len(found) <= 1, self.headers
        return found[0] if found else None

    @property
    def problem(self) -> dict[str, Any]:
        """What it complains about; it must be a problem, with every header that a problem has."""
        assert 400 <= self.status < 500, self
        assert self.header("content-type") == "application/problem+json", self
        assert all(self.header(name) for name in SECURITY), self
        assert self.header("cache-control") == "no-store"
        body: dict[str, Any] = json.loads(self.body)
        assert body["status"] == self.status
        return body


class Wire:
    """A connection to a house."""

    def __init__(self, deployment: Deployment, seconds: float = 15) -> None:
        place = urlsplit(deployment.process.open_at)
        self.host = place.netloc
        self.socket = socket.create_connection((place.hostname, place.port), timeout=seconds)
        self._come = b""

    def send(self, content: bytes) -> Wire:
        with suppress(BrokenPipeError, ConnectionResetError):  # the other side has closed the connection
            self.socket.sendall(content)
        return self

    def head(self, line: str, *headers: str) -> bytes:
        """A request's head, with a host."""
        return "\r\n".join([line, f"Host: {self.host}", *headers, "", ""]).encode("latin-1")

    def reply(self) -> Reply | None:
        """The next answer; None where the connection ended instead."""
        while b"\r\n\r\n" not in self._come:
            if not self._more():
                return None
        head, _, self._come = self._come.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        if first.split()[1].startswith("1"):
            return self.reply()
        headers = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        reply = Reply(int(first.split()[1]), headers, b"")
        length = reply.header("content-length")
        if length is not None:
            while len(self._come) < int(length) and self._more():
                pass
            reply.body, self._come = self._come[: int(length)], self._come[int(length) :]
        elif reply.header("transfer-encoding") is None and reply.status not in (204, 304):
            while self._more():
                pass
            reply.body, self._come = self._come, b""
        return reply

    def replies(self) -> list[Reply]:
        """All that come until the connection ends."""
        found = []
        while (one := self.reply()) is not None:
            found.append(one)
        return found

    def _more(self) -> bool:
        try:
            come = self.socket.recv(1 << 16)
        except ConnectionResetError:
            return False
        self._come += come
        return bool(come)

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def sent(deployment: Deployment, content: bytes) -> Reply | None:
    """The answer to one request, on its own connection."""
    with Wire(deployment) as wire:
        return wire.send(content).reply()


def posted(deployment: Deployment, path: str, body: bytes, *headers: str, length: bool = True) -> Reply:
    """A POST with a body of any bytes."""
    with Wire(deployment) as wire:
        counted = [f"Content-Length: {len(body)}"] if length else []
        named = any(one.lower().startswith("content-type") for one in headers)
        kind = [] if named else ["Content-Type: application/json"]
        reply = wire.send(wire.head(f"POST {path} HTTP/1.1", *counted, *kind, *headers) + body).reply()
    assert reply is not None
    return reply


def bearer(deployment: Deployment, name: str) -> str:
    """The header that lets a demo person in."""
    return f"Authorization: Bearer {deployment.visitor(name).token}"
