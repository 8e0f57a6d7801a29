"""Leases on both databases: one holder at a time, whoever races, and a number that fences off the others."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from functools import partial

import pytest

from pitbook.auth.leases import Lease
from pitbook.auth.store import AuthStore
from tests.auth.racing import NOON, after, race
from tests.waiting import HANG

LONG = 600.0
Passes = Callable[[float], None]
"""Moves the databases' clock on by so many seconds."""

CONTENDER = """
import sys
from pitbook.auth.stores import open_auth_store
with open_auth_store(sys.argv[1]) as access:
    print("ready", flush=True)
    sys.stdin.readline()
    print(*(n for n in range(50) if access.leases.acquire(f"table {n}", sys.argv[2], 60)), flush=True)
"""


@pytest.fixture
def passes(access: AuthStore, other: AuthStore, monkeypatch: pytest.MonkeyPatch) -> Passes:
    moved = 0.0

    def passes(seconds: float) -> None:
        nonlocal moved
        moved += seconds
        for one in (access, other):
            clock = f"({type(one.database).clock} + {round(moved * 1_000_000)})"
            monkeypatch.setattr(one.database, "clock", clock, raising=False)

    return passes


def held(access: AuthStore, holder: str, seconds: float = LONG) -> Lease:
    lease = access.leases.acquire("t1", holder, seconds)
    assert lease is not None
    return lease


def test_while_one_holds_a_lease_nobody_else_gets_it(access: AuthStore, other: AuthStore) -> None:
    lease = held(access, "one")
    assert lease.fence == 1
    assert other.leases.acquire("t1", "two", LONG) is None
    assert other.leases.current("t1") == lease
    assert other.leases.acquire("t2", "two", LONG) is not None


def test_a_released_lease_goes_to_the_next_with_a_higher_number(access: AuthStore, other: AuthStore) -> None:
    first = held(access, "one")
    assert access.leases.release(first)
    assert access.leases.current("t1") is None
    second = held(other, "two")
    assert second.fence == first.fence + 1
    assert not access.leases.release(first)
    assert not access.leases.renew(first, LONG)
    assert other.leases.current("t1") == second


def test_a_lease_that_has_run_out_is_taken_over_and_its_holder_fenced_off(
    access: AuthStore, other: AuthStore, passes: Passes
) -> None:
    first = held(access, "one", LONG)
    assert other.leases.acquire("t1", "two", LONG) is None
    passes(LONG)
    second = held(other, "two")
    assert second.fence > first.fence
    assert not access.leases.renew(first, LONG)
    assert not access.leases.release(first)
    assert other.leases.renew(second, LONG)


def test_a_lease_that_has_run_out_is_not_renewed_even_if_nobody_took_it(access: AuthStore, passes: Passes) -> None:
    lease = held(access, "one", LONG)
    passes(LONG)
    assert not access.leases.renew(lease, LONG)
    assert held(access, "one").fence > lease.fence


def test_a_renewed_lease_lasts(access: AuthStore, other: AuthStore, passes: Passes) -> None:
    lease = held(access, "one", LONG)
    for _ in range(4):
        passes(LONG / 2)
        assert access.leases.renew(lease, LONG)
        assert other.leases.acquire("t1", "two", LONG) is None


def test_a_holder_that_asks_again_gets_a_new_lease_and_its_older_one_ends(access: AuthStore) -> None:
    first = held(access, "one")
    second = held(access, "one")
    assert second.fence > first.fence
    assert not access.leases.renew(first, LONG)
    assert not access.leases.release(first)
    assert access.leases.renew(second, LONG)


def test_a_lease_given_while_the_clock_was_far_ahead_holds_nobody_off(
    access: AuthStore, other: AuthStore, passes: Passes
) -> None:
    first = held(access, "one")
    passes(-30)
    assert other.leases.acquire("t1", "two", LONG) is None
    passes(-86_400)
    assert held(other, "two").fence == first.fence + 1


def test_a_lease_ends_by_the_clock_of_the_database(access: AuthStore, monkeypatch: pytest.MonkeyPatch) -> None:
    noon = round(datetime.fromisoformat(NOON).timestamp()) * 1_000_000
    monkeypatch.setattr(access.database, "clock", str(noon), raising=False)
    assert held(access, "one").until == after(seconds=LONG)
    assert access.leases.held("t1") == {"t1": ("one", 1, noon + round(LONG * 1_000_000), LONG)}
    shortest = access.leases.acquire("t2", "one", 0.000_001)
    assert shortest is not None
    assert shortest.until == after(seconds=0.000_001)


