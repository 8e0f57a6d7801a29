"""The tables' states, kept by sequence and caught up from the journal."""

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

    from pitbook.journal.port import Reading, Snapshot


@dataclass(frozen=True, slots=True)
class Domain(Generic[State]):
    """What the journal is told about states, and all of it. A state is never changed in place."""

    load: Callable[[str, bytes | None], State]
    """A table's state from a snapshot's content, or (None) before its first entry."""
    evolve: Callable[[State, Entry], State]
    save: Callable[[State], bytes]
    prepare: Callable[[str, Reading], None] = lambda _digest, _reading: None
    """Called with the digest of an attachment before entries that name it are folded."""


class At(NamedTuple, Generic[State]):
    """A state, and the head after which it is so."""

    head: Head
    state: State
    snapshot: int = 0
    """The sequence number of the last snapshot that is known."""
    at: str = ""
    """When the last entry was written; empty before the first."""


def evolved(domain: Domain[State], state: State, entries: Iterable[Entry]) -> State:
    """A state after more entries. Refusals change nothing."""
    for entry in entries:
        if entry.kind not in (REFUSED, REFUSALS):
            state = domain.evolve(state, entry)
    return state


def caught_up(
    domain: Domain[State], table: str, known: At[State] | None, reading: Reading, head: Head | None = None
) -> At[State]:
    """A table's state as of now, from what is known, else from its last sound snapshot, else from its first entry.

    What is read is checked to be a chain; a broken one is `Broken`.
    """
    start = known or _from_snapshot(domain, next(snapshots.usable(table, reading), None), table, reading)
    if start.head == head:
        return start
    if head is not None and known is None and start.head.sequence > head.sequence:
        head = reading.head(table)  # the snapshot is younger than the head that we saw: others write at the same time
    state, last, at, digest = start.state, start.head, start.at, ""
    more = None if head is None else head.sequence - last.sequence  # and what they write after it is not waited for
    for entry in reading.entries(table, last.sequence, more):
        last = verify((entry,), table, last)
        if entry.attachment and entry.attachment != digest:
            digest = entry.attachment
            domain.prepare(digest, reading)
        state, at = evolved(domain, state, (entry,)), entry.at
    if head is None or last == head:
        return At(last, state, start.snapshot, at)
    if known is not None:  # what we knew is not what the journal holds: it was restored from elsewhere
        return caught_up(domain, table, None, reading, head)
    raise Broken(table, head.sequence, "it is not what the entries before it lead to")


def _from_snapshot(domain: Domain[State], snapshot: Snapshot | None, table: str, reading: Reading) -> At[State]:
    if snapshot is None:
        return At(Head(0, GENESIS), domain.load(table, None))
    entry = next(reading.entries(table, snapshot.sequence - 1, 1))
    domain.prepare(entry.attachment, reading)
    state = domain.load(table, snapshot.content)
    return At(Head(snapshot.sequence, snapshot.head), state, snapshot.sequence, entry.at)
