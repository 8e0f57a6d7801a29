"""The endpoint for bets, the most frequent request, answered without the framework and without a task.

It takes the plain case only, and does what the route in routes/commands.py does, by the same functions. Anything
unusual (another content type, a query, a body in pieces, a caller who has to be looked up) is left to the framework.
A test sends requests both ways and compares the answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.server.http.bodies import read_body
from pitbook.server.http.errors import FieldError, detail
from pitbook.server.http.problems import invalid_fields
from pitbook.server.routes.commands import Bets, placed_bets, submit_bets

if TYPE_CHECKING:
    import asyncio

    from pitbook.journal.decisions import Outcome
    from pitbook.server.people.identity import Caller
    from pitbook.server.services import Services

BEFORE, AFTER = "/api/v1/tables/", "/bets"
TEMPLATE = f"{BEFORE}{{table:str}}{AFTER}"

_decoder = msgspec.json.Decoder(Bets)
_encode = msgspec.json.Encoder().encode


class BetEndpoint:
    """A plain POST of bets."""

    template = TEMPLATE

    def __init__(self, services: Services) -> None:
        self._services = services
        self._body_max = services.settings.body_max

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
                length = value.isdigit() and 0 < int(value) <= self._body_max
            elif name in (b"transfer-encoding", b"content-encoding", b"expect"):
                return False
        return plain and length

    def caller(self, scope: Any) -> Caller | None:
        """Return the caller, or None if a lookup is needed first."""
        return self._services.authenticator.cached_caller(scope)

    def submit(self, scope: Any, caller: Caller, body: bytes) -> asyncio.Future[Outcome]:
        """Submit the bets; the future is done once the result is durable."""
        table = scope["path"][len(BEFORE) : -len(AFTER)]
        return submit_bets(self._services, caller, table, _parse_bets(body), _key(scope))

    def content(self, outcome: Outcome) -> bytes:
        """Return the body of the response; raise a refusal as a problem."""
        return _encode(placed_bets(self._services, outcome))


def _parse_bets(content: bytes) -> Bets:
    if not content:
        raise invalid_fields([FieldError("body", detail("field.missing"))])
    try:
        return _decoder.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found: Bets = read_body(content, Bets)  # reports all errors at once
        return found


def _key(scope: Any) -> str | None:
    for name, value in scope["headers"]:
        if name == b"idempotency-key":
            text: str = value.decode("latin-1")
            return text
    return None
