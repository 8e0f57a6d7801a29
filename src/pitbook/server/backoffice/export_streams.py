"""Stream exports of the journal piece by piece, so that none is held in memory as a whole."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias
from weakref import finalize

import msgspec
from litestar.response import Stream

from pitbook.errors import InputError
from pitbook.house.exports import WRITERS
from pitbook.house.flat_tables import Rounds, harmless
from pitbook.house.records import NO_EVENTS
from pitbook.journal.entries import HOUSE
from pitbook.server.http.errors import Busy, MissingDependency

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence
    from typing import BinaryIO

    from pitbook.house.flat_tables import Row, Sheet
    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Reading

CHUNK = 1_000
"""Entries that are read at a time."""
FILE_CHUNK = 1 << 16
TextFormat = Literal["csv", "json-lines"]
SheetFormat = Literal["csv", "json-lines", "parquet"]
MEDIA_TYPES: dict[SheetFormat, str] = {
    "csv": "text/csv; charset=utf-8",
    "json-lines": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
}
ENDINGS: dict[SheetFormat, str] = {"csv": "csv", "json-lines": "jsonl", "parquet": "parquet"}


Work: TypeAlias = "Callable[..., Awaitable[Any]]"
"""Has a thread do it: `await work(function, *arguments)`."""


class Span(msgspec.Struct, frozen=True):
    """Entries of one record: after a number, up to another, beginning in a round."""

    table: str
    after: int
    until: int
    round: int = 1


class RowsOf(Protocol):
    """The rows that an entry gives in a round."""

    def __call__(self, entry: Entry, number: int, /) -> list[Row]: ...


def rows_of(reading: Reading, spans: Sequence[Span], rows: Callable[[], RowsOf]) -> Iterator[list[Row]]:
    """The rows of all these entries, some at a time; an empty list is a pause. `rows` begins anew for each record."""
    for span in spans:
        rounds, write, after = Rounds(span.round), rows(), span.after
        while after < span.until:
            entries = list(reading.entries(span.table, after, min(CHUNK, span.until - after)))
            if not entries:
                break
            after = entries[-1].sequence
            found: list[Row] = []
            for entry in entries:
                number = 0 if entry.kind in NO_EVENTS or span.table == HOUSE else rounds.of(entry)
                found += write(entry, number)
            yield found


class Gate:
    """Lets so many through at a time, and each name once; nobody waits."""

    def __init__(self, most: int, what: str) -> None:
        self._most = most
        self._what = what
        self._inside: list[str] = []
        self._guard = Lock()

    def enter(self, name: str) -> None:
        """In, or `Busy`."""
        with self._guard:
            if name in self._inside:
                raise Busy(f"{self._what} of yours is being written; wait for it, and ask again")
            if len(self._inside) >= self._most:
                raise Busy(f"{len(self._inside)} others are written already; ask again in a moment")
            self._inside.append(name)

    def leave(self, name: str) -> None:
        """Out."""
        with self._guard:
            self._inside.remove(name)


class Pieces:
    """Pieces of an answer, each made in a thread when the one before it was sent.

    The gate is left when the answer is over or forgotten, whatever became of who asked.
    """

    def __init__(self, pieces: Iterator[bytes], work: Work, gate: Gate, name: str) -> None:
        self._pieces = pieces
        self._work = work
        self._leave = finalize(self, gate.leave, name)

    def __aiter__(self) -> Pieces:
        return self

    def over(self) -> None:
        """The answer is over; it may be said twice."""
        self._leave()

    async def __anext__(self) -> bytes:
        piece: bytes | None = await self._work(next, self._pieces, None)
        if piece is None:
            self._leave()
            raise StopAsyncIteration
        return piece


class PiecesStream(Stream):
    """Pieces as an answer. Whoever breaks off leaves the gate at once, and not when memory is next cleared away."""

    def __init__(self, pieces: Pieces, *, media_type: str, headers: dict[str, str]) -> None:
        super().__init__(pieces, media_type=media_type, headers=headers)
        self._pieces = pieces

    def to_asgi_response(self, *given: Any, **named: Any) -> Any:
        """Litestar's, and what is to be done after it."""
        sending, pieces = super().to_asgi_response(*given, **named), self._pieces

        async def send_all(scope: Any, receive: Any, send: Any) -> None:
            try:
                await sending(scope, receive, send)
            finally:
                pieces.over()

        return send_all


def as_text(columns: Sequence[str], rows: Iterator[list[Row]], form: TextFormat) -> Iterator[bytes]:
    """Rows as CSV with a heading, or as a JSON object on each line."""
    if form == "csv":
        yield _csv([columns])
    for some in rows:
        if some:
            yield _csv(some) if form == "csv" else _lines(columns, some)


def _csv(rows: Sequence[Sequence[object]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(map(harmless, rows))
    return out.getvalue().encode()


def _lines(columns: Sequence[str], rows: Sequence[Row]) -> bytes:
    return b"".join(msgspec.json.encode(dict(zip(columns, row, strict=True))) + b"\n" for row in rows)


def as_parquet(sheet: Sheet, rows: Iterator[list[Row]]) -> Iterator[bytes]:
    """Rows as a Parquet file: its end describes the rest, so it is written first and sent then."""
    with tempfile.TemporaryDirectory(prefix="pitbook-export-") as folder:
        path = Path(folder) / "sheet.parquet"
        try:
            writer = WRITERS["parquet"](path, sheet)
        except InputError as mistake:
            raise MissingDependency(str(mistake)) from None
        try:
            for some in rows:
                if some:
                    writer.write(some)
        finally:
            writer.close()
        file = path.open("rb")
    return _sent(file)  # the file has no name any more, and goes when it is closed


def _sent(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while piece := file.read(FILE_CHUNK):
            yield piece
