"""The webhooks of a house: their list, the process that delivers them, and the state of deliveries."""

from __future__ import annotations

import hashlib
import logging
import secrets
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from pitbook.messages import Message
from pitbook.people import commands as c
from pitbook.server.backoffice.fairness import FoundAlarm
from pitbook.server.people.event_recorder import THE_SERVER
from pitbook.server.webhooks.delivery import Delivery, post
from pitbook.server.webhooks.messages import ALL_KINDS, INDEX, message_of_test
from pitbook.server.webhooks.progress import Progress, WebhookStore
from pitbook.server.webhooks.targets import SEND_SECONDS, Sender
from pitbook.storage.places import is_postgres

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pitbook.auth.leases import Lease
    from pitbook.auth.store import AuthStore
    from pitbook.house.house import House
    from pitbook.journal.entries import Entry
    from pitbook.people.values import Webhook
    from pitbook.server.http.metrics import Metrics
    from pitbook.server.schemas.webhooks import DeliveryOutcome
    from pitbook.server.settings import Settings

log = logging.getLogger(__name__)

LEASE = "webhooks"
LEASE_SECONDS = 20.0
POLL_SECONDS = 2.0
"""How often records, webhooks and alarms are looked at without a notification."""
CHANGES = ("WebhookAdded", "WebhookPaused", "WebhookRemoved", "WebhookResumed", "WebhookSecretChanged")
WAKING = frozenset((*ALL_KINDS, *CHANGES))


class TestInProgress(Exception):
    """A test is being sent; one at a time, because a receiver may take long to answer."""


class _Worker(NamedTuple):
    """The thread that delivers one webhook."""

    webhook: Webhook
    sender: Sender
    wake: Event
    stop: Event
    thread: Thread


