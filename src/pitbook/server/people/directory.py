"""The accounts of the house, in memory and up to date.

Commits of this process are seen at once; those of other processes are polled twice a second.
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
    from pitbook.people.values import Policy
    from pitbook.server.people.pseudonyms import Pseudonyms

log = logging.getLogger(__name__)

POLL_SECONDS = 0.5
PAGE = 1_000
SIGN_OUT_EVENTS = ("SignedOut", "SessionEnded", "PasswordSet", "TokenRevoked")
"""Entries after which a credential may no longer be valid."""
NAMING_EVENTS = ("PersonAdded", "PersonRegistered", "FactorAdded", "SessionEnded")
"""Entries after which names may have been added beside the journal, or erased."""


class Directory:
    """The accounts, and callbacks for changes of rights."""

    def __init__(self, house: House, *, poll_seconds: float = POLL_SECONDS) -> None:
        self._house = house
        self.pseudonyms: Pseudonyms | None = None
        """The display names that are stored beside the journal; None for none."""
        self._poll_seconds = poll_seconds
        self._read = house.store.head(HOUSE).sequence
        self._compared = house.people
        self._lock = Lock()
        self._polling: asyncio.Task[None] | None = None
        self.on_change: list[Callable[[str], None]] = []
        """Called, in any thread, with the name of everyone whose rights changed here or elsewhere.

        People who signed out elsewhere are included; those who did so here are not, since that is known already.
        """

    @property
    def state(self) -> People:
        """The people, as this process last saw them, with their display names."""
        people = self._house.people_seen
        return people if self.pseudonyms is None else self.pseudonyms.with_display_names(people)

    def find(self, name: str) -> Account | None:
        """Return the account of that name, even if it is closed."""
        return self.state.find(name)

    async def fetch(self, name: str) -> Account | None:
        """Return an account, after reading the journal if this process does not know it yet."""
        found = self.find(name)
        if found is None:
            await asyncio.to_thread(self.refresh)
            found = self.find(name)
        return found

    def committed(self, entries: Mapping[str, tuple[Entry, ...]]) -> None:
        """Take in what this process has committed. Thread-safe."""
        found = entries.get(HOUSE)
        if not found:
            return
        with self._lock:
            if found[0].sequence == self._read + 1:
                self._read = found[-1].sequence
            changed = self._compare(self._house.people_seen)
        self._notify(changed)

    def refresh(self) -> None:
        """Read what other processes have committed; blocks briefly."""
        found = list(self._house.store.entries(HOUSE, self._read, PAGE))
        if not found:
            return
        people = self._house.people
        if self.pseudonyms is not None and any(entry.kind in NAMING_EVENTS for entry in found):
            self.pseudonyms.reload()
        ended = {_person(entry) for entry in found if entry.kind in SIGN_OUT_EVENTS}
        with self._lock:
            self._read = max(self._read, found[-1].sequence)
            changed = self._compare(people)
        self._notify(changed | ended)

    def start(self) -> None:
        """Start polling if there can be other processes; call this in the event loop."""
        if hasattr(self._house.store, "watch"):
            self._polling = asyncio.get_running_loop().create_task(self._poll())

    async def close(self) -> None:
        """Stop polling."""
        if self._polling is not None:
            self._polling.cancel()
            await asyncio.wait((self._polling,))

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(self._poll_seconds)
            try:
                await asyncio.to_thread(self.refresh)
            except Exception as error:
                log.warning("the accounts cannot be read; using the last known ones: %s", error)

    def _compare(self, people: People) -> set[str]:
        """Return whose roles, second factors or account have changed since the last comparison."""
        before, policy, self._compared = self._compared.accounts, self._compared.policy, people
        return {
            account.name
            for key, account in people.accounts.items()
            if (old := before.get(key)) is not account
            and old is not None
            and (old.roles, old.active, old.factors) != (account.roles, account.active, account.factors)
        } | _required_since(policy, people)

    def _notify(self, names: set[str]) -> None:
        for name in names:
            for callback in self.on_change:
                callback(name)


def _required_since(before: Policy, people: People) -> set[str]:
    """Return who needs a second factor by a policy that was set since."""
    if before.factor_roles == people.policy.factor_roles:
        return set()
    return {one.name for one in people.accounts.values() if people.policy.requires_factor(one.roles)}


def _person(entry: Entry) -> str:
    return str(msgspec.json.decode(entry.body)["person"])
