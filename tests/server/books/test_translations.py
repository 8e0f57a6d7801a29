"""The books' texts in English and Chinese over HTTP, and those of a house's own books."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from pitbook.rulebooks.editions import Editions
from pitbook.server.books.house_books import add_own_books, list_book_files
from pitbook.server.books.library import Library
from tests.server.books.conftest import HARBOUR, Client

BESIDE = 'of = "translated-house"\nlanguage = "zh"\n'
TITLE = 'book.title = { en = "Sic Bo at the Harbour", zh = "海港骰寶" }\n'
NO_MORE_BETS = {"en": "No more bets", "zh": "停止下注", "zh_hans": "停止下注"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A house's folder with one book."""
    (tmp_path / "harbour.toml").write_text(HARBOUR.replace("harbour-sic-bo", "translated-house"), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("lang", ["en", "zh", "zh-Hans"])
def test_every_text_of_a_book_is_sent_in_english_and_both_scripts(client: Client, lang: str) -> None:
    book = client.get("/api/v1/books/massachusetts-sic-bo", params={"lang": lang}).json()
    (closing,) = (step for step in book["procedure"]["round"] if step["act"] == "close betting")
    assert closing["announce"] == NO_MORE_BETS
    assert book["identity"]["title"] == {
        "en": "Sic Bo (Massachusetts)",
        "zh": "骰寶（麻省）",
        "zh_hans": "骰宝（麻省）",
    }
    assert book["readings"]["big-loses"]["name"]["zh_hans"] == "“大”何时输"
    assert book["irregularities"]["no-roll"]["name"].keys() == NO_MORE_BETS.keys()


def test_the_list_of_books_has_their_titles_in_every_language(client: Client) -> None:
    books = client.get("/api/v1/books").json()["books"]
    assert {"en": "Craps (house rules)", "zh": "花旗骰（場方規則）", "zh_hans": "花旗骰（场方规则）"} in [
        book["title"] for book in books
    ]
    assert all(book["about"]["zh"] != book["about"]["en"] for book in books if book["packaged"])


def test_nothing_is_looked_up_by_an_english_sentence(client: Client) -> None:
    assert client.get("/api/v1/translations/zh").status_code == 404


def test_the_translation_beside_a_houses_own_book_is_sent_with_it(
    client: Client, library: Library, folder: Path
) -> None:
    (folder / "harbour.zh.toml").write_text(BESIDE + TITLE, encoding="utf-8")
    assert [path.name for path in list_book_files(folder)] == ["harbour.toml"]
    add_own_books(library.editions, folder)
    book = client.get("/api/v1/books/translated-house").json()
    assert book["identity"]["title"]["zh"] == "海港骰寶"
    assert book["identity"]["authority"]["zh"] == "麻省博彩委員會", "as in the book that it extends"
    diagram = client.get(
        "/api/v1/books/translated-house/machine", params={"wager": "small", "format": "mermaid", "lang": "zh-Hans"}
    )
    assert "海港骰宝" in diagram.text


def test_a_broken_translation_is_logged_and_keeps_no_house_from_opening(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "harbour.zh.toml").write_text(BESIDE + "book.title = \n", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        assert [book.id for book in add_own_books(Editions(), folder)] == ["translated-house"]
    assert "harbour.zh.toml: syntax" in caplog.text
