"""Dice-Ology: the clauses about the layout, booking and tips, as data."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clauses.copies import Copy
from tests.clauses.facts import check_fact

DO = "dice-ology"

DICE_OLOGY: list[tuple[str, str, dict[str, Any]]] = [
    (DO, "(1)", {"equipment.layout.requires.0.says": "it is displayed on every table where Dice-Ology is played"}),
    (
        DO,
        "(5)",
        {
            # "base or stick dealer"; "the box person, or either dealer".
            "procedure.round.take-bets.who": ["player", "stick-person", "base-dealer"],
            "procedure.round.confirm.who": ["box-person", "stick-person", "base-dealer"],
            "procedure.round.confirm.after": ["take-bets"],
        },
    ),
    (
        DO,
        "(6)",
        {
            "procedure.round.place-tip.act": "place tip",
            "procedure.round.place-tip.who": ["player", "stick-person", "base-dealer"],
        },
    ),
]

FACTS = {"test_do_the_data_of_the_clause_says_what_the_clause_says": (check_fact, DICE_OLOGY)}


@pytest.mark.parametrize(("book", "clause", "facts"), DICE_OLOGY, ids=lambda v: v if isinstance(v, str) else "")
def test_do_the_data_of_the_clause_says_what_the_clause_says(book: str, clause: str, facts: dict[str, Any]) -> None:
    check_fact(Copy.packaged(book), facts)
