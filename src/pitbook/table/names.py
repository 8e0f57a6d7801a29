"""The name by which people know a table: its number and what is played there. The pages name tables the same way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pitbook.messages import Message

if TYPE_CHECKING:
    from pitbook.table.state import Table

_NUMBER = re.compile(r"(?:t|table)?[-_ ]?([0-9]+)", re.IGNORECASE)
"""An id that is a number, like `t3`."""


def name_of_table(table: Table) -> Message:
    """Return the name of a table that has been opened: "Table 3 · Sic Bo (SG)", or by its id where it has no number."""
    assert table.setup is not None
    identity, number = table.rules.identity, table.setup.number
    book = identity.short or identity.title
    in_id = _NUMBER.fullmatch(table.id)
    if number is None and in_id is not None:
        number = int(in_id[1])
    if number is not None:
        return Message("events.common.table.numbered", {"number": number, "book": book})
    words = re.sub(r"[-_]+", " ", table.id)
    if _letters(words) in _letters(identity.title.en):
        return Message("events.common.table.of-book", {"book": book})
    name = re.sub(r"\b[a-z]", lambda first: first[0].upper(), words)
    return Message("events.common.table.named", {"name": name, "book": book})


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())