def test_a_lease_of_no_time_is_a_bug(access: AuthStore) -> None:
    with pytest.raises(ValueError, match="more than 0 seconds"):
        access.leases.acquire("t1", "one", 0)


def test_of_racing_threads_exactly_one_gets_a_lease(access: AuthStore, other: AuthStore) -> None:
    for turn in range(10):
        name = f"table {turn}"
        acts = [partial(one.leases.acquire, name, f"holder {n}", LONG) for n, one in enumerate((access, other) * 5)]
        got = [lease for lease in race(acts) if lease]
        assert [lease.fence for lease in got] == [1]


def test_of_racing_threads_exactly_one_takes_over_what_has_run_out(
    access: AuthStore, other: AuthStore, passes: Passes
) -> None:
    for turn in range(5):
        name = f"table {turn}"
        assert access.leases.acquire(name, "dead", LONG)
        passes(LONG)
        acts = [partial(one.leases.acquire, name, f"holder {n}", LONG) for n, one in enumerate((access, other) * 5)]
        got = [lease for lease in race(acts) if lease]
        assert [lease.fence for lease in got] == [2]


def test_of_racing_processes_exactly_one_gets_each_lease(where: str, access: AuthStore) -> None:
    contenders = [
        subprocess.Popen(
            [sys.executable, "-c", CONTENDER, where, f"process {n}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(3)
    ]
    try:
        for contender in contenders:
            assert contender.stdout
            assert contender.stdout.readline() == "ready\n"
        for contender in contenders:
            assert contender.stdin
            contender.stdin.write("go\n")
            contender.stdin.flush()
        got = [contender.communicate(timeout=HANG)[0].split() for contender in contenders]
    finally:
        for contender in contenders:
            contender.kill()
            contender.wait()
    assert sorted(int(n) for numbers in got for n in numbers) == list(range(50))


def test_leases_that_were_not_given_back_are_listed_until_they_are_removed(access: AuthStore, passes: Passes) -> None:
    leases = access.leases
    given, dead, live = (leases.acquire(f"process {name}", name, LONG) for name in ("given", "dead", "live"))
    assert leases.acquire("another kind", "somebody", LONG)
    assert given
    assert leases.release(given)
    assert leases.held("process ").keys() == {"process dead", "process live"}
    before = leases.held("process ")
    passes(LONG / 2)
    assert live
    assert leases.renew(live, LONG)
    assert dead
    moved = {name for name, found in leases.held("process ").items() if found.until != before[name].until}
    assert moved == {live.name}
    passes(LONG / 2)
    leases.remove_expired("process ")
    assert leases.held("process ").keys() == {"process live"}
    leases.remove("process live")
    assert leases.held("process ") == {}
    assert leases.held("another").keys() == {"another kind"}


def test_all_leases_of_a_holder_are_renewed_and_released_together(
    access: AuthStore, other: AuthStore, passes: Passes
) -> None:
    leases = access.leases
    for name, holder in (("table 1", "one"), ("table 2", "one"), ("table 3", "two"), ("other", "one")):
        assert leases.acquire(name, holder, 10)
    passes(9)
    assert leases.renew_all("one", "table ", 10) == {"table 1": 1, "table 2": 1}
    passes(9)
    assert other.leases.acquire("table 1", "two", 10) is None
    assert other.leases.acquire("table 3", "one", 10) is not None
    assert leases.renew_all("two", "table ", 10) == {}
    leases.release_all("one", "table ")
    assert leases.held("table ") == {}
    assert held_fence(other, "table 1", "two") == 2


def held_fence(access: AuthStore, name: str, holder: str) -> int:
    lease = access.leases.acquire(name, holder, LONG)
    assert lease is not None
    return lease.fence


def test_a_lease_passed_on_has_a_higher_fence_and_its_old_holder_cannot_renew_it(
    access: AuthStore, other: AuthStore, passes: Passes
) -> None:
    first = held(access, "one", 10)
    second = access.leases.transfer(first, "two", 10)
    assert second is not None
    assert (second.holder, second.fence) == ("two", 2)
    assert not access.leases.renew(first, 10)
    assert access.leases.transfer(first, "three", 10) is None
    assert other.leases.renew(second, 10)
    passes(11)
    assert other.leases.transfer(second, "three", 10) is None
