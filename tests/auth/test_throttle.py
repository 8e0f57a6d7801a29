"""Guessing is slow, and nobody can lock out someone else."""

from __future__ import annotations

import tracemalloc
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.auth.throttle import (
    BY_ADDRESS,
    BY_DEVICE,
    BY_NAME,
    BY_PAIR,
    Buckets,
    Delays,
    Failures,
    SignInThrottle,
    network_of,
)
from tests.auth.racing import race

HOUR = 3600.0


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def throttle(clock: Clock) -> SignInThrottle:
    return SignInThrottle(clock)


def flood(throttle: SignInThrottle, clock: Clock, seconds: float, address: str = "6.6.6.6", name: str = "ann") -> int:
    """Guess ten times a second; return how many guesses were checked."""
    looked, ends = 0, clock.now + seconds
    while clock.now < ends:
        looked += throttle.attempt(address, name) == 0
        clock.now += 0.1
    return looked


def test_a_few_slips_cost_nothing(throttle: SignInThrottle) -> None:
    assert [throttle.attempt("1.1.1.1", "ann") for _ in range(4)] == [0, 0, 0, 0]
    throttle.succeeded("1.1.1.1", "ann")
    assert [throttle.attempt("1.1.1.1", "ann") for _ in range(4)] == [0, 0, 0, 0]
    assert throttle.attempt("1.1.1.1", "ann") > 0


def test_delays_grow_with_each_failure_up_to_a_bound(throttle: SignInThrottle, clock: Clock) -> None:
    waits = []
    for _ in range(20):
        while wait := throttle.attempt("6.6.6.6", "ann"):
            waits.append(wait)
            clock.now += wait
    assert waits[:5] == pytest.approx([1, 2, 4, 8, 16])
    assert max(waits) == pytest.approx(BY_PAIR.most_seconds)


def test_a_guesser_at_one_address_gets_few_guesses(throttle: SignInThrottle, clock: Clock) -> None:
    assert flood(throttle, clock, HOUR) < 20


def test_a_flood_from_one_address_leaves_ann_elsewhere_able_to_sign_in(throttle: SignInThrottle, clock: Clock) -> None:
    for guess in range(10 * int(HOUR)):
        looked = throttle.attempt("6.6.6.6", "ann") == 0
        clock.now += 0.1
        if looked or guess % 1000 == 0:
            assert throttle.attempt("1.1.1.1", "ann") == 0
            throttle.succeeded("1.1.1.1", "ann")
    assert throttle.attempt("6.6.6.6", "ann") > 0


def test_a_flood_leaves_ann_on_a_known_device_able_to_sign_in_everywhere(
    throttle: SignInThrottle, clock: Clock
) -> None:
    flood(throttle, clock, 600)
    for guesser in range(500):
        throttle.attempt(f"7.7.{guesser // 250}.{guesser % 250}", "ann")
        throttle.attempt("6.6.6.6", f"somebody {guesser}")
    assert throttle.attempt("1.1.1.1", "ann") > 0
    for address in ("6.6.6.6", "7.7.0.1", "1.1.1.1"):
        assert throttle.attempt(address, "ann", device="cookie") == 0
        throttle.succeeded(address, "ann", device="cookie")


def test_a_distributed_guess_from_unknown_devices_is_slowed(throttle: SignInThrottle, clock: Clock) -> None:
    looked = 0
    for second in range(int(HOUR)):
        looked += sum(throttle.attempt(f"7.{n}.{second // 250}.{second % 250}", "ann") == 0 for n in range(10))
        clock.now += 1
    assert looked < BY_NAME.free + 20 + HOUR / BY_NAME.most_seconds  # of 36,000
    assert 0 < throttle.attempt("1.1.1.1", "ann") <= BY_NAME.most_seconds


def test_a_distributed_guess_at_one_name_leaves_other_names_alone(throttle: SignInThrottle) -> None:
    for n in range(200):
        throttle.attempt(f"7.7.7.{n}", "ann")
    assert throttle.attempt("7.7.7.7", "bob") == 0


def test_one_address_that_tries_many_names_is_slowed(throttle: SignInThrottle, clock: Clock) -> None:
    looked = sum(throttle.attempt("6.6.6.6", f"name {n}") == 0 for n in range(1000))
    assert looked <= 21
    assert throttle.attempt("1.1.1.1", "name 5") == 0


