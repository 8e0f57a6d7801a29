"""The watch over the dice of real tables: a loaded set is caught, corrections and void throws count as they should."""

from __future__ import annotations

import logging
from collections.abc import Callable
from random import Random

import msgspec
import pytest

from pitbook.fairness.sets import watch_sets
from pitbook.server.backoffice import monitor
from pitbook.server.backoffice.monitor import Monitor, Record
from pitbook.table import commands as c
from pitbook.table.people import ELECTRONIC_TUMBLER
from pitbook.testing import MANAGER, JournalTable
from pitbook.tumbler.mapping import MAPPING
from tests.audit.journals import play
from tests.server.audit.conftest import Office
from tests.table.driving import setup
from tests.waiting import until_async

pytestmark = pytest.mark.anyio


def throw(floor: JournalTable, random: Random, loaded: float = 0.0) -> tuple[int, ...]:
    """A round without bets; the first die shows a six so much more often."""
    first = 6 if random.random() < loaded else random.randint(1, 6)
    dice = (first, *(random.randint(1, 6) for _ in range(floor.rules.dice - 1)))
    floor.play_round(*dice)
    return dice


async def test_a_loaded_set_at_a_real_table_raises_an_alarm(office: Office, caplog: pytest.LogCaptureFixture) -> None:
    table, random = office.floor(), Random(7)
    thrown = [throw(table, random, loaded=0.8) for _ in range(60)]
    table.does(table.most_senior, c.PutDice("set-2"))
    fair = [throw(table, random) for _ in range(20)]
    record = [("dice put", "set-1"), *(("throw", dice) for dice in thrown)]
    record += [("dice put", "set-2"), *(("throw", dice) for dice in fair)]
    expected = watch_sets(record, 3)  # type: ignore[arg-type]
    assert expected["set-1"].alarm_at is not None
    with caplog.at_level(logging.WARNING):
        async with office.client_of("fay") as client:
            body = (await client.get("/tables/t1/fairness")).json()
    sets = {one["set"]: one for one in body["sets"]}
    assert {name: one["throws"] for name, one in sets.items()} == {"set-1": 60, "set-2": 20}
    for name, watch in expected.items():
        assert sets[name]["wealth"] == pytest.approx(watch.wealth)
        assert sets[name]["counts"] == list(watch.counts)
        assert sets[name]["history"][-1]["throw"] == watch.throws
        assert len(sets[name]["history"]) <= 200
    alarm = sets["set-1"]["alarm"]
    assert alarm["throw"] == expected["set-1"].alarm_at
    assert next(office.house.store.entries("t1", alarm["sequence"] - 1, 1)).at == alarm["at"]
    assert max(sets["set-1"]["parts"], key=sets["set-1"]["parts"].get) == "one loaded die"
    assert (sets["set-2"]["alarm"], sets["set-2"]["in_use"], sets["set-1"]["in_use"]) == (None, True, False)
    assert body["rate"]["sets"] == 2
    assert body["rate"]["false_alarms_per_year"] == pytest.approx(0.001 * body["rate"]["sets_per_year"])
    assert "fairness alarm at table t1: dice set set-1" in caplog.text
    assert 'pitbook_fairness_alarms{table="t1"} 1.0' in office.services.metrics.exposition().decode()
    async with office.client_of("kim") as client:
        (raised,) = (await client.get("/alarms")).json()["alarms"]
    assert (raised["kind"], raised["table"], raised["sequence"]) == ("fairness", "t1", alarm["sequence"])
    assert raised["message"]["params"] == {"set": "set-1", "throw": alarm["throw"]}


async def test_a_correction_takes_the_place_of_the_throw(office: Office) -> None:
    table = office.floor()
    table.open_betting()
    table.bet("ann", "small=5")
    table.take_steps((6, 6, 6), until="collect losers")
    table.does(table.most_senior, c.CorrectDice((1, 2, 3), "misread"))
    table.take_steps()
    assert office.watch.monitor.record("t1").dice.watches[3].watch.counts == (1, 1, 1, 0, 0, 0)  # type: ignore[union-attr]


async def test_a_correction_before_the_entry_is_not_of_the_throw_before(office: Office) -> None:
    table = office.floor()
    table.play_round(4, 4, 5)
    table.take_steps((6, 6, 6), until="enter dice")
    table.does(table.most_senior, c.CorrectDice((1, 2, 3), "misread"))
    table.take_steps((1, 2, 3))
    assert office.watch.monitor.record("t1").dice.watches[3].watch.counts == (1, 1, 1, 2, 1, 0)  # type: ignore[union-attr]


@pytest.mark.parametrize("until", ["enter dice", "collect losers"])
async def test_the_throw_of_a_void_round_is_a_throw(office: Office, until: str) -> None:
    table = office.floor()
    table.play_round(1, 2, 3)
    table.take_steps((6, 5, 4), until=until)
    table.does(table.crew["dealer"], c.Call("no-roll", "a die left the shaker"))
    table.play_round(1, 1, 1)
    watch = office.watch.monitor.record("t1").dice.watches[3].watch  # type: ignore[union-attr]
    assert (watch.throws, watch.counts) == (3, (4, 1, 1, 1, 1, 1))


