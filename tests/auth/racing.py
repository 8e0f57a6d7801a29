"""Concurrent calls, and fixed times for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from pitbook.auth.timestamps import later
from tests.waiting import HANG

T = TypeVar("T")
NOON = "2026-01-31T12:00:00.000000+00:00"


def after(*, minutes: float = 0, seconds: float = 0) -> str:
    """Return a time after noon."""
    return later(NOON, minutes * 60 + seconds)


def race(acts: Sequence[Callable[[], T]]) -> list[T]:
    """Run all of them at the same time."""
    gate = Barrier(len(acts))

    def start(act: Callable[[], T]) -> T:
        gate.wait(HANG)
        return act()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(start, acts))
