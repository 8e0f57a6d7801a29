"""The people of the house as every request needs them: at hand without a look at the journal, and never old.

What this process commits is seen at once. What other processes commit is looked for twice a second.
"""

from __future__ import annotations

import asyncio
import logging
from threading import Lock
from typing import TYPE_CHECKING

from pitbook.journal.entries import HOUSE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pitbook.house.house import House
    from pitbook.journal.entries import Entry
    from pitbook.people.state import Account, People

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5


class Directory:
    """Who there is, and who is told when somebody's rights change."""

    def __init__(self, house: House, *, look_seconds: float = LOOK_SECONDS) -> None:
        self._house = house
        self._look_seconds = look_seconds
        self._compared = house.people
        self._lock = Lock()
        self._looking: asyncio.Task[None] | None = None
        self.on_change: list[Callable[[str], None]] = []
        """Called, in any thread, with the name of everybody whose roles or whose account changed."""

    @property
    def state(self) -> People:
        """The people, as this process last saw them."""
        return self._house.people_seen

    def find(self, name: str) -> Account | None:
        """The account of that name, closed ones too."""
        return self._house.people_seen.find(name)

    def committed(self, entries: Mapping[str, tuple[Entry, ...]]) -> None:
        """What this process has just committed; from any thread."""
        if HOUSE in entries:
            self._compare(self._house.people_seen)

    def refresh(self) -> None:
        """Looks into the journal for what others have committed. It blocks shortly."""
        self._compare(self._house.people)

    def start(self) -> None:
        """Looks from now on; called in the loop that serves."""
        self._looking = asyncio.get_running_loop().create_task(self._look())

    async def close(self) -> None:
        """Looks no more."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait((self._looking,))

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(self._look_seconds)
            try:
                await asyncio.to_thread(self.refresh)
            except Exception as error:
                log.warning("the people of the house cannot be read, those last seen hold: %s", error)

    def _compare(self, people: People) -> None:
        with self._lock:
            before, self._compared = self._compared, people
        if before.accounts is people.accounts:
            return
        for key, account in people.accounts.items():
            old = before.accounts.get(key)
            if old is account or old is None:
                continue
            if old.roles != account.roles or old.active != account.active:
                for tell in self.on_change:
                    tell(account.name)
