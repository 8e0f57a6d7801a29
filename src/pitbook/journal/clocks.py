"""The database's time, shared by all processes of a journal, without a query for each reading.

A wall clock can be set by hand or by a faulty time server. It is compared with this machine's steady counter, and a
difference above a bound is a jump: it is logged and ignored until the clock is right again or a manager has accepted
the new time on record.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pitbook.journal.errors import Unavailable
from pitbook.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.journal.port import Store

REFRESH_SECONDS = 10.0
JUMP_REFRESH_SECONDS = 1.0
"""The interval between measurements after a jump."""
JUMP_SECONDS = 30.0
"""The default bound: a larger difference is a jump."""
SAVE_TOLERANCE = timedelta(seconds=1)
"""A saved reference that is off by more is saved again."""
BOOT_ID_FILE = Path("/proc/sys/kernel/random/boot_id")

log = logging.getLogger(__name__)


def steady_seconds() -> float:
    """Return the seconds since this machine booted, including suspended time where the system counts it."""
    boot_time = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot_time is None else time.clock_gettime(boot_time)


def boot_id() -> str | None:
    """Return the id of this machine's boot; the steady counter restarts with the next one."""
    try:
        return BOOT_ID_FILE.read_text(encoding="ascii").strip() or None
    except OSError:
        return None


REMEDY = Message("alarms.detail.clock-remedy")


class Jump(NamedTuple):
    """The time expected from the steady counter, and the time found."""

    expected: datetime
    found: datetime

    @property
    def seconds(self) -> float:
        """The seconds by which the clock is ahead; negative if it is behind."""
        return (self.found - self.expected).total_seconds()

    @property
    def message(self) -> Message:
        """The jump and what to do about it."""
        expected, found = (moment.isoformat(timespec="seconds") for moment in self)
        times = {"found": found, "expected": expected, "by": format_duration(self.seconds), "remedy": REMEDY}
        return Message(
            "alarms.detail.clock-jumped", {"direction": "forwards" if self.seconds > 0 else "backwards", **times}
        )

    def __str__(self) -> str:
        return self.message.text()


def format_duration(seconds: float) -> Message:
    """Return a duration in days or seconds.

    >>> [str(format_duration(length)) for length in (30 * 86_400, -90, 45)]
    ['30.0 days', '90 s', '45 s']
    """
    length = abs(seconds)
    if length >= 86_400:
        return Message("alarms.detail.days", {"days": f"{length / 86_400:,.1f}"})
    return Message("alarms.detail.seconds", {"seconds": f"{length:,.0f}"})


class Reference(Protocol):
    """Storage for the clock's epoch, so that a restart does not lose it."""

    def load(self) -> str | None:
        """Return the epoch saved since this machine booted, or None."""

    def save(self, epoch: str) -> None:
        """Save the epoch: the time at which the steady counter was zero."""


class Clock:
    """A callable that returns the time, which never goes backwards unless a manager has accepted that.

    The difference between the database's clock and this machine's steady counter is measured at the start and then
    every ten seconds in a background thread, so that no caller waits for the database.
    """

    def __init__(
        self,
        store: Store,
        *,
        steady: Callable[[], float] = steady_seconds,
        bound: float = JUMP_SECONDS,
        reference: Reference | None = None,
    ) -> None:
        self.accepted: Callable[[], str | None] = lambda: None
        """Returns when a manager last accepted the clock, by the record."""
        self._store = store
        self._steady = steady
        self._bound = timedelta(seconds=bound)
        self._reference = reference
        self._lock = Lock()
        self._measuring = Lock()
        self._latest: datetime | None = None
        self._jump_found: datetime | None = None
        """The time found when the current jump was detected; None if there is none."""
        self._due: float
        self._found, uncertainty = self._measure()
        known = reference.load() if reference is not None else None
        self._epoch = self._found if known is None else datetime.fromisoformat(known)
        self._saved = known is not None
        self._compare(self._found, uncertainty)

    def __call__(self) -> datetime:
        steady = self._steady()
        if steady >= self._due and self._measuring.acquire(blocking=False):
            self._due = steady + REFRESH_SECONDS
            Thread(target=self._refresh_in_background, name="journal-clock", daemon=True).start()
        with self._lock:
            now = self._epoch + timedelta(seconds=steady)
            if self._latest is None or now > self._latest:
                self._latest = now
            return self._latest

    @property
    def jump(self) -> Jump | None:
        """The current jump, or None."""
        if self._jump_found is None:
            return None
        passed = timedelta(seconds=self._steady())
        return Jump(self._epoch + passed, self._found + passed)

    def refresh(self) -> None:
        """Measure again, or raise `Unavailable` and leave the clock as it is."""
        self._compare(*self._measure())

    def save_reference(self) -> None:
        """Save the epoch; call it once the record agrees with the clock."""
        if self._jump_found is None and not self._saved:
            self._save()

    def accept(self) -> None:
        """Follow the database's clock unconditionally, because a manager has accepted it."""
        found, _ = self._measure()
        with self._lock:
            self._epoch = self._found = found
            self._latest = self._jump_found = None
            self._due = self._steady() + REFRESH_SECONDS
        self._save()

    def _measure(self) -> tuple[datetime, timedelta]:
        """Return the time at which the steady counter was zero, by the database's clock, and its uncertainty."""
        before = self._steady()
        now = datetime.fromisoformat(self._store.now())
        after = self._steady()
        return now - timedelta(seconds=(before + after) / 2), timedelta(seconds=(after - before) / 2)

    def _compare(self, found: datetime, uncertainty: timedelta) -> None:
        """Follow the measured clock, or note that it has jumped."""
        accepted = None if self._jump_found is None else self.accepted()
        with self._lock:
            passed = timedelta(seconds=self._steady())
            jumped = abs(found - self._epoch) > self._bound + uncertainty
            self._due = self._steady() + (JUMP_REFRESH_SECONDS if jumped else REFRESH_SECONDS)
            if jumped and not self._is_accepted(found, accepted):
                self._found = found
                if self._jump_found is None:
                    self._jump_found = found + passed
                    log.error("%s", Jump(self._epoch + passed, found + passed))
                return
            if self._jump_found is not None:
                log.warning("the clock is trusted again: it says %s", found + passed)
            moved = abs(found - self._epoch)
            if jumped:
                self._latest = None
            if uncertainty <= self._bound / 2:  # a slower measurement is too inexact to follow
                self._epoch = self._found = found
            self._jump_found = None
        if self._saved and moved > SAVE_TOLERANCE:
            self._save()

    def _is_accepted(self, found: datetime, accepted: str | None) -> bool:
        """Return whether a manager has accepted this time, in another process, since the jump was detected."""
        if accepted is None or self._jump_found is None:
            return False
        now = found + timedelta(seconds=self._steady())
        return self._jump_found - self._bound <= datetime.fromisoformat(accepted) <= now + self._bound

    def _save(self) -> None:
        self._saved = True
        if self._reference is not None:
            try:
                self._reference.save(self._epoch.isoformat(timespec="microseconds"))
            except Exception as error:  # the next start then compares with an older reference or none
                log.warning("the clock reference cannot be saved: %s", error)

    def _refresh_in_background(self) -> None:
        try:
            self.refresh()
        except Unavailable as error:
            log.warning("cannot read the database's time; the clock continues on its own: %s", error)
        finally:
            self._measuring.release()
