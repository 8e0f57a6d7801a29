"""Events for the house's register of dice when a table moves dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.dice_register import events as register
from pitbook.table import commands as c
from pitbook.table import events as e

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitbook.dice_register.state import Register
    from pitbook.table.state import Table

MOVING: tuple[type[c.Command], ...] = (c.PutDice, c.TakeOutDice, c.CloseTable, c.PutAwayShaker, c.UseShaker)
"""Commands that may move dice, and are decided together with the register."""

MOVED = (e.DicePut, e.DiceTakenOut)
"""Events that the register records too."""


def register_events(
    table: Table, event: e.DicePut | e.DiceTakenOut, known: Register, by: str
) -> Iterator[register.Event]:
    """Yield the register's events for an event at a table, as it was before the event."""
    name, at, record = event.set, event.at, known.sets.get(event.set)
    shaker = "" if table.craps else table.shaker
    if isinstance(event, e.DicePut):
        if record is None:
            yield register.DiceReceived(name, at, by, event.serials)
        yield register.DiceUsed(name, at, by, table.id, shaker, event.first_used, event.serials)
        return
    if record is None and table.dice is not None:  # put in before there was a register
        yield register.DiceReceived(name, at, by)
        yield register.DiceUsed(name, at, by, table.id, shaker, table.dice.since)
    if record is None or record.table == table.id:
        yield register.DiceReturned(name, at, by, table.id, event.reason, event.fate)
