"""One server for one SQLite file, by whatever name it is opened."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from pitbook.auth.stores import open_auth_store
from pitbook.errors import InputError
from pitbook.journal.sqlite import SqliteStore
from tests import loopback
from tests.server.conftest import ServerProcess
from tests.waiting import HANG


def by_symbolic_link(journal: Path) -> Path:
    link = journal.with_name("symbolic.db")
    link.symlink_to(journal)
    return link


def by_hard_link(journal: Path) -> Path:
    folder = journal.with_name("elsewhere")
    folder.mkdir()
    os.link(journal, folder / "hard.db")
    return folder / "hard.db"


def without_the_note(journal: Path) -> Path:
    journal.with_name("house.db-writer").unlink()
    return journal


@pytest.mark.parametrize("way", [by_symbolic_link, by_hard_link, without_the_note])
def test_a_second_server_on_the_same_file_is_refused(
    start_server: Callable[..., ServerProcess], tmp_path: Path, way: Callable[[Path], Path]
) -> None:
    journal = tmp_path / "house.db"
    address = start_server("--db", str(journal)).address()
    code, output = start_server("--db", str(way(journal))).ended()
    assert (code, "is writing the journal" in output) == (2, True), output
    assert loopback.get(f"{address}/ready").status_code == 200


def test_a_second_server_on_the_same_passwords_is_refused(
    start_server: Callable[..., ServerProcess], tmp_path: Path
) -> None:
    start_server("--db", str(tmp_path / "house.db")).address()
    (tmp_path / "other.db-access").symlink_to(tmp_path / "house.db-access")
    code, output = start_server("--db", str(tmp_path / "other.db")).ended()
    assert (code, "another process uses" in output) == (2, True), output


def test_a_journal_with_a_second_name_is_refused_because_its_log_would_be_missed(
    start_server: Callable[..., ServerProcess], tmp_path: Path
) -> None:
    journal = tmp_path / "house.db"
    server = start_server("--db", str(journal))
    server.address()
    server.close()  # killed: the last commits are in the log
    assert (tmp_path / "house.db-wal").stat().st_size
    other = by_hard_link(journal)
    for name in (other, journal):
        code, output = start_server("--db", str(name)).ended()
        assert (code, "has a second name (a hard link)" in output) == (2, True), output
    other.unlink()
    start_server("--db", str(journal)).address()


def test_a_server_by_a_symbolic_link_uses_the_files_beside_the_journal(
    start_server: Callable[..., ServerProcess], tmp_path: Path
) -> None:
    journal = tmp_path / "house.db"
    server = start_server("--db", str(journal))
    server.address()
    assert server.stop() == 0
    server = start_server("--db", str(by_symbolic_link(journal)))
    server.address()
    assert server.stop() == 0
    assert [file.name for file in tmp_path.glob("symbolic.db*")] == ["symbolic.db"]


# -- the lock and SQLite's own, in one process


BEGIN = "import apsw, sys; apsw.Connection(sys.argv[1]).execute('BEGIN IMMEDIATE')"


def can_write(path: Path) -> bool:
    """Whether another process gets SQLite's lock for writing."""
    command: list[str | Path] = [sys.executable, "-c", BEGIN, path]
    return subprocess.run(command, capture_output=True, timeout=HANG, check=False).returncode == 0


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "house.db")
    yield store
    store.close()


def test_a_refused_claim_in_the_same_process_leaves_sqlites_locks_alone(journal: SqliteStore, tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(journal.path)
    with journal.transaction() as unit:
        unit.head("t1")
        with pytest.raises(InputError, match="is writing the journal"):
            SqliteStore(tmp_path / "link.db")
        assert not can_write(journal.path)
    assert can_write(journal.path)


def test_others_read_the_file_meanwhile_and_write_it_afterwards(journal: SqliteStore, tmp_path: Path) -> None:
    reading = SqliteStore(journal.path, read_only=True)
    assert reading.heads() == {}
    reading.close()
    journal.close()
    SqliteStore(journal.path).close()
    with open_auth_store(str(journal.path), alone=True), pytest.raises(InputError, match="another process uses"):
        open_auth_store(str(journal.path), alone=True)
    open_auth_store(str(journal.path), alone=True).close()
    assert apsw.Connection(str(tmp_path / "house.db-access")).pragma("user_version")
