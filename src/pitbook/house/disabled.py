"""Tables that do not run, each for itself: its book is missing, its record is damaged, or a part of it was lost."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pitbook.errors import InputError

Cause = Literal["book", "record", "lost"]
"""Its book is not here; its record cannot be read; entries that a running checkpoint has signed are not there."""


class DisabledTable(NamedTuple):
    """A table that does not run, and what to do about it."""

    table: str
    cause: Cause
    says: str
    """What is wrong and what to do, in one sentence."""


class TableDisabled(InputError):
    """A table was asked that does not run."""

    def __init__(self, disabled: DisabledTable) -> None:
        super().__init__(f"table {disabled.table} is disabled: {disabled.says}")
        self.disabled = disabled
