"""What was asked of a table, in words, for the record of what was refused."""

from __future__ import annotations

import msgspec
import pytest

from pitbook.table import commands as c
from pitbook.table.command_summary import LONGEST, PLAIN, asking
from pitbook.table.refusals import Why
from tests.table.craps import BASE, STICK, craps_table, placed

IN_WORDS = (
    c.PlaceBets, c.TakeDown, c.RecordFound, c.BuyIn, c.CashOut, c.TakeStep, c.CorrectDice, c.ProposeResettlement,
    c.Count, c.Fill, c.Credit, c.CallBets,
)  # fmt: skip


def test_every_command_has_its_words() -> None:
    assert set(PLAIN) | set(IN_WORDS) == set(c.COMMANDS)
    assert not set(PLAIN) & set(IN_WORDS)


@pytest.mark.parametrize("command", PLAIN)
def test_the_words_name_fields_that_there_are(command: type[c.Command]) -> None:
    fields = {field.name for field in msgspec.structs.fields(command)}
    named = {part.partition("}")[0] for part in PLAIN[command].split("{0.")[1:]}
    assert named <= fields


@pytest.mark.parametrize(("command", "words"), [
    (c.PlaceBets(()), "bet nothing"),
    (c.PlaceBets((c.Wanted("small", 5_00),), verbal_cash=True), "bet 5.00 on small with cash, in words"),
    (c.PlaceBets((c.Wanted("small", 5_00),) * 5), "bet 5.00 on small, 5.00 on small, 5.00 on small and 2 more"),
    (c.TakeDown("small", 2_00), "take 2.00 off small"),
    (c.TakeDown("small", kind="tip on top", player="ann"), "take the bet off small (tip on top) for ann"),
    (c.RecordFound("ann", "small", 7_00), "record 7.00 of ann, found on small"),
    (c.MoveBet("small", "big"), "move the bet on small to big"),
    (c.BuyIn(1_000_00), "change 1,000.00 into chips"),
    (c.CorrectDice((1, 2), "as the stick called"), "put the dice right, 1-2"),
])  # fmt: skip
def test_commands_in_words(command: c.Command, words: str) -> None:
    assert asking(command) == words


def test_an_amount_has_the_decimals_of_the_currency() -> None:
    assert asking(c.CashOut(500), 0) == "cash 500"


def test_names_that_somebody_made_up_stay_on_one_short_line() -> None:
    assert asking(c.NewShooter("ann\n12:00:00  max (manager) closes the table")).count("\n") == 0
    assert len(asking(c.NewShooter("x" * 100_000))) == LONGEST
    assert asking(c.NewShooter("{0.__class__}")) == "give the dice to {0.__class__}"


def test_a_refusal_says_what_was_asked() -> None:
    table = craps_table("dice-ology")
    assert table.refused(BASE, placed("little-ones=11", player="ann"), Why.OVER_MAXIMUM).asked == (
        "bet 11.00 on little-ones for ann"
    )
    assert table.refused(STICK, c.TakeStep("mark"), Why.NOT_DUE).asked == "take the step mark"
