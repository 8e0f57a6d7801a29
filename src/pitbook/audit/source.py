"""Read a journal's database, SQLite or PostgreSQL, in one consistent view without writing a byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol
from urllib.parse import quote

from pitbook.audit.errors import CheckFailed, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

Leg = tuple[str, int]
Legs = tuple[Leg, ...]

COLUMNS = "table_name, sequence, kind, body, actor, role, at, key, request, answer, {}, before, hash"
TAGS_SINCE = 5
"""The schema version since which an entry's book is called attachment, and its throw tag."""

DETACHED_SINCE = 7
"""The schema version since which the record of a table can be in another file."""

VERSION = {
    "sqlite": "SELECT user_version FROM pragma_user_version",
    "postgres": "SELECT max(version) FROM schema_version",
}


class Entry(NamedTuple):
    """One entry with the money it moved."""

    columns: tuple[Any, ...]
    """As stored, in the order in which they are hashed; the last is the hash."""
    transfers: tuple[tuple[str, Legs], ...]


class Source(Protocol):
    """A database, open for reading."""

    kind: Literal["sqlite", "postgres"]

    def rows(self, query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query; ? is a placeholder for a value."""
        ...

    def close(self) -> None: ...


class Sqlite:
    """A journal in one file."""

    kind: Literal["sqlite", "postgres"] = "sqlite"

    def __init__(self, path: str) -> None:
        import apsw

        if not Path(path).is_file():
            raise Unreadable("unreadable-missing", file=path)
        try:
            self._connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
            self._begin()
        except apsw.Error:
            # On a read-only medium; nobody else can write there either.
            address = f"file:{quote(str(Path(path).resolve()))}?immutable=1"
            try:
                self._connection = apsw.Connection(address, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
                self._begin()
            except apsw.Error as error:
                raise Unreadable("unreadable-journal", file=path, reason=error) from None

    def _begin(self) -> None:
        self._connection.set_busy_timeout(5_000)
        self._connection.execute("BEGIN")
        self._connection.execute("SELECT 1 FROM entries LIMIT 1").fetchall()

    def rows(self, query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        return iter(self._connection.execute(query, values))

    def close(self) -> None:
        self._connection.close()


class Postgres:
    """A journal in PostgreSQL, by URL."""

    kind: Literal["sqlite", "postgres"] = "postgres"

    def __init__(self, url: str) -> None:
        import psycopg

        try:
            self._connection = psycopg.connect(url, connect_timeout=10)
            self._connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            self._connection.read_only = True
            self._connection.execute("SELECT 1 FROM entries LIMIT 1").fetchall()
        except psycopg.Error as error:
            raise Unreadable("unreadable-database", reason=" ".join(str(error).split())) from None
        self._number = 0

    def rows(self, query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        self._number += 1
        with self._connection.cursor(name=f"audit_{self._number}") as cursor:
            cursor.itersize = 5_000
            cursor.execute(query.replace("?", "%s").encode(), values)
            yield from cursor

    def close(self) -> None:
        self._connection.close()


def open_source(database: str) -> Source:
    """Return a journal by the path of its file, or by its URL."""
    if database.startswith(("postgres://", "postgresql://")):
        return Postgres(database)
    return Sqlite(database.removeprefix("sqlite://"))


def schema_version(source: Source) -> int:
    """Return the version of a journal's schema, or 0 if it has none."""
    ((version,),) = source.rows(VERSION[source.kind])
    return version or 0


def list_streams(source: Source) -> list[str]:
    """Return every stream that has a row anywhere."""
    names = " UNION ".join(f"SELECT table_name FROM {part}" for part in ("entries", "transfers", "postings"))
    return sorted(name for (name,) in source.rows(names))


class Detached(NamedTuple):
    """A table whose record is in another file."""

    table: str
    length: int
    head: bytes
    at: str
    file: str
    moved: bytes
    """As JSON: on each account, the highest sum at any time and the final sum."""
    signer: str
    signature: bytes

    def moves(self) -> dict[str, tuple[int, int]]:
        """Return the highest and the final sum on each account."""
        try:
            return {str(account): (int(high), int(total)) for account, (high, total) in json.loads(self.moved).items()}
        except (ValueError, TypeError, AttributeError) as error:
            raise CheckFailed("moved-unreadable", about="detached", error=error) from None


def read_detached(source: Source) -> list[Detached]:
    """Return the tables whose record is in another file."""
    if schema_version(source) < DETACHED_SINCE:
        return []
    columns = "table_name, count, head, at, file, moved, signer, signature"
    return [Detached(*row) for row in source.rows(f"SELECT {columns} FROM detached_tables ORDER BY table_name")]


MONEY = (
    "SELECT t.sequence, t.transfer, t.why, p.leg, p.account, p.amount FROM transfers t"
    " LEFT JOIN postings p ON p.table_name = t.table_name AND p.sequence = t.sequence AND p.transfer = t.transfer"
    " WHERE t.table_name = ? ORDER BY t.sequence, t.transfer, p.leg"
)
ORPHANS = (
    "SELECT p.sequence FROM postings p WHERE p.table_name = ? AND NOT EXISTS (SELECT 1 FROM transfers t WHERE"
    " t.table_name = p.table_name AND t.sequence = p.sequence AND t.transfer = p.transfer) ORDER BY 1 LIMIT 1"
)


def read_entries(source: Source, table: str) -> Iterator[Entry]:
    """Yield a table's entries in order with their transfers; either without the other is an error."""
    named = COLUMNS.format("attachment, tag" if schema_version(source) >= TAGS_SINCE else "book, throw")
    money = source.rows(MONEY, table)
    row = next(money, None)
    for columns in source.rows(f"SELECT {named} FROM entries WHERE table_name = ? ORDER BY sequence", table):
        sequence = columns[1]
        if row is None or row[0] > sequence:
            yield Entry(columns, ())
            continue
        if row[0] < sequence:
            raise CheckFailed("transfer-stray", row[0], about="stray", entry=row[0])
        transfers: list[tuple[str, Legs]] = []
        while row is not None and row[0] == sequence:
            number, why = row[1], row[2]
            legs: list[Leg] = []
            if number != len(transfers) + 1:
                raise CheckFailed("transfers-numbered", sequence, about="stray")
            while row is not None and row[0] == sequence and row[1] == number:
                if row[3] != len(legs) + 1:
                    raise CheckFailed("postings-numbered", sequence, about="stray")
                legs.append((row[4], row[5]))
                row = next(money, None)
            transfers.append((why, tuple(legs)))
        yield Entry(columns, tuple(transfers))
    if row is not None:
        raise CheckFailed("transfer-stray", row[0], about="stray", entry=row[0])
    for (sequence,) in source.rows(ORPHANS, table):
        raise CheckFailed("posting-stray", sequence, about="stray")
