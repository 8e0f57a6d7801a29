"""The answers to commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.journal.group_commit import KEY_REUSED
from pitbook.messages import Message, stored

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.journal.decisions import Outcome


@dataclass(frozen=True, slots=True)
class Answer:
    """The durable result of a command."""

    sequence: int
    """The table's last entry when the command was decided."""
    events: tuple[str, ...]
    refused: str | None
    message: Message | None
    """Why it was refused."""
    clauses: tuple[str, ...]
    repeated: bool
    reading: str | None = None
    """The reading that a refusal is based on, if no clause decides."""

    @property
    def says(self) -> str:
        """The message in English; empty where nothing was refused."""
        return "" if self.message is None else self.message.text()


def answer_of(outcome: Outcome) -> Answer:
    """Return the answer to a command from the journal's outcome."""
    data: dict[str, Any] = msgspec.json.decode(outcome.answer) if outcome.answer else {}
    events: tuple[str, ...] = tuple(data.get("events", ()))
    after_first = len(events) - 1 if outcome.repeated and events else 0
    return Answer(
        outcome.sequence + after_first,
        events,
        outcome.refused,
        _message(outcome.refused, data),
        tuple(data.get("clauses", ())),
        outcome.repeated,
        data.get("reading"),
    )


def _message(refused: str | None, answer: Mapping[str, Any]) -> Message | None:
    """Return why a command was refused; older answers have a sentence, and the journal's own refusals have neither."""
    if refused is None:
        return None
    if "message" in answer or "says" in answer:
        return stored(answer.get("message"), answer.get("says", refused))
    return Message("problems.key-reused" if refused == KEY_REUSED else "problems.refused")
