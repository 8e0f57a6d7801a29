"""A webhook receiver on the loopback interface that checks signatures and can reject messages."""

from __future__ import annotations

import hmac
import json
import ssl
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Event, Thread
from typing import Any

from tests.waiting import HANG


@dataclass(frozen=True)
class Received:
    """A message and the receiver's response."""

    headers: dict[str, str]
    body: bytes
    status: int

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def payload(self) -> Any:
        return json.loads(self.body)

    def signed_by(self, secret: str) -> bool:
        """Return whether a signature matches this secret, computed independently of the sender."""
        signed = f"{self.id}.{self.headers['webhook-timestamp']}.".encode() + self.body
        right = b64encode(hmac.digest(b64decode(secret.removeprefix("whsec_")), signed, "sha256")).decode()
        return f"v1,{right}" in self.headers["webhook-signature"].split()


class Receiver:
    """A server that answers every message with `status`."""

    def __init__(self, port: int = 0, tls: ssl.SSLContext | None = None) -> None:
        self.status = 200
        self.location: str | None = None
        self.answering = Event()
        """While it is not set, messages are taken and not answered."""
        self.answering.set()
        self.received: list[Received] = []
        self._changed = Condition()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with owner._changed:
                    status = owner.status
                    owner.received.append(
                        Received({key.lower(): value for key, value in self.headers.items()}, body, status)
                    )
                    owner._changed.notify_all()
                owner.answering.wait(HANG)
                self.send_response(status)
                if owner.location is not None:
                    self.send_header("Location", owner.location)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.port}/hook"
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def accepted(self) -> list[Received]:
        with self._changed:
            return [one for one in self.received if one.status < 300]

    def until(self, enough: Callable[[list[Received]], object]) -> list[Received]:
        """Wait until the condition holds; return all messages."""
        with self._changed:
            assert self._changed.wait_for(lambda: enough(self.received), HANG), self.received
            return list(self.received)

    def until_kinds(self, *kinds: str) -> list[Received]:
        """Wait until messages of these kinds were accepted; return all accepted messages."""
        self.until(lambda found: set(kinds) <= {one.payload["kind"] for one in found if one.status < 300})
        return self.accepted

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(HANG)

    def __enter__(self) -> Receiver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def in_order(messages: list[Received]) -> list[tuple[str, int]]:
    """Return table and sequence of every distinct message in order of first arrival."""
    return list(dict.fromkeys((one.payload["table"], one.payload["sequence"]) for one in messages))
