"""Access to a request's transport, which live streams need and ASGI does not provide."""

from __future__ import annotations

from contextlib import suppress
from socket import SO_SNDBUF, SOL_SOCKET
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if TYPE_CHECKING:
    from asyncio import Transport
    from collections.abc import Mapping

TRANSPORT = "pitbook.transport"
"""The scope extension that holds the transport."""

SEND_BUFFER = 128 * 1024
"""The limit of the system's send buffer for a stream, which could take megabytes per slow watcher."""


class Connection(HttpToolsProtocol):
    """An HTTP connection that exposes its transport, for `uvicorn.Config(http=...)`."""

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {TRANSPORT: self.transport}  # type: ignore[dict-item]


def transport_of(scope: Mapping[str, Any]) -> Transport | None:
    """Return the transport of a request, or None."""
    found: Transport | None = (scope.get("extensions") or {}).get(TRANSPORT)
    return found


def bound_buffer(transport: Transport) -> None:
    """Limit the system's send buffer for a watcher that does not read."""
    connected = transport.get_extra_info("socket")
    with suppress(OSError, AttributeError, ValueError):  # the connection may be closed already
        connected.setsockopt(SOL_SOCKET, SO_SNDBUF, SEND_BUFFER)
