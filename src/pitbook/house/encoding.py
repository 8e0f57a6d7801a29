"""Encode decisions of tables, people and the dice register for the journal."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, TypeVar

import msgspec

from pitbook.journal.decisions import Accepted, Event, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pitbook.messages import Message

EventT = TypeVar("EventT", bound=msgspec.Struct)


def event_decoder(kinds: Sequence[type[EventT]]) -> msgspec.json.Decoder[EventT]:
    """Return the decoder of a union of tagged events."""
    return msgspec.json.Decoder(reduce(or_, kinds))


def event_bytes(event: msgspec.Struct) -> bytes:
    """Return an event as canonical JSON with sorted keys."""
    return msgspec.json.encode(event, order="deterministic")


def accept(events: Iterable[msgspec.Struct]) -> Accepted:
    """Return the decision with these events, none of which moves money."""
    return Accepted(recorded := to_journal(events), answer_bytes(recorded))


def to_journal(events: Iterable[msgspec.Struct]) -> tuple[Event, ...]:
    """Return events that move no money as the journal's."""
    return tuple(Event(type(event).__name__, event_bytes(event)) for event in events)


def answer_bytes(events: Iterable[Event]) -> bytes:
    """Return the answer to an accepted command: the kinds of its events."""
    return msgspec.json.encode({"events": [event.kind for event in events]})


def refuse(
    why: str,
    message: Message,
    clauses: Sequence[str],
    asked: Message | None,
    attachment: str = "",
    details: Mapping[str, object] | None = None,
) -> Refused:
    """Return the decision that refuses a command; the answer contains the details, too."""
    answer = {"refused": str(why), "message": message, "clauses": clauses, **(details or {}), "asked": asked}
    return Refused(str(why), msgspec.json.encode(answer), attachment)
