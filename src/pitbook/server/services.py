"""What handlers work with, put together once; and the course of a server from its start to its stop."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from litestar.di import NamedDependency

from pitbook.server.http.metrics import Metrics
from pitbook.server.tables.reply_queue import Replies

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pitbook.house.house import House
    from pitbook.journal.running_checkpoint import RunningCheckpoint
    from pitbook.server.liveness import Liveness
    from pitbook.server.settings import Settings

log = logging.getLogger(__name__)

Hook: TypeAlias = "Callable[[Services], Awaitable[None]]"


def now() -> datetime:
    """The time of this machine."""
    return datetime.now(UTC)


class Lifecycle:
    """Where a server is: not yet open, open, stopping."""

    def __init__(self) -> None:
        self.open = False
        self.stopping = False
        self.address = ""
        """Where it really listens, once it does: http://127.0.0.1:8000."""


class Services:
    """Everything a handler may need: `services: HouseServices` in its signature gives it."""

    def __init__(
        self,
        settings: Settings,
        house: House,
        *,
        access: Any = None,
        people: Any = None,
        hub: Any = None,
        driver: Any = None,
        desk: Any = None,
        rates: Any = None,
        clock: Callable[[], datetime] | None = None,
        metrics: Metrics | None = None,
        liveness: Liveness | None = None,
        checkpoint: RunningCheckpoint | None = None,
    ) -> None:
        self.settings: Final = settings
        self.house: Final = house
        self.access: Final = access
        self.people: Final = people
        self.hub: Final = hub
        self.driver: Final = driver
        self.desk: Final = desk
        self.rates: Final = rates
        self.clock: Final = clock or now
        self.metrics: Final = metrics or Metrics()
        self.liveness: Final = liveness
        """The record that this process lives, where others may serve the same house."""
        self.checkpoint: Final = checkpoint
        self.course: Final = Lifecycle()
        self.replies: Final = Replies()
        self.greetings: Final[list[Callable[[str], str]]] = []
        """Each gives a line to print once the server listens; it is handed the address."""
        self.on_start: Final[list[Hook]] = []
        """Awaited in order before the first request."""
        self.on_stop: Final[list[Hook]] = []
        """Awaited in reverse when a stop is asked for, before open requests are waited for: streams say good-bye."""
        self.on_close: Final[list[Callable[[], None]]] = []
        """Called in reverse at the very end, when nobody asks any more: stores are closed here."""

    async def start(self) -> None:
        """Open: a hook that fails keeps the server from starting."""
        for hook in self.on_start:
            await hook(self)
        self.course.open = True

    async def stop(self) -> None:
        """Begin to stop. The second time nothing happens."""
        if self.course.stopping:
            return
        self.course.stopping = True
        for hook in reversed(self.on_stop):
            try:
                await hook(self)
            except Exception:
                log.exception("while stopping")

    def end_by(self, moment: float) -> None:
        """Let nobody wait for a database beyond a moment of the monotonic clock."""
        self.house.store.end_by(moment)
        self.access.end_by(moment)

    def close(self) -> None:
        """Let go of everything; one that fails does not keep the others open."""
        while self.on_close:
            try:
                self.on_close.pop()()
            except Exception:
                log.exception("while closing")


HouseServices: TypeAlias = NamedDependency[Services]
"""How a handler asks for them; the parameter is called `services`."""