def test_signing_in_oneself_between_guesses_does_not_help(throttle: SignInThrottle) -> None:
    looked = 0
    for n in range(200):
        looked += throttle.attempt("6.6.6.6", f"name {n}") == 0
        if throttle.attempt("6.6.6.6", "eve") == 0:
            throttle.succeeded("6.6.6.6", "eve")
    assert looked <= 21


def test_a_crowd_behind_one_address_signs_in_freely(throttle: SignInThrottle) -> None:
    for n in range(500):
        assert throttle.attempt("9.9.9.9", f"guest {n}") == 0
        throttle.succeeded("9.9.9.9", f"guest {n}")


def test_a_known_device_waits_for_its_own_failures_only_shortly(throttle: SignInThrottle, clock: Clock) -> None:
    waits = []
    for _ in range(200):
        waits.append(throttle.attempt("1.1.1.1", "ann", device="stolen"))
        clock.now += 1
    assert 0 < max(waits) <= BY_DEVICE.most_seconds
    assert sum(wait == 0 for wait in waits) < 20
    assert throttle.attempt("1.1.1.1", "ann", device="own") == 0
    assert throttle.attempt("1.1.1.1", "bob", device="stolen") == 0


def test_a_thousand_at_once_are_not_let_through_together(throttle: SignInThrottle) -> None:
    answers = race([partial(throttle.attempt, "6.6.6.6", "ann") for _ in range(50)])
    assert answers.count(0) == BY_PAIR.free + 1


def test_spelling_a_name_otherwise_does_not_help(throttle: SignInThrottle) -> None:
    spellings = ["ann", "ANN", " Ann ", "aNN"] * 5
    assert sum(throttle.attempt("6.6.6.6", name) == 0 for name in spellings) == BY_PAIR.free + 1


def test_another_address_of_the_same_network_does_not_help(throttle: SignInThrottle) -> None:
    assert sum(throttle.attempt(f"2001:db8::{n:x}", "ann") == 0 for n in range(1, 99)) == BY_PAIR.free + 1
    assert throttle.attempt("2001:db8:0:1::1", "ann") == 0


def test_being_refused_does_not_make_the_wait_longer(throttle: SignInThrottle, clock: Clock) -> None:
    for _ in range(5):
        throttle.attempt("6.6.6.6", "ann")
    first = throttle.attempt("6.6.6.6", "ann")
    for _ in range(1000):
        assert throttle.attempt("6.6.6.6", "ann") == first


def test_after_a_quiet_time_all_is_forgotten(throttle: SignInThrottle, clock: Clock) -> None:
    flood(throttle, clock, HOUR)
    clock.now += HOUR + 1
    assert [throttle.attempt("6.6.6.6", "ann") for _ in range(4)] == [0, 0, 0, 0]


@pytest.mark.parametrize("device", [None, "cookie"])
def test_an_attempt_that_the_house_could_not_decide_does_not_count(
    throttle: SignInThrottle, device: str | None
) -> None:
    for _ in range(100):
        assert throttle.attempt("1.1.1.1", "ann", device) == 0
        throttle.cancelled("1.1.1.1", "ann", device)
    assert [throttle.attempt("1.1.1.1", "ann", device) for _ in range(4)] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("10.0.0.7", "10.0.0.7"),
        ("::ffff:10.0.0.7", "10.0.0.7"),
        ("2001:db8::1:2:3:4", "2001:db8::/64"),
        ("2001:db8::f000:0:0:1", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("a socket", "a socket"),
        ("x" * 101, "x" * 100),
    ],
)
def test_what_counts_as_one_address(address: str, counts_as: str) -> None:
    assert network_of(address) == counts_as


def test_names_that_differ_after_a_hundred_characters_count_as_one(throttle: SignInThrottle) -> None:
    assert [throttle.attempt("6.6.6.6", "x" * 100 + str(n)) == 0 for n in range(5)] == [True] * 4 + [False]
    assert throttle.attempt("6.6.6.6", "x" * 99 + "y") == 0


@pytest.mark.parametrize(
    ("delays", "free", "most", "quiet"),
    [(BY_PAIR, 3, 900, 3600), (BY_ADDRESS, 20, 60, 900), (BY_NAME, 10, 30, 3600), (BY_DEVICE, 5, 30, 3600)],
)
def test_delays_begin_after_the_free_failures_and_double_up_to_their_limit(
    delays: Delays, free: int, most: float, quiet: float
) -> None:
    assert [delays.after(free + n) for n in range(6)] == [0, 1, 2, 4, 8, 16]
    assert (delays.after(free + 60), delays.after(100_000)) == (most, most)
    assert delays.quiet_seconds == quiet


