"""Warnings about records that are ahead of the clock and tables that cannot continue."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple

from pitbook.journal.clocks import format_duration
from pitbook.journal.entries import HOUSE
from pitbook.table.state import Table, overdue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pitbook.house.state import HouseState
    from pitbook.journal.states import StateAt

REMEDY = "correct the clock, or have a manager accept the present time"


class ClockWarning(NamedTuple):
    """Something that keeps a table from running."""

    kind: Literal["tumbler failed", "reveal overdue", "time ahead"]
    table: str
    says: str
    round: int | None = None


def is_ahead(last: str, now: str, seconds: float) -> bool:
    """Return whether a time is ahead of another by more than so many seconds."""
    return last > now and (datetime.fromisoformat(last) - datetime.fromisoformat(now)).total_seconds() > seconds


def ahead_says(sequence: str, last: str, now: str) -> str:
    """Return the sentence for a record that is ahead of the clock."""
    what = "the house" if sequence == HOUSE else f"table {sequence}"
    far = format_duration((datetime.fromisoformat(last) - datetime.fromisoformat(now)).total_seconds())
    return f"the last recorded time of {what}, {last[:19]}, is {far} ahead of the clock, {now[:19]}; {REMEDY}"


def warnings_of(known: Mapping[str, StateAt[Table | HouseState]], now: str, seconds: float) -> Iterator[ClockWarning]:
    """Yield what keeps tables from running, by their states."""
    for name, seen in sorted(known.items()):
        if is_ahead(seen.at, now, seconds):
            yield ClockWarning("time ahead", name, ahead_says(name, seen.at, now))
        state = seen.state
        if not isinstance(state, Table) or not state.open:
            continue
        if state.tumbler_failed is not None:
            yield ClockWarning("tumbler failed", name, f"table {name}: the electronic tumbler has failed")
        draw = state.draw
        if draw is not None and not draw.voided and overdue(draw, now):
            says = f"table {name}: the dice of round {draw.round} were due by {draw.reveal_by}"
            yield ClockWarning("reveal overdue", name, says, draw.round)
