"""Waiting for conditions, never for a fixed time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, overload

T = TypeVar("T")

HANG = 300.0
"""Seconds after which a wait counts as a hang. No test measures anything by it."""
_PAUSE, _LONGEST = 0.01, 0.1
"""Seconds between two looks: the first ones, and those of a longer wait, since a look often is a whole request."""


def until(condition: Callable[[], T | None], awaited: str = "the condition") -> T:
    """Wait until the condition is true; return its value."""
    ends, pause = time.monotonic() + HANG, _PAUSE
    while not (found := condition()):
        assert time.monotonic() < ends, f"waited {HANG:.0f} s for {awaited}"
        time.sleep(pause)
        pause = min(1.5 * pause, _LONGEST)
    return found


@overload
async def until_async(condition: Callable[[], Awaitable[T | None]], awaited: str = "the condition") -> T: ...
@overload
async def until_async(condition: Callable[[], T | None], awaited: str = "the condition") -> T: ...
async def until_async(condition: Callable[[], Any], awaited: str = "the condition") -> Any:
    """Like `until`, while the event loop runs; the condition may be a coroutine function."""
    ends, pause = time.monotonic() + HANG, _PAUSE
    while True:
        found = condition()
        value = await found if isinstance(found, Awaitable) else found
        if value:
            return value
        assert time.monotonic() < ends, f"waited {HANG:.0f} s for {awaited}"
        await asyncio.sleep(pause)
        pause = min(1.5 * pause, _LONGEST)
