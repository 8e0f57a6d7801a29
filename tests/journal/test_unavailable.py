"""A journal that cannot write acknowledges nothing and pays nothing, says so, and recovers when it can."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import apsw
import psycopg
import pytest

from pitbook.journal import fault_injection
from pitbook.journal.errors import Unavailable
from pitbook.journal.port import Store
from pitbook.journal.postgres import PostgresStore
from pitbook.journal.runner import Runner
from pitbook.journal.sqlite import SqliteStore
from pitbook.ledger.accounts import player
from tests.journal import bank
from tests.journal.disks import Disk
from tests.waiting import HANG, until

ANN = player("ann", "USD")


def promise(
    runner: Runner[bank.Table], store: Store, words: str, fail: Callable[[], object], mend: Callable[[], object]
) -> None:
    """Check that the store works, fails, and recovers."""
    runner.submit(bank.buy("t1", "ann", 5, "before")).result(HANG)
    fail()
    for key in ("during", "during too"):
        with pytest.raises(Unavailable, match=words):
            runner.submit(bank.buy("t1", "ann", 5, key)).result(HANG)
        assert runner.failure
        assert words in runner.failure
    mend()
    assert store.balances([ANN]) == {ANN: 5}
    for again in range(2):
        assert runner.submit(bank.buy("t1", "ann", 5, "during")).result(HANG).repeated is bool(again)
    assert runner.failure is None
    assert store.balances([ANN]) == {ANN: 10}
    assert runner.view("t1").state.events == 2


@pytest.fixture
def disk() -> Iterator[Disk]:
    made = Disk("failing")
    yield made
    made.unregister()


@pytest.fixture
def on_disk(disk: Disk, tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "journal.db", vfs=disk.name)
    yield store
    disk.refusal = None
    store.close()


def refusing(disk: Disk, what: str, error: type[apsw.Error], code: int = 0) -> Callable[[], None]:
    def refuse(done: str) -> None:
        if done == what:
            refusal = error("refused")
            if code:
                refusal.extendedresult = code  # type: ignore[attr-defined]
            raise refusal

    def fail() -> None:
        disk.refusal = refuse

    return fail


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (apsw.FullError, "the disk is full"),
        (apsw.ReadOnlyError, "the file cannot be written"),
        (apsw.IOError, "the disk cannot be read or written"),
    ],
)
def test_a_disk_that_refuses(disk: Disk, on_disk: SqliteStore, error: type[apsw.Error], words: str) -> None:
    with Runner(on_disk, bank.DOMAIN) as runner:
        promise(runner, on_disk, words, refusing(disk, "write", error), lambda: setattr(disk, "refusal", None))


def test_a_disk_that_failed_to_sync_is_not_trusted_again(disk: Disk, on_disk: SqliteStore, tmp_path: Path) -> None:
    with Runner(on_disk, bank.DOMAIN) as runner:
        runner.submit(bank.buy("t1", "ann", 5, "before")).result(HANG)
        refusing(disk, "sync", apsw.IOError, apsw.SQLITE_IOERR_FSYNC)()
        with pytest.raises(Unavailable, match="cannot be read or written"):
            runner.submit(bank.buy("t1", "ann", 5, "during")).result(HANG)
        disk.refusal = None
        with pytest.raises(Unavailable, match="check it and start again"):
            runner.submit(bank.buy("t1", "ann", 5, "during")).result(HANG)
    on_disk.close()
    store = SqliteStore(tmp_path / "journal.db")
    with Runner(store, bank.DOMAIN) as runner:
        runner.submit(bank.buy("t1", "ann", 5, "during")).result(HANG)
    assert store.balances([ANN]) == {ANN: 10}
    store.close()


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "journal.db")

    def limit(pages: int) -> None:
        with store.transaction() as unit:
            unit._connection.pragma("max_page_count", pages)

    with Runner(store, bank.DOMAIN) as runner:
        limit(1)
        events = 0
        while (error := runner.submit(bank.buy("t1", "ann", 1)).exception(HANG)) is None:
            events += 1
        assert isinstance(error, Unavailable)
        assert "the disk is full" in str(error)
        assert store.balances([ANN]) == {ANN: events}
        limit(1_000_000)
        runner.submit(bank.buy("t1", "ann", 1)).result(HANG)
    assert store.balances([ANN]) == {ANN: events + 1}
    store.close()


def test_a_file_that_another_process_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitbook.storage.sqlite.BUSY_MILLISECONDS", 30)
    store = SqliteStore(tmp_path / "journal.db")
    with closing(apsw.Connection(str(tmp_path / "journal.db"))) as other, Runner(store, bank.DOMAIN) as runner:
        promise(
            runner,
            store,
            "another process has locked it",
            lambda: other.execute("BEGIN IMMEDIATE"),
            lambda: other.execute("ROLLBACK"),
        )
    store.close()


# -- PostgreSQL


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[PostgresStore]:
    store = PostgresStore(postgres_url)
    yield store
    store.close()


def terminate(url: str) -> None:
    """Terminate every other connection of this user."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE usename = current_user AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )


def test_a_connection_that_is_lost(postgres: PostgresStore) -> None:
    def fail() -> None:
        fault_injection.arm("before-commit", lambda _: terminate(postgres.url))

    with Runner(postgres, bank.DOMAIN) as runner:
        promise(runner, postgres, "the connection was lost", fail, fault_injection.disarm)


def test_a_connection_that_was_lost_while_idle(postgres: PostgresStore) -> None:
    with Runner(postgres, bank.DOMAIN) as runner:
        runner.submit(bank.buy("t1", "ann", 5, "k1")).result(HANG)
        terminate(postgres.url)
        for _ in range(10):  # each lane finds out on its own
            try:
                outcome = runner.submit(bank.buy("t1", "ann", 5, "k2")).result(HANG)
                break
            except Unavailable:
                continue
        assert outcome.sequence == 2


def test_a_table_that_another_process_holds(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitbook.storage.postgres.LOCK_MILLISECONDS", 50)
    store = PostgresStore(postgres_url)
    with closing(psycopg.connect(postgres_url)) as other, Runner(store, bank.DOMAIN) as runner:
        promise(
            runner,
            store,
            "another process holds the table",
            lambda: other.execute("SELECT 1 FROM tables FOR UPDATE"),
            other.rollback,
        )
    store.close()


def test_watchers_are_notified_by_other_processes(postgres: PostgresStore) -> None:
    events: list[tuple[str, int]] = []

    def watch() -> None:
        for one in postgres.watch(seconds=HANG):
            events.append(one)
            if one[1] >= 2:
                return

    watcher = Thread(target=watch)
    watcher.start()
    with Runner(postgres, bank.DOMAIN) as runner:

        def written_and_heard() -> bool:  # until it listens, which is not announced
            runner.submit(bank.buy("table one", "ann", 5)).result(HANG)
            return not watcher.is_alive()

        until(written_and_heard, "the watcher")
    watcher.join()
    assert events
    assert events[-1][0] == "table one"


def test_a_watcher_that_cannot_be_notified_loses_nothing(
    postgres: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable() -> None:
        raise psycopg.OperationalError("no connection")

    monkeypatch.setattr(postgres._readers, "connect", unreachable)
    with Runner(postgres, bank.DOMAIN) as runner:
        for _ in range(3):
            runner.submit(bank.buy("t1", "ann", 5)).result(HANG)
    assert postgres.balances([ANN]) == {ANN: 15}
