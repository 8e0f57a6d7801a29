"""Tables that are over, archived: the record in its own file, its proof in the journal, and nothing lost."""

from __future__ import annotations

import json
import signal
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import apsw
import msgspec
import psycopg
import pytest

from pitbook.audit import audit
from pitbook.auth.stores import open_auth_store
from pitbook.cli import main
from pitbook.house.archived import TableArchived
from pitbook.house.archiving import archive_table
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal import checkpoints, fault_injection
from pitbook.journal.archiving import detached_table, moves_of
from pitbook.journal.backup import backup, update
from pitbook.journal.copying import move_journal
from pitbook.journal.errors import ConstraintViolation
from pitbook.journal.keys import create_key, read_key, read_public_key
from pitbook.journal.port import Head
from pitbook.journal.running_checkpoint import SUFFIX, examine, save
from pitbook.people import commands as people
from pitbook.people.values import Grant
from pitbook.server.webhooks.delivery import Delivery
from pitbook.server.webhooks.pending import undelivered_reason
from pitbook.server.webhooks.progress import Progress, WebhookStore
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.testing import MANAGER, START, Clock, JournalTable
from tests.audit.journals import play
from tests.journal.conftest import postgres_role, postgres_server, postgres_url
from tests.server.forking import run_command
from tests.server.webhooks.conftest import RecordingSender

__all__ = ["postgres_role", "postgres_server", "postgres_url"]

OLD, LIVE = "sic-bo-2025", "sic-bo-2026"
BOOK = "massachusetts-sic-bo"
THEN = START - timedelta(days=730)
"""When the tables were played at; both databases have the clock of today."""


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A journal with a closed table and an open one, between which the players carried their chips back and forth."""
    where = str(tmp_path / "house.db") if request.param == "sqlite" else str(request.getfixturevalue("postgres_url"))
    write_house(where)
    return where


@pytest.fixture
def key(tmp_path: Path) -> Path:
    create_key(tmp_path / "signing.key")
    return tmp_path / "signing.key"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "archives").mkdir()
    return tmp_path / "archives"


def write_house(place: str) -> None:
    with House(open_store(place), clock=Clock(THEN)) as house:
        old, live = (JournalTable(house, BOOK, name) for name in (OLD, LIVE))
        old.buy_in("ann", 500_00)
        live.buy_in("ben", 100_00)
        for seed in range(3):
            play(live, 1, seed)
            play(old, 1, seed)
        live.does("ann the player", c.CashOut(10_00))
        close(old)


def close(table: JournalTable) -> None:
    """Collect the drop and close a table for good."""
    table.does(table.most_senior, c.CollectDrop(table.second))
    table.does(MANAGER, c.CloseTable())


def run(*arguments: object) -> int:
    """Run a command of pitbook's, and return its exit code."""
    with pytest.raises(SystemExit) as ended:
        main([str(one) for one in arguments])
    return int(ended.value.code or 0)


def archive(place: str, folder: Path, key: Path, *more: str) -> int:
    return run("archive", place, *more, "--to", folder, "--key", key)


def archive_all(place: str, folder: Path, key: Path) -> Path:
    """Archive what is over, and return the only file."""
    assert archive(place, folder, key) == 0
    (file,) = folder.glob("*.db")
    return file


def check(place: str, *archives: Path, key: Path | None = None) -> None:
    report = audit(place, archives=archives, running_key=None if key is None else f"{key}.pub")
    assert report.good, str(report)


