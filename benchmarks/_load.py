"""A client that sends each request as soon as the last was answered, over persistent connections."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any

import uvloop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass
class Tally:
    """The results of a load test."""

    statuses: dict[int, int] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)
    other: bytes = b""
    """The first unexpected response."""


class Line(asyncio.Protocol):
    """A connection that sends the next request when the response is complete."""

    def __init__(self, requests: Iterator[bytes], tally: Tally, until: float, done: asyncio.Future[None]) -> None:
        self._requests = requests
        self._tally = tally
        self._until = until
        self._done = done
        self._buffer = b""
        self._sent = 0.0
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment] # uvloop has classes of its own
        self._send()

    def _send(self) -> None:
        assert self._transport is not None
        self._sent = perf_counter()
        if self._sent >= self._until:
            self._finish()
            return
        self._transport.write(next(self._requests))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, found, rest = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return
        place = head.lower().find(b"content-length:")
        length = int(head[place + 15 :].split(b"\r\n", 1)[0]) if place >= 0 else 0
        if len(rest) < length:
            return
        status = int(self._buffer[9:12])
        tally = self._tally
        tally.statuses[status] = tally.statuses.get(status, 0) + 1
        tally.times.append(perf_counter() - self._sent)
        if status != 200 and not tally.other:
            tally.other = rest[:300]
        self._buffer = rest[length:]
        self._send()

    def connection_lost(self, _error: Exception | None) -> None:
        self._finish()

    def _finish(self) -> None:
        if not self._done.done():
            self._done.set_result(None)
        if self._transport is not None:
            self._transport.close()


def request(method: str, path: str, port: int, body: bytes = b"", **headers: str) -> bytes:
    """Return a request as bytes."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Content-Type: application/json"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body


async def flood(ports: list[int], requests: Callable[[int], Iterator[bytes]], lines: int, seconds: float) -> Tally:
    """Run a number of connections for a time, distributed over the ports."""
    loop = asyncio.get_running_loop()
    tally, until = Tally(), perf_counter() + seconds
    waiting = []
    for number in range(lines):
        done: asyncio.Future[None] = loop.create_future()
        await loop.create_connection(
            lambda number=number, done=done: Line(requests(number), tally, until, done),  # type: ignore[misc]
            "127.0.0.1",
            ports[number % len(ports)],
        )
        waiting.append(done)
    await asyncio.wait(waiting)
    return tally


def bets(port: int, table: str, token: str, wagers: list[str], size: int, name: str) -> Iterator[bytes]:
    """Yield the bets of a player, each with its own key."""
    for number in count():
        start = number * size
        wanted = [{"wager": wagers[(start + place) % len(wagers)], "amount": 100} for place in range(size)]
        yield request(
            "POST",
            f"/api/v1/tables/{table}/bets",
            port,
            json.dumps({"bets": wanted}).encode(),
            Authorization=f"Bearer {token}",
            Idempotency_Key=f"{name} {number}",
        )


def main() -> None:
    """Read the task as JSON from the first line of stdin, and print the results."""
    wanted: dict[str, Any] = json.loads(sys.stdin.readline())
    ports: list[int] = wanted.get("ports") or [wanted["port"]]
    tables: list[str] = wanted.get("tables") or [wanted["table"]]
    size = wanted["size"]

    def requests(number: int) -> Iterator[bytes]:
        token, port = wanted["tokens"][number % len(wanted["tokens"])], ports[number % len(ports)]
        table = tables[number // len(ports) % len(tables)]
        if size == 0:
            once = request("GET", "/health", port)
            while True:
                yield once
        name = f"{wanted['name']} {number}"
        yield from bets(port, table, token, wanted["wagers"], size, name)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        tally = runner.run(flood(ports, requests, wanted["lines"], wanted["seconds"]))
    times = sorted(tally.times)
    summary = {
        "statuses": tally.statuses,
        "p50": times[len(times) // 2],
        "p99": times[int(len(times) * 0.99)],
        "other": tally.other.decode(errors="replace"),
    }
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
