"""The components of the back office."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from pitbook.server.backoffice.audits import AuditRunner
from pitbook.server.backoffice.export_streams import Gate
from pitbook.server.backoffice.monitor import Monitor
from pitbook.server.backoffice.paging import JournalPager

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.auth.leases import Leases
    from pitbook.house.house import House
    from pitbook.journal.port import Store
    from pitbook.server.http.metrics import Metrics

Result = TypeVar("Result")
THREADS = 4
"""Threads that read journals; players never wait for them."""
EXPORTS_MAX = 2
"""The most concurrent exports."""
STATEMENTS_MAX = 4


class BackOffice:
    """The monitor of dice and hold, pages of the journal, audits and exports."""

    def __init__(self, house: House, metrics: Metrics, leases: Leases, own_books: tuple[str, ...]) -> None:
        self.monitor = Monitor(house.store, house.books, metrics)
        self.pager = JournalPager(house.store, house.books)
        self.auditing = AuditRunner(house.now, leases, own_books)
        self.signing = asyncio.Lock()
        self.signed: bytes | None = None
        """The last checkpoint made here."""
        self.exports = Gate(EXPORTS_MAX, "an export")
        self.statements = Gate(STATEMENTS_MAX, "a statement")
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="backoffice")

    async def work(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Return the result of a function that reads the journal, called in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    def close(self) -> None:
        """Stop the monitor, the audit and the threads."""
        self.monitor.close()
        self.auditing.cancel_silently()
        self._threads.shutdown(wait=False, cancel_futures=True)


def length_of(store: Store, table: str) -> int:
    """Return how many entries a record has, 0 if there is none; an impossible name is not even looked up."""
    return store.head(table).sequence if table.isprintable() else 0
