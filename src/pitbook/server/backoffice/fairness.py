"""Present fairness, hold and alarms from the monitor's records."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from pitbook.fairness.bands import LEVEL as BAND_LEVEL
from pitbook.house.dice_record import Rate
from pitbook.journal.entries import HOUSE
from pitbook.messages import Message
from pitbook.server.http.problems import MessageText, message_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.fairness.watch import Watch
    from pitbook.house.daily_results import DayBook, Mark, Tally
    from pitbook.house.dice_record import Alarm
    from pitbook.house.house import House
    from pitbook.server.backoffice.monitor import Record

POINTS = 200
SETS_MAX = 20
"""The most sets of dice that are listed; those with an alarm come first."""


class Point(msgspec.Struct, frozen=True):
    """A point of the chart."""

    throw: int
    log10_wealth: float


class AlarmMoment(msgspec.Struct, frozen=True):
    """When the alarm was raised; it stays with the set."""

    throw: int
    """The throw of this set."""
    at: str
    sequence: int
    """The entry of the table's record."""


class SetWatched(msgspec.Struct, frozen=True):
    """The evidence on one set of dice."""

    set: str
    """Its name; empty for throws before any set was named."""
    dice: int
    since: str
    in_use: bool
    throws: int
    wealth: float
    """The current value of a stake of one against the fairness of the dice."""
    peak: float
    counts: tuple[int, ...]
    """How often each face has come up, from one to six."""
    parts: dict[str, float]
    """The logarithm (base 10) of the wealth by kind of unfairness."""
    history: list[Point]
    level: float
    """An upper bound on the chance that a fair set ever raises an alarm; the alarm is at its inverse."""
    alarm: AlarmMoment | None


class Fairness(msgspec.Struct, frozen=True):
    """The fairness of a table's dice."""

    table: str
    sequence: int
    """The entry up to which the record was read."""
    automatic: bool
    """An automatic table has no dice to watch."""
    sets: list[SetWatched]
    set_count: int
    rate: Rate
    """Expected false alarms, at most and on average."""
    trouble: str | None = None
    """Why the record could not be read further."""


class Band(msgspec.Struct, frozen=True):
    """How far chance alone may have moved the house's result, at all times at once."""

    low: float
    high: float
    level: float
    """An upper bound on the chance that a fair game is ever outside."""
    inside: bool
    ever_left: bool
    log10_evidence: float
    """The current value of a stake of one against the game's mathematics, as a power of ten."""


class HoldFigures(msgspec.Struct, frozen=True):
    """Win on wagers beside theory, in minor units."""

    wagered: int
    won: int
    """The house's win on wagers that have ended, less the dealers' envy."""
    theory: float
    """The expected win on such stakes: exact edges times stakes, including rounding, caps and envy."""
    edge: float | None
    """Theory as a share of the amount wagered."""
    deviation: float
    """The result of the throws above their mean, including the value of wagers still running."""
    standard_deviation: float
    band: Band


class HeldDay(msgspec.Struct, frozen=True):
    """A gaming day, or the whole record."""

    day: str
    """Empty for the whole record."""
    drop: int
    hold: float | None
    """The win as a share of the drop."""
    throws: int
    whole: HoldFigures
    families: dict[str, HoldFigures]


class HeldPoint(msgspec.Struct, frozen=True):
    """A point of the curve: all wagers together after so many throws, in minor units."""

    throws: int
    wagered: int
    won: int
    theory: float
    deviation: float
    low: float
    """The band for the deviation."""
    high: float


class Hold(msgspec.Struct, frozen=True):
    """A table's hold against theory."""

    table: str
    sequence: int
    currency: str
    whole: HeldDay
    days: list[HeldDay]
    """The latest first."""
    curve_of: str
    """The gaming day of the curve; empty for the whole record."""
    curve: list[HeldPoint]
    """The deviation and its band over the throws, thinned out where they are many."""
    trouble: str | None = None
    """Why the record could not be read further."""


AlarmKind = Literal[
    "fairness",
    "tumbler failed",
    "lost seed",
    "journal trouble",
    "not followed",
    "reveal overdue",
    "clock jumped",
    "time ahead",
    "table disabled",
    "checkpoint",
    "backup",
    "webhook failing",
]


class AlarmInfo(msgspec.Struct, frozen=True):
    """Something that a manager should know."""

    kind: AlarmKind
    table: str | None
    at: str | None
    message: MessageText
    """In the language that the request asks for."""
    detail: str = ""
    """Further details, in the same language; what a database or the system reports is in English."""
    sequence: int | None = None


class Alarms(msgspec.Struct, frozen=True):
    """All alarms, those without a time first, then the latest first."""

    alarms: list[AlarmInfo]
    complete: bool
    """Whether every table's record has been read to its end; false for a while after a start."""
    clock: str = ""
    """The house's time."""
    recorded: dict[str, str] = {}
    """The last recorded time of every table, and of the house."""


def build_fairness(record: Record) -> Fairness:
    """Return the evidence on a table's dice; hold the record's guard."""
    dice = record.dice
    found = list(dice.sets())
    current = dice.current
    first = [one for one in found if (one[2].dice, one[0]) in dice.alarms or (one[2].dice, one[0]) == current]
    others = [one for one in found if one not in first]
    watched = [
        _watched_set(name, since, watch, (watch.dice, name) == current, dice.alarms.get((watch.dice, name)))
        for name, since, watch in [*first, *others][:SETS_MAX]
    ]
    trouble = record.troubles.get("dice")
    return Fairness(record.table, record.head.sequence, dice.automatic, watched, len(found), dice.rate(), trouble)


