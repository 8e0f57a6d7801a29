"""The clock: the database's time, never going backwards, asked for now and then."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.journal.clocks import REFRESH_SECONDS, Clock
from pitbook.journal.errors import Unavailable
from pitbook.journal.port import Store
from pitbook.journal.sqlite import SqliteStore
from tests.waiting import HANG

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Jumping(SqliteStore):
    """A journal on a host whose clock the test sets."""

    time = NOON
    reads = 0
    reachable = True

    def now(self) -> str:
        self.reads += 1
        if not self.reachable:
            raise Unavailable("the database is away")
        return self.time.isoformat(timespec="microseconds")


class Steady:
    """A monotonic clock that the test advances."""

    seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def jumping(tmp_path: Path) -> Iterator[Jumping]:
    store = Jumping(tmp_path / "journal.db")
    yield store
    store.close()


def reads(jumping: Jumping, times: int) -> bool:
    """Return whether the clock was read this often, after its threads have ended."""
    for thread in threading.enumerate():
        if thread.name == "journal-clock":
            thread.join(HANG)
    return jumping.reads == times


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
    assert jumping.reads == 1


def test_a_clock_that_is_set_back_a_little_stands_until_its_time_comes_again(jumping: Jumping) -> None:
    steady = Steady()
    clock = Clock(jumping, steady=steady)
    steady.seconds += 5
    assert clock() == NOON + timedelta(seconds=5)
    jumping.time = NOON - timedelta(seconds=20)
    clock.refresh()
    for passed in (1, 2, 24.999):
        steady.seconds = 1_005 + passed
        assert clock() == NOON + timedelta(seconds=5)
        jumping.time = NOON + timedelta(seconds=passed - 20)
        clock.refresh()
    steady.seconds = 1_005 + 26
    assert clock() == NOON + timedelta(seconds=6)


def test_a_clock_that_is_set_forwards_a_little_is_followed_in_passing(jumping: Jumping) -> None:
    steady = Steady()
    clock = Clock(jumping, steady=steady)
    jumping.time = NOON + timedelta(seconds=30)
    steady.seconds += REFRESH_SECONDS - 0.1
    assert clock() == NOON + timedelta(seconds=REFRESH_SECONDS - 0.1)
    assert jumping.reads == 1
    steady.seconds += 0.1
    clock()
    assert reads(jumping, 2)
    assert clock() == NOON + timedelta(seconds=30)
    assert reads(jumping, 2)


@pytest.mark.parametrize("days", [30, -30])
def test_a_jump_is_noticed_logged_and_not_followed(
    jumping: Jumping, caplog: pytest.LogCaptureFixture, days: int
) -> None:
    steady = Steady()
    clock = Clock(jumping, steady=steady)
    jumping.time = NOON + timedelta(days=days)
    clock.refresh()
    jump = clock.jump
    assert jump is not None
    assert (jump.expected, jump.found) == (NOON, NOON + timedelta(days=days))
    way = "forwards" if days > 0 else "backwards"
    assert f"the clock jumped {way} by 30.0 days: it shows {jump.found.isoformat()}" in caplog.text
    assert "but should show 2026-01-01T12:00:00+00:00" in caplog.text
    steady.seconds += 13
    assert clock() == NOON + timedelta(seconds=13)
    jumping.time = NOON + timedelta(seconds=13)
    clock.refresh()
    assert clock.jump is None
    assert "trusted again" in caplog.text


def test_a_jump_is_followed_once_it_is_accepted_here_or_by_another_process(jumping: Jumping) -> None:
    steady = Steady()
    here, there = Clock(jumping, steady=steady), Clock(jumping, steady=steady)
    later = jumping.time = NOON + timedelta(days=30)
    here.refresh()
    there.refresh()
    there.accepted = NOON.isoformat
    there.refresh()
    still = there.jump
    assert still is not None, "it was accepted before the clock jumped"
    here.accept()
    assert (here.jump, here()) == (None, later)
    there.accepted = later.isoformat
    there.refresh()
    assert (there.jump, there()) == (None, later)
    jumping.time = NOON
    here.refresh()
    here.accept()
    assert here() == NOON, "back to where it was, as a manager decided"


class StoredClock:
    """A clock reference in memory."""

    epoch: str | None = None

    def load(self) -> str | None:
        return self.epoch

    def save(self, epoch: str) -> None:
        self.epoch = epoch


def test_a_restart_knows_a_jump_and_a_machine_that_was_off_does_not(jumping: Jumping) -> None:
    steady, reference = Steady(), StoredClock()
    Clock(jumping, steady=steady, reference=reference)
    assert reference.epoch is None, "only a clock with which the record agrees is kept"
    Clock(jumping, steady=steady, reference=reference).save_reference()
    steady.seconds += 5
    jumping.time = NOON + timedelta(days=30)
    again = Clock(jumping, steady=steady, reference=reference)
    assert again.jump is not None
    assert again() == NOON + timedelta(seconds=5)
    again.accept()
    assert Clock(jumping, steady=steady, reference=reference).jump is None
    reference.epoch = None
    jumping.time = NOON + timedelta(days=60)
    steady.seconds = 10
    assert Clock(jumping, steady=steady, reference=reference)() == NOON + timedelta(days=60)


def test_a_process_that_was_stopped_while_it_measured_does_not_see_a_jump(jumping: Jumping) -> None:
    steady = Steady()
    clock = Clock(jumping, steady=steady)
    real = jumping.now

    def stopped() -> str:
        steady.seconds += 600
        return real()

    jumping.now = stopped  # type: ignore[method-assign]
    clock.refresh()
    assert clock.jump is None
    assert clock() == NOON + timedelta(seconds=600)


def test_a_database_that_is_away_does_not_stop_the_clock(jumping: Jumping) -> None:
    steady = Steady()
    clock = Clock(jumping, steady=steady)
    jumping.reachable = False
    with pytest.raises(Unavailable):
        clock.refresh()
    steady.seconds += REFRESH_SECONDS
    assert clock() == NOON + timedelta(seconds=REFRESH_SECONDS)
    assert reads(jumping, 3)
    steady.seconds += 1
    assert clock() == NOON + timedelta(seconds=REFRESH_SECONDS + 1)
    assert jumping.reads == 3
