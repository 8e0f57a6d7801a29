"""Latency of an event to thousands of watchers, until each has its last byte, and the memory per watcher.

    python benchmarks/watchers.py [--watchers 2000 5000] [--events 40]

A server process with a house of its own on SQLite serves the streams; this process opens so many real connections to
it over the loopback, has the server play, and notes when the bytes of each event arrive. The time runs from the moment
when the commit is done. Most watchers are the public, one in ten is a player with frames of their own, some are staff.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
import uvicorn
import uvloop
from _results import held

if TYPE_CHECKING:
    from collections.abc import Iterator

SAME_CORES = "the watchers' own clients run on the same two cores, and a step sends each of them the whole view."
AIMS = {2_000: 0.100, 5_000: 0.300}
"""Seconds within which 99 of 100 watchers have an event."""

BOOK = "massachusetts-sic-bo"
PLAYERS = 8
STOP_SECONDS = 15
BUSY = 5_000, 2
"""The number of watchers that are measured again beside busy processes, and the number of processes."""
SPARE = 200
"""File descriptors for other things."""

_ID = re.compile(rb"^id: (\d+)$", re.MULTILINE)


@dataclass(frozen=True)
class Spread:
    """How long an event took to reach its watchers, in seconds."""

    watchers: int
    what: str
    p50: float
    p99: float
    worst: float
    memory: float
    """Bytes for each watcher in the server's process."""
    missed: int
    """Events that did not reach a watcher: there must be none."""
    busy: int = 0
    """Other processes that were kept busy."""

    @property
    def aim(self) -> float | None:
        """The target for p99."""
        return AIMS.get(self.watchers)


def files_allowed(wanted: int) -> int:
    """Raise the limit of open files as far as possible."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if allowed > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(allowed, soft)


# --- the server's process ---


def serve(place: str) -> None:
    """Serve streams; play when a line is read, and print when that was committed."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serving(Path(place)))


async def _serving(folder: Path) -> None:
    from pitbook.auth.stores import open_auth_store
    from pitbook.house.house import House
    from pitbook.house.stores import open_store
    from pitbook.server.app import create_app
    from pitbook.server.http.connections import Connection
    from pitbook.server.presenters.tables import encode_views
    from pitbook.server.routes import streams
    from pitbook.server.services import Services
    from pitbook.server.settings import Settings
    from pitbook.server.streams.hub import Hub, Limits
    from pitbook.server.streams.projections import Viewer
    from pitbook.table.people import Person

    files_allowed(20_000)
    committed = 0.0

    def on_commit(entries: Any) -> None:
        nonlocal committed
        committed = monotonic()
        hub.committed(entries)

    def viewer_of(scope: Any) -> Viewer:
        headers = scope["headers"]
        name = next((value.decode() for key, value in headers if key == b"x-viewer"), "")
        return Viewer(name or None, staff=name == "staff")

    store = open_store(str(folder / "house.db"))
    house = House(store, on_commit=on_commit)
    hub = Hub(
        store,
        lambda table: encode_views(house.table(table), store.head(table).sequence, house.now(), house.liability),
        Limits(watchers_max=40_000, per_address_max=20_000),
        find_viewer=viewer_of,
    )
    settings = Settings(data=folder, demo=False, in_flight_max=20_000, request_rate=0)
    services = Services(settings, house, open_auth_store(str(folder / "house.db")), hub=hub)
    app = create_app(services, streams.handlers)
    _open_table(house)
    listening = socket.create_server(("127.0.0.1", 0), backlog=4_096)
    config = uvicorn.Config(
        app, http=Connection, ws="none", lifespan="off", log_config=None, access_log=False, server_header=False
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listening]))
    hub.start()
    loop = asyncio.get_running_loop()
    _tell(port=listening.getsockname()[1])
    lines = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    players, wagers, keys = [Person(f"player {n}", "player") for n in range(PLAYERS)], ["small", "big"], count()

    def bet(size: int) -> int:
        from pitbook.table import commands as c

        number = next(keys)
        wanted = tuple(c.BetRequest(wagers[place % 2], 100) for place in range(size))
        answer = house.ask("t1", players[number % PLAYERS], c.PlaceBets(wanted), key=f"{number}")
        assert answer.refused is None, answer
        return answer.sequence

    def shift() -> int:
        from pitbook.table import commands as c

        answer = house.ask("t1", Person("fay", "floorperson"), c.StartShift(f"shift {next(keys)}"))
        assert answer.refused is None, answer
        return answer.sequence

    while line := (await lines.readline()).decode().strip():
        if line == "memory":
            _tell(memory=_resident(), watchers=hub.watchers, dropped=hub.dropped)
        elif line == "quit":
            break
        else:
            act = {"bet": lambda: bet(1), "twenty bets": lambda: bet(20), "step": shift}[line]
            last = await loop.run_in_executor(None, act)
            _tell(sequence=last, committed=committed)
    await hub.close()
    server.should_exit = True
    await serving
    house.close()


