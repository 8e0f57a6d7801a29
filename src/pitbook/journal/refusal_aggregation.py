"""Refusals: the first of a kind is recorded; a flood of the same kind is recorded as a count."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import NamedTuple

import msgspec

REFUSED = "refused"
"""The kind of an entry that records one refusal."""

REFUSALS = "refusals-counted"
"""The kind of an entry that records how often more was refused."""

KINDS_MAX = 1_000
"""So many different floods are counted apart; more are counted together, with no actor."""


class Kind(NamedTuple):
    """Refusals that are counted together."""

    table: str
    actor: str
    name: str


class Refusal(msgspec.Struct, frozen=True):
    """The body of a `refused` entry. A refusal at a table that was never opened is on the house's record."""

    table: str
    refusal: str


class Counted(msgspec.Struct, frozen=True):
    """The body of a `refusals-counted` entry: what was refused how often, besides the one on record."""

    table: str
    refusal: str
    actor: str
    count: int
    first: str
    last: str


@dataclass(slots=True)
class _Flood:
    since: datetime
    count: int = 0
    first: str = ""
    last: str = ""


class RefusalAggregator:
    """Counts refusals that come faster than once per `seconds` of recorded time, by table, actor and name."""

    def __init__(self, seconds: float) -> None:
        self._window = timedelta(seconds=seconds)
        self._floods: dict[Kind, _Flood] = {}
        self._over: list[tuple[Kind, _Flood]] = []
        self._lock = Lock()

    def alone(self, kind: Kind, at: str) -> bool:
        """Return whether a refusal at this time is to be recorded by itself; otherwise it has been counted."""
        moment = datetime.fromisoformat(at)
        with self._lock:
            if kind not in self._floods and len(self._floods) >= KINDS_MAX:
                kind = kind._replace(actor="")
            flood = self._floods.get(kind)
            if flood is not None and self._is_over(flood, moment):
                self._over.append((kind, flood))
                flood = None
            if flood is None:
                self._floods[kind] = _Flood(moment)
                return True
            flood.count += 1
            flood.first = flood.first or at
            flood.last = at
            return False

    def due(self, now: str | None = None) -> list[Counted]:
        """Return the floods that are over at this time (None: all) and start counting again."""
        moment = None if now is None else datetime.fromisoformat(now)
        with self._lock:
            ended, self._over = self._over, []
            for kind, flood in list(self._floods.items()):
                if moment is None or self._is_over(flood, moment):
                    ended.append((kind, self._floods.pop(kind)))
        return [
            Counted(kind.table, kind.name, kind.actor, flood.count, flood.first, flood.last)
            for kind, flood in ended
            if flood.count
        ]

    def _is_over(self, flood: _Flood, moment: datetime) -> bool:
        return abs(moment - flood.since) >= self._window  # a corrected clock may have gone back

    def forget(self, kind: Kind) -> None:
        """Record the next refusal of this kind by itself: the one that was to be recorded was lost."""
        with self._lock:
            flood = self._floods.get(kind)
            if flood is not None and not flood.count:
                del self._floods[kind]
