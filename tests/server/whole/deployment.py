"""A house's files or database and the server processes over them: started, killed and restarted."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import msgspec

from pitbook.house.stores import open_store
from pitbook.journal.entries import Entry
from pitbook.ledger.accounts import Account
from tests.server.conftest import ServerProcess
from tests.server.forking import ClockOffset, run_command
from tests.server.whole.clients import Visitor
from tests.waiting import HANG

NO_RATE_LIMITS = {"PITBOOK_BET_RATE": "0", "PITBOOK_REQUEST_RATE": "0", "PITBOOK_SIGN_IN_RATE": "0"}
"""Tests send requests faster than people do."""


class Process(ServerProcess):
    """A running `pitbook serve` and the lines that it printed at start."""

    def __init__(
        self, folder: Path, arguments: list[str], environment: dict[str, str], clock_offset: ClockOffset | None
    ) -> None:
        super().__init__(folder, arguments, environment, clock_offset=clock_offset)
        self.lines: list[str] = []
        self.open_at = ""

    def opened(self) -> Process:
        """Wait until the server accepts requests."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.decode().rstrip())
            if found := re.search(r"open at (\S+)", self.lines[-1]):
                self.open_at = found[1]
            if self.lines[-1].startswith("stop "):
                return self
        self.process.wait(HANG)
        raise AssertionError(f"it did not open: {self.log.read_text(encoding='utf-8')}")

    def kill(self) -> None:
        """Kill the process, as a power failure would."""
        self.process.kill()
        self.process.wait()

    @property
    def log_lines(self) -> list[dict[str, Any]]:
        """Return the parsed lines of the log."""
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]


class Deployment:
    """A house's files or database, its keys and its server processes."""

    def __init__(self, folder: Path, place: str | None = None) -> None:
        self.folder = folder
        self.place = place or str(folder / "house.db")
        self.clock_offset = None if place else ClockOffset()
        """The clock of an SQLite house can be advanced; that of a PostgreSQL house is the database's."""
        self.started: list[Process] = []
        self._visitors: dict[str, Visitor] = {}

    def begin(self, *arguments: str, demo: bool = True, place: str = "", **environment: str) -> Process:
        """Start a process without waiting for it; `place` is another address of the database."""
        folder = self.folder / f"process-{len(self.started)}"
        folder.mkdir()
        standard = ["--db", place or self.place, "--port", "0", "--demo" if demo else "--no-demo"]
        keys = {f"PITBOOK_{name}_KEY": str(self.folder / f"{name.lower()}.key") for name in ("SEALING", "SIGNING")}
        chosen = {**NO_RATE_LIMITS, **keys, **environment}
        process = Process(folder, [*standard, *arguments], chosen, self.clock_offset)
        self.started.append(process)
        return process

    def start(self, *arguments: str, demo: bool = True, place: str = "", **environment: str) -> Process:
        """Start a process and wait until it is open."""
        return self.begin(*arguments, demo=demo, place=place, **environment).opened()

    def advance_clock(self, seconds: float) -> None:
        """Advance the house's clock; automatic tables notice within a second."""
        assert self.clock_offset is not None
        self.clock_offset.advance(seconds)

    @property
    def process(self) -> Process:
        """Return the process that was started last."""
        return self.started[-1]

    def visitor(self, name: str) -> Visitor:
        """Return a demo person with a token, at the newest running process."""
        address = next(one.open_at for one in reversed(self.started) if one.process.poll() is None)
        if name not in self._visitors:
            with Visitor(address).sign_in(name) as person:
                self._visitors[name] = person.with_token()
        elif self._visitors[name].address != address:
            before = self._visitors[name]
            self._visitors[name] = before.at(address)
            before.close()
        return self._visitors[name]

    # -- the record

    def record(self, table: str, after: int = 0) -> list[Entry]:
        """Return the table's entries, read from the database."""
        store = open_store(self.place, read_only=True)
        try:
            return list(store.entries(table, after))
        finally:
            store.close()

    def balances(self) -> dict[Account, int]:
        """Return the balance of every account."""
        store = open_store(self.place, read_only=True)
        try:
            return store.all_balances()
        finally:
            store.close()

    def audited(self) -> dict[str, Any]:
        """Run `pitbook audit`, which must pass; return its output."""
        ended = self.run("audit", self.place, "--json")
        assert ended.returncode == 0, ended.stdout + ended.stderr
        report: dict[str, Any] = json.loads(ended.stdout)
        assert not report["findings"]
        return report

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run another pitbook command."""
        return run_command(*arguments, folder=self.folder)

    def close(self) -> None:
        for visitor in self._visitors.values():
            visitor.close()
        for process in self.started:
            process.close()


def body(entry: Entry) -> dict[str, Any]:
    """Return the decoded body of an entry."""
    found: dict[str, Any] = msgspec.json.decode(entry.body)
    return found


def key_of(entry: Entry) -> str | None:
    """The key that someone sent; on record their name stands before it."""
    return None if entry.key is None else entry.key.removeprefix(f"{entry.actor}/")


def link_of(process: Process, words: str) -> str:
    """Return the code of the sign-in link that a server printed."""
    line = next(line for line in process.lines if line.startswith(words))
    found = re.search(rf"{re.escape(process.open_at)}/sign-in#code=(\S+)", line)
    assert found, line
    return found[1]
