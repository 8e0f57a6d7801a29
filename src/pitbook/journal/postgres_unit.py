"""A PostgreSQL transaction in two exchanges: one locks and reads, the other writes and commits."""

from __future__ import annotations

from functools import lru_cache
from struct import pack
from typing import TYPE_CHECKING, Any

import msgspec
from psycopg import errors

from pitbook.journal.entries import COLUMNS, GENESIS, posting_rows, to_row, transfer_rows
from pitbook.journal.errors import ConstraintViolation, Fenced
from pitbook.journal.port import Head, Prefetched
from pitbook.journal.queries import ADD_TO_BALANCES, INSERT_ACCOUNT, INSERT_DETACHED_TABLE, ConnectionReader
from pitbook.ledger.accounts import Account
from pitbook.storage.postgres import Statement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from psycopg.pq.abc import PGresult

    from pitbook.journal.entries import Entry, Row
    from pitbook.journal.port import DetachedTable, Snapshot
    from pitbook.storage.postgres import Connection

POSTING = "text", "bigint", "integer", "integer", "text", "bigint"
TRANSFER = "text", "bigint", "integer", "text"
ENTRY = (
    *("text", "bigint", "text", "bytea", "text", "text", "text"),
    *("text", "bytea", "bytea", "text", "bigint", "bytea", "bytea"),
)
"""The column types, in the order of the rows of `entries`."""

OIDS = {"text": 25, "bytea": 17, "bigint": 20, "integer": 23}

FEW = 4
"""Up to this many rows are inserted one by one; more by one statement with an array for each column."""


def _inserts(name: str, into: str, types: Sequence[str]) -> str:
    """Return statements that prepare `new_<name>` for one row and `new_<name>s` for many."""
    places = [f"${place}" for place in range(1, len(types) + 1)]
    arrays = ", ".join(f"{kind}[]" for kind in types)
    return (
        f"PREPARE new_{name} ({', '.join(types)}) AS INSERT INTO {into} VALUES ({', '.join(places)});"
        f"PREPARE new_{name}s ({arrays}) AS INSERT INTO {into} SELECT * FROM unnest({', '.join(places)});"
    )


PREPARE = f"""
SET plan_cache_mode = force_generic_plan;
PREPARE lock_table (text) AS SELECT fence FROM tables WHERE name = $1 FOR UPDATE;
PREPARE table_head (text) AS SELECT sequence, hash FROM entries WHERE table_name = $1 ORDER BY sequence DESC LIMIT 1;
PREPARE used_keys (text, text[]) AS SELECT key FROM entries WHERE table_name = $1 AND key = ANY ($2);
PREPARE account_balances (text[]) AS
  SELECT account, balance FROM balances WHERE account = ANY ($1) ORDER BY account FOR UPDATE;
{_inserts("posting", "postings (table_name, sequence, transfer, leg, account, amount)", POSTING)}
{_inserts("transfer", "transfers (table_name, sequence, transfer, why)", TRANSFER)}
{_inserts("entry", f"entries ({COLUMNS})", ENTRY)}
"""
"""The statements of every command, planned once per connection because planning takes longer than executing.

By default the server replans statements with arrays every time, because it estimates longer arrays.
"""

INSERT_SNAPSHOT = (
    "INSERT INTO snapshots (table_name, sequence, head, content, hash) VALUES ($1, $2, $3, $4, $5)"
    " ON CONFLICT (table_name, sequence)"
    " DO UPDATE SET head = excluded.head, content = excluded.content, hash = excluded.hash"
)
DELETE_OLD_SNAPSHOTS = (
    "DELETE FROM snapshots WHERE table_name = $1 AND sequence NOT IN"
    " (SELECT sequence FROM snapshots WHERE table_name = $1 ORDER BY sequence DESC LIMIT 2)"
)


def _bound(command: str, values: Sequence[object] = (), *, prepared: bool = False) -> Statement:
    """Return a statement with its values: bytes in binary form, everything else as text."""
    bound = [value if value is None or isinstance(value, bytes) else str(value).encode() for value in values]
    return Statement(command.encode(), bound, [isinstance(value, bytes) for value in values], prepared)


def _array(kind: str, values: Sequence[Any]) -> bytes:
    """Encode values of one type as a PostgreSQL array in binary form."""
    parts = [pack("!5i", 1, any(value is None for value in values), OIDS[kind], len(values), 1)]
    for value in values:
        if value is None:
            parts.append(b"\xff\xff\xff\xff")
        elif kind == "bigint":
            parts.append(pack("!iq", 8, value))
        elif kind == "integer":
            parts.append(pack("!ii", 4, value))
        else:
            data = value if isinstance(value, bytes) else value.encode()
            parts += (pack("!i", len(data)), data)
    return b"".join(parts)


def _rows(name: str, types: Sequence[str], rows: Sequence[Row]) -> list[Statement]:
    """Return the statements that insert rows."""
    if len(rows) <= FEW:
        return [_bound(f"new_{name}", row, prepared=True) for row in rows]
    columns = [_array(kind, column) for kind, column in zip(types, zip(*rows, strict=True), strict=True)]
    return [_bound(f"new_{name}s", columns, prepared=True)]


BEGIN = _bound("BEGIN")


def _number(value: bytes | None) -> int:
    return int.from_bytes(value or b"", "big", signed=True)


