"""The people of the house as every request needs them: at hand without a look at the journal, and never old.

What this process commits is seen at once. What other processes commit is looked for twice a second.
"""

from __future__ import annotations

import asyncio
import logging
from threading import Lock
from typing import TYPE_CHECKING

import msgspec

from pitbook.journal.entries import HOUSE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pitbook.house.house import House
    from pitbook.journal.entries import Entry
    from pitbook.people.state import Account, People

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
PAGE = 1_000
ENDING = ("SignedOut", "SessionEnded", "PasswordSet", "TokenRevoked")
"""Entries after which what let somebody in may let them in no more."""


class Directory:
    """Who there is, and who is told when somebody's rights change."""

    def __init__(self, house: House, *, look_seconds: float = LOOK_SECONDS) -> None:
        self._house = house
        self._look_seconds = look_seconds
        self._read = house.store.head(HOUSE).sequence
        self._compared = house.people
        self._lock = Lock()
        self._looking: asyncio.Task[None] | None = None
        self.on_change: list[Callable[[str], None]] = []
        """Called, in any thread, with the name of everybody whose rights changed here or elsewhere.

        Who signed out elsewhere is named too; who does so here is not, for that is known already.
        """

    @property
    def state(self) -> People:
        """The people, as this process last saw them."""
        return self._house.people_seen

    def find(self, name: str) -> Account | None:
        """The account of that name, closed ones too."""
        return self._house.people_seen.find(name)

    async def sought(self, name: str) -> Account | None:
        """The same, with a look into the journal where it is not known: another process may just have made it."""
        found = self.find(name)
        if found is None:
            await asyncio.to_thread(self.refresh)
            found = self.find(name)
        return found

    def committed(self, entries: Mapping[str, tuple[Entry, ...]]) -> None:
        """What this process has just committed; from any thread."""
        found = entries.get(HOUSE)
        if not found:
            return
        with self._lock:
            if found[0].sequence == self._read + 1:
                self._read = found[-1].sequence
            changed = self._compare(self._house.people_seen)
        self._tell(changed)

    def refresh(self) -> None:
        """Looks into the journal for what others have committed. It blocks shortly."""
        found = list(self._house.store.entries(HOUSE, self._read, PAGE))
        if not found:
            return
        people = self._house.people
        ended = {_person(entry) for entry in found if entry.kind in ENDING}
        with self._lock:
            self._read = max(self._read, found[-1].sequence)
            changed = self._compare(people)
        self._tell(changed | ended)

    def start(self) -> None:
        """Looks from now on, if there can be other processes at all; called in the loop that serves."""
        if hasattr(self._house.store, "watch"):
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

    def _compare(self, people: People) -> set[str]:
        """Whose roles or account have changed since the last look."""
        before, self._compared = self._compared.accounts, people
        return {
            account.name
            for key, account in people.accounts.items()
            if (old := before.get(key)) is not account
            and old is not None
            and (old.roles, old.active) != (account.roles, account.active)
        }

    def _tell(self, names: set[str]) -> None:
        for name in names:
            for tell in self.on_change:
                tell(name)


def _person(entry: Entry) -> str:
    return str(msgspec.json.decode(entry.body)["person"])
