"""Server lifecycle: listen, print the address, serve, and stop without losing anything."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import ssl
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

import uvicorn
import uvloop
from rich.console import Console
from rich.text import Text

from pitbook.errors import InputError
from pitbook.journal.errors import Broken, Unavailable
from pitbook.server.app import create_app
from pitbook.server.bootstrap import open_services
from pitbook.server.capacity import connections_max, fitted
from pitbook.server.http.logs import REQUESTS, set_up_logs
from pitbook.server.http.middleware import RequestMiddleware
from pitbook.server.http.protocol import bounded
from pitbook.server.setting_sources import masked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar

    from pitbook.server.services import Services
    from pitbook.server.settings import Settings

log = logging.getLogger(__name__)

BACKLOG = 2_048
KEEP_ALIVE = 30
"""Seconds for which an idle connection is kept."""
DATABASE_SHARE = 0.8
"""How much of a stop's time may pass until nobody waits for the database any more."""


def serve(settings: Settings) -> None:
    """Serves until it is told to stop. What keeps it from starting is an `InputError` in one sentence."""
    set_up_logs(settings)
    settings = fitted(settings)
    listening = listen(settings)
    with listening:
        services = open_services(settings)
        try:
            app = create_app(services)
            server = Server(app, services, listening)
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(server.live())
        except ExceptionGroup as group:  # how what went wrong at the start comes out of the application
            raise _told(group) from group
        finally:
            REQUESTS.flush()
            services.close()
    log.info("stopped")


def _told(error: Exception) -> Exception:
    """The mistake in a group; a journal that is not there or is damaged, as one; anything else is a bug, and stays."""
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    if isinstance(error, Broken):
        return InputError(f"the record is damaged: {error}; keep the file, run pitbook audit, and restore a backup")
    return InputError(" ".join(str(error).split())) if isinstance(error, Unavailable) else error


def listen(settings: Settings) -> socket.socket:
    """A socket that listens where the settings say."""
    host, port = settings.host.strip("[]"), settings.port
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = min(found, key=lambda one: one[0] != socket.AF_INET)
    except (OSError, UnicodeError) as error:
        raise InputError(f"there is no address {host} here: {getattr(error, 'strerror', None) or error}") from None
    made = socket.socket(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(BACKLOG)
        made.setblocking(False)
    except PermissionError:
        made.close()
        raise InputError(f"port {port} is for the system's own programs; choose one above 1023 with --port") from None
    except OSError as error:
        made.close()
        if error.errno in (98, 48):  # in use, on Linux and on macOS
            raise InputError(f"port {port} of {host} is in use; choose another with --port, or 0 for any") from None
        raise InputError(f"cannot listen on {host}, port {port}: {error.strerror}") from None
    return made


class Server(uvicorn.Server):
    """uvicorn's server, with a course of ours: it opens services, greets, and says good-bye before it waits."""

    def __init__(self, app: Litestar, services: Services, listening: socket.socket) -> None:
        self._litestar = app
        self._services = services
        self._listening = listening
        settings = services.settings
        direct = app.asgi_handler if isinstance(app.asgi_handler, RequestMiddleware) else None
        config = uvicorn.Config(
            app,
            loop="uvloop",
            http=bounded(settings.body_seconds, connections_max(settings), direct),
            ws="none",
            lifespan="off",  # run here, so that what goes wrong at the start can be told
            log_config=None,
            access_log=False,
            proxy_headers=False,  # the middleware believes trusted proxies only
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=max(1, round(settings.shutdown / 2)),  # the other half is for good-byes
            ssl_certfile=settings.tls_certificate,
            ssl_keyfile=settings.tls_key,
        )
        try:
            config.load()
        except (ssl.SSLError, OSError) as error:
            raise InputError(f"the certificate or its key cannot be used: {error}") from None
        super().__init__(config)

    async def live(self) -> None:
        """The whole course."""
        async with self._litestar.lifespan():
            gc.collect()
            gc.freeze()  # what was made until now stays: no collection need look at it again
            await self.serve(sockets=[self._listening])

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """A signal asks for an orderly stop, and is not raised again after it: the exit code is 0."""
        loop = asyncio.get_running_loop()
        for one in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(one, self._stop_asked)
        try:
            yield
        finally:
            for one in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(one)

    def _stop_asked(self) -> None:
        if self.should_exit:  # for the second time: at once
            self.force_exit = True
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        services = self._services
        services.lifecycle.address = address_of(services.settings, self._listening)
        greet(services)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        log.info("stopping")
        self._services.end_by(monotonic() + DATABASE_SHARE * self._services.settings.shutdown)
        for server in self.servers:
            server.close()  # nobody new is let in while streams say good-bye
        try:
            async with asyncio.timeout(self._services.settings.shutdown / 2):
                await self._services.stop()
        except TimeoutError:
            log.warning("streams and drivers did not stop in time")
        await super().shutdown(sockets)


def address_of(settings: Settings, listening: socket.socket) -> str:
    """The address as a browser takes it."""
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"{'https' if settings.tls else 'http'}://{shown}:{port}"


def greet(services: Services) -> None:
    """Says where the house is, now that it can be asked."""
    settings, address = services.settings, services.lifecycle.address
    console = Console(highlight=False, soft_wrap=True)
    console.print(Text.assemble("Pitbook is open at ", (address, "bold green")))
    for greeting in services.greetings:
        console.print(Text(greeting(address)))
    console.print(Text(f"API      {address}/api/v1/reference", style="dim"))
    console.print(Text(f"journal  {masked(settings.journal_place)}", style="dim"))
    console.print(Text("stop     Ctrl-C", style="dim"))
    console.file.flush()
    log.info("open at %s", address)
