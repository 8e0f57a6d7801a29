"""The server's connections: what a live stream needs of them and ASGI has no word for."""

from __future__ import annotations

from contextlib import suppress
from socket import SO_SNDBUF, SOL_SOCKET
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if TYPE_CHECKING:
    from asyncio import Transport
    from collections.abc import Mapping

TRANSPORT = "pitbook.transport"
"""The extension of a request's scope that holds its transport."""

SEND_BUFFER = 128 * 1024
"""So much of a stream may lie in the system's buffer: it would take megabytes of each watcher who does not read."""


class Connection(HttpToolsProtocol):
    """An HTTP connection that can be cut off, for `uvicorn.Config(http=...)`."""

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {TRANSPORT: self.transport}  # type: ignore[dict-item]


def transport_of(scope: Mapping[str, Any]) -> Transport | None:
    """The transport below a request; None where the server gives none."""
    found: Transport | None = (scope.get("extensions") or {}).get(TRANSPORT)
    return found


def bound_buffer(transport: Transport) -> None:
    """Has the system hold less for a watcher who does not read."""
    connected = transport.get_extra_info("socket")
    with suppress(OSError, AttributeError, ValueError):  # who has left already has no socket any more
        connected.setsockopt(SOL_SOCKET, SO_SNDBUF, SEND_BUFFER)
