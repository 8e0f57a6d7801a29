"""Named points at which tests can end or pause the process, or run code. Nothing happens unless one is armed.

PITBOOK_FAULT=before-commit:3 kills the process (as kill -9 does) when it comes to `before-commit` for the third time;
PITBOOK_FAULT=before-commit:3:SIGSTOP pauses it there.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

POINTS = ("before-write", "before-commit", "before-acknowledge")

_armed: dict[str, Callable[[int], None]] = {}
_passed: Counter[str] = Counter()


def point(name: str) -> None:
    """Pass a named point."""
    if _armed and (action := _armed.get(name)):
        _passed[name] += 1
        action(_passed[name])


def arm(name: str, action: Callable[[int], None]) -> None:
    """Have something done at a point; it is told how often the point has been passed."""
    if name not in POINTS:
        raise ValueError(f"no fault point {name!r}; there are {', '.join(POINTS)}")
    _passed[name] = 0
    _armed[name] = action


def disarm() -> None:
    """Make all points harmless again."""
    _armed.clear()


def kill_at(passing: int, sent: signal.Signals = signal.SIGKILL) -> Callable[[int], None]:
    """Return what sends this process a signal at a point's n-th passing: by default it dies without a word."""

    def action(passed: int) -> None:
        if passed == passing:
            os.kill(os.getpid(), sent)

    return action


if _fault := os.environ.get("PITBOOK_FAULT"):
    _name, _passing, _signal = [*_fault.split(":"), "", ""][:3]
    arm(_name, kill_at(int(_passing or 1), signal.Signals[_signal or "SIGKILL"]))
