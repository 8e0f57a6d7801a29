"""The answers to commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.journal.group_commit import KEY_REUSED

if TYPE_CHECKING:
    from pitbook.journal.decisions import Outcome


@dataclass(frozen=True, slots=True)
class Answer:
    """The durable result of a command."""

    sequence: int
    """The table's last entry when the command was decided."""
    events: tuple[str, ...]
    refused: str | None
    says: str
    clauses: tuple[str, ...]
    repeated: bool
    reading: str | None = None
    """The reading that a refusal is based on, if no clause decides."""
    policy: bool = False
    """Whether a refusal is house policy: neither a clause nor a reading decides."""


def answer_of(outcome: Outcome) -> Answer:
    """Return the answer to a command from the journal's outcome."""
    data: dict[str, Any] = msgspec.json.decode(outcome.answer) if outcome.answer else {}
    events: tuple[str, ...] = tuple(data.get("events", ()))
    after_first = len(events) - 1 if outcome.repeated and events else 0
    return Answer(
        outcome.sequence + after_first,
        events,
        outcome.refused,
        data.get("says", "") or _journal_says(outcome.refused),
        tuple(data.get("clauses", ())),
        outcome.repeated,
        data.get("reading"),
        policy=outcome.refused is not None and not (data.get("clauses") or data.get("reading")),
    )


def _journal_says(refused: str | None) -> str:
    """Return the sentence for a refusal by the journal itself."""
    return "this key was used for another request; send a new one" if refused == KEY_REUSED else ""
