"""A transaction on an SQLite journal."""

from __future__ import annotations

from functools import lru_cache
from json import dumps, loads
from typing import TYPE_CHECKING

import apsw
import msgspec

from pitbook.journal.entries import COLUMNS, posting_rows, to_row, transfer_rows
from pitbook.journal.errors import ConstraintViolation
from pitbook.journal.port import Head, Prefetched
from pitbook.journal.queries import (
    ADD_TO_BALANCES,
    DELETE_TABLE,
    INSERT_ACCOUNT,
    INSERT_DETACHED_TABLE,
    ConnectionReader,
    Fetch,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pitbook.journal.entries import Entry, Row
    from pitbook.journal.port import DetachedTable, Snapshot
    from pitbook.ledger.accounts import Account

INSERT_ENTRY = f"INSERT INTO entries ({COLUMNS}) VALUES ({', '.join('?' * 14)})"
INSERT_TRANSFER = "INSERT INTO transfers (table_name, sequence, transfer, why) VALUES (?, ?, ?, ?)"
INSERT_POSTING = "INSERT INTO postings (table_name, sequence, transfer, leg, account, amount) VALUES (?, ?, ?, ?, ?, ?)"

SIZES = (128, 32, 8, 1)
"""Numbers of rows per statement."""

SELECT_USED_KEYS = "SELECT key FROM entries WHERE table_name = ? AND key IN (SELECT value FROM json_each(?))"
SELECT_BALANCES = (
    "SELECT json_group_object(account, balance) FROM balances WHERE account IN (SELECT value FROM json_each(?))"
)


@lru_cache(maxsize=64)
def _multi_row_insert(insert: str, size: int) -> str:
    """Return a statement that inserts a number of rows."""
    head, _, places = insert.rpartition(" VALUES ")
    return f"{head} VALUES {', '.join([places] * size)}"


class SqliteUnit(ConnectionReader):
    """A transaction of the only writer; nothing needs to be locked.

    Writes are buffered until the next read or the commit, and then sent as few statements with many rows: each
    statement releases the interpreter lock and may wait long to get it back.
    """

    def __init__(self, connection: apsw.Connection, heads: Mapping[str, Head]) -> None:
        read = fetch_on(connection)

        def fetch(query: str, values: Row) -> list[Row]:
            self.flush()
            return read(query, values)

        super().__init__(fetch)
        self._connection = connection
        self._waiting: list[Entry] = []
        self._known = heads
        self.heads_written: dict[str, Head] = {}
        """The new heads of the tables that this transaction writes to."""

    def head(self, table: str) -> Head:
        return self.heads_written.get(table) or self._known.get(table) or super().head(table)

    def lock(self, table: str) -> Head:
        return self.head(table)

    def prefetch(self, table: str, keys: Sequence[str], accounts: Sequence[Account]) -> Prefetched:
        used = self.fetch(SELECT_USED_KEYS, (table, dumps(list(keys)))) if keys else []
        held = self.fetch(SELECT_BALANCES, (dumps(list(accounts)),))[0][0] if accounts else "{}"
        balances = dict.fromkeys(accounts, 0) | loads(held)
        return Prefetched(self.lock(table), frozenset(row[0] for row in used), balances)

    def raise_fence(self, table: str, fence: int) -> None:
        """Do nothing: a file has one writer, which cannot be replaced."""

    def append(self, entries: Sequence[Entry]) -> None:
        self.flush()
        execute, alone = self._connection.execute, not self.heads_written
        if not alone:
            execute("SAVEPOINT command")
        try:
            self._insert(entries)
        except (apsw.ConstraintError, OverflowError) as error:
            if alone:  # nothing else has been written: restart the transaction, since there is no other writer
                execute("ROLLBACK")
                execute("BEGIN IMMEDIATE")
            else:
                execute("ROLLBACK TO command")
                execute("RELEASE command")
            raise ConstraintViolation(str(error)) from error
        if not alone:
            execute("RELEASE command")
        self._note(entries)

    def queue(self, entries: Sequence[Entry]) -> None:
        self._waiting += entries
        self._note(entries)

    def flush(self) -> None:
        """Write the buffered entries; a violated constraint aborts the transaction."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            try:
                self._insert(waiting)
            except OverflowError as error:
                raise ConstraintViolation(str(error)) from error

    def _note(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self.heads_written[entry.table] = Head(entry.sequence, entry.hash)

    def _insert(self, entries: Sequence[Entry]) -> None:
        """Insert in the order that the triggers require: postings, their transfers, the entries."""
        self._many(INSERT_POSTING, [row for entry in entries for row in posting_rows(entry)])
        self._many(INSERT_TRANSFER, [row for entry in entries for row in transfer_rows(entry)])
        self._many(INSERT_ENTRY, [to_row(entry) for entry in entries])

    def _many(self, insert: str, rows: Sequence[Row]) -> None:
        """Insert rows by statements of a few sizes, each prepared once."""
        place = 0
        for size in SIZES:
            while len(rows) - place >= size:
                values = tuple(value for row in rows[place : place + size] for value in row)
                self._connection.execute(_multi_row_insert(insert, size), values)
                place += size

    def save(self, snapshot: Snapshot) -> None:
        execute = self._connection.execute
        execute(
            "INSERT INTO snapshots (table_name, sequence, head, content, hash) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET head = excluded.head, content = excluded.content, hash = excluded.hash",
            (snapshot.table, snapshot.sequence, snapshot.head, snapshot.content, snapshot.hash),
        )
        execute(
            "DELETE FROM snapshots WHERE table_name = ?1 AND sequence NOT IN"
            " (SELECT sequence FROM snapshots WHERE table_name = ?1 ORDER BY sequence DESC LIMIT 2)",
            (snapshot.table,),
        )

    def attach(self, digest: str, content: bytes) -> None:
        insert = "INSERT INTO attachments (digest, content) VALUES (?, ?) ON CONFLICT DO NOTHING"
        self._connection.execute(insert, (digest, content))

    def note_detached(self, table: DetachedTable) -> None:
        self._connection.execute(INSERT_DETACHED_TABLE, msgspec.structs.astuple(table))

    def add_to_balances(self, amounts: Mapping[Account, int]) -> None:
        self.flush()
        for account, amount in amounts.items():
            self._connection.execute(INSERT_ACCOUNT, (account,))
            self._connection.execute(ADD_TO_BALANCES, (amount, account))

    def detach(self, table: DetachedTable) -> None:
        """Record that a table is detached, and delete its record here."""
        self.note_detached(table)
        for statement in DELETE_TABLE:
            self._connection.execute(statement, (table.table,))


def fetch_on(connection: apsw.Connection) -> Fetch:
    """Return a function that runs a query on a connection."""

    def fetch(query: str, values: Row) -> list[Row]:
        return connection.execute(query, values).fetchall()

    return fetch