async def test_a_roll_of_craps_can_be_corrected_until_the_next_roll(office: Office) -> None:
    table = office.floor("dice-works")
    table.play_round(1, 3)
    number = table.table.round.number
    table.does(table.crew["box-person"], c.CorrectDice((2, 3), "a five"))
    assert table.table.round.number == number - 1
    table.take_steps()
    table.play_round(6, 6)
    watch = office.watch.monitor.record("t1").dice.watches[2].watch  # type: ignore[union-attr]
    assert (watch.throws, watch.counts) == (2, (0, 1, 1, 0, 0, 2))


async def test_the_monitor_applies_committed_entries_without_reading_them(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, store = office.floor(), office.house.store
    play(table, 1, seed=1)
    watching = Monitor(store, office.house.books)
    watching.record("t1")
    (record,) = watching.records()
    play(table, 2, seed=2)
    watching.committed({"t1": tuple(store.entries("t1", record.head.sequence))})
    monkeypatch.setattr(store, "entries", None)
    watching.start()
    await until_async(lambda: record.head == store.head("t1"))
    watching.close()


async def test_the_watchman_comes_to_the_same_however_he_hears_of_it(office: Office) -> None:
    table, random = office.floor(), Random(3)
    early = Monitor(office.house.store, office.house.books)
    for _ in range(5):
        play(table, 1, seed=random.randint(1, 99))
        early.record("t1")
    late = Monitor(office.house.store, office.house.books).record("t1")
    known = early.record("t1")
    assert known is not None
    assert late is not None
    assert list(known.dice.sets()) == list(late.dice.sets())
    assert known.hold.whole.whole.drift.total == late.hold.whole.whole.drift.total
    assert known.head == late.head == office.house.store.head("t1")


async def test_a_request_for_a_record_that_is_still_being_read_gets_the_progress(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(office.floor(), 3)
    monkeypatch.setattr(monitor, "CHUNK", 10)
    monkeypatch.setattr(monitor, "LATE_MAX", 40)
    async with office.client_of() as client:
        first = await client.get("/tables/t1/hold")
        second = await client.get("/tables/t1/hold")
    assert (first.status_code, second.status_code) == (503, 200)
    assert "40 of" in first.json()["detail"]
    assert "retry-after" in first.headers


async def test_in_a_running_server_the_alarm_appears_automatically(make_office: Callable[[], Office]) -> None:
    office = make_office()
    table = office.floor()
    follower = office.watch.monitor
    async with office.client_of() as client:
        follower.start()
        for _ in range(9):
            table.play_round(6, 6, 6)
        office.services.committed({"t1": ()})
        await until_async(lambda: any(record.dice.alarms for record in follower.records()), "the alarm")
        assert (await client.get("/alarms")).json()["complete"]


async def test_failed_tumblers_and_lost_seeds_are_alarms(office: Office) -> None:
    house = office.house
    house.ask("auto", MANAGER, c.OpenTable(setup("dice-ology", automatic=c.Automatic())))
    answer = house.ask("auto", ELECTRONIC_TUMBLER, c.CommitSeed("ab" * 32, "sealed", MAPPING))
    assert answer.refused is None
    house.ask("auto", ELECTRONIC_TUMBLER, c.ReportTumbler("the key is gone", lost=True))
    async with office.client_of() as client:
        body = (await client.get("/alarms")).json()["alarms"]
        fairness = (await client.get("/tables/auto/fairness")).json()
    assert {(one["kind"], one["table"]) for one in body} == {("tumbler failed", "auto"), ("lost seed", "auto")}
    lost = next(one for one in body if one["kind"] == "lost seed")
    assert lost["message"]["params"] == {"round": 1}
    assert lost["message"]["text"] == "The seed of round 1 is lost and can never be revealed."
    assert lost["detail"] == "the key is gone"
    assert (fairness["automatic"], fairness["sets"]) == (True, [])


async def test_supervisors_see_their_own_table_and_others_nothing(office: Office) -> None:
    office.floor()
    office.floor("massachusetts-sic-bo", "t2")
    for who, table, status in (
        ("fay", "t1", 200),
        ("fay", "t2", 403),
        ("dan", "t1", 403),
        ("ann", "t1", 403),
        ("fay", "nowhere", 403),
        ("kim", "t2", 200),
        ("max", "nowhere", 404),
        ("max", "house", 404),
    ):
        async with office.client_of(who) as client:
            for what in ("fairness", "hold"):
                assert (await client.get(f"/tables/{table}/{what}")).status_code == status, (who, table)


def test_a_book_that_is_not_at_hand_leaves_a_table_unfollowed_and_says_so(office: Office) -> None:
    table = office.floor()
    play(table, 1)
    gone = next(entry for entry in office.house.store.entries("t1") if entry.kind == "TableOpened")
    digest = office.house.table("t1").setup.digest  # type: ignore[union-attr]
    record = Record("t1", office.house.books)
    record.apply(msgspec.structs.replace(gone, body=gone.body.replace(digest.encode(), b"0" * 64)))
    assert set(record.troubles) == {"dice", "hold"}
    assert "entry 1" in record.troubles["hold"]
    record.apply(gone)  # and nothing more happens


def test_a_damaged_entry_leaves_a_sentence_in_the_log_and_no_traceback(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    play(office.floor(), 1)
    opened = next(entry for entry in office.house.store.entries("t1") if entry.kind == "TableOpened")
    Record("t1", office.house.books).apply(msgspec.structs.replace(opened, body=opened.body.replace(b":", b"=", 1)))
    assert "of table t1 cannot be followed: entry 1: " in caplog.text
    assert not any(one.exc_info for one in caplog.records)
