"""Messages that wait to be delivered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.errors import quoted
from pitbook.messages import compose
from pitbook.server.webhooks.delivery import CHUNK
from pitbook.server.webhooks.messages import ALL_KINDS, kinds_of
from pitbook.server.webhooks.progress import load_progress

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.auth.store import AuthStore
    from pitbook.house.house import House
    from pitbook.journal.port import Store
    from pitbook.messages import Message
    from pitbook.people.values import Webhook
    from pitbook.server.webhooks.progress import Progress

PENDING_MAX = 200
"""No more waiting messages are counted."""


def count_pending(webhook: Webhook, progress: Progress, store: Store, tables: Iterable[str] | None = None) -> int:
    """Return how many messages are waiting to be delivered, for some tables or all, up to `PENDING_MAX`."""
    kinds, found, heads = kinds_of(webhook.topics), 0, store.heads()
    for table in heads if tables is None else tables:
        after, head = progress.position.get(table, 0), heads[table].sequence
        while after < head and found < PENDING_MAX:
            rows = store.events_of_kinds(table, ALL_KINDS, after, head, CHUNK)
            found += sum(kind in kinds for _, kind, _ in rows)
            after = rows[-1][0] if len(rows) == CHUNK else head
    return min(found, PENDING_MAX)


def undelivered_reason(house: House, auth: AuthStore, table: str) -> Message | None:
    """Return which webhook has not received all messages of a table, or None."""
    for webhook in house.people.webhooks.values():
        progress = load_progress(auth, webhook.id)
        if progress is not None and count_pending(webhook, progress, house.store, [table]):
            return compose(
                "errors.journal.needed.undelivered", table=quoted(table), webhook=webhook.id, url=webhook.url
            )
    return None
