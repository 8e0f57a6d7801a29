"""The clock: the database's time, never going backwards, asked for now and then."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.journal import clocks
from pitbook.journal.clocks import REFRESH_SECONDS, Clock, format_duration, steady_seconds
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
    clock.refresh()
    assert not caplog.text
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
    read = jumping.reads
    assert (here.jump, here()) == (None, later)
    assert reads(jumping, read), "it was measured as it was accepted"
    there.accepted = later.isoformat
    there.refresh()
    assert (there.jump, there()) == (None, later)
    jumping.time = NOON
    here.refresh()
    here.accept()
    assert here() == NOON, "back to where it was, as a manager decided"


@pytest.mark.parametrize(("seconds", "followed"), [(-30.001, False), (-30, True), (30, True), (30.001, False)])
def test_an_acceptance_counts_from_the_jump_until_now_within_the_bound(
    jumping: Jumping, seconds: float, followed: bool
) -> None:
    clock = Clock(jumping, steady=Steady(), bound=30)
    later = jumping.time = NOON + timedelta(days=30)
    clock.refresh()
    clock.accepted = (later + timedelta(seconds=seconds)).isoformat
    clock.refresh()
    assert (clock.jump is None) == followed


class StoredClock:
    """A clock reference in memory, which fails on request."""

    epoch: str | None = None
    saves = 0
    fails = False

    def load(self) -> str | None:
        return self.epoch

    def save(self, epoch: str) -> None:
        if self.fails:
            raise OSError("the disk is full")
        self.epoch = epoch
        self.saves += 1


def test_the_reference_is_saved_once_and_again_when_the_clock_has_moved(
    jumping: Jumping, caplog: pytest.LogCaptureFixture
) -> None:
    reference = StoredClock()
    clock = Clock(jumping, steady=Steady(), reference=reference)
    jumping.time += timedelta(seconds=5)
    clock.refresh()
    assert reference.saves == 0, "before the record is known to agree"
    for _ in range(2):
        clock.save_reference()
        assert reference.saves == 1
    for seconds, saves in ((1, 1), (1.001, 2), (-1, 2), (-1.001, 3)):
        jumping.time += timedelta(seconds=seconds)
        clock.refresh()
        assert reference.saves == saves
    reference.fails = True
    jumping.time += timedelta(seconds=2)
    clock.refresh()
    assert "the clock reference cannot be saved: the disk is full" in caplog.text


def test_the_reference_is_not_saved_after_a_jump(jumping: Jumping) -> None:
    reference = StoredClock()
    clock = Clock(jumping, steady=Steady(), reference=reference)
    jumping.time += timedelta(days=1)
    clock.refresh()
    clock.save_reference()
    assert reference.saves == 0


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


def slow(jumping: Jumping, steady: Steady, seconds: float) -> None:
    """Make every reading of the database's time take some seconds."""
    real = jumping.now

    def now() -> str:
        steady.seconds += seconds
        return real()

    jumping.now = now  # type: ignore[method-assign]


def test_a_process_that_was_stopped_while_it_measured_does_not_see_a_jump(jumping: Jumping) -> None:
    steady = Steady()
    clock = Clock(jumping, steady=steady)
    slow(jumping, steady, 600)
    clock.refresh()
    assert clock.jump is None
    assert clock() == NOON + timedelta(seconds=600)


@pytest.mark.parametrize(("difference", "jumped"), [(32, False), (32.001, True), (-32, False), (-32.001, True)])
def test_only_a_difference_above_the_bound_and_the_uncertainty_is_a_jump(
    jumping: Jumping, difference: float, jumped: bool
) -> None:
    steady = Steady()
    clock = Clock(jumping, steady=steady, bound=30)
    slow(jumping, steady, 4)  # accurate to 2 s
    jumping.time = NOON + timedelta(seconds=2 + difference)
    clock.refresh()
    assert (clock.jump is not None) == jumped


@pytest.mark.parametrize(("seconds", "followed"), [(30, 7), (30.1, 0)])
def test_only_a_measurement_accurate_to_half_the_bound_is_followed(
    jumping: Jumping, seconds: float, followed: float
) -> None:
    steady = Steady()
    clock = Clock(jumping, steady=steady, bound=30)
    slow(jumping, steady, seconds)
    jumping.time = NOON + timedelta(seconds=seconds / 2 + 7)
    clock.refresh()
    assert clock() == NOON + timedelta(seconds=seconds + followed)


def test_the_steady_counter_includes_suspended_time_where_the_system_counts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "CLOCK_BOOTTIME", time.CLOCK_REALTIME, raising=False)  # not the monotonic clock
    before = time.time()
    assert before <= steady_seconds() <= time.time()
    monkeypatch.delattr(time, "CLOCK_BOOTTIME")
    before = time.monotonic()
    assert before <= steady_seconds() <= time.monotonic()


def test_a_day_or_more_is_given_in_days() -> None:
    assert [str(format_duration(seconds)) for seconds in (86_400, 86_399)] == ["1.0 days", "86,399 s"]
    assert str(format_duration(-100_000 * 86_400)) == "100,000.0 days"


@pytest.mark.parametrize(("content", "expected"), [("7d0f\n", "7d0f"), ("\n", None), (None, None)])
def test_the_boot_id_is_read_from_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None, expected: str | None
) -> None:
    file = tmp_path / "boot_id"
    if content is not None:
        file.write_text(content, encoding="ascii")
    monkeypatch.setattr(clocks, "BOOT_ID_FILE", file)
    assert clocks.boot_id() == expected


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
    steady.seconds += REFRESH_SECONDS
    clock()
    assert reads(jumping, 4)
