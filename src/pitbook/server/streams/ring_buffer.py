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
    """Entries that are sent as one write to each watcher, joined once for viewers who see the same."""

    def __init__(self, entries: Sequence[Projected]) -> None:
        self.entries = entries
        self.first = entries[0].sequence
        self.last = entries[-1].sequence
        self.moves = any(entry.moves for entry in entries)
        """Whether the table's step moved."""
        self._own: dict[str, bytes] = {}

    @cached_property
    def public(self) -> bytes:
        """The frames for the public."""
        return join_frames(self.entries, PUBLIC)

    @cached_property
    def staff(self) -> bytes:
        """The frames for staff."""
        return b"".join(entry.staff for entry in self.entries)

    @cached_property
    def owners(self) -> frozenset[str]:
        """The players who see something of their own in it."""
        return frozenset(name for entry in self.entries for name in entry.own)

    def frames(self, viewer: Viewer, after: int) -> bytes:
        """Return the frames for a viewer who has seen up to an entry."""
        if after >= self.first:
            return join_frames((entry for entry in self.entries if entry.sequence > after), viewer)
        if viewer.staff:
            return self.staff
        if viewer.person is None or viewer.person not in self.owners:
            return self.public
        if viewer.person not in self._own:
            self._own[viewer.person] = join_frames(self.entries, viewer)
        return self._own[viewer.person]


class RingBuffer:
    """The most recent entries without a gap."""

    def __init__(self, entries_max: int, bytes_max: int) -> None:
        self.head = 0
        """The last entry that is in it."""
        self.target = 0
        """The last entry that is known to be committed."""
        self._arrived: list[Entry] = []
        self._entries: deque[Projected] = deque()
        self._bytes = 0
        self._entries_max = entries_max
        self._bytes_max = bytes_max

    def add(self, entries: Iterable[Entry]) -> None:
        """Take in committed entries, which may be duplicate, late or incomplete."""
        self._arrived.extend(entries)

    def next_batch(self) -> Batch | None:
        """Return the arrived entries that follow the head; `target` is how far to read if some are missing."""
        arrived, self._arrived = sorted(self._arrived, key=lambda entry: entry.sequence), []
        following: list[Projected] = []
        for entry in arrived:
            if entry.sequence == self.head + len(following) + 1:
                following.append(project(entry))
        if arrived:
            self.target = max(self.target, arrived[-1].sequence)
        return self.extend(following)

    def extend(self, entries: Sequence[Projected]) -> Batch | None:
        """Append consecutive entries, and return those that are new, if any."""
        new = [entry for entry in entries if entry.sequence > self.head]
        if not new:
            return None
        self._entries.extend(new)
        self._bytes += sum(map(_size, new))
        while len(self._entries) > self._entries_max or (self._bytes > self._bytes_max and len(self._entries) > 1):
            self._bytes -= _size(self._entries.popleft())
        self.head = new[-1].sequence
        self.target = max(self.target, self.head)
        return Batch(new)

    def covers(self, after: int) -> bool:
        """Return whether all entries after a sequence are in the buffer."""
        return after >= self.head - len(self._entries)

    def since(self, after: int, viewer: Viewer) -> bytes:
        """Return the frames after a sequence."""
        return join_frames(islice(self._entries, max(0, len(self._entries) - (self.head - after)), None), viewer)


def join_frames(entries: Iterable[Projected], viewer: Viewer) -> bytes:
    """Return a viewer's frames, one after another."""
    return b"".join(entry.frame(viewer) for entry in entries)


def _size(entry: Projected) -> int:
    own = sum(map(len, entry.own.values()))
    return len(entry.public or b"") + len(entry.staff) + len(entry.gap) + own
