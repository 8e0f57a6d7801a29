"""Throughput of a server over HTTP, compared with the raw database and an empty endpoint in one run.

    python3 dev.py bench server [--quick]

A real `pitbook serve` on SQLite, asked over the loopback by another process. The raw limit is a plain insert of a row
as large as a bet's entry with a commit for each, by the same means and on the same disk. A bet over HTTP is read,
checked against a token, decided by the book, moves money, follows the chain of hashes, is remembered by its key, and is
answered after its commit. On PostgreSQL the limit is pgbench, for one server process and for two that share players.
Contenders take turns, and the median of the ratios counts. Only this machine is used.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw
import psycopg
import uvloop
from _cpu import children, database, threads
from _load import request
from _results import FILE, held
from rich.console import Console
from rich.table import Table
from table import own_schema, pgbench, pgbench_program, postgres_server

from pitbook.auth.stores import open_auth_store
from pitbook.auth.timestamps import format_timestamp
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.people import commands as p
from pitbook.people.values import Grant
from pitbook.rulebooks.catalogue import load
from pitbook.server.demo import create_demo
from pitbook.table import commands as c
from pitbook.table.people import Person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
TABLE = "massachusetts"
PLAYERS = 64
LINES = 128
"""Connections that bet at the same time."""
RAW_AIM, EMPTY_AIM, BATCH_AIM, CLOSE_AIM = 0.5, 0.42, 2.0, 0.100
POSTGRES_AIM = 0.15


@dataclass
class Turns:
    """Rates of one contender, turn by turn."""

    name: str
    rates: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.rates)

    def over(self, other: Turns) -> float:
        """Return the median of the ratios, turn by turn."""
        return statistics.median(a / b for a, b in zip(self.rates, other.rates, strict=True))


def raw_commits(folder: Path, seconds: float) -> float:
    """Return durable single-row commits per second, with the journal's settings."""
    connection = apsw.Connection(str(folder / f"raw-{perf_counter()}.db"))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute("CREATE TABLE raw (sequence INTEGER PRIMARY KEY, body BLOB)")
    body, done, began = bytes(600), 0, perf_counter()
    while perf_counter() - began < seconds:
        connection.execute("INSERT INTO raw (body) VALUES (?)", (body,))
        done += 1
    rate = done / (perf_counter() - began)
    connection.close()
    return rate


def furnish(place: str) -> tuple[list[str], str]:
    """Create a demo house with many players; return a token for each, and one for the dealer."""
    with House(open_store(place)) as house, open_auth_store(place) as access:
        create_demo(house)
        boss = Person("demo-manager", "manager")
        now = format_timestamp(house.now())
        tokens = []
        for number in range(PLAYERS):
            name = f"player-{number}"
            assert house.manage(boss, p.AddPerson(name, name, (Grant("player"),))).refused is None
            assert house.ask(TABLE, Person(name, "player"), c.BuyIn(10**11)).refused is None
            tokens.append(access.tokens.make(name, "bench", ("play",), now).text)
        top = Person("demo-floorperson", "floorperson")
        setup = house.table(TABLE).setup
        assert setup is not None
        wide = {"*": c.Limit(100, 10**12)}
        changed = c.Setup(**{**{f: getattr(setup, f) for f in setup.__struct_fields__}, "limits": wide})
        assert house.ask(TABLE, boss, c.ChangeSetup(changed)).refused is None, top
        return tokens, access.tokens.make("demo-dealer", "bench", ("deal",), now).text


