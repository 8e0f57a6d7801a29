"""The two auth databases: file permissions, upgrades, errors while they cannot write, and recovery."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from time import monotonic

import apsw
import psycopg
import pytest

from pitbook.auth.errors import ConstraintViolation, Unavailable
from pitbook.auth.postgres import PostgresDatabase
from pitbook.auth.sqlite import SqliteDatabase
from pitbook.auth.store import AuthStore
from pitbook.auth.stores import open_auth_store
from pitbook.errors import InputError
from pitbook.house.stores import open_store
from pitbook.storage.pool import Pool
from pitbook.storage.sqlite import BUSY_MILLISECONDS, OPENING_SECONDS
from tests.auth.racing import NOON, race
from tests.journal.disks import Disk
from tests.waiting import HANG, until


def test_stored_data_survives_a_restart(where: str) -> None:
    for turn in range(3):
        with open_auth_store(where) as access:
            assert access.setting("turn") == (str(turn - 1) if turn else None)
            access.save_setting("turn", str(turn))


def test_the_journal_beside_it_knows_nothing_of_it(where: str) -> None:
    for _ in range(2):
        with closing(open_store(where)) as store, open_auth_store(where) as access:
            access.save_setting("house", "one")
            assert store.heads() == {}
    with closing(open_store(where, read_only=True)) as store:
        assert store.heads() == {}


def test_many_processes_may_make_it_at_once(where: str) -> None:
    opened = race([partial(open_auth_store, where) for _ in range(6)])
    for n, access in enumerate(opened):
        access.save_setting(str(n), "kept")
    assert all(opened[0].setting(str(n)) == "kept" for n in range(6))
    for access in opened:
        access.close()


def test_a_closed_store_stores_nothing(access: AuthStore) -> None:
    with access:
        access.save_setting("a", "b")
    with pytest.raises(Unavailable, match="was closed"):
        access.save_setting("a", "b")


def test_several_statements_are_all_done_or_none(access: AuthStore) -> None:
    access.save_setting("a", "before")
    with pytest.raises(ConstraintViolation):
        access.database.fetch_all(
            [
                ("UPDATE access_settings SET value = ? WHERE key = ?", ("after", "a")),
                ("INSERT INTO access_settings (key, value) VALUES (?, ?)", ("b", None)),
            ]
        )
    assert access.setting("a") == "before"
    access.save_setting("a", "well again")
    assert access.setting("a") == "well again"


def test_a_caller_without_a_free_connection_waits_but_not_indefinitely(tmp_path: Path) -> None:
    def make() -> apsw.Connection:
        return apsw.Connection(str(tmp_path / "some.db"))

    pool: Pool[apsw.Connection] = Pool("a database", make, Unavailable, size=2, wait_seconds=0.02)
    with pool.connection() as first, pool.connection() as second:
        assert first is not second
        with pytest.raises(Unavailable, match="all connections are busy"), pool.connection():
            pass
    with pool.connection() as again:
        assert again in (first, second)
    pool.close()


def test_a_pool_closes_what_failed_what_is_idle_and_what_comes_back_later(tmp_path: Path) -> None:
    def make() -> apsw.Connection:
        return apsw.Connection(str(tmp_path / "some.db"))

    def is_closed(connection: apsw.Connection) -> bool:
        try:
            connection.execute("SELECT 1")
        except apsw.ConnectionClosedError:
            return True
        return False

    pool: Pool[apsw.Connection] = Pool("a database", make, Unavailable, size=2)
    with pytest.raises(KeyError), pool.connection() as failed:
        raise KeyError
    with pool.connection() as idle, pool.connection() as cleared:
        pass
    assert [is_closed(one) for one in (failed, idle, cleared)] == [True, False, False]
    pool.clear()
    assert [is_closed(one) for one in (idle, cleared)] == [True, True]
    with pool.connection() as lent:
        with pool.connection() as idle:
            pass
        pool.close()
        assert [is_closed(one) for one in (idle, lent)] == [True, False]
    assert is_closed(lent)
    with pytest.raises(Unavailable, match="was closed"), pool.connection():
        pass


@pytest.mark.parametrize(
    ("text", "words"),
    [("mysql://house/db", "mysql:// is neither"), ("/nowhere/at/all/journal.db", "there is no folder /nowhere/at/all")],
)
def test_words_that_name_no_journal_are_a_mistake(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        open_auth_store(text)


# -- SQLite


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def test_the_file_is_its_owners_only(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with open_auth_store(str(tmp_path / "journal.db")) as access:
            access.save_setting("a", "b")
            assert modes(tmp_path) == {
                "journal.db-access": 0o600,
                "journal.db-access-wal": 0o600,
                "journal.db-access-shm": 0o600,
            }
    finally:
        os.umask(before)


@pytest.mark.parametrize("mode", [0o644, 0o601])
def test_a_file_that_others_could_use_is_closed_to_them(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "journal.db"
    open_auth_store(str(path)).close()
    (tmp_path / "journal.db-access").chmod(mode)
    with open_auth_store(str(path)) as access:
        access.save_setting("a", "b")
        assert set(modes(tmp_path).values()) == {0o600}


def locked_while_new(path: Path) -> apsw.Connection:
    """A connection that holds the lock of a file which has no write-ahead log yet: SQLite fails others at once."""
    other = apsw.Connection(str(path.with_name(path.name + "-access")))
    other.execute("BEGIN IMMEDIATE")
    return other


def test_opening_waits_for_whoever_makes_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited = []
    with closing(locked_while_new(tmp_path / "journal.db")) as other:

        def sleep(seconds: float) -> None:
            waited.append(seconds)
            if len(waited) == 3:
                other.execute("COMMIT")

        monkeypatch.setattr("pitbook.storage.sqlite.sleep", sleep)
        with open_auth_store(str(tmp_path / "journal.db")) as access:
            access.save_setting("a", "b")
    assert len(waited) == 3


def test_opening_does_not_wait_indefinitely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("pitbook.storage.sqlite.monotonic", lambda: now[0])
    monkeypatch.setattr("pitbook.storage.sqlite.sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    with (
        closing(locked_while_new(tmp_path / "journal.db")),
        pytest.raises(Unavailable, match="another process has locked it"),
    ):
        open_auth_store(str(tmp_path / "journal.db"))
    assert now[0] - 1000 == pytest.approx(OPENING_SECONDS, abs=0.1)


def test_a_folder_is_not_a_journal(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        open_auth_store(str(tmp_path))
    (tmp_path / "journal.db-access").mkdir()
    with pytest.raises(InputError, match=r"cannot store passwords and sessions in .*: Is a directory$"):
        open_auth_store(str(tmp_path / "journal.db"))


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text-access"
    text.write_text("a letter to the manager, long enough to be read as a header " * 20)
    with pytest.raises(InputError, match="is not an auth store of Pitbook"):
        open_auth_store(str(tmp_path / "text"))
    assert text.read_text().startswith("a letter")
    with closing(apsw.Connection(str(tmp_path / "other-access"))) as connection:
        connection.execute("CREATE TABLE letters (words)")
    with pytest.raises(InputError, match="is a database, but not an auth store"):
        open_auth_store(str(tmp_path / "other"))


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    open_auth_store(str(tmp_path / "journal.db")).close()
    with closing(apsw.Connection(str(tmp_path / "journal.db-access"))) as connection:
        connection.pragma("user_version", 99)
    with pytest.raises(
        InputError, match=r"journal.db-access has schema version 99, but this Pitbook knows only up to version 5"
    ):
        open_auth_store(str(tmp_path / "journal.db"))


def test_one_process_at_a_time_keeps_a_file_alone(tmp_path: Path) -> None:
    path = str(tmp_path / "journal.db")
    with open_auth_store(path, alone=True), pytest.raises(InputError, match="stop it first"):
        open_auth_store(path, alone=True)
    with open_auth_store(path, alone=True) as access:
        access.database.fetch("PRAGMA user_version = 99")
    with pytest.raises(InputError, match="use a newer one"):
        open_auth_store(path, alone=True)
    with closing(apsw.Connection(f"{path}-access")) as connection:
        connection.pragma("user_version", 5)
    open_auth_store(path, alone=True).close()


def test_every_connection_is_durable_overwrites_what_is_deleted_and_waits_for_others(tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path / "access")
    wanted = {"synchronous": 2, "secure_delete": 1, "trusted_schema": 0, "busy_timeout": BUSY_MILLISECONDS}
    for held in range(2):
        with ExitStack() as others:
            for _ in range(held):
                others.enter_context(database._connection())
            assert {name: database.fetch(f"PRAGMA {name}")[0][0] for name in wanted} == wanted
    database.close()


def test_reading_does_not_wait_for_another_thread_that_writes(tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path / "access")
    with database._writing, ThreadPoolExecutor(1) as reader:
        assert reader.submit(AuthStore(database).setting, "a").result(HANG) is None
    database.close()


@pytest.fixture
def disk() -> Iterator[Disk]:
    made = Disk("failing access")
    yield made
    made.unregister()


def refusing(what: str, error: type[apsw.Error], code: int = 0) -> Callable[[str], None]:
    def refuse(done: str) -> None:
        if done == what:
            refusal = error("refused")
            if code:
                refusal.extendedresult = code  # type: ignore[attr-defined]
            raise refusal

    return refuse


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (apsw.FullError, "the disk is full"),
        (apsw.ReadOnlyError, "the file cannot be written"),
        (apsw.IOError, "the disk cannot be read or written"),
    ],
)
def test_a_disk_that_refuses_keeps_nothing_and_recovers(
    tmp_path: Path, disk: Disk, error: type[apsw.Error], words: str
) -> None:
    access = AuthStore(SqliteDatabase(tmp_path / "access", vfs=disk.name))
    access.save_setting("a", "before")
    disk.refusal = refusing("write", error)
    for _ in range(6):  # more than the pool has connections
        with pytest.raises(Unavailable, match=words):
            access.save_setting("a", "during")
        assert access.setting("a") == "before"
    disk.refusal = None
    access.save_setting("a", "after")
    assert access.setting("a") == "after"
    access.close()


def test_a_disk_that_failed_to_sync_is_not_trusted_again(tmp_path: Path, disk: Disk) -> None:
    database = SqliteDatabase(tmp_path / "access", vfs=disk.name)
    access = AuthStore(database)
    with database._connection(), database._connection():
        pass  # two idle connections: neither is used again
    disk.refusal = refusing("sync", apsw.IOError, apsw.SQLITE_IOERR_FSYNC)
    with pytest.raises(Unavailable, match="cannot be read or written"):
        access.save_setting("a", "b")
    disk.refusal = None
    with pytest.raises(Unavailable, match="check it and start again"):
        access.setting("a")
    access.close()


def test_a_file_that_another_process_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitbook.storage.sqlite.BUSY_MILLISECONDS", 30)
    with open_auth_store(str(tmp_path / "j")) as access, closing(apsw.Connection(str(tmp_path / "j-access"))) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="another process has locked it"):
            access.save_setting("a", "b")
        assert access.setting("a") is None
        other.execute("ROLLBACK")
        access.save_setting("a", "b")


# -- PostgreSQL


def test_the_tables_in_postgres_are_beside_the_journals(postgres_url: str) -> None:
    open_store(postgres_url).close()
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        before = set(connection.execute(tables).fetchall())
        open_auth_store(postgres_url).close()
        made = {name for (name,) in set(connection.execute(tables).fetchall()) - before}
    assert made
    assert all(name.startswith("access_") for name in made)


def test_a_newer_database_is_refused(postgres_url: str) -> None:
    open_auth_store(postgres_url).close()
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("UPDATE access_version SET version = 99")
        threads = threading.active_count()
        with pytest.raises(InputError, match="use a newer one"):
            open_auth_store(postgres_url)
        until(lambda: threading.active_count() <= threads, "the threads of its connections to end")


def test_a_database_that_cannot_be_written_is_unavailable(postgres_url: str) -> None:
    with pytest.raises(Unavailable, match="the database cannot be written"):
        open_auth_store(f"{postgres_url}%20-cdefault_transaction_read_only%3Don")


def test_a_process_that_has_to_stop_waits_for_nothing_more(postgres_url: str) -> None:
    with open_auth_store(postgres_url) as access:
        access.save_setting("a", "before")
        access.set_deadline(monotonic() - 1)
        with pytest.raises(Unavailable):
            access.setting("a")


def test_a_connection_that_was_lost_while_idle_is_replaced(postgres_url: str) -> None:
    with open_auth_store(postgres_url) as access:
        access.save_setting("a", "before")
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE usename = current_user AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
        access.save_setting("a", "after")
        assert access.setting("a") == "after"


def test_a_connection_that_is_lost_in_the_midst_changes_nothing(postgres_url: str) -> None:
    with open_auth_store(postgres_url) as access:
        access.save_setting("a", "before")
        change = ("UPDATE access_settings SET value = ?", ("during",))
        with pytest.raises(Unavailable, match="the connection was lost"):
            access.database.fetch_all([change, ("SELECT pg_terminate_backend(pg_backend_pid())", ())])
        assert access.setting("a") == "before"


def test_a_row_that_another_process_holds(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitbook.storage.postgres.LOCK_MILLISECONDS", 50)
    with open_auth_store(postgres_url) as access, closing(psycopg.connect(postgres_url)) as other:
        access.save_setting("a", "before")
        other.execute("UPDATE access_settings SET value = 'theirs'")
        with pytest.raises(Unavailable, match="another process holds what is asked for too long"):
            access.save_setting("a", "ours")
        assert access.setting("a") == "before"
        other.rollback()
        access.save_setting("a", "after")


def test_a_missing_database_is_unavailable_and_its_password_is_hidden() -> None:
    with pytest.raises(Unavailable, match="cannot reach PostgreSQL database 'house' at") as caught:
        PostgresDatabase("postgresql://ann:lucky-seven@127.0.0.1:1/house")
    assert "lucky" not in str(caught.value)
    with pytest.raises(InputError, match="cannot be read") as mistaken:
        PostgresDatabase("postgresql://ann:lucky-seven@127.0.0.1:1/house?no=such")
    assert "lucky" not in str(mistaken.value)


def test_a_timestamp_is_checked_before_anything_is_stored(access: AuthStore) -> None:
    with pytest.raises(ValueError, match="a timestamp is written"):
        access.links.make("sign-in", "ann", "tomorrow")
    assert access.links.purge(NOON) == 0
