"""Infrastructure errors of the journal. Errors that a person can correct are `InputError`."""

from __future__ import annotations


class Unavailable(Exception):
    """The journal cannot write or read now. Nothing was acknowledged; try again later."""


class ClockJumped(Exception):
    """The clock jumped, or the record is ahead of it. Nothing was recorded; a manager can accept the time."""


class Damaged(Unavailable):
    """Part of the database file is corrupt."""


class Conflict(Exception):
    """A concurrent transaction interfered; the transaction must be retried."""


class Fenced(Exception):
    """The writer was replaced: the table has a command with a higher fence. Nothing was recorded."""


class Violated(Exception):
    """A constraint rejected a command's entries, which is a bug in its decision. Nothing was recorded."""


class Broken(Exception):
    """The hash chain is broken: the first wrong entry, and the reason."""

    def __init__(self, table: str, sequence: int, why: str) -> None:
        super().__init__(f"table {table!r}, entry {sequence}: {why}")
        self.table = table
        self.sequence = sequence
        self.why = why
