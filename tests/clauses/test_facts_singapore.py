"""Singapore: the clauses of definitions, procedure, equipment and irregularities, as data."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clauses.copies import Copy
from tests.clauses.facts import check_fact

SG = "singapore-mbs-sic-bo-v6"

SINGAPORE: list[tuple[str, str, dict[str, Any]]] = [
    (
        SG,
        "1.1.1",
        {
            "equipment.colour-chips.kind": "chips",
            "equipment.colour-chips.requires.0.clause": "1.1.1",
            "equipment.colour-chips.requires.0.says": (
                "worth more than the table minimum, their value is shown by a marker or a cash chip of that value"
            ),
            "equipment.colour-chips.requires.1.clause": "1.1.1",
            "equipment.colour-chips.requires.1.says": (
                "the marker or cash chip lies on the bank of colour chips, or on a stand kept for it"
            ),
        },
    ),
    (SG, "1.1.2", {"equipment.dice-tumbler.kind": "shaker", "equipment.dice-tumbler.shaker": "automated"}),
    (
        SG,
        "1.1.3",
        {
            "procedure.round.0.id": "open",
            "procedure.round.announce-outcome.act": "announce dice",
            "procedure.round.collect.after": ["illuminate"],
            "procedure.round.pay.after": ["collect"],
        },
    ),
    (
        SG,
        "2.2",
        {
            "book.dice": 3,
            "equipment.dice.count": 3,
            "equipment.dice.requires.0.clause": "2.2",
            "equipment.dice.requires.0.says": "each is numbered from one to six by dots",
        },
    ),
    (
        SG,
        "3.1",
        {
            "procedure.round.open.who": ["dealer"],
            "procedure.round.open.announce": "Place your bets, please",
            "procedure.round.take-bets.after": ["open"],
        },
    ),
    (
        SG,
        "3.2",
        {
            "procedure.round.close.act": "close betting",
            "procedure.round.close.announce": "No more bets",
        },
    ),
    (
        SG,
        "3.3",
        {
            "procedure.round.take-bets.act": "take bets",
            "equipment.cash-chips.kind": "chips",
            "equipment.colour-chips.kind": "chips",
        },
    ),
    (SG, "3.5", {"procedure.round.take-bets.act": "take bets"}),
    (SG, "3.6", {"procedure.round.enter-dice.act": "enter dice"}),
    (SG, "3.7", {"procedure.round.take-bets.who": ["player", "dealer", "pit-supervisor", "pit-manager"]}),
    (
        SG,
        "3.8",
        {
            "procedure.round.tumble.act": "shake",
            "procedure.round.tumble.who": ["dealer"],
            "procedure.round.tumble.at_least": 3,
        },
    ),
    (
        SG,
        "3.9",
        {
            "procedure.round.close.who": ["dealer"],
            "procedure.round.close.announce": "No more bets",
            "procedure.round.close.after": ["take-bets", "tumble"],
            "procedure.round.press-deal.act": "press deal",
            "procedure.round.press-deal.after": ["close"],
        },
    ),
    (
        SG,
        "3.10",
        {
            "procedure.round.uncover.act": "reveal",
            "procedure.round.uncover.after": ["press-deal"],
            "procedure.round.check-flat.act": "check dice",
            "procedure.round.check-flat.after": ["uncover"],
        },
    ),
    (
        SG,
        "3.11",
        {"procedure.round.collect.after": ["illuminate"], "procedure.round.pay.after": ["collect"]},
    ),
    (
        SG,
        "3.12",
        {
            "irregularity.unclear-wagers.when": ["revealed", "settling"],
            "irregularity.unclear-wagers.presence": ["pit-supervisor"],
            "irregularity.unclear-wagers.or_above": True,
            "irregularity.unclear-wagers.remedy": "supervisor decides",
        },
    ),
    (
        SG,
        "5.1",
        {
            "irregularity.too-few-tumbles.when": ["thrown", "closed", "revealed"],
            "irregularity.too-few-tumbles.remedy": "void and return",
        },
    ),
    (
        SG,
        "5.2",
        {
            "irregularity.exposed-early.when": ["betting", "thrown"],
            "irregularity.exposed-early.remedy": "void and return",
        },
    ),
    (
        SG,
        "5.3",
        {"irregularity.not-flat.when": ["revealed"], "irregularity.not-flat.remedy": "void and return"},
    ),
    (
        SG,
        "5.4",
        {
            "irregularity.damaged-dice.equipment": "dice",
            "irregularity.damaged-dice.remedy": "void and return",
        },
    ),
    (
        SG,
        "5.5",
        {
            "irregularity.breakage.equipment": "dice-tumbler",
            "irregularity.breakage.remedy": "void and return",
        },
    ),
    (
        SG,
        "5.6",
        {
            "irregularity.late-wager.when": ["closed", "revealed", "settling"],
            "irregularity.late-wager.remedy": "refuse",
        },
    ),
    (
        SG,
        "5.7",
        {
            "irregularity.late-withdrawal.when": ["closed", "revealed", "settling"],
            "irregularity.late-withdrawal.remedy": "wager stays live",
        },
    ),
    (
        SG,
        "5.8",
        {
            "irregularity.equipment-malfunction.when": ["revealed", "settling"],
            "irregularity.equipment-malfunction.remedy": "finish the round",
            "irregularity.wrong-lights.when": ["revealed", "settling"],
            "irregularity.wrong-lights.remedy": "settle by the dice",
        },
    ),
    (
        SG,
        "5.9",
        {
            "irregularity.deal-not-pressed.when": ["closed", "revealed"],
            "irregularity.deal-not-pressed.remedy": "outcome stands",
            "procedure.round.enter-dice.act": "enter dice",
        },
    ),
    (
        SG,
        "5.10",
        {
            "irregularity.under-minimum.when": ["revealed", "settling"],
            "irregularity.under-minimum.remedy": "settle once, then return",
        },
    ),
    (SG, "5.11", {"irregularity.over-maximum.remedy": "settle to the maximum"}),
    (SG, "5.12", {"irregularity.earlier-limits.remedy": "stays settled"}),
    (
        SG,
        "5.13.1",
        {
            "irregularity.power-failure-before.when": ["betting", "thrown", "closed"],
            "irregularity.power-failure-before.remedy": "withdraw all or stay",
        },
    ),
    (
        SG,
        "5.13.2",
        {
            "irregularity.power-failure-after.when": ["revealed", "settling"],
            "irregularity.power-failure-after.remedy": "finish the round",
        },
    ),
    (
        SG,
        "6.1",
        {
            "irregularity.not-covered.presence": ["gaming-shift-manager"],
            "irregularity.not-covered.remedy": "refer",
        },
    ),
    (SG, "6.2", {"ranks.acting": "any higher position"}),
    (
        SG,
        "6.3",
        {
            "irregularity.wrong-display.equipment": "display",
            "irregularity.wrong-display.remedy": "outcome stands",
        },
    ),
]

FACTS = {"test_sg_the_data_of_the_clause_says_what_the_clause_says": (check_fact, SINGAPORE)}


@pytest.mark.parametrize(
    ("book", "clause", "facts"), SINGAPORE, ids=[f"{book} {clause}" for book, clause, _ in SINGAPORE]
)
def test_sg_the_data_of_the_clause_says_what_the_clause_says(
    book: str,
    clause: str,
    facts: dict[str, Any],
) -> None:
    check_fact(Copy.packaged(book), facts)