def _tell(**values: Any) -> None:
    print(json.dumps(values), flush=True)


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _open_table(house: Any) -> None:
    from pitbook.dice import Roll
    from pitbook.engine.illuminate import illuminate
    from pitbook.rulebooks.catalogue import load
    from pitbook.table import commands as c
    from pitbook.table.people import Person

    rules = load(BOOK)
    floor, other = Person("fay", "floorperson"), Person("cas", "casino-supervisor")
    for person, command in (
        (Person("max", "manager"), c.OpenTable(c.Setup(BOOK, rules.digest, "Benchmark", rules.identity.currency))),
        (Person("dan", "dealer"), c.TakeOver()),
        (floor, c.PutDice("set 1")),
        (floor, c.StartShift("day")),
        (floor, c.Inspect("device-before-opening", (1, 2, 3), illuminate(rules, Roll.of(1, 2, 3)))),
        (floor, c.Fill(10**12, other)),
        *((Person(f"player {number}", "player"), c.BuyIn(10**9)) for number in range(PLAYERS)),
    ):
        answer = house.ask("t1", person, command)
        assert answer.refused is None, answer


# --- the watchers' process ---


class Watching(asyncio.Protocol):
    """A connection that records when data arrives."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.arrived: list[tuple[float, bytes]] = []

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        viewer = f"X-Viewer: {self.name}\r\n" if self.name else ""
        transport.write(f"GET /api/v1/tables/t1/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n{viewer}\r\n".encode())

    def data_received(self, data: bytes) -> None:
        self.arrived.append((monotonic(), data))

    def last_bytes(self) -> dict[int, float]:
        """Return and clear the arrival times of the last byte of each event, by number."""
        found: dict[int, float] = {}
        rest = b""
        for when, data in self.arrived:
            whole, mark, rest = (rest + data).rpartition(b"\n\n")
            for number in _ID.findall(whole + mark):
                found[int(number)] = when
        self.arrived.clear()
        return found


class Server:
    """The server's process, as this one sees it."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.process = process
        self.port = port

    @classmethod
    async def start(cls, folder: str) -> Server:
        process = await asyncio.create_subprocess_exec(
            sys.executable, __file__, "--serve", folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        return cls(process, json.loads(await process.stdout.readline())["port"])

    async def ask(self, line: str) -> dict[str, Any]:
        """Send the server a task."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{line}\n".encode())
        reply: dict[str, Any] = json.loads(await self.process.stdout.readline())
        return reply

    async def stop(self) -> None:
        """Stop the server."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"quit\n")
        try:
            await asyncio.wait_for(self.process.wait(), STOP_SECONDS)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Keep a number of processes busy meanwhile."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def measure(watchers: int, events: int = 40, busy: int = 0) -> list[Spread]:
    """Return the figures for a number of watchers: single bets, twenty at once, and steps, which show the table too."""
    with (
        busy_processes(busy),
        tempfile.TemporaryDirectory(prefix="pitbook-watchers-") as folder,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return [replace(spread, busy=busy) for spread in runner.run(_measuring(watchers, events, folder))]


async def _measuring(watchers: int, events: int, folder: str) -> list[Spread]:
    allowed = files_allowed(watchers + SPARE)
    if allowed < watchers + SPARE:
        raise SystemExit(
            f"{watchers} watchers need {watchers + SPARE} open files, and {allowed} are allowed: ulimit -Hn"
        )
    server = await Server.start(folder)
    try:
        (first,) = await _connect(server.port, 1)
        before = (await server.ask("memory"))["memory"]
        crowd = [first, *await _connect(server.port, watchers - 1)]
        after = (await server.ask("memory"))["memory"]
        memory = (after - before) / (watchers - 1)
        kinds = ("bet", "twenty bets", "step")
        return [replace(await _play(server, crowd, what, events), memory=memory) for what in kinds]
    finally:
        await server.stop()


async def _connect(port: int, number: int) -> list[Watching]:
    loop = asyncio.get_running_loop()
    crowd: list[Watching] = []
    for start in range(0, number, 100):
        some = [Watching(_name(place)) for place in range(start, min(number, start + 100))]
        await asyncio.gather(*(loop.create_connection(partial(_itself, one), "127.0.0.1", port) for one in some))
        crowd += some
        await _until(partial(_greeted, some))
    return crowd


def _itself(one: Watching) -> Watching:
    return one


def _greeted(some: list[Watching]) -> bool:
    return all(any(b"event: head" in data for _, data in one.arrived) for one in some)


def _name(place: int) -> str:
    if place % 10 == 1:
        return f"player {place // 10 % PLAYERS}"
    return "staff" if place % 100 == 2 else ""


async def _until(done: Any, seconds: float = 30) -> None:
    for _ in range(int(seconds * 50)):
        if done():
            return
        await asyncio.sleep(0.02)
    raise SystemExit("the server does not answer its watchers")


async def _play(server: Server, crowd: list[Watching], what: str, events: int) -> Spread:
    for one in crowd:
        one.arrived.clear()
    delays: list[float] = []
    missed = 0
    for number in range(events + 2):
        reply = await server.ask(what)
        await asyncio.sleep(0.15 + len(crowd) / 10_000)
        found = [one.last_bytes().get(reply["sequence"]) for one in crowd]
        if number >= 2:  # after the first, which warm up
            delays += [when - reply["committed"] for when in found if when is not None]
            missed += sum(when is None for when in found)
    p50, p99 = np.percentile(delays, (50, 99))
    return Spread(len(crowd), what, float(p50), float(p99), max(delays), 0, missed)


def lines(spreads: list[Spread]) -> Iterator[str]:
    """Yield the results as lines for people."""
    yield f"{'watchers':>8}  {'event':<12} {'p50':>9} {'p99':>9} {'worst':>9}   {'aim':>8}  {'memory':>10}  missed"
    for one in spreads:
        aim = f"< {one.aim * 1000:.0f} ms" if one.aim else ""
        if one.aim:
            beside = f", {one.busy} busy processes beside" if one.busy else ""
            what = f"{one.watchers:,} watchers{beside}, p99 from commit to the last of them, {one.what}"
            held(what, one.p99 * 1000, one.aim * 1000, unit="ms", least=False, hinders=SAME_CORES)
        times = " ".join(f"{value * 1000:6.1f} ms" for value in (one.p50, one.p99, one.worst))
        yield f"{one.watchers:>8}  {one.what:<12} {times}   {aim:>8}  {one.memory / 1024:6.1f} KiB  {one.missed}"


@contextmanager
def _quiet() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(130)


def main() -> None:
    parser = argparse.ArgumentParser(description="one event to thousands of watchers")
    parser.add_argument("--watchers", type=int, nargs="+", default=list(AIMS))
    parser.add_argument("--events", type=int, default=40)
    parser.add_argument("--serve", metavar="FOLDER", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    with _quiet():
        if chosen.serve:
            serve(chosen.serve)
        else:
            spreads = [spread for number in chosen.watchers for spread in measure(number, chosen.events)]
            if BUSY[0] in chosen.watchers:
                spreads += measure(BUSY[0], chosen.events, BUSY[1])
            print("\n".join(lines(spreads)))


if __name__ == "__main__":
    main()
