"""How the clock related to this machine's steady counter, kept beside the journal for as long as the machine runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.journal.clocks import boot_id

if TYPE_CHECKING:
    from pitbook.auth.store import AuthStore


class ClockReference:
    """The reference of this run of the machine: after it was off, its steady counter has nothing to say."""

    def __init__(self, auth: AuthStore) -> None:
        self._auth = auth
        boot = boot_id()
        self._key = None if boot is None else f"clock {boot}"

    def recall(self) -> str | None:
        """Return what was last kept, if this machine tells its runs apart."""
        return None if self._key is None else self._auth.recall(self._key)

    def remember(self, zero: str) -> None:
        """Keep it."""
        if self._key is not None:
            self._auth.remember(self._key, zero)
