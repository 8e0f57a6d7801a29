"""The next act of an automatic table's electronic tumbler, and its time. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from pitbook.table.state import in_play

if TYPE_CHECKING:
    from pitbook.table.state import Table

Act = Literal["commit", "count down", "close", "reveal"]


@dataclass(frozen=True, slots=True)
class Turn:
    """The next act and its time; without an act, the table waits for people."""

    act: Act | None = None
    at: datetime | None = None
    """Not before this time; None for now."""


WAIT = Turn()


def next_turn(table: Table, rested: datetime | None = None) -> Turn:
    """Return the next turn from the committed state alone, so that every process and restart agrees.

    A draw that is closed or void is revealed whatever else applies. `rested` is when the pause after the last round
    ends, if this process saw it.
    """
    draw = table.draw
    if draw is not None and (draw.closed is not None or draw.voided):
        return Turn("reveal")
    if not table.open or table.automatic is None or table.tumbler_failed is not None or table.paused is not None:
        return WAIT
    if draw is None:
        return Turn("commit", rested)
    if draw.until is not None:
        return Turn("close", datetime.fromisoformat(draw.until))
    return Turn("count down") if in_play(table) else WAIT
