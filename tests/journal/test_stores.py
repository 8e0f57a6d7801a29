"""One suite for both databases: what the port promises, and what the database itself refuses."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

from pitbook.errors import InputError
from pitbook.journal import migrations, snapshots
from pitbook.journal.chain import link, verify
from pitbook.journal.decisions import Event
from pitbook.journal.entries import COLUMNS, GENESIS, Entry, posting_rows, to_row, transfer_rows
from pitbook.journal.errors import Broken, ConstraintViolation, Unavailable
from pitbook.journal.port import Head, Prefetched, Store
from pitbook.journal.postgres import PostgresStore
from pitbook.journal.sqlite import SqliteStore
from pitbook.ledger.accounts import NEVER_NEGATIVE, Account, cage, may_be_negative, player
from pitbook.ledger.transfers import Transfer, move
from pitbook.storage.migrations import scripts
from pitbook.storage.sqlite import check_version
from tests.journal import bank
from tests.journal.conftest import ON_POSTGRES, ON_SQLITE

ANN = player("ann", "USD")


def entry(head: Head, *transfers: Transfer, table: str = "t1", key: str | None = None, tag: int | None = None) -> Entry:
    event = Event("moved", b"{}", transfers, tag)
    request = bytes(32) if key else None
    return link(head, table, event, actor="ann", role="player", at=bank.AT, key=key, request=request, answer=b"ok")


def write(
    store: Store, *transfers: Transfer, table: str = "t1", key: str | None = None, tag: int | None = None
) -> Head:
    with store.transaction() as unit:
        new = entry(unit.lock(table), *transfers, table=table, key=key, tag=tag)
        unit.append([new])
    return Head(new.sequence, new.hash)


def test_a_new_journal_is_empty(store: Store) -> None:
    assert store.head("t1") == Head(0, GENESIS)
    assert list(store.entries("t1")) == []
    assert store.heads() == {}
    assert store.balances([ANN]) == {ANN: 0}
    assert store.answered("t1", "k") is None
    assert store.snapshot("t1") is None


def test_what_is_appended_is_read_back_the_same(store: Store) -> None:
    transfer = Transfer(
        "buy-in, fee",
        (*move("", cage("USD"), ANN, 90).legs, *move("", player("bob", "USD"), player("eve", "USD"), 5).legs),
    )
    write(store, move("buy-in", cage("USD"), player("bob", "USD"), 100))
    head = write(store, transfer, move("again", cage("USD"), ANN, 10), key="k1", tag=3)
    assert verify(store.entries("t1"), "t1") == head == store.head("t1")
    found = store.answered("t1", "k1")
    assert found
    assert (found.transfers[0], found.tag, found.answer) == (transfer, 3, b"ok")
    assert store.all_balances() == {cage("USD"): -200, ANN: 100, player("bob", "USD"): 95, player("eve", "USD"): 5}
    assert [one.sequence for one in store.entries("t1", after=1)] == [2]
    assert [one.sequence for one in store.entries("t1", limit=1)] == [1]
    with store.consistent_reader() as reader:
        assert list(reader.entries("t1")) == list(store.entries("t1"))


@pytest.mark.parametrize("count", [1, 4, 5, 40])
def test_however_many_entries_are_queued_they_are_read_back_the_same(store: Store, count: int) -> None:
    odd = player('O\'Neill "the {comma}, \\" 陳', "USD")
    queued: list[Entry] = []
    with store.transaction() as unit:
        head = unit.prefetch("t1", ["it's {a}", "b\\"], [odd]).head
        for number in range(count):
            moves = [move("buy-in", cage("USD"), odd, 2)] if number % 3 else []
            key = f"it's {{{number}}} \\" if number % 2 else None
            queued.append(entry(head, *moves, key=key, tag=number if number % 4 == 1 else None))
            head = Head(queued[-1].sequence, queued[-1].hash)
        unit.queue(queued)
    assert list(store.entries("t1")) == queued
    assert store.balances([odd]) == {odd: 2 * sum(bool(one.transfers) for one in queued)}
    keys = [one.key for one in queued if one.key is not None]
    with store.transaction() as unit:
        seen = unit.prefetch("t1", [*keys, "unused"], [odd, ANN])
    assert seen == (head, frozenset(keys), {**store.balances([odd]), ANN: 0})


def test_tables_have_sequences_of_their_own(store: Store) -> None:
    one, two = write(store), write(store, table="Ⅱ")
    assert store.heads() == {"t1": one, "Ⅱ": two}
    assert one.sequence == two.sequence == 1


def test_long_journals_are_read_in_pieces(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitbook.journal.queries.CHUNK", 3)
    heads = [write(store, move("buy-in", cage("USD"), ANN, 1)) for _ in range(8)]
    assert verify(store.entries("t1"), "t1") == heads[-1]
    assert len(list(store.entries("t1", limit=7))) == 7


def test_what_raises_inside_a_transaction_leaves_nothing(store: Store) -> None:
    def broken() -> None:
        with store.transaction() as unit:
            unit.append([entry(unit.lock("t1"), move("buy-in", cage("USD"), ANN, 5))])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    assert store.heads() == {}
    assert write(store).sequence == 1


def test_a_violating_command_leaves_the_others_of_its_group(store: Store) -> None:
    with store.transaction() as unit:
        first = entry(unit.lock("t1"), move("buy-in", cage("USD"), ANN, 5))
        unit.append([first])
        head = Head(1, first.hash)
        good = entry(head)
        bad = entry(Head(2, good.hash), move("bet", ANN, cage("USD"), 6))
        with pytest.raises(ConstraintViolation):
            unit.append([good, bad])
        assert unit.balances([ANN]) == {ANN: 5}
        unit.append([entry(head, key="k")])
    assert store.head("t1").sequence == 2


def test_a_violating_command_leaves_those_that_come_after_it(store: Store) -> None:
    for _ in range(2):  # a second time too, on any connection
        with store.transaction() as unit:
            head = unit.lock("t1")
            with pytest.raises(ConstraintViolation):
                unit.append([entry(head), entry(Head(head.sequence + 5, head.hash))])
            with pytest.raises(ConstraintViolation):
                unit.append([entry(head, move("bet", ANN, cage("USD"), 10**6))])
            first = entry(head, move("buy-in", cage("USD"), ANN, 5))
            unit.append([first])
            with pytest.raises(ConstraintViolation):
                unit.append([entry(head)])
            unit.append([entry(Head(first.sequence, first.hash))])
    assert store.head("t1").sequence == 4
    assert store.balances([ANN]) == {ANN: 10}


def test_what_is_queued_is_committed_or_fails_as_a_whole(store: Store) -> None:
    with store.transaction() as unit:
        first = entry(unit.lock("t1"), move("buy-in", cage("USD"), ANN, 5), key="k")
        unit.queue([first])
        assert unit.balances([ANN]) == {ANN: 5}
        found = unit.answered("t1", "k")
        assert found == first
        unit.queue([entry(Head(1, first.hash))])
    head = store.head("t1")
    assert head.sequence == 2

    def overdrawing() -> None:
        with store.transaction() as unit:
            unit.queue([good := entry(unit.lock("t1"), move("bet", ANN, cage("USD"), 1))])
            unit.queue([entry(Head(good.sequence, good.hash), move("bet", ANN, cage("USD"), 6))])

    with pytest.raises(ConstraintViolation):
        overdrawing()
    assert store.head("t1") == head
    assert store.balances([ANN]) == {ANN: 5}


def test_what_is_queued_fails_as_a_whole_although_a_later_command_is_left_out(store: Store) -> None:
    def overdrawing() -> None:
        with store.transaction() as unit:
            unit.queue([bad := entry(unit.lock("t1"), move("bet", ANN, cage("USD"), 1))])
            with suppress(ConstraintViolation):
                unit.append([entry(Head(bad.sequence, bad.hash))])

    with pytest.raises(ConstraintViolation):
        overdrawing()
    assert store.head("t1").sequence == 0


def test_what_commands_will_need_is_read_in_one_go(store: Store) -> None:
    with store.transaction() as unit:
        assert unit.prefetch("t1", ["k"], [ANN]) == Prefetched(Head(0, GENESIS), frozenset(), {ANN: 0})
    head = write(store, move("buy-in", cage("USD"), ANN, 5), key="k")
    bob = player("bob", "USD")
    with store.transaction() as unit:
        found = unit.prefetch("t1", ["j", "k", "l"], [bob, ANN])
        assert found == Prefetched(head, frozenset({"k"}), {ANN: 5, bob: 0})
        assert unit.prefetch("t1", [], []) == Prefetched(head, frozenset(), {})


def test_a_file_that_another_process_has_written_to_is_read_again(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "journal.db")
    head = write(store)
    assert write(store).sequence == 2
    with closing(apsw.Connection(str(tmp_path / "journal.db"))) as other:
        other.execute("DROP TRIGGER entries_not_deleted; DELETE FROM entries WHERE sequence = 2")
    with store.transaction() as unit:
        assert unit.lock("t1") == head
    assert write(store).sequence == 2
    store.close()


@pytest.mark.parametrize("prefix", NEVER_NEGATIVE)
def test_an_account_that_may_not_be_negative_is_not(store: Store, prefix: str) -> None:
    account = Account(f"{prefix}x")
    assert not may_be_negative(account)
    write(store, move("in", cage("USD"), account, 5))
    with pytest.raises(ConstraintViolation):
        write(store, move("out", account, cage("USD"), 6))
    assert store.balances([account]) == {account: 5}


@pytest.mark.parametrize("name", ["float:t1", "disputes:t1", "cage:USD", "Player:ann", "xplayer:ann"])
def test_other_accounts_may_be_negative(store: Store, name: str) -> None:
    assert may_be_negative(Account(name))
    write(store, move("out", Account(name), ANN, 6))
    assert store.balances([Account(name)]) == {Account(name): -6}
    with store.transaction() as unit:
        assert unit.balances([Account(name)]) == {Account(name): -6}


def test_a_tag_and_a_key_each_have_one_entry(store: Store) -> None:
    write(store, tag=1, key="k")
    with pytest.raises(ConstraintViolation):
        write(store, tag=1)
    with pytest.raises(ConstraintViolation):
        write(store, key="k")
    assert write(store, tag=2).sequence == 2
    assert write(store, table="t2", tag=1, key="k").sequence == 1


def test_an_entry_follows_the_last_one(store: Store) -> None:
    first = write(store)
    for wrong in (Head(0, GENESIS), Head(1, GENESIS), Head(2, first.hash)):
        with pytest.raises(ConstraintViolation), store.transaction() as unit:
            unit.append([entry(wrong)])
    assert store.head("t1") == first


def test_snapshots_keep_the_last_two(store: Store) -> None:
    for number in (1, 2, 3, 3):
        with store.transaction() as unit:
            unit.save(snapshots.take("t1", Head(number, bytes(32)), b"%d" % number))
    latest = store.snapshot("t1")
    assert latest
    assert latest.content == b"3"
    before = store.snapshot("t1", below=3)
    assert before
    assert before.content == b"2"
    assert store.snapshot("t1", below=2) is None


# -- the database itself, by raw SQL


Raw = Callable[..., None]


@pytest.fixture
def raw(where: str, store: Store) -> Raw:
    """Run statements in one transaction of a separate connection."""
    write(store, move("buy-in", cage("USD"), ANN, 100), tag=1, key="k")

    def sqlite(*statements: tuple[str, tuple[Any, ...]]) -> None:
        with closing(apsw.Connection(where)) as connection:
            connection.pragma("foreign_keys", True)
            with connection:
                for sql, values in statements:
                    connection.execute(sql, values)

    def postgres(*statements: tuple[str, tuple[Any, ...]]) -> None:
        with closing(psycopg.connect(where)) as connection, connection.transaction():
            for sql, values in statements:
                connection.execute(sql.replace("?", "%s"), values)

    return sqlite if isinstance(store, SqliteStore) else postgres


REFUSALS = (apsw.ConstraintError, psycopg.IntegrityError, psycopg.errors.InsufficientPrivilege)
ENTRY = f"INSERT INTO entries ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
TRANSFER = "INSERT INTO transfers (table_name, sequence, transfer, why) VALUES (?, ?, ?, ?)"
POSTING = "INSERT INTO postings (table_name, sequence, transfer, leg, account, amount) VALUES (?, ?, ?, ?, ?, ?)"


@pytest.mark.parametrize("table", ["entries", "transfers", "postings"])
@pytest.mark.parametrize("change", ["UPDATE {} SET sequence = 2", "DELETE FROM {}"])
def test_nothing_is_updated_or_deleted(raw: Raw, table: str, change: str) -> None:
    with pytest.raises(REFUSALS, match=r"append-only|permission denied"):
        raw((change.format(table), ()))


@ON_POSTGRES
@pytest.mark.parametrize("table", ["entries", "transfers", "postings"])
def test_postgres_refuses_even_to_delete_nothing(raw: Raw, table: str) -> None:
    with pytest.raises(REFUSALS, match=r"append-only|permission denied"):
        raw((f"DELETE FROM {table} WHERE 1 = 0", ()))


@ON_POSTGRES
@pytest.mark.parametrize("table", ["entries", "transfers", "postings", "balances"])
def test_revoked_rights_hold_without_the_triggers(raw: Raw, table: str) -> None:
    trigger = "balances_stay" if table == "balances" else f"{table}_append_only"
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        raw((f"ALTER TABLE {table} DISABLE TRIGGER {trigger}", ()), (f"DELETE FROM {table}", ()))
    with pytest.raises(REFUSALS, match=r"append-only|permission denied"):
        raw((f"TRUNCATE {table}", ()))


def test_balances_stay_and_are_not_set_below_nothing(raw: Raw) -> None:
    with pytest.raises(REFUSALS):
        raw(("DELETE FROM balances", ()))
    with pytest.raises(REFUSALS):
        raw(("UPDATE balances SET balance = -1 WHERE account = 'player:ann:USD'", ()))
    with pytest.raises(REFUSALS):
        raw(("INSERT INTO balances (account, balance) VALUES ('player:new', -1)", ()))


def statements(new: Entry) -> list[tuple[str, tuple[Any, ...]]]:
    return [
        *((POSTING, row) for row in posting_rows(new)),
        *((TRANSFER, row) for row in transfer_rows(new)),
        (ENTRY, to_row(new)),
    ]


def test_the_database_refuses_unbalanced_overdrawn_and_unsealed_money(raw: Raw, store: Store) -> None:
    head = store.head("t1")
    good = statements(entry(head, move("bet", ANN, player("bob", "USD"), 60)))
    (sql, posting), rest = good[0], good[1:]
    refused = {
        "a leg changed": [(sql, (*posting[:5], -61)), *rest],
        "a leg left out": good[1:],
        "no transfer": [*good[:2], good[3]],
        "no entry": good[:3],
        "a leg added later": [*good, (POSTING, ("t1", 2, 1, 3, "player:bob:USD", 5))],
        "a transfer added later": [*good, *(statements(entry(head, move("bet", ANN, cage("USD"), 1)))[:3])],
        "a transfer added to an older entry": [
            (POSTING, ("t1", 1, 2, 1, "player:bob:USD", 5)),
            (POSTING, ("t1", 1, 2, 2, "cage:USD", -5)),
            (TRANSFER, ("t1", 1, 2, "gift")),
        ],
        "overdrawn": statements(entry(head, move("bet", ANN, player("bob", "USD"), 101))),
        "a tag again": statements(entry(head, tag=1)),
        "a key again": statements(entry(head, key="k")),
        "out of order": statements(entry(Head(3, head.hash))),
        "a wrong hash before": statements(entry(Head(1, bytes(32)))),
    }
    for what, tried in refused.items():
        with pytest.raises(REFUSALS):
            raw(*tried)
        assert store.head("t1") == head, what
        assert store.all_balances() == {cage("USD"): -100, ANN: 100}, what
    raw(*good)
    assert store.all_balances() == {cage("USD"): -100, ANN: 40, player("bob", "USD"): 60}


@ON_SQLITE
def test_replacing_does_not_slip_past_sqlites_triggers(raw: Raw, store: Store) -> None:
    head = store.head("t1")
    for new in (entry(Head(0, GENESIS)), entry(head, tag=1), entry(head, key="k")):
        with pytest.raises(apsw.ConstraintError):
            raw((ENTRY.replace("INSERT", "INSERT OR REPLACE"), to_row(new)))
    with pytest.raises(apsw.ConstraintError):
        raw((POSTING.replace("INSERT", "INSERT OR REPLACE"), ("t1", 1, 1, 1, "cage:USD", -5)))
    assert len(list(store.entries("t1"))) == 1


# -- older, newer and other databases


def execute(where: str, *scripts: str) -> None:
    if where.startswith("postgresql:"):
        with psycopg.connect(where, autocommit=True) as connection:
            for script in scripts:
                connection.execute(script)
    else:
        opened = apsw.Connection(where)
        for script in scripts:
            opened.execute(script).fetchall()
        opened.close()


def set_version(where: str, version: int) -> None:
    if where.startswith("postgresql:"):
        execute(
            where,
            "CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)",
            f"INSERT INTO schema_version VALUES ({version})",
        )
    else:
        execute(where, f"PRAGMA user_version = {version}", f"PRAGMA application_id = {0x50495442}")


def kind(where: str) -> str:
    return "postgres" if where.startswith("postgresql:") else "sqlite"


def test_an_older_schema_is_upgraded(where: str) -> None:
    execute(where, scripts(migrations.__name__, kind(where))[1])
    set_version(where, 1)
    store = bank.open_store(where)
    write(store, move("buy-in", cage("USD"), ANN, 100))
    with store.transaction() as unit:
        unit.save(snapshots.take("t1", store.head("t1"), b"state"))
    store.close()
    again = bank.open_store(where)
    assert again.snapshot("t1") is not None
    again.close()


def test_entries_of_version_4_keep_their_hashes_tags_and_attachments(where: str) -> None:
    """Only names have changed since: the same bytes are hashed, and the same values are stored."""
    for number, script in scripts(migrations.__name__, kind(where)).items():
        if number <= 4:
            execute(where, script)
    set_version(where, 4)
    text = "X'74657874'" if kind(where) == "sqlite" else "'\\x74657874'"
    execute(where, f"INSERT INTO books (digest, content) VALUES ('{'d' * 64}', {text})")
    old = entry(Head(0, GENESIS), tag=7, key="k")
    put_in(where, old)
    store = bank.open_store(where)
    (found,) = store.entries("t1")
    assert found == old
    assert verify([found], "t1") == store.head("t1")
    assert store.read_tags("t1") == [(7, 1)]
    assert store.next_tagged("t1", 6) == 1
    assert store.next_tagged("t1", 7) is None
    assert (store.attachments(), store.attachment("d" * 64)) == (["d" * 64], b"text")
    with pytest.raises(ConstraintViolation):
        write(store, tag=7)
    store.close()


def put_in(where: str, old: Entry) -> None:
    """Write an entry as version 4 did."""
    values = to_row(old)
    columns = COLUMNS.replace("attachment", "book").replace("tag", "throw")
    if kind(where) == "postgres":
        with psycopg.connect(where, autocommit=True) as connection:
            connection.execute(f"INSERT INTO entries ({columns}) VALUES ({', '.join(['%s'] * 14)})".encode(), values)
    else:
        with closing(apsw.Connection(where)) as opened:
            opened.execute(f"INSERT INTO entries ({columns}) VALUES ({', '.join('?' * 14)})", values)


def test_entries_are_found_by_the_kinds_that_the_caller_names(store: Store) -> None:
    write(store)
    write(store)
    assert [found[:2] for found in store.events_of_kinds("t1", ("moved",), 0, 9, 10)] == [(1, "moved"), (2, "moved")]
    assert store.events_of_kinds("t1", ("moved",), 1, 9, 10) == [(2, "moved", b"{}")]
    assert store.events_of_kinds("t1", ("other", "moved"), 0, 9, 1) == [(1, "moved", b"{}")]
    assert store.events_of_kinds("t1", ("other",), 0, 9, 10) == []
    with pytest.raises(ValueError, match="cannot be the kind"):
        store.events_of_kinds("t1", ("it's",), 0, 9, 10)
    for _ in range(2):
        store.index_kinds("entries_moved", ("moved",))


def test_a_newer_schema_is_refused_naming_both_versions(where: str) -> None:
    bank.open_store(where).close()
    set_version(where, 99)
    newest = max(scripts(migrations.__name__, kind(where)))
    with pytest.raises(InputError, match=rf"version 99, but this Pitbook knows only up to version {newest}"):
        bank.open_store(where)


def test_both_kinds_have_the_same_migrations() -> None:
    numbers = list(scripts(migrations.__name__, "sqlite"))
    assert numbers == list(scripts(migrations.__name__, "postgres")) == list(range(1, len(numbers) + 1))


def test_a_read_only_store_reads_and_does_not_write(where: str, store: Store) -> None:
    head = write(store)
    reader = (SqliteStore if isinstance(store, SqliteStore) else PostgresStore)(where, read_only=True)
    assert reader.head("t1") == head
    with pytest.raises(Unavailable, match="reading only"), reader.transaction():
        pass
    reader.close()


def test_a_database_without_a_journal_is_not_read(postgres_url: str) -> None:
    with pytest.raises(InputError, match=r"^PostgreSQL database '\w+' at \S+ has no journal$"):
        PostgresStore(postgres_url, read_only=True)


def test_a_file_that_is_not_a_journal_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    execute(str(other), "CREATE TABLE t (a)")
    with pytest.raises(InputError, match="not a journal of Pitbook"):
        SqliteStore(other)
    text = tmp_path / "text.db"
    text.write_text("not a database, but long enough to be taken for one" * 20)
    for read_only in (False, True):
        with pytest.raises(InputError, match="not a journal of Pitbook"):
            SqliteStore(text, read_only=read_only)
    with pytest.raises(InputError, match="no folder"):
        SqliteStore(tmp_path / "nowhere" / "journal.db")
    with pytest.raises(InputError, match="there is no journal"):
        SqliteStore(tmp_path / "none.db", read_only=True)


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "journal.db")
    with pytest.raises(InputError, match=r"another process \(\d+\) is writing the journal"):
        SqliteStore(tmp_path / "journal.db")
    first.close()
    SqliteStore(tmp_path / "journal.db").close()


def test_a_url_that_leads_nowhere_is_said_without_its_password() -> None:
    with pytest.raises(Unavailable, match="cannot reach PostgreSQL database 'pit'") as error:
        PostgresStore("postgresql://ann:sesame@127.0.0.1:1/pit")
    assert "sesame" not in str(error.value)
    with pytest.raises(InputError, match="cannot be read"):
        PostgresStore("postgresql://[")


@pytest.mark.parametrize("version", [(3, 40, 1), (3, 44, 5), (3, 45, 0), (3, 50, 6), (3, 51, 0), (3, 51, 2)])
def test_an_sqlite_that_corrupts_its_log_is_refused(version: tuple[int, int, int]) -> None:
    with pytest.raises(InputError, match="can corrupt a write-ahead log"):
        check_version(version)


@pytest.mark.parametrize("version", [(3, 44, 6), (3, 50, 7), (3, 51, 3), (3, 53, 0), (3, 54, 1)])
def test_a_sound_sqlite_is_not(version: tuple[int, int, int]) -> None:
    check_version(version)


def test_text_that_is_not_utf_8_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(SqliteStore(path)) as store:
        write(store, move("buy", cage("USD"), ANN, 1))
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("DROP TRIGGER entries_not_updated; UPDATE entries SET actor = CAST(x'ff' AS TEXT)")
    with closing(SqliteStore(path, read_only=True)) as store, pytest.raises(Broken, match="not UTF-8") as broken:
        list(store.entries("t1"))
    assert (broken.value.table, broken.value.sequence) == ("", 0)


@ON_POSTGRES
def test_an_index_of_kinds_is_created_once(store: PostgresStore) -> None:
    found = "SELECT indexdef FROM pg_indexes WHERE indexname = 'entries_moved'"
    for _ in range(2):
        store.index_kinds("entries_moved", ("moved",))
        with store._readers.borrowed() as connection:
            ((definition,),) = connection.execute(found).fetchall()
        assert "'moved'" in definition
