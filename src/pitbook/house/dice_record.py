"""The throws of a table's dice sets, folded from its record into the watches over their fairness.

Every throw counts that was entered, even in a void round. A correction replaces the throw that it corrects. If a round
was voided between the announcement of the dice and their entry, the announcement is the throw: to leave it out because
of its outcome would make fair dice look biased. Automatic tables have no dice to watch.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from pitbook.fairness.sets import Watches
from pitbook.fairness.watch import LEVEL, false_alarms_per_year
from pitbook.house.records import read_outcome
from pitbook.table import events as e

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitbook.fairness.watch import Watch
    from pitbook.house.books import HouseBooks
    from pitbook.journal.entries import Entry
    from pitbook.table.commands import Setup

YEAR = 365.25
DAY_SECONDS = 86_400.0

_KINDS = frozenset(
    kind.__name__
    for kind in (
        *(e.TableOpened, e.SetupChanged, e.DicePut, e.StepTaken, e.Rolled, e.DiceCorrected),
        *(e.RoundEnded, e.RoundVoided, e.WagersReturned, e.BettingReopened),
    )
)


class Alarm(msgspec.Struct, frozen=True):
    """A set of dice that is very unlikely to be fair."""

    set: str
    dice: int
    throw: int
    """The throw of this set at which the alarm was raised."""
    at: str
    sequence: int


class Rate(msgspec.Struct, frozen=True):
    """The expected false alarms a year, and what that is estimated from."""

    sets: int
    days: float
    """The time that the record covers, at least a day."""
    sets_per_year: float
    false_alarms_per_year: float


class DiceRecord:
    """The watches of one table, and the alarms they have raised."""

    def __init__(self, books: HouseBooks, level: float = LEVEL) -> None:
        self._books = books
        self.level = level
        self.watches: dict[int, Watches] = {}
        """By the number of dice: a table may change from Sic Bo to craps."""
        self.alarms: dict[tuple[int, str], Alarm] = {}
        self.current: tuple[int, str] | None = None
        """The set in use."""
        self.automatic = False
        self._dice = 0
        self._craps = False
        self._put: dict[tuple[int, str], str] = {}
        self._first = ""
        self._last = ""
        self._announced: tuple[int, ...] = ()
        self._entered = False
        """Whether a correction concerns a throw that was counted."""

    def apply(self, entry: Entry) -> None:
        """Apply the next entry of the table."""
        if entry.kind not in _KINDS:
            return
        if entry.kind == "StepTaken" and b'"dice":[]' in entry.body:
            return
        event = read_outcome(entry)
        match event:
            case e.TableOpened() | e.SetupChanged():
                self._set_up(event.setup)
            case _ if self.automatic or not self._dice:
                return
            case e.DicePut():
                self._use_set(event.set, entry.at)
            case e.StepTaken() if event.dice and entry.tag is None:
                self._announced = event.dice
            case e.StepTaken() | e.Rolled() if event.dice:
                self._add_throw(event.dice, entry)
                self._entered = True
            case e.DiceCorrected():
                self._corrected(event.dice, entry)
            case e.RoundVoided() | e.WagersReturned() | e.BettingReopened():
                if self._announced and not self._entered:
                    self._add_throw(self._announced, entry)
                self._next_round()
            case e.RoundEnded():
                self._next_round()
            case _:
                pass

    def _set_up(self, setup: Setup) -> None:
        self.automatic = setup.automatic is not None
        rules = self._books.rules(setup)
        dice, self._craps = rules.dice, rules.identity.game == "craps"
        if dice != self._dice:
            self._dice = dice
            self.watches.setdefault(dice, Watches(dice, self.level))
            self._announced, self._entered = (), False

    def _use_set(self, name: str, at: str) -> None:
        self.watches[self._dice] = self.watches[self._dice].put(name)
        self.current = self._dice, name
        self._note(name, at)

    def _note(self, name: str, at: str) -> None:
        self._put.setdefault((self._dice, name), at)
        self._first, self._last = self._first or at, at

    def _add_throw(self, dice: tuple[int, ...], entry: Entry) -> None:
        watches = self.watches[self._dice] = self.watches[self._dice].add_throw(dice)
        self.current = self._dice, watches.current
        self._note(watches.current, entry.at)
        self._update_alarm(watches, entry)

    def _corrected(self, dice: tuple[int, ...], entry: Entry) -> None:
        if not self._entered:
            self._announced = dice  # only announced so far; the entry will be the throw
            return
        watches = self.watches[self._dice] = self.watches[self._dice].correct_throw(dice)
        self._update_alarm(watches, entry)

    def _next_round(self) -> None:
        self._announced = ()
        if not self._craps:  # a craps roll may be corrected until the next one
            self._entered = False

    def _update_alarm(self, watches: Watches, entry: Entry) -> None:
        assert watches.thrown is not None
        key, watch = (self._dice, watches.thrown), watches.sets[watches.thrown]
        if watch.alarm_at is None:
            self.alarms.pop(key, None)
        elif key not in self.alarms:
            self.alarms[key] = Alarm(watches.thrown, self._dice, watch.alarm_at, entry.at, entry.sequence)

    def sets(self) -> Iterator[tuple[str, str, Watch]]:
        """Yield each set's name, first use and watch; the latest first."""
        found = [
            (self._put.get((dice, name), ""), name, watch)
            for dice, watches in self.watches.items()
            for name, watch in watches.sets.items()
        ]
        for since, name, watch in sorted(found, key=lambda one: (one[0], one[1]), reverse=True):
            yield name, since, watch

    def rate(self) -> Rate:
        """Return how many sets a year this table uses, and the expected false alarms."""
        days = 1.0
        if self._first:
            span = datetime.fromisoformat(self._last) - datetime.fromisoformat(self._first)
            days = max(1.0, span.total_seconds() / DAY_SECONDS)
        sets = len(self._put)
        yearly = sets * YEAR / days
        return Rate(sets, days, yearly, false_alarms_per_year(self.level, yearly))
