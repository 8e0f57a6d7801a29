"""Runs commands: one after the other on a table, many in one commit, acknowledged only after it."""

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
from pitbook.journal.errors import Conflict, Unavailable, Violated
from pitbook.journal.group_commit import Group, Recent
from pitbook.journal.refusal_aggregation import REFUSALS, Counted, Kind, RefusalAggregator
from pitbook.journal.states import At, Domain, caught_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Reading, Store
    from pitbook.ledger.accounts import Account

log = logging.getLogger(__name__)

RETRIES = 5
"""So often a command is run again where the database asks for it."""

OVERDUE_SECONDS = 2.0
"""A commit that takes longer is trouble, even before it fails."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How commands are grouped and states are kept."""

    group_max: int = 64
    group_seconds: float = 0.05
    waiting_max: int = 10_000
    lanes: int = 4
    """Threads (and connections) that serve tables side by side, where the store allows more than one."""
    snapshot_every: int = 1_000
    flood_seconds: float = 1.0
    """Refusals of one kind within so many seconds, by the times of their commands, are counted."""


class Promise(Protocol):
    """What a command's outcome is told to: a future, or what takes its place. It is told in a journal's thread."""

    def set_running_or_notify_cancel(self) -> bool:
        """Whether somebody still wants it; from now on it is carried out."""

    def set_result(self, result: Outcome, /) -> None:
        """It is durable."""

    def set_exception(self, exception: BaseException | None, /) -> None:
        """It has failed for good."""


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[State]):
    command: Command[State]
    future: Promise


class Moment(NamedTuple, Generic[State]):
    """How to read what was committed at one moment."""

    view: Callable[[str], At[State]]
    balances: Callable[[Sequence[Account]], dict[Account, int]]


OnCommit: TypeAlias = "Callable[[Mapping[str, tuple[Entry, ...]]], None]"
"""Told after the acknowledgement which entries a commit added, by table and in order: of one table always in order."""

_Results: TypeAlias = "list[tuple[Promise, Outcome | Exception]]"


