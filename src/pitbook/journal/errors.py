"""Infrastructure errors of the journal. Errors that a person can correct are `InputError`."""

from __future__ import annotations

from typing import Any

from pitbook.messages import compose


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


class ConstraintViolation(Exception):
    """A constraint rejected a command's entries, which is a bug in its decision. Nothing was recorded."""


class Broken(Exception):
    """The hash chain is broken: the first wrong entry, and the reason as a message of `errors.journal.broken`."""

    def __init__(self, at: str, sequence: int, reason: str, /, **params: Any) -> None:
        why = compose(f"errors.journal.broken.{reason}", **params)
        self.message = compose("errors.journal.broken.at", table=repr(at), entry=sequence, reason=why)
        super().__init__(self.message)
        self.table = at
        self.sequence = sequence
