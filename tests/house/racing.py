"""Commands that race: one arrives after another has been decided but not yet written, on either kind of journal."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass

import psycopg

from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal import fault_injection
from pitbook.journal.decisions import Outcome
from pitbook.journal.runner import Settings
from tests.waiting import HANG, until

WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
Submit = Callable[[House], Future[Outcome]]


def hold_first_write() -> tuple[threading.Event, threading.Event]:
    """Hold the next write back; return an event that is set when it is reached, and one to set to let it continue."""
    reached, go = threading.Event(), threading.Event()

    def hold(passed: int) -> None:
        if passed == 1:
            reached.set()
            assert go.wait(HANG)

    fault_injection.arm("before-write", hold)
    return reached, go


@dataclass
class TwoHouses:
    """A house for each of two processes where the journal allows two; otherwise the same one, with one commit."""

    where: str
    first: House
    second: House

    def race(self, one: Submit, other: Submit) -> list[Outcome]:
        """Submit the second house's command once the first house's is decided but not yet written."""
        decided, go = hold_first_write()
        early = one(self.first)
        assert decided.wait(HANG)
        late = other(self.second)
        if self.first is not self.second:
            until(lambda: late.done() or self._waits(), "the second command")
        go.set()
        return [early.result(HANG), late.result(HANG)]

    def _waits(self) -> bool:
        """Whether the second command waits for a lock."""
        with closing(psycopg.connect(self.where)) as connection:
            return connection.execute(WAITING).fetchone() != (0,)


@contextmanager
def two_houses(where: str) -> Iterator[TwoHouses]:
    settings = Settings(group_max=2, group_seconds=HANG)
    with ExitStack() as stack:
        first = stack.enter_context(House(open_store(where), settings))
        shared = where.startswith("postgresql:")
        second = stack.enter_context(House(open_store(where), settings)) if shared else first
        yield TwoHouses(where, first, second)
