"""A house with people who can sign in, and a clock that the test moves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from pitbook.auth.passwords import Passwords
from pitbook.auth.stores import open_auth_store
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal.entries import HOUSE, Entry
from pitbook.people import commands as people
from pitbook.people.values import Grant, Policy
from pitbook.server.http.rate_limits import Rates
from pitbook.server.people.authentication import Authenticator
from pitbook.server.people.directory import Directory
from pitbook.server.people.event_recorder import THE_SERVER
from pitbook.server.routes import (
    approvals,
    clock,
    commands,
    dice,
    floor,
    me,
    reference,
    screen_lock,
    second_factors,
    sign_in,
    status,
    streams,
)
from pitbook.server.routes import people as persons
from pitbook.server.services import Services
from pitbook.server.settings import Settings
from pitbook.server.streams.hub import Hub
from pitbook.server.streams.projections import Viewer
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.tumbler.seals import SealingKeys
from tests.server.asgi import app_over, transport_to
from tests.server.authenticators import code_of
from tests.server.forking import FAST_HASHING
from tests.table.driving import setup

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
ORIGIN = "http://localhost"
PASSWORD = "nine red dice on green felt"
OTHER_PASSWORD = "twelve blue dice on the rail"
BOSS = Person("max", "manager")
PASSWORDS_ONLY = Policy(factor_roles=(), lock_minutes=0)
"""The policy for tests that are not about second factors and screen locks."""
PEOPLE = {
    "ann": (Grant("player"),),
    "ben": (Grant("player"),),
    "dan": (Grant("dealer", "t1"),),
    "fay": (Grant("floorperson", "t1"),),
    "flo": (Grant("floorperson", "t1"),),
    "kim": (Grant("auditor"),),
    "zoe": (Grant("manager"),),
}


class Guest:
    """Someone with a browser: it keeps cookies, and returns the CSRF token that it received."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.csrf: str | None = None

    async def get(self, path: str, **more: Any) -> httpx.Response:
        return await self.ask("GET", path, **more)

    async def post(self, path: str, json: Any = None, **more: Any) -> httpx.Response:
        return await self.ask("POST", path, json=json, **more)

    async def put(self, path: str, json: Any = None, **more: Any) -> httpx.Response:
        return await self.ask("PUT", path, json=json, **more)

    async def delete(self, path: str, **more: Any) -> httpx.Response:
        return await self.ask("DELETE", path, **more)

    async def ask(
        self, method: str, path: str, *, headers: dict[str, str] | None = None, **more: Any
    ) -> httpx.Response:
        sent_headers = {} if self.csrf is None else {"X-CSRF-Token": self.csrf}
        response = await self.http.request(
            method, f"/api/v1{path}", headers={**sent_headers, **(headers or {})}, **more
        )
        if response.is_success and response.content and "json" in response.headers["content-type"]:
            body = response.json()
            body = body.get("me", body) if isinstance(body, dict) else {}
            if body.get("csrf"):
                self.csrf = body["csrf"]
        return response

    async def enrol(self, now: datetime, name: str = "phone") -> tuple[str, list[str]]:
        """Set up an authenticator app; return its secret and the recovery codes."""
        begun = await self.post("/me/factors/totp")
        assert begun.status_code == 200, begun.text
        secret = begun.json()["secret"]
        response = await self.post("/me/factors/totp/confirmation", {"code": code_of(secret, now), "name": name})
        assert response.status_code == 200, response.text
        return secret, response.json()["recovery_codes"]

    async def sign_in(self, name: str, password: str = PASSWORD, **more: Any) -> httpx.Response:
        return await self.post("/sign-in", {"name": name, "password": password}, **more)

    @property
    def cookie(self) -> str | None:
        return self.http.cookies.get("pitbook")


