"""What the tests of streams share: a house with a table, entries of a table in hand, and someone who watches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import uvicorn

from pitbook.auth.stores import open_auth_store
from pitbook.house.encoding import event_bytes
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal.entries import GENESIS, Entry
from pitbook.journal.port import Store
from pitbook.journal.refusal_aggregation import REFUSED
from pitbook.rulebooks.catalogue import load
from pitbook.server.http.connections import Connection
from pitbook.server.presenters.tables import encode_views
from pitbook.server.routes import streams
from pitbook.server.services import Services
from pitbook.server.settings import Settings
from pitbook.server.streams.hub import Hub, Limits
from pitbook.server.streams.projections import PUBLIC, Viewer
from pitbook.server.streams.watchers import Watcher
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.table.refusals import Refusal
from pitbook.table.transcript import Occurrence
from tests.server.asgi import app_over
from tests.waiting import HANG, until_async

BOOK = "massachusetts-sic-bo"
ANN, BEN = Person("ann", "player"), Person("ben", "player")
MANAGER, FLOOR = Person("max", "manager"), Person("fay", "floorperson")


def run(test: Coroutine[Any, Any, None], seconds: float = HANG) -> None:
    """A test that waits for things, but not forever."""

    async def limited() -> None:
        async with asyncio.timeout(seconds):
            await test

    asyncio.run(limited())


def entries_of(text: Iterable[Occurrence]) -> Iterator[Entry]:
    """Yield the entries that a journal would have for these occurrences."""
    for sequence, one in enumerate(text, 1):
        if isinstance(one.what, Refusal):
            kind, body = REFUSED, msgspec.json.encode({"table": "t1", "refusal": str(one.what.why)})
            answer = msgspec.json.encode({"says": one.what.says, "asked": one.what.asked})
        else:
            kind, body, answer = type(one.what).__name__, event_bytes(one.what), b""
        yield Entry(
            "t1", sequence, kind, body, one.person.name, one.person.role, one.at, None, None, answer or None, "", None,
            one.transfers, GENESIS, GENESIS,
        )  # fmt: skip


@dataclass(frozen=True)
class Frame:
    """One frame of a stream."""

    kind: str
    id: int | None
    data: Any


def frames(stream: bytes) -> list[Frame]:
    """Return the complete frames of a stream."""
    found = []
    for block in stream.decode().split("\n\n")[:-1]:
        named = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if "event" in named:
            number = int(named["id"]) if "id" in named else None
            found.append(Frame(named["event"], number, msgspec.json.decode(named["data"])))
    return found


def ids(stream: bytes) -> list[int]:
    """Return the entry numbers of a stream in order of arrival."""
    return [frame.id for frame in frames(stream) if frame.id is not None]


@dataclass
class Sink:
    """The server's side of a connection: what was sent, and whether the client still reads."""

    sent: bytearray = field(default_factory=bytearray)
    writes: list[bytes] = field(default_factory=list)
    ended: bool = False
    aborted: bool = False
    open: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.open.set()

    async def send(self, message: Any) -> None:
        if not self.open.is_set():
            await self.open.wait()
        self.sent += message["body"]
        self.writes.append(message["body"])
        self.ended = not message["more_body"]

    def abort(self) -> None:
        self.aborted = True


async def watch(
    hub: Hub, after: int | None = None, viewer: Viewer = PUBLIC, sink: Sink | None = None, table: str = "t1"
) -> tuple[Watcher, Sink]:
    """Someone who watches through a sink."""
    sink = sink or Sink()
    watcher = await hub.join(table, viewer, sink.send, sink.abort)
    await watcher.channel.follow(watcher, after)
    return watcher, sink


until = until_async


class Floor:
    """A house with table t1, and the hub that streams it."""

    def __init__(self, where: Path | str, limits: Limits | None = None, viewer_of: Any = lambda _: PUBLIC) -> None:
        self.store: Store = open_store(str(where))
        self.hub = Hub(self.store, self.views, limits, find_viewer=viewer_of)
        self.house = House(self.store, on_commit=self.hub.committed)
        self.viewed = 0
        self._shifts = count()

    def views(self, table: str) -> tuple[bytes, bytes]:
        self.viewed += 1
        house, sequence = self.house, self.store.head(table).sequence
        return encode_views(house.table(table), sequence, house.now(), house.liability)

    def open(self) -> Floor:
        rules = load(BOOK)
        setup = c.Setup(BOOK, rules.digest, "Test House", rules.identity.currency)
        self.does(MANAGER, c.OpenTable(setup))
        return self

    def does(self, person: Person, command: c.Command) -> int:
        answer = self.house.ask("t1", person, command)
        assert answer.refused is None, answer
        return answer.sequence

    def buys(self, times: int = 1, person: Person = ANN) -> int:
        """Write entries that do not change the step; return the last number."""
        return [self.does(person, c.BuyIn(100)) for _ in range(times)][-1]

    def shift(self) -> int:
        """Write an entry that changes the step."""
        return self.does(FLOOR, c.StartShift(f"shift {next(self._shifts)}"))

    def close(self) -> None:
        self.house.close()


@asynccontextmanager
async def playing(where: Path | str, limits: Limits | None = None) -> AsyncIterator[Floor]:
    """Yield a floor whose hub runs."""
    floor = Floor(where, limits).open()
    floor.hub.start()
    try:
        yield floor
    finally:
        await floor.hub.close()
        floor.close()


@asynccontextmanager
async def serving(
    where: Path, limits: Limits | None = None, viewer_of: Any = lambda _: PUBLIC, protocol: Any = Connection
) -> AsyncIterator[tuple[Floor, int]]:
    """Serve the floor by a real server; yield its port."""
    floor = Floor(where / "journal.db", limits, viewer_of).open()
    settings = Settings(data=where, demo=False, public_origins=("https://tables.example",), request_rate=0)
    auth = open_auth_store(str(where / "journal.db"))
    app = app_over(Services(settings, floor.house, auth, hub=floor.hub), streams.handlers)
    config = uvicorn.Config(app, port=0, http=protocol, ws="none", lifespan="off", log_config=None, access_log=False)
    server = uvicorn.Server(config)
    server.capture_signals = nullcontext  # type: ignore[method-assign,assignment]
    serve = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    floor.hub.start()
    try:
        yield floor, server.servers[0].sockets[0].getsockname()[1]
    finally:
        await floor.hub.close()
        server.should_exit = True
        await serve
        floor.close()
        auth.close()


class Client:
    """A TCP client of a stream."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.ended = False

    @classmethod
    async def get(cls, port: int, path: str = "/api/v1/tables/t1/stream", **headers: str) -> Client:
        client = cls(*await asyncio.open_connection("127.0.0.1", port, limit=1 << 16))
        sent_headers = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        client._writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{sent_headers}\r\n".encode())
        head = (await client._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        client.status = int(head[0].split()[1])
        client.headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        return client

    async def read(self, done: Callable[[bytes], object]) -> bytes:
        """Read until the condition holds or the stream has ended."""
        while not self.ended and not done(self.body):
            await self._chunk()
        return self.body

    async def _chunk(self) -> None:
        try:
            size = int(await self._reader.readuntil(b"\r\n"), 16)
            self.body += (await self._reader.readexactly(size + 2))[:-2]
            self.ended = not size
        except (asyncio.IncompleteReadError, ConnectionError):
            self.ended = True

    async def whole(self) -> Any:
        """Return a response that is not a stream."""
        return msgspec.json.decode(await self._reader.readexactly(int(self.headers["content-length"])))

    def close(self) -> None:
        self._writer.close()
