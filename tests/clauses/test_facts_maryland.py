"""Maryland: the clauses of procedure, equipment and irregularities, as data."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clauses.copies import Copy
from tests.clauses.facts import check_fact

MD = "maryland-sic-bo"

MARYLAND: list[tuple[str, str, dict[str, Any]]] = [
    (
        MD,
        "1.B",
        {
            "equipment.layout.kind": "layout",
            "equipment.electrical-device.kind": "device",
            "procedure.round.illuminate.act": "illuminate",
            "procedure.round.illuminate.after": ["enter-dice"],
        },
    ),
    (
        MD,
        "1.D",
        {
            "equipment.manual-shaker.kind": "shaker",
            "equipment.manual-shaker.shaker": "manual",
            "equipment.automated-shaker.kind": "shaker",
            "equipment.automated-shaker.shaker": "automated",
        },
    ),
    (
        MD,
        "1.D.2",
        {"equipment.automated-shaker.kind": "shaker", "equipment.automated-shaker.shaker": "automated"},
    ),
    (MD, "2.A", {"equipment.dice.kind": "dice", "equipment.dice.count": 3}),
    (
        MD,
        "2.B",
        {
            "equipment.dice.life.0.shaker": "manual",
            "equipment.dice.life.0.length": 24,
            "equipment.dice.life.0.unit": "hours",
            "equipment.dice.life.0.counted_from": "put into the shaker",
        },
    ),
    (
        MD,
        "2.C",
        {
            "equipment.dice.life.1.shaker": "automated",
            "equipment.dice.life.1.length": 1,
            "equipment.dice.life.1.unit": "months",
            "equipment.dice.life.1.counted_from": "locked into the shaker",
        },
    ),
    (MD, "4.A", {"procedure.round.take-bets.act": "take bets"}),
    (
        MD,
        "4.A.3",
        {"procedure.round.illuminate.after": ["enter-dice"], "procedure.round.collect.after": ["illuminate"]},
    ),
    (
        MD,
        "5.A",
        {
            "procedure.opening.inspect-equipment.act": "inspect",
            "procedure.opening.inspect-equipment.who": ["floorperson", "above-floorperson"],
            "inspection.device-before-opening.when": "before opening",
            "inspection.device-before-opening.who": ["floorperson"],
            "inspection.device-before-opening.or_above": True,
            "inspection.shaker-before-opening.when": "before opening",
            "inspection.shaker-before-opening.who": ["floorperson"],
            "inspection.shaker-before-opening.or_above": True,
        },
    ),
    (
        MD,
        "5.A.1",
        {
            "inspection.device-before-opening.equipment": "electrical-device",
            "inspection.device-before-opening.how": "enter three values",
        },
    ),
    (
        MD,
        "5.A.2",
        {
            "inspection.shaker-before-opening.equipment": "automated-shaker",
            "inspection.shaker-before-opening.shaker": "automated",
            "inspection.shaker-before-opening.how": "operate",
            "inspection.shaker-before-opening.times": 3,
        },
    ),
    (
        MD,
        "5.B",
        {
            "procedure.round.shake-manual.who": ["dealer"],
            "procedure.round.shake-automated.who": ["dealer"],
            "procedure.round.close.after": ["take-bets", "shake-manual", "shake-automated"],
        },
    ),
    (
        MD,
        "5.B.1",
        {
            "procedure.round.shake-manual.act": "shake",
            "procedure.round.shake-manual.shaker": "manual",
            "procedure.round.shake-manual.at_least": 3,
        },
    ),
    (
        MD,
        "5.B.2",
        {
            "procedure.round.shake-automated.act": "shake",
            "procedure.round.shake-automated.shaker": "automated",
        },
    ),
    (
        MD,
        "5.C",
        {
            "procedure.round.close.who": ["dealer"],
            "procedure.round.close.announce": "No more bets",
            "procedure.round.uncover.after": ["close"],
        },
    ),
    (
        MD,
        "5.D",
        {
            "procedure.round.uncover.act": "reveal",
            "procedure.round.announce-dice.act": "announce dice",
            "procedure.round.announce-dice.after": ["uncover"],
            "procedure.round.enter-dice.act": "enter dice",
            "procedure.round.enter-dice.after": ["announce-dice"],
        },
    ),
    (MD, "5.E", {"procedure.round.illuminate.act": "illuminate"}),
    (
        MD,
        "5.F",
        {
            "procedure.round.collect.act": "collect losers",
            "procedure.round.collect.after": ["illuminate"],
            "procedure.round.pay.act": "pay winners",
            "procedure.round.pay.after": ["collect"],
        },
    ),
    (MD, "5.G", {"procedure.round.clear.after": ["collect", "pay"]}),
    (MD, "5.H", {"procedure.round.clear.act": "clear", "procedure.round.clear.after": ["collect", "pay"]}),
    (
        MD,
        "7.A",
        {
            "irregularity.no-roll.called_by": ["dealer"],
            "irregularity.no-roll.announce": "No roll",
            "irregularity.no-roll.remedy": "return wagers",
        },
    ),
    (
        MD,
        "7.B",
        {
            "irregularity.device-malfunction.equipment": "electrical-device",
            "irregularity.device-malfunction.presence": ["floorperson"],
            "irregularity.device-malfunction.or_above": True,
            "irregularity.device-malfunction.remedy": "settle by the dice, then cease",
            "irregularity.area-malfunction.equipment": "layout",
            "irregularity.area-malfunction.presence": ["floorperson"],
            "irregularity.area-malfunction.or_above": True,
            "irregularity.area-malfunction.remedy": "settle by the dice, then cease",
        },
    ),
    (
        MD,
        "7.C",
        {
            "irregularity.device-malfunction.cease_until": "the electrical device is fixed",
            "irregularity.area-malfunction.cease_until": "the electrical device is fixed",
        },
    ),
    (
        MD,
        "7.D",
        {
            "irregularity.shaker-malfunction.equipment": "automated-shaker",
            "irregularity.shaker-malfunction.remedy": "void and return",
        },
    ),
    (
        MD,
        "7.E",
        {
            "irregularity.shaker-exchange.equipment": "automated-shaker",
            "irregularity.shaker-exchange.remedy": "replace equipment",
        },
    ),
]

FACTS = {"test_md_the_data_of_the_clause_says_what_the_clause_says": (check_fact, MARYLAND)}


@pytest.mark.parametrize(
    ("book", "clause", "facts"), MARYLAND, ids=[f"{book} {clause}" for book, clause, _ in MARYLAND]
)
def test_md_the_data_of_the_clause_says_what_the_clause_says(
    book: str,
    clause: str,
    facts: dict[str, Any],
) -> None:
    check_fact(Copy.packaged(book), facts)
