"""What managers and auditors work with, put together once for a house."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from pitbook.server.auditing import Auditing
from pitbook.server.leaves import Leaves
from pitbook.server.sheets_out import Gate
from pitbook.server.watchman import Watchman

if TYPE_CHECKING:
    from pitbook.server.services import Services

EXPORTS_MAX = 2
"""So many exports are written at the same time."""
STATEMENTS_MAX = 4


class Oversight:
    """The watchman over dice and hold, the pages of the journal, audits and exports."""

    def __init__(self, services: Services) -> None:
        self.watchman = Watchman(services.house.store, services.metrics)
        self.leaves = Leaves(services.house.store)
        self.auditing = Auditing(services.clock)
        self.signing = asyncio.Lock()
        self.signed: bytes | None = None
        """The last checkpoint made here."""
        self.exports = Gate(EXPORTS_MAX, "an export")
        self.statements = Gate(STATEMENTS_MAX, "a statement")
        self.readers = asyncio.Semaphore(4)
        """How many pages of the journal are read at once."""


_KNOWN: WeakKeyDictionary[Services, Oversight] = WeakKeyDictionary()


def oversight(services: Services) -> Oversight:
    """That of a house; made when it is first asked for."""
    found = _KNOWN.get(services)
    if found is None:
        found = _KNOWN[services] = Oversight(services)
    return found


def length_of(services: Services, table: str) -> int:
    """How many entries a record has; none where there is none. A name that none can have is not even looked up."""
    return services.house.store.head(table).sequence if table.isprintable() else 0


def oversee(services: Services) -> Watchman:
    """Have it start and stop with the server; what the house commits goes to the watchman's `committed`."""
    watch = oversight(services)

    async def start(_: Services) -> None:
        watch.watchman.start()

    async def stop(_: Services) -> None:
        watch.auditing.close()
        await watch.auditing.finished()

    services.on_start.append(start)
    services.on_stop.append(stop)
    services.on_close.append(watch.watchman.close)
    return watch.watchman
