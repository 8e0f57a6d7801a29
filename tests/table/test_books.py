"""A table runs under the rulebook that it is handed: it reads no file, and looks nothing up."""

from __future__ import annotations

import ast
from copy import deepcopy
from pathlib import Path

import msgspec
import pytest

import pitbook.table
from pitbook.errors import InputError
from pitbook.house.books import HouseBooks
from pitbook.rulebooks.catalogue import load, packaged_raw
from pitbook.rulebooks.model import Rulebook
from pitbook.table import commands as c
from pitbook.table import snapshots
from pitbook.table.decide import Context, Decision, decide
from pitbook.table.evolve import evolve_all
from pitbook.table.people import Person
from pitbook.table.refusals import Reason, Refusal
from pitbook.table.state import Books, Table

MANAGER = Person("max", "manager")
AT = "2026-03-01T12:00:00.000000+00:00"


class OneBook(Books):
    """A book that is in no folder and no journal."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book

    def rules(self, setup: c.Setup) -> Rulebook:
        if setup.digest != "handed in":
            raise ValueError(f"there is no {setup.digest}")
        return self.book


def opened(table: Table, digest: str) -> Decision | Refusal:
    setup = c.Setup("nowhere", digest, "Test House", "USD")
    return decide(table, c.OpenTable(setup), Context(MANAGER, AT))


def test_a_table_is_opened_and_read_back_under_the_book_that_it_is_handed() -> None:
    books = OneBook(load("massachusetts-sic-bo"))
    outcome = opened(Table("t1", books=books), "handed in")
    assert isinstance(outcome, Decision), outcome
    table = evolve_all(Table("t1", books=books), outcome.events)
    assert table.rules is books.book
    again = snapshots.load(snapshots.dump(table), books)
    assert again == table
    assert again.rules is books.book


def test_a_book_that_is_not_at_hand_is_refused() -> None:
    outcome = opened(Table("t1", books=OneBook(load("massachusetts-sic-bo"))), "another")
    assert isinstance(outcome, Refusal)
    assert (outcome.why, outcome.says) == (Reason.CONFIGURATION, "there is no another")


def test_the_books_are_no_part_of_a_tables_state() -> None:
    table = Table("t1", books=OneBook(load("massachusetts-sic-bo")))
    assert table == Table("t1")
    assert "books" not in msgspec.json.decode(snapshots.dump(table))
    with pytest.raises(LookupError, match="no books were handed in"):
        _ = Table("t1", setup=c.Setup("nowhere", "handed in", "Test House", "USD")).rules


def test_no_module_of_the_table_remembers_anything() -> None:
    """`decide` is pure: no decorator that caches, no mutable global, no file."""
    words = ("@cache", "@lru_cache", "    global ", " open(", "pathlib")
    modules = sorted(Path(pitbook.table.__file__).parent.rglob("*.py"))
    found = []
    for path in modules:
        text = path.read_text(encoding="utf-8")
        found += [f"{path.name}: {word}" for word in words if word in text]
        for node in ast.parse(text).body:
            value = getattr(node, "value", None) if isinstance(node, ast.Assign | ast.AnnAssign) else None
            empty = isinstance(value, ast.Dict) and not value.keys
            if empty or (isinstance(value, ast.List | ast.Set) and not value.elts) or isinstance(value, ast.ListComp):
                found.append(f"{path.name}: line {node.lineno} is a mutable global")
    assert len(modules) > 30
    assert found == []


def test_two_houses_share_no_books() -> None:
    raw = deepcopy(packaged_raw("dice-ology"))
    raw["book"]["id"] = "house-ology"
    one, other = HouseBooks(), HouseBooks()
    digest = one.editions.add(raw, "house-ology.toml")
    setup = c.Setup("house-ology", digest, "Test House", "USD")
    assert one.rules(setup).id == "house-ology"
    with pytest.raises(InputError, match="unknown book"):
        other.rules(setup)
