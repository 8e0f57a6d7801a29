"""NOTIFY outside command transactions: inside them it would serialise all commits of the database."""

from __future__ import annotations

import logging
from threading import Condition, Event, Thread
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pitbook.storage.postgres import Connection, Connections

CHANNEL = "pitbook"
PAUSE_SECONDS = 0.01
CLOSE_SECONDS = 1.0

log = logging.getLogger(__name__)


class Notifier:
    """A thread with its own connection that notifies other processes of new heads.

    It sends only the newest head of each table: watchers catch up on their own, and nothing is lost if it fails.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._heads: dict[str, int] = {}
        self._changed = Condition()
        self._thread: Thread | None = None
        self._closed = Event()

    def announce(self, heads: Mapping[str, int]) -> None:
        """Queue the heads of tables to be sent."""
        with self._changed:
            for table, sequence in heads.items():
                self._heads[table] = max(sequence, self._heads.get(table, 0))
            if self._thread is None and not self._closed.is_set():
                self._thread = Thread(target=self._run, name="journal-announcer", daemon=True)
                self._thread.start()
            self._changed.notify()

    def close(self) -> None:
        """Send what is queued and stop; a thread that waits for the server ends on its own."""
        with self._changed:
            self._closed.set()
            self._changed.notify()
        if self._thread:
            self._thread.join(CLOSE_SECONDS)

    def _run(self) -> None:
        connection = None
        while True:
            with self._changed:
                while not self._heads and not self._closed.is_set():
                    self._changed.wait()
                heads, self._heads = self._heads, {}
                if not heads:
                    return
            try:
                if connection is None or connection.closed:
                    connection = self._connections.connect()
                connection.execute(
                    "SELECT pg_notify(%s, name || ' ' || sequence)"
                    " FROM unnest(%s::text[], %s::bigint[]) AS heads (name, sequence)",
                    (CHANNEL, list(heads), list(heads.values())),
                )
            except (psycopg.Error, OSError) as error:
                log.warning("watchers were not notified: %s", error)
            self._closed.wait(PAUSE_SECONDS)

    @staticmethod
    def listen(connection: Connection, seconds: float) -> Iterator[tuple[str, int]]:
        """Yield the heads that arrive on the channel within a number of seconds."""
        connection.execute(f"LISTEN {CHANNEL}")
        for notification in connection.notifies(timeout=seconds):
            table, _, sequence = notification.payload.rpartition(" ")
            yield table, int(sequence)
