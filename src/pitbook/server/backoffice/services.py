"""The services of the back office, created once for each server."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from pitbook.server.backoffice.audits import Auditing
from pitbook.server.backoffice.export_streams import Gate
from pitbook.server.backoffice.monitor import Monitor
from pitbook.server.backoffice.paging import JournalPager
from pitbook.server.books.house_books import own_books

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.server.services import Services

Found = TypeVar("Found")
THREADS = 4
"""They read journals for those who look over the house; nobody who plays waits for them."""
EXPORTS_MAX = 2
"""So many exports are written at the same time."""
STATEMENTS_MAX = 4


class BackOffice:
    """The monitor over dice and hold, the pages of the journal, audits and exports."""

    def __init__(self, services: Services) -> None:
        self.monitor = Monitor(services.house.store, services.metrics)
        self.leaves = JournalPager(services.house.store)
        books = tuple(map(str, own_books(services.settings.books)))
        self.auditing = Auditing(services.clock, services.access.leases if services.access else None, books)
        self.signing = asyncio.Lock()
        self.signed: bytes | None = None
        """The last checkpoint made here."""
        self.exports = Gate(EXPORTS_MAX, "an export")
        self.statements = Gate(STATEMENTS_MAX, "a statement")
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="backoffice")

    async def work(self, function: Callable[..., Found], *arguments: Any) -> Found:
        """What a function gives that reads the journal; the event loop goes on meanwhile."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    def close(self) -> None:
        """The server ends."""
        self.monitor.close()
        self.auditing.end()
        self._threads.shutdown(wait=False, cancel_futures=True)


_KNOWN: WeakKeyDictionary[Services, BackOffice] = WeakKeyDictionary()


def backoffice(services: Services) -> BackOffice:
    """That of a house; made when it is first asked for."""
    found = _KNOWN.get(services)
    if found is None:
        found = _KNOWN[services] = BackOffice(services)
    return found


def length_of(services: Services, table: str) -> int:
    """How many entries a record has; none where there is none. A name that none can have is not even looked up."""
    return services.house.store.head(table).sequence if table.isprintable() else 0


def oversee(services: Services) -> Monitor:
    """Have it start and stop with the server; what the house commits goes to the monitor's `committed`."""
    watch = backoffice(services)

    async def start(_: Services) -> None:
        watch.monitor.start()

    async def stop(_: Services) -> None:
        await watch.auditing.close()

    services.on_start.append(start)
    services.on_stop.append(stop)
    services.on_close.append(watch.close)
    return watch.monitor
