"""The relation of the clock to this machine's steady counter, stored beside the journal while the machine runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.journal.clocks import boot_id

if TYPE_CHECKING:
    from pitbook.auth.store import AuthStore


class ClockReference:
    """The clock reference since the machine's boot; its steady counter starts again with the next."""

    def __init__(self, auth: AuthStore) -> None:
        self._auth = auth
        boot = boot_id()
        self._key = None if boot is None else f"clock {boot}"

    def load(self) -> str | None:
        """Return the stored reference, if this machine identifies its boots."""
        return None if self._key is None else self._auth.setting(self._key)

    def save(self, epoch: str) -> None:
        """Store a reference."""
        if self._key is not None:
            self._auth.save_setting(self._key, epoch)
