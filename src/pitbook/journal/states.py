"""Table states, folded from snapshots and entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple

from pitbook.journal import snapshots
from pitbook.journal.chain import verify
from pitbook.journal.decisions import State
from pitbook.journal.entries import GENESIS, Entry
from pitbook.journal.errors import Broken
from pitbook.journal.port import Head
from pitbook.journal.refusal_aggregation import REFUSALS, REFUSED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pitbook.journal.port import Reader, Snapshot


@dataclass(frozen=True, slots=True)
class Domain(Generic[State]):
    """The functions that the journal needs to handle states, which are immutable."""

    load: Callable[[str, bytes | None], State]
    """Return a table's state from a snapshot's content, or (None) the state before the first entry."""
    evolve: Callable[[State, Entry], State]
    save: Callable[[State], bytes]
    prepare: Callable[[str, Reader], None] = lambda _digest, _reader: None
    """Called with the digest of an attachment before entries that name it are folded."""


class StateAt(NamedTuple, Generic[State]):
    """A state and the head that it reflects."""

    head: Head
    state: State
    snapshot: int = 0
    """The sequence number of the last known snapshot."""
    at: str = ""
    """The time of the last entry; empty before the first."""


def fold(domain: Domain[State], state: State, entries: Iterable[Entry]) -> State:
    """Return the state after more entries; refusals change nothing."""
    for entry in entries:
        if entry.kind not in (REFUSED, REFUSALS):
            state = domain.evolve(state, entry)
    return state


def catch_up(
    domain: Domain[State], table: str, known: StateAt[State] | None, reader: Reader, head: Head | None = None
) -> StateAt[State]:
    """Return a table's current state, from the known one, its last valid snapshot or its first entry.

    Raise `Broken` if the entries read do not form a chain.
    """
    start = known or _from_snapshot(domain, next(snapshots.valid_snapshots(table, reader), None), table, reader)
    if start.head == head:
        return start
    if head is not None and known is None and start.head.sequence > head.sequence:
        head = reader.head(table)  # the snapshot is newer than the head: another process is writing
    state, last, at, digest = start.state, start.head, start.at, ""
    more = None if head is None else head.sequence - last.sequence  # ignore what is written meanwhile
    for entry in reader.entries(table, last.sequence, more):
        last = verify((entry,), table, last)
        if entry.attachment and entry.attachment != digest:
            digest = entry.attachment
            domain.prepare(digest, reader)
        state, at = fold(domain, state, (entry,)), entry.at
    if head is None or last == head:
        return StateAt(last, state, start.snapshot, at)
    if known is not None:  # the known state is not in this journal: it was restored from a backup
        return catch_up(domain, table, None, reader, head)
    raise Broken(table, head.sequence, "not-next")


def _from_snapshot(domain: Domain[State], snapshot: Snapshot | None, table: str, reader: Reader) -> StateAt[State]:
    if snapshot is None:
        return StateAt(Head(0, GENESIS), domain.load(table, None))
    entry = next(reader.entries(table, snapshot.sequence - 1, 1))
    domain.prepare(entry.attachment, reader)
    state = domain.load(table, snapshot.content)
    return StateAt(Head(snapshot.sequence, snapshot.head), state, snapshot.sequence, entry.at)
