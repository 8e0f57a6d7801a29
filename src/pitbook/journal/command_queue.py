"""The queue of commands for each sequence: one group at a time, staff commands first."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import chain, islice
from threading import Condition
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(slots=True)
class _Line(Generic[Item]):
    staff: deque[Item] = field(default_factory=deque)
    others: deque[Item] = field(default_factory=deque)
    held: bool = False


class QueueFull(Exception):
    """More is waiting than may wait."""


class CommandQueue(Generic[Item]):
    """Lines by name. A server claims a line, takes from it one by one, and lets it go; nobody else serves it meanwhile.

    A line with staff in it is claimed before the others, which take turns.
    """

    def __init__(self, length_max: int) -> None:
        self._length_max = length_max
        self._lines: dict[str, _Line[Item]] = {}
        self._turn: deque[str] = deque()
        self._waiting = 0
        self._closed = False
        self._changed = Condition()

    def put(self, name: str, item: Item, *, staff: bool, claim: bool = False) -> bool:
        """Stand at the end of a line; staff are never turned away because the line is long.

        With `claim`, who stands alone in a line that nobody serves claims it, and serves themselves: true then.
        """
        with self._changed:
            if self._closed or (self._waiting >= self._length_max and not staff):
                raise QueueFull
            line = self._lines.get(name)
            if line is None:
                line = self._lines[name] = _Line()
                self._turn.append(name)
            (line.staff if staff else line.others).append(item)
            self._waiting += 1
            if claim and not line.held and len(line.staff) + len(line.others) == 1:
                line.held = True
                return True
            if not line.held:  # who holds it looks again before letting it go
                self._changed.notify()
            return False

    def claim(self) -> str | None:
        """Wait for a line to serve; None where another has claimed it, or at the end."""
        with self._changed:
            name = self._next()
            if name is None and (self._waiting or not self._closed):
                self._changed.wait()
                name = self._next()
            if name is not None:
                self._lines[name].held = True
            return name

    def _next(self) -> str | None:
        free = [name for name in self._turn if not self._lines[name].held]
        for name in free:
            if self._lines[name].staff:
                return name
        return free[0] if free else None

    def take(self, name: str) -> Item | None:
        """Whoever is next in a line that one holds."""
        with self._changed:
            line = self._lines[name]
            waiting = line.staff or line.others
            if not waiting:
                return None
            self._waiting -= 1
            return waiting.popleft()

    def ahead(self, name: str, count: int) -> list[Item]:
        """The next so many in a line that one holds; they go on waiting."""
        with self._changed:
            line = self._lines[name]
            return list(islice(chain(line.staff, line.others), count))

    def release(self, name: str) -> None:
        """Let a line go: to the end of the turn, or away where it is empty."""
        with self._changed:
            line = self._lines[name]
            line.held = False
            self._turn.remove(name)
            if line.staff or line.others:
                self._turn.append(name)
            else:
                del self._lines[name]
            if self._waiting or self._closed:
                self._changed.notify_all()

    def close(self) -> None:
        """Let nobody stand in line any more; those who do are still served."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def finished(self) -> bool:
        """Whether it is closed and nobody waits."""
        with self._changed:
            return self._closed and not self._waiting
