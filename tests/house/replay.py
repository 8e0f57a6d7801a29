"""An independent replay of a table from its journal."""

from __future__ import annotations

from functools import reduce

from pitbook.house.books import HouseBooks
from pitbook.house.codec import read_event
from pitbook.house.records import NO_EVENTS
from pitbook.journal.port import Reader
from pitbook.table.evolve import evolve
from pitbook.table.state import Table


def folded(reader: Reader, name: str) -> Table:
    """Return a table rebuilt from its journal entries."""
    events = (read_event(entry.body) for entry in reader.entries(name) if entry.kind not in NO_EVENTS)
    return reduce(evolve, events, HouseBooks().new_table(name))
