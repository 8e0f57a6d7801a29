"""Kill processes that run a house repeatedly and check what they leave behind.

python -m tests.house.kill_runs WHERE RUNS SEED, where WHERE is a folder or a URL. A small separate process, imported
once: each victim is a fork of it. A victim takes bets of several players at a Sic Bo and a craps table and deals round
after round, from wherever its predecessor left them. It logs its requests and the responses in a file; the next
one repeats the requests without a response, as a client would.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import Future
from pathlib import Path
from typing import NamedTuple

import msgspec

from pitbook.audit import audit
from pitbook.engine.windows import window_closed
from pitbook.house.house import House
from pitbook.house.records import NO_EVENTS, read_outcome
from pitbook.house.stores import open_store
from pitbook.journal import fault_injection
from pitbook.journal.chain import verify
from pitbook.journal.decisions import Outcome
from pitbook.journal.entries import Entry
from pitbook.journal.errors import Broken
from pitbook.journal.port import Store
from pitbook.journal.refusal_aggregation import REFUSED
from pitbook.journal.runner import Settings
from pitbook.ledger.accounts import Account, escrow
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.people import Person
from pitbook.table.state import Table, betting_open
from pitbook.testing import JournalTable, due_command
from tests.house.replay import folded
from tests.journal.kill_runs import until_noted
from tests.waiting import HANG

FRESH_AFTER = 8
"""A new file after so many victims, so that looking through it stays quick."""

TABLES = {"sic-bo": "massachusetts-sic-bo", "craps": "dice-ology"}
PLAYERS = ("ann", "ben", "cat")
SETTINGS = Settings(group_max=8, snapshot_every=20, lanes=2)
LATEST = 200
"""A victim that dies at some moment dies before it has noted so many lines, or a little later."""

PASSINGS = 80
"""The others, when they have come to their point at most so often."""


class Sending(msgspec.Struct, frozen=True):
    """A command as it was sent, so that it can be sent again."""

    table: str
    person: Person
    command: c.AnyCommand
    expected: tuple[int, int] | None = None


class Acknowledgement(NamedTuple):
    """The acknowledgement of a command: last entry, number of events, refusal."""

    sequence: int
    events: int
    refused: str | None


class Notes:
    """A log file of the commands sent and acknowledged, which survives the killed process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(self, mark: str, key: str, content: bytes = b"") -> None:
        os.write(self.descriptor, f"{mark} {key} ".encode() + content + b"\n")

    def read(self) -> tuple[dict[str, Sending], dict[str, Acknowledgement]]:
        """Return the commands sent and their acknowledgements."""
        sent: dict[str, Sending] = {}
        acknowledged: dict[str, Acknowledgement] = {}
        for line in self.path.read_bytes().splitlines():
            mark, key, content = line.split(b" ", 2)
            if mark == b"sent":
                sent[key.decode()] = msgspec.json.decode(content, type=Sending)
            elif mark == b"told":
                acknowledged[key.decode()] = msgspec.json.decode(content, type=Acknowledgement)
        return sent, acknowledged


class Victim:
    """A process that runs the house until it is killed."""

    def __init__(self, where: str, notes: Notes, seed: int) -> None:
        self.house = House(open_store(where), SETTINGS)
        self.notes = notes
        self.seed = seed
        self.number = 0
        self.chance = random.Random(seed)

    def work(self, again: dict[str, Sending]) -> None:
        """Send what the predecessor got no answer for, then play round after round."""
        self.notes.write("ready", "-")
        for future in [self.send(key, sending) for key, sending in again.items()]:
            future.result(HANG)
        ends = time.monotonic() + HANG
        while time.monotonic() < ends:
            tables = [self.house.table(name) for name in TABLES]
            for future in [future for table in tables for future in (*self.bets(table), *self.steps(table))]:
                future.result(HANG)

    def bets(self, table: Table) -> list[Future[Outcome]]:
        """Send some bets of several players while betting is open; some are invalid."""
        rules = table.rules
        wagers = [name for name, wager in rules.wagers.items() if not window_closed(rules, table.progress, wager)]
        if not wagers or not betting_open(table):
            return []
        return [self.ask(table, self.bet(wagers)) for _ in range(self.chance.randint(0, 4))]

    def bet(self, wagers: list[str]) -> tuple[Person, c.PlaceBets]:
        count = self.chance.randint(1, 2)
        wanted = tuple(c.BetRequest(self.chance.choice(wagers), 100 * self.chance.randint(1, 5)) for _ in range(count))
        return Person(self.chance.choice(PLAYERS), "player"), c.PlaceBets(wanted)

    def steps(self, table: Table) -> list[Future[Outcome]]:
        """Send the step that is due ahead of the bets; sometimes twice, as if two dealers had pressed."""
        if betting_open(table) and self.chance.random() < 0.2:
            return []
        dice = tuple(self.chance.randint(1, 6) for _ in range(table.rules.dice))
        command = due_command(table, dice)
        if command is None:
            raise AssertionError(f"nothing is due at {table.id}: {table.round}")
        return [self.ask(table, command) for _ in range(1 + (self.chance.random() < 0.1))]

    def ask(self, table: Table, sent: tuple[Person, c.Command]) -> Future[Outcome]:
        self.number += 1
        person, command = sent
        expected = (table.round.number, table.step)
        return self.send(f"{self.seed}-{self.number}", Sending(table.id, person, command, expected))

    def send(self, key: str, sending: Sending) -> Future[Outcome]:
        def response(future: Future[Outcome]) -> None:
            outcome = future.result()
            sequence = -1 if outcome.repeated else outcome.sequence
            count = len(msgspec.json.decode(outcome.answer).get("events", ()))
            self.notes.write("told", key, msgspec.json.encode(Acknowledgement(sequence, count, outcome.refused)))

        self.notes.write("sent", key, msgspec.json.encode(sending))
        person, command = sending.person, sending.command
        future = self.house.submit(sending.table, person, command, key=key, expected=sending.expected)
        future.add_done_callback(response)
        return future


