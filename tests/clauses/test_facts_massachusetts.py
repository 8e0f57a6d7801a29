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
            "equipment.manual-shaker.keeper": "dealer",
            "equipment.automated-shaker.keeper": "dealer",
        },
    ),
    (MA, "3(a)", {"procedure.round.take-bets.act": "take bets"}),
    (
        MA,
        "3(c)",
        {
            "procedure.round.illuminate.after": ["enter-dice"],
            "procedure.round.collect.after": ["illuminate"],
        },
    ),
    (
        MA,
        "5(a)",
        {
            "procedure.opening.inspect-device.who": ["floorperson"],
            "procedure.opening.inspect-shaker.who": ["floorperson"],
            "inspection.device-before-opening.who": ["floorperson"],
            "inspection.device-before-opening.when": "before opening",
            "inspection.shaker-before-opening.who": ["floorperson"],
            "inspection.shaker-before-opening.when": "before opening",
        },
    ),
    (
        MA,
        "5(a)(1)",
        {
            "inspection.device-before-opening.equipment": "electrical-device",
            "inspection.device-before-opening.how": "enter three values",
        },
    ),
    (
        MA,
        "5(a)(2)",
        {
            "inspection.shaker-before-opening.equipment": "automated-shaker",
            "inspection.shaker-before-opening.shaker": "automated",
            "inspection.shaker-before-opening.how": "operate",
            "inspection.shaker-before-opening.times": 3,
        },
    ),
    (
        MA,
        "5(b)",
        {
            "inspection.shaker-each-shift.equipment": "automated-shaker",
            "inspection.shaker-each-shift.shaker": "automated",
            "inspection.shaker-each-shift.when": "each shift",
            "inspection.shaker-each-shift.who": ["casino-supervisor"],
            "inspection.shaker-each-shift.how": "operate",
            "inspection.shaker-each-shift.times": 3,
        },
    ),
    (
        MA,
        "5(c)",
        {
            "procedure.round.close.who": ["dealer"],
            "procedure.round.close.announce": "No more bets",
            "procedure.round.shake-manual.after": ["close"],
            "procedure.round.shake-automated.after": ["close"],
        },
    ),
    (
        MA,
        "5(d)",
        {
            "procedure.round.shake-manual.who": ["dealer"],
            "procedure.round.shake-manual.after": ["close"],
            "procedure.round.shake-automated.who": ["dealer"],
            "procedure.round.shake-automated.after": ["close"],
        },
    ),
    (
        MA,
        "5(d)(1)",
        {
            "procedure.round.shake-manual.act": "shake",
            "procedure.round.shake-manual.shaker": "manual",
            "procedure.round.shake-manual.at_least": 3,
        },
    ),
    (
        MA,
        "5(d)(2)",
        {
            "procedure.round.shake-automated.act": "shake",
            "procedure.round.shake-automated.shaker": "automated",
        },
    ),
    (
        MA,
        "5(e)",
        {
            "procedure.round.uncover.shaker": "manual",
            "procedure.round.uncover.after": ["shake-manual"],
            "procedure.round.announce-dice.after": ["shake-automated", "uncover"],
            "procedure.round.enter-dice.after": ["announce-dice"],
            "procedure.round.illuminate.after": ["enter-dice"],
        },
    ),
    (
        MA,
        "5(f)",
        {
            "procedure.round.collect.act": "collect losers",
            "procedure.round.collect.after": ["illuminate"],
            "procedure.round.pay.act": "pay winners",
            "procedure.round.pay.after": ["collect"],
        },
    ),
    (MA, "5(g)", {"procedure.round.clear.act": "clear", "procedure.round.clear.after": ["pay"]}),
    (
        MA,
        "6(a)",
        {
            "irregularity.no-roll.called_by": ["dealer"],
            "irregularity.no-roll.announce": "No Roll",
            "irregularity.no-roll.remedy": "return wagers",
        },
    ),
    (
        MA,
        "6(b)",
        {
            "irregularity.device-malfunction.equipment": "electrical-device",
            "irregularity.device-malfunction.presence": ["casino-supervisor"],
            "irregularity.device-malfunction.remedy": "settle by the dice, then cease",
            "irregularity.device-malfunction.cease_until": "the electrical device is fixed",
        },
    ),
    (
        MA,
        "6(c)",
        {
            "irregularity.shaker-malfunction.equipment": "automated-shaker",
            "irregularity.shaker-malfunction.remedy": "void and return",
        },
    ),
    (
        MA,
        "6(d)",
        {
            "irregularity.shaker-exchange.equipment": "automated-shaker",
            "irregularity.shaker-exchange.remedy": "replace equipment",
        },
    ),
]

FACTS = {"test_ma_the_data_of_the_clause_says_what_the_clause_says": (check_fact, MASSACHUSETTS)}


@pytest.mark.parametrize(
    ("book", "clause", "facts"), MASSACHUSETTS, ids=[f"{book} {clause}" for book, clause, _ in MASSACHUSETTS]
)
def test_ma_the_data_of_the_clause_says_what_the_clause_says(
    book: str,
    clause: str,
    facts: dict[str, Any],
) -> None:
    check_fact(Copy.packaged(book), facts)
