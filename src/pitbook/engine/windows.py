"""When a wager may be made: the come-out or any roll, and whose lammers must be clear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitbook.engine.progress import PAID, is_clear
from pitbook.mistakes import bracketed

if TYPE_CHECKING:
    from pitbook.engine.progress import Progress
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager


@dataclass(frozen=True, slots=True)
class Closed:
    """Why a wager cannot be made now, with the clause."""

    wager: str
    reason: str
    clauses: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.wager} cannot be made now: {self.reason} {bracketed(self.clauses)}"


def window_closed(book: Rulebook, progress: Progress, wager: Wager) -> Closed | None:
    """None while the wager may be made."""
    window = wager.window
    if window is None:
        return None
    clauses = tuple(window.clause)
    area = progress.areas[wager.id]
    if area.state == PAID:
        return Closed(wager.id, "it has been won, and waits for a seven", clauses)
    if window.rolls == "come-out" and not progress.hand.come_out and not area.just_won:
        return Closed(wager.id, f"only before a come-out roll, and the point is {progress.hand.point}", clauses)
    watched = [wager.id] if window.clear == "own" else [] if window.clear == "none" else window.clear
    for other in watched:
        if not is_clear(book, progress, book.every[other]):
            whose = "its own" if other == wager.id else f"{other}'s"
            return Closed(wager.id, f"{whose} numbers are already marked", clauses)
    return None
