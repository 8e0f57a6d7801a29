"""Infrastructure errors of the journal: what people can correct is an `InputError` instead."""

from __future__ import annotations


class Unavailable(Exception):
    """The journal cannot write (or read) now. Nothing was acknowledged, nothing was paid; try again later."""


class ClockJumped(Exception):
    """The clock cannot be believed, or the record is ahead of it. Nothing was done; a manager can accept the time."""


class Damaged(Unavailable):
    """A part of the database's file cannot be read: its pages are not what was written."""


class Conflict(Exception):
    """Another process came between: the database asks to run the transaction again."""


class Fenced(Exception):
    """The writer was replaced: a command under a higher fence was written to the table. Nothing was done."""


class Violated(Exception):
    """The database refused what a command would have written: a bug in what decided it. Nothing of it is kept."""


class Broken(Exception):
    """The record is not what was written: the first entry that is wrong, and why."""

    def __init__(self, table: str, sequence: int, why: str) -> None:
        super().__init__(f"table {table!r}, entry {sequence}: {why}")
        self.table = table
        self.sequence = sequence
        self.why = why
