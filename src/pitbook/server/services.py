"""The components of a server, built and connected once, and its lifecycle."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from litestar.di import NamedDependency

from pitbook.server.backoffice.fairness import find_alarms
from pitbook.server.backoffice.services import BackOffice
from pitbook.server.books.house_books import list_book_files
from pitbook.server.books.library import Library
from pitbook.server.http.metrics import Metrics
from pitbook.server.http.rate_limits import Rates
from pitbook.server.people.authentication import Authenticator
from pitbook.server.people.directory import Directory
from pitbook.server.people.second_factors import SecondFactors
from pitbook.server.presenters.tables import view_encoder
from pitbook.server.simulations.runs import Simulations
from pitbook.server.simulations.store import RunStore, runs_folder
from pitbook.server.streams.hub import Hub, Limits
from pitbook.server.tables.driver import Driver
from pitbook.server.tables.reply_queue import Replies
from pitbook.server.webhooks.service import Webhooks
from pitbook.tumbler.seals import SealingKeys

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pitbook.auth.passwords import Passwords
    from pitbook.auth.store import AuthStore
    from pitbook.house.house import House
    from pitbook.journal.entries import Entry
    from pitbook.journal.running_checkpoint import RunningCheckpoint
    from pitbook.server.backoffice.backups import Backups
    from pitbook.server.backoffice.fairness import FoundAlarm
    from pitbook.server.liveness import Liveness
    from pitbook.server.ownership.service import Ownership
    from pitbook.server.settings import Settings

log = logging.getLogger(__name__)

ALARMS_MAX = 500

Hook: TypeAlias = "Callable[[Services], Awaitable[None]]"


class Lifecycle:
    """The state of a server: not yet open, open, stopping."""

    def __init__(self) -> None:
        self.open = False
        self.stopping = False
        self.address = ""
        """The address that the server listens on, once it does: http://127.0.0.1:8000."""


class Services:
    """Everything that a handler may need: `services: HouseServices` in its signature provides it."""

    def __init__(
        self,
        settings: Settings,
        house: House,
        auth: AuthStore,
        *,
        authenticator: Authenticator | None = None,
        passwords: Passwords | None = None,
        hub: Hub | None = None,
        liveness: Liveness | None = None,
        ownership: Ownership | None = None,
        checkpoint: RunningCheckpoint | None = None,
        backups: Backups | None = None,
    ) -> None:
        self.settings: Final = settings
        self.house: Final = house
        self.auth: Final = auth
        self.library: Final = Library(house.books.editions)
        self.clock: Final = house.now
        self.metrics: Final = Metrics()
        self.authenticator: Final = authenticator or Authenticator(
            settings, house, auth, Directory(house), Rates(settings), clock=house.now, passwords=passwords
        )
        self.people: Final = self.authenticator.directory
        self.rates: Final = self.authenticator.rates
        self.hub: Final = hub or Hub(
            house.store,
            view_encoder(house),
            Limits(
                watchers_max=settings.watchers_max,
                per_address_max=settings.watchers_per_address,
                heartbeat_seconds=settings.heartbeat,
            ),
            find_viewer=self.authenticator.viewer,
        )
        keys = partial(SealingKeys.load, settings.sealing_key_path)
        self.driver: Final = Driver(house, auth, keys, clock=house.now, on_draw=self.metrics.count_draw)
        if ownership is not None:
            self.driver.should_drive = ownership.should_drive
        files = tuple(map(str, list_book_files(settings.books)))
        self.backoffice: Final = BackOffice(house, self.metrics, auth.leases, files)
        self.simulations: Final = Simulations(RunStore(runs_folder(settings)), self.library, house.now, auth.leases)
        self.liveness: Final = liveness
        """The record that this process lives, where others may serve the same house."""
        self.ownership: Final = ownership
        """The tables that this process owns, where others may serve the same house."""
        self.router: Final = house if ownership is None else ownership.router
        """The receiver of commands: the house itself, or the router to the process that owns the table."""
        self.checkpoint: Final = checkpoint
        self.backups: Final = backups
        self.webhooks: Final = Webhooks(
            settings,
            house,
            auth,
            self.metrics,
            lambda: self.find_alarms() if self.backoffice.monitor.complete else None,
        )
        self.lifecycle: Final = Lifecycle()
        self.second_factors: Final = SecondFactors(self.authenticator, lambda: self.lifecycle.address)
        self.replies: Final = Replies()
        self.greetings: Final[list[Callable[[str], str]]] = []
        """Each returns a line to print once the server listens at the address that it is given."""
        self.on_start: Final[list[Hook]] = []
        """Awaited in order before the first request."""
        self.on_stop: Final[list[Hook]] = []
        """Awaited in reverse order when the server is asked to stop, before it waits for open requests."""
        self.on_close: Final[list[Callable[[], None]]] = []
        """Called in reverse order at the very end, to close stores and threads."""
        self.people.on_change.append(self.authenticator.signed_out)
        self.authenticator.on_sign_out.append(self.hub.revalidate)
        self.hub.on_heard.append(lambda table: self.driver.changed((table,)))
        self.hub.on_heard.append(lambda _table: self.webhooks.wake())
        self.metrics.watch(self.hub)
        if ownership is not None:
            ownership.report(self.metrics)

    def committed(self, entries: Mapping[str, tuple[Entry, ...]]) -> None:
        """Pass on what this process has committed to everyone who follows it; called in the journal's threads."""
        self.metrics.count_commit(sum(map(len, entries.values())))
        if self.checkpoint is not None:
            self.checkpoint.committed(entries)
        self.people.committed(entries)
        self.hub.committed(entries)
        self.driver.changed(entries)
        self.backoffice.monitor.committed(entries)
        self.webhooks.committed(entries)

    def find_alarms(self) -> list[FoundAlarm]:
        """Return the alarms of the house, as far as its records have been read; not in the event loop."""
        running = self.checkpoint
        checkpoint = [] if running is None else [*running.alarms, *running.failures]
        records = self.backoffice.monitor.records()
        backups = [] if self.backups is None else self.backups.alarms
        return find_alarms(records, self.house, ALARMS_MAX, checkpoint, backups, self.webhooks.failing())

    async def start(self) -> None:
        """Open; a hook that fails keeps the server from starting."""
        for hook in self.on_start:
            await hook(self)
        self.lifecycle.open = True

    async def stop(self) -> None:
        """Begin to stop; do nothing the second time."""
        if self.lifecycle.stopping:
            return
        self.lifecycle.stopping = True
        for hook in reversed(self.on_stop):
            try:
                await hook(self)
            except Exception:
                log.exception("while stopping")

    def set_deadline(self, moment: float) -> None:
        """Let no call wait for a database beyond a time of the monotonic clock."""
        self.house.store.set_deadline(moment)
        self.auth.set_deadline(moment)

    def close(self) -> None:
        """Close everything, even if closing one part fails."""
        while self.on_close:
            try:
                self.on_close.pop()()
            except Exception:
                log.exception("while closing")


HouseServices: TypeAlias = NamedDependency[Services]
HouseLibrary: TypeAlias = NamedDependency[Library]
"""The type of the parameter `services` of a handler."""