class Runner(Generic[State]):
    """The one way to write to a journal."""

    def __init__(
        self,
        store: Store,
        domain: Domain[State],
        settings: Settings | None = None,
        *,
        on_commit: OnCommit | None = None,
    ) -> None:
        self._trouble: str | None = None
        self._begun: dict[int, float] = {}
        """When each thread began the commit that it is waiting for."""
        self._store = store
        self._domain = domain
        self._settings = settings or Settings()
        self._on_commit = on_commit
        self._states: dict[str, At[State]] = {}
        self._keeping = Lock()
        self._floods = RefusalAggregator(self._settings.flood_seconds)
        self._recent = Recent()
        self._lines: CommandQueue[_Waiting[State]] = CommandQueue(self._settings.waiting_max)
        lanes = self._settings.lanes if store.one_table_per_commit else 1
        self._callers = Semaphore(lanes)
        self._threads = [Thread(target=self._serve, name=f"journal-{lane}", daemon=True) for lane in range(lanes)]
        for thread in self._threads:
            thread.start()

    def submit(self, command: Command[State]) -> Future[Outcome]:
        """Have a command decided and written. The future is done once it is durable, or has failed for good.

        It fails with `Unavailable` where the journal cannot write: nothing is known to be done, and the same key
        may be sent again. It fails with what `decide` raised, with `Violated` or `Broken`, and then nothing is done.
        """
        future: Future[Outcome] = Future()
        self.hand_in(command, future)
        return future

    def hand_in(self, command: Command[State], promise: Promise) -> None:
        """The same, for who brings what is to be told."""
        try:
            self._lines.put(self._line(command.table), _Waiting(command, promise), staff=command.staff)
        except QueueFull:
            promise.set_exception(Unavailable("too many commands wait for the journal, or it is closed"))

    def run(self, command: Command[State], timeout: float | None = None) -> Outcome:
        """The same for a caller who waits: in its own thread where nobody else is served, which saves a hand-over."""
        future: Future[Outcome] = Future()
        name = self._line(command.table)
        own = self._callers.acquire(blocking=False)
        try:
            if self._lines.put(name, _Waiting(command, future), staff=command.staff, claim=own):
                try:
                    self._group(name)
                finally:
                    self._lines.release(name)
        except QueueFull:
            raise Unavailable("too many commands wait for the journal, or it is closed") from None
        finally:
            if own:
                self._callers.release()
        return future.result(timeout)

    def view(self, table: str) -> At[State]:
        """A table's state as it is committed, without its lock."""
        return self._view(table, self._states.get(table), self._store)

    @contextlib.contextmanager
    def moment(self) -> Iterator[Moment[State]]:
        """States and balances as they are committed at one moment, without locks."""
        known = self.all_known()  # before the moment: none of them is later than it
        with self._store.moment() as reading:
            yield Moment(lambda table: self._view(table, known.get(table), reading), reading.balances)

    def _view(self, table: str, known: At[State] | None, reading: Reading) -> At[State]:
        at = caught_up(self._domain, table, known, reading, reading.head(table))
        known = self._states.get(table)
        real = at.head.sequence or table == HOUSE  # no memory is kept for names that somebody made up
        if real and (known is None or known.head.sequence < at.head.sequence):
            self._states[table] = at
        return at

    def known(self, table: str) -> State | None:
        """A table's state as it was last seen here, without a look at the journal."""
        at = self._states.get(table)
        return at.state if at else None

    def sequence(self, table: str) -> int:
        """Return the number of a table's last entry as it was last seen here, without a look at the journal."""
        at = self._states.get(table)
        return at.head.sequence if at else 0

    @property
    def trouble(self) -> str | None:
        """Why the journal cannot write at present; None while it can."""
        first = min(self._begun.copy().values(), default=inf)
        if time.monotonic() - first > OVERDUE_SECONDS:
            return "a commit is overdue"
        return self._trouble

    def look_again(self) -> None:
        """Find out whether a journal that could not write can do so again: where nobody is sent, nobody commits."""
        if self._trouble is not None:
            self._store.check_writing()
            self._trouble = None

    def all_known(self) -> dict[str, At[State]]:
        """Every table's state as it was last seen here, without a look at the journal."""
        return dict(self._states)

    def close(self) -> None:
        """Serve who still waits, record what was counted, and stop. The store stays open."""
        self._lines.close()
        for thread in self._threads:
            thread.join()
        for counted in self._floods.due():
            self._retry(self._recording(counted))

    def __enter__(self) -> Runner[State]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- the threads

    def _line(self, table: str) -> str:
        return table if self._store.one_table_per_commit else ""

    def _serve(self) -> None:
        while True:
            name = self._lines.claim()
            if name is None:
                if self._lines.finished:
                    return
                continue
            try:
                self._group(name)
            finally:
                self._lines.release(name)

    def _group(self, name: str) -> None:
        """Run those who wait in a line, as many as one commit may hold."""
        taken: list[_Waiting[State]] = []
        taking = self._taking(name, taken)
        first = next(taking, None)  # before the transaction: whoever waits is told even where none can be begun
        if first is None:
            return
        try:
            self._commit(chain([first], taking), self._foreseen(name, first))
        except (Conflict, Violated):
            for waiting in taken:  # alone: its accounts are locked in sorted order, and it harms no other
                self._retry(waiting)
        except Exception as error:
            _fail(taken, error)
        self._record_floods(max(waiting.command.at for waiting in taken))

    def _foreseen(self, name: str, first: _Waiting[State]) -> list[Command[State]]:
        """Those who are probably run in one commit, where it is worth to look ahead."""
        others = self._lines.ahead(name, self._settings.group_max - 1)
        if not others and not self._store.one_table_per_commit:
            return []
        return [waiting.command for waiting in (first, *others)]

    def _taking(self, name: str, taken: list[_Waiting[State]]) -> Iterator[_Waiting[State]]:
        until = time.monotonic() + self._settings.group_seconds
        while len(taken) < self._settings.group_max and (not taken or time.monotonic() < until):
            waiting = self._lines.take(name)
            if waiting is None:
                return
            if waiting.future.set_running_or_notify_cancel():
                taken.append(waiting)
                yield waiting

    def _retry(self, waiting: _Waiting[State]) -> None:
        for attempt in range(RETRIES):
            try:
                self._commit([waiting], [waiting.command] if self._store.one_table_per_commit else [])
            except Conflict:
                time.sleep(0.01 * 2**attempt)
            except Exception as error:
                _fail([waiting], error)
                return
            else:
                return
        _fail([waiting], Unavailable("other processes kept changing the same accounts; send the command again"))

    def _commit(self, source: Iterable[_Waiting[State]], foreseen: Sequence[Command[State]]) -> None:
        """One transaction. Results are told only after its commit; where it fails, nobody is told anything."""
        results: _Results = []
        alone: list[Kind] = []
        self._begun[get_ident()] = time.monotonic()
        try:
            with self._store.transaction() as unit:
                group = Group(unit, self._domain, self._states, self._floods, self._recent)
                alone = group.alone
                if foreseen:
                    group.foresee(foreseen)
                for waiting in source:
                    try:
                        results.append((waiting.future, group.run(waiting.command)))
                    except Exception as error:
                        if self._store.is_failure(error):
                            raise
                        results.append((waiting.future, error))
                fault_injection.point("before-commit")
        except Exception as error:
            for kind in alone:
                self._floods.forget(kind)
            if isinstance(error, Unavailable):
                self._trouble = str(error)
                log.error("the journal cannot write: %s", error)
            raise
        finally:
            del self._begun[get_ident()]
        self._trouble = None
        before = {table: self._states.get(table) for table in group.states}
        self._keep(group.states)
        self._recent.update(group.recent)
        fault_injection.point("before-acknowledge")
        for future, result in results:
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)
        committed = {table: tuple(entries) for table, entries in group.written.items()}
        self._tell(committed, {table: at for table, at in group.states.items() if before[table] is not at})

    def _keep(self, states: Mapping[str, At[State]]) -> None:
        """Keep the states of a commit, unless another lane has kept a later one of a shared sequence meanwhile."""
        with self._keeping:
            for table, at in states.items():
                known = self._states.get(table)
                if known is None or known.head.sequence <= at.head.sequence:
                    self._states[table] = at

    def _tell(self, committed: Mapping[str, tuple[Entry, ...]], states: Mapping[str, At[State]]) -> None:
        """After the commit: watchers and snapshots. What fails here loses nothing."""
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

    def _snapshot(self, table: str, at: At[State]) -> None:
        self._states[table] = at._replace(snapshot=at.head.sequence)  # where it fails, the next is tried later
        content = self._domain.save(at.state)
        with self._store.transaction() as unit:
            unit.save(snapshots.take(table, at.head, content))

    def _record_floods(self, at: str) -> None:
        """Record the floods of refusals that are over at a command's time: no other clock decides what is recorded."""
        for counted in self._floods.due(at):
            waiting = self._recording(counted)
            with contextlib.suppress(QueueFull):
                self._lines.put(self._line(waiting.command.table), waiting, staff=False)

    def _recording(self, counted: Counted) -> _Waiting[State]:
        """The command by which the journal itself records a flood's number."""
        at = self._states.get(counted.table)
        place = counted.table if at and at.head.sequence else HOUSE
        decision = Accepted((Event(REFUSALS, msgspec.json.encode(counted)),), b"")
        return _Waiting(
            Command(place, b"", lambda _state, _balances, _at: decision, "journal", "journal", counted.last), Future()
        )


def _fail(taken: list[_Waiting[State]], error: Exception) -> None:
    for waiting in taken:
        waiting.future.set_exception(error)
