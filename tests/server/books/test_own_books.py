"""A folder with the house's own books: what is in it is served; what is wrong with it stops the start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pitbook.errors import InputErrors
from pitbook.rulebooks.catalogue import load
from pitbook.rulebooks.editions import Editions
from pitbook.server.books.house_books import add_own_books
from pitbook.server.demo import PASSWORD
from pitbook.server.setting_sources import gather
from tests import loopback
from tests.server.books.conftest import HARBOUR
from tests.server.conftest import ServerProcess


def test_every_book_of_the_folder_is_taken_in(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(HARBOUR.replace("harbour-sic-bo", "first-house"), encoding="utf-8")
    (tmp_path / "b.toml").write_text(HARBOUR.replace("harbour-sic-bo", "second-house"), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not a book", encoding="utf-8")
    assert [book.id for book in add_own_books(Editions(), tmp_path)] == ["first-house", "second-house"]
    assert add_own_books(Editions(), None) == []


def test_of_two_editions_the_later_file_is_the_newest(tmp_path: Path) -> None:
    text = HARBOUR.replace("harbour-sic-bo", "two-editions")
    (tmp_path / "edition-1.toml").write_text(text, encoding="utf-8")
    (tmp_path / "edition-2.toml").write_text(text.replace("2 to 1", "3 to 1"), encoding="utf-8")
    editions = Editions()
    add_own_books(editions, tmp_path)
    assert editions.offered["two-editions"] == load(tmp_path / "edition-2.toml").digest


def test_all_problems_of_all_books_are_reported_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("[book\n", encoding="utf-8")
    (tmp_path / "b.toml").write_text(HARBOUR.replace("2 to 1", "1 to 2"), encoding="utf-8")
    (tmp_path / "c.toml").write_text(HARBOUR.replace("harbour-sic-bo", "dice-works"), encoding="utf-8")
    with pytest.raises(InputErrors) as found:
        add_own_books(Editions(), tmp_path)
    assert len(found.value.lines) == 3
    for name, line in zip(("a.toml", "wager.small.pays", "dice-works"), found.value.lines, strict=True):
        assert name in line


def test_a_folder_that_is_not_there_is_a_wrong_setting(tmp_path: Path) -> None:
    with pytest.raises(InputErrors, match="there is no folder"):
        gather({"books": str(tmp_path / "nowhere")}, {})


def test_a_table_runs_on_when_the_file_of_its_book_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "harbour.toml").write_text(HARBOUR.replace("harbour-sic-bo", "lost-house"), encoding="utf-8")
    setup: dict[str, Any] = {"book": "lost-house", "digest": load(folder / "harbour.toml").digest}
    setup |= {"facility": "Harbour", "currency": "USD", "limits": {"*": {"stake_min": 100, "stake_max": 1000}}}
    server = ServerProcess(tmp_path, ["--port", "0", "--demo", "--books", str(folder)], {})
    try:
        with loopback.client(server.address()) as manager:
            me = manager.post("/api/v1/sign-in", json={"name": "demo-manager", "password": PASSWORD}).json()
            manager.headers["X-CSRF-Token"] = me["csrf"]
            request = {"role": "manager", "command": {"type": "OpenTable", "setup": setup}}
            response = manager.post("/api/v1/tables/harbour/commands", json=request)
            assert response.status_code == 200, response.text
            assert "harbour" in {one["id"] for one in manager.get("/api/v1/tables").json()}
        assert server.stop() == 0
        server.close()
        server = ServerProcess(tmp_path, ["--port", "0", "--demo"], {})
        with loopback.client(server.address()) as visitor:
            found = next(one for one in visitor.get("/api/v1/tables").json() if one["id"] == "harbour")
            assert (found["book"], found["open"], found["disabled"]) == ("lost-house", True, False)
            offered = {one["book"] for one in visitor.get("/api/v1/books").json()["books"]}
            assert "lost-house" not in offered
    finally:
        server.close()
