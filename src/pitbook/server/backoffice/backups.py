"""Scheduled backups: a file for each day, which grows by what was written since the last run."""

from __future__ import annotations

import logging
import os
import secrets
from contextlib import closing
from datetime import datetime
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from pitbook.auth.errors import Unavailable as AccessUnavailable
from pitbook.auth.moving import move_credentials
from pitbook.auth.stores import SUFFIX, open_auth_store
from pitbook.durable_files import replace_durably
from pitbook.errors import InputError
from pitbook.journal.backup import backup, update
from pitbook.journal.errors import Broken, Damaged, Unavailable
from pitbook.messages import Message, compose

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pitbook.auth.store import AuthStore
    from pitbook.journal.port import Store

log = logging.getLogger(__name__)

LEASE = "backups"
LEASE_SECONDS = 600.0
CLOSE_SECONDS = 5.0
"""How long `close` waits for a run."""


class Backups:
    """Backs a house up into a folder at an interval, in one process at a time."""

    def __init__(
        self, store: Store, auth: AuthStore, folder: Path, *, seconds: float, keep: int, now: Callable[[], datetime]
    ) -> None:
        self._store, self._auth, self._folder = store, auth, folder
        self._seconds, self._keep, self._now = seconds, keep, now
        self._holder = f"backups {secrets.token_hex(8)}"
        self._running = Lock()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="backups", daemon=True)
        self.failure: Message | None = None
        """Why the last run failed, or None."""
        self.rejected: list[Message] = []
        """Why earlier files could not be continued, since the start."""

    @property
    def alarms(self) -> list[Message]:
        """The message for managers."""
        return [*self.rejected, *([self.failure] if self.failure else [])]

    def last_backup(self) -> datetime | None:
        """Return when the newest backup was written, by whatever process."""
        newest = max(self._files(), default=None)
        return None if newest is None else datetime.fromtimestamp(newest.stat().st_mtime, self._now().tzinfo)

    def start(self) -> None:
        """Back up now, and then at the interval."""
        self._thread.start()

    def close(self) -> None:
        """Stop after the current run."""
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join(CLOSE_SECONDS)

    def _run(self) -> None:
        while True:
            self.run_once()
            if self._closing.wait(self._seconds):
                return

    def run_once(self) -> bool:
        """Bring today's file up to date, unless another process has just done so; return whether it was done here."""
        leases = self._auth.leases
        with self._running:
            try:
                lease = leases.acquire(LEASE, self._holder, LEASE_SECONDS)
                if lease is None or self._is_recent():
                    return False
                try:
                    self._write()
                finally:
                    leases.release(lease)
            except (InputError, Unavailable, AccessUnavailable, Broken, OSError) as error:
                reason = error if isinstance(error, InputError | Broken) else " ".join(str(error).split())
                self.failure = compose("alarms.detail.backup-failed", reason=reason)
                log.error("%s", self.failure)
                return False
            self.failure = None
            return True

    def _file(self) -> Path:
        return self._folder / f"pitbook-{self._now():%Y-%m-%d}.db"

    def _is_recent(self) -> bool:
        last = self.last_backup()
        if last is None or not self._file().exists():
            return False
        return 0 <= (self._now() - last).total_seconds() < self._seconds / 2

    def _write(self) -> None:
        file = self._file()
        if file.exists():
            self._update(file)
        else:
            backup(self._store, file)
        self._copy_credentials(file)
        moment = self._now().timestamp()
        os.utime(file, (moment, moment))  # even if nothing was new: `last_backup` reads its time
        for old in sorted(self._files())[: -self._keep]:
            old.unlink()
            old.with_name(old.name + SUFFIX).unlink(missing_ok=True)

    def _update(self, file: Path) -> None:
        """Add new entries; a file that is damaged or holds other entries is kept under another name."""
        try:
            update(self._store, file)
        except (InputError, Broken, Damaged) as error:
            renamed = file.with_name(f"{file.stem}-until-{self._now():%H%M%S}.db.kept")
            file.rename(renamed)
            says = compose("alarms.detail.backup-kept", file=file, kept=renamed.name, reason=error)
            self.rejected.append(says)
            log.error("%s", says)
            backup(self._store, file)

    def _copy_credentials(self, file: Path) -> None:
        """Write passwords, PINs and tokens beside the backup, for its owner only."""
        new = file.with_name(file.name + ".new")
        access = new.with_name(new.name + SUFFIX)
        for left in file.parent.glob(access.name + "*"):
            left.unlink()
        with closing(open_auth_store(str(new))) as target:
            move_credentials(self._auth.database, target.database)
        replace_durably(access, file.with_name(file.name + SUFFIX))

    def _files(self) -> list[Path]:
        return list(self._folder.glob("pitbook-????-??-??.db"))
