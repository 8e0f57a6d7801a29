"""The endpoint for bets, the most frequent request, handled without the framework's overhead.

It takes the plain case only, and does what the route in routes/commands.py does, by the same functions. Whatever is
unusual (another content type, a query, a body in pieces) goes the common way, which knows how to complain about it.
A test asks both and compares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.server.http.exception_handlers import told_problem
from pitbook.server.http.problems import InvalidField, Problem
from pitbook.server.routes.commands import Bets, bet

if TYPE_CHECKING:
    from litestar.types import Receive

    from pitbook.server.services import Services

BEFORE, AFTER = "/api/v1/tables/", "/bets"
TEMPLATE = f"{BEFORE}{{table:str}}{AFTER}"

_decoder = msgspec.json.Decoder(Bets)
_encode = msgspec.json.Encoder().encode


class BetEndpoint:
    """Answers a plain POST of bets."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._most = services.settings.body_max

    def takes(self, scope: Any) -> bool:
        """Return whether the path and the headers are the plain case."""
        path: str = scope["path"]
        if scope["method"] != "POST" or not path.endswith(AFTER) or not path.startswith(BEFORE):
            return False
        if scope["query_string"] or "/" in path[len(BEFORE) : -len(AFTER)] or len(path) <= len(BEFORE) + len(AFTER):
            return False
        plain = length = False
        for name, value in scope["headers"]:
            if name == b"content-type":
                if plain or value != b"application/json":
                    return False
                plain = True
            elif name == b"content-length":
                length = value.isdigit() and 0 < int(value) <= self._most
            elif name in (b"transfer-encoding", b"content-encoding", b"expect"):
                return False
        return plain and length

    async def answer(self, scope: Any, receive: Receive) -> tuple[int, bytes, tuple[tuple[bytes, bytes], ...]]:
        """Return the status, body and headers of the response."""
        scope["path_template"] = TEMPLATE
        try:
            bets = _bets(await _read(receive))
            caller = await self._services.authenticator.caller(scope)
            table = scope["path"][len(BEFORE) : -len(AFTER)]
            done = await bet(self._services, caller, table, bets, _key(scope))
        except Exception as error:
            return told_problem(error)
        body = _encode(done)
        return 200, body, ((b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)))


def _bets(content: bytes) -> Bets:
    if not content:
        raise Problem("bad-request", "body: this is missing", errors=[InvalidField("body", "this is missing")])
    try:
        return _decoder.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        from pitbook.server.http.bodies import read_body

        found: Bets = read_body(content, Bets)  # complains about everything at once
        return found


def _key(scope: Any) -> str | None:
    for name, value in scope["headers"]:
        if name == b"idempotency-key":
            text: str = value.decode("latin-1")
            return text
    return None


async def _read(receive: Receive) -> bytes:
    message: Any = await receive()
    if not message.get("more_body"):
        whole: bytes = message.get("body", b"")
        return whole
    parts = [message["body"]]
    while message.get("more_body"):
        message = await receive()
        parts.append(message.get("body", b""))
    return b"".join(parts)
