"""When a wager may be made: on the come-out, with a point on or on any roll, and whose lammers must be clear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pitbook.engine.progress import PAID, is_clear
from pitbook.errors import bracketed
from pitbook.messages import Message

if TYPE_CHECKING:
    from pitbook.engine.progress import Progress
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Window
    from pitbook.rulebooks.wagers import Wager


@dataclass(frozen=True, slots=True)
class Closed:
    """Why something cannot be done to a wager now, with the clauses or the reading that forbid it."""

    message: Message
    clauses: tuple[str, ...] = ()
    reading: str | None = None

    @property
    def with_grounds(self) -> Message:
        """The reason with its clauses or its reading."""
        if self.clauses:
            return Message("errors.engine.closed", {"reason": self.message, "clauses": bracketed(self.clauses)})
        if self.reading:
            return Message("errors.engine.closed-by-reading", {"reason": self.message, "reading": self.reading})
        return self.message

    def __str__(self) -> str:
        return self.with_grounds.text()


def window_closed(book: Rulebook, progress: Progress, wager: Wager) -> Closed | None:
    """Return why a wager may not be made now, or None."""
    window = wager.window
    if window is None:
        return None
    area = progress.areas[wager.id]
    if area.state == PAID:
        reading = None if wager.after_win_clauses or MARKS not in book.readings else MARKS
        return Closed(refusal("won", wager), wager.after_win_clauses, reading)
    if window.rolls == "come-out" and not progress.hand.come_out and not area.just_won:
        message = refusal("come-out-only", wager, point=progress.hand.point)
        return Closed(message, *_grounds(window, "rolls"))
    if window.rolls == "point on" and progress.hand.come_out:
        return Closed(refusal("point-only", wager), *_grounds(window, "rolls"))
    watched = [wager.id] if window.clear == "own" else [] if window.clear == "none" else window.clear
    for other in watched:
        if not is_clear(book, progress, book.every[other]):
            message = refusal("marked", wager, marked=book.every[other].name)
            return Closed(message, *_grounds(window, "clear"))
    return None


def refusal(id: str, wager: Wager, **params: Any) -> Message:  # noqa: A002
    """Return a message of `refusals/hand.toml` about a wager."""
    return Message(f"refusals.hand.{id}", {"area": wager.name, **params})


MARKS = "marks"
"""The reading by which an area that has been won waits for a seven."""


def _grounds(window: Window, part: Literal["rolls", "clear"]) -> tuple[tuple[str, ...], str | None]:
    """Return the clauses on a part of a window, or the reading if they are silent on it."""
    reading = window.readings.get(part)
    return (tuple(window.clause), None) if reading is None else ((), reading)
