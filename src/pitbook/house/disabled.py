"""Disabled tables: the book is missing, the record is damaged, or a part of it was lost."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pitbook.errors import InputError

Cause = Literal["book", "record", "lost"]
"""The book is missing; the record cannot be read; entries of a running checkpoint are missing."""


class DisabledTable(NamedTuple):
    """A table that does not run, and what to do about it."""

    table: str
    cause: Cause
    says: str
    """What is wrong and what to do, in one sentence."""


class TableDisabled(InputError):
    """A command or query for a disabled table."""

    def __init__(self, disabled: DisabledTable) -> None:
        super().__init__(f"table {disabled.table} is disabled: {disabled.says}")
        self.disabled = disabled