def test_a_closed_table_is_archived_and_both_parts_are_proved(place: str, folder: Path, key: Path) -> None:
    with closing(open_store(place)) as store:
        before, money = list(store.entries(OLD)), store.all_balances()
        live, head = list(store.entries(LIVE)), store.head(OLD)
    file = archive_all(place, folder, key)
    with closing(open_store(place)) as store, closing(open_store(str(file), read_only=True)) as archived:
        assert store.names() == sorted(["house", LIVE])
        assert (store.all_balances(), list(store.entries(LIVE))) == (money, live)
        assert list(archived.entries(OLD)) == before
        stored = store.detached()[OLD]
        assert (stored.count, stored.head, stored.file) == (*head, file.name)
        assert archived.detached()[LIVE].count == len(live)
        checkpoint = file.with_name(file.name + SUFFIX)
        assert checkpoint.exists()
        assert examine(archived, [checkpoint], read_key(key)).losses == []
    assert file.read_bytes()[18:20] == b"\x01\x01", "it is read without a write-ahead log"
    check(place, key=key)
    check(str(file), key=key)
    check(place, file, key=key)
    with House(open_store(place), clock=Clock(THEN + timedelta(days=1))) as house:
        table = JournalTable(house, name=LIVE)
        play(table, 2, 9)
        assert house.tables() == [LIVE]
    check(place, file, key=key)


