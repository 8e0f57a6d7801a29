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
from pitbook.house.flat_tables import Rounds, escape_formulas
from pitbook.house.records import NO_EVENTS
from pitbook.journal.entries import HOUSE
from pitbook.server.http.errors import Busy, MissingDependency

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence
    from typing import BinaryIO

    from pitbook.house.flat_tables import Row, Sheet
    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Reader

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
"""Runs a function in a thread: `await work(function, *arguments)`."""


class Span(msgspec.Struct, frozen=True):
    """A range of entries of one record, and the round in which it begins."""

    table: str
    after: int
    until: int
    round: int = 1


class RowWriter(Protocol):
    """The rows of an entry in a round."""

    def __call__(self, entry: Entry, number: int, /) -> list[Row]: ...


def read_rows(reader: Reader, spans: Sequence[Span], rows: Callable[[], RowWriter]) -> Iterator[list[Row]]:
    """Yield the rows of all these entries in lists, which may be empty; `rows` is called once for each record."""
    for span in spans:
        rounds, write, after = Rounds(span.round), rows(), span.after
        while after < span.until:
            entries = list(reader.entries(span.table, after, min(CHUNK, span.until - after)))
            if not entries:
                break
            after = entries[-1].sequence
            found: list[Row] = []
            for entry in entries:
                number = 0 if entry.kind in NO_EVENTS or span.table == HOUSE else rounds.of(entry)
                found += write(entry, number)
            yield found


class Gate:
    """A limit on concurrent exports, one for each person."""

    def __init__(self, limit: int, what: str) -> None:
        self._limit = limit
        self._what = what
        self._inside: list[str] = []
        self._guard = Lock()

    def enter(self, name: str) -> None:
        """Enter, or raise `Busy`."""
        with self._guard:
            if name in self._inside:
                raise Busy("server.export-running", what=self._what)
            if len(self._inside) >= self._limit:
                raise Busy("server.exports-running", count=len(self._inside))
            self._inside.append(name)

    def leave(self, name: str) -> None:
        with self._guard:
            self._inside.remove(name)


class Pieces:
    """Pieces of a response, each computed in a thread once the previous one was sent.

    The gate is left when the response ends or is garbage-collected, even if the client has gone.
    """

    def __init__(self, pieces: Iterator[bytes], work: Work, gate: Gate, name: str) -> None:
        self._pieces = pieces
        self._work = work
        self._leave = finalize(self, gate.leave, name)

    def __aiter__(self) -> Pieces:
        return self

    def close(self) -> None:
        """Leave the gate; may be called twice."""
        self._leave()

    async def __anext__(self) -> bytes:
        piece: bytes | None = await self._work(next, self._pieces, None)
        if piece is None:
            self._leave()
            raise StopAsyncIteration
        return piece


class PiecesStream(Stream):
    """A streamed response that leaves the gate as soon as a client disconnects."""

    def __init__(self, pieces: Pieces, *, media_type: str, headers: dict[str, str]) -> None:
        super().__init__(pieces, media_type=media_type, headers=headers)
        self._pieces = pieces

    def to_asgi_response(self, *given: Any, **named: Any) -> Any:
        """Return Litestar's response, which closes the pieces at its end."""
        sending, pieces = super().to_asgi_response(*given, **named), self._pieces

        async def send_all(scope: Any, receive: Any, send: Any) -> None:
            try:
                await sending(scope, receive, send)
            finally:
                pieces.close()

        return send_all


def as_text(columns: Sequence[str], rows: Iterator[list[Row]], form: TextFormat) -> Iterator[bytes]:
    """Yield rows as CSV with a heading, or as JSON lines."""
    if form == "csv":
        yield _csv([columns])
    for some in rows:
        if some:
            yield _csv(some) if form == "csv" else _lines(columns, some)


def _csv(rows: Sequence[Sequence[object]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(map(escape_formulas, rows))
    return out.getvalue().encode()


def _lines(columns: Sequence[str], rows: Sequence[Row]) -> bytes:
    return b"".join(msgspec.json.encode(dict(zip(columns, row, strict=True))) + b"\n" for row in rows)


def as_parquet(sheet: Sheet, rows: Iterator[list[Row]]) -> Iterator[bytes]:
    """Yield a Parquet file, written first because its footer describes the rest."""
    with tempfile.TemporaryDirectory(prefix="pitbook-export-") as folder:
        path = Path(folder) / "sheet.parquet"
        try:
            writer = WRITERS["parquet"](path, sheet)
        except InputError as error:
            raise MissingDependency("common.text", text=error) from None
        try:
            for some in rows:
                if some:
                    writer.write(some)
        finally:
            writer.close()
        file = path.open("rb")
    return _read_chunks(file)  # the file is unlinked, and deleted when it is closed


def _read_chunks(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while piece := file.read(FILE_CHUNK):
            yield piece
