"""Deliver the messages of one webhook: in order, each until it is accepted."""

from __future__ import annotations

import heapq
import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec.structs import replace

from pitbook.server.webhooks.messages import ALL_KINDS, kinds_of, message_id, message_of
from pitbook.server.webhooks.progress import UNUSABLE_SECRET, Progress
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
    """Return the pause after so many failures in a row.

    >>> [retry_seconds(count) for count in (1, 2, 3, 10, 11, 1_000)]
    [1.0, 2.0, 4.0, 512.0, 600.0, 600.0]
    """
    return min(RETRY_MAX, 2.0 ** min(failures - 1, 30))


class Sends(Protocol):
    """The function that posts a message; it raises `NotDelivered`."""

    def send(self, headers: Mapping[str, str], body: bytes) -> None: ...


class Delivery:
    """The delivery of one webhook, by one thread."""

    def __init__(
        self,
        webhook: Webhook,
        store: Store,
        kept: WebhookStore,
        sender: Sends,
        clock: Callable[[], datetime],
        may_send: Callable[[], bool] = lambda: True,
        count: Callable[[str], None] = lambda _outcome: None,
    ) -> None:
        """Deliver while `may_send`; `count` is called with the outcome of every attempt."""
        self._webhook = webhook
        self._store = store
        self._kept = kept
        self._sender = sender
        self._clock = clock
        self._may_send = may_send
        self._count = count
        self._kinds = kinds_of(webhook.topics)
        self._progress = kept.progress(webhook.id) or self._start_over()
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
            self._progress = replace(self._progress, position=heads)  # what is not sent need not be read again

    def _start_over(self) -> Progress:
        """Return a position at the end of all records, where the stored one was lost."""
        log.warning(
            "the position of webhook %s is lost; it continues with what is recorded from now on", self._webhook.id
        )
        return Progress(self._heads())

    def _heads(self) -> dict[str, int]:
        return {name: head.sequence for name, head in self._store.heads().items()}

    def _follow_restored(self, heads: Mapping[str, int]) -> None:
        """Go on at the end of a record that has become shorter, because it was restored from a backup."""
        position = self._progress.position
        shorter = {name: heads.get(name, 0) for name, place in position.items() if place > heads.get(name, 0)}
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
        try:
            secrets = self._kept.secrets(self._webhook.id, now)
            self._sender.send(headers(secrets, number, int(now.timestamp()), body), body)
        except (NotDelivered, *UNUSABLE_SECRET) as error:
            failures, since = before.failures + 1, before.since or at
            self._next = now + timedelta(seconds=retry_seconds(failures))
            self._progress = replace(before, failures=failures, since=since, error=str(error))
            log.warning("webhook %s: entry %d of %s: %s", self._webhook.id, entry.sequence, entry.table, error)
        else:
            self._next = None
            position = {**before.position, entry.table: entry.sequence}
            self._progress = Progress(position, before.delivered + 1, at)
        self._count("failed" if self._next else "delivered")
        self._kept.save_progress(self._webhook.id, self._progress)
        return self._next is None
