"""Dice Works: the clauses about the lammers themselves, as data."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clauses.copies import Copy
from tests.clauses.facts import check_fact

DW = "dice-works"

DICE_WORKS: list[tuple[str, str, dict[str, Any]]] = [
    (DW, "high-roller/labels", {"equipment.high-roller-lammers.count": 10}),
    (DW, "roll-the-line/labels", {"equipment.roll-the-line-lammers.count": 10}),
]

FACTS = {"test_dw_the_data_of_the_clause_says_what_the_clause_says": (check_fact, DICE_WORKS)}


@pytest.mark.parametrize(("book", "clause", "facts"), DICE_WORKS, ids=lambda v: v if isinstance(v, str) else "")
def test_dw_the_data_of_the_clause_says_what_the_clause_says(book: str, clause: str, facts: dict[str, Any]) -> None:
    check_fact(Copy.packaged(book), facts)
