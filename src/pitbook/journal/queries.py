"""Queries shared by both databases, with ? as placeholder."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from pitbook.journal.entries import COLUMNS, GENESIS, Entry, Row, assemble
from pitbook.journal.port import DetachedTable, Head, Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from pitbook.ledger.accounts import Account

Fetch: TypeAlias = Callable[[str, Row], list[Row]]

HEAD = "SELECT sequence, hash FROM entries WHERE table_name = ? ORDER BY sequence DESC LIMIT 1"
NAMES = (
    "WITH RECURSIVE found (name) AS (SELECT min(table_name) FROM entries UNION ALL"
    " SELECT (SELECT min(table_name) FROM entries WHERE table_name > name) FROM found WHERE name IS NOT NULL)"
    " SELECT name FROM found WHERE name IS NOT NULL"
)
"""Walks the index from name to name and reads no entry."""
DETACHED = "table_name, count, head, at, file, moved, signer, signature"
"""The columns of a detached table, in the order of its fields."""
DELETE_TABLE = tuple(
    f"DELETE FROM {part} WHERE table_name = ?" for part in ("postings", "transfers", "entries", "snapshots")
)
"""Deletes the record of a detached table, from the inside out."""
INSERT_DETACHED_TABLE = f"INSERT INTO detached_tables ({DETACHED}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_ACCOUNT = "INSERT INTO balances (account, balance) VALUES (?, 0) ON CONFLICT DO NOTHING"
ADD_TO_BALANCES = "UPDATE balances SET balance = balance + ? WHERE account = ?"
BY_KEY = "SELECT sequence FROM entries WHERE table_name = ? AND key = ?"

KIND = re.compile(r"[A-Za-z][A-Za-z-]*")

CHUNK = 1_000
"""Entries are read in chunks: a journal may be larger than memory."""


def kinds_in(kinds: Sequence[str]) -> str:
    """Return the condition on kinds; a query and its partial index need exactly the same text.

    >>> kinds_in(("opened", "closed"))
    "kind IN ('opened', 'closed')"
    """
    if wrong := [kind for kind in kinds if not KIND.fullmatch(kind)]:
        raise ValueError(f"{wrong[0]!r} cannot be the kind of an entry")
    return "kind IN ({})".format(", ".join(f"'{kind}'" for kind in kinds))


def index_of(name: str, kinds: Sequence[str]) -> str:
    """Return the statement that creates an index of entries by kind."""
    return f'CREATE INDEX IF NOT EXISTS "{name}" ON entries (table_name, sequence) WHERE {kinds_in(kinds)}'


def head_of(rows: list[Row]) -> Head:
    """Return a table's head from the row of its last entry, if any."""
    return Head(*rows[0]) if rows else Head(0, GENESIS)


def _in_chunks(
    read: Callable[[str, int, int], list[Entry]], table: str, after: int, limit: int | None
) -> Iterator[Entry]:
    left = inf if limit is None else limit
    while left > 0 and (entries := read(table, after, int(min(CHUNK, left)))):
        yield from entries
        after = entries[-1].sequence
        left -= len(entries)


