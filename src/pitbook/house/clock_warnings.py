"""Warnings about records that are ahead of the clock and tables that cannot continue."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple

from pitbook.journal.clocks import REMEDY, format_duration
from pitbook.journal.entries import HOUSE
from pitbook.messages import Message
from pitbook.table.state import Table, overdue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pitbook.house.state import HouseState
    from pitbook.journal.states import StateAt


class ClockWarning(NamedTuple):
    """Something that keeps a table from running."""

    kind: Literal["tumbler failed", "reveal overdue", "time ahead"]
    table: str
    message: Message
    round: int | None = None

    @property
    def says(self) -> str:
        """The warning in English."""
        return self.message.text()


def is_ahead(last: str, now: str, seconds: float) -> bool:
    """Return whether a time is ahead of another by more than so many seconds."""
    return last > now and (datetime.fromisoformat(last) - datetime.fromisoformat(now)).total_seconds() > seconds


def ahead_message(sequence: str, last: str, now: str) -> Message:
    """Return the message for a record that is ahead of the clock."""
    by = format_duration((datetime.fromisoformat(last) - datetime.fromisoformat(now)).total_seconds())
    times = {"last": last[:19], "by": by, "now": now[:19], "remedy": REMEDY}
    if sequence == HOUSE:
        return Message("alarms.detail.house-ahead", times)
    return Message("alarms.detail.record-ahead", {"table": sequence, **times})


def warnings_of(known: Mapping[str, StateAt[Table | HouseState]], now: str, seconds: float) -> Iterator[ClockWarning]:
    """Yield what keeps tables from running, by their states."""
    for name, seen in sorted(known.items()):
        if is_ahead(seen.at, now, seconds):
            yield ClockWarning("time ahead", name, ahead_message(name, seen.at, now))
        state = seen.state
        if not isinstance(state, Table) or not state.open:
            continue
        if state.tumbler_failed is not None:
            yield ClockWarning("tumbler failed", name, Message("alarms.detail.tumbler-failed", {"table": name}))
        draw = state.draw
        if draw is not None and not draw.voided and overdue(draw, now):
            late = {"table": name, "round": draw.round, "due": str(draw.reveal_by)}
            yield ClockWarning("reveal overdue", name, Message("alarms.detail.dice-overdue", late), draw.round)
