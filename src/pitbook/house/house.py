"""The house: tables, people and dice over one journal."""

from __future__ import annotations

import logging
from contextlib import contextmanager, suppress
from dataclasses import replace as replace_fields
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypedDict, Unpack

import msgspec
from msgspec.structs import replace

from pitbook.dice_register.state import EMPTY, Register
from pitbook.errors import InputError
from pitbook.house.allowances import allowance
from pitbook.house.answers import answer_of
from pitbook.house.archived import TableArchived
from pitbook.house.books import HouseBooks
from pitbook.house.clock_warnings import ClockWarning, ahead_message, is_ahead, warnings_of
from pitbook.house.codec import domain, encode_outcome, request_bytes
from pitbook.house.command_accounts import accounts_of
from pitbook.house.dice import decide_register
from pitbook.house.disabled import DisabledTable, TableDisabled
from pitbook.house.interruptions import interruption_of
from pitbook.house.people import CLAIMING, GRANTING, NAMING, WAITING, decide_people, packaged_roles
from pitbook.house.rounds import KINDS, KINDS_INDEX
from pitbook.house.state import HouseState
from pitbook.house.table_numbers import number_holder, tables_in_order
from pitbook.journal.clocks import JUMP_SECONDS, Clock
from pitbook.journal.decisions import Command as JournalCommand
from pitbook.journal.decisions import Joint, Overview
from pitbook.journal.entries import HOUSE
from pitbook.journal.errors import Broken, ClockJumped, Damaged
from pitbook.journal.runner import Runner, Settings
from pitbook.ledger.accounts import (
    WALK_IN,
    player_of,
)
from pitbook.messages import Message, compose
from pitbook.people.commands import AcceptClock
from pitbook.people.decide import Context as PeopleContext
from pitbook.people.decide.records import recorded_by
from pitbook.people.state import People
from pitbook.rulebooks.catalogue import SHIPPED
from pitbook.rulebooks.composition import parts_of
from pitbook.table import commands as c
from pitbook.table.decide import Context, decide
from pitbook.table.decide.rights import PLAYERS
from pitbook.table.dice_moves import MOVING
from pitbook.table.liability import Liability
from pitbook.table.names import name_of_table
from pitbook.table.people import MANAGER, Consent, Person, is_supervisor
from pitbook.table.refusals import Refusal
from pitbook.table.state import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Future
    from datetime import datetime

    from pitbook.dice_register.commands import Command as DiceCommand
    from pitbook.house.answers import Answer
    from pitbook.house.disabled import Cause
    from pitbook.journal.decisions import Decide, Decision, Outcome, Sequences
    from pitbook.journal.port import Reader, Store
    from pitbook.journal.runner import OnCommit, Promise
    from pitbook.journal.states import StateAt
    from pitbook.ledger.accounts import Account
    from pitbook.people.commands import Command as PeopleCommand
    from pitbook.rulebooks.model import Rulebook

log = logging.getLogger(__name__)


class CommandOptions(TypedDict, total=False):
    """The optional parts of a command."""

    key: str | None
    """The idempotency key."""
    expected: tuple[int, int] | None
    """The round and step that the command is meant for; None: any."""
    remote: bool
    """Whether it comes from the person's own device, so that no cash can change hands."""
    confirmed: frozenset[str]
    """The witnesses who have confirmed."""
    consent: Consent | None
    """The consent with which staff act for a player with an account."""


View: TypeAlias = "Callable[[str], StateAt[Table | HouseState]]"
"""Returns a sequence's state."""


class ConsistentView(NamedTuple):
    """Functions that read committed data as of one moment."""

    read_table: Callable[[str], tuple[int, Table]]
    """Returns the number of a table's last entry, and the table."""
    balances: Callable[[Sequence[Account]], dict[Account, int]]