class ConnectionReader:
    """A `Reader` on one connection."""

    def __init__(self, fetch: Fetch) -> None:
        self.fetch = fetch

    def head(self, table: str) -> Head:
        return head_of(self.fetch(HEAD, (table,)))

    def heads(self) -> dict[str, Head]:
        rows = self.fetch(
            "SELECT table_name, sequence, hash FROM entries JOIN"
            " (SELECT table_name AS name, max(sequence) AS last FROM entries GROUP BY table_name) AS lasts"
            " ON table_name = name AND sequence = last ORDER BY table_name",
            (),
        )
        return {table: Head(sequence, hashed) for table, sequence, hashed in rows}

    def names(self) -> list[str]:
        return [name for (name,) in self.fetch(NAMES, ())]

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        return _in_chunks(self.chunk, table, after, limit)

    def chunk(self, table: str, after: int, limit: int) -> list[Entry]:
        """Return up to a number of entries."""
        rows = self.fetch(
            f"SELECT {COLUMNS} FROM entries WHERE table_name = ? AND sequence > ? ORDER BY sequence LIMIT ?",
            (table, after, limit),
        )
        if not rows:
            return []
        until = rows[-1][1]
        reasons = self.fetch(
            "SELECT sequence, transfer, why FROM transfers"
            " WHERE table_name = ? AND sequence > ? AND sequence <= ? ORDER BY sequence, transfer",
            (table, after, until),
        )
        legs = self.fetch(
            "SELECT sequence, transfer, leg, account, amount FROM postings"
            " WHERE table_name = ? AND sequence > ? AND sequence <= ? ORDER BY sequence, transfer, leg",
            (table, after, until),
        )
        return list(assemble(rows, reasons, legs))

    def read_tags(self, table: str, below: int | None = None, limit: int = 100) -> list[tuple[int, int]]:
        return [
            (tag, sequence)
            for tag, sequence in self.fetch(
                "SELECT tag, sequence FROM entries"
                " WHERE table_name = ? AND tag IS NOT NULL AND tag < ? ORDER BY tag DESC LIMIT ?",
                (table, 2**62 if below is None else below, limit),
            )
        ]

    def next_tagged(self, table: str, tag: int) -> int | None:
        rows = self.fetch(
            "SELECT sequence FROM entries WHERE table_name = ? AND tag IS NOT NULL AND tag > ? ORDER BY tag LIMIT 1",
            (table, tag),
        )
        return rows[0][0] if rows else None

    def events_of_kinds(
        self, table: str, kinds: Sequence[str], after: int, until: int, limit: int
    ) -> list[tuple[int, str, bytes]]:
        return [
            (sequence, kind, bytes(body))
            for sequence, kind, body in self.fetch(
                "SELECT sequence, kind, body FROM entries"
                f" WHERE table_name = ? AND sequence > ? AND sequence <= ? AND {kinds_in(kinds)}"
                " ORDER BY sequence LIMIT ?",
                (table, after, until, limit),
            )
        ]

    def answered(self, table: str, key: str) -> Entry | None:
        rows = self.fetch(BY_KEY, (table, key))
        return next(self.entries(table, rows[0][0] - 1, 1)) if rows else None

    def balances(self, accounts: Sequence[Account]) -> dict[Account, int]:
        held = dict.fromkeys(sorted(accounts), 0)
        for account in held:
            for row in self.fetch("SELECT balance FROM balances WHERE account = ?", (account,)):
                held[account] = row[0]
        return held

    def all_balances(self) -> dict[Account, int]:
        return dict(self.fetch("SELECT account, balance FROM balances ORDER BY account", ()))

    def snapshot(self, table: str, below: int | None = None) -> Snapshot | None:
        rows = self.fetch(
            "SELECT table_name, sequence, head, content, hash FROM snapshots"
            " WHERE table_name = ? AND sequence < ? ORDER BY sequence DESC LIMIT 1",
            (table, 2**62 if below is None else below),
        )
        return Snapshot(*rows[0]) if rows else None

    def detached(self) -> dict[str, DetachedTable]:
        rows = self.fetch(f"SELECT {DETACHED} FROM detached_tables ORDER BY table_name", ())
        return {row[0]: DetachedTable(*row) for row in rows}

    def attachments(self) -> list[str]:
        return [digest for (digest,) in self.fetch("SELECT digest FROM attachments ORDER BY digest", ())]

    def attachment(self, digest: str) -> bytes | None:
        rows = self.fetch("SELECT content FROM attachments WHERE digest = ?", (digest,))
        return bytes(rows[0][0]) if rows else None


class PooledReader(ABC):
    """A `Reader` of committed data: each call borrows a connection."""

    @abstractmethod
    def reader(self) -> AbstractContextManager[ConnectionReader]:
        """Borrow a reading connection."""

    def head(self, table: str) -> Head:
        with self.reader() as reader:
            return reader.head(table)

    def heads(self) -> dict[str, Head]:
        with self.reader() as reader:
            return reader.heads()

    def names(self) -> list[str]:
        with self.reader() as reader:
            return reader.names()

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        return _in_chunks(self._chunk, table, after, limit)

    def _chunk(self, table: str, after: int, limit: int) -> list[Entry]:
        with self.reader() as reader:  # for each chunk, so that a suspended iterator holds no connection
            return reader.chunk(table, after, limit)

    def read_tags(self, table: str, below: int | None = None, limit: int = 100) -> list[tuple[int, int]]:
        with self.reader() as reader:
            return reader.read_tags(table, below, limit)

    def next_tagged(self, table: str, tag: int) -> int | None:
        with self.reader() as reader:
            return reader.next_tagged(table, tag)

    def events_of_kinds(
        self, table: str, kinds: Sequence[str], after: int, until: int, limit: int
    ) -> list[tuple[int, str, bytes]]:
        with self.reader() as reader:
            return reader.events_of_kinds(table, kinds, after, until, limit)

    def answered(self, table: str, key: str) -> Entry | None:
        with self.reader() as reader:
            return reader.answered(table, key)

    def balances(self, accounts: Sequence[Account]) -> dict[Account, int]:
        with self.reader() as reader:
            return reader.balances(accounts)

    def all_balances(self) -> dict[Account, int]:
        with self.reader() as reader:
            return reader.all_balances()

    def snapshot(self, table: str, below: int | None = None) -> Snapshot | None:
        with self.reader() as reader:
            return reader.snapshot(table, below)

    def detached(self) -> dict[str, DetachedTable]:
        with self.reader() as reader:
            return reader.detached()

    def attachments(self) -> list[str]:
        with self.reader() as reader:
            return reader.attachments()

    def attachment(self, digest: str) -> bytes | None:
        with self.reader() as reader:
            return reader.attachment(digest)