def test_an_archived_table_says_where_its_record_is(
    place: str, folder: Path, key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = archive_all(place, folder, key)
    with House(open_store(place), clock=Clock(THEN)) as house:
        for ask in (
            lambda: house.table(OLD),
            lambda: house.has_table(OLD),
            lambda: JournalTable(house, BOOK, OLD),
        ):
            with pytest.raises(TableArchived, match=f"{OLD}' was archived on .*entries are in {file.name}"):
                ask()
    capsys.readouterr()
    assert run("replay", place, OLD) == 2
    assert f"its {len_of(file)} entries are in {file.name}" in capsys.readouterr().err
    assert run("replay", file, OLD, "--round", 1) == 0
    assert "Small" in capsys.readouterr().out


def test_a_table_whose_messages_a_webhook_has_not_received_is_not_archived(
    place: str, folder: Path, key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with House(open_store(place), clock=Clock(THEN)) as house, open_auth_store(place) as auth:
        max_ = Person("max", "manager")
        house.manage(Person("server", "server"), people.AddPerson("max", "Max", (Grant("manager"),)))
        house.manage(max_, people.AddWebhook("w1", "https://cage.example/", ("settlements",)))
        house.manage(max_, people.AddWebhook("w2", "https://pit.example/", ("alarms",)))
        store = WebhookStore(auth, key.with_name("sealing.key"))
        store.save_progress("w1", Progress({}))
        store.save_progress("w2", Progress({}))
    assert archive(place, folder, key, OLD) == 2
    output = capsys.readouterr().err
    assert f"messages of table '{OLD}' have not been delivered to the webhook w1 (https://cage.example/)" in output
    assert archive(place, folder, key, "--json") == 0
    assert "w1" in json.loads(capsys.readouterr().out)["kept"][OLD]
    assert list(folder.iterdir()) == []

    with House(open_store(place), clock=Clock(THEN)) as house, open_auth_store(place) as auth:
        store = WebhookStore(auth, key.with_name("sealing.key"))
        store.make_secret("w1", lambda: THEN)
        post = RecordingSender()
        delivery = Delivery(house.people.webhooks["w1"], house.store, store, post, lambda: THEN)
        delivery.deliver()
        assert {msgspec.json.decode(one)["table"] for one in post.taken} == {OLD, LIVE}
        assert undelivered_reason(house, auth, OLD) is None
        # The staff of these tables have no accounts, which the audit would not accept beside a manager who has one.
        archive_table(house, OLD, folder, read_key(key), 400, audit=lambda _place: None)
    with House(open_store(place), clock=Clock(THEN)) as house, open_auth_store(place) as auth:
        store = WebhookStore(auth, key.with_name("sealing.key"))
        later = RecordingSender()
        delivery = Delivery(house.people.webhooks["w1"], house.store, store, later, lambda: THEN)
        play(JournalTable(house, name=LIVE), 1, 7)
        delivery.deliver()
        assert {msgspec.json.decode(one)["table"] for one in later.taken} == {LIVE}
        assert set(later.tried).isdisjoint(post.tried), "nothing is sent twice"


def len_of(file: Path) -> str:
    with closing(open_store(str(file), read_only=True)) as store:
        return f"{store.head(OLD).sequence:,}"


def test_the_database_keeps_an_archived_table_out_and_deletes_nothing_else(place: str, folder: Path, key: Path) -> None:
    with closing(open_store(place)) as store:
        (first, *_) = store.entries(OLD)
    archive_all(place, folder, key)
    refused = pytest.raises(ConstraintViolation, match="in another file")
    with closing(open_store(place)) as store, refused, store.transaction() as unit:
        unit.queue([first])
    for statement in (
        f"DELETE FROM entries WHERE table_name = '{LIVE}'",
        f"DELETE FROM detached_tables WHERE table_name = '{OLD}'",
        f"UPDATE detached_tables SET count = 1 WHERE table_name = '{OLD}'",
    ):
        with pytest.raises((apsw.ConstraintError, psycopg.Error), match=r"append-only|permission denied"):
            execute(place, statement)
    check(place)


def execute(place: str, statement: str) -> None:
    if place.startswith("postgresql:"):
        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute(statement.encode())
    else:
        with closing(apsw.Connection(place)) as opened:
            opened.execute(statement)


def test_a_table_is_detached_only_at_its_last_entry(place: str, folder: Path, key: Path) -> None:
    with closing(open_store(place)) as store:
        earlier = next(store.entries(LIVE, 4, 1))
        wrong = detached_table(store, LIVE, Head(5, earlier.hash), read_key(key), at="2026-01-01", file="none")
        with pytest.raises(ConstraintViolation, match="detached at its last entry"):
            store.detach(wrong)
        assert LIVE in store.names()
    check(place)


def test_what_is_still_needed_is_not_archived(
    place: str, folder: Path, key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def why(*arguments: str) -> str:
        assert archive(place, folder, key, *arguments) == 2
        return capsys.readouterr().err

    assert "is open; close it first" in why(LIVE)
    assert "the house's own record is never archived" in why("house")
    assert "there is no table 'elsewhere'" in why("elsewhere")
    assert "nothing newer than 30 days" in why(OLD, "--older-than", "7")
    assert "less than 3,650 days ago" in why(OLD, "--older-than", "3650")
    assert archive(place, folder / "missing", key, OLD) == 2
    assert "there is no folder" in capsys.readouterr().err
    with House(open_store(place), clock=Clock(THEN)) as house:
        table = JournalTable(house, name=LIVE)
        table.does("ann the player", c.Dispute(1, "that was a four"))
        close(table)
    assert "has open disputes" in why(LIVE)
    assert not list(folder.iterdir())
    assert archive(place, folder, key, "--dry-run") == 0
    output = capsys.readouterr().out
    assert "would be archived" in output
    assert not list(folder.iterdir())


def test_a_wrong_journal_is_not_archived(tmp_path: Path, folder: Path, key: Path) -> None:
    place = str(tmp_path / "house.db")
    write_house(place)
    execute(place, "UPDATE balances SET balance = balance + 1 WHERE account = 'cage:USD'")
    assert archive(place, folder, key) == 2
    with closing(open_store(place)) as store:
        assert OLD in store.names()
    assert not list(folder.glob("*.db"))


@pytest.mark.parametrize("point", fault_injection.ARCHIVING)
def test_killed_at_any_point_nothing_is_lost(point: str, place: str, folder: Path, key: Path) -> None:
    with closing(open_store(place)) as store:
        before, money = {name: list(store.entries(name)) for name in store.names()}, store.all_balances()
    arguments = ["archive", place, "--to", str(folder), "--key", str(key)]
    killed = run_command(*arguments, folder=key.parent, environment={"PITBOOK_FAULT": f"{point}:1"})
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    check(place)
    with closing(open_store(place)) as store:
        assert store.all_balances() == money
        assert (OLD in store.names()) == (point != "after-detach")
    assert run(*arguments) == 0  # again, to the end
    (file,) = folder.glob("*.db")
    with closing(open_store(place)) as store, closing(open_store(str(file), read_only=True)) as archived:
        assert {
            **{name: list(store.entries(name)) for name in store.names()},
            OLD: list(archived.entries(OLD)),
        } == before
        assert store.all_balances() == money
    check(place, file, key=key)


def test_backups_moves_and_restores_carry_what_was_archived(
    place: str, folder: Path, key: Path, tmp_path: Path
) -> None:
    earlier = tmp_path / "earlier.db"
    with closing(open_store(place)) as store:
        backup(store, earlier)
    file = archive_all(place, folder, key)
    with closing(open_store(place)) as store:
        backup(store, tmp_path / "later.db")
        update(store, earlier)
        with closing(open_store(str(tmp_path / "moved.db"))) as moved:
            move_journal(store, moved, lambda _done, _total: None)
            assert moved.all_balances() == store.all_balances()
            assert moved.detached() == store.detached()
    check(str(earlier))
    for copy in ("later.db", "moved.db"):
        check(str(tmp_path / copy), file, key=key)
    assert run("restore", tmp_path / "later.db", "--check") == 0


def test_checkpoints_from_before_and_after_still_hold(place: str, folder: Path, key: Path, tmp_path: Path) -> None:
    signer, running = read_key(key), tmp_path / f"house.db{SUFFIX}"
    with closing(open_store(place)) as store:
        before = checkpoints.write(store, signer, "2026-03-02T00:00:00+00:00")
        save(before, running)
    file = archive_all(place, folder, key)
    with closing(open_store(place)) as store:
        after = checkpoints.write(store, signer, "2026-03-03T00:00:00+00:00", since=before)
        assert after.heads()[OLD] == before.heads()[OLD]
        for one in (before, after):
            checkpoints.verify(one, store, read_public_key(Path(f"{key}.pub")))
        assert examine(store, [running], signer).losses == []
    for number, one in enumerate((before, after)):
        (tmp_path / f"checkpoint-{number}").write_bytes(one.to_json())
        report = audit(place, [tmp_path / f"checkpoint-{number}"], f"{key}.pub", archives=[file])
        assert report.good, str(report)


@pytest.fixture
def archived_file(tmp_path: Path, folder: Path, key: Path) -> tuple[str, Path]:
    place = str(tmp_path / "house.db")
    write_house(place)
    return place, archive_all(place, folder, key)


def test_a_forged_archive_or_row_is_found(archived_file: tuple[str, Path], key: Path, tmp_path: Path) -> None:
    place, file = archived_file
    guard = "detached_tables_not_updated"
    with closing(apsw.Connection(place)) as opened:
        (sql,) = (row[0] for row in opened.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (guard,)))
        opened.execute(f"DROP TRIGGER {guard}")
        opened.execute("UPDATE detached_tables SET file = 'other.db'")
        opened.execute(sql)
    report = audit(place, running_key=f"{key}.pub")
    assert [str(one) for one in report.findings] == [f"table {OLD}: it is not what key {report_signer(place)} signed"]
    other = str(tmp_path / "other.db")
    write_house(other)
    report = audit(other, archives=[file])
    assert "has no table that was archived from this journal" in str(report)


def report_signer(place: str) -> str:
    with closing(open_store(place, read_only=True)) as store:
        return store.detached()[OLD].signer


def test_an_archive_that_ends_elsewhere_is_not_the_detached_record(
    archived_file: tuple[str, Path], tmp_path: Path
) -> None:
    place, _file = archived_file
    (tmp_path / "others").mkdir()
    other = tmp_path / "others" / "house.db"
    write_house(str(other))
    with House(open_store(str(other)), clock=Clock(THEN)) as house:
        table = JournalTable(house, name=OLD)
        table.open(BOOK)
        table.does(MANAGER, c.CloseTable())
    report = audit(place, archives=[other])
    assert "does not end with the entry that was detached" in str(report)


def test_the_highest_sum_bounds_every_order(tmp_path: Path) -> None:
    """With the highest sum first and the rest last, no order of the other moves can overdraw an account."""
    place = str(tmp_path / "house.db")
    write_house(place)
    with closing(open_store(place)) as store:
        moved = moves_of(store.entries(OLD))
        for account, (high, total) in moved.items():
            legs = [leg for entry in store.entries(OLD) for one in entry.transfers for leg in one.legs]
            steps = [leg.amount for leg in legs if leg.account == account]
            assert total == sum(steps)
            assert high == max(0, *(sum(steps[:number]) for number in range(1, len(steps) + 1)))
