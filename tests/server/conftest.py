"""A house on a temporary journal, asked in memory; and a real `pitbook serve`, asked over the wire."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from pitbook.auth.stores import open_auth_store
from pitbook.house.house import House
from pitbook.journal.sqlite import SqliteStore
from pitbook.server.services import Services
from pitbook.server.settings import Settings
from tests.server.asgi import app_over, transport_to
from tests.server.forking import Forked, own_environment
from tests.waiting import HANG

ORIGIN = "http://localhost"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class HouseApp:
    """Services on a temporary journal, and how to ask the application over them."""

    services: Services
    extra: Sequence[Any] = ()

    @asynccontextmanager
    async def asking(
        self, *handlers: Any, client: tuple[str, int] = ("127.0.0.1", 5000), raises: bool = True
    ) -> AsyncIterator[httpx.AsyncClient]:
        """A client of the whole application, or of these handlers only."""
        app = app_over(self.services, handlers or None)
        transport = transport_to(app, client, raises=raises)
        async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url=ORIGIN) as asked:
            yield asked


@pytest.fixture
def make_house_app(tmp_path: Path) -> Iterator[Callable[..., HouseApp]]:
    """Makes a house application with these settings."""
    opened: list[Services] = []

    def made(**settings: Any) -> HouseApp:
        path = tmp_path / f"journal-{len(opened)}.db"
        chosen = Settings(data=tmp_path, demo=False, **{"request_rate": 0, **settings})
        opened.append(Services(chosen, House(SqliteStore(path)), open_auth_store(str(path))))
        return HouseApp(opened[-1])

    yield made
    for services in opened:
        services.house.close()
        services.auth.close()


@pytest.fixture
def house_app(make_house_app: Callable[..., HouseApp]) -> HouseApp:
    """A house application with the usual settings."""
    return make_house_app()


class Serving:
    """A `pitbook serve` that was started by a test: a fork, or (`alone`) its own interpreter."""

    def __init__(
        self, folder: Path, arguments: Sequence[str], environment: dict[str, str], *, alone: bool = False
    ) -> None:
        self.log = folder / "log"
        chosen = {**own_environment(folder), **environment}
        self.process: Forked | subprocess.Popen[bytes]
        if not alone:
            self.process = Forked(("serve", *arguments), chosen, self.log)
            return
        command = [sys.executable, "-m", "pitbook", "serve", *arguments]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=chosen)

    def address(self) -> str:
        """Where it listens, once it says so."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"open at (\S+)", line.decode()):
                return found[1]
        self.process.wait(HANG)
        raise AssertionError(f"it did not open: {self.log.read_text(encoding='utf-8')}")

    def stop(self, signal_: int = signal.SIGTERM) -> int:
        """Ask it to stop; the exit code."""
        self.process.send_signal(signal_)
        return self.process.wait(HANG)

    def ended(self) -> tuple[int, str]:
        """The exit code of one that ends on its own, and what it said."""
        code = self.process.wait(HANG)
        return code, self.log.read_text(encoding="utf-8")

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., Serving]]:
    """Starts real servers, on any free port and without a demo house unless told otherwise; forks, unless `alone`."""
    started: list[Serving] = []

    def start(*arguments: str, port: int = 0, demo: bool = False, alone: bool = False, **environment: str) -> Serving:
        folder = tmp_path / f"server-{len(started)}"
        folder.mkdir()
        standard = ["--port", str(port), "--demo" if demo else "--no-demo"]
        started.append(Serving(folder, [*standard, *arguments], environment, alone=alone))
        return started[-1]

    yield start
    for serving in started:
        serving.close()
