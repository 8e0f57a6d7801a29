"""The database's own guards: an audit tells of every trigger that is gone, off or hollow, and of another schema."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import psycopg
import pytest

from pitbook.audit import audit
from pitbook.audit.errors import Unreadable
from pitbook.audit.triggers import GUARDS
from pitbook.cli import main
from pitbook.journal import migrations
from pitbook.journal.postgres import PostgresStore
from pitbook.storage.migrations import scripts
from pitbook.testing import JournalTable
from tests.audit.journals import house_at


def changed(where: str, *statements: str) -> None:
    """Raw SQL, by someone who owns the database."""
    if where.startswith("postgresql"):
        with psycopg.connect(where, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())
        return
    with closing(apsw.Connection(where)) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture
def in_file(tmp_path: Path) -> str:
    with house_at(tmp_path / "house.db") as house:
        JournalTable(house, "dice-ology").buy_in("ann")
    return str(tmp_path / "house.db")


@pytest.fixture
def in_postgres(postgres_url: str) -> str:
    with house_at(PostgresStore(postgres_url)) as house:
        JournalTable(house, "dice-ology").buy_in("ann")
    return postgres_url


def findings(where: str) -> list[str]:
    return [str(finding) for finding in audit(where).findings]


def test_dropped_or_emptied_sqlite_triggers_are_reported_and_the_record_is_proved(in_file: str) -> None:
    report = audit(in_file)
    assert (report.good, report.guards) == (True, len(GUARDS["sqlite"]))
    hollow = "CREATE TRIGGER entries_not_deleted BEFORE DELETE ON entries BEGIN SELECT 1; END"
    theirs = "CREATE TRIGGER quiet AFTER INSERT ON entries BEGIN DELETE FROM balances; END"
    changed(in_file, "DROP TRIGGER entries_not_updated", "DROP TRIGGER entries_not_deleted", hollow, theirs)
    report = audit(in_file)
    assert [str(finding) for finding in report.findings] == [
        "the journal (guards): triggers dropped: entries_not_updated",
        "the journal (guards): triggers that differ from a journal's: entries_not_deleted",
        "the journal (guards): triggers that don't belong to a journal: quiet",
    ]
    assert (report.good, report.recorded) == (False, True)
    assert "the record itself is correct" in str(report)
    assert "each with its hash" in str(report)


def test_where_an_entry_is_wrong_too_that_comes_first(in_file: str) -> None:
    changed(in_file, "DROP TRIGGER entries_not_updated", "UPDATE entries SET actor = 'eve' WHERE sequence = 2")
    report = audit(in_file)
    assert report.first is not None
    assert report.first.sequence == 2
    assert report.findings[-1].why == "triggers dropped: entries_not_updated"
    assert not report.recorded
    assert "all the same" not in str(report)


def test_postgresql_triggers_that_were_dropped_disabled_or_emptied_are_reported(in_postgres: str) -> None:
    report = audit(in_postgres)
    assert (report.good, report.guards) == (True, len(GUARDS["postgres"])), str(report)
    changed(
        in_postgres,
        "DROP TRIGGER balances_stay ON balances",
        "ALTER TABLE entries DISABLE TRIGGER entries_append_only",
        "CREATE OR REPLACE FUNCTION postings_sealed() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$",
    )
    assert findings(in_postgres) == [
        "the journal (guards): triggers dropped: balances_stay",
        "the journal (guards): triggers disabled: entries_append_only",
        "the journal (guards): triggers that differ from a journal's: postings_sealed",
    ]
    assert audit(in_postgres).recorded


@pytest.mark.parametrize("kind", ["in_file", "in_postgres"])
def test_a_newer_schema_is_reported_without_a_verdict_on_the_record(
    kind: str, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    where = request.getfixturevalue(kind)
    changed(where, "PRAGMA user_version = 99" if kind == "in_file" else "UPDATE schema_version SET version = 99")
    with pytest.raises(Unreadable, match="has schema version 99, but this auditor knows versions up to 7"):
        audit(where)
    with pytest.raises(SystemExit) as ended:
        main(["audit", where])
    assert ended.value.code == 2
    output = capsys.readouterr()
    assert "audit it with the Pitbook that wrote it, or a newer one" in output.err
    assert "pitbook_test:" not in output.err
    changed(where, "PRAGMA user_version = 1" if kind == "in_file" else "UPDATE schema_version SET version = 1")
    with pytest.raises(Unreadable, match="do that with a copy, and audit the copy"):
        audit(where)


PARTS = ("entries", "transfers", "postings")


def made_version_6(where: str) -> None:
    """Give a journal the triggers that it had before tables could be detached."""
    if where.startswith("postgresql"):
        changed(where, "DROP TRIGGER entries_not_detached ON entries", "DROP TABLE detached_tables")
        for part in PARTS:
            changed(
                where,
                f"DROP TRIGGER {part}_not_deleted ON {part}",
                f"DROP TRIGGER {part}_append_only ON {part}",
                f"CREATE TRIGGER {part}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {part}"
                " FOR EACH STATEMENT EXECUTE FUNCTION append_only()",
            )
        return
    first = scripts(migrations.__name__, "sqlite")[1].splitlines()
    changed(where, "DROP TRIGGER entries_not_detached", *(f"DROP TRIGGER {part}_not_deleted" for part in PARTS))
    changed(where, "DROP TABLE detached_tables")
    for part in PARTS:
        changed(where, next(line for line in first if line.startswith(f"CREATE TRIGGER {part}_not_deleted")))


def made_version_4(where: str) -> None:
    """Give a journal the names that it had before version 5."""
    made_version_6(where)
    if where.startswith("postgresql"):
        changed(
            where,
            "ALTER TABLE entries RENAME COLUMN attachment TO book",
            "ALTER TABLE entries RENAME COLUMN tag TO throw",
            "ALTER TRIGGER attachments_append_only ON attachments RENAME TO books_append_only",
            "ALTER TABLE attachments RENAME TO books",
            "UPDATE schema_version SET version = 4",
        )
        return
    first, fourth = (scripts(migrations.__name__, "sqlite")[number] for number in (1, 4))
    follow = first[first.index("CREATE TRIGGER entries_follow") : first.index("CREATE TRIGGER entries_move_money")]
    changed(
        where,
        "DROP TRIGGER entries_follow; DROP TRIGGER attachments_not_updated; DROP TRIGGER attachments_not_deleted",
        "ALTER TABLE entries RENAME COLUMN attachment TO book; ALTER TABLE entries RENAME COLUMN tag TO throw",
        "ALTER TABLE attachments RENAME TO books",
        follow + fourth[fourth.index("CREATE TRIGGER") :],
        "PRAGMA user_version = 4",
    )


@pytest.mark.parametrize("kind", ["in_file", "in_postgres"])
def test_a_journal_of_version_4_is_proved_under_its_own_names(kind: str, request: pytest.FixtureRequest) -> None:
    where = request.getfixturevalue(kind)
    made_version_4(where)
    report = audit(where)
    assert report.good, str(report)
    assert report.guards == {"in_file": 13, "in_postgres": 11}[kind]
    trigger = "books_not_deleted" if kind == "in_file" else "books_append_only ON books"
    changed(where, f"DROP TRIGGER {trigger}")
    assert findings(where) == [f"the journal (guards): triggers dropped: {trigger.split(maxsplit=1)[0]}"]


def test_on_the_command_line_a_dropped_trigger_is_a_finding(in_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    changed(in_file, "DROP TRIGGER postings_not_updated")
    with pytest.raises(SystemExit) as ended:
        main(["audit", in_file])
    assert ended.value.code == 1
    assert capsys.readouterr().out.startswith("WRONG: the journal (guards): triggers dropped: postings_not_updated")