class House:
    """Tables and people over one journal."""

    def __init__(
        self,
        store: Store,
        settings: Settings | None = None,
        *,
        clock: Callable[[], datetime] | None = None,
        jump_seconds: float = JUMP_SECONDS,
        on_commit: OnCommit | None = None,
        books: HouseBooks | None = None,
    ) -> None:
        """Open a house; records more than `jump_seconds` ahead of the clock wait until a manager accepts the clock."""
        self.store = store
        self.books = books or HouseBooks()
        self.liability = Liability()
        self._clock = clock or Clock(store, bound=jump_seconds)
        self._jump_seconds = jump_seconds
        if isinstance(self._clock, Clock):
            self._clock.accepted = lambda: self.people.clock_accepted
        self._digests: set[str] = set()
        """The digests of the books that records use."""
        store.index_kinds(KINDS_INDEX, KINDS)
        self.books.read_texts(store)
        following = replace_fields(domain(self.books), prepare=self._read_book)
        self._runner = Runner(store, following, settings, on_commit=on_commit)
        self.disabled: dict[str, DisabledTable] = {}
        """The tables that do not run, by name."""
        self._archived = store.detached()

    def _read_book(self, digest: str, reader: Reader) -> None:
        self._digests.add(digest)
        self.books.read_text(digest, reader)

    def submit(
        self, table: str, person: Person, command: c.Command, **options: Unpack[CommandOptions]
    ) -> Future[Outcome]:
        """Submit a command; the future is done once it is durable."""
        return self._runner.submit(self._command(table, person, command, **options))

    def submit_with(
        self,
        promise: Promise,
        table: str,
        person: Person,
        command: c.Command,
        *,
        fence: int | None = None,
        **options: Unpack[CommandOptions],
    ) -> None:
        """Like `submit`, but resolve the caller's promise, and refuse an outdated fence."""
        self._runner.submit_with(self._command(table, person, command, fence=fence, **options), promise)

    def _command(
        self,
        table: str,
        person: Person,
        command: c.Command,
        *,
        key: str | None = None,
        expected: tuple[int, int] | None = None,
        remote: bool = False,
        confirmed: frozenset[str] = frozenset(),
        recovers: bool = False,
        consent: Consent | None = None,
        fence: int | None = None,
    ) -> JournalCommand[Table | HouseState]:
        self._check_enabled(table)
        now = self._now()
        corrects = isinstance(command, c.CorrectClock)
        if self.clock_failure is not None and not (corrects or recovers):
            raise ClockJumped(self.clock_failure)
        known = self._runner.last_state(_check_not_house(table))
        assert not isinstance(known, HouseState)
        request = request_bytes(person, command)
        command = self._under_policy(command)

        def deciding(
            state: Table | HouseState, others: Sequences[Table | HouseState], balances: Mapping[Account, int], at: str
        ) -> Decision:
            return decided(state, _NO_HOUSE, others, balances, at)

        def jointly(
            state: Table | HouseState, own: Table | HouseState, balances: Mapping[Account, int], at: str
        ) -> Decision:
            return decided(state, own, None, balances, at)

        def decided(
            state: Table | HouseState,
            own: Table | HouseState,
            others: Sequences[Table | HouseState] | None,
            balances: Mapping[Account, int],
            at: str,
        ) -> Decision:
            assert isinstance(state, Table)
            assert isinstance(own, HouseState)
            ahead = at > now and self._is_ahead(at, self._now())  # later commands may have been recorded first
            if ahead and not corrects:
                raise ClockJumped(ahead_message(table, at, self._now()))
            if isinstance(command, c.RevealSeed):
                at = max(at, self._now())  # the process may have been paused since the command was submitted
            at = now if corrects else at
            limits = partial(allowance, self, others, state, command, person, at) if others else None
            holder = self._is_holder(command, person)
            tables = () if others is None else tables_in_order(others, self.disabled)
            context = Context(
                person,
                at,
                balances,
                expected,
                remote,
                confirmed,
                limits,
                holder,
                consent,
                own.dice,
                ahead,
                self.liability,
                self._is_superseded(command),
                number_holder(command, table, tables),
            )
            return encode_outcome(state, decide(state, command, context), self.books.editions)

        return JournalCommand(
            table=table,
            request=request,
            decide=Joint(HOUSE, jointly) if isinstance(command, MOVING) else Overview(deciding),
            actor=person.name,
            role=person.role,
            at=now,
            key=key,
            staff=not isinstance(command, PLAYERS),
            accounts=accounts_of(known, person, command),
            fence=fence,
            restarts_time=corrects,
        )

    def ask(
        self,
        table: str,
        person: Person,
        command: c.Command,
        *,
        timeout: float | None = 30,
        **options: Unpack[CommandOptions],
    ) -> Answer:
        """Like `submit`, but wait for the answer."""
        return answer_of(self._runner.run(self._command(table, person, command, **options), timeout))

    def now(self) -> datetime:
        """Return the database's time, which never goes backwards."""
        return self._clock()

    # -- a clock that has jumped, and a record that is ahead of the clock

    @property
    def clock_failure(self) -> Message | None:
        """Why no table continues because the clock has jumped, or None."""
        jump = self._clock.jump if isinstance(self._clock, Clock) else None
        return None if jump is None else jump.message

    def ahead(self, now: datetime | None = None) -> dict[str, str]:
        """Return the sequences whose last recorded time is far ahead of the clock, with that time."""
        at = (now or self._clock()).isoformat(timespec="microseconds")
        return {name: last for name, last in self.recorded().items() if self._is_ahead(last, at)}

    def recorded(self) -> dict[str, str]:
        """Return the last recorded time of every enabled sequence, as last seen by this process."""
        known = sorted(self._runner.last_states().items())
        return {name: seen.at for name, seen in known if seen.at and name not in self.disabled}

    def time_failure(self, table: str) -> Message | None:
        """Return why a table cannot continue because of the time, or None."""
        last, now = self._view(_check_not_house(table), self._runner.view).at, self._now()
        return self.clock_failure or (ahead_message(table, last, now) if self._is_ahead(last, now) else None)

    def _is_ahead(self, last: str, now: str) -> bool:
        return is_ahead(last, now, self._jump_seconds)

    def _now(self) -> str:
        return self._clock().isoformat(timespec="microseconds")

    def check_clock(self) -> None:
        """Compare the record with the clock at the start: log what is ahead, or save the clock's reference."""
        ahead = self.ahead()
        for name, last in ahead.items():
            log.error("%s", ahead_message(name, last, self._now()))
        if isinstance(self._clock, Clock) and not ahead:
            self._clock.save_reference()

    def accept_clock(self, person: Person, words: str) -> Answer:
        """Accept the current clock as a manager, first on record, then at every table that is ahead of it.

        Time continues from the clock, and other processes follow. It can be repeated if it did not complete.
        """
        for name in (HOUSE, *self.tables()):
            self._runner.view(name)
        clock = self._clock if isinstance(self._clock, Clock) else None
        jump = clock.jump if clock is not None else None
        now = jump.found if jump is not None else self._clock()
        ahead = self.ahead(now)
        command = AcceptClock(words, jump.seconds if jump else 0.0, tuple(ahead))
        answer = answer_of(self._runner.run(self._people_command(person, command, None, now), 30))
        if answer.refused is not None:
            return answer
        if clock is not None:
            clock.accept()
        for name in ahead:
            if name != HOUSE:
                self.ask(name, person, c.CorrectClock(words))
        return answer

    def trial(
        self,
        table: str,
        person: Person,
        command: c.Command,
        expected: tuple[int, int] | None = None,
        *,
        confirmed: frozenset[str] = frozenset(),
        consent: Consent | None = None,
    ) -> Refusal | None:
        """Return why a command would be refused now, or None; nothing is recorded."""
        state = self.table(table) if self.has_table(table) else self.books.new_table(table)
        balances = self.store.balances(accounts_of(state, person, command))
        at = self._now()
        register = self.dice if isinstance(command, MOVING) else EMPTY
        context = Context(
            person,
            at,
            balances,
            expected,
            confirmed=confirmed,
            holder=self._is_holder(command, person),
            consent=consent,
            register=register,
            liability=self.liability,
            superseded=self._is_superseded(command),
            number_holder=number_holder(command, table, self._tables()),
        )
        outcome = decide(state, self._under_policy(command), context)
        return outcome if isinstance(outcome, Refusal) else None

    def _is_holder(self, command: c.Command, person: Person) -> bool:
        """Return whether a command concerns the chips of another person with an account."""
        named = getattr(command, "player", None)
        return named is not None and named != person.name and self.people_seen.find(named) is not None

    def _is_superseded(self, command: c.Command) -> bool:
        """Return whether a table would be opened under an older edition of a packaged book."""
        if not isinstance(command, c.OpenTable) or not set(parts_of(command.setup.book)) <= set(SHIPPED):
            return False
        return self.books.editions.is_older(command.setup.book, command.setup.digest)

    def _under_policy(self, command: c.Command) -> c.Command:
        """Add the house's policy and the hash of the book's text to a set-up, so that the table records them."""
        if not isinstance(command, c.OpenTable | c.ChangeSetup):
            return command
        policy = self.people_seen.policy
        text, parts = self._texts(command.setup)
        setup = replace(
            command.setup,
            witness=policy.witness,
            shifts=policy.shifts,
            timezone=policy.timezone,
            approval_references=policy.approval_references,
            bet_consent=policy.bet_consent,
            text=text,
            books=parts,
        )
        return replace(command, setup=setup)

    def _texts(self, setup: c.Setup) -> tuple[str, tuple[c.BookPart, ...]]:
        """Return the hash of a book's text, or the books of several on one hand, each with its own."""
        if len(parts_of(setup.book)) == 1:
            return self._text_hash(setup.book, setup.digest), ()
        try:
            parts = self.books.editions.parts(setup.book, setup.digest)
        except InputError:
            return "", ()  # a book that is not here: the table refuses it, and says so
        return "", tuple(c.BookPart(part.id, part.digest, self._text_hash(part.id, part.digest)) for part in parts)

    def _text_hash(self, book: str, digest: str) -> str:
        """Return the SHA-256 of a book's text in the journal, or empty if the book is unknown."""
        self.books.read_text(digest, self.store)
        content = self.books.editions.text_of(book, digest)
        return "" if content is None else sha256(content).hexdigest()

    def table(self, name: str) -> Table:
        """Return a committed table, or raise `TableDisabled`."""
        return self.read_table(name)[1]

    def read_table(self, name: str) -> tuple[int, Table]:
        """Return the number of a table's last committed entry, and the table."""
        return self._read_table(name, self._runner.view)

    @contextmanager
    def consistent_view(self) -> Iterator[ConsistentView]:
        """Read tables and balances as of one moment, so that chips on a layout are not in a rail as well."""
        with self._runner.consistent_view() as committed:
            yield ConsistentView(lambda name: self._read_table(name, committed.view), committed.balances)

    def _read_table(self, name: str, view: View) -> tuple[int, Table]:
        at = self._view(_check_not_house(name), view)
        assert isinstance(at.state, Table)
        return at.head.sequence, at.state

    def warnings(self) -> list[ClockWarning]:
        """Return what keeps enabled tables from running, as last seen by this process."""
        known = {name: seen for name, seen in self._runner.last_states().items() if name not in self.disabled}
        return list(warnings_of(known, self._now(), self._jump_seconds))

    def _view(self, name: str, view: View) -> StateAt[Table | HouseState]:
        self._check_enabled(name)
        try:
            at = view(name)
            if isinstance(at.state, Table) and at.state.setup is not None:
                _ = at.state.rules  # a snapshot loads without the book, but the table needs it
        except Exception as error:
            if self.store.is_failure(error) and not isinstance(error, Damaged):
                raise  # a failure of the database, not of the table
            cause: Cause = "record" if isinstance(error, Broken | Damaged | msgspec.MsgspecError) else "book"
            raise TableDisabled(self.disable(name, cause, _remedy(cause, error))) from error
        return at

    def disable(self, table: str, cause: Cause, reason: Message) -> DisabledTable:
        """Disable a table, with a reason for managers."""
        found = self.disabled[table] = DisabledTable(table, cause, reason)
        log.error("table %s is disabled: %s", table, reason)
        return found

    def check_not_archived(self, table: str) -> None:
        """Raise `TableArchived` for a table whose record is in an archive."""
        if table in self._archived:
            raise TableArchived(self._archived[table])

    def _check_enabled(self, table: str) -> None:
        self.check_not_archived(table)
        if table in self.disabled:
            raise TableDisabled(self.disabled[table])

    def check_tables(self) -> None:
        """Disable the tables whose record or book cannot be read, and store the books of all others in the journal."""
        for name in self.tables():
            with suppress(TableDisabled):
                self.table(name)
        for digest in self._digests:
            text = self.books.editions.text_of("", digest)
            if text is None:
                continue
            try:
                if self.store.attachment(digest) is None:
                    with self.store.transaction() as unit:
                        unit.attach(digest, text)
            except Damaged as damage:
                log.warning(
                    "the text of the book %s in the journal cannot be read; a local copy is used: %s", digest, damage
                )

    def has_table(self, name: str) -> bool:
        """Return whether a table has a record; raise `TableArchived` if it is in an archive."""
        self.check_not_archived(name)
        if name == HOUSE or not name.isprintable():  # no table has such a name, and PostgreSQL takes no NUL
            return False
        known = self._runner.last_state(name)
        return (isinstance(known, Table) and known.setup is not None) or bool(self.store.head(name).sequence)

    # -- the house's own sequence: people and dice

    @property
    def _own(self) -> HouseState:
        state = self._runner.view(HOUSE).state
        assert isinstance(state, HouseState)
        return state

    @property
    def people(self) -> People:
        """The committed people of the house."""
        return self._own.people

    @property
    def people_seen(self) -> People:
        """The people as last seen by this process, including its own commits."""
        state = self._runner.last_state(HOUSE)
        return state.people if isinstance(state, HouseState) else self.people

    @property
    def people_sequence(self) -> int:
        """The last entry of the house's own sequence that this process has read."""
        return self._runner.sequence(HOUSE)

    @property
    def dice(self) -> Register:
        """The committed register of dice."""
        return self._own.dice

    def submit_dice(self, person: Person, command: DiceCommand, *, key: str | None = None) -> Future[Outcome]:
        """Submit a command to the register of dice; the future is done once it is durable."""
        return self._runner.submit(self._dice_command(person, command, key))

    def register_dice(
        self, person: Person, command: DiceCommand, *, key: str | None = None, timeout: float | None = 30
    ) -> Answer:
        """Like `submit_dice`, but wait for the answer."""
        return answer_of(self._runner.run(self._dice_command(person, command, key), timeout))

    def _dice_command(
        self, person: Person, command: DiceCommand, key: str | None
    ) -> JournalCommand[Table | HouseState]:
        allowed = self.keepers_of_dice()

        def deciding(state: Table | HouseState, _balances: Mapping[Account, int], at: str) -> Decision:
            assert isinstance(state, HouseState)
            if self._is_ahead(at, self._now()):
                raise ClockJumped(ahead_message(HOUSE, at, self._now()))
            return decide_register(state.dice, person, command, at, allowed)

        return self._house_command(person, person, command, deciding, key, staff=True)

    def keepers_of_dice(self) -> frozenset[str]:
        """Return the roles that receive and retire dice: managers, and the supervisors of each book."""
        found = {MANAGER}
        for rules in self._books():
            found |= {role for role in rules.roles if is_supervisor(rules, role)}
        return frozenset(found)

    def _house_command(
        self,
        asking: Person,
        recorded: Person,
        command: msgspec.Struct,
        deciding: Decide[Table | HouseState],
        key: str | None,
        *,
        staff: bool,
        restart_at: datetime | None = None,
    ) -> JournalCommand[Table | HouseState]:
        return JournalCommand(
            table=HOUSE,
            request=msgspec.json.encode((asking, command), order="deterministic"),
            decide=deciding,
            actor=recorded.name,
            role=recorded.role,
            at=(restart_at or self._clock()).isoformat(timespec="microseconds"),
            key=key,
            staff=staff,
            restarts_time=restart_at is not None,
        )

    def submit_people(self, person: Person, command: PeopleCommand, *, key: str | None = None) -> Future[Outcome]:
        """Submit a command about people; the future is done once it is durable."""
        return self._runner.submit(self._people_command(person, command, key))

    def manage(
        self, person: Person, command: PeopleCommand, *, key: str | None = None, timeout: float | None = 30
    ) -> Answer:
        """Like `submit_people`, but wait for the answer."""
        return answer_of(self._runner.run(self._people_command(person, command, key), timeout))

    def _people_command(
        self, person: Person, command: PeopleCommand, key: str | None, restart_at: datetime | None = None
    ) -> JournalCommand[Table | HouseState]:
        """Return the command; with `restart_at`, the record's time continues there, even if it is earlier."""
        roles = self.roles() if isinstance(command, GRANTING) else frozenset()
        players = self.players() if isinstance(command, NAMING) else frozenset()
        people = self.people_seen if isinstance(command, CLAIMING) else People()
        restart = restart_at.isoformat(timespec="microseconds") if restart_at else None

        def deciding(state: Table | HouseState, _balances: Mapping[Account, int], at: str) -> Decision:
            assert isinstance(state, HouseState)
            return decide_people(state.people, command, PeopleContext(person, restart or at, roles, players))

        recorded, staff = recorded_by(people, person, command), person.role not in WAITING
        return self._house_command(person, recorded, command, deciding, key, staff=staff, restart_at=restart_at)

    def players(self) -> frozenset[str]:
        """Return the names of all players in the ledger, walk-ins without their prefix."""
        names = (player_of(account) for account in self.store.all_balances())
        return frozenset(name.removeprefix(WALK_IN) for name in names if name is not None)

    def roles(self) -> frozenset[str]:
        """Return the roles of all packaged books and of the tables' books."""
        return packaged_roles() | {role for rules in self._books() for role in rules.roles}

    def _books(self) -> Iterator[Rulebook]:
        """Yield the books of the tables."""
        for table in self._tables():
            if table.setup is not None:
                yield table.rules

    def _tables(self) -> Iterator[Table]:
        """Yield the committed tables."""
        for name in self.tables():
            yield self.table(name)

    def table_name(self, table: str) -> Message | None:
        """Return the name by which people know a table, or None for one that this process has not seen."""
        known = None if table in self.disabled else self._runner.last_state(table)
        return name_of_table(known) if isinstance(known, Table) and known.setup is not None else None

    def tables(self) -> list[str]:
        """Return the names of all tables that have a record and are not disabled."""
        return [name for name in self.store.names() if name != HOUSE and name not in self.disabled]

    def after_restart(self) -> dict[str, str]:
        """Call the book's power-failure irregularity for every round that was interrupted before its outcome.

        A durable outcome needs nothing: the dealer continues and settles it. If one of several processes dies, this is
        not called, because it is not a power failure.
        """
        done = {}
        for name in self.tables():
            table = self.table(name)
            if not table.open or table.power_failed or not table.bets.fresh:
                continue
            if table.automatic is not None:
                continue  # the electronic tumbler continues where it was
            found = interruption_of(table)
            if found:
                role = table.rules.irregularities[found].called_by[0]
                call = c.Call(found, "the system was restarted")
                command = self._command(name, Person("system", role), call, recovers=True)
                try:
                    done[name] = answer_of(self._runner.run(command, 30)).refused or found
                except ClockJumped as jumped:
                    done[name] = str(jumped)
        return done

    @property
    def failure(self) -> str | None:
        """Why the journal cannot write now, or None."""
        return self._runner.failure

    def check_recovery(self) -> None:
        """Test whether a journal that could not write can do so again; raise `Unavailable` if not."""
        self._runner.check_recovery()

    def close(self) -> None:
        """Serve the pending commands and close the journal."""
        self._runner.close()
        self.store.close()

    def __enter__(self) -> House:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_NO_HOUSE = HouseState()
"""The house's state for commands that move no dice."""


def _remedy(cause: Cause, error: Exception) -> Message:
    """Return what is wrong with a table, and what to do."""
    reason = error if isinstance(error, InputError) else " ".join(str(error).split()) or type(error).__name__
    return compose(f"alarms.detail.{'no-book' if cause == 'book' else 'no-record'}", reason=reason)


def _check_not_house(table: str) -> str:
    if table == HOUSE:
        raise InputError("journal.house-name", name=HOUSE)
    return table
