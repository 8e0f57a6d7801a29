"""The numbers of tables on the floor: no two open tables of the house have the same, in the journal's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.table.commands import ChangeSetup, OpenTable
from pitbook.table.state import Table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from pitbook.house.state import HouseState
    from pitbook.journal.decisions import Sequences
    from pitbook.table.commands import Command

NUMBERS = "numbers of tables"
"""What commands lock before they look for a number; no table can have this name."""


def number_holder(command: Command, table: str, tables: Iterable[Table]) -> str | None:
    """Return another open table that has the number in a command's set-up, or None."""
    number = command.setup.number if isinstance(command, OpenTable | ChangeSetup) else None
    if number is None:
        return None
    numbered = (one for one in tables if one.open and one.setup is not None and one.setup.number == number)
    return next((one.id for one in numbered if one.id != table), None)


def tables_in_order(others: Sequences[Table | HouseState], disabled: Collection[str]) -> Iterator[Table]:
    """Yield the tables as a transaction sees them, while no other transaction gives a table a number.

    Commands that give numbers are decided one after the other, whichever process takes them.
    """
    others.lock(NUMBERS)
    for name in others.names():
        state = None if name in disabled else others.view(name)
        if isinstance(state, Table):
            yield state