class PostgresUnit(ConnectionReader):
    """A transaction that locks a table's row first, then accounts in sorted order.

    Writes are buffered until the next read or the commit, and then sent in one exchange.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(self._query)
        self._connection = connection
        self._waiting: list[Statement] = [BEGIN]
        self._entries: list[Entry] = []
        self._fences: dict[str, int] = {}
        """The fences of the locked tables."""

    def lock(self, table: str) -> Head:
        return self.prefetch(table, (), ()).head

    def prefetch(self, table: str, keys: Sequence[str], accounts: Sequence[Account]) -> Prefetched:
        used = [_bound("used_keys", (table, _array("text", keys)), prepared=True)] if keys else []
        locked, head, *found = self._send(
            _bound("lock_table", (table,), prepared=True),
            _bound("table_head", (table,), prepared=True),  # a separate statement: it must run after the lock
            *used,
            *_balances(accounts),
        )
        if not locked.ntuples:
            self._waiting.append(_bound("INSERT INTO tables (name) VALUES ($1) ON CONFLICT DO NOTHING", (table,)))
            return self.prefetch(table, keys, accounts)
        self._fences.setdefault(table, _number(locked.get_value(0, 0)))
        at = Head(_number(head.get_value(0, 0)), head.get_value(0, 1) or b"") if head.ntuples else Head(0, GENESIS)
        taken = found.pop(0) if used else None
        carried = [taken.get_value(row, 0) or b"" for row in range(taken.ntuples)] if taken else ()
        return Prefetched(at, frozenset(key.decode() for key in carried), _held(accounts, found))

    def raise_fence(self, table: str, fence: int) -> None:
        highest = self._fences[table]
        if fence < highest:
            raise Fenced(f"table {table!r} was written under fence {highest}, which is higher than {fence}")
        if fence > highest:
            self._waiting.append(_bound("UPDATE tables SET fence = $1 WHERE name = $2", (fence, table)))
            self._fences[table] = fence

    def balances(self, accounts: Sequence[Account]) -> dict[Account, int]:
        return _held(accounts, self._send(*_balances(accounts)))

    def append(self, entries: Sequence[Entry]) -> None:
        self._send()  # so that a failure of earlier writes is not attributed to these
        try:
            self._waiting.append(_bound("SAVEPOINT command"))
            self.queue(entries)
            self._send(_bound("RELEASE SAVEPOINT command"))
        except (errors.IntegrityError, errors.DataError) as error:
            self._send(_bound("ROLLBACK TO SAVEPOINT command"), _bound("RELEASE SAVEPOINT command"))
            raise ConstraintViolation(str(error)) from error

    def queue(self, entries: Sequence[Entry]) -> None:
        self._entries += entries

    def save(self, snapshot: Snapshot) -> None:
        values = snapshot.table, snapshot.sequence, snapshot.head, snapshot.content, snapshot.hash
        self._waiting += [_bound(INSERT_SNAPSHOT, values), _bound(DELETE_OLD_SNAPSHOTS, (snapshot.table,))]

    def attach(self, digest: str, content: bytes) -> None:
        insert = "INSERT INTO attachments (digest, content) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        self._waiting.append(_bound(insert, (digest, content)))

    def note_detached(self, table: DetachedTable) -> None:
        self._query(INSERT_DETACHED_TABLE, msgspec.structs.astuple(table))

    def add_to_balances(self, amounts: Mapping[Account, int]) -> None:
        for account, amount in sorted(amounts.items()):
            self._query(INSERT_ACCOUNT, (account,))
            self._query(ADD_TO_BALANCES, (amount, account))

    def commit(self) -> None:
        """Send the buffered writes and commit."""
        if self._waiting == [BEGIN] and not self._entries:
            return
        (ended,) = self._send(_bound("COMMIT"))
        if ended.command_status != b"COMMIT":  # a failed transaction is rolled back without an error
            raise ConstraintViolation(f"the transaction was not committed but ended by {ended.command_status!r}")

    def _query(self, query: str, values: Row) -> list[Row]:
        """Run a statement after the buffered writes, and return its rows."""
        self._send()
        done = self._connection.execute(translated(query), values)
        return done.fetchall() if done.description else []

    def _send(self, *statements: Statement) -> list[PGresult]:
        """Send the buffered writes and these statements in one exchange; return the results of the latter."""
        entries, waiting = self._entries, self._waiting
        self._entries, self._waiting = [], []
        if entries:  # in the order that the triggers require: postings, their transfers, the entries
            waiting += _rows("posting", POSTING, [row for entry in entries for row in posting_rows(entry)])
            waiting += _rows("transfer", TRANSFER, [row for entry in entries for row in transfer_rows(entry)])
            waiting += _rows("entry", ENTRY, [to_row(entry) for entry in entries])
        results = self._connection.run([*waiting, *statements]) if waiting or statements else []
        return results[len(waiting) :]


def _balances(accounts: Sequence[Account]) -> list[Statement]:
    return [_bound("account_balances", (_array("text", accounts),), prepared=True)] if accounts else []


def _held(accounts: Sequence[Account], found: Sequence[PGresult]) -> dict[Account, int]:
    """Return balances from the result of `_balances`, 0 for new accounts."""
    held = dict.fromkeys(accounts, 0)
    for result in found:
        for row in range(result.ntuples):
            held[Account((result.get_value(row, 0) or b"").decode())] = _number(result.get_value(row, 1))
    return held


@lru_cache
def translated(query: str) -> str:
    """Return a query with psycopg's placeholders."""
    return query.replace("?", "%s")
