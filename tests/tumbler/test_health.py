"""The tumbler notices a source of seeds that has failed, and arithmetic that is wrong."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from pitbook.tumbler import health
from pitbook.tumbler.health import REMEMBERED, Seeds, Unhealthy, self_test
from pitbook.tumbler.mapping import commitment


def source(seeds: Iterator[bytes]) -> Callable[[int], bytes]:
    return lambda _length: next(seeds)


def numbered(start: int = 1) -> Iterator[bytes]:
    return (hashlib.sha256(number.to_bytes(8, "big")).digest() for number in count(start))


def test_the_known_answers_are_right() -> None:
    self_test()


@pytest.mark.parametrize("name", health.TESTS)
def test_a_wrong_answer_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(health.TESTS, name, lambda: False)
    with pytest.raises(Unhealthy, match=name):
        self_test()


def test_a_mapping_that_was_changed_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitbook.tumbler.mapping.KEPT_BELOW", 255)
    with pytest.raises(Unhealthy, match="mapping"):
        self_test()


def test_seeds_come_from_the_operating_systems_entropy_by_default() -> None:
    seeds = Seeds()
    drawn = {seeds.draw() for _ in range(100)}
    assert len(drawn) == 100
    assert all(len(one) == 32 for one in drawn)
    assert seeds._source is os.urandom


def test_good_seeds_pass_as_they_come() -> None:
    seeds, expected = Seeds(source(numbered())), numbered()
    for _ in range(3 * REMEMBERED):
        assert seeds.draw() == next(expected)


def test_a_seed_twice_in_a_row() -> None:
    seeds = Seeds(lambda length: bytes(range(length)))
    seeds.draw()
    with pytest.raises(Unhealthy, match="twice in a row"):
        seeds.draw()


@pytest.mark.parametrize("distance", [2, 3, 500, REMEMBERED])
def test_a_seed_that_comes_again_within_the_last_thousand(distance: int) -> None:
    stream = [one for one, _ in zip(numbered(), range(distance), strict=False)]
    seeds = Seeds(source(iter([*stream, stream[0]])))
    for _ in stream:
        seeds.draw()
    with pytest.raises(Unhealthy, match="among the last 1,000"):
        seeds.draw()


def test_no_more_than_a_thousand_are_remembered() -> None:
    stream = [one for one, _ in zip(numbered(), range(REMEMBERED + 1), strict=False)]
    seeds = Seeds(source(iter([*stream, stream[0]])))
    assert [seeds.draw() for _ in range(REMEMBERED + 2)][-1] == stream[0]
    assert len(seeds._known) == len(seeds._last) == REMEMBERED


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (bytes(32), "one repeated byte"),
        (b"\xff" * 32, "one repeated byte"),
        (b"", "gave 0 bytes"),
        (bytes(range(31)), "gave 31 bytes"),
        (bytes(range(33)), "gave 33 bytes"),
    ],
)
def test_a_seed_without_content_or_of_the_wrong_length(bad: bytes, says: str) -> None:
    with pytest.raises(Unhealthy, match=says):
        Seeds(lambda _length: bad).draw()


def test_a_source_that_fails_once_is_not_used_again() -> None:
    good = hashlib.sha256(b"good").digest()
    stream = iter([bytes(32), good])
    seeds = Seeds(source(stream))
    for _ in range(3):
        with pytest.raises(Unhealthy, match="one repeated byte"):
            seeds.draw()
    assert next(stream) == good


def test_a_source_that_raises_is_unhealthy_and_its_words_are_not_repeated() -> None:
    def broken(_length: int) -> bytes:
        raise OSError("secret words")

    with pytest.raises(Unhealthy, match="failed: OSError") as caught:
        Seeds(broken).draw()
    assert "secret" not in str(caught.value)


def test_a_machine_set_back_to_an_old_state_is_found_by_the_records_commitments() -> None:
    first = hashlib.sha256(b"before the copy").digest()
    with pytest.raises(Unhealthy, match="a seed again"):
        Seeds(lambda _length: first, earlier=[commitment(first), commitment(bytes(range(32)))]).draw()


def test_no_seed_stays_in_memory() -> None:
    seeds = Seeds(source(numbered()))
    drawn = [seeds.draw() for _ in range(10)]
    assert not {one for one in drawn if one in vars(seeds).values() or one.hex() in seeds._known}
