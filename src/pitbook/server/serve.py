"""Server lifecycle: listen, print the address, serve, and stop without losing anything."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import ssl
from contextlib import contextmanager
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

import uvicorn
import uvloop
from rich.console import Console
from rich.text import Text

from pitbook.auth.errors import Unavailable as AccessUnavailable
from pitbook.errors import InputError
from pitbook.journal.errors import Broken, Unavailable
from pitbook.server.app import create_app
from pitbook.server.bootstrap import open_services
from pitbook.server.capacity import connections_max, fit_settings
from pitbook.server.http.logs import REQUESTS, set_up_logs
from pitbook.server.http.middleware import RequestMiddleware
from pitbook.server.http.protocol import bounded
from pitbook.server.reload import Reloader
from pitbook.server.setting_sources import mask_password
from pitbook.server.shared_identity import save_identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litestar import Litestar

    from pitbook.server.services import Services
    from pitbook.server.settings import Settings

log = logging.getLogger(__name__)

BACKLOG = 2_048
KEEP_ALIVE = 30
"""Seconds after which an idle connection is closed."""
DATABASE_SHARE = 0.8
"""The share of a stop's time after which nothing waits for the database any more."""


def serve(settings: Settings, read_settings: Callable[[], Settings]) -> None:
    """Serve until stopped; raise an `InputError` if the server cannot start. SIGHUP reads the settings again."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # before the server listens there is nothing to reload
    set_up_logs(settings)
    given, settings = settings, fit_settings(settings)
    listening = listen(settings)
    with listening:
        services = open_services(settings)
        try:
            app = create_app(services)
            server = Server(app, services, listening)
            books = services.house.books.editions
            server.reloader = Reloader(
                given, read_settings, books, server.config.ssl, partial(_books_changed, services)
            )
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(server.run_app())
        except ExceptionGroup as group:  # how the application reports an error at the start
            raise _unwrap_error(group) from group
        finally:
            REQUESTS.flush()
            services.close()
    log.info("stopped")


def _books_changed(services: Services, new: Settings) -> None:
    """Let processes that start later compare their books with those read again."""
    if services.liveness is not None:
        try:
            save_identity(services.auth, new)
        except (InputError, AccessUnavailable, OSError) as error:
            log.error("other processes cannot compare their books with these: %s", error)


def _unwrap_error(error: Exception) -> Exception:
    """Return the input error in a group; a missing or damaged journal is one, anything else is a bug."""
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    if isinstance(error, Broken):
        return InputError("server.damaged", reason=error)
    return InputError("common.text", text=" ".join(str(error).split())) if isinstance(error, Unavailable) else error


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens as set."""
    host, port = settings.host.strip("[]"), settings.port
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = min(found, key=lambda one: one[0] != socket.AF_INET)
    except (OSError, UnicodeError) as error:
        raise InputError("server.no-address", host=host, reason=getattr(error, "strerror", None) or error) from None
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except PermissionError:
        listening.close()
        raise InputError("server.system-port", port=port) from None
    except OSError as error:
        listening.close()
        if error.errno in (98, 48):  # in use, on Linux and on macOS
            raise InputError("server.port-in-use", port=port, host=host) from None
        raise InputError("server.not-listening", host=host, port=port, reason=error.strerror) from None
    return listening


class Server(uvicorn.Server):
    """uvicorn's server, which opens services, prints the address, and ends streams before it waits for requests."""

    def __init__(self, app: Litestar, services: Services, listening: socket.socket) -> None:
        self.reloader: Reloader | None = None
        """Rereads settings on SIGHUP, if set."""
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
            lifespan="off",  # run here, so that errors at the start can be reported
            log_config=None,
            access_log=False,
            proxy_headers=False,  # the middleware trusts only the proxies that are set
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=max(1, round(settings.shutdown / 2)),  # the other half is for ending streams
            ssl_certfile=settings.tls_certificate,
            ssl_keyfile=settings.tls_key,
        )
        try:
            config.load()
        except (ssl.SSLError, OSError) as error:
            raise InputError("server.certificate", reason=error) from None
        super().__init__(config)

    async def run_app(self) -> None:
        """Start the application, serve and stop."""
        async with self._litestar.lifespan():
            gc.collect()
            gc.freeze()  # objects made so far stay: exempt them from collection
            await self.serve(sockets=[self._listening])

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop in order at a signal without raising it again, so that the exit code is 0."""
        loop = asyncio.get_running_loop()
        handlers = {
            signal.SIGINT: self._request_stop,
            signal.SIGTERM: self._request_stop,
        }
        if self.reloader is not None:
            handlers[signal.SIGHUP] = self.reloader.reload
        for one, handler in handlers.items():
            loop.add_signal_handler(one, handler)
        try:
            yield
        finally:
            for one in handlers:
                loop.remove_signal_handler(one)

    def _request_stop(self) -> None:
        if self.should_exit:  # the second time: at once
            self.force_exit = True
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        services = self._services
        services.lifecycle.address = server_address(services.settings, self._listening)
        greet(services)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        log.info("stopping")
        self._services.set_deadline(monotonic() + DATABASE_SHARE * self._services.settings.shutdown)
        for server in self.servers:
            server.close()  # no new connections while streams end
        try:
            async with asyncio.timeout(self._services.settings.shutdown / 2):
                await self._services.stop()
        except TimeoutError:
            log.warning("streams and drivers did not stop in time")
        await super().shutdown(sockets)


def server_address(settings: Settings, listening: socket.socket) -> str:
    """Return the address for a browser."""
    host, port = listening.getsockname()[:2]
    host_text = f"[{host}]" if ":" in host else host
    return f"{'https' if settings.tls else 'http'}://{host_text}:{port}"


def greet(services: Services) -> None:
    """Print the address of the server and how to use it."""
    settings, address = services.settings, services.lifecycle.address
    console = Console(highlight=False, soft_wrap=True)
    console.print(Text.assemble("Pitbook is open at ", (address, "bold green")))
    for greeting in services.greetings:
        console.print(Text(greeting(address)))
    console.print(Text(f"API      {address}/api/v1/reference", style="dim"))
    console.print(Text(f"journal  {mask_password(settings.journal_place)}", style="dim"))
    console.print(Text("stop     Ctrl-C", style="dim"))
    console.file.flush()
    log.info("open at %s", address)