@contextmanager
def serving(folder: Path, place: str) -> Iterator[tuple[int, int]]:
    """Run a server on a journal; yield its port and process."""
    settings = {"PITBOOK_BET_RATE": "0", "PITBOOK_REQUEST_RATE": "0", "PITBOOK_LOG_LEVEL": "warning"}
    homes = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    command = [sys.executable, "-m", "pitbook", "serve", "--db", place, "--port", "0", "--demo"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, **settings, **homes})
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(rb"open at http://127\.0\.0\.1:(\d+)", line):
                yield int(found[1]), process.pid
                break
        else:
            raise SystemExit("the server did not open")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def ask_fast(ports: list[int], tokens: list[str], wagers: list[str], size: int, seconds: float, name: str) -> float:
    """Load each port from another process; return the rate of successful responses."""
    asking = []
    for number, port in enumerate(ports):
        wanted = {
            "port": port,
            "tokens": tokens[number :: len(ports)],
            "wagers": wagers,
            "size": size,
            "seconds": seconds,
            "lines": LINES // len(ports),
            "table": TABLE,
            "name": f"{name} {port}",
        }
        load = [sys.executable, str(HERE / "_load.py")]
        process = subprocess.Popen(load, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdin is not None
        process.stdin.write(json.dumps(wanted).encode() + b"\n")
        process.stdin.flush()
        asking.append(process)
    done = 0
    for process in asking:
        result: dict[str, Any] = json.loads(process.communicate()[0])
        wrong = {status: number for status, number in result["statuses"].items() if status != "200"}
        if wrong:
            print(f"  {size} bets a request: {wrong} {result['other']}", file=sys.stderr)
        done += result["statuses"].get("200", 0)
    return done / seconds


class Spent:
    """The processor time of server processes and their database per bet."""

    def __init__(self, processes: list[int], url: str = "") -> None:
        self._processes = processes
        self._database = database(url) if url else None
        self._turns: list[tuple[float, ...]] = []

    def timed(self, seconds: float, ask: Callable[[], float]) -> float:
        """Run a load test and record its processor time."""
        before = self._now()
        rate = ask()
        self._turns.append(tuple((b - a) / (rate * seconds) for a, b in zip(before, self._now(), strict=True)))
        return rate

    def _now(self) -> tuple[float, float, float]:
        loops, others = zip(*map(threads, self._processes), strict=True)
        return sum(loops), sum(others), children(self._database)

    @property
    def row(self) -> list[str]:
        """Return the medians: event loop, journal, database."""
        return [f"{statistics.median(part):,.0f}" for part in zip(*self._turns, strict=True)]

    @property
    def evidence(self) -> str:
        loop, journal, database_ = self.row
        inside = "with SQLite in it" if self._database is None else f"and {database_} µs of the database's processes"
        return f"a bet takes {loop} µs of the event loop and {journal} µs of the journal's thread, {inside}."


class Dealer:
    """A dealer who runs rounds over HTTP and measures how long a close takes."""

    def __init__(self, port: int, token: str) -> None:
        self._port = port
        self._token = token

    async def ask(self, command: dict[str, Any]) -> tuple[float, int, dict[str, Any]]:
        """Send a command; return its duration, status and answer."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        body = json.dumps({"command": command, "role": "dealer"}).encode()
        path = f"/api/v1/tables/{TABLE}/commands"
        began = perf_counter()
        writer.write(request("POST", path, self._port, body, Authorization=f"Bearer {self._token}", Connection="close"))
        answer = await reader.read()
        spent = perf_counter() - began
        writer.close()
        head, _, rest = answer.partition(b"\r\n\r\n")
        return spent, int(head[9:12]), json.loads(rest)

    async def rounds(self, until: float) -> list[float]:
        """Close and finish round after round; return the times of the closes."""
        rules, times = load("massachusetts-sic-bo"), []
        order = [step for step in rules.procedure.round if step.act not in ("take bets", "illuminate")]
        while perf_counter() < until:
            for step in order:
                if step.shaker not in (None, "manual"):
                    continue
                command: dict[str, Any] = {"type": "TakeStep", "step": step.id, "shakes": 3}
                if step.act in ("announce dice", "enter dice"):
                    command["dice"] = [1, 2, 3]
                spent, status, answer = await self.ask(command)
                if status != 200:
                    raise SystemExit(f"{step.id}: {status} {answer}")
                if step.act == "close betting":
                    times.append(spent)
            await asyncio.sleep(0.05)
        return times


def close_under_flood(port: int, tokens: list[str], dealer: str, wagers: list[str], seconds: float) -> list[float]:
    """Measure how long a dealer's close takes under a flood of bets."""
    wanted = {
        "port": port,
        "tokens": tokens,
        "wagers": wagers,
        "size": 1,
        "seconds": seconds + 2,
        "lines": LINES,
        "table": TABLE,
        "name": f"flood {perf_counter()}",
    }
    players = subprocess.Popen(
        [sys.executable, str(HERE / "_load.py")], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    assert players.stdin is not None
    players.stdin.write(json.dumps(wanted).encode() + b"\n")
    players.stdin.close()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        times = runner.run(Dealer(port, dealer).rounds(perf_counter() + seconds))
    players.wait(60)
    return times


class Shared(NamedTuple):
    """A figure of servers that share a PostgreSQL database."""

    name: str
    rate: float
    ratio: float
    aim: float
    spent: Spent


def on_postgres(wagers: list[str], turns: int, seconds: float) -> list[Shared]:
    """Return the throughput of one and two server processes on PostgreSQL relative to pgbench."""
    program = pgbench_program()
    if program is None:
        return []
    limit, one, two = Turns("pgbench"), Turns("one process"), Turns("two processes")
    with (
        tempfile.TemporaryDirectory() as name,
        postgres_server() as url,
        own_schema(url) as place,
    ):
        folder = Path(name)
        tokens, _ = furnish(place)
        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute(
                "CREATE TABLE raw (table_name text, sequence bigint, body bytea, PRIMARY KEY (sequence))"
            )
        bench = pgbench(program, place, ("raw", 0, bytes(600)))
        with serving(folder, place) as (port, process):
            alone = Spent([process], url)
            with serving(folder, place) as (second, other):
                both = Spent([process, other], url)
                ask_fast([port, second], tokens, wagers, 1, 1.0, "warm")
                for turn in range(turns):
                    limit.rates.append(bench(seconds))
                    ask = partial(ask_fast, [port, second], tokens, wagers, 1, seconds, f"t{turn}")
                    two.rates.append(both.timed(seconds, ask))
            for turn in range(turns):
                one.rates.append(
                    alone.timed(seconds, partial(ask_fast, [port], tokens, wagers, 1, seconds, f"o{turn}"))
                )
    return [
        Shared("PostgreSQL: one process, of pgbench", one.median, one.over(limit), POSTGRES_AIM, alone),
        Shared("PostgreSQL: two processes, of pgbench", two.median, two.over(limit), POSTGRES_AIM, both),
    ]


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="shorter turns, fewer of them; no watchers")
    quick = parser.parse_args().quick
    turns, seconds = (2, 1.5) if quick else (5, 4.0)
    wagers = list(load("massachusetts-sic-bo").wagers)
    raw, empty = Turns("raw commits"), Turns("empty endpoint")
    single, batch = Turns("one bet a request"), Turns("twenty bets a request (bets)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        place = str(folder / "house.db")
        tokens, dealer = furnish(place)
        with serving(folder, place) as (port, process):
            spent = Spent([process])
            ask_fast([port], tokens, wagers, 1, 1.0, "warm")
            for turn in range(turns):
                raw.rates.append(raw_commits(folder, seconds / 2))
                empty.rates.append(ask_fast([port], tokens, wagers, 0, seconds, "e"))
                ask = partial(ask_fast, [port], tokens, wagers, 1, seconds, f"s{turn}")
                single.rates.append(spent.timed(seconds, ask))
                batch.rates.append(20 * ask_fast([port], tokens, wagers, 20, seconds, f"b{turn}"))
            closes = sorted(close_under_flood(port, tokens, dealer, wagers, 3 * seconds))
    table = Table(title=f"One server process over HTTP, {platform.machine()}, Python {platform.python_version()}")
    for column in ("what", "per second", "ratio", "aim"):
        table.add_column(column, justify="left" if column == "what" else "right")
    table.add_row("raw durable commits, SQLite", f"{raw.median:,.0f}", "", "")
    table.add_row("empty endpoint (GET /health)", f"{empty.median:,.0f}", "", "")
    table.add_row(
        "one bet a request, of raw commits", f"{single.median:,.0f}", f"{single.over(raw):.2f}", f">= {RAW_AIM}"
    )
    table.add_row("one bet a request, of the empty endpoint", "", f"{single.over(empty):.2f}", f">= {EMPTY_AIM}")
    table.add_row(
        "bets, twenty a request, of raw commits", f"{batch.median:,.0f}", f"{batch.over(raw):.2f}", f">= {BATCH_AIM}"
    )
    p99 = closes[min(len(closes) - 1, int(len(closes) * 0.99))]
    table.add_row(
        f"p99 of {len(closes)} closes under the flood, ms",
        f"{p99 * 1000:.1f}",
        f"{p99 / CLOSE_AIM:.2f}",
        f"< {CLOSE_AIM * 1000:.0f}",
    )
    shared = on_postgres(wagers, min(turns, 3), seconds)
    for one in shared:
        table.add_row(one.name, f"{one.rate:,.0f}", f"{one.ratio:.2f}", f">= {one.aim}")
    Console(width=110).print(table)
    parts = Table(title="Processor time of one bet a request, µs")
    for column in ("server", "event loop", "journal", "database"):
        parts.add_column(column, justify="left" if column == "server" else "right")
    parts.add_row("SQLite, one process", *spent.row[:2], "in the journal's")
    for one in shared:
        parts.add_row(one.name.partition(", of")[0], *one.spent.row)
    Console(width=110).print(parts)
    held("one bet a request, of raw commits", single.over(raw), RAW_AIM, hinders=spent.evidence)
    held("one bet a request, of the empty endpoint", single.over(empty), EMPTY_AIM, hinders=spent.evidence)
    for one in shared:
        held(one.name, one.ratio, one.aim, hinders=one.spent.evidence)
    held("bets, twenty a request, of raw commits", batch.over(raw), BATCH_AIM)
    queue = (
        f"{LINES} bets are in flight at any time, and {single.median:,.0f} a second are answered, so that a close "
        f"behind all of them takes {LINES / single.median * 1000:.0f} ms before its own work begins."
    )
    held("p99 of closing bets under the flood", p99 * 1000, CLOSE_AIM * 1000, unit="ms", least=False, hinders=queue)
    if quick or FILE in os.environ:  # a run of all benchmarks comes to the watchers by itself
        return 0
    return subprocess.run([sys.executable, str(HERE / "watchers.py")], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
