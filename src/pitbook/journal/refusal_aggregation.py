"""Refusals: the first of a kind is recorded; a flood of the same kind is recorded as a count."""

from __future__ import annotations

from dataclasses import dataclass
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
    until: float
    count: int = 0
    first: str = ""
    last: str = ""


class RefusalAggregator:
    """Counts refusals that come faster than once per `seconds`, by table, actor and name."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._floods: dict[Kind, _Flood] = {}
        self._lock = Lock()

    def alone(self, kind: Kind, at: str, now: float) -> bool:
        """Whether this refusal is to be recorded by itself; otherwise it has been counted."""
        with self._lock:
            if kind not in self._floods and len(self._floods) >= KINDS_MAX:
                kind = kind._replace(actor="")
            flood = self._floods.get(kind)
            if flood is None:
                self._floods[kind] = _Flood(now + self._seconds)
                return True
            flood.count += 1
            flood.first = flood.first or at
            flood.last = at
            return False

    def due(self, now: float) -> list[Counted]:
        """The floods whose time is over; they are counted afresh from here."""
        with self._lock:
            over = [kind for kind, flood in self._floods.items() if flood.until <= now]
            ended = [(kind, self._floods.pop(kind)) for kind in over]
        return [
            Counted(kind.table, kind.name, kind.actor, flood.count, flood.first, flood.last)
            for kind, flood in ended
            if flood.count
        ]

    def forget(self, kind: Kind) -> None:
        """The one that was to be recorded was not: record the next."""
        with self._lock:
            flood = self._floods.get(kind)
            if flood is not None and not flood.count:
                del self._floods[kind]
