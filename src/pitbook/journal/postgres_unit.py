"""A PostgreSQL transaction in two messages: one locks and reads, the other writes and commits."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import errors

from pitbook.journal.entries import COLUMNS, posting_rows, to_row, transfer_rows
from pitbook.journal.errors import Fenced, Violated
from pitbook.journal.port import Foreseen
from pitbook.journal.queries import Reads, head_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Head, Snapshot
    from pitbook.ledger.accounts import Account
    from pitbook.storage.postgres import Connection

POSTINGS = "INSERT INTO postings (table_name, sequence, transfer, leg, account, amount)"
TRANSFERS = "INSERT INTO transfers (table_name, sequence, transfer, why)"

PREPARE = f"""
PREPARE lock_table (text) AS SELECT fence FROM tables WHERE name = $1 FOR UPDATE;
PREPARE table_head (text) AS SELECT sequence, hash FROM entries WHERE table_name = $1 ORDER BY sequence DESC LIMIT 1;
PREPARE used_key (text, text) AS SELECT key FROM entries WHERE table_name = $1 AND key = $2;
PREPARE account_balance (text) AS SELECT account, balance FROM balances WHERE account = $1 FOR UPDATE;
PREPARE new_posting (text, bigint, integer, integer, text, bigint) AS
  {POSTINGS} VALUES ($1, $2, $3, $4, $5, $6);
PREPARE new_transfer (text, bigint, integer, text) AS
  {TRANSFERS} VALUES ($1, $2, $3, $4);
PREPARE new_entry (text, bigint, text, bytea, text, text, text, text, bytea, bytea, text, bigint, bytea, bytea) AS
  INSERT INTO entries ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
"""
"""What every command needs, planned once for a connection: planning takes the database longer than doing it."""

LOCK, HEAD, USED, BALANCE, POSTING, TRANSFER, ENTRY = (
    f"EXECUTE {name} ({', '.join(['%s'] * count)})"
    for name, count in (
        *(("lock_table", 1), ("table_head", 1), ("used_key", 2), ("account_balance", 1)),
        *(("new_posting", 6), ("new_transfer", 4), ("new_entry", 14)),
    )
)

FEW = 4
"""So many rows are quicker by a prepared statement each; more are one statement, planned for itself."""

SAVE = (
    "INSERT INTO snapshots (table_name, sequence, head, content, hash) VALUES (%s, %s, %s, %s, %s)"
    " ON CONFLICT (table_name, sequence)"
    " DO UPDATE SET head = excluded.head, content = excluded.content, hash = excluded.hash"
)
KEEP_TWO = (
    "DELETE FROM snapshots WHERE table_name = %s AND sequence NOT IN"
    " (SELECT sequence FROM snapshots WHERE table_name = %s ORDER BY sequence DESC LIMIT 2)"
)

Statement = tuple[str, tuple[Any, ...]]

BEGIN: Statement = ("BEGIN", ())


class PostgresUnit(Reads):
    """A transaction: a table's row is locked first, then accounts in sorted order.

    What is only written waits here until something is read or committed, and all of it then goes in one message:
    a message costs more than a statement. Values are written into the text by the driver, as one message needs.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(lambda query, values: self._ask((translated(query), values))[0])
        self._cursor = psycopg.ClientCursor(connection)
        self._waiting: list[Statement] = [BEGIN]
        self._fences: dict[str, int] = {}
        """The fences of the tables that this transaction has locked."""

    def lock(self, table: str) -> Head:
        return self.foresee(table, (), ()).head

    def foresee(self, table: str, keys: Sequence[str], accounts: Sequence[Account]) -> Foreseen:
        asked: list[Statement] = [(LOCK, (table,)), (HEAD, (table,))]  # two: the head is read once the lock is ours
        asked += [(USED, (table, key)) for key in keys]
        asked += [(BALANCE, (account,)) for account in sorted(accounts)]
        locked, head, *rest = self._ask(*asked)
        if not locked:
            self._waiting.append(("INSERT INTO tables (name) VALUES (%s) ON CONFLICT DO NOTHING", (table,)))
            return self.foresee(table, keys, accounts)
        self._fences.setdefault(table, locked[0][0])
        used = frozenset(row[0] for rows in rest[: len(keys)] for row in rows)
        held = dict(row for rows in rest[len(keys) :] for row in rows)
        return Foreseen(head_of(head), used, dict.fromkeys(accounts, 0) | held)

    def pass_fence(self, table: str, fence: int) -> None:
        highest = self._fences[table]
        if fence < highest:
            raise Fenced(f"table {table!r} was written under fence {highest}, which is higher than {fence}")
        if fence > highest:
            self._waiting.append(("UPDATE tables SET fence = %s WHERE name = %s", (fence, table)))
            self._fences[table] = fence

    def balances(self, accounts: Sequence[Account]) -> dict[Account, int]:
        found = self._ask(*((BALANCE, (account,)) for account in sorted(accounts)))
        return dict.fromkeys(accounts, 0) | dict(row for rows in found for row in rows)

    def append(self, entries: Sequence[Entry]) -> None:
        self._ask()  # what waits fails before this, not by it
        try:
            self._waiting.append(("SAVEPOINT command", ()))
            self.queue(entries)
            self._waiting.append(("RELEASE SAVEPOINT command", ()))
            self._ask()
        except (errors.IntegrityError, errors.DataError) as error:
            self._waiting = [("ROLLBACK TO SAVEPOINT command", ()), ("RELEASE SAVEPOINT command", ())]
            self._ask()
            raise Violated(str(error)) from error

    def queue(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self._insert(POSTING, POSTINGS, posting_rows(entry))
            self._insert(TRANSFER, TRANSFERS, transfer_rows(entry))
            self._waiting.append((ENTRY, to_row(entry)))

    def _insert(self, one: str, many: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if len(rows) <= FEW:
            self._waiting += [(one, row) for row in rows]
            return
        places = f"({', '.join(['%s'] * len(rows[0]))})"
        values = tuple(value for row in rows for value in row)
        self._waiting.append((f"{many} VALUES {', '.join([places] * len(rows))}", values))

    def save(self, snapshot: Snapshot) -> None:
        self._waiting += [
            (SAVE, (snapshot.table, snapshot.sequence, snapshot.head, snapshot.content, snapshot.hash)),
            (KEEP_TWO, (snapshot.table, snapshot.table)),
        ]

    def attach(self, digest: str, content: bytes) -> None:
        insert = "INSERT INTO attachments (digest, content) VALUES (%s, %s) ON CONFLICT DO NOTHING"
        self._waiting.append((insert, (digest, content)))

    def commit(self) -> None:
        """Send what waits, and make it last."""
        if self._waiting == [BEGIN]:
            return
        self._waiting.append(("COMMIT", ()))
        self._ask()
        if self._cursor.statusmessage != "COMMIT":  # one that has failed is rolled back, without an error
            raise Violated(f"the transaction was not committed but ended by {self._cursor.statusmessage}")

    def _ask(self, *asked: Statement) -> list[list[tuple[Any, ...]]]:
        """Send what waits and these; the rows of these."""
        sent, self._waiting = [*self._waiting, *asked], []
        if not sent:
            return []
        cursor = self._cursor
        cursor.execute(";".join(words for words, _ in sent), tuple(value for _, values in sent for value in values))
        found = []
        for place in range(len(sent)):
            if place:
                cursor.nextset()
            if place >= len(sent) - len(asked):
                found.append(cursor.fetchall())
        return found


@lru_cache
def translated(query: str) -> str:
    """A query in the driver's own way of marking values."""
    return query.replace("?", "%s")
