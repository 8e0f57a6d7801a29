"""The messages that entries of the record become."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from pitbook.journal.entries import HOUSE
from pitbook.server.backoffice.journal_pages import TransferInfo, transfer_info
from pitbook.server.schemas.webhooks import Topic
from pitbook.table.people import MANAGER

if TYPE_CHECKING:
    from collections.abc import Collection

    from pitbook.journal.entries import Entry

KINDS: dict[Topic, tuple[str, ...]] = {
    "alarms": ("AlarmRaised", "AlarmEnded"),
    "approvals": (
        "ApprovalAsked",
        "ApprovalGiven",
        "ApprovalRefused",
        "ApprovalWithdrawn",
        "ApprovalExpired",
        "ApprovalUsed",
    ),
    "settlements": (
        "LosersCollected",
        "WinnersPaid",
        "RoundEnded",
        "RoundVoided",
        "WagersReturned",
        "BettingReopened",
        "DiceCorrected",
        "BetRuled",
        "Ruled",
        "Resettled",
    ),
}
"""The kinds of entries on each topic."""
ALL_KINDS = tuple(kind for kinds in KINDS.values() for kind in kinds)
INDEX = "entries_of_webhooks"
"""The journal's index of these kinds."""
TOPIC_OF: dict[str, Topic] = {kind: topic for topic, kinds in KINDS.items() for kind in kinds}


class WebhookMessage(msgspec.Struct, frozen=True):
    """The body of a webhook: an entry of the record."""

    type: Annotated[Topic | Literal["test"], Meta(description="The topic; `test` for a test that a manager has sent.")]
    kind: Annotated[str, Meta(description="The kind of entry.", examples=["WinnersPaid"])]
    table: Annotated[str, Meta(description="The record that it is in: a table's name, or house.")]
    sequence: Annotated[int, Meta(description="Its number in that record.")]
    at: Annotated[str, Meta(description="When it was recorded; ISO 8601 in UTC.")]
    actor: Annotated[str, Meta(description="Who did it, by sign-in name.")]
    role: Annotated[str, Meta(description="The role in which they did it.")]
    event: Annotated[dict[str, Any], Meta(description="What happened, as it is recorded.")]
    transfers: Annotated[list[TransferInfo], Meta(description="The money that it moved.")]
    book: Annotated[str, Meta(description="The digest of the rulebook in force; empty in the house's own record.")]
    hash: Annotated[str, Meta(description="The entry's hash, in hexadecimal digits.")]


def message_of(entry: Entry) -> WebhookMessage:
    """Return the message of an entry."""
    return WebhookMessage(
        type=TOPIC_OF[entry.kind],
        kind=entry.kind,
        table=entry.table,
        sequence=entry.sequence,
        at=entry.at,
        actor=entry.actor,
        role=entry.role,
        event=msgspec.json.decode(entry.body),
        transfers=[transfer_info(one) for one in entry.transfers],
        book=entry.attachment,
        hash=entry.hash.hex(),
    )


def message_of_test(actor: str, at: str) -> WebhookMessage:
    """Return the message with which a manager tests a receiver; it represents no entry."""
    return WebhookMessage("test", "Test", HOUSE, 0, at, actor, MANAGER, {}, [], "", "")


def message_id(entry: Entry) -> str:
    """Return the id of an entry's message: the same every time that it is sent."""
    return f"msg_{entry.hash.hex()[:32]}"


def kinds_of(topics: Collection[str]) -> frozenset[str]:
    """Return the kinds of entries on some topics."""
    return frozenset(kind for kind, topic in TOPIC_OF.items() if topic in topics)
