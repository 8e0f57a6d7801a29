"""Several processes on one PostgreSQL: watchers at any of them see every entry, and resume at another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from multiprocessing.connection import Connection

import pytest

from pitbook.journal.postgres import PostgresStore
from pitbook.server.streams.hub import Hub, Limits
from tests.server.forking import FORKS
from tests.server.streams.stream_helpers import Floor, ids, run, until, watch
from tests.waiting import HANG


class Writer:
    """Another process, which writes an entry for each message that it receives."""

    def __init__(self, url: str) -> None:
        self._connection, theirs = FORKS.Pipe()
        self._process = FORKS.Process(target=_write, args=(url, theirs))
        self._process.start()
        theirs.close()

    def begin(self, number: int) -> None:
        """Have entries written, without waiting for them."""
        for _ in range(number):
            self._connection.send(None)

    def write(self, number: int) -> None:
        """Have entries written one after another, and wait for each."""
        for _ in range(number):
            self.begin(1)
            self._connection.recv()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()

    def close(self) -> None:
        self._connection.close()
        self._process.join(HANG)
        self._process.close()


def _write(url: str, connection: Connection) -> None:
    floor = Floor(url)
    with suppress(EOFError):  # the test is over
        while True:
            connection.recv()
            floor.buys()
            connection.send(None)
    floor.close()


@pytest.fixture
def writer(postgres_url: str) -> Iterator[Writer]:
    Floor(postgres_url).open().close()
    made = Writer(postgres_url)
    yield made
    made.close()


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


@pytest.mark.thorough
def test_watchers_at_two_processes_see_what_a_third_writes_and_resume_at_the_other(
    postgres_url: str, writer: Writer
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
                await asyncio.to_thread(writer.write, 1)
                written += 1
                return False

            await until(both_listen, "both to listen")
            await asyncio.to_thread(writer.write, 20)
            last = written + 20
            await until(lambda: first.cursor == second.cursor == last)
            assert ids(bytes(sink.sent)) == ids(bytes(mirror.sent)) == list(range(1, last + 1))
            one.leave(first)
            await asyncio.to_thread(writer.write, 5)
            third, more = await watch(other, first.cursor)
            await until(lambda: third.cursor == last + 5)
            assert ids(bytes(more.sent)) == list(range(last + 1, last + 6))

    run(test())


def test_where_announcements_are_lost_polling_delivers(postgres_url: str, writer: Writer) -> None:
    async def test() -> None:
        async with hub_on(Deaf(postgres_url), Limits(poll_seconds=0.2, listen_seconds=1)) as hub:
            watcher, sink = await watch(hub, 0)
            await asyncio.to_thread(writer.write, 20)
            await until(lambda: watcher.cursor == 21)
            assert ids(bytes(sink.sent)) == list(range(1, 22))

    run(test())


def test_own_commits_and_those_of_others_are_one_sequence(postgres_url: str, writer: Writer) -> None:
    async def test() -> None:
        floor = Floor(postgres_url, Limits(poll_seconds=0.2, listen_seconds=1, ring_max=10, ring_start=5, page=7))
        floor.hub.start()
        watcher, sink = await watch(floor.hub, 0)
        await asyncio.gather(asyncio.to_thread(writer.write, 30), asyncio.to_thread(floor.buys, 30))
        await until(lambda: watcher.cursor == 61)
        assert ids(bytes(sink.sent)) == list(range(1, 62))
        await floor.hub.close()
        await asyncio.to_thread(floor.close)

    run(test())


def test_a_killed_process_loses_nothing_and_its_watchers_resume_elsewhere(postgres_url: str, writer: Writer) -> None:
    async def test() -> None:
        async with hub_on(PostgresStore(postgres_url), Limits(poll_seconds=0.2, listen_seconds=1)) as hub:
            watcher, sink = await watch(hub, 0)
            writer.begin(200)
            await until(lambda: watcher.cursor > 20)
            writer.kill()
            committed = hub._backfill.store.head("t1").sequence
            await until(lambda: watcher.cursor == committed)
            assert ids(bytes(sink.sent)) == list(range(1, committed + 1))

    run(test())
