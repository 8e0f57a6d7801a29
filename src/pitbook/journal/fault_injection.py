"""Named points at which tests can kill or pause the process or run code. Points are inert unless armed.

PITBOOK_FAULT=before-commit:3 kills the process (like kill -9) when it reaches `before-commit` for the third time;
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
"""Points that every command passes."""
ARCHIVING = ("before-archive", "archive-written", "before-detach", "after-detach")
"""Points that only archiving a table passes."""

_armed: dict[str, Callable[[int], None]] = {}
_passed: Counter[str] = Counter()


def point(name: str) -> None:
    """Run the action that is armed at a point, if any."""
    if _armed and (action := _armed.get(name)):
        _passed[name] += 1
        action(_passed[name])


def arm(name: str, action: Callable[[int], None]) -> None:
    """Run an action at a point, called with the number of times the point has been passed."""
    if name not in (*POINTS, *ARCHIVING):
        raise ValueError(f"no fault point {name!r}; there are {', '.join((*POINTS, *ARCHIVING))}")
    _passed[name] = 0
    _armed[name] = action


def disarm() -> None:
    """Disarm all points."""
    _armed.clear()


def kill_at(passing: int, sent: signal.Signals = signal.SIGKILL) -> Callable[[int], None]:
    """Return an action that sends this process a signal (default: SIGKILL) at the n-th passing of a point."""

    def action(passed: int) -> None:
        if passed == passing:
            os.kill(os.getpid(), sent)

    return action


def arm_from_environment() -> None:
    """Arm the point that PITBOOK_FAULT names, if any."""
    if fault := os.environ.get("PITBOOK_FAULT"):
        name, passing, sent = [*fault.split(":"), "", ""][:3]
        arm(name, kill_at(int(passing or 1), signal.Signals[sent or "SIGKILL"]))


arm_from_environment()
