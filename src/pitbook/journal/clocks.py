"""The database's time without asking for it each time: processes that share a journal agree on the time.

A wall clock can be set by hand or by a broken time server. It is compared with this machine's steady counter, and what
differs from it by more than a bound is a jump: it is logged, and not followed until the clock is right again or a
manager has accepted the new time on record.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pitbook.journal.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.journal.port import Store

REFRESH_SECONDS = 10.0
JUMP_REFRESH_SECONDS = 1.0
"""How often the database is asked while its clock is not believed."""
JUMP_SECONDS = 30.0
"""A clock that differs by more from where it must be has jumped, unless the house chooses another bound."""
KEPT = timedelta(seconds=1)
"""A reference that is wrong by more is kept again."""
BOOT = Path("/proc/sys/kernel/random/boot_id")

log = logging.getLogger(__name__)


def steady_seconds() -> float:
    """Return this machine's steady counter: since its start, and while it sleeps too where the system counts that."""
    boot_time = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot_time is None else time.clock_gettime(boot_time)


def boot_id() -> str | None:
    """Return the name of this run of the machine: its steady counter starts again with another one."""
    try:
        return BOOT.read_text(encoding="ascii").strip() or None
    except OSError:
        return None


class Jump(NamedTuple):
    """A clock that is not where the steady counter says that it must be."""

    expected: datetime
    found: datetime

    @property
    def seconds(self) -> float:
        """How far it is ahead; below nothing, behind."""
        return (self.found - self.expected).total_seconds()

    def __str__(self) -> str:
        way = "forwards" if self.seconds > 0 else "backwards"
        expected, found = (moment.isoformat(timespec="seconds") for moment in self)
        return f"the clock jumped {way} by {span(self.seconds)}: it says {found}, and it must be {expected}"


def span(seconds: float) -> str:
    """Return a length of time in words.

    >>> span(30 * 86_400), span(-90), span(45)
    ('30.0 days', '90 s', '45 s')
    """
    length = abs(seconds)
    return f"{length / 86_400:,.1f} days" if length >= 86_400 else f"{length:,.0f} s"


class Reference(Protocol):
    """Where the clock's relation to the steady counter is kept, so that a restart does not lose it."""

    def recall(self) -> str | None:
        """Return what was last kept in this run of the machine; None after the machine was off."""

    def remember(self, zero: str) -> None:
        """Keep it."""


class Clock:
    """Called, it tells the time, never an earlier one than before, except after a manager has accepted that.

    How far the database's clock is from this machine's steady counter is measured at the start, and again in passing
    every ten seconds, in a thread of its own: nobody who asks for the time waits for the database.
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
        """When the record says that a manager last accepted the clock."""
        self._store = store
        self._steady = steady
        self._bound = timedelta(seconds=bound)
        self._reference = reference
        self._lock = Lock()
        self._measuring = Lock()
        self._told: datetime | None = None
        self._jumped: datetime | None = None
        """Where the jump of a clock that is not believed has led, when it was noticed."""
        self._due = 0.0
        self._found, inexact = self._measure()
        known = reference.recall() if reference is not None else None
        self._zero = self._found if known is None else datetime.fromisoformat(known)
        self._kept = known is not None
        self._compare(self._found, inexact)

    def __call__(self) -> datetime:
        steady = self._steady()
        if steady >= self._due and self._measuring.acquire(blocking=False):
            self._due = steady + REFRESH_SECONDS
            Thread(target=self._refresh_in_passing, name="journal-clock", daemon=True).start()
        with self._lock:
            now = self._zero + timedelta(seconds=steady)
            if self._told is None or now > self._told:
                self._told = now
            return self._told

    @property
    def jump(self) -> Jump | None:
        """The clock as it is and as it must be, while the two differ by more than the bound."""
        if self._jumped is None:
            return None
        passed = timedelta(seconds=self._steady())
        return Jump(self._zero + passed, self._found + passed)

    def refresh(self) -> None:
        """Measure again. Raises `Unavailable` where the database cannot be asked; the clock then goes on as it did."""
        self._compare(*self._measure())

    def keep(self) -> None:
        """Keep how the clock relates to the steady counter, now that the record agrees with it."""
        if self._jumped is None and not self._kept:
            self._remember()

    def accept(self) -> None:
        """Follow the database's clock, wherever it is: a manager has accepted it."""
        found, _ = self._measure()
        with self._lock:
            self._zero = self._found = found
            self._told = self._jumped = None
            self._due = self._steady() + REFRESH_SECONDS
        self._remember()

    def _measure(self) -> tuple[datetime, timedelta]:
        """Return the time at which the steady counter was zero, by the database's clock, and how exact that is."""
        before = self._steady()
        now = datetime.fromisoformat(self._store.now())
        after = self._steady()
        return now - timedelta(seconds=(before + after) / 2), timedelta(seconds=(after - before) / 2)

    def _compare(self, found: datetime, inexact: timedelta) -> None:
        """Follow the database's clock as it was measured, or note that it has jumped."""
        accepted = None if self._jumped is None else self.accepted()
        with self._lock:
            passed = timedelta(seconds=self._steady())
            jumped = abs(found - self._zero) > self._bound + inexact
            self._due = self._steady() + (JUMP_REFRESH_SECONDS if jumped else REFRESH_SECONDS)
            if jumped and not self._is_accepted(found, accepted):
                self._found = found
                if self._jumped is None:
                    self._jumped = found + passed
                    log.error("%s", Jump(self._zero + passed, found + passed))
                return
            if self._jumped is not None:
                log.warning("the clock is believed again: it says %s", found + passed)
            moved = abs(found - self._zero)
            if jumped:
                self._told = None
            if inexact <= self._bound / 2:  # a measurement that took longer tells too little
                self._zero = self._found = found
            self._jumped = None
        if self._kept and moved > KEPT:
            self._remember()

    def _is_accepted(self, found: datetime, accepted: str | None) -> bool:
        """Whether a manager has accepted this very time, through another process, since the jump was noticed."""
        if accepted is None or self._jumped is None:
            return False
        now = found + timedelta(seconds=self._steady())
        return self._jumped - self._bound <= datetime.fromisoformat(accepted) <= now + self._bound

    def _remember(self) -> None:
        self._kept = True
        if self._reference is not None:
            try:
                self._reference.remember(self._zero.isoformat(timespec="microseconds"))
            except Exception as error:  # the next start then compares with an older one, or with none
                log.warning("the clock's reference cannot be kept: %s", error)

    def _refresh_in_passing(self) -> None:
        try:
            self.refresh()
        except Unavailable as trouble:
            log.warning("the database's time cannot be read, the clock goes on by itself: %s", trouble)
        finally:
            self._measuring.release()
