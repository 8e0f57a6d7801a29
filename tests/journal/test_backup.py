"""A backup while the journal is written: complete in itself, checked, and never half there."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event, Thread

import apsw
import pytest

from pitbook.errors import InputError
from pitbook.journal.backup import backup, copy_pages, update
from pitbook.journal.chain import verify
from pitbook.journal.errors import Broken, Unavailable
from pitbook.journal.port import Store
from pitbook.journal.runner import Runner
from pitbook.journal.sqlite import SqliteStore
from pitbook.ledger.accounts import player
from tests.journal import bank
from tests.waiting import HANG, until


def test_a_backup_is_a_moment_of_a_busy_journal(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "journal.db")
    enough = Event()
    with Runner(store, bank.DOMAIN) as runner:

        def write() -> None:
            while not enough.is_set():
                runner.submit(bank.buy("t1", "ann", 1)).result(HANG)

        def beyond(sequence: int) -> bool:
            return store.head("t1").sequence > sequence

        writer = Thread(target=write)
        writer.start()
        try:
            heads = []
            for number in range(3):
                last = store.head("t1").sequence
                until(partial(beyond, last), "another entry")
                heads.append(backup(store, tmp_path / f"copy-{number}.db"))
        finally:
            enough.set()
            writer.join()
    store.close()
    assert heads[0]["t1"].sequence < heads[2]["t1"].sequence
    copy = SqliteStore(tmp_path / "copy-2.db")
    assert verify(copy.entries("t1"), "t1") == heads[2]["t1"]
    assert copy.balances([player("ann", "USD")]) == {player("ann", "USD"): heads[2]["t1"].sequence}
    copy.close()


def test_a_broken_journal_gives_no_backup(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "journal.db")
    with Runner(store, bank.DOMAIN) as runner:
        runner.submit(bank.buy("t1", "ann", 1)).result(HANG)
    connection = apsw.Connection(str(tmp_path / "journal.db"))
    connection.execute("DROP TRIGGER entries_not_updated; UPDATE entries SET actor = 'eve'")
    connection.close()
    with pytest.raises(Broken):
        backup(store, tmp_path / "copy.db")
    store.close()
    assert not list(tmp_path.glob("copy*"))


def test_a_backup_overwrites_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "journal.db")
    backup(store, tmp_path / "copy.db")
    with pytest.raises(InputError, match="already"):
        backup(store, tmp_path / "copy.db")
    with pytest.raises(InputError, match="no folder"):
        backup(store, tmp_path / "nowhere" / "copy.db")
    store.close()


def test_a_backup_of_either_database_is_a_file_that_grows(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    with Runner(store, bank.DOMAIN) as runner:
        for table in ("t1", "t2"):
            runner.submit(bank.buy(table, "ann", 5)).result(HANG)
        assert backup(store, target) == store.heads()
        assert journal_mode(target) == "delete"
        runner.submit(bank.bet("t2", "ann", 7)).result(HANG)  # needs the chips bought before at both tables
        runner.submit(bank.buy("t3", "bob", 1)).result(HANG)
        assert update(store, target) == store.heads()
        assert journal_mode(target) == "delete"
        assert update(store, target) == store.heads()
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]
    with closing(SqliteStore(target, read_only=True)) as copy:
        assert copy.all_balances() == store.all_balances()
        assert list(copy.entries("t2")) == list(store.entries("t2"))


def journal_mode(file: Path) -> str:
    """Return how SQLite protects writes to a file; only with `wal` there is a log beside it."""
    with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        return str(connection.pragma("journal_mode"))


def test_what_an_interrupted_backup_has_left_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "copy.db.unfinished").write_text("half of an earlier copy", encoding="utf-8")
    with closing(SqliteStore(tmp_path / "journal.db")) as store:
        assert backup(store, tmp_path / "copy.db") == store.heads()
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]


def test_a_backup_of_another_journal_is_not_continued(tmp_path: Path) -> None:
    one, two = SqliteStore(tmp_path / "one.db"), SqliteStore(tmp_path / "two.db")
    for store, amount in ((one, 1), (two, 2)):
        with Runner(store, bank.DOMAIN) as runner:
            runner.submit(bank.buy("t1", "ann", amount)).result(HANG)
    with closing(one), closing(two):
        heads = backup(one, tmp_path / "copy.db")
        with pytest.raises(InputError, match="entries of 't1' that the journal does not have"):
            update(two, tmp_path / "copy.db")
        with pytest.raises(InputError, match="the journal itself"):
            update(two, tmp_path / "two.db")
    with closing(SqliteStore(tmp_path / "copy.db", read_only=True)) as copy:
        assert copy.heads() == heads


def test_a_changed_entry_is_not_added_to_a_backup(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "journal.db")
    with closing(store), Runner(store, bank.DOMAIN) as runner:
        runner.submit(bank.buy("t1", "ann", 1)).result(HANG)
        heads = backup(store, tmp_path / "copy.db")
        runner.submit(bank.buy("t1", "ann", 2)).result(HANG)
    connection = apsw.Connection(str(tmp_path / "journal.db"))
    connection.execute("DROP TRIGGER entries_not_updated; UPDATE entries SET actor = 'eve' WHERE sequence = 2")
    connection.close()
    with closing(SqliteStore(tmp_path / "journal.db", read_only=True)) as changed, pytest.raises(Broken):
        update(changed, tmp_path / "copy.db")
    with closing(SqliteStore(tmp_path / "copy.db", read_only=True)) as copy:
        assert copy.heads() == heads


def test_only_its_owner_can_read_a_backup(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "journal.db")
    backup(store, tmp_path / "copy.db")
    store.close()
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_no_database_is_not_copied(tmp_path: Path) -> None:
    source = tmp_path / "notes.db"
    source.write_text("not a database, but long enough to be read as one\n" * 100, encoding="utf-8")
    with pytest.raises(Unavailable, match=r"notes\.db could not be copied: the file is not a database$"):
        copy_pages(source, tmp_path / "copy.db")
