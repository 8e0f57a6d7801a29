"""HTTP requests to an application in the same process, without a server."""

from __future__ import annotations

import httpx
from litestar import Litestar


def transport_to(
    app: Litestar, client: tuple[str, int] = ("127.0.0.1", 5000), *, raises: bool = True
) -> httpx.ASGITransport:
    """Return a transport whose requests go straight to an application; `raises` passes its exceptions on."""
    # Both type an ASGI application as the protocol allows: httpx by plain mappings, Litestar by typed dictionaries.
    return httpx.ASGITransport(app, client=client, raise_app_exceptions=raises)  # type: ignore[arg-type]
