"""Refusals on their own: the first of a kind is recorded, a flood is counted, and nothing is counted twice."""

from __future__ import annotations

import pytest

from pitbook.journal import refusal_aggregation
from pitbook.journal.refusal_aggregation import RefusalAggregator, RefusalCount, RefusalKind

ANN, BEN = RefusalKind("t1", "ann", "no-funds"), RefusalKind("t1", "ben", "no-funds")


def at(seconds: float) -> str:
    return f"2026-03-01T12:00:{seconds:09.6f}+00:00"


def test_the_first_of_a_kind_is_recorded_and_more_within_the_time_are_counted() -> None:
    refusals = RefusalAggregator(1.0)
    assert refusals.add(ANN, at(0))
    assert refusals.add(BEN, at(0.1))
    assert [refusals.add(ANN, at(second)) for second in (0.2, 0.5, 0.999)] == [False] * 3
    assert refusals.due(at(0.999)) == []
    assert refusals.due(at(1)) == [RefusalCount("t1", "no-funds", "ann", 3, at(0.2), at(0.999))]
    assert refusals.due(at(5)) == []


def test_a_flood_that_continues_is_recorded_again_later_with_a_new_count() -> None:
    refusals = RefusalAggregator(1.0)
    assert [refusals.add(ANN, at(second)) for second in (0, 0.5, 1, 1.5)] == [True, False, True, False]
    assert refusals.due(at(1.6)) == [RefusalCount("t1", "no-funds", "ann", 1, at(0.5), at(0.5))]
    assert refusals.due() == [RefusalCount("t1", "no-funds", "ann", 1, at(1.5), at(1.5))]
    assert refusals.due() == []


def test_a_clock_that_went_back_ends_a_flood() -> None:
    refusals = RefusalAggregator(1.0)
    assert refusals.add(ANN, at(10))
    assert not refusals.add(ANN, at(9.5))
    assert refusals.add(ANN, at(9))


def test_a_refusal_whose_record_was_lost_is_recorded_again_unless_more_were_counted() -> None:
    refusals = RefusalAggregator(1.0)
    assert refusals.add(ANN, at(0))
    refusals.forget(ANN)
    refusals.forget(BEN)
    assert refusals.add(ANN, at(0.1))
    assert not refusals.add(ANN, at(0.2))
    refusals.forget(ANN)
    assert not refusals.add(ANN, at(0.3))
    assert [counted.count for counted in refusals.due()] == [2]


def test_more_kinds_than_are_counted_apart_are_counted_without_their_actor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusal_aggregation, "KINDS_MAX", 2)
    refusals = RefusalAggregator(1.0)
    others = [RefusalKind("t1", f"player {n}", "no-funds") for n in range(3)]
    assert refusals.add(ANN, at(0))
    assert refusals.add(BEN, at(0))
    assert [refusals.add(kind, at(0.1)) for kind in others] == [True, False, False]
    assert not refusals.add(ANN, at(0.2)), "those known before are still counted separately"
    assert refusals.due() == [
        RefusalCount("t1", "no-funds", "ann", 1, at(0.2), at(0.2)),
        RefusalCount("t1", "no-funds", "", 2, at(0.1), at(0.1)),
    ]
