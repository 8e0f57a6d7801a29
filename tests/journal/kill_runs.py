"""Kill writing processes repeatedly and check what they leave behind.

python -m tests.journal.kill_runs WHERE RUNS SEED, where WHERE is a folder or a URL. Each victim is a fork of one small
process, so that hundreds take seconds. A victim logs what it sends and what was acknowledged; the next one repeats what
was not acknowledged, as a client would.
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

import msgspec

from pitbook.journal import fault_injection
from pitbook.journal.chain import verify
from pitbook.journal.decisions import Command, Outcome
from pitbook.journal.errors import Broken
from pitbook.journal.runner import Runner, Settings
from pitbook.ledger.accounts import player
from tests.journal import bank
from tests.waiting import HANG, until

LATEST = 40
"""A victim is killed before it has noted so many lines; and a little later, as chance has it."""
FRESH_AFTER = 25
"""A new file after so many victims, so that looking through it stays quick."""

Sent = dict[str, list[str]]
"""Commands by key: what is done, table, player, amount."""


def make(key: str, words: list[str]) -> Command[bank.Table]:
    what, table, who, amount = words
    return {"buy": bank.buy, "bet": bank.bet}[what](table, who, int(amount), key)


class Notes:
    """A log file of the commands sent and acknowledged, which survives the killed process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(self, *words: str) -> None:
        os.write(self.descriptor, (" ".join(words) + "\n").encode())

    def read(self) -> tuple[Sent, dict[str, int]]:
        """Return the commands sent, and the acknowledged ones with their sequence numbers."""
        sent: Sent = {}
        acknowledged: dict[str, int] = {}
        for line in self.path.read_text().splitlines():
            mark, key, *words = line.split(" ")
            if mark == "sent":
                sent[key] = words
            elif mark == "told":
                acknowledged[key] = int(words[0])
        return sent, acknowledged


def work(where: str, notes: Notes, again: Sent, seed: int) -> None:
    """Send commands until the process is killed."""
    store = bank.open_store(where)
    runner = Runner(store, bank.DOMAIN, Settings(group_max=8, snapshot_every=20, lanes=2))
    chance = random.Random(seed)

    def send(key: str, words: list[str]) -> Future[Outcome]:
        def data(future: Future[Outcome]) -> None:
            outcome = future.result()
            if outcome.refused is None:
                notes.write("told", key, str(-1 if outcome.repeated else outcome.sequence))

        notes.write("sent", key, *words)
        future = runner.submit(make(key, words))
        future.add_done_callback(data)
        return future

    for key, words in again.items():
        send(key, words)
    notes.write("ready", "-")
    ends = time.monotonic() + HANG
    number = 0
    while time.monotonic() < ends:
        futures = []
        for _ in range(chance.randint(1, 6)):
            number += 1
            words = [chance.choice(["buy", "buy", "bet"]), chance.choice(["t1", "t2"]), chance.choice(["ann", "bob"])]
            futures.append(send(f"{seed}-{number}", [*words, str(chance.randint(1, 9))]))
        for future in futures:
            future.result(HANG)


def until_noted(notes: Path, start: int, lines: int, pid: int) -> None:
    """Wait until a victim has logged this many more lines, or has died."""

    def has_noted() -> bool:
        _, ready, since = notes.read_bytes()[start:].partition(b"ready")
        return bool(ready) and since.count(b"\n") > lines

    def ended() -> bool:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    until(lambda: has_noted() or ended(), "a victim at work")


def kill_one(where: str, notes: Notes, again: Sent, seed: int, fault: tuple[str, int] | None) -> None:
    """Fork a victim and wait for its death at a named fault point or at a random time."""
    size = notes.path.stat().st_size
    pid = os.fork()
    if pid == 0:
        try:
            if fault:
                fault_injection.arm(fault[0], fault_injection.kill_at(fault[1]))
            work(where, notes, again, seed)
        finally:
            os._exit(3)
    if not fault:
        until_noted(notes.path, size, random.Random(seed).randrange(LATEST), pid)
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
        raise SystemExit(f"a victim ended by itself: {status}, seed {seed}, {fault}")


def problems(where: str, sent: Sent, data: dict[str, int]) -> list[str]:
    """Compare the journal with the commands sent and acknowledged; return the differences."""
    store = bank.open_store(where)
    found: list[str] = []
    places: dict[str, int] = {}
    keys: Counter[str] = Counter()
    held: Counter[str] = Counter()
    try:
        for table in store.heads():
            verify(store.entries(table), table)
            for entry in store.entries(table):
                if entry.kind not in ("bought", "bet"):
                    continue
                fact = msgspec.json.decode(entry.body, type=bank.Fact)
                held[fact.who] += fact.amount if entry.kind == "bought" else -fact.amount
                key = str(entry.key)
                keys[key] += 1
                places[key] = entry.sequence
                if sent.get(key, [])[1:] != [table, fact.who, str(fact.amount)]:
                    found.append(f"{key} was never sent so")
        found += [f"{key} was acknowledged and is lost" for key in data if not keys[key]]
        found += [f"{key} is there {count} times" for key, count in keys.items() if count > 1]
        found += [f"{key} is elsewhere" for key, place in data.items() if place > 0 and places.get(key, place) != place]
        balances = store.balances([player(who, "USD") for who in ("ann", "bob")])
        for who, amount in held.items():
            if balances[player(who, "USD")] != amount:
                found.append(f"{who} holds {balances[player(who, 'USD')]}, not {amount}")
        if sum(store.all_balances().values()):
            found.append("money is not conserved")
    except Broken as error:
        found.append(str(error))
    finally:
        store.close()
    return found


def main(where: str, runs: int, seed: int) -> dict[str, object]:
    chance = random.Random(seed)
    found: list[str] = []
    acknowledged = 0
    shared = where.startswith("postgresql:")
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, runs, runs if shared else FRESH_AFTER):
            place = where if shared else str(Path(where) / f"journal-{first}.db")
            notes = Notes(Path(folder) / f"notes-{first}")
            sent: Sent = {}
            acks: dict[str, int] = {}
            for run in range(first, runs if shared else min(runs, first + FRESH_AFTER)):
                point = fault_injection.POINTS[run // 2 % len(fault_injection.POINTS)]
                fault = (point, chance.randint(1, 12)) if run % 2 else None
                kill_one(place, notes, {key: sent[key] for key in sent if key not in acks}, seed * 100_000 + run, fault)
                sent, acks = notes.read()
                found += [f"run {run} ({fault or 'some time'}): {problem}" for problem in problems(place, sent, acks)]
            acknowledged += len(acks)
    return {"runs": runs, "acknowledged": acknowledged, "problems": found}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
