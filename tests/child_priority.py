"""Normal priority for child processes: on a busy machine, low-priority ones get so little time that tests time out."""

from __future__ import annotations

from functools import wraps
from typing import Any

from pitbook.child_processes import ChildProcess


def ignore_niceness() -> None:
    """Start child processes at normal priority; `ChildProcess.__init__.__wrapped__` is the original."""
    start = ChildProcess.__init__
    if hasattr(start, "__wrapped__"):
        return

    @wraps(start)
    def start_without_niceness(self: ChildProcess, name: str, *, nice: int, **more: Any) -> None:
        start(self, name, nice=0, **more)

    ChildProcess.__init__ = start_without_niceness  # type: ignore[method-assign]
