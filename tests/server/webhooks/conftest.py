"""A house with a table on both databases, and a webhook with a clock that the test moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.auth.stores import open_auth_store
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.people.values import Webhook
from pitbook.server.webhooks.delivery import Delivery
from pitbook.server.webhooks.progress import Progress, WebhookStore
from pitbook.server.webhooks.targets import NotDelivered
from pitbook.testing import JournalTable
from tests.journal.conftest import postgres_role, postgres_server, postgres_url, where

__all__ = ["postgres_role", "postgres_server", "postgres_url", "where"]


class RecordingSender:
    """A sender that records messages or rejects them."""

    def __init__(self) -> None:
        self.refuses = ""
        self.tried: list[str] = []
        self.taken: list[bytes] = []

    def send(self, headers: Mapping[str, str], body: bytes) -> int:
        self.tried.append(headers["webhook-id"])
        if self.refuses:
            raise NotDelivered("refused", self.refuses, 500)
        self.taken.append(body)
        return 200


class Office:
    """A table and a webhook that receives its settlements."""

    def __init__(self, place: str, folder: Path) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)
        self.house = House(open_store(place))
        self.auth = open_auth_store(place)
        self.store = WebhookStore(self.auth, folder / "sealing.key")
        self.post = RecordingSender()
        self.outcomes: list[str] = []
        self.table = JournalTable(self.house, "massachusetts-sic-bo")
        self.table.buy_in("ann", 100_000)

    def webhook(self, *topics: str) -> Webhook:
        heads = {name: head.sequence for name, head in self.house.store.heads().items()}
        self.store.save_progress("w1", Progress(heads))
        self.store.make_secret("w1", lambda: self.now)
        return Webhook("w1", "https://cage.example/", topics, "")

    def delivery(self, webhook: Webhook) -> Delivery:
        return Delivery(webhook, self.house.store, self.store, self.post, lambda: self.now, count=self.outcomes.append)

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def play(self) -> None:
        self.table.bet("ann", "small=5")
        self.table.play_round(1, 2, 3)

    def close(self) -> None:
        self.house.close()
        self.auth.close()


@pytest.fixture
def office(where: str, tmp_path: Path) -> Iterator[Office]:
    made = Office(where, tmp_path)
    yield made
    made.close()
