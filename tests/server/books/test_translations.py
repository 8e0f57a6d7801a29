"""The books' sentences in Chinese over HTTP, and those of a house's own books."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from pitbook.rulebooks.editions import Editions
from pitbook.server.books.house_books import add_own_books, list_book_files
from pitbook.server.books.library import Library
from tests.server.books.conftest import HARBOUR, Client

CHINESE = "/api/v1/translations/zh"
BESIDE = 'of = "translated-house"\nlanguage = "zh"\n[sentences]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A house's folder with one book."""
    (tmp_path / "harbour.toml").write_text(HARBOUR.replace("harbour-sic-bo", "translated-house"), encoding="utf-8")
    return tmp_path


def test_the_sentences_of_all_books_are_told_once_and_only_to_who_has_them_not_yet(client: Client) -> None:
    answer = client.get(CHINESE)
    assert answer.json()["lang"] == "zh"
    assert answer.json()["sentences"]["No more bets"] == "停止下注"
    again = client.get(CHINESE, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_who_takes_it_gets_it_compressed_with_a_tag_of_its_own(client: Client) -> None:
    plain = client.get(CHINESE, headers={"Accept-Encoding": "identity"})
    packed = client.get(CHINESE, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json()
    assert packed.headers["etag"] != plain.headers["etag"]
    assert int(packed.headers["content-length"]) < 28_000, "the sentences of seven books"


def test_a_language_that_no_book_has_is_refused(client: Client) -> None:
    assert client.get("/api/v1/translations/fr").status_code == 400


def test_the_translation_beside_a_houses_own_book_is_told_with_the_others(
    client: Client, library: Library, folder: Path
) -> None:
    beside = folder / "harbour.zh.toml"
    beside.write_text(f'{BESIDE}"Sic Bo at the Harbour" = "海港骰寶"\n"No more bets" = "離手"\n', encoding="utf-8")
    assert [path.name for path in list_book_files(folder)] == ["harbour.toml"]
    add_own_books(library.editions, folder)
    told = client.get(CHINESE).json()["sentences"]
    assert told["Sic Bo at the Harbour"] == "海港骰寶"
    assert told["No more bets"] == "停止下注", "what a packaged book says stays as it is"


def test_a_broken_translation_is_logged_and_keeps_no_house_from_opening(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "harbour.zh.toml").write_text(BESIDE + '"Sic Bo at the Harbour" = \n', encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        assert [book.id for book in add_own_books(Editions(), folder)] == ["translated-house"]
    assert "harbour.zh.toml: syntax" in caplog.text
