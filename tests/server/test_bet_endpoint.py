"""The fast lane for bets answers exactly as the route does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from pitbook.auth.passwords import Passwords
from pitbook.server.app import create_app
from pitbook.server.bootstrap import open_services
from pitbook.server.services import Services
from pitbook.server.settings import Settings
from tests.server.asgi import transport_to
from tests.server.forking import CHEAP

PLAIN, OTHER = "application/json", "application/json; charset=utf-8"
"""The lane takes the first only: with the second the same request goes the common way."""


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    settings = Settings(
        data=tmp_path, sealing_key=tmp_path / "seal.key", signing_key=tmp_path / "sign.key", request_rate=0, bet_rate=0
    )
    made = open_services(settings, passwords=Passwords(CHEAP))
    yield made
    made.close()


BODIES: list[bytes] = [
    b'{"bets":[{"wager":"small","amount":500}]}',
    b'{"bets":[{"wager":"small","amount":500},{"wager":"big","amount":500,"kind":"cash"}]}',
    b'{"bets":[{"wager":"small","amount":1}]}',
    b'{"bets":[{"wager":"small","amount":10000000000000000000000}]}',
    b'{"bets":[{"wager":"nothing","amount":500}]}',
    b'{"bets":[{"wager":"' + b"x" * 300 + b'","amount":500}]}',
    b'{"bets":[{"wager":"a\\u0000b","amount":500}]}',
    b'{"bets":[{"wager":"small","amount":true}]}',
    b'{"bets":[{"wager":"small","amount":"500"}]}',
    b'{"bets":[{"wager":"small","amount":500,"tip":1}],"more":2}',
    b'{"bets":[]}',
    b'{"bets":[' + b",".join([b'{"wager":"small","amount":500}'] * 201) + b"]}",
    b"{}",
    b"[]",
    b"nonsense",
    b"\xff\xfe",
    b"[" * 5_000,
    b"",
]


def test_lane_and_route_answer_alike(services: Services) -> None:
    async def story() -> None:
        app = create_app(services)
        transport = transport_to(app)
        async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            now = services.authenticator.now()
            tokens = {
                "player": services.auth.tokens.make("demo-ann", "t", ("play",), now).text,
                "no scope": services.auth.tokens.make("demo-ann", "t", ("read",), now).text,
                "dealer": services.auth.tokens.make("demo-dealer", "t", ("play", "deal"), now).text,
                "nobody": "pitbook_0_0",
            }
            for who, token in tokens.items():
                for table in ("massachusetts", "none", "house", "ä"):
                    for body in BODIES if (who, table) == ("player", "massachusetts") else BODIES[:1]:
                        answers = [await _ask(http, table, token, body, kind) for kind in (PLAIN, OTHER)]
                        assert _same(answers[0]) == _same(answers[1]), (who, table, body[:60])
            for key in ("k1", "", "x" * 300, "k1"):
                headers = [
                    await _ask(http, "massachusetts", tokens["player"], BODIES[0], kind, key) for kind in (PLAIN, OTHER)
                ]
                assert headers[0].status_code == headers[1].status_code, key
            first = await _ask(http, "massachusetts", tokens["player"], BODIES[0], PLAIN, "again")
            again = await _ask(http, "massachusetts", tokens["player"], BODIES[0], OTHER, "again")
            assert (first.json()["repeated"], again.json()["repeated"]) == (False, True)
            assert first.json()["sequence"] <= again.json()["sequence"]

    asyncio.run(story())


async def _ask(
    http: httpx.AsyncClient, table: str, token: str, body: bytes, kind: str, key: str | None = None
) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": kind}
    if key is not None:
        headers["Idempotency-Key"] = key
    return await http.post(f"/api/v1/tables/{table}/bets", content=body, headers=headers)


def _same(answer: httpx.Response) -> Any:
    """Everything but what differs between any two requests."""
    told = answer.json() if answer.content else None
    if isinstance(told, dict):
        told = {name: value for name, value in told.items() if name not in ("request_id", "sequence")}
    kept = {
        name: value for name, value in answer.headers.items() if name not in ("x-request-id", "content-length", "date")
    }
    return answer.status_code, kept, told
