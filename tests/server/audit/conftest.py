"""A house with played tables; a header names the caller, since authentication has its own tests."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Request, Router
from litestar.di import Provide

from pitbook.auth.stores import open_auth_store
from pitbook.house.house import House
from pitbook.journal.runner import Settings as RunnerSettings
from pitbook.journal.sqlite import SqliteStore
from pitbook.people.state import Account
from pitbook.people.values import Grant
from pitbook.server.backoffice.services import BackOffice
from pitbook.server.people.identity import ANONYMOUS, Caller
from pitbook.server.routes import audit, exports, fairness, me, money, replays
from pitbook.server.services import Services
from pitbook.server.settings import Settings
from pitbook.testing import JournalTable
from tests.server.asgi import app_over, transport_to

ROLES = {
    "max": (Grant("manager"),),
    "kim": (Grant("auditor"),),
    "fay": (Grant("floorperson", "t1"),),
    "sue": (Grant("casino-supervisor", "t1"),),
    "dan": (Grant("dealer", "t1"),),
    "ann": (Grant("player"),),
    "ben": (Grant("player"),),
}


def provide_caller(request: Request[Any, Any, Any]) -> Caller:
    """Return the caller named by the header: `ann`, or `kim read` for a token with that scope."""
    name, _, scope = request.headers.get("x-asks", "").partition(" ")
    if not name:
        return ANONYMOUS
    return Caller(Account(name, name, "", ROLES[name]), frozenset((scope,)) if scope else None)


ROUTES = Router(
    "/",
    route_handlers=[
        *(one for route in (audit, exports, fairness, money, replays) for one in route.handlers),
        me.list_balances,
    ],
    dependencies={"caller": Provide(provide_caller, sync_to_thread=False)},
)


class Office:
    """A house and the back-office routes over it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.db"
        self.house = House(SqliteStore(self.path), RunnerSettings(snapshot_every=200))
        settings = Settings(data=folder, demo=False, signing_key=folder / "keys" / "signing.key", request_rate=0)
        self.access = open_auth_store(str(self.path))
        self.services = Services(settings, self.house, self.access)

    @property
    def watch(self) -> BackOffice:
        return self.services.backoffice

    def floor(self, book: str = "massachusetts-sic-bo", name: str = "t1", **changes: object) -> JournalTable:
        """Return an open table where ann and ben have chips."""
        table = JournalTable(self.house, book, name, **changes)
        for player in ("ann", "ben"):
            table.buy_in(player)
        return table

    @asynccontextmanager
    async def client_of(self, name: str | None = "max") -> AsyncIterator[httpx.AsyncClient]:
        """A client through whom someone asks."""
        app = app_over(self.services, [ROUTES])
        transport = transport_to(app)
        headers = {"x-asks": name} if name else {}
        async with (
            app.lifespan(),
            httpx.AsyncClient(transport=transport, base_url="http://localhost/api/v1", headers=headers) as client,
        ):
            yield client


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def make_office(tmp_path: Path) -> Iterator[Callable[[], Office]]:
    made: list[Office] = []

    def make() -> Office:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Office(folder))
        return made[-1]

    yield make
    for office in made:
        office.watch.close()
        office.house.close()
        office.access.close()


@pytest.fixture
def office(make_office: Callable[[], Office]) -> Office:
    return make_office()
