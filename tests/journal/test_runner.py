"""Running commands: once, in order, durably, in groups, staff first; and what happens where one is wrong."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import NoReturn

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from pitbook.journal import fault_injection, snapshots
from pitbook.journal.decisions import Accepted, Command, Decision, Joint, Outcome, Refused
from pitbook.journal.entries import HOUSE, Entry
from pitbook.journal.errors import Broken, ConstraintViolation, Fenced, Unavailable
from pitbook.journal.group_commit import KEY_REUSED, Group, Recent
from pitbook.journal.port import Head, Store
from pitbook.journal.refusal_aggregation import REFUSALS, REFUSED, Refusal, RefusalAggregator, RefusalCount
from pitbook.journal.runner import Runner, Settings
from pitbook.journal.states import Domain, catch_up
from pitbook.ledger.accounts import Account, cage, escrow, player
from tests.journal import bank
from tests.journal.bank import bet, buy, pay, tell
from tests.journal.conftest import ON_POSTGRES
from tests.waiting import HANG, until

Run = Callable[..., Runner[bank.Table]]
ANN, BEN = player("ann", "USD"), player("ben", "USD")


def done(future: Future[Outcome]) -> Outcome:
    return future.result(HANG)


def kinds(store: Store, table: str = "t1") -> list[str]:
    return [entry.kind for entry in store.entries(table)]


def raising(state: bank.Table, balances: Mapping[Account, int], at: str) -> Decision:
    raise ZeroDivisionError("a bug")


def overdrawing(state: bank.Table, balances: Mapping[Account, int], at: str) -> Decision:
    return Accepted((bank.event("bet", bank.Fact(10**9), (ANN, cage("USD"))),), b"")


class BlockedWriter:
    """The first command holds the writer until the test lets go: what comes meanwhile waits in line."""

    def __init__(self, runner: Runner[bank.Table], table: str = "t1") -> None:
        started, self.go = threading.Event(), threading.Event()

        def decide(state: bank.Table, balances: Mapping[Account, int], at: str) -> Decision:
            started.set()
            assert self.go.wait(HANG)
            return Accepted((bank.event("opened", bank.Fact()),), b"")

        self.first = runner.submit(bank.command(table, decide, None, "open"))
        assert started.wait(HANG)


def test_commands_are_decided_on_the_state_before_them(runner: Runner[bank.Table], store: Store) -> None:
    assert done(runner.submit(buy("t1", "ann", 100))) == Outcome(b"bought 100", 1)
    assert done(runner.submit(bet("t1", "ann", 60))) == Outcome(b"bet 60 as 1", 2)
    assert done(runner.submit(bet("t1", "ann", 60))).refused == "short"
    assert done(runner.submit(pay("t1", "ann", 60))).sequence == 5
    assert store.balances([ANN, escrow("t1")]) == {ANN: 160, escrow("t1"): 0}
    assert kinds(store) == ["bought", "bet", REFUSED, "won", "paid"]
    assert runner.view("t1").state == bank.Table("t1", 4, 0)
    assert runner.failure is None


def test_a_state_that_deciding_led_to_is_not_folded_again(runner: Runner[bank.Table], store: Store) -> None:
    after = bank.Table("t1", 7, 3)

    def decide(state: bank.Table, balances: Mapping[Account, int], at: str) -> Decision:
        return Accepted((bank.event("opened", bank.Fact()),), b"", after=after)

    done(runner.submit(bank.command("t1", decide, None, "open")))
    assert runner.view("t1").state is after
    assert kinds(store) == ["opened"]


def test_attachments_are_stored_with_the_events_that_refer_to_them(runner: Runner[bank.Table], store: Store) -> None:
    def decide(state: bank.Table, balances: Mapping[Account, int], at: str) -> Decision:
        opened = bank.event("opened", bank.Fact())
        return Accepted((opened,), b"", "a" * 64, attachments={"a" * 64: b"the rules"})

    done(runner.submit(bank.command("t1", decide, None, "open")))
    assert (store.attachments(), store.attachment("a" * 64)) == (["a" * 64], b"the rules")


def test_prefetched_balances_are_not_read_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    with store.transaction() as unit:
        monkeypatch.setattr(unit, "balances", read.append)
        group = Group(unit, bank.DOMAIN, {}, RefusalAggregator(1.0), Recent())
        commands = [bet("t1", "ann", 1, "k1"), bet("t1", "ben", 1, "k2")]
        group.prefetch(commands)
        for command in commands:
            assert group.run(command).refused == "short"
    assert not read


def test_the_accounts_of_a_command_are_read_together(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[tuple[Account, ...]] = []

    def decide(state: bank.Table, balances: Mapping[Account, int], at: str) -> Decision:
        return Accepted((), str(balances[ANN] + balances[BEN]).encode())

    with store.transaction() as unit:
        balances = unit.balances

        def counted(accounts: Sequence[Account]) -> Mapping[Account, int]:
            read.append(tuple(accounts))
            return balances(accounts)

        monkeypatch.setattr(unit, "balances", counted)
        group = Group(unit, bank.DOMAIN, {}, RefusalAggregator(1.0), Recent())
        group.run(dataclasses.replace(bank.command("t1", decide, None, "sum"), accounts=(ANN, BEN)))
    assert read == [(ANN, BEN)]


def test_a_failed_read_is_not_mistaken_for_an_error_of_the_decision(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decide(state: bank.Table, balances: Mapping[Account, int], at: str) -> Decision:
        try:
            balances[BEN]
        except Unavailable as error:
            raise KeyError(BEN) from error
        raise AssertionError("nothing failed")

    def fail(accounts: Sequence[Account]) -> NoReturn:
        raise Unavailable("the database is away")

    with store.transaction() as unit:
        monkeypatch.setattr(unit, "balances", fail)
        group = Group(unit, bank.DOMAIN, {}, RefusalAggregator(1.0), Recent())
        command = dataclasses.replace(bank.command("t1", decide, None, "look"), accounts=())
        with pytest.raises(Unavailable, match="the database is away"):
            group.run(command)


def test_entries_carry_who_when_and_the_book(runner: Runner[bank.Table], store: Store) -> None:
    done(runner.submit(buy("t1", "ann", 100)))
    done(runner.submit(bet("t1", "ann", 60)))
    done(runner.submit(pay("t1", "ann", 60, key="k")))
    _, _, won, paid = store.entries("t1")
    assert (won.actor, won.role, won.at, won.attachment) == ("ann", "dealer", bank.AT, bank.BOOK)
    assert (won.key, won.answer, paid.key, paid.request, paid.answer) == ("k", b"paid", None, None, None)


def test_the_same_key_and_request_get_the_same_answer(run: Run, store: Store) -> None:
    runner = run()
    first = done(runner.submit(buy("t1", "ann", 100, "k1")))
    runner.close()
    again = done(run().submit(buy("t1", "ann", 100, "k1")))
    assert again == msgspec.structs.replace(first, repeated=True)
    assert store.balances([ANN]) == {ANN: 100}


def test_the_same_key_with_another_request_is_refused(runner: Runner[bank.Table], store: Store) -> None:
    done(runner.submit(buy("t1", "ann", 100, "k1")))
    assert done(runner.submit(buy("t1", "ann", 101, "k1"))).refused == KEY_REUSED
    assert store.balances([ANN]) == {ANN: 100}
    assert done(runner.submit(buy("t2", "ann", 101, "k1"))).refused is None


def test_the_same_key_many_times_at_once_counts_once(runner: Runner[bank.Table], store: Store) -> None:
    outcomes = [done(future) for future in [runner.submit(buy("t1", "ann", 5, "k")) for _ in range(50)]]
    assert {outcome.answer for outcome in outcomes} == {b"bought 5"}
    assert store.balances([ANN]) == {ANN: 5}


def test_a_refused_key_stays_refused(runner: Runner[bank.Table], store: Store) -> None:
    done(runner.submit(tell("t1", "opened")))
    for key in ("k1", "k2"):  # the second is part of a flood
        assert done(runner.submit(bet("t1", "ann", 60, key))).refused == "short"
    done(runner.submit(buy("t1", "ann", 100)))
    for key in ("k1", "k2"):
        late = done(runner.submit(bet("t1", "ann", 60, key)))
        assert (late.refused, late.answer, late.repeated) == ("short", b"not enough", True)
    assert done(runner.submit(bet("t1", "ann", 60, "k3"))).refused is None


def test_a_flood_of_refusals_is_counted(run: Run, store: Store) -> None:
    runner = run(Settings(refusal_window_seconds=60))
    done(runner.submit(tell("t1", "opened")))
    for future in [runner.submit(bet("t1", "ann", 5, f"k{number}")) for number in range(200)]:
        done(future)
    done(runner.submit(bet("t1", "bob", 5)))
    runner.close()
    _, one, other, counted = store.entries("t1")
    assert (one.kind, one.actor, other.kind, other.actor) == (REFUSED, "ann", REFUSED, "bob")
    assert msgspec.json.decode(one.body, type=Refusal) == Refusal("t1", "short")
    assert counted.kind == REFUSALS
    assert msgspec.json.decode(counted.body, type=RefusalCount) == RefusalCount(
        "t1", "short", "ann", 199, bank.AT, bank.AT
    )


def later(command: Command[bank.Table], seconds: int) -> Command[bank.Table]:
    return dataclasses.replace(command, at=f"2026-01-01T00:00:{seconds:02}Z")


def test_the_times_of_commands_decide_which_refusals_are_counted(run: Run, store: Store) -> None:
    """No clock of this machine has a part in it: the same commands leave the same record, however fast they come."""
    runner = run(Settings(refusal_window_seconds=10))
    done(runner.submit(tell("t1", "opened")))
    for seconds in (0, 3, 9, 10, 12, 30):
        done(runner.submit(later(bet("t1", "ann", 5), seconds)))
    until(lambda: kinds(store).count(REFUSALS) == 2, "the numbers")
    runner.close()
    refused = [entry.at[-3:-1] for entry in store.entries("t1") if entry.kind == REFUSED]
    counted = [msgspec.json.decode(one.body, type=RefusalCount) for one in store.entries("t1") if one.kind == REFUSALS]
    assert refused == ["00", "10", "30"]
    assert [(one.count, one.first[-3:-1], one.last[-3:-1]) for one in counted] == [(2, "03", "09"), (1, "12", "12")]


def test_a_floods_number_is_recorded_with_the_next_command_after_it(run: Run, store: Store) -> None:
    runner = run(Settings(refusal_window_seconds=10))
    held = BlockedWriter(runner)
    futures = [runner.submit(bet("t1", "ann", 5)) for _ in range(3)]
    held.go.set()
    for future in (held.first, *futures):
        done(future)
    done(runner.submit(later(tell("t1", "spoken"), 9)))
    done(runner.submit(later(tell("t1", "spoken"), 10)))
    until(lambda: REFUSALS in kinds(store), "the number")
    assert kinds(store) == ["opened", REFUSED, "spoken", "spoken", REFUSALS]


def test_a_clock_that_was_set_back_ends_a_flood(run: Run, store: Store) -> None:
    runner = run(Settings(refusal_window_seconds=10))
    done(runner.submit(tell("t1", "opened")))
    done(runner.submit(later(bet("t1", "ann", 5), 50)))
    done(runner.submit(later(bet("t1", "ann", 5), 20)))
    assert kinds(store) == ["opened", REFUSED, REFUSED]


def test_a_refusal_that_a_failed_commit_has_lost_is_recorded_when_it_comes_again(run: Run, store: Store) -> None:
    runner = run(Settings(refusal_window_seconds=60))
    done(runner.submit(tell("t1", "opened")))

    def full(_: int) -> None:
        raise Unavailable("the disk is full")

    fault_injection.arm("before-commit", full)
    with pytest.raises(Unavailable, match="the disk is full"):
        done(runner.submit(bet("t1", "ann", 5)))
    fault_injection.disarm()
    assert kinds(store) == ["opened"]
    assert done(runner.submit(bet("t1", "ann", 5))).refused == "short"
    assert kinds(store) == ["opened", REFUSED]


def test_a_refusal_at_a_table_that_was_never_opened_is_the_houses(runner: Runner[bank.Table], store: Store) -> None:
    assert done(runner.submit(bet("nowhere", "ann", 5))).refused == "short"
    assert list(store.heads()) == [HOUSE]
    assert runner.view("nowhere").head.sequence == 0


def test_commands_that_wait_are_committed_together(run: Run, store: Store) -> None:
    commits: list[int] = []
    fault_injection.arm("before-commit", commits.append)
    runner = run(Settings(group_max=10, group_seconds=60, snapshot_every=10**9))
    held = BlockedWriter(runner)
    waiting = [runner.submit(buy("t1", "ann", 1)) for _ in range(25)]
    held.go.set()
    assert [done(future).sequence for future in waiting] == list(range(2, 27))
    assert len(commits) == 3


def test_nothing_is_acknowledged_before_its_commit(run: Run, store: Store) -> None:
    waiting: list[Future[Outcome]] = []
    events: list[bool] = []
    fault_injection.arm("before-acknowledge", lambda _: events.append(store.head("t1").sequence == 3))
    fault_injection.arm("before-commit", lambda _: events.append(any(future.done() for future in waiting)))
    runner = run(Settings(group_seconds=60))
    held = BlockedWriter(runner)
    waiting += [runner.submit(buy("t1", "ann", 1)) for _ in range(2)]
    held.go.set()
    done(waiting[-1])
    assert events == [False, True]


def test_staff_overtake_the_bets_that_wait(run: Run, store: Store) -> None:
    runner = run()
    done(runner.submit(buy("t1", "ann", 100)))
    held = BlockedWriter(runner)
    bets = [runner.submit(bet("t1", "ann", 1)) for _ in range(20)]
    closed = runner.submit(tell("t1", "closed"))
    held.go.set()
    assert done(closed).sequence == 3
    assert {done(future).refused for future in bets} == {"closed"}


def test_too_many_that_wait_are_turned_away_but_never_staff(run: Run) -> None:
    runner = run(Settings(waiting_max=2))
    held = BlockedWriter(runner)
    waiting = [runner.submit(buy("t1", "ann", 1)) for _ in range(4)]
    staff = runner.submit(tell("t1", "closed"))
    held.go.set()
    assert [type(future.exception(HANG)) for future in waiting] == [type(None)] * 2 + [Unavailable] * 2
    assert done(staff).refused is None


def test_after_closing_nobody_is_served(runner: Runner[bank.Table]) -> None:
    runner.close()
    with pytest.raises(Unavailable):
        done(runner.submit(buy("t1", "ann", 1)))


def test_a_bug_in_one_decision_harms_no_other(run: Run, store: Store) -> None:
    runner = run(Settings(group_seconds=60))
    held = BlockedWriter(runner)
    futures = [
        runner.submit(buy("t1", "ann", 1)),
        runner.submit(bank.command("t1", raising, "k", "bug")),
        runner.submit(bank.command("t1", overdrawing, "k", "bug")),
        runner.submit(buy("t1", "ann", 2)),
    ]
    held.go.set()
    assert [type(future.exception(HANG)) for future in futures] == [
        type(None),
        ZeroDivisionError,
        ConstraintViolation,
        type(None),
    ]
    assert store.balances([ANN]) == {ANN: 3}
    assert kinds(store) == ["opened", "bought", "bought"]


def test_a_bug_in_evolving_writes_nothing(store: Store) -> None:
    def evolve(state: bank.Table, entry: Entry) -> bank.Table:
        raise ZeroDivisionError

    with Runner(store, Domain(bank.load, evolve, msgspec.json.encode)) as runner, pytest.raises(ZeroDivisionError):
        done(runner.submit(buy("t1", "ann", 1)))
    assert store.heads() == {}


def test_a_tag_is_used_once(runner: Runner[bank.Table], store: Store) -> None:
    done(runner.submit(tell("t1", "thrown", tag=1)))
    with pytest.raises(ConstraintViolation):
        done(runner.submit(tell("t1", "thrown", tag=1)))
    done(runner.submit(tell("t1", "thrown", tag=2)))
    assert [entry.tag for entry in store.entries("t1")] == [1, 2]


def test_a_cancelled_command_is_not_run(run: Run, store: Store) -> None:
    runner = run()
    held = BlockedWriter(runner)
    waiting = runner.submit(buy("t1", "ann", 1))
    assert waiting.cancel()
    held.go.set()
    runner.close()
    assert kinds(store) == ["opened"]


def test_a_restart_is_a_snapshot_and_what_came_after(run: Run, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    runner = run(Settings(snapshot_every=10))
    for _ in range(25):
        done(runner.submit(buy("t1", "ann", 1)))
    live = runner.view("t1").state
    runner.close()
    snapshot = store.snapshot("t1")
    assert snapshot
    assert snapshot.sequence == 20
    replayed: list[int] = []

    def evolve(state: bank.Table, entry: Entry) -> bank.Table:
        replayed.append(entry.sequence)
        return bank.evolve(state, entry)

    domain = Domain(bank.load, evolve, msgspec.json.encode)
    assert catch_up(domain, "t1", None, store).state == live
    assert replayed == [21, 22, 23, 24, 25]
    # An unsound snapshot is skipped: first the previous one is used, then the whole record.
    for expected in (15, 25):
        spoilt = store.snapshot("t1", below=snapshot.sequence + 1)
        assert spoilt
        with store.transaction() as unit:
            unit.save(msgspec.structs.replace(spoilt, content=b'{"name":"t1","events":1}'))
        snapshot = msgspec.structs.replace(spoilt, sequence=spoilt.sequence - 1)
        replayed.clear()
        assert catch_up(domain, "t1", None, store).state == live
        assert len(replayed) == expected


def test_a_snapshot_of_another_head_is_passed_over(run: Run, store: Store) -> None:
    runner = run()
    for _ in range(3):
        done(runner.submit(buy("t1", "ann", 1)))
    other = Head(3, b"x" * 32)
    with store.transaction() as unit:
        unit.save(snapshots.take("t1", other, msgspec.json.encode(bank.Table("t1", events=99))))
    assert catch_up(bank.DOMAIN, "t1", None, store).state.events == 3


def test_a_view_is_cached_but_not_for_an_invented_name(runner: Runner[bank.Table], store: Store) -> None:
    runner.view("nobody")
    assert runner.last_state("nobody") is None
    runner.view(HOUSE)
    assert runner.last_state(HOUSE) is not None, "a house without people is looked up once"
    done(runner.submit(buy("t1", "ann", 5)))
    assert runner.view("t1").head == store.head("t1")


@ON_POSTGRES
def test_what_other_processes_wrote_is_caught_up(where: str, run: Run, store: Store) -> None:
    other = bank.open_store(where)
    runners = [run(), run(over=other)]
    done(runners[0].submit(buy("t1", "ann", 1_000)))
    futures = [runners[number % 2].submit(bet(f"t{number % 3}", "ann", 1, f"k{number}")) for number in range(200)]
    assert {done(future).refused for future in futures} == {None}
    assert {done(runners[1].submit(bet(f"t{n % 3}", "ann", 1, f"k{n}"))).repeated for n in range(20)} == {True}
    assert store.balances([ANN]) == {ANN: 800}
    assert runners[0].view("t1").state == runners[1].view("t1").state
    for runner in runners:
        runner.close()
    other.close()


@ON_POSTGRES
def test_deadlocks_are_run_again(run: Run, store: Store) -> None:
    runner = run(Settings(group_seconds=60))
    bob = player("bob", "USD")
    meeting = threading.Barrier(2)
    first = {"t1": True, "t2": True}

    def crossing(table: str, *accounts: Account) -> Command[bank.Table]:
        def decide(state: bank.Table, balances: Mapping[Account, int], at: str) -> Decision:
            assert balances[accounts[0]] == 5
            if first.pop(table, False):
                meeting.wait(HANG)
            assert balances[accounts[1]] == 5
            return Accepted((bank.event("met", bank.Fact()),), b"")

        return Command(table, b"", decide, "ann", "player", bank.AT)

    for who in ("ann", "bob"):
        done(runner.submit(buy("t1", who, 5)))
    futures = [runner.submit(crossing("t1", ANN, bob)), runner.submit(crossing("t2", bob, ANN))]
    assert {done(future).refused for future in futures} == {None}


def test_watchers_are_notified_after_the_commit(where: str, store: Store) -> None:
    events: list[Mapping[str, tuple[Entry, ...]]] = []
    with Runner(store, bank.DOMAIN, on_commit=events.append) as runner:
        done(runner.submit(buy("t1", "ann", 1)))
        done(runner.submit(bet("t1", "ann", 1)))
        done(runner.submit(pay("t1", "ann", 1)))
        done(runner.submit(buy("t2", "ann", 1, "k")))
        done(runner.submit(buy("t2", "ann", 1, "k")))  # answered before: nothing is written
    one, two, *rest = store.entries("t1")
    assert events == [{"t1": (one,)}, {"t1": (two,)}, {"t1": tuple(rest)}, {"t2": tuple(store.entries("t2"))}]
    assert len(rest) == 2


def test_watchers_are_notified_of_a_group_at_once(store: Store) -> None:
    events: list[Mapping[str, tuple[Entry, ...]]] = []
    with Runner(store, bank.DOMAIN, Settings(group_seconds=60, group_max=4), on_commit=events.append) as runner:
        held = BlockedWriter(runner)
        futures = [runner.submit(buy("t1", "ann", number)) for number in range(1, 4)]
        held.go.set()
        assert [done(future).sequence for future in futures] == [2, 3, 4]
    assert events == [{"t1": tuple(store.entries("t1"))}]


def test_watchers_are_not_notified_of_what_was_rolled_back(store: Store) -> None:
    events: list[Mapping[str, tuple[Entry, ...]]] = []
    with Runner(store, bank.DOMAIN, Settings(group_seconds=60, group_max=4), on_commit=events.append) as runner:
        held = BlockedWriter(runner)
        futures = [
            runner.submit(buy("t1", "ann", 1)),
            runner.submit(bank.command("t1", overdrawing, "k", "bug")),
            runner.submit(buy("t1", "ann", 2)),
        ]
        held.go.set()
        assert [type(future.exception(HANG)) for future in futures] == [type(None), ConstraintViolation, type(None)]
    assert [entry for commit in events for entry in commit["t1"]] == list(store.entries("t1"))
    assert kinds(store) == ["opened", "bought", "bought"]


def test_a_tables_times_never_go_backwards(run: Run, store: Store) -> None:
    times: list[str] = []

    def decide(state: bank.Table, balances: Mapping[Account, int], at: str) -> Decision:
        times.append(at)
        return Accepted((bank.event("told", bank.Fact()), bank.event("told", bank.Fact())), b"")

    def at(second: int, table: str = "t1") -> Command[bank.Table]:
        return Command(table, b"", decide, "ann", "player", f"2026-01-01T00:00:0{second}.000000+00:00")

    runner = run(Settings(snapshot_every=4))
    for second in (5, 3):
        done(runner.submit(at(second)))
    done(runner.submit(at(2, "t2")))
    runner.close()
    assert store.snapshot("t1")
    after = run()  # knows the table from the snapshot at its head
    for second in (4, 6):
        done(after.submit(at(second)))
    assert [int(time[18]) for time in times] == [5, 5, 2, 5, 6]
    assert [int(entry.at[18]) for entry in store.entries("t1")] == [5, 5, 5, 5, 5, 5, 6, 6]
    assert after.view("t1").at == times[-1] == catch_up(bank.DOMAIN, "t1", None, store).at


def test_a_refusal_is_not_recorded_before_the_entry_before_it(runner: Runner[bank.Table], store: Store) -> None:
    done(runner.submit(buy("t1", "ann", 1)))
    early = dataclasses.replace(bet("t1", "ann", 5), at="2025-12-31T23:59:59Z")
    assert done(runner.submit(early)).refused == "short"
    assert [entry.at for entry in store.entries("t1")] == [bank.AT, bank.AT]


def test_a_failing_watcher_harms_nobody(store: Store) -> None:
    def failing(committed: Mapping[str, tuple[Entry, ...]]) -> None:
        raise ZeroDivisionError

    with Runner(store, bank.DOMAIN, on_commit=failing) as runner:
        done(runner.submit(buy("t1", "ann", 1)))
        done(runner.submit(buy("t1", "ann", 1)))
    assert store.balances([ANN]) == {ANN: 2}


def test_a_broken_chain_stops_its_table_only(tmp_path_factory: pytest.TempPathFactory) -> None:
    import apsw

    path = tmp_path_factory.mktemp("broken") / "journal.db"
    store = bank.open_store(str(path))
    with Runner(store, bank.DOMAIN) as runner:
        for table in ("t1", "t2"):
            done(runner.submit(buy(table, "ann", 1)))
    store.close()
    connection = apsw.Connection(str(path))
    connection.execute("DROP TRIGGER entries_not_updated; UPDATE entries SET actor = 'eve' WHERE table_name = 't1'")
    connection.close()
    store = bank.open_store(str(path))
    with Runner(store, bank.DOMAIN) as runner:
        with pytest.raises(Broken, match="table 't1', entry 1"):
            done(runner.submit(buy("t1", "ann", 1)))
        done(runner.submit(buy("t2", "ann", 1)))
    store.close()


steps = some.lists(
    some.tuples(
        some.sampled_from([buy, bet, pay]),
        some.sampled_from(["t1", "t2"]),
        some.sampled_from(["ann", "bob"]),
        some.integers(1, 5),
        some.none() | some.sampled_from(["k1", "k2", "k3"]),
    ),
    max_size=40,
)


@given(steps=steps, group_max=some.integers(1, 8))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_replay_equals_live(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[object, str, str, int, str | None]], group_max: int
) -> None:
    path = tmp_path_factory.mktemp("replay") / "journal.db"
    store = bank.open_store(str(path))
    with Runner(store, bank.DOMAIN, Settings(group_max=group_max, snapshot_every=5)) as runner:
        futures = [runner.submit(make(table, who, amount, key)) for make, table, who, amount, key in steps]  # type: ignore[operator]
        for future in futures:
            done(future)
        live = {table: runner.view(table) for table in ("t1", "t2")}
    moved: dict[Account, int] = {}
    for table in store.heads():
        for entry in store.entries(table):
            for transfer in entry.transfers:
                for leg in transfer.legs:
                    moved[leg.account] = moved.get(leg.account, 0) + leg.amount
    assert moved == store.all_balances()
    assert sum(moved.values()) == 0
    for table, at in live.items():
        replayed = bank.load(table, None)
        for entry in store.entries(table, limit=at.head.sequence):
            if entry.kind not in (REFUSED, REFUSALS):
                replayed = bank.evolve(replayed, entry)
        assert replayed == at.state == catch_up(bank.DOMAIN, table, None, store).state
        assert at.state.staked == store.balances([escrow(table)])[escrow(table)]
    store.close()


# -- a second sequence


def move(table: str, who: str, at: str = bank.AT) -> Command[bank.Table]:
    """Return a command that records how often it was sent before."""

    def decide(state: bank.Table, house: bank.Table, _balances: Mapping[Account, int], at: str) -> Decision:
        if house.events >= 5:
            return Refused("full", b"")
        recorded = bank.event("noted", bank.Fact(house.events + 1, who))
        return Accepted((bank.event("moved", bank.Fact(who=who)),), at.encode(), beside=(recorded,))

    return Command(table, who.encode(), Joint(HOUSE, decide), who, "dealer", at, who, staff=True)


def test_a_joint_decision_sees_and_writes_both_sequences(run: Run, store: Store) -> None:
    runner = run()
    futures = [runner.submit(move(f"t{number % 3}", f"dealer {number}")) for number in range(8)]
    refused = [done(future).refused for future in futures]
    assert sorted(name or "" for name in refused) == [""] * 5 + ["full"] * 3
    recorded = [msgspec.json.decode(e.body, type=bank.Fact).amount for e in store.entries(HOUSE) if e.kind == "noted"]
    assert recorded == [1, 2, 3, 4, 5], "each decision saw what the previous one had written"
    assert sum(kind == "moved" for number in range(3) for kind in kinds(store, f"t{number}")) == 5


def test_a_repeated_request_for_a_joint_decision_writes_nothing_again(run: Run, store: Store) -> None:
    runner = run()
    first, again = done(runner.submit(move("t1", "dan"))), done(runner.submit(move("t1", "dan")))
    assert (first.answer, again.repeated) == (again.answer, True)
    assert (kinds(store), kinds(store, HOUSE)) == (["moved"], ["noted"])


def test_the_entries_of_a_joint_decision_have_one_time_not_before_either_sequence(run: Run, store: Store) -> None:
    runner = run()
    late, early = "2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"
    done(runner.submit(move("t1", "dan", late)))
    assert done(runner.submit(move("t2", "dot", early))).answer == late.encode()
    assert {entry.at for table in ("t1", "t2", HOUSE) for entry in store.entries(table)} == {late}


@ON_POSTGRES
def test_a_replaced_writer_is_refused_and_changes_nothing(where: str, store: Store, run: Run) -> None:
    def fenced(fence: int, key: str) -> Command[bank.Table]:
        return dataclasses.replace(buy("t1", "ann", 5, key), fence=fence)

    with contextlib.closing(bank.open_store(where)) as second:
        before, after = run(), Runner(second, bank.DOMAIN)
        done(before.submit(fenced(1, "first")))
        done(after.submit(fenced(2, "second")))
        for key in ("third", "first"):
            with pytest.raises(Fenced, match="fence 2, which is higher than 1"):
                done(before.submit(fenced(1, key)))
        done(before.submit(buy("t1", "ann", 5, "without a fence")))
        done(before.submit(dataclasses.replace(buy("t2", "ann", 5), fence=1)))
        done(after.submit(fenced(2, "fourth")))
        after.close()
    assert [entry.key for entry in store.entries("t1")] == ["first", "second", "without a fence", "fourth"]


@ON_POSTGRES
def test_a_writer_that_is_replaced_while_it_waits_for_the_table_is_refused(where: str, store: Store, run: Run) -> None:
    done(run().submit(dataclasses.replace(buy("t1", "ann", 5), fence=1)))
    with contextlib.closing(bank.open_store(where)) as second, Runner(second, bank.DOMAIN) as after:
        late = dataclasses.replace(buy("t1", "ann", 5, "late"), fence=1)
        with store.transaction() as unit:  # keeps both waiting
            unit.lock("t1")
            unit.raise_fence("t1", 2)
            waiting = after.submit(late)
            until(waiting.running, "the command to be taken")
        with pytest.raises(Fenced):
            done(waiting)
    assert [entry.key for entry in store.entries("t1")] == [None]
