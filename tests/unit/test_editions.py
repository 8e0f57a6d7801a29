"""A licensee's own book at a table: kept by its content, found again whatever became of its file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitbook.rulebooks.catalogue import load
from pitbook.rulebooks.editions import Editions
from pitbook.rulebooks.errors import InvalidBook
from pitbook.table import commands as c
from pitbook.table.refusals import Reason
from tests.table.driving import SHARED_BOOKS, DrivenTable

OWN = """
[book]
id        = "harbour-sic-bo"
extends   = "massachusetts-sic-bo"
title     = "Sic Bo at the Harbour"
about     = "Small pays 2 to 1."
[wager.small]
pays = "2 to 1"
"""


def test_a_stored_book_is_found_by_its_digest_when_its_file_changed_or_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "harbour.toml"
    path.write_text(OWN, encoding="utf-8")
    editions = Editions()
    book = editions.add_file(path)
    path.write_text(OWN.replace("2 to 1", "3 to 1"), encoding="utf-8")
    assert load(path).digest != book.digest
    path.unlink()
    again = editions.recorded(str(path), book.digest, {"double-with-triple": "exactly-two"}, {})
    assert again.digest == book.digest
    assert str(again.wager("small").pays[None]["win"]) == "2 to 1"
    assert again.readings_chosen["double-with-triple"] == "exactly-two"


def test_a_book_with_other_content_is_not_taken_for_the_recorded_one() -> None:
    with pytest.raises(ValueError, match="has changed"):
        Editions().recorded("massachusetts-sic-bo", "0" * 64, {}, {})


def test_a_shipped_book_is_built_once_under_each_choice() -> None:
    book = load("craps")
    assert load("craps") is book
    assert load("craps", options={"crapless": "on"}) is not book
    assert load("craps", options={"crapless": "on"}) is load("craps", options={"crapless": "on"})


def test_a_recorded_text_is_the_shipped_book_only_if_it_has_the_same_order() -> None:
    book, editions = load("massachusetts-sic-bo"), Editions()
    content = editions.text_of(book.id, book.digest)
    assert content is not None
    assert editions.add_recorded(content, book.digest)
    assert editions.recorded(book.id, book.digest, {}, {}) is book
    data = json.loads(content)
    data["book"]["wager"] = dict(reversed(data["book"]["wager"].items()))
    assert editions.add_recorded(json.dumps(data).encode(), book.digest)
    other = editions.recorded(book.id, book.digest, {}, {})
    assert list(other.wagers) != list(book.wagers)
    assert set(other.wagers) == set(book.wagers)


def test_a_book_that_pays_less_than_the_minimum_is_not_stored(tmp_path: Path) -> None:
    path = tmp_path / "mean.toml"
    path.write_text(OWN.replace("2 to 1", "1 to 2"), encoding="utf-8")
    with pytest.raises(InvalidBook, match=r"4\(b\)"):
        Editions().add_file(path)


def test_a_table_is_opened_with_a_stored_book_and_pays_by_it(tmp_path: Path) -> None:
    path = tmp_path / "harbour-at-a-table.toml"
    path.write_text(OWN.replace("2 to 1", "4 to 1"), encoding="utf-8")
    book = SHARED_BOOKS.editions.add_file(path)
    path.unlink()
    pit = DrivenTable()
    wrong = c.Setup("harbour-sic-bo", "0" * 64, "Harbour", "USD")
    pit.refused("max the manager", c.OpenTable(wrong), Reason.CONFIGURATION)
    pit.does("max the manager", c.OpenTable(c.Setup("harbour-sic-bo", book.digest, "Harbour", "USD")))
    assert str(pit.table.rules.wager("small").pays[None]["win"]) == "4 to 1"
    assert "Sic Bo at the Harbour" in pit.transcript()
