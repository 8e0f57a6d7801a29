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
from tests.server.forking import ClockOffset, ForkedProcess, own_environment

NO_RATE_LIMITS = {"PITBOOK_BET_RATE": "0", "PITBOOK_REQUEST_RATE": "0", "PITBOOK_SIGN_IN_RATE": "0"}
LONG_SESSIONS = {"PITBOOK_SESSION_IDLE": "43200"}
"""Nobody is signed out however far a test moves the clock: at automatic tables that depends on the dice."""
SIGNED_IN_FIRST = (
    *("demo-manager", "demo-auditor", "demo-ann", "demo-ben", "demo-chen"),
    *("demo-dealer", "demo-floorperson", "demo-casino-supervisor", "demo-pit-supervisor", "demo-box-person"),
)
"""The people who are signed in before a house opens."""


class House:
    """A running demo house that can be killed and restarted at the same address with the same data."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.folder, self._arguments, self._clock_offset = folder, arguments, ClockOffset()
        self._environment = {**NO_RATE_LIMITS, **LONG_SESSIONS, **environment}
        self.address = self._open("0")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def journal(self) -> Path:
        return self.folder / "data" / "pitbook" / "pitbook.db"

    def advance_clock(self, seconds: float) -> None:
        """Advance the house's clock; automatic tables notice within a second."""
        self._clock_offset.advance(seconds)

    def kill(self) -> None:
        self._process.kill()
        self._wait_for_exit()

    def restart(self) -> None:
        address = self._open(self.address.rpartition(":")[2])
        assert address == self.address

    def shut_down(self) -> None:
        """Stop the server cleanly, with everything written to disk."""
        self._process.send_signal(signal.SIGTERM)
        self._wait_for_exit()

    def _open(self, port: str) -> str:
        arguments = ("serve", "--demo", "--port", port, *self._arguments)
        environment = {**own_environment(self.folder), **self._environment}
        self._process = ForkedProcess(arguments, environment, self.folder / "log", self._clock_offset)
        for line in self._process.stdout:
            if found := re.search(r"open at (\S+)", line.decode()):
                return found[1]
        raise AssertionError(f"it did not open: {(self.folder / 'log').read_text(encoding='utf-8')}")

    def _wait_for_exit(self) -> None:
        self._process.wait()
        self._process.stdout.close()


class Houses:
    """Opens houses, each in its own folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._count = folder, 0
        self._template = folder / "made"
        self._sessions: dict[str, Session] = {}

    def open(self, *arguments: str, **environment: str) -> House:
        """Start a house where nobody has played yet."""
        if not self._sessions:
            self._make_template()
        self._count += 1
        folder = self._folder / str(self._count)
        shutil.copytree(self._template, folder)
        house = House(folder, *arguments, **environment)
        for name, session in self._sessions.items():
            keep_session(name, replace(session, address=house.address))
        return house

    def _make_template(self) -> None:
        """Create the house that all others are copied from."""
        self._template.mkdir()
        house = House(self._template)
        self._sessions = {name: session_of(house.address, name) for name in SIGNED_IN_FIRST}
        house.shut_down()
