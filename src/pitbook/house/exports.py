"""Write flat tables to files for other programs, as CSV or Parquet."""

from __future__ import annotations

import csv
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, Protocol

from pitbook.errors import InputError
from pitbook.house.flat_tables import NUMBERS, SHEETS, Rounds, escape_formulas
from pitbook.house.records import NO_EVENTS
from pitbook.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import TextIO

    from pitbook.house.flat_tables import Row, Sheet
    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Head, Reader

BATCH = 10_000
"""Rows that are held at a time."""


class Writer(Protocol):
    """A writer of one sheet's rows."""

    def write(self, rows: Sequence[Row]) -> None: ...

    def close(self) -> None: ...


class CsvWriter:
    """A CSV file that a spreadsheet can open."""

    def __init__(self, path: Path, sheet: Sheet) -> None:
        self._file: TextIO = path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file)
        self._writer.writerow(sheet.columns)

    def write(self, rows: Sequence[Row]) -> None:
        self._writer.writerows(map(escape_formulas, rows))

    def close(self) -> None:
        self._file.close()


class ParquetWriter:
    """A Parquet file; needs the extra `export`."""

    def __init__(self, path: Path, sheet: Sheet) -> None:
        pyarrow, parquet = _pyarrow()
        kinds = [pyarrow.int64() if name in NUMBERS else pyarrow.string() for name in sheet.columns]
        self._schema = pyarrow.schema(list(zip(sheet.columns, kinds, strict=True)))
        self._make = pyarrow.record_batch
        self._writer = parquet.ParquetWriter(path, self._schema)

    def write(self, rows: Sequence[Row]) -> None:
        columns = [list(column) for column in zip(*rows, strict=True)]
        self._writer.write_batch(self._make(columns, schema=self._schema))

    def close(self) -> None:
        self._writer.close()


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise InputError("journal.no-pyarrow") from error
    return pyarrow, parquet


WRITERS: Mapping[str, Callable[[Path, Sheet], Writer]] = {"csv": CsvWriter, "parquet": ParquetWriter}
"""File formats by their extension."""


def export(
    reader: Reader, heads: Mapping[str, Head], folders: Mapping[str, Path], *, force: bool = False
) -> Iterator[tuple[str, int]]:
    """Write these tables up to their heads into a folder for each format; yield the progress.

    A file gets its name once it is complete; files are only overwritten by force.
    """
    files = [(folder / f"{sheet.name}.{kind}", kind, sheet) for kind, folder in folders.items() for sheet in SHEETS]
    for path, _, _ in files:
        if path.exists() and not force:
            raise InputError("journal.export-exists", file=path)
    try:
        with ExitStack() as stack:
            sinks: list[_Sink] = []
            for path, kind, sheet in files:
                path.parent.mkdir(parents=True, exist_ok=True)
                sinks.append(_Sink(WRITERS[kind](_unfinished(path), sheet), sheet))
                stack.callback(sinks[-1].writer.close)
            for table, head in heads.items():
                rounds = Rounds()
                for done, entry in enumerate(reader.entries(table, 0, head.sequence), 1):
                    number = 0 if entry.kind in NO_EVENTS else rounds.of(entry)
                    for sink in sinks:
                        sink.put(entry, number)
                    if done % 1_000 == 0 or done == head.sequence:
                        yield table, done
            for sink in sinks:
                sink.flush()
        for path, _, _ in files:
            _unfinished(path).rename(path)
    except OSError as error:
        raise InputError(
            "common.not-written",
            file=error.filename or Message("errors.journal.the-files"),
            reason=error.strerror or error,
        ) from error
    finally:
        for path, _, _ in files:
            with suppress(OSError):
                _unfinished(path).unlink()


def _unfinished(path: Path) -> Path:
    return path.with_name(path.name + ".unfinished")


class _Sink:
    """A sheet's writer with a buffer of rows."""

    def __init__(self, writer: Writer, sheet: Sheet) -> None:
        self.writer = writer
        self._rows = sheet.rows
        self._waiting: list[Row] = []

    def put(self, entry: Entry, number: int) -> None:
        self._waiting += self._rows(entry, number)
        if len(self._waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        if self._waiting:
            self.writer.write(self._waiting)
            self._waiting = []
