"""Prometheus metrics of a server, in their own registry."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pitbook.server.streams.hub import Hub

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128)

CONTENT_TYPE = CONTENT_TYPE_LATEST


class Total(Collector):
    """A counter whose value is read where it is counted."""

    def __init__(self, name: str, about: str, registry: CollectorRegistry) -> None:
        self._name, self._about = name, about
        self.read: Callable[[], int] = lambda: 0
        registry.register(self)

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the present value."""
        yield CounterMetricFamily(self._name, self._about, value=self.read())


class Metrics:
    """The metrics of a server. Routes are labelled by template, so that clients cannot create labels."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.requests = Counter(
            "pitbook_requests", "Requests answered.", ("method", "route", "status"), registry=registry
        )
        self.seconds = Histogram(
            "pitbook_request_seconds", "From request to answer.", ("route",), buckets=SECONDS, registry=registry
        )
        self.in_flight = Gauge("pitbook_requests_in_flight", "Requests being answered.", registry=registry)
        self.commands = Counter(
            "pitbook_commands", "Commands by kind, and accepted or why refused.", ("kind", "outcome"), registry=registry
        )
        self.group = Histogram(
            "pitbook_commit_entries", "Entries that one commit wrote.", buckets=SIZES, registry=registry
        )
        self.journal_failing = Gauge("pitbook_journal_trouble", "1 while the journal cannot write.", registry=registry)
        self.alarms = Gauge(
            "pitbook_fairness_alarms", "Sets of dice whose watch has raised an alarm.", ("table",), registry=registry
        )
        self.watchers = Gauge("pitbook_watchers", "Open streams.", registry=registry)
        self.dropped = Total("pitbook_watchers_dropped", "Streams closed for being slow.", registry)
        self.rounds = Counter(
            "pitbook_automatic_rounds",
            "Automatic rounds that this process drew, by how they ended.",
            ("table", "outcome"),
            registry=registry,
        )
        self.forwarded = Counter(
            "pitbook_commands_forwarded",
            "Commands sent to the process that owns their table: answered there, or decided here after all.",
            ("outcome",),
            registry=registry,
        )
        self.owned = Gauge("pitbook_tables_owned", "Tables that this process owns.", registry=registry)
        self.takeovers = Total(
            "pitbook_table_takeovers", "Tables taken over from owners that did not release them.", registry
        )
        self.disabled = Gauge(
            "pitbook_tables_disabled", "Tables whose book or record is missing or damaged.", registry=registry
        )
        self.backup = Gauge(
            "pitbook_backup_seconds", "When the newest backup was written; 0: never.", registry=registry
        )
        self.webhook_deliveries = Counter(
            "pitbook_webhook_deliveries",
            "Webhook messages that this process sent: delivered, or failed and sent again.",
            ("outcome",),
            registry=registry,
        )
        self.webhooks_failing = Gauge(
            "pitbook_webhooks_failing", "Webhooks whose receiver keeps failing.", registry=registry
        )
        started = Gauge("pitbook_started_seconds", "When this server was started.", registry=registry)
        started.set(time())
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        self._known: dict[tuple[str, str, int], tuple[Callable[[], None], Callable[[float], None]]] = {}
        self._commands: dict[tuple[str, str], Callable[[], None]] = {}

    def count_request(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count a request and its duration, which is None for streams."""
        key = (method, route, status)
        known = self._known.get(key)
        if known is None:
            one, spent = self.requests.labels(method, route, str(status)), self.seconds.labels(route)
            known = self._known[key] = (one.inc, spent.observe)
        known[0]()
        if seconds is not None:
            known[1](seconds)

    def count_command(self, kind: str, refused: str | None) -> None:
        """Count a command by its kind and outcome."""
        key = kind, refused or "accepted"
        known = self._commands.get(key)
        if known is None:
            known = self._commands[key] = self.commands.labels(*key).inc
        known()

    def count_draw(self, table: str) -> None:
        """Count a round of an automatic table."""
        self.rounds.labels(table, "settled").inc()

    def count_forwarded(self, outcome: str) -> None:
        """Count a command that was sent to the owner of its table."""
        self.forwarded.labels(outcome).inc()

    def count_webhook(self, outcome: str) -> None:
        """Count an attempt to deliver a webhook message."""
        self.webhook_deliveries.labels(outcome).inc()

    def watch(self, hub: Hub) -> None:
        """Report the number of open and dropped streams."""
        self.watchers.set_function(lambda: hub.watchers)
        self.dropped.read = lambda: hub.dropped

    def count_commit(self, entries: int) -> None:
        """Count a commit by its number of entries."""
        self.group.observe(entries)

    def exposition(self) -> bytes:
        """Return all metrics in the Prometheus text format."""
        return generate_latest(self.registry)
