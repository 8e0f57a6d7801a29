"""Books that were corrected by an upgrade: tables continue under the text with which they were opened."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

import pitbook
from pitbook.cli import main
from pitbook.rulebooks.catalogue import load
from pitbook.server.demo import PASSWORD, TABLES
from tests import loopback
from tests.server.conftest import ServerProcess

BOOK, TABLE = "massachusetts-sic-bo", "massachusetts"
LABEL = 'en = "Small"'


@pytest.fixture
def older_release(tmp_path: Path) -> Path:
    """A Pitbook whose Massachusetts book has another label; returns the folder that Python finds it in."""
    folder = tmp_path / "older"
    shutil.copytree(Path(pitbook.__file__).parent, folder / "pitbook", ignore=shutil.ignore_patterns("__pycache__"))
    book = folder / "pitbook" / "books" / f"{BOOK}.toml"
    text = book.read_text(encoding="utf-8")
    assert text.count(LABEL) == 1
    book.write_text(text.replace(LABEL, 'en = "Smal"'), encoding="utf-8")
    return folder


class Office:
    """The manager of a demo house, signed in."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        me = self.client.post("/api/v1/sign-in", json={"name": "demo-manager", "password": PASSWORD}).json()
        self.client.headers["X-CSRF-Token"] = me["csrf"]

    def get(self, path: str) -> Any:
        response = self.client.get(path)
        assert response.status_code == 200, response.text
        return response.json()

    def command(self, table: str, **command: Any) -> httpx.Response:
        body = {"role": "manager", "command": command}
        return self.client.post(f"/api/v1/tables/{table}/commands", json=body)

    def editions(self) -> dict[str, bool]:
        """Whether each table of the floor runs under an older edition of its book."""
        return {one["id"]: one["older_edition"] for one in self.get("/api/v1/floor")["tables"]}

    def alarms(self) -> dict[str | None, str]:
        return {one["table"]: one["detail"] for one in self.get("/api/v1/alarms")["alarms"]}


@contextmanager
def office_of(server: ServerProcess) -> Iterator[Office]:
    """Sign in, and stop the server in the end."""
    with loopback.client(server.address()) as client:
        yield Office(client)
    assert server.stop() == 0


def audited(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Any, str]:
    with pytest.raises(SystemExit) as ended:
        main(["audit", *arguments])
    return ended.value.code, capsys.readouterr().out


def without_texts(journal: Path) -> None:
    """Make a journal as an older Pitbook wrote it, before it kept the texts of books."""
    with closing(apsw.Connection(str(journal))) as connection:
        connection.execute("DROP TRIGGER entries_not_detached")
        for name in ("entries", "transfers", "postings"):
            refuse = "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
            connection.execute(f"DROP TRIGGER {name}_not_deleted")
            connection.execute(f"CREATE TRIGGER {name}_not_deleted BEFORE DELETE ON {name} {refuse}")
        connection.execute("DROP TABLE detached_tables")
        connection.execute("DROP TABLE attachments; ALTER TABLE entries RENAME COLUMN attachment TO book")
        connection.execute("ALTER TABLE entries RENAME COLUMN tag TO throw; DROP INDEX one_entry_per_tag")
        connection.execute("CREATE UNIQUE INDEX one_outcome_per_throw ON entries (table_name, throw)")
        connection.pragma("user_version", 3)


@pytest.mark.thorough
def test_tables_go_on_under_the_text_that_they_were_opened_with(
    older_release: Path, tmp_path: Path, start_server: Callable[..., ServerProcess], capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "house.db"
    with office_of(start_server("--db", str(journal), demo=True, alone=True, PYTHONPATH=str(older_release))) as office:
        assert {one["id"] for one in office.get("/api/v1/tables")} == set(TABLES)

    with office_of(start_server("--db", str(journal), demo=True)) as office:
        assert office.editions() == {name: name == TABLE for name in office.editions()}
        setup = office.get(f"/api/v1/tables/{TABLE}")["rules"]["setup"]
        assert setup["digest"] != load(BOOK).digest
        assert '"Smal"' in office.client.get(f"/api/v1/books/{BOOK}?digest={setup['digest']}").text
        assert office.command(TABLE, type="StartDay", day="second").status_code == 200
        refused = office.command("another", type="OpenTable", setup={**setup, "number": None})
        assert refused.status_code == 422
        assert "older edition" in refused.json()["detail"]
        current = {**setup, "digest": load(BOOK).digest}
        assert office.command("another", type="OpenTable", setup={**current, "number": None}).status_code == 200
        assert office.editions()["another"] is False
        assert (
            office.command(TABLE, type="ChangeSetup", setup=current).status_code == 200
        )  # it adopts the corrected text
        assert office.editions()[TABLE] is False
    code, output = audited(capsys, str(journal))
    assert (code, ": correct" in output) == (0, True), output


def test_an_unknown_book_of_an_older_journal_disables_its_table_alone(
    older_release: Path, tmp_path: Path, start_server: Callable[..., ServerProcess], capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "house.db"
    with office_of(start_server("--db", str(journal), demo=True, alone=True, PYTHONPATH=str(older_release))):
        pass
    without_texts(journal)

    with office_of(start_server("--db", str(journal), demo=True)) as office:
        lobby = {one["id"]: one["disabled"] for one in office.get("/api/v1/tables")}
        assert lobby == {name: name == TABLE for name in lobby}
        assert [one["id"] for one in office.get("/api/v1/floor")["disabled"]] == [TABLE]
        ready = office.get("/ready")
        assert ready["ready"] is True
        for says in (ready["disabled"][TABLE], office.alarms()[TABLE]):
            assert BOOK in says
            assert "--books" in says
        answer = office.command(TABLE, type="StartDay", day="second")
        assert (answer.status_code, answer.json()["type"]) == (503, "/problems/table-disabled")
        assert "--books" in answer.json()["detail"]
        assert office.client.get(f"/api/v1/tables/{TABLE}").status_code == 503
        assert office.command("maryland", type="StartDay", day="second").status_code == 200

    code, output = audited(capsys, str(journal))
    assert code == 1
    assert output.startswith(f"NOT PROVED: table {TABLE}, entry 1 (book missing): the book {BOOK} here has the digest")
    assert "also" not in output
    file = older_release / "pitbook" / "books" / f"{BOOK}.toml"
    code, output = audited(capsys, str(journal), "--book", str(file))
    assert (code, ": correct" in output) == (0, True), output

    folder = tmp_path / "editions"
    folder.mkdir()
    shutil.copy(file, folder / "massachusetts-2025.toml")
    with office_of(start_server("--db", str(journal), "--books", str(folder), demo=True)) as office:
        assert office.get("/ready")["disabled"] == {}
        assert office.editions()[TABLE] is True
    with office_of(start_server("--db", str(journal), demo=True)) as office:  # the journal has the text by now
        assert office.editions()[TABLE] is True
    assert audited(capsys, str(journal))[0] == 0