class Casino:
    """A house with its application and its clock."""

    def __init__(self, place: str, *, passwords: Passwords | None = None, **settings: Any) -> None:
        self.place = place
        self.now = START
        self.house = House(open_store(place), clock=self.clock, on_commit=self._committed)
        self.access = open_auth_store(place)
        chosen = {"request_rate": 0, "sign_in_rate": 0, **settings}
        self.settings = Settings(demo=False, **chosen)
        self.directory = Directory(self.house, poll_seconds=0.05)
        self.rates = Rates(self.settings, self.seconds)
        self.desk = Authenticator(
            self.settings,
            self.house,
            self.access,
            self.directory,
            self.rates,
            clock=self.clock,
            passwords=passwords or Passwords(FAST_HASHING),
        )
        self.hub = Hub(self.house.store, find_viewer=self.desk.viewer)
        self.services = Services(self.settings, self.house, self.access, authenticator=self.desk, hub=self.hub)
        self.services.lifecycle.address = ORIGIN
        self.services.on_start.append(self._start)
        self.services.on_stop.append(self._stop)
        routes = (
            approvals, clock, commands, dice, floor, me, persons, reference, screen_lock, second_factors, sign_in,
            status, streams,
        )  # fmt: skip
        self.app = app_over(self.services, [one for group in routes for one in group.handlers])

    def clock(self) -> datetime:
        return self.now

    def seconds(self) -> float:
        return (self.now - START).total_seconds()

    def later(self, **span: float) -> None:
        self.now += timedelta(**span)

    def _committed(self, entries: Any) -> None:
        if hasattr(self, "hub"):
            self.directory.committed(entries)
            self.hub.committed(entries)

    async def _start(self, _services: Services) -> None:
        self.desk.start()
        self.hub.start()

    async def _stop(self, _services: Services) -> None:
        await self.hub.close()
        await self.desk.close()

    def populate(self, *, factors: bool = False) -> None:
        """Add a manager and one person per role with the same password; `factors` keeps the second-factor policy."""
        self.done(THE_SERVER, people.AddPerson("max", "Max", (Grant("manager"),)))
        if not factors:
            self.done(BOSS, people.SetPolicy(PASSWORDS_ONLY))
        for name, roles in PEOPLE.items():
            self.done(BOSS, people.AddPerson(name, name.title(), roles))
        password_hash = Passwords(FAST_HASHING).hash_password(PASSWORD)
        for name in ("max", *PEOPLE):
            self.access.set_password(name, password_hash, self.desk.now())

    def done(self, who: Person, command: people.Command) -> None:
        answer = self.house.manage(who, command)
        assert answer.refused is None, answer

    def open_table(self, name: str = "t1", **changes: Any) -> None:
        """Open a table with dealers, or an automatic one."""
        book = "singapore-mbs-sic-bo-v6" if "automatic" in changes else "massachusetts-sic-bo"
        answer = self.house.ask(name, BOSS, c.OpenTable(setup(book, shaker="automated", **changes)))
        assert answer.refused is None, answer

    def record(self) -> list[Entry]:
        """The house's own sequence, with what was in progress when it was asked for."""
        self.house.manage(THE_SERVER, people.RecordServerStop("a test"))
        return [one for one in self.house.store.entries(HOUSE, 0, 10_000) if b'"a test"' not in one.body]

    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.record()]

    def close(self) -> None:
        self.house.close()
        self.access.close()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Callable[..., Guest]]:
        """Open for guests: each call gives its own browser."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self.app.lifespan())
            guests: list[httpx.AsyncClient] = []

            def guest(address: str = "127.0.0.1", base: str = ORIGIN) -> Guest:
                transport = transport_to(self.app, (address, 5000))
                guests.append(httpx.AsyncClient(transport=transport, base_url=base))
                return Guest(guests[-1])

            try:
                yield guest
            finally:
                await asyncio.gather(*(one.aclose() for one in guests))


class StreamClient:
    """Someone who watches a table, as the hub sees them."""

    def __init__(self) -> None:
        self.sent = b""
        self.ended = asyncio.Event()

    async def send(self, message: Any) -> None:
        self.sent += message.get("body", b"")
        if not message.get("more_body", True):
            self.ended.set()

    def abort(self) -> None:
        self.ended.set()


async def watches(casino: Casino, person: str, *, staff: bool) -> StreamClient:
    watching = StreamClient()
    watcher = await casino.hub.join("t1", Viewer(person, staff), watching.send, watching.abort)
    await watcher.channel.follow(watcher, None)
    return watching


@pytest.fixture
def make_casino(tmp_path: Path) -> Iterator[Callable[..., Casino]]:
    """Return a factory of houses; `populated=False` makes one without people."""
    made: list[Casino] = []

    def make(*, populated: bool = True, factors: bool = False, place: str | None = None, **settings: Any) -> Casino:
        key = tmp_path / "sealing.key"
        if not key.exists():
            SealingKeys.make(key)
        settings_used = {"sealing_key": key, **settings}
        made.append(Casino(place or str(tmp_path / f"journal-{len(made)}.db"), **settings_used))
        if populated:
            made[-1].populate(factors=factors)
        return made[-1]

    yield make
    for casino in made:
        casino.close()


@pytest.fixture
def casino(make_casino: Callable[..., Casino]) -> Casino:
    """Return a house with people."""
    return make_casino()
