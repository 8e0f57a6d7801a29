"""Refusals that cite what the book in force does not have: the auditor names the entry of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitbook.audit import audit
from pitbook.audit.report import Finding
from pitbook.table import commands as c
from pitbook.table.decide.draft import Draft, Refused
from pitbook.table.people import Person
from pitbook.table.refusals import Reason
from pitbook.table.refusals import refuse as make
from pitbook.testing import JournalTable
from tests.audit.journals import BOOKS, house_at

ANN = Person("ann", "player")
UNKNOWN = c.PlaceBets((c.BetRequest("no-such-area", 1000),))


def found(path: Path, book: str) -> Finding | None:
    """Ask for a wager that no book has, and return what the auditor finds first."""
    with house_at(path) as house:
        table = JournalTable(house, book, "t1")
        table.buy_in("ann", 100_000)
        table.open_betting()
        assert house.ask("t1", ANN, UNKNOWN).refused == Reason.UNKNOWN_WAGER
    return audit(path).first


def citing(monkeypatch: pytest.MonkeyPatch, clauses: tuple[str, ...], reading: str | None = None) -> None:
    """Let every refusal cite these."""

    def refuse(_: Draft, why: Reason, message: str, *_given: object, **params: object) -> None:
        params.pop("reading", None)
        raise Refused(make(why, message, clauses, reading=reading, **params))

    monkeypatch.setattr(Draft, "refuse", refuse)


@pytest.mark.parametrize("book", BOOKS)
def test_refusals_that_cite_the_book_pass(tmp_path: Path, book: str) -> None:
    assert found(tmp_path / "j.db", book) is None


@pytest.mark.parametrize("book", BOOKS)
def test_a_clause_of_another_text_is_found(tmp_path: Path, book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    citing(monkeypatch, ("99.9",))
    finding = found(tmp_path / "j.db", book)
    assert finding is not None
    assert finding.why.startswith("it was refused under 99.9")


@pytest.mark.parametrize("book", BOOKS)
def test_a_reading_of_another_text_is_found(tmp_path: Path, book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    citing(monkeypatch, (), "no-such-reading")
    finding = found(tmp_path / "j.db", book)
    assert finding is not None
    assert "no-such-reading" in finding.why
