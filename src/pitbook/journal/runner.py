"""Runs commands: sequentially per table, grouped into commits, acknowledged only after the commit."""

from __future__ import annotations

import contextlib
import logging
import time
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import chain
from math import inf
from threading import Lock, Semaphore, Thread, get_ident
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeAlias

import msgspec

from pitbook.journal import fault_injection, snapshots
from pitbook.journal.command_queue import CommandQueue, QueueFull
from pitbook.journal.decisions import Accepted, Command, Event, Outcome, State
from pitbook.journal.entries import HOUSE
from pitbook.journal.errors import Conflict, ConstraintViolation, Unavailable
from pitbook.journal.group_commit import Group, Recent
from pitbook.journal.refusal_aggregation import REFUSALS, RefusalAggregator, RefusalCount, RefusalKind
from pitbook.journal.states import Domain, StateAt, catch_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Reader, Store
    from pitbook.ledger.accounts import Account

log = logging.getLogger(__name__)

RETRIES = 5
"""How often a command is retried after a conflict."""

OVERDUE_SECONDS = 2.0
"""A commit that takes longer counts as a failure, even before it fails."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How commands are grouped and snapshots are taken."""

    group_max: int = 64
    group_seconds: float = 0.05
    waiting_max: int = 10_000
    lanes: int = 4
    """Threads and connections that serve tables in parallel, if the store allows more than one."""
    snapshot_every: int = 1_000
    refusal_window_seconds: float = 1.0
    """Refusals of one kind within this window, by the times of their commands, are counted."""


class Promise(Protocol):
    """The receiver of an outcome: a `Future` or a substitute. It is called in a journal thread."""

    def set_running_or_notify_cancel(self) -> bool:
        """Return False if the command was cancelled; otherwise it can no longer be."""

    def set_result(self, result: Outcome, /) -> None:
        """Receive the durable outcome."""

    def set_exception(self, exception: BaseException | None, /) -> None:
        """Receive the final error."""


@dataclass(frozen=True, slots=True)
class _Pending(Generic[State]):
    command: Command[State]
    future: Promise


class ConsistentView(NamedTuple, Generic[State]):
    """Functions that read committed data as of one moment."""

    view: Callable[[str], StateAt[State]]
    balances: Callable[[Sequence[Account]], dict[Account, int]]


OnCommit: TypeAlias = "Callable[[Mapping[str, tuple[Entry, ...]]], None]"
"""Called after the acknowledgement with the new entries by table; calls for one table are in order."""

_Results: TypeAlias = "list[tuple[Promise, Outcome | Exception]]"


