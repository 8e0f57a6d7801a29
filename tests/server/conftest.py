"""A house on a temporary journal, called in memory; and a real `pitbook serve`, called over HTTP."""

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
from tests.server.forking import ClockOffset, ForkedProcess, own_environment
from tests.waiting import HANG

ORIGIN = "http://localhost"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class HouseApp:
    """Services on a temporary journal, and clients of the application over them."""

    services: Services
    extra: Sequence[Any] = ()

    @asynccontextmanager
    async def client(
        self, *handlers: Any, client: tuple[str, int] = ("127.0.0.1", 5000), raises: bool = True
    ) -> AsyncIterator[httpx.AsyncClient]:
        """Yield a client of the whole application, or of these handlers only."""
        app = app_over(self.services, handlers or None)
        transport = transport_to(app, client, raises=raises)
        async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url=ORIGIN) as http:
            yield http


@pytest.fixture
def make_house_app(tmp_path: Path) -> Iterator[Callable[..., HouseApp]]:
    """Return a factory of house applications with given settings."""
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
    """Return a house application with default settings."""
    return make_house_app()


class ServerProcess:
    """A `pitbook serve` that was started by a test: a fork, or (`alone`) its own interpreter."""

    def __init__(
        self,
        folder: Path,
        arguments: Sequence[str],
        environment: dict[str, str],
        *,
        alone: bool = False,
        clock_offset: ClockOffset | None = None,
    ) -> None:
        self.log = folder / "log"
        chosen = {**own_environment(folder), **environment}
        self.process: ForkedProcess | subprocess.Popen[bytes]
        if not alone:
            self.process = ForkedProcess(("serve", *arguments), chosen, self.log, clock_offset)
            return
        command = [sys.executable, "-m", "pitbook", "serve", *arguments]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=chosen)

    def address(self) -> str:
        """Wait until the server is open; return its address."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"open at (\S+)", line.decode()):
                return found[1]
        self.process.wait(HANG)
        raise AssertionError(f"it did not open: {self.log.read_text(encoding='utf-8')}")

    def stop(self, signal_: int = signal.SIGTERM) -> int:
        """Stop the server; return its exit code."""
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
def start_server(tmp_path: Path) -> Iterator[Callable[..., ServerProcess]]:
    """Return a function that starts real servers, by default on a free port and without a demo house."""
    started: list[ServerProcess] = []

    def start(
        *arguments: str, port: int = 0, demo: bool = False, alone: bool = False, **environment: str
    ) -> ServerProcess:
        folder = tmp_path / f"server-{len(started)}"
        folder.mkdir()
        standard = ["--port", str(port), "--demo" if demo else "--no-demo"]
        started.append(ServerProcess(folder, [*standard, *arguments], environment, alone=alone))
        return started[-1]

    yield start
    for server in started:
        server.close()
