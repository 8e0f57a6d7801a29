"""A ring buffer of a table's recent entries, encoded once for all watchers."""

from __future__ import annotations

from collections import deque
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from pitbook.server.streams.projections import PUBLIC, project

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.journal.entries import Entry
    from pitbook.server.streams.projections import Projected, Viewer


class Batch:
    """Entries that are sent as one write to each watcher, joined once for all who see the same of them."""

    def __init__(self, entries: Sequence[Projected]) -> None:
        self.entries = entries
        self.first = entries[0].sequence
        self.last = entries[-1].sequence
        self.moves = any(entry.moves for entry in entries)
        """Whether the table's step moved."""
        self._own: dict[str, bytes] = {}

    @cached_property
    def public(self) -> bytes:
        """What everybody sees."""
        return joined(self.entries, PUBLIC)

    @cached_property
    def staff(self) -> bytes:
        """What the staff see."""
        return b"".join(entry.staff for entry in self.entries)

    @cached_property
    def owners(self) -> frozenset[str]:
        """The players who see something of their own in it."""
        return frozenset(name for entry in self.entries for name in entry.own)

    def frames(self, viewer: Viewer, after: int) -> bytes:
        """What a viewer who has seen so far gets of it."""
        if after >= self.first:
            return joined((entry for entry in self.entries if entry.sequence > after), viewer)
        if viewer.staff:
            return self.staff
        if viewer.person is None or viewer.person not in self.owners:
            return self.public
        if viewer.person not in self._own:
            self._own[viewer.person] = joined(self.entries, viewer)
        return self._own[viewer.person]


class RingBuffer:
    """The last entries without a gap, as many as may be kept."""

    def __init__(self, entries_max: int, bytes_max: int) -> None:
        self.head = 0
        """The last entry that is in it."""
        self.target = 0
        """The last entry that is known to be committed."""
        self._arrived: list[Entry] = []
        self._kept: deque[Projected] = deque()
        self._bytes = 0
        self._entries_max = entries_max
        self._bytes_max = bytes_max

    def add(self, entries: Iterable[Entry]) -> None:
        """Entries that were committed; they may come twice, late or with some missing between."""
        self._arrived.extend(entries)

    def next_batch(self) -> Batch | None:
        """What of that follows the head; where some are missing, the target says how far to read."""
        arrived, self._arrived = sorted(self._arrived, key=lambda entry: entry.sequence), []
        following: list[Projected] = []
        for entry in arrived:
            if entry.sequence == self.head + len(following) + 1:
                following.append(project(entry))
        if arrived:
            self.target = max(self.target, arrived[-1].sequence)
        return self.extend(following)

    def extend(self, entries: Sequence[Projected]) -> Batch | None:
        """Takes entries that follow one another; those of them that are new here, if any."""
        new = [entry for entry in entries if entry.sequence > self.head]
        if not new:
            return None
        self._kept.extend(new)
        self._bytes += sum(map(_size, new))
        while len(self._kept) > self._entries_max or (self._bytes > self._bytes_max and len(self._kept) > 1):
            self._bytes -= _size(self._kept.popleft())
        self.head = new[-1].sequence
        self.target = max(self.target, self.head)
        return Batch(new)

    def covers(self, after: int) -> bool:
        """Whether whoever has seen so far finds all that follows here."""
        return after >= self.head - len(self._kept)

    def since(self, after: int, viewer: Viewer) -> bytes:
        """What follows."""
        return joined(islice(self._kept, max(0, len(self._kept) - (self.head - after)), None), viewer)


def joined(entries: Iterable[Projected], viewer: Viewer) -> bytes:
    """A viewer's frames, one after another."""
    return b"".join(entry.frame(viewer) for entry in entries)


def _size(entry: Projected) -> int:
    own = sum(map(len, entry.own.values()))
    return len(entry.public or b"") + len(entry.staff) + len(entry.gap) + own
