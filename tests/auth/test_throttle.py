"""Guessing is slow, and nobody can lock out somebody else."""

from __future__ import annotations

import tracemalloc
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.auth.throttle import BY_DEVICE, BY_NAME, BY_PAIR, Buckets, Delays, Failures, SignInThrottle
from tests.auth.racing import race

HOUR = 3600.0


class Clock:
    """Time that stands still until it is moved."""

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
    """Guess as often as it is let, trying ten times a second; how many guesses were looked at."""
    looked, ends = 0, clock.now + seconds
    while clock.now < ends:
        looked += throttle.attempt(address, name) == 0
        clock.now += 0.1
    return looked


def test_a_few_slips_cost_nothing(throttle: SignInThrottle) -> None:
    assert [throttle.attempt("1.1.1.1", "ann") for _ in range(4)] == [0, 0, 0, 0]
    throttle.succeeded("1.1.1.1", "ann")
    assert throttle.attempt("1.1.1.1", "ann") == 0


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
        throttle.undone("1.1.1.1", "ann", device)
    assert [throttle.attempt("1.1.1.1", "ann", device) for _ in range(4)] == [0, 0, 0, 0]


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
            assert buckets.take("ann", tokens) == 0  # whoever waits as told is let through
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
