"""Deliver the messages of one webhook: in order, each until it is accepted."""

from __future__ import annotations

import heapq
import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec.structs import astuple, replace

from pitbook.server.schemas.webhooks import DeliveryInfo, DeliveryOutcome
from pitbook.server.webhooks.messages import ALL_KINDS, TOPIC_OF, kinds_of, message_id, message_of
from pitbook.server.webhooks.progress import RECENT_MAX, UNUSABLE_SECRET, Progress
from pitbook.server.webhooks.signatures import headers
from pitbook.server.webhooks.targets import NotDelivered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Store
    from pitbook.people.values import Webhook
    from pitbook.server.webhooks.progress import WebhookStore

log = logging.getLogger(__name__)

RETRY_MAX = 600.0
"""The longest pause between two attempts, in seconds."""
CHUNK = 100
"""The most entries of a record that are looked up at once."""


def retry_seconds(failures: int) -> float:
    """Return the pause after a number of failures in a row.

    >>> [retry_seconds(count) for count in (1, 2, 3, 10, 11, 1_000)]
    [1.0, 2.0, 4.0, 512.0, 600.0, 600.0]
    """
    return min(RETRY_MAX, 2.0 ** min(failures - 1, 30))


class Sends(Protocol):
    """The function that posts a message; it raises `NotDelivered`."""

    def send(self, headers: Mapping[str, str], body: bytes) -> int: ...


def post(
    webhook_id: str, webhook_store: WebhookStore, sender: Sends, now: datetime, number: str, body: bytes
) -> DeliveryOutcome:
    """Sign and send a message once, and return its outcome."""
    try:
        secrets = webhook_store.secrets(webhook_id, now)
        status = sender.send(headers(secrets, number, int(now.timestamp()), body), body)
        return DeliveryOutcome(status, reason=None, error="")
    except NotDelivered as error:
        return DeliveryOutcome(error.status, error.reason, str(error))
    except UNUSABLE_SECRET as error:
        return DeliveryOutcome(None, "secret", str(error))


class Delivery:
    """The delivery of one webhook, by one thread."""

    def __init__(
        self,
        webhook: Webhook,
        store: Store,
        webhook_store: WebhookStore,
        sender: Sends,
        clock: Callable[[], datetime],
        may_send: Callable[[], bool] = lambda: True,
        count: Callable[[str], None] = lambda _outcome: None,
    ) -> None:
        """Deliver while `may_send`; `count` is called with the outcome of every attempt."""
        self._webhook = webhook
        self._store = store
        self._webhook_store = webhook_store
        self._sender = sender
        self._clock = clock
        self._may_send = may_send
        self._count = count
        self._kinds = kinds_of(webhook.topics)
        self._progress = webhook_store.progress(webhook.id) or self._start_over()
        self._stored = self._progress.position
        """The position that was stored last."""
        self._next: datetime | None = None
        """When the next attempt is due, after a failure."""

    def deliver(self) -> None:
        """Send what is due until nothing is left, an attempt fails, or this process may no longer send."""
        if self._next is not None and self._clock() < self._next:
            return
        sent = True
        while sent:
            heads, sent = self._heads(), False
            self._follow_restored(heads)
            for entry in heapq.merge(*(self._pending(*head) for head in heads.items()), key=lambda one: one.at):
                if not self._may_send() or not self._attempt(entry):
                    return
                sent = True
            self._pass_over(heads)

    def _start_over(self) -> Progress:
        """Return a position at the end of all records, where the stored one was lost."""
        log.warning("the position of webhook %s is lost; it continues with new entries", self._webhook.id)
        return Progress(self._heads())

    def _heads(self) -> dict[str, int]:
        return {name: head.sequence for name, head in self._store.heads().items()}

    def _pass_over(self, heads: dict[str, int]) -> None:
        """Continue after what need not be sent; store that now and then, so that little is read again."""
        self._progress = replace(self._progress, position=heads)
        if sum(heads.values()) - sum(self._stored.values()) >= CHUNK:
            self._save()

    def _save(self) -> None:
        self._webhook_store.save_progress(self._webhook.id, self._progress)
        self._stored = self._progress.position

    def _follow_restored(self, heads: Mapping[str, int]) -> None:
        """Continue at the end of a record that has become shorter, because it was restored from a backup.

        Records that were archived are gone; they were delivered before.
        """
        position = self._progress.position
        shorter = {name: heads.get(name, 0) for name, place in position.items() if place > heads.get(name, 0)}
        if shorter and (archived := shorter.keys() & self._store.detached().keys()):
            position = {name: place for name, place in position.items() if name not in archived}
            shorter = {name: head for name, head in shorter.items() if name not in archived}
            self._progress = replace(self._progress, position=position)
        if shorter:
            log.warning("webhook %s continues at the end of restored records: %s", self._webhook.id, sorted(shorter))
            self._progress = replace(self._progress, position={**position, **shorter})

    def _pending(self, table: str, head: int) -> Iterator[Entry]:
        """Yield the entries of a record that are to be sent, up to its head."""
        after = self._progress.position.get(table, 0)
        while after < head:
            found = self._store.events_of_kinds(table, ALL_KINDS, after, head, CHUNK)
            for sequence, kind, _ in found:
                if kind in self._kinds:
                    yield from self._store.entries(table, sequence - 1, 1)
            if len(found) < CHUNK:
                return
            after = found[-1][0]

    def _attempt(self, entry: Entry) -> bool:
        """Send an entry and store the outcome; return whether it was accepted."""
        now, number, body = self._clock(), message_id(entry), msgspec.json.encode(message_of(entry))
        at, before = now.isoformat(timespec="seconds"), self._progress
        outcome = post(self._webhook.id, self._webhook_store, self._sender, now, number, body)
        recent = _remember(before.recent, entry, number, at, outcome)
        if outcome.reason is None:
            self._next = None
            position = {**before.position, entry.table: entry.sequence}
            self._progress = Progress(position, before.delivered + 1, at, recent=recent)
        else:
            failures, since = before.failures + 1, before.since or at
            self._next = now + timedelta(seconds=retry_seconds(failures))
            self._progress = replace(
                before, failures=failures, since=since, error=outcome.error, reason=outcome.reason, recent=recent
            )
            log.warning("webhook %s: entry %d of %s: %s", self._webhook.id, entry.sequence, entry.table, outcome.error)
        self._count("failed" if self._next else "delivered")
        self._save()
        return self._next is None


def _remember(
    recent: tuple[DeliveryInfo, ...], entry: Entry, number: str, at: str, outcome: DeliveryOutcome
) -> tuple[DeliveryInfo, ...]:
    """Return the latest messages with one more attempt."""
    again = bool(recent) and recent[0].id == number and recent[0].reason is not None
    tries, others = (recent[0].tries + 1, recent[1:]) if again else (1, recent)
    made = DeliveryInfo(
        number, TOPIC_OF[entry.kind], entry.kind, entry.table, entry.sequence, at, tries, *astuple(outcome)
    )
    return (made, *others)[:RECENT_MAX]
