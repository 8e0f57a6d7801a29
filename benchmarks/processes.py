"""Two server processes on one PostgreSQL beside one, over HTTP, at one table and at eight, in one run.

    python3 dev.py bench processes [--quick]

Real `pitbook serve` processes, asked over the loopback by another process, one bet a request. One process and two take
turns, and the median of the ratios counts. The processor time of the servers is printed beside it: on a busy machine it
says more than the clock. Only this machine is used.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

from _results import held
from rich.console import Console
from rich.table import Table
from table import BOOK, Tables, own_schema, postgres_server

from pitbook.auth.stores import open_auth_store
from pitbook.auth.timestamps import format_timestamp
from pitbook.house.stores import open_store
from pitbook.people import commands as p
from pitbook.people.values import Grant
from pitbook.rulebooks.catalogue import load
from pitbook.server.demo import SERVER
from pitbook.table import commands as c
from pitbook.table.people import MANAGER, PLAYER, Person

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
TABLES = [f"t{number}" for number in range(8)]
PLAYERS, LINES = 64, 128
AIM = 1.0
SMALL_GROUPS = (
    "each process commits at four tables at once, so that two make twice as many commits with half as many bets each; "
    "with two at once in each process, two processes spent 580 µs a bet instead of 740 µs."
)
SETTLE_SECONDS = 3.0
"""How long processes may take to distribute the tables."""
CONTENDERS = {"one": 1, "two": 2}


def furnish(url: str) -> list[str]:
    """Open the tables, and return a token for each player."""
    house = Tables(open_store(url), TABLES).house
    with house, open_auth_store(url) as access:
        boss, now = Person("boss", MANAGER), format_timestamp(house.now())
        answer = house.manage(SERVER, p.AddPerson(boss.name, boss.name, (Grant(MANAGER),)))
        assert answer.refused is None, answer
        tokens = []
        for number in range(PLAYERS):
            name = f"player-{number}"
            answer = house.manage(boss, p.AddPerson(name, name, (Grant(PLAYER),)))
            assert answer.refused is None, answer
            answer = house.ask(TABLES[0], Person(name, PLAYER), c.BuyIn(10**11))
            assert answer.refused is None, answer
            tokens.append(access.tokens.make(name, "bench", ("play",), now).text)
        return tokens


@contextmanager
def serving(url: str, folder: Path, processes: int) -> Iterator[dict[int, int]]:
    """Run servers on a database; yield their ports and processes."""
    with ExitStack() as stack:
        found = {}
        for _ in range(processes):
            environment = {
                **os.environ,
                "PITBOOK_BET_RATE": "0",
                "PITBOOK_REQUEST_RATE": "0",
                "PITBOOK_LOG_LEVEL": "error",
                "XDG_DATA_HOME": str(folder),
                "XDG_CONFIG_HOME": str(folder),
            }
            command = [sys.executable, "-m", "pitbook", "serve", "--db", url, "--port", "0", "--no-demo"]
            server = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
            stack.callback(server.wait, 60)
            stack.callback(server.send_signal, signal.SIGTERM)
            assert server.stdout is not None
            opened = (re.search(rb"open at http://127\.0\.0\.1:(\d+)", line) for line in server.stdout)
            port = next((match[1] for match in opened if match), None)
            if port is None:
                raise SystemExit("the server did not open")
            found[int(port)] = server.pid
        sleep(SETTLE_SECONDS)
        yield found


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def bet_fast(
    servers: dict[int, int], tables: list[str], tokens: list[str], seconds: float, name: str
) -> tuple[float, float]:
    """Bet as fast as possible; return the bets per second, and the servers' processor time per bet in microseconds."""
    wanted: dict[str, Any] = {
        "ports": list(servers),
        "tables": tables,
        "tokens": tokens,
        "wagers": list(load(BOOK).wagers),
        "size": 1,
        "seconds": seconds,
        "lines": LINES,
        "name": name,
    }
    before = sum(map(processor_seconds, servers.values()))
    load_process = [sys.executable, str(HERE / "_load.py")]
    done = subprocess.run(load_process, input=json.dumps(wanted).encode() + b"\n", stdout=subprocess.PIPE, check=True)
    spent = sum(map(processor_seconds, servers.values())) - before
    result = json.loads(done.stdout)
    wrong = {status: number for status, number in result["statuses"].items() if status != "200"}
    if wrong:
        print(f"  {name}: {wrong} {result['other']}", file=sys.stderr)
    good = result["statuses"].get("200", 0)
    return good / seconds, 1_000_000 * spent / max(good, 1)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="shorter turns, fewer of them")
    quick = parser.parse_args().quick
    turns, seconds = (2, 3.0) if quick else (5, 5.0)
    rates: dict[tuple[str, int], list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as name, postgres_server() as server, own_schema(server) as url:
        tokens = furnish(url)
        for turn in range(turns):
            for contender, processes in CONTENDERS.items():
                with serving(url, Path(name), processes) as servers:
                    bet_fast(servers, TABLES, tokens, 1.0, f"warm {contender} {turn}")
                    for count in (1, len(TABLES)):
                        turned = bet_fast(servers, TABLES[:count], tokens, seconds, f"{contender} {count} {turn}")
                        rates.setdefault((contender, count), []).append(turned)
    output = Table(title=f"Processes on one PostgreSQL, {platform.machine()}, Python {platform.python_version()}")
    for column in ("processes", "tables", "bets a second", "of one process", "processor µs a bet"):
        output.add_column(column, justify="left" if column == "processes" else "right")
    for (contender, count), found in rates.items():
        pairs = zip(found, rates["one", count], strict=True)
        ratio = statistics.median(rate / one for (rate, _), (one, _) in pairs)
        cost = statistics.median(spent for _, spent in found)
        rate = statistics.median(rate for rate, _ in found)
        output.add_row(contender, str(count), f"{rate:,.0f}", f"{ratio:.2f}", f"{cost:,.0f}")
        if contender == "two":
            what = f"two processes, of one, at {count} table{'s' * (count > 1)}"
            held(what, ratio, AIM, hinders=SMALL_GROUPS if count > 1 else "")
    Console(width=110).print(output)


if __name__ == "__main__":
    main()