def make_ready(where: str) -> None:
    """Opens the tables, once, before the first victim; everyone has chips."""
    with House(open_store(where)) as house:
        for name, book in TABLES.items():
            table = JournalTable(house, book, name)
            for player in PLAYERS:
                table.buy_in(player)


def kill_one(where: str, notes: Notes, again: dict[str, Sending], seed: int, fault: tuple[str, int] | None) -> None:
    """Fork a victim and wait for its death at a named fault point or at a random time."""
    size = notes.path.stat().st_size
    pid = os.fork()
    if pid == 0:
        try:
            if fault:
                fault_injection.arm(fault[0], fault_injection.kill_at(fault[1]))
            Victim(where, notes, seed).work(again)
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(3)
    if not fault:
        until_noted(notes.path, size, random.Random(seed).randrange(LATEST), pid)
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
        raise SystemExit(f"a victim ended by itself: {status}, seed {seed}, {fault}")


class RecordCheck:
    """A comparison of the journal with the commands sent and acknowledged."""

    def __init__(self, store: Store, sent: dict[str, Sending], acknowledged: dict[str, Acknowledgement]) -> None:
        self.store, self.sent, self.acks = store, sent, acknowledged
        self.found: list[str] = []
        self.held: Counter[Account] = Counter()

    def check(self) -> list[str]:
        """Return every problem found."""
        balances = self.store.all_balances()
        states = {}
        try:
            for name in TABLES:
                verify(self.store.entries(name), name)
                states[name] = state = folded(self.store, name)
                self.table(state, list(self.store.entries(name)))
                lying = sum(bet.amount for bet in state.bets.values())
                if balances.get(escrow(name), 0) != lying:
                    self.found.append(f"{name}: escrow is {balances.get(escrow(name), 0)}, and {lying} lies out")
        except Broken as error:
            self.found.append(str(error))
        if sum(balances.values()) or any(balances.get(account, 0) != held for account, held in self.held.items()):
            self.found.append("money is not conserved")
        with House(self.store, SETTINGS) as house:
            self.found += [f"{name} restarts elsewhere" for name in TABLES if house.table(name) != states.get(name)]
        return self.found

    def table(self, state: Table, entries: list[Entry]) -> None:
        """Check a table's entries: keys, settled bets, throws, money."""
        name = state.id
        keyed = {entry.key: entry for entry in entries if entry.key is not None}
        times = Counter(entry.key for entry in entries if entry.key is not None)
        self.found += [f"{key} is there {count} times" for key, count in times.items() if count > 1]
        self.found += [f"{key} was never sent to {name}" for key in keyed if self.where(key) != name]
        for key, data in self.acks.items():
            if self.where(key) == name:
                self.acknowledged(key, data, keyed.get(key))
        settled: Counter[int] = Counter()
        for entry in entries:
            for transfer in entry.transfers:
                for leg in transfer.legs:
                    self.held[leg.account] += leg.amount
            what = None if entry.kind in NO_EVENTS else read_outcome(entry)
            if isinstance(what, e.LosersCollected | e.WinnersPaid):
                settled.update(line.bet for line in what.lines)
        self.found += [f"{name}: bet {bet} was settled {count} times" for bet, count in settled.items() if count > 1]
        self.found += [f"{name}: bet {bet} was settled and lies out" for bet in settled if bet in state.bets]
        throws = Counter(entry.tag for entry in entries if entry.tag is not None)
        self.found += [f"{name}: throw {throw} has {count} outcomes" for throw, count in throws.items() if count > 1]

    def where(self, key: str) -> str | None:
        sending = self.sent.get(key)
        return sending.table if sending else None

    def acknowledged(self, key: str, data: Acknowledgement, entry: Entry | None) -> None:
        if data.refused is not None:
            if entry is not None and entry.kind != REFUSED:
                self.found.append(f"{key} was refused with {data.refused}, and happened")
        elif entry is None:
            self.found.append(f"{key} was acknowledged and is lost")
        elif data.sequence > 0 and entry.sequence != data.sequence - data.events + 1:
            self.found.append(f"{key} is at {entry.sequence}, not where its response says")


def main(where: str, runs: int, seed: int) -> dict[str, object]:
    chance = random.Random(seed)
    found: list[str] = []
    acknowledged = throws = lines = 0
    shared = where.startswith("postgresql:")
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, runs, runs if shared else FRESH_AFTER):
            place = where if shared else str(Path(where) / f"house-{first}.db")
            make_ready(place)
            notes = Notes(Path(folder) / f"notes-{first}")
            sent: dict[str, Sending] = {}
            acks: dict[str, Acknowledgement] = {}
            for run in range(first, runs if shared else min(runs, first + FRESH_AFTER)):
                point = fault_injection.POINTS[run // 2 % len(fault_injection.POINTS)]
                fault = (point, chance.randint(1, PASSINGS)) if run % 2 else None
                kill_one(place, notes, {key: sent[key] for key in sent if key not in acks}, seed * 100_000 + run, fault)
                sent, acks = notes.read()
                problems = RecordCheck(open_store(place), sent, acks).check()
                found += [f"run {run} ({fault or 'some time'}): {problem}" for problem in problems]
            report = audit(place)
            found += [str(finding) for finding in report.findings]
            acknowledged += sum(one.refused is None for one in acks.values())
            throws += report.throws
            lines += report.lines
    return {"runs": runs, "acknowledged": acknowledged, "throws": throws, "lines": lines, "problems": found}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
