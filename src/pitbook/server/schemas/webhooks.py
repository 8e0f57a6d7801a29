"""Schemas of requests and responses about webhooks."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pitbook.server.http.bodies import RequestBody

Topic = Literal["alarms", "approvals", "settlements"]
Reason = Literal[
    "certificate",
    "connection",
    "forbidden",
    "not-listening",
    "redirected",
    "refused",
    "secret",
    "timeout",
    "unknown-name",
]
"""Why a message was not accepted."""
WHY = "Why it was not accepted; null if it was."
STATUS = "The status of the receiver's response; null if there was none."


class NewWebhook(RequestBody, frozen=True):
    """An address to which new entries are sent."""

    url: Annotated[
        str,
        Meta(
            min_length=8,
            max_length=1_000,
            examples=["https://cage.example/pitbook"],
            description="Where to post messages: https, or http on this machine.",
        ),
    ]
    topics: Annotated[tuple[Topic, ...], Meta(min_length=1, max_length=10, description="What to post.")]


class WebhookInfo(msgspec.Struct, frozen=True):
    """A webhook and the state of its deliveries."""

    id: Annotated[str, Meta(description="Its id.")]
    url: Annotated[str, Meta(description="Where messages are posted.")]
    topics: Annotated[tuple[str, ...], Meta(description="What is posted.")]
    since: Annotated[str, Meta(description="When it was added.")]
    delivered: Annotated[int, Meta(description="How many messages the receiver has accepted.")]
    last: Annotated[str | None, Meta(description="When it accepted the last one.")]
    failures: Annotated[int, Meta(description="How often in a row the next message failed; 0: all is well.")]
    failing_since: Annotated[str | None, Meta(description="When the first of these failures was.")]
    error: Annotated[str, Meta(description="Why the last attempt failed; empty if it did not.")]
    reason: Annotated[Reason | None, Meta(description="The same as a code; null if it did not.")]
    paused: Annotated[bool, Meta(description="Whether messages wait until a manager resumes it.")]
    pending: Annotated[int, Meta(description="How many messages wait to be delivered; no more than 200 are counted.")]
    behind: Annotated[dict[str, int], Meta(description="Entries after the last that was delivered, by record.")]


class WebhookList(msgspec.Struct, frozen=True):
    """All webhooks of the house."""

    webhooks: Annotated[list[WebhookInfo], Meta(description="In the order in which they were added.")]


class WebhookSecret(msgspec.Struct, frozen=True):
    """The secret of a webhook, shown once."""

    id: Annotated[str, Meta(description="The webhook's id.")]
    url: Annotated[str, Meta(description="Where messages are posted.")]
    secret: Annotated[
        str,
        Meta(
            examples=["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"],
            description="The key with which messages are signed; it is not shown again.",
        ),
    ]


class DeliveryOutcome(msgspec.Struct, frozen=True):
    """The outcome of a message."""

    status: Annotated[int | None, Meta(description=STATUS)]
    reason: Annotated[Reason | None, Meta(description=WHY)]
    error: Annotated[str, Meta(description="The same in words; empty if it was.")]


class DeliveryInfo(msgspec.Struct, frozen=True):
    """A message that was sent to a webhook, and its outcome."""

    id: Annotated[str, Meta(description="The message's id, as in `webhook-id`.")]
    topic: Annotated[Topic, Meta(description="The topic.")]
    kind: Annotated[str, Meta(description="The kind of entry.", examples=["WinnersPaid"])]
    table: Annotated[str, Meta(description="The record that the entry is in: a table's name, or house.")]
    sequence: Annotated[int, Meta(description="The entry's number in that record.")]
    at: Annotated[str, Meta(description="When it was sent last.")]
    tries: Annotated[int, Meta(description="How often it was sent.")]
    status: Annotated[int | None, Meta(description=STATUS)]
    reason: Annotated[Reason | None, Meta(description=WHY)]
    error: Annotated[str, Meta(description="The same in words; empty if it was.")]


class DeliveryList(msgspec.Struct, frozen=True):
    """The latest messages of a webhook."""

    deliveries: Annotated[list[DeliveryInfo], Meta(description="Newest first; at most 20 are kept.")]
