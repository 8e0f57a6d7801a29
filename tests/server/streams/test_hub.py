"""Every watcher gets every entry once and in order, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from threading import Event, Semaphore, Thread

import pytest

from pitbook.journal.entries import Entry
from pitbook.server.streams import watchers
from pitbook.server.streams.hub import Limits, TooManyFromOneAddress, TooManyStreams, UnknownTable
from pitbook.server.streams.projections import PUBLIC, Viewer
from pitbook.server.streams.watchers import Watcher
from tests.server.streams.stream_helpers import ANN, BEN, Sink, frames, ids, playing, run, until, watch

SMALL = Limits(ring_max=20, ring_start=5, page=7, heartbeat_seconds=60)
"""So small that whoever resumes soon has to read the journal."""


def test_resuming_from_any_entry_during_writes_gives_every_entry_exactly_once(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db", SMALL) as floor:
            head = floor.buys(60)
            enough, wanted = Event(), Semaphore(0)

            def write() -> None:
                while wanted.acquire() and not enough.is_set():
                    floor.buys()

            writing = Thread(target=write)
            writing.start()
            chance = Random(1)
            watching = []
            for _ in range(40):
                after = chance.randrange(head + 1)
                wanted.release(chance.randint(1, 5))  # are written while someone joins
                watching.append((after, *await watch(floor.hub, after)))
            enough.set()
            wanted.release()
            writing.join()
            last = floor.buys()
            await until(lambda: all(watcher.cursor == last for _, watcher, _ in watching))
            for after, _, sink in watching:
                assert ids(bytes(sink.sent)) == list(range(after + 1, last + 1))

    run(test())


def test_many_threads_may_commit_at_once_and_the_order_is_kept(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db", SMALL) as floor:
            watcher, sink = await watch(floor.hub, 0)
            threads = [Thread(target=floor.buys, args=(40, person)) for person in (ANN, BEN, ANN, BEN)]
            for thread in threads:
                thread.start()
            await until(lambda: watcher.cursor == 161)
            assert ids(bytes(sink.sent)) == list(range(1, 162))
            for thread in threads:
                thread.join()

    run(test())


@pytest.mark.parametrize("seed", range(10))
def test_notices_of_commits_that_are_late_repeated_or_missing_are_put_in_order(tmp_path: Path, seed: int) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db", SMALL) as floor:
            watcher, sink = await watch(floor.hub)
            written: list[Entry] = []
            floor.house._runner._on_commit = lambda entries: written.extend(entries["t1"])
            await asyncio.to_thread(floor.buys, 50)
            chance = Random(seed)
            data = [entry for entry in written[:-1] for _ in range(chance.choice([0, 1, 1, 2]))]
            chance.shuffle(data)
            for entry in [*data, written[-1]]:
                floor.hub.committed({"t1": (entry,)})
                if chance.random() < 0.5:
                    await asyncio.sleep(0)
            await until(lambda: watcher.cursor == 51)
            assert ids(bytes(sink.sent)) == list(range(2, 52))

    run(test())


def test_the_entries_of_one_commit_are_one_write_encoded_once_for_each_audience(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db") as floor:
            (one, first), (other, second), (_, staff) = [
                await watch(floor.hub), await watch(floor.hub, viewer=Viewer("ben")),
                await watch(floor.hub, viewer=Viewer("dan", staff=True)),
            ]  # fmt: skip
            before = len(first.writes)
            written: list[Entry] = []
            floor.house._runner._on_commit = lambda entries: written.extend(entries["t1"])
            await asyncio.to_thread(floor.buys, 5)
            floor.hub.committed({"t1": tuple(written)})
            await until(lambda: one.cursor == other.cursor == 6)
            assert ids(first.writes[before]) == [2, 3, 4, 5, 6]
            assert first.writes[-1] is second.writes[-1], "the same bytes, not a copy"
            assert first.writes[-1] is not staff.writes[-1]

    run(test())


def test_a_player_gets_their_own_frames_and_the_others_private_ones(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db") as floor:
            ann, anns = await watch(floor.hub, 0, Viewer("ann"))
            _, publics = await watch(floor.hub, 0)
            await asyncio.to_thread(floor.buys, 1, ANN)
            await asyncio.to_thread(floor.buys, 1, BEN)
            await until(lambda: ann.cursor == 3)
            kinds = [frame.kind for frame in frames(bytes(anns.sent)) if frame.id]
            assert kinds == ["TableOpened", "BoughtIn", "private"]
            assert [frame.kind for frame in frames(bytes(publics.sent)) if frame.id][1:] == ["private", "private"]

    run(test())


def test_a_watcher_who_does_not_read_is_dropped_and_resumes_without_a_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchers, "LAST_FRAME_SECONDS", 60.0)

    async def test() -> None:
        limits = Limits(backlog_max=2_000, ring_max=20, ring_start=5, page=7)
        async with playing(tmp_path / "journal.db", limits) as floor:
            slow, sink = await watch(floor.hub, 0)
            quick, other = await watch(floor.hub, 0)
            last = await asyncio.to_thread(floor.buys, 3)

            def has_all() -> bool:
                return quick.cursor == last

            await until(has_all)
            sink.open.clear()
            while not slow.over:  # entries that come together are one write, and the first is on its way at once
                last = await asyncio.to_thread(floor.buys, 30)
                await until(has_all)
            assert ids(bytes(other.sent)) == list(range(1, last + 1))
            assert floor.hub.dropped == 1
            sink.open.set()
            await until(lambda: sink.ended)
            got = frames(bytes(sink.sent))
            assert got[-1].kind == "dropped"
            floor.hub.leave(slow)
            again, more = await watch(floor.hub, ids(bytes(sink.sent))[-1])
            await until(lambda: again.cursor == last)
            assert ids(bytes(sink.sent)) + ids(bytes(more.sent)) == list(range(1, last + 1))

    run(test())


def test_a_watcher_who_never_reads_again_is_cut_off(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db", Limits(backlog_max=500)) as floor:
            _, sink = await watch(floor.hub)
            sink.open.clear()
            await asyncio.to_thread(floor.buys, 20)
            await until(lambda: sink.aborted)
            assert not sink.ended

    run(test())


def test_a_watcher_who_takes_nothing_for_long_is_dropped_though_little_happens(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db", Limits(stall_seconds=0.1, heartbeat_seconds=0.05)) as floor:
            _, sink = await watch(floor.hub)
            sink.open.clear()
            await until(lambda: floor.hub.dropped == 1)

    run(test())


def test_a_watcher_who_stops_reading_while_catching_up_is_dropped_too(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db", Limits(ring_start=5, page=7, stall_seconds=0.1)) as floor:
            await asyncio.to_thread(floor.buys, 60)
            sink = Sink()
            sink.open.clear()
            watcher, _ = await watch(floor.hub, 0, sink=sink)
            assert watcher.over
            assert floor.hub.dropped == 1

    run(test())


def test_a_number_that_was_never_reached_counts_as_the_head(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db") as floor:
            watcher, sink = await watch(floor.hub, 10**9)
            assert watcher.cursor == 1
            await asyncio.to_thread(floor.buys, 1)
            await until(lambda: watcher.cursor == 2)
            assert ids(bytes(sink.sent)) == [2]

    run(test())


def test_a_watcher_ahead_of_this_process_gets_nothing_twice(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db") as floor:
            behind, past = await watch(floor.hub)
            floor.house._runner._on_commit = None  # as if another process had written, before its notice arrives
            await asyncio.to_thread(floor.buys, 5)
            ahead, sink = await watch(floor.hub, 4)
            await until(lambda: ahead.cursor == behind.cursor == 6)
            assert ids(bytes(sink.sent)) == [5, 6]
            assert ids(bytes(past.sent)) == [2, 3, 4, 5, 6]

    run(test())


def test_the_table_is_shown_at_first_and_whenever_its_step_moves_the_newest_only(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db") as floor:
            watcher, sink = await watch(floor.hub)
            _, staff = await watch(floor.hub, viewer=Viewer("dan", staff=True))
            greeting = frames(bytes(sink.sent))
            assert [frame.kind for frame in greeting] == ["head", "view"]
            assert greeting[0].data == {"table": "t1", "head": 1, "after": 1}
            assert floor.viewed == 1, "the second watcher was shown the same"
            await asyncio.to_thread(floor.buys, 3)
            await until(lambda: watcher.cursor == 4)
            assert floor.viewed == 1, "a player's entries do not move the step"
            await asyncio.to_thread(lambda: [floor.shift() for _ in range(30)])
            await until(lambda: frames(bytes(sink.sent))[-1].data["sequence"] == 34)
            views = [frame for frame in frames(bytes(sink.sent)) if frame.kind == "view"]
            assert len(views) <= floor.viewed <= 31
            await until(lambda: frames(bytes(sink.sent))[-1].kind == "view")
            assert "worst_result" not in frames(bytes(sink.sent))[-1].data
            await until(lambda: frames(bytes(staff.sent))[-1].kind == "view")
            assert "worst_result" in frames(bytes(staff.sent))[-1].data

    run(test())


def test_only_so_many_may_watch_and_whoever_leaves_makes_room(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db", Limits(watchers_max=2)) as floor:
            watcher, _ = await watch(floor.hub)
            await watch(floor.hub)
            with pytest.raises(TooManyStreams):
                await watch(floor.hub)
            floor.hub.leave(watcher)
            await watch(floor.hub)

    run(test())


def test_an_address_has_its_share_and_the_last_streams_are_for_staff(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db", Limits(watchers_max=40, per_address_max=30)) as floor:

            async def join(address: str, viewer: Viewer = PUBLIC) -> Watcher:
                sink = Sink()
                return await floor.hub.join("t1", viewer, sink.send, sink.abort, address)

            first = [await join("here") for _ in range(20)]
            with pytest.raises(TooManyFromOneAddress):  # half of all, though more are set
                await join("here")
            await join("here", Viewer("dealer", staff=True))
            floor.hub.leave(first[0])
            await join("here")
            for _ in range(17):
                await join("there")
            with pytest.raises(TooManyStreams):
                await join("elsewhere")
            for _ in range(2):
                await join("here", Viewer("dealer", staff=True))
            with pytest.raises(TooManyStreams):
                await join("here", Viewer("dealer", staff=True))

    run(test())


def test_a_table_that_is_not_there_cannot_be_watched_and_takes_no_room(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db", Limits(watchers_max=1)) as floor:
            for _ in range(3):
                with pytest.raises(UnknownTable):
                    await watch(floor.hub, table="t9")
            await watch(floor.hub)
            assert set(floor.hub._channels) == {"t1"}

    run(test())


def test_nothing_is_encoded_for_a_table_that_nobody_watches_any_more(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db", Limits(heartbeat_seconds=0.05)) as floor:
            watcher, sink = await watch(floor.hub)
            await until(lambda: sink.writes[-1] == b": \n\n")
            floor.hub.leave(watcher)
            await until(lambda: not floor.hub._channels)
            await asyncio.to_thread(floor.buys, 3)
            _, again = await watch(floor.hub, 1)
            assert ids(bytes(again.sent)) == [2, 3, 4]

    run(test())


def test_changed_rights_end_that_persons_streams_and_no_others(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db") as floor:
            sinks = {name: (await watch(floor.hub, viewer=Viewer(name)))[1] for name in ("ann", "ben")}
            _, public = await watch(floor.hub, viewer=PUBLIC)
            await asyncio.to_thread(floor.hub.revalidate, "ann")
            await until(lambda: sinks["ann"].ended)
            assert frames(bytes(sinks["ann"].sent))[-1].kind == "bye"
            assert not sinks["ben"].ended
            assert not public.ended

    run(test())


def test_a_view_that_fails_holds_nothing_up(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path / "journal.db") as floor:
            floor.hub._backfill._views = lambda _: 1 // 0  # type: ignore[assignment, return-value]
            watcher, sink = await watch(floor.hub, 0)
            await asyncio.to_thread(floor.shift)
            await until(lambda: watcher.cursor == 2)
            assert ids(bytes(sink.sent)) == [1, 2]

    run(test())