def test_failures_are_forgotten_after_the_quiet_time_and_not_before(clock: Clock) -> None:
    failures = Failures(Delays(free=1, most_seconds=900, quiet_seconds=60), most=100)
    assert (failures.count("ann", clock.now), failures.wait("ann", clock.now)) == (0, 0)
    assert [failures.add("ann", clock.now) for _ in range(3)] == [1, 2, 3]
    assert [failures.wait("ann", clock.now + later) for later in (0, 1.5, 2, 3)] == [2, 0.5, 0, 0]
    assert failures.count("ann", clock.now + 60) == 3
    assert failures.count("ann", clock.now + 60.1) == 0
    assert failures.add("ann", clock.now + 60.1) == 1


def test_a_failure_that_was_none_is_taken_back(clock: Clock) -> None:
    failures = Failures(Delays(free=1, most_seconds=900, quiet_seconds=60), most=100)
    for _ in range(3):
        failures.add("ann", clock.now)
    failures.undo("ann")
    assert failures.count("ann", clock.now) == 2
    assert failures.count("ann", clock.now + 60.1) == 0, "the time of the last failure stays"
    failures.undo("ann")
    failures.undo("ann")
    failures.undo("bob")
    assert (failures.count("ann", clock.now), len(failures)) == (0, 0)


def test_of_too_many_keys_the_quiet_and_the_least_suspect_are_forgotten(clock: Clock) -> None:
    failures = Failures(Delays(free=3, most_seconds=900, quiet_seconds=60), most=4)
    failures.add("quiet", clock.now)
    clock.now += 60.1
    for key, times in (("once", 1), ("three times", 3), ("twice", 2)):
        for _ in range(times):
            failures.add(key, clock.now)
    assert len(failures) == 4
    failures.add("new", clock.now)
    assert len(failures) == 2
    assert (failures.count("three times", clock.now), failures.count("twice", clock.now)) == (3, 2)


def test_of_too_many_keys_those_that_fit_into_half_of_the_memory_are_stored(clock: Clock) -> None:
    failures = Failures(Delays(free=3, most_seconds=900, quiet_seconds=60), most=4)
    for key in ("a", "b", "c"):
        failures.add(key, clock.now)
    clock.now += 0.1
    failures.add("still loud", clock.now)
    clock.now += 60
    failures.add("new", clock.now)
    assert [failures.count(key, clock.now) for key in ("a", "still loud", "new")] == [0, 1, 1]
    assert len(failures) == 2


def test_only_the_first_failures_of_one_address_count_against_the_name_everywhere(
    throttle: SignInThrottle, clock: Clock
) -> None:
    """One address alone makes no other one wait; BY_NAME gives ten failures free, an address adds three at most."""
    for address in ("1.1.1.1", "2.2.2.2", "3.3.3.3"):
        for _ in range(4):
            assert throttle.attempt(address, "ann") == 0
    assert throttle.attempt("4.4.4.4", "ann") == 0  # the tenth
    assert throttle.attempt("5.5.5.5", "ann") == 0  # the eleventh: from here on others wait
    assert throttle.attempt("6.6.6.6", "ann") == 1


@pytest.mark.parametrize(("attempts", "more"), [(3, 2), (4, 1)])
def test_an_undone_attempt_is_taken_back_from_the_name_only_if_it_counted_there(
    throttle: SignInThrottle, attempts: int, more: int
) -> None:
    """The third failure of an address counts against the name, the fourth does not."""
    for _ in range(attempts):
        assert throttle.attempt("1.1.1.1", "ann") == 0
    for n in range(7):
        assert throttle.attempt(f"2.2.2.{n}", "ann") == 0
    throttle.cancelled("1.1.1.1", "ann")
    assert [throttle.attempt(f"3.3.3.{n}", "ann") == 0 for n in range(3)] == [n < more for n in range(3)]


