"""What every request passes: headers, hosts, ids, proxies, limits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from litestar import get, post
from litestar.params import JSONBody

from pitbook.server.http import request_context
from pitbook.server.http.bodies import RequestBody
from tests.server.conftest import HouseApp
from tests.waiting import until_async

pytestmark = pytest.mark.anyio


class Nothing(RequestBody, frozen=True):
    pass


@get("/who", sync_to_thread=True)
def who() -> dict[str, Any]:
    visit = request_context.current()
    return {"id": visit.id, "address": visit.address, "secure": visit.secure}


@post("/nothing", sync_to_thread=False)
def nothing(data: JSONBody[Nothing]) -> None:
    return None


@pytest.mark.parametrize("path", ["/who", "/not-there", "/who?unknown=1"])
async def test_every_answer_carries_the_security_headers(house_app: HouseApp, path: str) -> None:
    async with house_app.client(who) as client:
        headers = (await client.get(path)).headers
    policy = headers["content-security-policy"]
    for rule in ("default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'"):
        assert rule in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "strict-transport-security" not in headers
    assert "server" not in headers


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("localhost:9000", 200),
        ("127.0.0.1:8000", 200),
        ("[::1]:8000", 200),
        ("192.168.1.5:8000", 200),
        ("tables.example", 200),
        ("TABLES.example:443", 200),
        ("evil.example", 421),
        ("evil.example:8000", 421),
        ("tables.example.evil.example", 421),
        ("localhost@evil.example", 421),
        ("", 421),
    ],
)
async def test_only_the_houses_own_names_are_answered(
    make_house_app: Callable[..., HouseApp], host: str, status: int
) -> None:
    house_app = make_house_app(public_origins=["https://tables.example"])
    async with house_app.client(who) as client:
        for _ in range(2):
            assert (await client.get("/who", headers={"host": host})).status_code == status


async def test_a_stranger_cannot_choose_id_address_or_scheme(house_app: HouseApp) -> None:
    headers = {"x-request-id": "chosen-by-me-123", "x-forwarded-for": "1.2.3.4", "x-forwarded-proto": "https"}
    async with house_app.client(who) as client:
        seen = (await client.get("/who", headers=headers)).json()
    assert seen["id"] != "chosen-by-me-123"
    assert (seen["address"], seen["secure"]) == ("127.0.0.1", False)


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("9.9.9.9", "9.9.9.9"),
        ("6.6.6.6, 9.9.9.9, 10.0.0.7", "9.9.9.9"),
        ("10.0.0.8", "10.0.0.8"),
        ("nonsense", "10.0.0.1"),
        ("9.9.9.9, nonsense", "10.0.0.1"),
    ],
)
async def test_a_trusted_proxy_is_believed(
    make_house_app: Callable[..., HouseApp], forwarded: str, address: str
) -> None:
    house_app = make_house_app(trusted_proxies=["10.0.0.0/8"])
    headers = {"x-request-id": "of-the-proxy-1", "x-forwarded-for": forwarded, "x-forwarded-proto": "https"}
    async with house_app.client(who, client=("10.0.0.1", 4000)) as client:
        response = await client.get("/who", headers=headers)
    assert response.json() == {"id": "of-the-proxy-1", "address": address, "secure": True}
    assert "strict-transport-security" in response.headers


async def test_an_id_that_could_harm_a_log_is_not_taken(make_house_app: Callable[..., HouseApp]) -> None:
    house_app = make_house_app(trusted_proxies=["10.0.0.0/8"])
    async with house_app.client(who, client=("10.0.0.1", 4000)) as client:
        for bad in ('x" y', "short", "a" * 65, "new\tline-here"):
            assert (await client.get("/who", headers={"x-request-id": bad})).json()["id"] != bad


async def test_more_requests_than_are_answered_at_once_are_asked_to_wait(
    make_house_app: Callable[..., HouseApp],
) -> None:
    house_app = make_house_app(in_flight_max=2)
    go_on = asyncio.Event()

    @get("/slow")
    async def slow() -> None:
        await go_on.wait()

    async with house_app.client(slow) as client:
        asking = [asyncio.ensure_future(client.get("/slow")) for _ in range(5)]
        await until_async(lambda: sum(one.done() for one in asking) == 3, "three refusals")
        go_on.set()
        answers = await asyncio.gather(*asking)
        again = await client.get("/slow")
    assert sorted(answer.status_code for answer in answers) == [200, 200, 503, 503, 503]
    assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 503)
    assert again.status_code == 200


async def test_a_body_that_does_not_arrive_in_time_is_given_up(make_house_app: Callable[..., HouseApp]) -> None:
    async def dripping() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    house_app = make_house_app(body_seconds=0.1)
    headers = {"content-type": "application/json"}
    async with house_app.client(nothing) as client:
        response = await client.post("/nothing", content=dripping(), headers=headers)
        assert (await client.post("/nothing", content=b"{}", headers=headers)).status_code == 201
    assert response.status_code == 408


async def test_request_ids_are_unique(house_app: HouseApp) -> None:
    async with house_app.client(who) as client:
        answers = [await client.get("/who") for _ in range(20)]
    assert len({answer.headers["x-request-id"] for answer in answers}) == 20
    assert all(answer.headers["x-request-id"] == answer.json()["id"] for answer in answers)