class Webhooks:
    """Delivers webhooks while this process holds the lease, and knows the state of each."""

    def __init__(
        self,
        settings: Settings,
        house: House,
        auth: AuthStore,
        metrics: Metrics,
        find_alarms: Callable[[], list[FoundAlarm] | None],
    ) -> None:
        """Deliver the webhooks of a house; `find_alarms` returns None while the alarms are not known yet."""
        self.store = WebhookStore(auth, settings.sealing_key_path)
        self._settings = settings
        self._house = house
        self._leases = auth.leases
        self._metrics = metrics
        self._find_alarms = find_alarms
        # No two processes open the same SQLite file, so a process takes over at once from one that was killed.
        self._holder = f"webhooks {secrets.token_hex(8)}" if is_postgres(settings.journal_place) else "webhooks"
        self._lease: Lease | None = None
        self._held_until = 0.0
        self._indexed = False
        self._known: dict[str, Progress] = {}
        self._workers: dict[str, _Worker] = {}
        self._wake = Event()
        self._closing = Event()
        self._testing = Lock()
        self._thread: Thread | None = None

    # -- thread-safe

    def committed(self, entries: Mapping[str, Sequence[Entry]]) -> None:
        """Check immediately for something to deliver, or for changed webhooks, if there may be any."""
        if any(entry.kind in WAKING for found in entries.values() for entry in found):
            self.wake()

    def wake(self) -> None:
        """Check immediately for something to deliver."""
        self._wake.set()
        for worker in list(self._workers.values()):
            worker.wake.set()

    def failing(self) -> list[FoundAlarm]:
        """Return an alarm for each webhook that keeps failing, as last read."""
        webhooks = self._house.people_seen.webhooks
        return [
            FoundAlarm(
                "webhook failing",
                None,
                progress.since,
                Message("alarms.webhook failing", {"url": webhooks[key].url, "id": key, "count": progress.failures}),
                str(progress.error),
            )
            for key, progress in sorted(self._known.items())
            if progress.failing and key in webhooks and not webhooks[key].paused
        ]

    def prepare(self, webhook_id: str) -> bytes:
        """Store a position at the end of all records for a webhook to be added, and return its secret. Blocks."""
        heads = {name: head.sequence for name, head in self._house.store.heads().items()}
        self.store.save_progress(webhook_id, Progress(heads))
        return self.store.make_secret(webhook_id, self._house.now)

    def send_test(self, webhook: Webhook, manager: str) -> DeliveryOutcome:
        """Send a message that represents no entry, and return its outcome; raise `TestInProgress`. Blocks."""
        if not self._testing.acquire(blocking=False):
            raise TestInProgress
        try:
            now = self._house.now()
            message = message_of_test(manager, now.isoformat(timespec="seconds"))
            sender = Sender(webhook.url, self._settings.webhook_networks)
            number = f"msg_test_{secrets.token_hex(12)}"
            return post(webhook.id, self.store, sender, now, number, msgspec.json.encode(message))
        finally:
            self._testing.release()

    # -- lifecycle

    def start(self) -> None:
        """Start to deliver, or to wait for the lease."""
        self._thread = Thread(target=self._run, name="webhooks", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop between two messages or within one, which is then sent again; release the lease. Blocks."""
        self._closing.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(5)

    # -- the thread

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self.supervise()
            except Exception as error:
                if not self._closing.is_set():
                    log.warning("webhooks cannot be delivered at the moment: %s", error)
            self._wake.wait(POLL_SECONDS)
            self._wake.clear()
        self._stop_workers(list(self._workers))
        if self._lease is not None:
            try:
                self._leases.release(self._lease)
            except Exception as error:
                log.warning("the lease of the webhooks was not released: %s", error)

    def supervise(self) -> None:
        """Hold the lease, start and stop threads as webhooks come and go, record alarms, and read the state of all."""
        webhooks = self._house.people_seen.webhooks
        found = {key: self.store.progress(key) for key in webhooks}
        self._known = {key: progress for key, progress in found.items() if progress is not None}
        self._metrics.webhooks_failing.set(len(self.failing()))
        if not webhooks and not self._workers:
            return
        if not self._hold_lease():
            self._stop_workers(list(self._workers))
            return
        if not self._indexed:
            self._house.store.index_kinds(INDEX, ALL_KINDS)
            self._indexed = True
        active = {key: webhook for key, webhook in webhooks.items() if not webhook.paused}
        stopped = [key for key in self._workers if key not in active]
        self._stop_workers(stopped)
        for key in stopped:
            if key not in webhooks:
                self.store.delete(key)
        for key, webhook in active.items():
            if key not in self._workers:
                self._start_worker(webhook)
        if any("alarms" in webhook.topics for webhook in webhooks.values()):
            self._record_alarms()

    def _hold_lease(self) -> bool:
        """Renew the lease, or try to get it; return whether this process has it."""
        started = monotonic()
        if self._lease is not None and not self._leases.renew(self._lease, LEASE_SECONDS):
            self._lease = None
        if self._lease is None:
            self._lease = self._leases.acquire(LEASE, self._holder, LEASE_SECONDS)
        self._held_until = started + LEASE_SECONDS if self._lease is not None else 0.0
        return self._lease is not None

    def _may_send(self) -> bool:
        """Return whether a message that is sent now is over before another process could send it."""
        return not self._closing.is_set() and monotonic() + SEND_SECONDS < self._held_until

    def _start_worker(self, webhook: Webhook) -> None:
        wake, stop = Event(), Event()
        sender = Sender(webhook.url, self._settings.webhook_networks)

        def may_send() -> bool:
            return not stop.is_set() and self._may_send()

        def work() -> None:
            delivery: Delivery | None = None
            while not stop.is_set():
                wake.clear()
                try:
                    if delivery is None:
                        delivery = Delivery(
                            webhook,
                            self._house.store,
                            self.store,
                            sender,
                            self._house.now,
                            may_send,
                            self._metrics.count_webhook,
                        )
                    delivery.deliver()
                except Exception as error:
                    if not stop.is_set():
                        log.warning("webhook %s cannot be delivered at the moment: %s", webhook.id, error)
                    delivery = None  # read its position again
                wake.wait(POLL_SECONDS)

        thread = Thread(target=work, name=f"webhook {webhook.id}", daemon=True)
        self._workers[webhook.id] = _Worker(webhook, sender, wake, stop, thread)
        thread.start()

    def _stop_workers(self, keys: Iterable[str]) -> None:
        workers = [self._workers.pop(key) for key in keys]
        for worker in workers:
            worker.stop.set()
            worker.wake.set()
            worker.sender.close()
        for worker in workers:
            worker.thread.join(5)

    def _record_alarms(self) -> None:
        """Record alarms that have been raised or have ended, so that webhooks deliver them in order."""
        alarms = self._find_alarms()
        if alarms is None:
            return
        now, known = {alarm_id(one): one for one in alarms}, self._house.people_seen.alarms
        for key, alarm in now.items():
            if key not in known:
                command = c.RecordAlarm(key, alarm.kind, alarm.table, alarm.says)
                self._house.manage(THE_SERVER, command, timeout=POLL_SECONDS)
        for key in known:
            if key not in now:
                self._house.manage(THE_SERVER, c.RecordAlarmEnd(key), timeout=POLL_SECONDS)


def alarm_id(alarm: FoundAlarm) -> str:
    """Return what distinguishes an alarm from others: all but details and counts, which may change while it lasts."""
    about = {name: value for name, value in alarm.message.params.items() if name != "count"}
    parts = {"kind": alarm.kind, "table": alarm.table, "at": alarm.at, "sequence": alarm.sequence, "about": about}
    if alarm.kind in ("checkpoint", "backup"):
        parts["detail"] = str(alarm.detail)
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()[:16]
