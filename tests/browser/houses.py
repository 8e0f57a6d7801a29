"""Demo houses to visit, which open in a moment: each is forked from a process that has imported everything, and works
on a copy of a house that was made once, where those who are wanted most are signed in already."""

from __future__ import annotations

import re
import shutil
import signal
from dataclasses import replace
from pathlib import Path
from typing import Self

from tests.browser.people import Session, keep_session, session_of
from tests.server.forking import Ahead, Forked, own_environment

UNHURRIED = {"PITBOOK_BET_RATE": "0", "PITBOOK_REQUEST_RATE": "0", "PITBOOK_SIGN_IN_RATE": "0"}
OFTEN = (
    *("demo-manager", "demo-auditor", "demo-ann", "demo-ben", "demo-chen"),
    *("demo-dealer", "demo-floorperson", "demo-casino-supervisor", "demo-pit-supervisor", "demo-box-person"),
)
"""Who is signed in before a house opens."""


class House:
    """A demo house that is open, and can lose its power and come back at the same place with the same data."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.folder, self._arguments, self._ahead = folder, arguments, Ahead()
        self._environment = {**UNHURRIED, **environment}
        self.address = self._open("0")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.loses_power()

    @property
    def journal(self) -> Path:
        return self.folder / "data" / "pitbook" / "pitbook.db"

    def passes(self, seconds: float) -> None:
        """So much time, by the clock of the house; its automatic tables notice within a second."""
        self._ahead.passes(seconds)

    def loses_power(self) -> None:
        self._process.kill()
        self._left()

    def comes_back(self) -> None:
        address = self._open(self.address.rpartition(":")[2])
        assert address == self.address

    def stops(self) -> None:
        """In order, with all that it has to keep on the disk."""
        self._process.send_signal(signal.SIGTERM)
        self._left()

    def _open(self, port: str) -> str:
        arguments = ("serve", "--demo", "--port", port, *self._arguments)
        environment = {**own_environment(self.folder), **self._environment}
        self._process = Forked(arguments, environment, self.folder / "log", self._ahead)
        for line in self._process.stdout:
            if found := re.search(r"open at (\S+)", line.decode()):
                return found[1]
        raise AssertionError(f"it did not open: {(self.folder / 'log').read_text(encoding='utf-8')}")

    def _left(self) -> None:
        self._process.wait()
        self._process.stdout.close()


class Houses:
    """Opens houses, each in its own folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._count = folder, 0
        self._made = folder / "made"
        self._sessions: dict[str, Session] = {}

    def open(self, *arguments: str, **environment: str) -> House:
        """A house where nobody has played yet."""
        if not self._sessions:
            self._make()
        self._count += 1
        folder = self._folder / str(self._count)
        shutil.copytree(self._made, folder)
        house = House(folder, *arguments, **environment)
        for name, session in self._sessions.items():
            keep_session(name, replace(session, address=house.address))
        return house

    def _make(self) -> None:
        """The house that all others are copies of."""
        self._made.mkdir()
        house = House(self._made)
        self._sessions = {name: session_of(house.address, name) for name in OFTEN}
        house.stops()
