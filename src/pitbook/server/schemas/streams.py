"""The events of live streams: their names and payloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec
from msgspec import Meta

from pitbook.dice_register import events as dice
from pitbook.journal.refusal_aggregation import REFUSALS, REFUSED
from pitbook.people import events as people
from pitbook.server.schemas.tables import TableView
from pitbook.server.streams.projections import PRIVATE, StreamEntry
from pitbook.table import events as table

if TYPE_CHECKING:
    from collections.abc import Iterable


class StreamHead(msgspec.Struct, frozen=True):
    """The first event of a stream."""

    table: Annotated[str, Meta(description="The table, or house.")]
    head: Annotated[int, Meta(description="The number of its last entry.")]
    after: Annotated[int, Meta(description="The entry after which this stream begins.")]


class StreamDropped(msgspec.Struct, frozen=True):
    """The end of a stream that is read too slowly."""

    why: Annotated[str, Meta(description="What to do.")]


class StreamBye(msgspec.Struct, frozen=True):
    """The end of a stream that the server ends."""

    retry: Annotated[int, Meta(description="After how many milliseconds to resume.")]


class StreamEvent(NamedTuple):
    """One kind of server-sent event."""

    says: str
    data: type[msgspec.Struct]
    """The event's data."""
    event: type[msgspec.Struct] | None = None
    """The `event` of the data, if it is an entry."""


_ENDS = {
    "dropped": StreamEvent("The viewer reads too slowly; the stream ends.", StreamDropped),
    "bye": StreamEvent("The server stops, or the viewer's rights have changed; the stream ends.", StreamBye),
}
_HEAD = {"head": StreamEvent("First of all: how far the record has come, and where the stream begins.", StreamHead)}
_OTHERS = {
    REFUSED: StreamEvent("A command was refused; for staff.", StreamEntry),
    REFUSALS: StreamEvent("More refusals of the same kind, counted; for staff.", StreamEntry),
    PRIVATE: StreamEvent("An entry that is not for the viewer's eyes.", StreamEntry),
}


def _entries(kinds: Iterable[type[msgspec.Struct]]) -> dict[str, StreamEvent]:
    return {kind.__name__: StreamEvent("An entry; its number is the event's id.", StreamEntry, kind) for kind in kinds}


TABLE_EVENTS: dict[str, StreamEvent] = {
    **_HEAD,
    "view": StreamEvent(
        "What the table shows, whenever its step changes, and as `sequence` the last entry that it takes in.", TableView
    ),
    **_entries(table.EVENTS),
    **_OTHERS,
    **_ENDS,
}
"""The events of a table's stream, by name."""
HOUSE_EVENTS: dict[str, StreamEvent] = {**_HEAD, **_entries((*people.EVENTS, *dice.EVENTS)), **_OTHERS, **_ENDS}
"""The events of the house's stream, by name."""
