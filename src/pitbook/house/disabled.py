"""Disabled tables: the book is missing, the record is damaged, or a part of it was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pitbook.errors import InputError

if TYPE_CHECKING:
    from pitbook.messages import Message

Cause = Literal["book", "record", "lost"]
"""The book is missing; the record cannot be read; entries of a running checkpoint are missing."""


class DisabledTable(NamedTuple):
    """A table that does not run, and what to do about it."""

    table: str
    cause: Cause
    message: Message
    """What is wrong and what to do."""

    @property
    def says(self) -> str:
        """The message in English."""
        return self.message.text()


class TableDisabled(InputError):
    """A command or query for a disabled table."""

    def __init__(self, disabled: DisabledTable) -> None:
        super().__init__("journal.table-disabled", table=disabled.table, reason=disabled.message)
        self.disabled = disabled
