"""The storage interface of the journal, implemented for SQLite and PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from pitbook.journal.entries import Entry
    from pitbook.ledger.accounts import Account


class Head(NamedTuple):
    """The end of a table's sequence: its length and last hash."""

    sequence: int
    hash: bytes


class Snapshot(msgspec.Struct, frozen=True):
    """A table's state after an entry, to shorten the replay after a restart. See `snapshots`."""

    table: str
    sequence: int
    head: bytes
    """The hash of that entry."""
    content: bytes
    hash: bytes


class DetachedTable(msgspec.Struct, frozen=True):
    """A table whose record is in another file. See `archiving`."""

    table: str
    count: int
    """The number of its entries."""
    head: bytes
    """The hash of the last."""
    at: str
    """When it was detached."""
    file: str
    """The name of the file that has the record."""
    moved: bytes
    """The highest and the final sum that it moved on each account, as canonical JSON."""
    signer: str
    signature: bytes


class Reader(Protocol):
    """Read access: to what a transaction sees, or outside one to what is committed."""

    def head(self, table: str) -> Head:
        """Return a table's head; (0, GENESIS) if it has no entries."""

    def names(self) -> list[str]:
        """Return the sorted names of tables with entries; it works even if entries are damaged."""

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """Yield the entries after a sequence number, in order, with their transfers."""

    def read_tags(self, table: str, below: int | None = None, limit: int = 100) -> list[tuple[int, int]]:
        """Return tags with the sequence numbers of their entries, highest first."""

    def next_tagged(self, table: str, tag: int) -> int | None:
        """Return the sequence number of the entry with the next higher tag."""

    def events_of_kinds(
        self, table: str, kinds: Sequence[str], after: int, until: int, limit: int
    ) -> list[tuple[int, str, bytes]]:
        """Return sequence number, kind and body of entries by kind, within (after, until]. See `index_kinds`."""

    def answered(self, table: str, key: str) -> Entry | None:
        """Return the entry with an idempotency key."""

    def balances(self, accounts: Sequence[Account]) -> dict[Account, int]:
        """Return the balances of accounts, 0 for new ones; inside a transaction lock them in sorted order."""

    def snapshot(self, table: str, below: int | None = None) -> Snapshot | None:
        """Return the latest snapshot, or the latest below a sequence number."""

    def detached(self) -> dict[str, DetachedTable]:
        """Return the tables whose record is in another file."""

    def attachments(self) -> list[str]:
        """Return the digests of all attachments."""

    def attachment(self, digest: str) -> bytes | None:
        """Return the attachment with a digest, or None."""


class Prefetched(NamedTuple):
    """Data that a table's pending commands need, read in one query."""

    head: Head
    used: frozenset[str]
    """Those of their keys that already have an entry."""
    balances: dict[Account, int]


class Unit(Reader, Protocol):
    """A transaction that commits a group of commands."""

    def lock(self, table: str) -> Head:
        """Lock a table until the end of the transaction and return its head."""

    def prefetch(self, table: str, keys: Sequence[str], accounts: Sequence[Account]) -> Prefetched:
        """Lock a table, look up keys, and lock accounts in sorted order, in one exchange."""

    def raise_fence(self, table: str, fence: int) -> None:
        """Raise the fence of a locked table, or raise `Fenced` if it is higher already."""

    def append(self, entries: Sequence[Entry]) -> None:
        """Write a command's entries and postings; on `ConstraintViolation` none of them is written."""

    def queue(self, entries: Sequence[Entry]) -> None:
        """Like `append`, but the entries may be buffered until the next read or the commit.

        `ConstraintViolation` is then raised at that point and aborts the whole transaction.
        """

    def save(self, snapshot: Snapshot) -> None:
        """Store a snapshot and delete all but the previous one."""

    def attach(self, digest: str, content: bytes) -> None:
        """Store an attachment permanently; an existing one is not changed."""

    def note_detached(self, table: DetachedTable) -> None:
        """Record that a table without entries here has its record in another file."""

    def add_to_balances(self, amounts: Mapping[Account, int]) -> None:
        """Add to balances what detached tables have moved."""


class Store(Reader, Protocol):
    """The database of a journal."""

    one_table_per_commit: bool
    """Whether a group contains commands of one table only, because other processes lock tables too."""

    def transaction(self) -> AbstractContextManager[Unit]:
        """Commit at the end, or roll back on any error, such as `Unavailable`, `Conflict` or `ConstraintViolation`."""

    def consistent_reader(self) -> AbstractContextManager[Reader]:
        """Read committed data as of one moment, without locks."""

    def is_failure(self, error: Exception) -> bool:
        """Return whether an error comes from the database and aborts the transaction."""

    def heads(self) -> dict[str, Head]:
        """Return the heads of all tables, from one consistent read."""

    def all_balances(self) -> dict[Account, int]:
        """Return the balances of all accounts."""

    def now(self) -> str:
        """Return the database's time, ISO 8601 in UTC with microseconds; all processes of a journal share it."""

    def index_kinds(self, name: str, kinds: Sequence[str]) -> None:
        """Create an index that serves `events_of_kinds` for exactly these kinds, unless it exists."""

    def detach(self, table: DetachedTable) -> None:
        """Record that a table's record is in another file, and delete it here, in one transaction."""

    def announce(self, heads: Mapping[str, int]) -> None:
        """Notify other processes of new heads after a commit; a failure loses nothing."""

    def check_writable(self) -> None:
        """Commit a write that changes nothing, or raise `Unavailable`."""

    def set_deadline(self, moment: float) -> None:
        """Let no database call last beyond a time of the monotonic clock, because the process is stopping."""

    def close(self) -> None:
        """Close all connections."""
