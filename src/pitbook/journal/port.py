"""What the runner needs of a database. SQLite and PostgreSQL keep the same promises behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from pitbook.journal.entries import Entry
    from pitbook.ledger.accounts import Account


class Head(NamedTuple):
    """Where a table's sequence stands: its length and its last hash."""

    sequence: int
    hash: bytes


class Snapshot(msgspec.Struct, frozen=True):
    """A table's state after an entry, so that a restart need not replay everything. See `snapshots`."""

    table: str
    sequence: int
    head: bytes
    """The hash of that entry."""
    content: bytes
    hash: bytes


class Reading(Protocol):
    """What can be read: inside a transaction what it sees, outside what is committed."""

    def head(self, table: str) -> Head:
        """Where a table stands; nothing and GENESIS where it has no entry yet."""

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries after a sequence number, in order, with their transfers."""

    def tagged(self, table: str, below: int | None = None, limit: int = 100) -> list[tuple[int, int]]:
        """Return the tags in use, each with the number of its entry; the highest first."""

    def tagged_after(self, table: str, tag: int) -> int | None:
        """Return the number of the entry with the next higher tag."""

    def of_kinds(
        self, table: str, kinds: Sequence[str], after: int, until: int, limit: int
    ) -> list[tuple[int, str, bytes]]:
        """Return number, kind and body of the entries of some kinds, between two numbers. See `index_kinds`."""

    def answered(self, table: str, key: str) -> Entry | None:
        """The entry that carries an idempotency key."""

    def balances(self, accounts: Sequence[Account]) -> dict[Account, int]:
        """What these accounts hold, nothing where they are new. In a transaction it locks them, in sorted order."""

    def snapshot(self, table: str, below: int | None = None) -> Snapshot | None:
        """The latest snapshot, or the latest below a sequence number."""

    def attachments(self) -> list[str]:
        """Return the digests of all attachments."""

    def attachment(self, digest: str) -> bytes | None:
        """Return the content that was attached under a digest; None where there is none."""


class Foreseen(NamedTuple):
    """What commands that wait for a table will ask for, read in one go."""

    head: Head
    used: frozenset[str]
    """The keys among theirs that carry an entry already."""
    balances: dict[Account, int]


class Unit(Reading, Protocol):
    """One transaction: a group of commands that are committed together."""

    def lock(self, table: str) -> Head:
        """Keep a table to oneself until the end of the transaction."""

    def foresee(self, table: str, keys: Sequence[str], accounts: Sequence[Account]) -> Foreseen:
        """Lock a table, look up keys, and lock accounts in sorted order: one question where the database is far."""

    def pass_fence(self, table: str, fence: int) -> None:
        """Raise a locked table's fence to this one; raise `Fenced` if it is higher already."""

    def append(self, entries: Sequence[Entry]) -> None:
        """Write a command's entries and move their money: all of them, or (`Violated`) none."""

    def queue(self, entries: Sequence[Entry]) -> None:
        """The same, but it may be sent only with what comes next, at the latest with the commit.

        What the database refuses is then `Violated` where it is found out, and all of the transaction is lost.
        """

    def save(self, snapshot: Snapshot) -> None:
        """Keep a snapshot, and the one before it."""

    def attach(self, digest: str, content: bytes) -> None:
        """Keep a content for ever. A digest that has one already keeps it."""


class Store(Reading, Protocol):
    """A journal's database."""

    one_table_per_commit: bool
    """Whether a group holds commands of one table only, as where other processes lock tables too."""

    def transaction(self) -> AbstractContextManager[Unit]:
        """Commit at the end; roll back where anything is raised. Raises `Unavailable`, `Conflict` or `Violated`."""

    def moment(self) -> AbstractContextManager[Reading]:
        """Read any number of things as of one moment, without locks."""

    def is_failure(self, error: Exception) -> bool:
        """Whether an error inside a transaction is the database's, so that the transaction is lost."""

    def heads(self) -> dict[str, Head]:
        """Where every table stands, all at one moment."""

    def names(self) -> list[str]:
        """The tables that have entries, sorted; it can be told even where an entry cannot be read."""

    def all_balances(self) -> dict[Account, int]:
        """Every account's balance."""

    def now(self) -> str:
        """The database's clock: ISO 8601, UTC, with microseconds. Processes that share a journal share its time."""

    def index_kinds(self, name: str, kinds: Sequence[str]) -> None:
        """Make `of_kinds` quick for exactly these kinds, where an index of that name is not there yet."""

    def announce(self, heads: Mapping[str, int]) -> None:
        """Tell other processes how far tables have come; after the commit, and a failure loses nothing."""

    def check_writing(self) -> None:
        """Write and commit something that changes nothing. Raises `Unavailable` where that fails."""

    def end_by(self, moment: float) -> None:
        """Let no wait for the database last beyond a moment of the monotonic clock: the process has to stop."""

    def close(self) -> None:
        """Let go of the database."""
