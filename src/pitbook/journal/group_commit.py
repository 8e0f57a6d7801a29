"""Group commit: several commands in one transaction, each decided on the state left by the previous one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, Generic

import msgspec

from pitbook.journal import fault_injection
from pitbook.journal.chain import link
from pitbook.journal.decisions import Accepted, Command, Event, Joint, Outcome, Overview, Refused, State
from pitbook.journal.entries import HOUSE, Entry
from pitbook.journal.port import Head, Unit
from pitbook.journal.refusal_aggregation import REFUSED, Refusal, RefusalAggregator, RefusalKind
from pitbook.journal.states import Domain, StateAt, catch_up, fold
from pitbook.ledger.accounts import Account

if TYPE_CHECKING:
    from collections.abc import Sequence

KEY_REUSED = "key-reused"
"""The refusal of a different request with a used key."""


class Balances(Mapping[Account, int]):
    """Account balances, read and locked on first use."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self.failure: Exception | None = None
        self._held: dict[Account, int] = {}

    def read(self, accounts: Sequence[Account]) -> None:
        """Read and lock the accounts that have not been read yet."""
        if unread := [account for account in accounts if account not in self._held]:
            self._held |= self._unit.balances(unread)

    def add(self, balances: Mapping[Account, int]) -> None:
        """Add balances that were read and locked elsewhere; known ones stay."""
        self._held = {**balances, **self._held}

    def apply(self, entries: Sequence[Entry]) -> None:
        """Apply the transfers of entries; the accounts are locked, so no other process changes them."""
        held = self._held
        for entry in entries:
            for transfer in entry.transfers:
                for leg in transfer.legs:
                    if leg.account in held:
                        held[leg.account] += leg.amount

    def __getitem__(self, account: Account) -> int:
        if account not in self._held:
            try:
                self.read((account,))
            except Exception as error:
                self.failure = error  # raised by the database, not by the decision
                raise
        return self._held[account]

    def __iter__(self) -> Iterator[Account]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


class Recent:
    """The last outcomes of refusals that were only counted, by key, to answer repeated requests."""

    def __init__(self, length_max: int = 10_000) -> None:
        self._length_max = length_max
        self._answers: OrderedDict[tuple[str, str], tuple[bytes, Outcome]] = OrderedDict()
        self._lock = Lock()

    def get(self, place: tuple[str, str]) -> tuple[bytes, Outcome] | None:
        return self._answers.get(place)

    def update(self, answers: Mapping[tuple[str, str], tuple[bytes, Outcome]]) -> None:
        with self._lock:
            self._answers.update(answers)
            while len(self._answers) > self._length_max:
                self._answers.popitem(last=False)


