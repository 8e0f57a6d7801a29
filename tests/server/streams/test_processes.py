"""Several processes on one PostgreSQL: watchers at any of them see every entry, and resume at another."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from pitbook.journal.postgres import PostgresStore
from pitbook.server.streams.hub import Hub, Limits
from tests.server.streams.stream_helpers import Floor, ids, run, until, watch

WRITER = """
import sys
from tests.server.streams.stream_helpers import Floor
floor = Floor(sys.argv[1])
for _ in sys.stdin:
    floor.buys()
    print(flush=True)
floor.close()
"""


@pytest.fixture
def writer(postgres_url: str) -> Iterator[subprocess.Popen[str]]:
    """Another process, which writes an entry for each line that it reads."""
    Floor(postgres_url).open().close()
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, postgres_url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    yield process
    process.communicate()


def write(writer: subprocess.Popen[str], number: int) -> None:
    assert writer.stdin is not None
    assert writer.stdout is not None
    for _ in range(number):
        writer.stdin.write("\n")
        writer.stdin.flush()
        writer.stdout.readline()


@asynccontextmanager
async def hub_on(store: PostgresStore, limits: Limits) -> AsyncIterator[Hub]:
    hub = Hub(store, None, limits)
    hub.start()
    try:
        yield hub
    finally:
        await hub.close()
        store.close()


class Deaf(PostgresStore):
    """Whose announcements never come: the connection for them breaks at once."""

    def watch(self, seconds: float) -> Iterator[tuple[str, int]]:
        for data in super().watch(seconds):
            raise ConnectionError(f"lost before {data} was told")
        return iter(())


def test_watchers_at_two_processes_see_what_a_third_writes_and_resume_at_the_other(
    postgres_url: str, writer: subprocess.Popen[str]
) -> None:
    async def test() -> None:
        limits = Limits(poll_seconds=30, listen_seconds=2)  # by a notice, then: nothing polls
        async with (
            hub_on(PostgresStore(postgres_url), limits) as one,
            hub_on(PostgresStore(postgres_url), limits) as other,
        ):
            first, sink = await watch(one, 0)
            second, mirror = await watch(other, 0)
            written = 1

            async def both_listen() -> bool:  # which is not announced
                nonlocal written
                if first.cursor == second.cursor == written:
                    return True
                await asyncio.to_thread(write, writer, 1)
                written += 1
                return False

            await until(both_listen, "both to listen")
            await asyncio.to_thread(write, writer, 20)
            last = written + 20
            await until(lambda: first.cursor == second.cursor == last)
            assert ids(bytes(sink.sent)) == ids(bytes(mirror.sent)) == list(range(1, last + 1))
            one.leave(first)
            await asyncio.to_thread(write, writer, 5)
            third, more = await watch(other, first.cursor)
            await until(lambda: third.cursor == last + 5)
            assert ids(bytes(more.sent)) == list(range(last + 1, last + 6))

    run(test())


def test_where_announcements_are_lost_polling_delivers(postgres_url: str, writer: subprocess.Popen[str]) -> None:
    async def test() -> None:
        async with hub_on(Deaf(postgres_url), Limits(poll_seconds=0.2, listen_seconds=1)) as hub:
            watcher, sink = await watch(hub, 0)
            await asyncio.to_thread(write, writer, 20)
            await until(lambda: watcher.cursor == 21)
            assert ids(bytes(sink.sent)) == list(range(1, 22))

    run(test())


def test_own_commits_and_those_of_others_are_one_sequence(postgres_url: str, writer: subprocess.Popen[str]) -> None:
    async def test() -> None:
        floor = Floor(postgres_url, Limits(poll_seconds=0.2, listen_seconds=1, ring_max=10, ring_start=5, page=7))
        floor.hub.start()
        watcher, sink = await watch(floor.hub, 0)
        await asyncio.gather(asyncio.to_thread(write, writer, 30), asyncio.to_thread(floor.buys, 30))
        await until(lambda: watcher.cursor == 61)
        assert ids(bytes(sink.sent)) == list(range(1, 62))
        await floor.hub.close()
        await asyncio.to_thread(floor.close)

    run(test())


def test_a_killed_process_loses_nothing_and_its_watchers_resume_elsewhere(
    postgres_url: str, writer: subprocess.Popen[str]
) -> None:
    async def test() -> None:
        async with hub_on(PostgresStore(postgres_url), Limits(poll_seconds=0.2, listen_seconds=1)) as hub:
            watcher, sink = await watch(hub, 0)
            assert writer.stdin is not None
            writer.stdin.write("\n" * 200)
            writer.stdin.flush()
            await until(lambda: watcher.cursor > 20)
            writer.kill()
            writer.wait()
            committed = hub._backfill.store.head("t1").sequence
            await until(lambda: watcher.cursor == committed)
            assert ids(bytes(sink.sent)) == list(range(1, committed + 1))

    run(test())
