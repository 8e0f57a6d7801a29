"""Command queues by sequence: one consumer per queue, staff commands first."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import chain, islice
from threading import Condition
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(slots=True)
class _Queue(Generic[Item]):
    staff: deque[Item] = field(default_factory=deque)
    others: deque[Item] = field(default_factory=deque)
    claimed: bool = False


class QueueFull(Exception):
    """The queue is closed or has reached its maximum length."""


class CommandQueue(Generic[Item]):
    """Named queues. A consumer claims a queue, takes its items one by one, and releases it.

    Queues with staff commands are claimed first; the others take turns.
    """

    def __init__(self, length_max: int) -> None:
        self._length_max = length_max
        self._queues: dict[str, _Queue[Item]] = {}
        self._order: deque[str] = deque()
        self._waiting = 0
        self._closed = False
        self._changed = Condition()

    def put(self, name: str, item: Item, *, staff: bool, claim: bool = False) -> bool:
        """Append an item to a queue; the maximum length does not apply to staff.

        With `claim`, a caller that adds the only item to an unclaimed queue claims it; return whether it did.
        """
        with self._changed:
            if self._closed or (self._waiting >= self._length_max and not staff):
                raise QueueFull
            queue = self._queues.get(name)
            if queue is None:
                queue = self._queues[name] = _Queue()
                self._order.append(name)
            (queue.staff if staff else queue.others).append(item)
            self._waiting += 1
            if claim and not queue.claimed and len(queue.staff) + len(queue.others) == 1:
                queue.claimed = True
                return True
            if not queue.claimed:  # its consumer checks again before releasing it
                self._changed.notify()
            return False

    def claim(self) -> str | None:
        """Wait for a queue and claim it; return None if another consumer was faster, or after `close`."""
        with self._changed:
            name = self._next()
            if name is None and (self._waiting or not self._closed):
                self._changed.wait()
                name = self._next()
            if name is not None:
                self._queues[name].claimed = True
            return name

    def _next(self) -> str | None:
        free = [name for name in self._order if not self._queues[name].claimed]
        for name in free:
            if self._queues[name].staff:
                return name
        return free[0] if free else None

    def take(self, name: str) -> Item | None:
        """Remove and return the next item of a claimed queue."""
        with self._changed:
            queue = self._queues[name]
            waiting = queue.staff or queue.others
            if not waiting:
                return None
            self._waiting -= 1
            return waiting.popleft()

    def peek(self, name: str, count: int) -> list[Item]:
        """Return the next items of a claimed queue without removing them."""
        with self._changed:
            queue = self._queues[name]
            return list(islice(chain(queue.staff, queue.others), count))

    def release(self, name: str) -> None:
        """Release a claimed queue, moving it to the end of the order or removing it if empty."""
        with self._changed:
            queue = self._queues[name]
            queue.claimed = False
            self._order.remove(name)
            if queue.staff or queue.others:
                self._order.append(name)
            else:
                del self._queues[name]
            if self._waiting or self._closed:
                self._changed.notify_all()

    def close(self) -> None:
        """Accept no more items; those in the queues are still served."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def finished(self) -> bool:
        """Whether it is closed and empty."""
        with self._changed:
            return self._closed and not self._waiting