class Group(Generic[State]):
    """The commands of a transaction and their results, valid once it is committed."""

    def __init__(
        self,
        unit: Unit,
        domain: Domain[State],
        known: Mapping[str, StateAt[State]],
        refusals: RefusalAggregator,
        recent: Recent,
    ) -> None:
        self._unit = unit
        self._domain = domain
        self._known = known
        self._refusals = refusals
        self._recent = recent
        self._balances = Balances(unit)
        self._unused: set[tuple[str, str]] = set()
        """Keys without an entry, by table."""
        self.recent: dict[tuple[str, str], tuple[bytes, Outcome]] = {}
        """Outcomes of refusals in this group with their request hashes, by table and key."""
        self.states: dict[str, StateAt[State]] = {}
        self.written: dict[str, list[Entry]] = {}
        """The entries of this group, by table."""
        self.recorded_refusals: list[RefusalKind] = []
        """The kinds of refusals that this group records individually."""

    def prefetch(self, commands: Sequence[Command[State]]) -> None:
        """Read what commands will need, in one query per table."""
        for table in dict.fromkeys(command.table for command in commands):
            own = [command for command in commands if command.table == table]
            keys = {command.key for command in own if command.key is not None}
            accounts = {account for command in own for account in command.accounts}
            found = self._unit.prefetch(table, sorted(keys), sorted(accounts))
            self._balances.add(found.balances)
            self._unused |= {(table, key) for key in keys - found.used}
            self._catch_up(table, found.head)

    def run(self, command: Command[State]) -> Outcome:
        """Decide a command and write its events; if anything is raised, nothing of the command is written."""
        at = self._locked(command.table)
        if command.fence is not None:
            self._unit.raise_fence(command.table, command.fence)
        request = sha256(command.request).digest()
        if command.key is not None and (before := self._answered(command, request)):
            return before
        balances = self._balances
        balances.read(command.accounts)
        deciding, moment = command.decide, max(command.at, at.at)
        try:
            if isinstance(deciding, Joint):
                second = self._locked(deciding.beside)
                moment = max(moment, second.at)
                decision = deciding.decide(at.state, second.state, balances, moment)
            elif isinstance(deciding, Overview):
                decision = deciding.decide(at.state, self, balances, moment)
            else:
                decision = deciding(at.state, balances, moment)
        except Exception as error:
            if balances.failure is not None and balances.failure is not error:
                raise balances.failure from error
            raise
        if isinstance(decision, Refused):
            return self._refuse(command, decision, command.key, request)
        if not decision.events:
            return Outcome(decision.answer, at.head.sequence)
        sequence = self._write(command, decision, request, command.at if command.restarts_time else moment)
        if decision.beside:
            assert isinstance(deciding, Joint)
            beside = Command(deciding.beside, b"", deciding, command.actor, command.role, moment)
            self._write(beside, Accepted(decision.beside, b""), request, moment)
        return Outcome(decision.answer, sequence)

    def names(self) -> list[str]:
        """Return the names of all sequences with entries as this transaction sees them."""
        return self._unit.names()

    def view(self, table: str) -> State:
        """Return a sequence's state as this transaction sees it, without locking it."""
        if table in self.states:
            return self.states[table].state
        return catch_up(self._domain, table, self._known.get(table), self._unit, self._unit.head(table)).state

    def lock(self, name: str) -> None:
        """Lock an arbitrary name until the end of the transaction."""
        self._unit.lock(name)

    def _locked(self, table: str) -> StateAt[State]:
        if table not in self.states:
            self._catch_up(table, self._unit.lock(table))
        return self.states[table]

    def _catch_up(self, table: str, head: Head) -> None:
        self.states[table] = catch_up(self._domain, table, self._known.get(table), self._unit, head)

    def _answered(self, command: Command[State], request: bytes) -> Outcome | None:
        """Return the earlier outcome of a used key; refuse a different request with the same key."""
        assert command.key is not None
        place = command.table, command.key
        entry = None if place in self._unused else self._unit.answered(command.table, command.key)
        if entry:
            name = msgspec.json.decode(entry.body, type=Refusal).refusal if entry.kind == REFUSED else None
            known = entry.request or b"", Outcome(entry.answer or b"", entry.sequence, name, repeated=True)
        elif recent := self.recent.get(place) or self._recent.get(place):
            known = recent
        else:
            return None
        if known[0] == request:
            return known[1]
        return self._refuse(command, Refused(KEY_REUSED, b""), None, request)

    def _write(self, command: Command[State], decision: Accepted, request: bytes, moment: str) -> int:
        at = self.states[command.table]
        head = at.head
        entries: list[Entry] = []
        for event in decision.events:
            first = not entries
            entries.append(
                link(
                    head,
                    command.table,
                    event,
                    actor=command.actor,
                    role=command.role,
                    at=moment,
                    key=command.key if first else None,
                    request=request if first and command.key is not None else None,
                    answer=decision.answer if first else None,
                    attachment=decision.attachment,
                )
            )
            head = Head(entries[-1].sequence, entries[-1].hash)
        state = fold(self._domain, at.state, entries) if decision.after is None else decision.after
        fault_injection.point("before-write")
        for digest, content in decision.attachments.items():
            self._unit.attach(digest, content)
        self._unit.queue(entries)
        self._balances.apply(entries)
        if command.key is not None:
            self._unused.discard((command.table, command.key))
        self.states[command.table] = StateAt(head, state, at.snapshot, moment)
        self.written.setdefault(command.table, []).extend(entries)
        return head.sequence

    def _refuse(self, command: Command[State], refused: Refused, key: str | None, request: bytes) -> Outcome:
        table = command.table
        kind = RefusalKind(table, command.actor, refused.name)
        if self._refusals.add(kind, command.at):
            self.recorded_refusals.append(kind)
            body = msgspec.json.encode(Refusal(table, refused.name))
            place = table
            if not self._locked(table).head.sequence:  # a table that was never opened has no record
                place, key = HOUSE, None
            moment = max(command.at, self._locked(place).at)
            recorded = Command(place, b"", command.decide, command.actor, command.role, command.at, key)
            self._write(
                recorded, Accepted((Event(REFUSED, body),), refused.answer, refused.attachment), request, moment
            )
        outcome = Outcome(refused.answer, self.states[table].head.sequence, refused.name)
        if command.key is not None and refused.name != KEY_REUSED:
            self.recent[table, command.key] = request, msgspec.structs.replace(outcome, repeated=True)
        return outcome