def _watched_set(name: str, since: str, watch: Watch, in_use: bool, alarm: Alarm | None) -> SetWatched:
    return SetWatched(
        set=name,
        dice=watch.dice,
        since=since,
        in_use=in_use,
        throws=watch.throws,
        wealth=watch.wealth,
        peak=watch.peak,
        counts=watch.counts,
        parts={kind: value / log(10) for kind, value in watch.parts.items()},
        history=[Point(throw, value) for throw, value in watch.history(POINTS)],
        level=watch.level,
        alarm=AlarmMoment(alarm.throw, alarm.at, alarm.sequence) if alarm else None,
    )


def build_hold(record: Record, currency: str, days: int, day: str | None) -> Hold:
    """Return a table's hold without its curve; hold the record's guard."""
    book = record.hold
    latest = list(reversed(book.days.values()))[:days]
    return Hold(
        table=record.table,
        sequence=record.head.sequence,
        currency=currency,
        whole=_day(book.whole),
        days=[_day(one) for one in latest],
        curve_of=day or "",
        curve=[],
        trouble=record.troubles.get("hold"),
    )


def with_curve(hold: Hold, marks: Iterable[Mark]) -> Hold:
    """Return a hold with its curve; computing the bands takes time, so do not hold the guard."""
    return msgspec.structs.replace(hold, curve=[_point(mark) for mark in marks])


def _point(mark: Mark) -> HeldPoint:
    low, high = mark.drift.band()
    return HeldPoint(mark.throws, mark.wagered, mark.won, mark.theory, mark.drift.total, low, high)


def _day(book: DayBook) -> HeldDay:
    hold = book.whole.won / book.drop if book.drop else None
    families = {name: _held(tally) for name, tally in sorted(book.families.items())}
    return HeldDay(book.day, book.drop, hold, book.throws, _held(book.whole), families)


def _held(tally: Tally) -> HoldFigures:
    drift = tally.drift
    low, high = drift.band()
    evidence = drift.log_evidence
    band = Band(low, high, BAND_LEVEL, evidence < -log(BAND_LEVEL), drift.ever_left(), evidence / log(10))
    edge = tally.theory / tally.wagered if tally.wagered else None
    return HoldFigures(tally.wagered, tally.won, tally.theory, edge, drift.total, drift.variance**0.5, band)


class FoundAlarm(NamedTuple):
    """An alarm, in any language."""

    kind: AlarmKind
    table: str | None
    at: str | None
    message: Message
    detail: str | Message = ""
    sequence: int | None = None

    @property
    def says(self) -> str:
        """The alarm in English, with its detail."""
        return f"{self.message.text()} {self.detail}".strip()

    def info(self) -> AlarmInfo:
        """Return the alarm for the API, in the language of the current request."""
        detail = self.detail if isinstance(self.detail, str) else message_text(self.detail).text
        return AlarmInfo(self.kind, self.table, self.at, message_text(self.message), detail, self.sequence)


def find_alarms(
    records: Iterable[Record],
    house: House,
    limit: int,
    checkpoint: Iterable[Message] = (),
    backups: Iterable[Message] = (),
    webhooks: Iterable[FoundAlarm] = (),
) -> list[FoundAlarm]:
    """Return the alarms of a house."""
    found = [_alarm("checkpoint", None, detail=says) for says in checkpoint]
    found += [_alarm("backup", None, detail=says) for says in backups]
    found += webhooks
    found += [_alarm("table disabled", one.table, detail=one.message) for one in house.disabled.values()]
    if house.failure is not None:
        found.append(_alarm("journal trouble", None, detail=" ".join(house.failure.split())))
    if house.clock_failure is not None:
        found.append(_alarm("clock jumped", None, detail=house.clock_failure))
    for warned in house.warnings():
        if warned.kind != "tumbler failed":  # the record has the details
            table = None if warned.table == HOUSE else warned.table
            about: dict[str, Any] = {} if warned.round is None else {"round": warned.round}
            found.append(_alarm(warned.kind, table, detail=warned.message, **about))
    for record in records:
        with record.guard:
            alarms = _record_alarms(record)
        if record.table in house.disabled:  # which says why its record is not followed
            alarms = [one for one in alarms if one.kind != "not followed"]
        found += alarms
    found.sort(key=lambda one: one.at or "9", reverse=True)
    return found[:limit]


def _alarm(
    kind: AlarmKind,
    table: str | None,
    at: str | None = None,
    *,
    detail: str | Message = "",
    sequence: int | None = None,
    **about: Any,
) -> FoundAlarm:
    return FoundAlarm(kind, table, at, Message(f"alarms.{kind}", about), detail, sequence)


def _record_alarms(record: Record) -> list[FoundAlarm]:
    table = record.table
    found = [_alarm("not followed", table, detail=why, part=part) for part, why in record.troubles.items()]
    for alarm in record.dice.alarms.values():
        message = Message("alarms.fairness-unnamed", {"throw": alarm.throw})
        if alarm.set:
            message = Message("alarms.fairness", {"set": alarm.set, "throw": alarm.throw})
        found.append(FoundAlarm("fairness", table, alarm.at, message, sequence=alarm.sequence))
    if record.failed is not None:
        found.append(_alarm("tumbler failed", table, record.failed[0], detail=record.failed[1]))
    return found + [
        _alarm("lost seed", table, lost.at, detail=lost.words, sequence=lost.sequence, round=lost.round)
        for lost in record.lost
    ]