def test_signing_in_clears_failures_of_the_name_but_not_of_the_address(throttle: SignInThrottle) -> None:
    for n in range(19):
        assert throttle.attempt("6.6.6.6", f"name {n}") == 0
    for _ in range(3):
        assert throttle.attempt("6.6.6.6", "eve") == 0
        throttle.succeeded("6.6.6.6", "eve")
    assert throttle.attempt("6.6.6.6", "last") == 0
    assert throttle.attempt("6.6.6.6", "one more") == 0
    assert throttle.attempt("6.6.6.6", "too many") > 0


def test_signing_in_on_a_known_device_forgives_its_failures(throttle: SignInThrottle) -> None:
    for _ in range(4):
        for _ in range(5):
            assert throttle.attempt("1.1.1.1", "ann", "cookie") == 0
        throttle.succeeded("1.1.1.1", "ann", "cookie")


def test_memory_is_bounded_and_made_up_names_push_no_real_one_out(clock: Clock) -> None:
    failures = Failures(Delays(free=3, most_seconds=900, quiet_seconds=HOUR), most=100)
    for _ in range(10):
        failures.add("ann", clock.now)
    for n in range(10_000):
        clock.now += 0.01
        failures.add(f"made up {n}", clock.now)
        assert len(failures) <= 100
    assert failures.count("ann", clock.now) == 10


def test_long_names_and_addresses_take_no_room(throttle: SignInThrottle) -> None:
    tracemalloc.start()
    try:
        for n in range(20):
            throttle.attempt(f"{n}" + "x" * 1_000_000, f"{n}" + "y" * 1_000_000)
        assert tracemalloc.get_traced_memory()[0] < 1_000_000
    finally:
        tracemalloc.stop()


# -- buckets


def test_a_bucket_gives_its_burst_and_then_its_rate(clock: Clock) -> None:
    buckets = Buckets(per_second=2, burst=5, clock=clock)
    assert [buckets.take("ann") for _ in range(5)] == [0] * 5
    assert buckets.take("ann") == pytest.approx(0.5)
    assert buckets.take("bob") == 0
    clock.now += 0.5
    assert buckets.take("ann") == 0
    assert buckets.take("ann", 3) == pytest.approx(1.5)
    clock.now += 100
    assert buckets.take("ann", 5) == 0
    with pytest.raises(ValueError, match="never fit"):
        buckets.take("ann", 6)


@given(st.lists(st.tuples(st.floats(0, 3), st.integers(1, 4)), max_size=60))
def test_no_bucket_gives_more_than_its_burst_and_rate(steps: list[tuple[float, int]]) -> None:
    clock = Clock()
    buckets = Buckets(per_second=1.5, burst=4, clock=clock)
    start, given_out = clock.now, 0
    for pause, tokens in steps:
        clock.now += pause
        wait = buckets.take("ann", tokens)
        if wait == 0:
            given_out += tokens
        else:
            clock.now += wait
            assert buckets.take("ann", tokens) == 0  # a caller who waits for that long is let through
            given_out += tokens
        assert given_out <= 4 + 1.5 * (clock.now - start) + 1e-6


def test_buckets_are_bounded_and_the_emptiest_stay(clock: Clock) -> None:
    buckets = Buckets(per_second=0.1, burst=10, clock=clock, most=100)
    while buckets.take("ann") == 0:
        pass
    for n in range(10_000):
        buckets.take(f"crowd {n}")
        assert len(buckets) <= 100
    assert buckets.take("ann") > 0


def test_of_too_many_buckets_the_emptiest_half_stays_and_full_ones_are_forgotten(clock: Clock) -> None:
    buckets = Buckets(per_second=1, burst=10, clock=clock, most=4)
    for key, tokens in (("one", 1), ("three", 3), ("four", 4), ("two", 2)):
        assert buckets.take(key, tokens) == 0
    assert len(buckets) == 4
    buckets.take("new", 2.5)
    assert len(buckets) == 2
    assert [buckets.take(key, 8) > 0 for key in ("four", "three", "two")] == [True, True, False]

    clock.now += 100
    for n in range(3):
        buckets.take(f"soon full {n}")
    clock.now += 1
    buckets.take("new")
    buckets.take("newer")
    assert len(buckets) == 2


def test_a_bucket_takes_one_token_by_default_and_waits_for_no_rounding_error(clock: Clock) -> None:
    buckets = Buckets(per_second=3, burst=1, clock=clock)
    assert buckets.take("ann") == 0
    assert buckets.take("ann") == pytest.approx(1 / 3)
    clock.now += 1 / 3 - 1e-10
    assert buckets.take("ann") == 0
