"""The drivers of `pitbook.testing` as the tests use them: each book is compiled once, and every check is passed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pitbook.house.books import HouseBooks
from pitbook.rulebooks.catalogue import load
from pitbook.table import commands as c
from pitbook.table.decide import Decision
from pitbook.table.state import Table
from pitbook.testing import MemoryTable, checks_of

SHARED_BOOKS = HouseBooks()


@dataclass
class DrivenTable(MemoryTable):
    """A table with the books that all tests share."""

    table: Table = field(default_factory=lambda: SHARED_BOOKS.new_table("t1"))

    def check_all(self, who: str) -> None:
        """Find every item on the book's checklists in order."""
        for check in checks_of(self.table):
            self.does(who, check)

    def step(self, who: str, step: str, **details: object) -> Decision:
        """Take a step of the procedure."""
        return self.does(who, c.TakeStep(step, **details))  # type: ignore[arg-type]


def setup(book: str, **changes: Any) -> c.Setup:
    """Return a plain set-up of a packaged book."""
    chosen = [tuple(changes.get(key, {}).items()) for key in ("readings", "options")]
    digest, currency = _digest_and_currency(book, *chosen)
    return c.Setup(book, digest, "Test House", currency, **changes)


@cache
def _digest_and_currency(book: str, readings: tuple[Any, ...], options: tuple[Any, ...]) -> tuple[str, str]:
    rules = load(book, readings=dict(readings), options=dict(options))
    return rules.digest, rules.identity.currency
