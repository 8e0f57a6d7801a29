"""Clauses that the table will obey: until it does, what their data must say, stated here a second time by hand."""

from __future__ import annotations

from typing import Any

from pitbook.rulebooks.patches import get_key
from tests.clauses.copies import Copy


def check_fact(copy: Copy, facts: dict[str, Any]) -> None:
    """The book's data says what the clause says: key by key."""
    copy.under()
    for key, expected in facts.items():
        assert get_key(copy.raw, key) == expected, key
