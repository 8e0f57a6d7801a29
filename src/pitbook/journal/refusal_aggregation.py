"""Aggregation of refusals: the first of a kind is recorded individually, a burst of them as a count."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import NamedTuple

import msgspec

REFUSED = "refused"
"""The kind of an entry that records one refusal."""

REFUSALS = "refusals-counted"
"""The kind of an entry that records a number of further refusals."""

KINDS_MAX = 1_000
"""The number of bursts counted separately; further ones are counted together, without an actor."""


class RefusalKind(NamedTuple):
    """The key by which refusals are counted."""

    table: str
    actor: str
    name: str


class Refusal(msgspec.Struct, frozen=True):
    """The body of a `refused` entry; refusals of a table that was never opened are in the house's sequence."""

    table: str
    refusal: str


class RefusalCount(msgspec.Struct, frozen=True):
    """The body of a `refusals-counted` entry: further refusals besides the recorded one."""

    table: str
    refusal: str
    actor: str
    count: int
    first: str
    last: str


@dataclass(slots=True)
class _Burst:
    since: datetime
    count: int = 0
    first: str = ""
    last: str = ""


class RefusalAggregator:
    """Counts refusals that occur more than once per `seconds` of recorded time, by table, actor and name."""

    def __init__(self, seconds: float) -> None:
        self._window = timedelta(seconds=seconds)
        self._bursts: dict[RefusalKind, _Burst] = {}
        self._over: list[tuple[RefusalKind, _Burst]] = []
        self._lock = Lock()

    def add(self, kind: RefusalKind, at: str) -> bool:
        """Add a refusal; return True if it must be recorded individually, False if it was counted."""
        moment = datetime.fromisoformat(at)
        with self._lock:
            if kind not in self._bursts and len(self._bursts) >= KINDS_MAX:
                kind = kind._replace(actor="")
            burst = self._bursts.get(kind)
            if burst is not None and self._is_over(burst, moment):
                self._over.append((kind, burst))
                burst = None
            if burst is None:
                self._bursts[kind] = _Burst(moment)
                return True
            burst.count += 1
            burst.first = burst.first or at
            burst.last = at
            return False

    def due(self, now: str | None = None) -> list[RefusalCount]:
        """Remove and return the counts of bursts that are over at this time (None: all)."""
        moment = None if now is None else datetime.fromisoformat(now)
        with self._lock:
            ended, self._over = self._over, []
            for kind, burst in list(self._bursts.items()):
                if moment is None or self._is_over(burst, moment):
                    ended.append((kind, self._bursts.pop(kind)))
        return [
            RefusalCount(kind.table, kind.name, kind.actor, burst.count, burst.first, burst.last)
            for kind, burst in ended
            if burst.count
        ]

    def _is_over(self, burst: _Burst, moment: datetime) -> bool:
        return abs(moment - burst.since) >= self._window  # a corrected clock may run backwards

    def forget(self, kind: RefusalKind) -> None:
        """Have the next refusal of this kind recorded individually, because recording the last one failed."""
        with self._lock:
            burst = self._bursts.get(kind)
            if burst is not None and not burst.count:
                del self._bursts[kind]
