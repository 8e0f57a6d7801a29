"""The endpoint for bets answers exactly as the route does, over real connections."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from pitbook.auth.passwords import Passwords
from pitbook.server.app import create_app
from pitbook.server.bootstrap import open_services
from pitbook.server.http.middleware import RequestMiddleware, Respond
from pitbook.server.serve import Server, listen
from pitbook.server.services import Services
from pitbook.server.settings import Settings
from tests.server.forking import FAST_HASHING
from tests.waiting import until_async

PLAIN, OTHER = "application/json", "application/json; charset=utf-8"
"""The endpoint takes the first only: with the second the same request takes the common way."""


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    settings = Settings(
        data=tmp_path,
        port=0,
        sealing_key=tmp_path / "seal.key",
        signing_key=tmp_path / "sign.key",
        request_rate=0,
        bet_rate=0,
    )
    made = open_services(settings, passwords=Passwords(FAST_HASHING))
    now = made.clock()
    monkeypatch.setattr(made.authenticator, "_clock", lambda: now)  # a caller who was looked up once stays cached
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


class Counted(RequestMiddleware):
    """The middleware, which also counts what it answers without a task."""

    directly = 0

    def answer_directly(self, scope: Any, body: bytes, respond: Respond) -> bool:
        done = super().answer_directly(scope, body, respond)
        self.directly += done
        return done


@asynccontextmanager
async def serving(services: Services) -> AsyncIterator[tuple[int, Counted]]:
    """Serve over real connections; the port, and the middleware."""
    app = create_app(services)
    counted = app.asgi_handler
    assert isinstance(counted, RequestMiddleware)
    counted.__class__ = Counted
    assert isinstance(counted, Counted)
    with listen(services.settings) as listening:
        server = Server(app, services, listening)
        running = asyncio.create_task(server.run_app())
        try:
            await until_async(lambda: server.started or running.done())
            if running.done():
                await running  # it has failed
            yield listening.getsockname()[1], counted
        finally:
            server.should_exit = True
            await running


@pytest.mark.thorough
def test_endpoint_and_route_answer_alike(services: Services) -> None:
    async def story() -> None:
        async with serving(services) as (port, counted):
            now = services.authenticator.now()
            tokens = {
                "player": services.auth.tokens.make("demo-ann", "t", ("play",), now).text,
                "no scope": services.auth.tokens.make("demo-ann", "t", ("read",), now).text,
                "dealer": services.auth.tokens.make("demo-dealer", "t", ("play", "deal"), now).text,
            }
            for who, token in tokens.items():
                for table in ("massachusetts", "none", "house", "ä"):
                    for body in BODIES if (who, table) == ("player", "massachusetts") else BODIES[:1]:
                        await _ask(port, "none", token, body, OTHER)  # from now on the caller is cached
                        before = counted.directly
                        answers = [await _ask(port, table, token, body, kind) for kind in (PLAIN, OTHER)]
                        assert _same(answers[0]) == _same(answers[1]), (who, table, body[:60])
                        assert counted.directly == before + bool(body), body[:60]
            for key in ("k1", "", "x" * 300, "k1"):
                headers = [
                    await _ask(port, "massachusetts", tokens["player"], BODIES[0], kind, key) for kind in (PLAIN, OTHER)
                ]
                assert headers[0].status_code == headers[1].status_code, key
            first = await _ask(port, "massachusetts", tokens["player"], BODIES[0], PLAIN, "again")
            again = await _ask(port, "massachusetts", tokens["player"], BODIES[0], OTHER, "again")
            assert (first.json()["repeated"], again.json()["repeated"]) == (False, True)
            assert first.json()["sequence"] <= again.json()["sequence"]

    asyncio.run(story())


def test_a_caller_who_has_to_be_looked_up_takes_the_common_way(services: Services) -> None:
    async def story() -> None:
        async with serving(services) as (port, counted):
            token = services.auth.tokens.make("demo-ann", "t", ("play",), services.authenticator.now()).text
            assert (await _ask(port, "massachusetts", "pitbook_0_0", BODIES[0], PLAIN)).status_code == 401
            assert (await _ask(port, "massachusetts", token, BODIES[0], PLAIN)).status_code == 200
            assert counted.directly == 0

    asyncio.run(story())


def test_requests_on_one_connection_are_answered_in_order(services: Services) -> None:
    async def story() -> None:
        async with serving(services) as (port, counted):
            token = services.auth.tokens.make("demo-ann", "t", ("play",), services.authenticator.now()).text
            await _ask(port, "none", token, BODIES[0], OTHER)
            bets = [_request("massachusetts", token, BODIES[0], PLAIN, f"key {number}") for number in range(3)]
            head, _, body = _request("massachusetts", token, BODIES[0], PLAIN, "key 3", close=True).partition(b"{")
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"".join(bets) + head)
            await until_async(lambda: counted.directly)
            writer.write(b"{" + body)
            answers = (await reader.read()).split(b"HTTP/1.1 ")[1:]
            writer.close()
            assert [answer[:3] for answer in answers] == [b"200"] * 4
            sequences = [json.loads(answer.partition(b"\r\n\r\n")[2])["sequence"] for answer in answers]
            assert sequences == sorted(set(sequences))
            assert counted.directly == 1  # the first; those behind it wait for it, and the last came in two parts

    asyncio.run(story())


async def _ask(port: int, table: str, token: str, body: bytes, kind: str, key: str | None = None) -> httpx.Response:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(_request(table, token, body, kind, key, close=True))
    head, _, content = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    status, *lines = head.decode().split("\r\n")
    headers = [(name, value) for name, _, value in (line.partition(": ") for line in lines)]
    return httpx.Response(int(status.split()[1]), headers=headers, content=content)


def _request(table: str, token: str, body: bytes, kind: str, key: str | None = None, *, close: bool = False) -> bytes:
    """Return a whole request, to be written at once."""
    lines = [f"POST /api/v1/tables/{quote(table)}/bets HTTP/1.1", "Host: localhost", f"Content-Type: {kind}"]
    lines += [f"Authorization: Bearer {token}", f"Content-Length: {len(body)}"]
    lines += [f"Idempotency-Key: {key}"] if key is not None else []
    lines += ["Connection: close"] if close else []
    return "\r\n".join([*lines, "", ""]).encode() + body


def _same(answer: httpx.Response) -> Any:
    """Everything but what differs between any two requests."""
    body = answer.json() if answer.content else None
    if isinstance(body, dict):
        body = {name: value for name, value in body.items() if name not in ("request_id", "sequence")}
    stored = {
        name: value for name, value in answer.headers.items() if name not in ("x-request-id", "content-length", "date")
    }
    return answer.status_code, stored, body
