"""The clock: the database's time, never going backwards, asked for now and then."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.journal.clocks import REFRESH_SECONDS, Clock
from pitbook.journal.port import Store
from pitbook.journal.sqlite import SqliteStore
from pitbook.journal.troubles import Unavailable
from tests.waiting import HANG

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Jumping(SqliteStore):
    """A journal on a machine whose clock is set by hand."""

    time = NOON
    asked = 0
    reachable = True

    def now(self) -> str:
        self.asked += 1
        if not self.reachable:
            raise Unavailable("the database is away")
        return self.time.isoformat(timespec="microseconds")


class Steady:
    """A counter that the test moves on."""

    seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def jumping(tmp_path: Path) -> Iterator[Jumping]:
    store = Jumping(tmp_path / "journal.db")
    yield store
    store.close()


def asked(jumping: Jumping, times: int) -> bool:
    """Whether the clock has asked so often, once its own threads have ended."""
    for thread in threading.enumerate():
        if thread.name == "journal-clock":
            thread.join(HANG)
    return jumping.asked == times


def test_a_store_tells_its_time_in_utc_with_microseconds(store: Store) -> None:
    first, second = store.now(), store.now()
    assert len(first) == len("2026-01-01T12:00:00.000000+00:00")
    assert first.endswith("+00:00")
    assert first <= second
    assert abs(datetime.fromisoformat(first) - datetime.now(UTC)) < timedelta(minutes=1)
    assert datetime.fromisoformat(first).isoformat(timespec="microseconds") == first


def test_the_clock_follows_the_database_without_asking(jumping: Jumping) -> None:
    steady = Steady()
    clock = Clock(jumping, steady=steady)
    assert clock() == NOON
    steady.seconds += 2.5
    assert [clock() for _ in range(100)] == [NOON + timedelta(seconds=2.5)] * 100
    assert jumping.asked == 1


def test_a_clock_that_jumps_back_stands_until_its_time_comes_again(jumping: Jumping) -> None:
    steady = Steady()
    clock = Clock(jumping, steady=steady)
    steady.seconds += 5
    assert clock() == NOON + timedelta(seconds=5)
    jumping.time = NOON - timedelta(seconds=60)
    clock.refresh()
    for passed in (1, 2, 64.999):
        steady.seconds = 1_005 + passed
        assert clock() == NOON + timedelta(seconds=5)
        jumping.time = NOON + timedelta(seconds=passed - 60)
        clock.refresh()
    steady.seconds = 1_005 + 66
    assert clock() == NOON + timedelta(seconds=6)


def test_a_clock_that_jumps_forwards_is_followed_in_passing(jumping: Jumping) -> None:
    steady = Steady()
    clock = Clock(jumping, steady=steady)
    jumping.time = NOON + timedelta(hours=1)
    steady.seconds += REFRESH_SECONDS - 0.1
    assert clock() == NOON + timedelta(seconds=REFRESH_SECONDS - 0.1)
    assert jumping.asked == 1
    steady.seconds += 0.1
    clock()
    assert asked(jumping, 2)
    assert clock() == NOON + timedelta(hours=1)
    assert asked(jumping, 2)


def test_a_database_that_is_away_does_not_stop_the_clock(jumping: Jumping) -> None:
    steady = Steady()
    clock = Clock(jumping, steady=steady)
    jumping.reachable = False
    with pytest.raises(Unavailable):
        clock.refresh()
    steady.seconds += REFRESH_SECONDS
    assert clock() == NOON + timedelta(seconds=REFRESH_SECONDS)
    assert asked(jumping, 3)
    steady.seconds += 1
    assert clock() == NOON + timedelta(seconds=REFRESH_SECONDS + 1)
    assert jumping.asked == 3
