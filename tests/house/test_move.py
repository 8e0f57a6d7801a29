"""`pitbook move`: a house on SQLite goes to PostgreSQL and back with the same record, and stays right."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import psycopg
import pytest

from pitbook.audit.run import audit
from pitbook.auth.factors import StoredFactor
from pitbook.auth.stores import open_auth_store
from pitbook.cli import main
from pitbook.errors import InputError
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal import copying
from pitbook.journal.copying import move_journal
from pitbook.journal.port import Head
from pitbook.journal.runner import Runner
from pitbook.journal.sqlite import SqliteStore
from pitbook.table import commands as c
from pitbook.table.people import MANAGER, Person
from pitbook.testing import JournalTable
from tests.journal import bank
from tests.journal.conftest import ROLE
from tests.waiting import HANG

HASH = "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g"
MADE = "2026-01-01T00:00:00.000000+00:00"
PHONE = StoredFactor("f1", "ann", "totp", "sealed", None, 7, MADE, None)


def played(path: Path) -> dict[str, Head]:
    """Play a round at two tables, Ann with the same chips at both, and return where their records end."""
    with closing(SqliteStore(path)) as store:
        with House(store) as house:
            one = JournalTable(house, "massachusetts-sic-bo", "one")
            two = JournalTable(house, "maryland-sic-bo", "two")
            one.buy_in("ann", 10_00)
            two.open_betting()
            two.bet("ann", "small=10")
            two.play_round(1, 2, 3)
            one.open_betting()
            one.bet("ann", "big=20")
            one.play_round(1, 2, 3)
        return store.heads()


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def heads_of(place: str) -> dict[str, Head]:
    with closing(open_store(place, read_only=True)) as store:
        return store.heads()


def test_a_house_moves_to_postgresql_and_back_with_the_same_hashes(tmp_path: Path, postgres_url: str) -> None:
    first, back = tmp_path / "house.db", tmp_path / "back.db"
    heads = played(first)
    with closing(open_auth_store(str(first))) as access:
        access.set_password("ann", HASH, MADE)
        access.factors.add(PHONE)
        code, *_ = access.factors.make_recovery_codes("ann")
    assert run("move", str(first), postgres_url) == 0
    assert heads_of(postgres_url) == heads
    assert audit(postgres_url).good
    assert run("move", postgres_url, str(back)) == 0
    assert heads_of(str(back)) == heads
    assert audit(str(back)).good
    with closing(open_auth_store(str(back))) as access:
        assert access.password_of("ann") == HASH
        assert access.factors.of_person("ann") == (PHONE,)
        assert access.factors.use_recovery_code("ann", code)
    with closing(SqliteStore(back)) as store, House(store) as house:
        assert house.ask("one", Person("max", MANAGER), c.CloseTable()).refused is None


def test_a_target_that_has_entries_is_refused_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, other = tmp_path / "house.db", tmp_path / "other.db"
    played(first)
    before = played(other)
    assert run("move", str(first), str(other), "--no-audit") == 2
    assert "the target already has entries" in capsys.readouterr().err
    assert heads_of(str(other)) == before


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_an_interrupted_move_changes_nothing_and_is_done_again(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = str(tmp_path / "house.db")
    before = played(Path(source))
    target = str(tmp_path / "target.db") if kind == "sqlite" else str(request.getfixturevalue("postgres_url"))
    monkeypatch.setattr(copying, "BATCH", 5)

    def interrupt(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with closing(open_store(source, read_only=True)) as old, closing(open_store(target)) as new:
        with pytest.raises(KeyboardInterrupt):
            move_journal(old, new, interrupt)
        assert 0 < sum(head.sequence for head in new.heads().values()) < sum(head.sequence for head in before.values())
    assert run("move", source, target) == 2, "a partial copy is not continued by mistake"
    assert heads_of(source) == before
    assert audit(source).good
    if kind == "sqlite":
        target = str(tmp_path / "again.db")
    else:
        with psycopg.connect(target, autocommit=True) as connection:
            row = connection.execute("SELECT current_schema()").fetchone()
            assert row is not None
            connection.execute(f"DROP SCHEMA {row[0]} CASCADE; CREATE SCHEMA {row[0]}".encode())
    assert run("move", source, target) == 0
    assert heads_of(target) == before


def test_a_damaged_source_is_not_moved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, target = tmp_path / "house.db", tmp_path / "target.db"
    played(first)
    connection = apsw.Connection(str(first))
    connection.execute("DROP TRIGGER entries_not_updated; UPDATE entries SET actor = 'eve' WHERE table_name = 'two'")
    connection.close()
    assert run("move", str(first), str(target)) == 2
    assert "the source failed the audit" in capsys.readouterr().err
    assert not target.exists()


def test_a_source_that_is_written_to_meanwhile_is_reported(tmp_path: Path) -> None:
    source, target = SqliteStore(tmp_path / "a.db"), SqliteStore(tmp_path / "b.db")
    with closing(source), closing(target), Runner(source, bank.DOMAIN) as runner:
        runner.submit(bank.buy("t1", "ann", 1)).result(HANG)

        def write(_done: int, _total: int) -> None:
            runner.submit(bank.buy("t1", "ann", 1)).result(HANG)

        with pytest.raises(InputError, match="stop every server on it"):
            move_journal(source, target, write)


AUDITOR = "pitbook_test_auditor"
GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "operations.md"
GRANTS = GUIDE.read_text(encoding="utf-8").partition("```sql\n")[2].partition("```")[0]
"""What the guide grants to an auditor."""


def test_a_role_that_may_only_read_audits_a_live_postgresql(postgres_server: str, postgres_url: str) -> None:
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (AUDITOR,)).fetchone():
            connection.execute(f"CREATE ROLE {AUDITOR} LOGIN PASSWORD '{AUDITOR}'")
    with closing(open_store(postgres_url)) as store, House(store) as house:
        table = JournalTable(house, "massachusetts-sic-bo")
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            row = connection.execute("SELECT current_schema()").fetchone()
            assert row is not None
            granted = GRANTS.replace("SCHEMA public", f"SCHEMA {row[0]}").replace("TO auditor", f"TO {AUDITOR}")
            connection.execute(granted.encode())
        reading = postgres_url.replace(f"{ROLE}:{ROLE}@", f"{AUDITOR}:{AUDITOR}@")
        report = audit(reading)
        assert report.good, report.findings
        table.play_round(1, 2, 3)  # tables were not held up
        open_auth_store(postgres_url).close()
        with psycopg.connect(reading) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT * FROM access_passwords")
