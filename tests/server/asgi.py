"""HTTP requests to an application in the same process, without a server."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cache
from typing import Any

import httpx
from litestar import Litestar
from litestar.events import SimpleEventEmitter
from litestar.openapi import OpenAPIConfig

from pitbook.server.app import assemble, bind
from pitbook.server.services import Services


def app_over(services: Services, handlers: Sequence[Any] | None = None) -> Litestar:
    """Return an application like `create_app`, over an assembly that is shared by all tests."""
    app = shared_assembly(handlers, services.settings.body_max)
    return bind(app, services, with_bets=handlers is None)


def shared_assembly(
    handlers: Sequence[Any] | None, body_max: int | None = None, *, openapi_config: OpenAPIConfig | None = None
) -> Litestar:
    """Return an application like `assemble`, which analyses the same handlers only once.

    The analysis takes longer than most tests, and does not depend on the house.
    """
    if openapi_config is not None:
        return assemble(handlers, body_max, openapi_config=openapi_config)
    app = copy(_assembled(None if handlers is None else tuple(handlers), body_max))
    app.event_emitter = SimpleEventEmitter([])  # it is opened and closed with an application
    return app


@cache
def _assembled(handlers: tuple[Any, ...] | None, body_max: int | None) -> Litestar:
    return assemble(handlers, body_max)


def transport_to(
    app: Litestar, client: tuple[str, int] = ("127.0.0.1", 5000), *, raises: bool = True
) -> httpx.ASGITransport:
    """Return a transport whose requests go straight to an application; `raises` passes its exceptions on."""
    # Both type an ASGI application as the protocol allows: httpx by plain mappings, Litestar by typed dictionaries.
    return httpx.ASGITransport(app, client=client, raise_app_exceptions=raises)  # type: ignore[arg-type]
