"""What one server process does over HTTP, held against the raw database and an empty endpoint, in one run.

    python3 dev.py bench server [--quick]

A real `pitbook serve` on SQLite, asked over the loopback by another process. The raw limit is a plain insert of a row
as large as a bet's entry with a commit for each, by the same means and on the same disk. A bet over HTTP is read,
checked against a token, decided by the book, moves money, follows the chain of hashes, is remembered by its key, and is
answered after its commit. Contenders take turns, and the median of the ratios counts. Only this machine is used.
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
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import apsw
import uvloop
from _load import request
from _results import FILE, held
from rich.console import Console
from rich.table import Table

from pitbook.auth.stores import open_access
from pitbook.auth.timestamps import written
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.people import commands as p
from pitbook.people.values import Grant
from pitbook.rulebooks.catalogue import load
from pitbook.server.demo import create_demo
from pitbook.table import commands as c
from pitbook.table.people import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
TABLE = "massachusetts"
PLAYERS = 64
LINES = 128
"""Connections that bet at the same time."""
RAW_AIM, EMPTY_AIM, BATCH_AIM, CLOSE_AIM = 0.3, 0.5, 2.0, 0.100
ONE_INTERPRETER = (
    "an empty answer takes about 90 µs of the one interpreter; to decide, chain and write a bet takes about 190 µs "
    "more of the same interpreter, however many are written together."
)


@dataclass
class Turns:
    """Rates of one contender, turn by turn."""

    name: str
    rates: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.rates)

    def over(self, other: Turns) -> float:
        """The median of the ratios, turn by turn."""
        return statistics.median(a / b for a, b in zip(self.rates, other.rates, strict=True))


def raw_commits(folder: Path, seconds: float) -> float:
    """Durable single-row commits in a second, by the means that the journal uses."""
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


def furnish(folder: Path) -> tuple[list[str], str]:
    """A demo house with many players, and a token for each; and one for the dealer."""
    place = str(folder / "house.db")
    with House(open_store(place)) as house, open_access(place) as access:
        create_demo(house)
        boss = Person("demo-manager", "manager")
        now = written(house.now())
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
def serving(folder: Path) -> Iterator[tuple[int, int]]:
    """A real server on these files: its port and its process."""
    settings = {"PITBOOK_BET_RATE": "0", "PITBOOK_REQUEST_RATE": "0", "PITBOOK_LOG_LEVEL": "warning"}
    homes = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    command = [sys.executable, "-m", "pitbook", "serve", "--db", str(folder / "house.db"), "--port", "0", "--demo"]
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


def ask_fast(port: int, tokens: list[str], wagers: list[str], size: int, seconds: float, name: str) -> dict[str, Any]:
    """Lets another process ask as fast as it is answered; what came back, and the rate of good answers."""
    wanted = {
        "port": port,
        "tokens": tokens,
        "wagers": wagers,
        "size": size,
        "seconds": seconds,
        "lines": LINES,
        "table": TABLE,
        "name": name,
    }
    done = subprocess.run(
        [sys.executable, str(HERE / "_load.py")],
        input=json.dumps(wanted).encode() + b"\n",
        stdout=subprocess.PIPE,
        check=True,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    wrong = {status: number for status, number in told["statuses"].items() if status != "200"}
    if wrong:
        print(f"  {size} bets a request: {wrong} {told['other']}", file=sys.stderr)
    told["rate"] = told["statuses"].get("200", 0) / seconds
    return told


class Dealer:
    """Runs rounds over HTTP, and times how long a close takes."""

    def __init__(self, port: int, token: str) -> None:
        self._port = port
        self._token = token

    async def ask(self, command: dict[str, Any]) -> tuple[float, int, dict[str, Any]]:
        """One command: how long it took, the status, the answer."""
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
        """Closes and finishes round after round; the times of the closes."""
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
    """How long a dealer's close takes while players flood."""
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


def main() -> int:
    """The whole run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="shorter turns, fewer of them; no watchers")
    quick = parser.parse_args().quick
    turns, seconds = (2, 1.5) if quick else (5, 4.0)
    raw, empty = Turns("raw commits"), Turns("empty endpoint")
    single, batch = Turns("one bet a request"), Turns("twenty bets a request (bets)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tokens, dealer = furnish(folder)
        wagers = list(load("massachusetts-sic-bo").wagers)
        with serving(folder) as (port, _):
            ask_fast(port, tokens, wagers, 1, 1.0, "warm")
            for turn in range(turns):
                raw.rates.append(raw_commits(folder, seconds / 2))
                empty.rates.append(ask_fast(port, tokens, wagers, 0, seconds, "e")["rate"])
                single.rates.append(ask_fast(port, tokens, wagers, 1, seconds, f"s{turn}")["rate"])
                batch.rates.append(20 * ask_fast(port, tokens, wagers, 20, seconds, f"b{turn}")["rate"])
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
    Console(width=110).print(table)
    held("one bet a request, of raw commits", single.over(raw), RAW_AIM)
    held("one bet a request, of the empty endpoint", single.over(empty), EMPTY_AIM, hinders=ONE_INTERPRETER)
    held("bets, twenty a request, of raw commits", batch.over(raw), BATCH_AIM)
    held("p99 of closing bets under the flood", p99 * 1000, CLOSE_AIM * 1000, unit="ms", least=False)
    if quick or FILE in os.environ:  # a run of all benchmarks comes to the watchers by itself
        return 0
    return subprocess.run([sys.executable, str(HERE / "watchers.py")], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