class Runner(Generic[State]):
    """The only writer of a journal."""

    def __init__(
        self,
        store: Store,
        domain: Domain[State],
        settings: Settings | None = None,
        *,
        on_commit: OnCommit | None = None,
    ) -> None:
        self._failure: str | None = None
        self._commits_since: dict[int, float] = {}
        """The start of each thread's pending commit."""
        self._store = store
        self._domain = domain
        self._settings = settings or Settings()
        self._on_commit = on_commit
        self._states: dict[str, StateAt[State]] = {}
        self._states_lock = Lock()
        self._refusals = RefusalAggregator(self._settings.refusal_window_seconds)
        self._recent = Recent()
        self._queue: CommandQueue[_Pending[State]] = CommandQueue(self._settings.waiting_max)
        lanes = self._settings.lanes if store.one_table_per_commit else 1
        self._callers = Semaphore(lanes)
        self._threads = [Thread(target=self._serve, name=f"journal-{lane}", daemon=True) for lane in range(lanes)]
        for thread in self._threads:
            thread.start()

    def submit(self, command: Command[State]) -> Future[Outcome]:
        """Queue a command; the future is done once the command is durable or has failed.

        It fails with `Unavailable` if the journal cannot write: the command may or may not be recorded, and can be sent
        again with the same key. It fails with the error of `decide`, `ConstraintViolation` or `Broken` if nothing was
        recorded.
        """
        future: Future[Outcome] = Future()
        self.submit_with(command, future)
        return future

    def submit_with(self, command: Command[State], promise: Promise) -> None:
        """Like `submit`, but resolve the caller's promise."""
        try:
            self._queue.put(self._queue_name(command.table), _Pending(command, promise), staff=command.staff)
        except QueueFull:
            promise.set_exception(Unavailable("too many commands wait for the journal, or it is closed"))

    def run(self, command: Command[State], timeout: float | None = None) -> Outcome:
        """Run a command and wait; in the caller's thread if its queue is idle, which saves a thread switch."""
        future: Future[Outcome] = Future()
        name = self._queue_name(command.table)
        own = self._callers.acquire(blocking=False)
        try:
            if self._queue.put(name, _Pending(command, future), staff=command.staff, claim=own):
                try:
                    self._group(name)
                finally:
                    self._queue.release(name)
        except QueueFull:
            raise Unavailable("too many commands wait for the journal, or it is closed") from None
        finally:
            if own:
                self._callers.release()
        return future.result(timeout)

    def view(self, table: str) -> StateAt[State]:
        """Return a table's committed state, without locking the table."""
        return self._view(table, self._states.get(table), self._store)

    @contextlib.contextmanager
    def consistent_view(self) -> Iterator[ConsistentView[State]]:
        """Read committed states and balances as of one moment, without locks."""
        known = self.last_states()  # first, so that none of them is later than the reader
        with self._store.consistent_reader() as reader:
            yield ConsistentView(lambda table: self._view(table, known.get(table), reader), reader.balances)

    def _view(self, table: str, known: StateAt[State] | None, reader: Reader) -> StateAt[State]:
        at = catch_up(self._domain, table, known, reader, reader.head(table))
        known = self._states.get(table)
        real = at.head.sequence or table == HOUSE  # made-up names must not fill the memory
        if real and (known is None or known.head.sequence < at.head.sequence):
            self._states[table] = at
        return at

    def last_state(self, table: str) -> State | None:
        """Return a table's state as last seen by this process, without reading the journal."""
        at = self._states.get(table)
        return at.state if at else None

    def sequence(self, table: str) -> int:
        """Return the number of a table's last entry as last seen by this process."""
        at = self._states.get(table)
        return at.head.sequence if at else 0

    @property
    def failure(self) -> str | None:
        """Why the journal cannot write now, or None."""
        first = min(self._commits_since.copy().values(), default=inf)
        if time.monotonic() - first > OVERDUE_SECONDS:
            return "a commit is overdue"
        return self._failure

    def check_recovery(self) -> None:
        """Test whether a journal that could not write can do so again; raise `Unavailable` if not."""
        if self._failure is not None:
            self._store.check_writable()
            self._failure = None

    def last_states(self) -> dict[str, StateAt[State]]:
        """Return the states of all tables as last seen by this process."""
        return dict(self._states)

    def close(self) -> None:
        """Serve the pending commands, record the counted refusals, and stop; the store stays open."""
        self._queue.close()
        for thread in self._threads:
            thread.join()
        for counted in self._refusals.due():
            self._retry(self._recording_command(counted))

    def __enter__(self) -> Runner[State]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- the threads

    def _queue_name(self, table: str) -> str:
        return table if self._store.one_table_per_commit else ""

    def _serve(self) -> None:
        while True:
            name = self._queue.claim()
            if name is None:
                if self._queue.finished:
                    return
                continue
            try:
                self._group(name)
            finally:
                self._queue.release(name)

    def _group(self, name: str) -> None:
        """Run the pending commands of a queue, as many as fit into one commit."""
        batch: list[_Pending[State]] = []
        taking = self._take(name, batch)
        first = next(taking, None)  # before the transaction, so that it fails with it
        if first is None:
            return
        try:
            self._commit(chain([first], taking), self._upcoming(name, first))
        except (Conflict, ConstraintViolation):
            for pending in batch:  # one by one: accounts are locked in sorted order, and one cannot fail another
                self._retry(pending)
        except Exception as error:
            _fail(batch, error)
        self._record_counts(max(pending.command.at for pending in batch))

    def _upcoming(self, name: str, first: _Pending[State]) -> list[Command[State]]:
        """Return the commands that will probably run in the same commit, if prefetching is worthwhile."""
        others = self._queue.peek(name, self._settings.group_max - 1)
        if not others and not self._store.one_table_per_commit:
            return []
        return [pending.command for pending in (first, *others)]

    def _take(self, name: str, batch: list[_Pending[State]]) -> Iterator[_Pending[State]]:
        until = time.monotonic() + self._settings.group_seconds
        while len(batch) < self._settings.group_max and (not batch or time.monotonic() < until):
            pending = self._queue.take(name)
            if pending is None:
                return
            if pending.future.set_running_or_notify_cancel():
                batch.append(pending)
                yield pending

    def _retry(self, pending: _Pending[State]) -> None:
        for attempt in range(RETRIES):
            try:
                self._commit([pending], [pending.command] if self._store.one_table_per_commit else [])
            except Conflict:
                time.sleep(0.01 * 2**attempt)
            except Exception as error:
                _fail([pending], error)
                return
            else:
                return
        _fail([pending], Unavailable("other processes kept changing the same accounts; send the command again"))

    def _commit(self, source: Iterable[_Pending[State]], upcoming: Sequence[Command[State]]) -> None:
        """Run one transaction; resolve the promises only after its commit."""
        results: _Results = []
        recorded: list[RefusalKind] = []
        self._commits_since[get_ident()] = time.monotonic()
        try:
            with self._store.transaction() as unit:
                group = Group(unit, self._domain, self._states, self._refusals, self._recent)
                recorded = group.recorded_refusals
                if upcoming:
                    group.prefetch(upcoming)
                for pending in source:
                    try:
                        results.append((pending.future, group.run(pending.command)))
                    except Exception as error:
                        if self._store.is_failure(error):
                            raise
                        results.append((pending.future, error))
                fault_injection.point("before-commit")
        except Exception as error:
            for kind in recorded:
                self._refusals.forget(kind)
            if isinstance(error, Unavailable):
                self._failure = str(error)
                log.error("the journal cannot write: %s", error)
            raise
        finally:
            del self._commits_since[get_ident()]
        self._failure = None
        before = {table: self._states.get(table) for table in group.states}
        self._update_states(group.states)
        self._recent.update(group.recent)
        fault_injection.point("before-acknowledge")
        for future, result in results:
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)
        committed = {table: tuple(entries) for table, entries in group.written.items()}
        self._after_commit(committed, {table: at for table, at in group.states.items() if before[table] is not at})

    def _update_states(self, states: Mapping[str, StateAt[State]]) -> None:
        """Store the states of a commit, unless another thread has stored a later one of a shared sequence."""
        with self._states_lock:
            for table, at in states.items():
                known = self._states.get(table)
                if known is None or known.head.sequence <= at.head.sequence:
                    self._states[table] = at

    def _after_commit(self, committed: Mapping[str, tuple[Entry, ...]], states: Mapping[str, StateAt[State]]) -> None:
        """Notify watchers and take snapshots; a failure loses nothing."""
        try:
            if committed:
                self._store.announce({table: entries[-1].sequence for table, entries in committed.items()})
                if self._on_commit:
                    self._on_commit(committed)
            for table, at in states.items():
                if at.head.sequence - at.snapshot >= self._settings.snapshot_every:
                    self._snapshot(table, at)
        except Exception:
            log.exception("after a commit")

    def _snapshot(self, table: str, at: StateAt[State]) -> None:
        self._states[table] = at._replace(snapshot=at.head.sequence)  # if it fails, the next one is due later
        content = self._domain.save(at.state)
        with self._store.transaction() as unit:
            unit.save(snapshots.take(table, at.head, content))

    def _record_counts(self, at: str) -> None:
        """Record the bursts of refusals that are over at a command's time; no other clock decides what is recorded."""
        for counted in self._refusals.due(at):
            pending = self._recording_command(counted)
            with contextlib.suppress(QueueFull):
                self._queue.put(self._queue_name(pending.command.table), pending, staff=False)

    def _recording_command(self, counted: RefusalCount) -> _Pending[State]:
        """Return the command that records a count of refusals."""
        at = self._states.get(counted.table)
        place = counted.table if at and at.head.sequence else HOUSE
        decision = Accepted((Event(REFUSALS, msgspec.json.encode(counted)),), b"")
        return _Pending(
            Command(place, b"", lambda _state, _balances, _at: decision, "journal", "journal", counted.last), Future()
        )


def _fail(batch: list[_Pending[State]], error: Exception) -> None:
    for pending in batch:
        pending.future.set_exception(error)
