"""Massachusetts: the clauses of procedure, equipment and irregularities, as data."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clauses.copies import Copy
from tests.clauses.facts import check_fact

MA = "massachusetts-sic-bo"

MASSACHUSETTS: list[tuple[str, str, dict[str, Any]]] = [
    (
        MA,
        "1",
        {
            "equipment.dice.count": 3,
            "equipment.dice.life.0.shaker": "any",
            "equipment.dice.life.0.length": 24,
            "equipment.dice.life.0.unit": "hours",
            "equipment.dice.life.0.clause": "1",
            "equipment.dice.life.0.counted_from": "put into the shaker",
        },
    ),
    (MA, "3(a)", {"procedure.round.take-bets.act": "take bets"}),
    (MA, "5(d)(1)", {"procedure.round.shake-manual.at_least": 3}),
]

FACTS = {"test_ma_the_data_of_the_clause_says_what_the_clause_says": (check_fact, MASSACHUSETTS)}


@pytest.mark.parametrize(("book", "clause", "facts"), MASSACHUSETTS, ids=lambda v: v if isinstance(v, str) else "")
def test_ma_the_data_of_the_clause_says_what_the_clause_says(
    book: str, clause: str, facts: dict[str, Any]
) -> None:
    check_fact(Copy.packaged(book), facts)
