"""The back office: heavy work never holds up the tables, and never forever."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from pitbook.errors import InputError
from pitbook.server.http.errors import Busy, InvalidRequest, detail
from pitbook.server.http.response_cache import CachedResponse, ResponseCache, etag_of_content
from pitbook.server.worker_pool import WORKER_POOL, WorkerPool
from tests.server.asgi import transport_to
from tests.server.books.conftest import make_app
from tests.server.worker_jobs import answer, count_calls, err, number_of_process, spin, vanish, wait_at


@pytest.fixture
def office() -> Iterator[WorkerPool]:
    found = WorkerPool(waiting=1)
    yield found
    found.close()


@pytest.fixture
def gate(tmp_path: Path) -> str:
    """A named pipe that work can be held at."""
    os.mkfifo(tmp_path / "gate")
    return str(tmp_path / "gate")


def test_work_is_done_in_one_other_process(office: WorkerPool) -> None:
    async def twice() -> list[bytes]:
        return [await office.work(number_of_process) for _ in range(2)]

    first, second = asyncio.run(twice())
    assert first == second != str(os.getpid()).encode()


def test_a_worker_remembers_what_its_functions_put_into_its_memory(office: WorkerPool) -> None:
    async def twice() -> list[bytes]:
        return [await office.work(count_calls) for _ in range(2)]

    assert asyncio.run(twice()) == [b"1", b"2"]


def test_work_that_takes_too_long_is_ended_and_the_next_is_done(office: WorkerPool, gate: str) -> None:
    async def late() -> bytes:
        await office.work(number_of_process)
        with pytest.raises(Busy, match="stopped after"):
            await office.work(spin, seconds=0.1)
        with pytest.raises(Busy, match="stopped after"):
            await office.work(wait_at, gate, seconds=0.02)  # it uses no processor time
        return await office.work(answer)

    assert asyncio.run(late()) == b"done"


def test_a_lost_process_is_reported_and_replaced(office: WorkerPool) -> None:
    async def lost() -> bytes:
        with pytest.raises(Busy, match="lost"):
            await office.work(vanish)
        return await office.work(answer)

    assert asyncio.run(lost()) == b"done"


def test_mistakes_come_back_as_they_are_and_bugs_as_bugs(office: WorkerPool) -> None:
    async def wrong(kind: str) -> None:
        await office.work(err, kind)

    with pytest.raises(InputError, match="not like this"):
        asyncio.run(wrong("mistake"))
    with pytest.raises(InvalidRequest) as raised:
        asyncio.run(wrong("places"))
    assert raised.value.places == (("body.a", detail("field.missing")), ("body.b", detail("field.date")))
    with pytest.raises(RuntimeError, match="KeyError"):
        asyncio.run(wrong("bug"))


def test_a_line_that_is_full_is_closed(office: WorkerPool, gate: str) -> None:
    async def crowd() -> list[object]:
        first = asyncio.ensure_future(office.work(wait_at, gate))
        others = [asyncio.ensure_future(office.work(answer)) for _ in range(3)]
        with await asyncio.to_thread(Path(gate).open, "wb"):  # the first is in progress, and ends after this
            await asyncio.wait(others[1:])
        return await asyncio.gather(first, *others, return_exceptions=True)

    found = asyncio.run(crowd())
    assert found[:2] == [b"done", b"done"]
    assert [type(one) for one in found[2:]] == [Busy, Busy]


def test_closing_ends_work_that_is_going_on(office: WorkerPool, gate: str) -> None:
    async def closed() -> None:
        work = asyncio.ensure_future(office.work(wait_at, gate))
        with await asyncio.to_thread(Path(gate).open, "wb"):  # it is in progress
            office.close()
            with pytest.raises(Busy, match="shutting down"):
                await work

    asyncio.run(closed())


def test_identical_concurrent_requests_share_one_answer() -> None:
    pages, made, all_asked = ResponseCache(100), [], asyncio.Event()

    async def make() -> CachedResponse:
        made.append(1)
        await all_asked.wait()
        return CachedResponse(b"x" * 40, etag_of_content(b"x"))

    async def many() -> None:
        asking = [asyncio.ensure_future(pages.find("key", make)) for _ in range(20)]
        asyncio.get_running_loop().call_soon(all_asked.set)  # after the first step of each
        found = await asyncio.gather(*asking)
        assert len({id(page) for page in found}) == 1
        for key in "abc":
            await pages.find(key, make)

    asyncio.run(many())
    assert len(made) == 4
    assert (pages.get("key"), pages.bytes) == (None, 80)


MANY = 40
"""Pages answered while a sheet is made: where it held them up, there would be one or two."""


@pytest.mark.thorough
def test_a_page_is_answered_at_once_while_a_sheet_is_made() -> None:
    async def both() -> int:
        transport = transport_to(make_app())
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver.local") as client:
            page = "/api/v1/books/dice-works"
            await client.get(page)
            await client.get("/api/v1/books/maryland-sic-bo/report?format=pdf&wager=total")  # a process has started
            sheet = asyncio.ensure_future(
                client.get("/api/v1/books/singapore-mbs-sic-bo-v6/report?format=pdf&wager=total")
            )
            answered = 0
            while not sheet.done() and answered < MANY:
                assert (await client.get(page)).status_code == 200
                answered += 1
                await asyncio.sleep(0)  # other waiting callers have a turn
            assert (await sheet).status_code == 200
            return answered

    answered = asyncio.run(both())
    WORKER_POOL.close()
    assert answered == MANY
