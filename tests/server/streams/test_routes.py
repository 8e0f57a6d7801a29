"""Streams and pages over real connections to a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from socket import socketpair
from typing import Any

import pytest
import uvloop
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pitbook.journal.entries import Entry
from pitbook.journal.errors import Unavailable
from pitbook.server.http.connections import Connection, bound_buffer
from pitbook.server.streams.hub import Limits
from pitbook.server.streams.projections import PUBLIC, Viewer
from pitbook.table.commands import BuyIn
from tests.server.streams.stream_helpers import ANN, BEN, Client, frames, ids, run, serving, until
from tests.soaking import thorough

EVENTS = "/api/v1/tables/t1/events"


def viewer_of(scope: Any) -> Viewer:
    """The caller as these tests name them."""
    name = dict(scope["headers"]).get(b"x-viewer", b"").decode()
    return Viewer(name, staff=name == "dan") if name else PUBLIC


def test_a_stream_greets_and_goes_on_live(tmp_path: Path) -> None:
    async def test() -> None:
        async with serving(tmp_path) as (floor, port):
            client = await Client.get(port)
            assert client.status == 200
            assert client.headers["content-type"] == "text/event-stream; charset=utf-8"
            assert client.headers["cache-control"] == "no-store"
            assert client.headers["x-accel-buffering"] == "no"
            assert "access-control-allow-origin" not in client.headers
            body = await client.read(lambda body: b"event: view" in body)
            assert body.startswith(b"retry: ")
            assert frames(body)[0].data["head"] == 1
            await asyncio.to_thread(floor.buys, 3)
            await client.read(lambda body: len(ids(body)) == 3)
            assert ids(client.body) == [2, 3, 4]
            client.close()
            await until(lambda: floor.hub.watchers == 0)

    run(test())


@pytest.mark.parametrize(
    ("path", "headers"), [("?after=2", {}), ("", {"Last_Event_ID": "2"}), ("?after=0", {"Last_Event_ID": "2"})]
)
def test_a_stream_resumes_after_any_entry(tmp_path: Path, path: str, headers: dict[str, str]) -> None:
    async def test() -> None:
        async with serving(tmp_path) as (floor, port):
            await asyncio.to_thread(floor.buys, 4)
            client = await Client.get(port, f"/api/v1/tables/t1/stream{path}", **headers)
            await client.read(lambda body: ids(body)[-1:] == [5])
            assert ids(client.body) == [3, 4, 5]
            client.close()

    run(test())


STREAMS = ["stream?after=-1", "stream?after=x", "stream?after=1.5", "stream?afer=1", "stream?after="]
PAGES = ["events?limit=501", "events?limit=0", f"events?after={2**70}"]


@pytest.mark.parametrize("path", [*STREAMS, *PAGES])
def test_an_invalid_number_is_a_bad_request(tmp_path: Path, path: str) -> None:
    async def test() -> None:
        async with serving(tmp_path) as (_, port):
            client = await Client.get(port, f"/api/v1/tables/t1/{path}")
            assert client.status == 400
            assert client.headers["content-type"] == "application/problem+json"
            client.close()

    run(test())


@pytest.mark.parametrize("table", ["t9", "house"])
@pytest.mark.parametrize("what", ["stream", "events"])
def test_there_is_no_stream_of_a_name_that_is_not_a_table(tmp_path: Path, table: str, what: str) -> None:
    async def test() -> None:
        async with serving(tmp_path) as (floor, port):
            await asyncio.to_thread(floor.house.ask, "t9", ANN, BuyIn(100))  # refused, on the house's own record
            assert floor.store.head("house").sequence
            client = await Client.get(port, f"/api/v1/tables/{table}/{what}")
            assert client.status == 404
            client.close()

    run(test())


def test_too_many_watchers_are_refused_with_a_time_to_retry(tmp_path: Path) -> None:
    async def test() -> None:
        async with serving(tmp_path, Limits(watchers_max=1)) as (floor, port):
            first = await Client.get(port)
            second = await Client.get(port)
            assert second.status == 503
            assert second.headers["retry-after"] == "5"
            first.close()
            await until(lambda: floor.hub.watchers == 0)
            third = await Client.get(port)
            assert third.status == 200
            for client in (second, third):
                client.close()

    run(test())


OWN = "http://127.0.0.1:{port}"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Sec_Fetch_Site": "same-origin"}, 200),
        ({"Sec_Fetch_Site": "none"}, 200),
        ({"Origin": OWN}, 200),
        ({"Origin": OWN, "Sec_Fetch_Site": "same-origin"}, 200),
        ({"Origin": "https://tables.example", "Sec_Fetch_Site": "cross-site"}, 200),
        ({"Origin": "https://evil.example", "Sec_Fetch_Site": "cross-site"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": OWN.replace("http:", "https:")}, 403),
        ({"Origin": OWN, "Sec_Fetch_Site": "cross-site"}, 403),
    ],
)
def test_pages_of_other_origins_read_no_stream_unless_they_are_named(
    tmp_path: Path, headers: dict[str, str], status: int
) -> None:
    async def test() -> None:
        async with serving(tmp_path) as (_, port):
            client = await Client.get(port, **{name: value.format(port=port) for name, value in headers.items()})
            assert client.status == status
            named = headers.get("Origin") == "https://tables.example"
            assert client.headers.get("access-control-allow-origin") == ("https://tables.example" if named else None)
            client.close()

    run(test())


def test_a_silent_stream_beats(tmp_path: Path) -> None:
    async def test() -> None:
        async with serving(tmp_path, Limits(heartbeat_seconds=0.05)) as (_, port):
            client = await Client.get(port)
            await client.read(lambda body: body.count(b": \n\n") >= 3)
            client.close()

    run(test())


def test_a_stop_says_good_bye_and_when_to_come_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with serving(tmp_path) as (floor, port):
            client = await Client.get(port)
            await client.read(lambda body: b"event: view" in body)
            await floor.hub.close()
            await client.read(lambda _: False)
            assert frames(client.body)[-1].kind == "bye"
            assert client.body.rpartition(b"retry: ")[2].split()[0].isdigit()
            late = await Client.get(port)
            assert late.status == 503
            for one in (client, late):
                one.close()

    run(test())


def test_changed_rights_end_a_stream_and_the_next_one_has_the_new_ones(tmp_path: Path) -> None:
    async def test() -> None:
        async with serving(tmp_path, viewer_of=viewer_of) as (floor, port):
            client = await Client.get(port, X_Viewer="ann")
            await client.read(lambda body: b"event: view" in body)
            await asyncio.to_thread(floor.buys, 1, ANN)
            await client.read(ids)
            assert frames(client.body)[-1].kind == "BoughtIn"
            floor.hub.revalidate("ann")
            await client.read(lambda _: False)
            assert frames(client.body)[-1].kind == "bye"
            client.close()

    run(test())


@pytest.mark.parametrize("protocol", [Connection, *thorough(HttpToolsProtocol)])
def test_a_watcher_who_does_not_read_is_dropped_and_the_others_do_not_wait(tmp_path: Path, protocol: Any) -> None:
    async def test() -> None:
        limits = Limits(backlog_max=100_000, ring_max=50, ring_start=5)
        async with serving(tmp_path, limits, protocol=protocol) as (floor, port):
            stuck = await Client.get(port)
            quick = await Client.get(port)
            reading = asyncio.create_task(quick.read(lambda _: False))
            padding = b": " + b"x" * 50_000 + b"\n\n"
            channel = floor.hub._channels["t1"]
            await until(lambda: len(channel._live) == 2)

            async def one_is_dropped() -> bool:
                await channel._broadcast(padding, padding)
                return floor.hub.dropped > 0

            await until(one_is_dropped, "the one who does not read to be dropped")
            assert floor.hub.dropped == 1
            await until(lambda: floor.hub.watchers == 1)
            await asyncio.to_thread(floor.buys, 3)
            await until(lambda: ids(quick.body) == [2, 3, 4])
            again = await Client.get(port, Last_Event_ID="1")
            await again.read(lambda body: len(ids(body)) == 3)
            assert ids(again.body) == [2, 3, 4]
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading
            for client in (stuck, quick, again):
                client.close()

    run(test())


def test_events_come_in_pages_as_the_viewer_may_see_them(tmp_path: Path) -> None:
    async def test() -> None:
        async with serving(tmp_path, viewer_of=viewer_of) as (floor, port):
            await asyncio.to_thread(floor.buys, 2, ANN)
            await asyncio.to_thread(floor.buys, 2, BEN)
            assert await kinds(port, "") == ["TableOpened", *["private"] * 4]
            assert await kinds(port, "ann") == ["TableOpened", "BoughtIn", "BoughtIn", "private", "private"]
            assert await kinds(port, "dan") == ["TableOpened", *["BoughtIn"] * 4]

    run(test())


async def kinds(port: int, viewer: str) -> list[str]:
    """What there is to see, page by page."""
    found: list[str] = []
    after: int | None = 0
    while after is not None:
        client = await Client.get(port, f"{EVENTS}?after={after}&limit=2", **({"X_Viewer": viewer} if viewer else {}))
        page = await client.whole()
        client.close()
        assert len(page["events"]) <= 2
        found += [event["kind"] for event in page["events"]]
        after = page["next"]
    return found


def test_a_page_after_the_last_entry_is_empty(tmp_path: Path) -> None:
    async def test() -> None:
        async with serving(tmp_path) as (_, port):
            client = await Client.get(port, f"{EVENTS}?after=1")
            assert await client.whole() == {"events": [], "next": None}
            client.close()

    run(test())


@pytest.mark.parametrize("protocol", [Connection, HttpToolsProtocol])
def test_an_unreadable_journal_ends_only_the_streams_that_need_it(tmp_path: Path, protocol: Any) -> None:
    async def test() -> None:
        async with serving(tmp_path, Limits(ring_start=1), protocol=protocol) as (floor, port):
            await asyncio.to_thread(floor.buys, 9)
            live = await Client.get(port)
            await live.read(lambda body: b"event: view" in body)
            read = floor.store.entries
            floor.store.entries = broken  # type: ignore[method-assign, assignment]
            late = await Client.get(port, Last_Event_ID="1")
            await late.read(lambda _: False)
            assert ids(late.body) == []
            await until(lambda: floor.hub.watchers == 1)
            floor.store.entries = read  # type: ignore[method-assign]
            await asyncio.to_thread(floor.buys, 1)
            await live.read(ids)
            again = await Client.get(port, Last_Event_ID="1")
            await again.read(lambda body: len(ids(body)) == 10)
            for client in (live, late, again):
                client.close()

    run(test())


def broken(*_: object) -> Iterator[Entry]:
    raise Unavailable("the disk is gone")


def test_a_watcher_who_has_gone_before_the_stream_begins_is_no_error() -> None:
    async def test() -> None:
        here, there = socketpair()
        transport, _ = await asyncio.get_running_loop().create_connection(asyncio.Protocol, sock=here)
        there.close()
        transport.abort()
        await until(lambda: transport.get_extra_info("socket").fileno() == -1)
        bound_buffer(transport)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # what the server runs on
        runner.run(test())


def test_a_watcher_who_goes_while_still_catching_up_is_let_go(tmp_path: Path) -> None:
    async def test() -> None:
        async with serving(tmp_path, Limits(ring_start=1, page=1)) as (floor, port):
            await asyncio.to_thread(floor.buys, 300)
            client = await Client.get(port, "/api/v1/tables/t1/stream?after=0")
            client.close()
            await until(lambda: floor.hub.watchers == 0)

    run(test())
